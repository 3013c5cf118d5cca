"""Transaction endpoint: a game server's batch of item moves and changes, in one call."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, structs

from gamekeeper.api.v1.sheets import SheetBody
from gamekeeper.approvals import requests
from gamekeeper.auth.authorisation import authorise
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Failure, Invalid, InvalidBody, Problem, StoredReply
from gamekeeper.core.parsing import Scalar, Wide
from gamekeeper.core.schemas import Body, Record
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext, IdempotencyKey
from gamekeeper.http.routing import Routes
from gamekeeper.moderation.texts import check_text
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.players.mailbox.gifts import BY_MAIL
from gamekeeper.players.moves import (
    Advance,
    AssignVariable,
    ChangeSpell,
    ClaimLetter,
    Endpoint,
    InvalidMove,
    Move,
    MoveItems,
    ReadLetter,
    ReportPlayer,
    SaveSheet,
)
from gamekeeper.servers import transactions as execute
from gamekeeper.servers.leases import Fenced, LeaseHolder, ServerNotFound
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.servers.reports.submission import LONGEST_TEXT, MAX_MESSAGES
from gamekeeper.servers.transactions import Done, Expected, Transaction

routes = Routes("/api/v1/transactions")

LARGEST = 1024 * 1024
LONGEST_KEY = 200
SHEET_FIELDS = SheetBody.__struct_fields__

Place = Literal["inventory", "bank", "bag"]


class FenceMissing(Invalid):
    """'server' and 'fence' must be sent together."""


class MoveBody(SheetBody, frozen=True, kw_only=True):
    do: Literal[
        "items", "variable", "teach", "forget", "progress", "sheet", "report", "claim", "read"
    ]
    item_id: UUID | None = None
    """The item's id."""
    quantity: int | None = None
    """The quantity, at least 1."""
    from_: str | None = None
    from_place: Place = "inventory"
    from_bag: UUID | None = None
    from_slot: int | None = None
    to: str | None = None
    to_place: Place = "inventory"
    to_bag: UUID | None = None
    to_slot: int | None = None
    bank_overflow: bool = False
    """Whether items that do not fit into the inventory go to the bank."""
    stat_buffs: Annotated[list[int], Meta(max_length=5)] | None = None
    player: str | None = None
    variable_id: UUID | None = None
    value: Scalar | None = None
    spell_id: UUID | None = None
    """The spell's id."""
    level: int | None = None
    exp: Wide | None = None
    gain: Wide | None = None
    reported: str | None = None
    """The reported character; `player` is the one that reports. Needs `reports.file`."""
    category: ReportCategory | None = None
    """The category of a report."""
    text: str | None = None
    """The description of a report, at most 2,000 characters."""
    messages: Annotated[list[UUID], Meta(max_length=MAX_MESSAGES)] | None = None
    """At most 20 ids of chat messages that a report means."""
    letter_id: UUID | None = None
    """The letter in the mailbox of `player`, to claim or to mark as read."""
    deliver: Literal["inventory", "mailbox"] | None = None
    """Of new items: `mailbox` sends all of them in a letter."""
    overflow: Literal["refuse", "mailbox"] | None = None
    """Of new items: `mailbox` sends those that have no room in a letter."""


class ExpectedBody(Body, frozen=True):
    player: str
    seq: Wide


class TransactionBody(Body, frozen=True):
    key: str
    moves: Annotated[list[MoveBody], Meta(max_length=50)]
    expected: Annotated[list[ExpectedBody], Meta(max_length=50)] | None = None
    reason: str | None = None
    """The reason, for the audit log; you can send the header `X-Reason` instead."""


class Transactions(Body, frozen=True):
    transactions: Annotated[list[TransactionBody], Meta(max_length=100)]
    """
    At most 100, each with its own `key`, `moves` (at most 50) and optionally `expected`, the
    `seq` that characters must have. JSON bodies only.
    """
    server: UUID | None = None
    """The game server on whose behalf this is done, if any."""
    fence: int | None = None
    """The fencing number of that server's lease."""


class TransactionOutcome(Record, frozen=True):
    """The outcome of one transaction."""

    key: str
    status: int
    """The status as of a separate request: 200 if it was applied."""
    replayed: bool
    """Whether this is the stored result of an earlier request."""
    done: Done | None
    failure: Failure | None
    """Why it was not applied."""


class TransactionOutcomes(Record, frozen=True):
    values: list[TransactionOutcome]


@routes.post(
    "",
    "transactions",
    raises=(InvalidMove, FenceMissing, ServerNotFound, Fenced),
    largest=LARGEST,
    takes_key=False,
)
async def execute_transactions(
    database: Database, vault: Vault, caller: Principal, by: AuditContext, body: Transactions
) -> TransactionOutcomes:
    """
    Execute transactions, each of them all or nothing, independent of the others.

    Each has its own key: sent again with it, the transaction is not applied twice, and the
    result is the stored one. With `server` and `fence` they are applied for a game server: only
    while its lease is valid, and only to characters on it. A transaction that exceeds the
    caller's limits has the status 202 and waits for approval.
    """
    holder = _holder(body)
    if any(move.do == "report" for each in body.transactions for move in each.moves):
        authorise(caller, frozenset({"reports.file"}))
    orders = []
    for number, transaction in enumerate(body.transactions):
        try:
            orders.append(_order(transaction, holder, by, vault))
        except Invalid as wrong:
            raise _within(f"transactions[{number}]", wrong) from None
        await asyncio.sleep(0)  # Yield: a long list must not block the event loop.
    outcomes = await requests.carry_out_all(database, execute.transact, orders) if orders else []
    for outcome in outcomes:
        # The whole server is fenced: no transaction was done, and each may be retried.
        if isinstance(outcome, ServerNotFound | Fenced) and not outcome.details:
            raise outcome
    return TransactionOutcomes(
        values=[
            _outcome(transaction.key, outcome, by)
            for transaction, outcome in zip(body.transactions, outcomes, strict=True)
        ]
    )


def _holder(body: Transactions) -> LeaseHolder | None:
    if (body.server is None) != (body.fence is None):
        raise FenceMissing
    return None if body.server is None else LeaseHolder(body.server, body.fence or 0)


def _order(
    body: TransactionBody, holder: LeaseHolder | None, by: AuditContext, vault: Vault
) -> Transaction:
    if not 1 <= len(body.key) <= LONGEST_KEY:
        raise InvalidBody(f"'key' must be a string of 1 to {LONGEST_KEY} characters.", field="key")
    # The fingerprint leaves out sender and fence: after a crash another process sends the
    # same transaction.
    moves = [_without_new(move) for move in body.moves]
    print_of = msgspec.json.encode(["transaction", moves, body.expected])
    key = IdempotencyKey(by.actor, "transaction:" + body.key, vault.hmac(print_of.decode()))
    return Transaction(
        by=structs.replace(by, key=key, reason=_reason(body) or by.reason),
        holder=holder,
        expected=[Expected(expected.player, expected.seq) for expected in body.expected or []],
        moves=[_move_at(index, move) for index, move in enumerate(body.moves)],
    )


def _within(step: str, wrong: Invalid) -> Invalid:
    """Add one step to the path of the field that an error is about."""
    below = wrong.details.get("path") or wrong.details.get("field")
    wrong.details["path"] = f"{step}.{below}" if below else step
    return wrong


def _move_at(index: int, move: MoveBody) -> Move:
    try:
        return _move(move)
    except InvalidMove as wrong:
        raise _within(f"moves[{index}]", wrong) from None


def _without_new(move: MoveBody) -> dict[str, Any]:
    """A move as versions without sheets fingerprinted it: their idempotency keys stay valid."""
    about = msgspec.to_builtins(move)
    for key in (*SHEET_KEYS, *REPORT_KEYS, *MAIL_KEYS):
        if about[key] is None:
            del about[key]
    return about


# Once, and not for each of the 5,000 moves that a call may have.
SHEET_KEYS = tuple(name.replace("_", "") for name in SHEET_FIELDS)
REPORT_KEYS = ("reported", "category", "text", "messages")
MAIL_KEYS = ("letterid", "deliver", "overflow")


def _reason(body: TransactionBody) -> str | None:
    if body.reason is not None and len(body.reason) > 500:
        raise InvalidBody("'reason' must be a string of at most 500 characters.", field="reason")
    return body.reason


def _move(move: MoveBody) -> Move:
    match move.do:
        case "items":
            return _items(move)
        case "claim" | "read":
            return (ClaimLetter if move.do == "claim" else ReadLetter)(
                player=_needed("player", move.player),
                letter_id=_needed("letterid", move.letter_id),
            )
        case "variable":
            return AssignVariable(
                player=_needed("player", move.player),
                variable_id=_needed("variableid", move.variable_id),
                value=_needed("value", move.value),
            )
        case "teach" | "forget":
            return ChangeSpell(
                player=_needed("player", move.player),
                spell_id=_needed("spellid", move.spell_id),
                teach=move.do == "teach",
            )
        case "progress":
            return Advance(
                player=_needed("player", move.player),
                level=move.level,
                exp=move.exp,
                gain=move.gain,
            )
        case "report":
            return ReportPlayer(
                player=_needed("player", move.player),
                reported=_needed("reported", move.reported),
                category=_needed("category", move.category),
                text=check_text("text", move.text or "", LONGEST_TEXT),
                message_ids=tuple(move.messages or ()),
            )
        case "sheet":
            return SaveSheet(player=_needed("player", move.player), change=move.change)


def _items(move: MoveBody) -> MoveItems:
    return MoveItems(
        item_id=move.item_id,
        quantity=move.quantity,
        source=_end(move.from_, move.from_place, move.from_bag, move.from_slot),
        target=_end(move.to, move.to_place, move.to_bag, move.to_slot),
        overflow_to_bank=move.bank_overflow,
        stat_buffs=_buffs(move.stat_buffs),
        by_mail=BY_MAIL.get((move.deliver or "inventory", move.overflow or "refuse"), UNSET),
    )


def _end(player: str | None, place: Place, bag: UUID | None, slot: int | None) -> Endpoint | None:
    return None if player is None else Endpoint(player=player, place=place, bag=bag, slot=slot)


def _buffs(buffs: Sequence[int] | None) -> tuple[int, ...]:
    if buffs is None:
        return NO_BUFFS
    if len(buffs) != len(NO_BUFFS):
        raise InvalidMove("'statbuffs' must be a list of 5 integers.", field="statbuffs")
    return tuple(buffs)


def _needed(name: str, value: Any) -> Any:
    if value is None:
        raise InvalidMove(f"The move requires '{name}'.", field=name)
    return value


def _outcome(key: str, outcome: Done | Problem, by: AuditContext) -> TransactionOutcome:
    replayed = isinstance(outcome, StoredReply)
    if isinstance(outcome, StoredReply):
        status, body = outcome.answer
        kind = Done if status == 200 else Failure
        said = msgspec.json.decode(body, type=kind)
    elif isinstance(outcome, Problem):
        status, said = int(outcome.status), Failure.of(outcome, by.request_id)
    else:
        status, said = 200, outcome
    return TransactionOutcome(
        key=key,
        status=status,
        replayed=replayed,
        done=said if isinstance(said, Done) else None,
        failure=said if isinstance(said, Failure) else None,
    )
