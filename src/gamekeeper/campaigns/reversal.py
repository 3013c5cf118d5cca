"""
Reversal of a campaign for some recipients, by the undo of the audit log.

The items of a claimed letter go back into it first, then the letter is undone. If some of them were
used, what is left is taken, and the rest is listed to the piece.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.campaigns.records import CampaignWork, KeptItem
from gamekeeper.campaigns.storage import RecipientOutcome, StoredCampaign
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import transactions
from gamekeeper.history.undo.execute import (
    AlreadyUndone,
    UndoConflict,
    Undoing,
    UndoingTransaction,
    Undone,
    UndoOrder,
)
from gamekeeper.history.undo.plan import Obstacle
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import CLOCK_SKEW, earliest
from gamekeeper.ledger.transactions import TRANSACTION
from gamekeeper.players.inventory import PostingContext
from gamekeeper.players.state import Needs, State
from gamekeeper.players.take_back import take_up_to


class _Done(Struct, frozen=True):
    """An action of the campaign, and the claim of its letter."""

    player: UUID
    action: UUID
    claim: UUID | None
    """The transaction in which the letter was claimed."""


async def reverse(
    writer: Writer, campaign: StoredCampaign, players: Sequence[UUID]
) -> list[RecipientOutcome]:
    """Undo the work of a campaign for characters, as far as it is possible."""
    by = campaign.reverser()
    done = await _done(writer, campaign, players)
    orders: list[UndoOrder] = []
    for entry in done:
        if entry.claim:
            orders.append(UndoingTransaction(by=by, transaction_id=entry.claim))
        orders.append(Undoing(by=by, action_id=entry.action, partial=True))
    undone = iter(await transactions.undo_any(writer, orders))
    found: dict[UUID, tuple[Any, bool]] = {}
    for entry in done:
        if entry.claim:
            next(undone)
        found[entry.player] = (next(undone), entry.claim is not None)
    used = [
        player
        for player, (outcome, is_claimed) in found.items()
        if is_claimed and _is_refused(outcome)
    ]
    taken = await _take(writer, by, campaign, used)
    return [
        _outcome(campaign, player, found.get(player, (None, False))[0], taken.get(player))
        for player in players
    ]


def _is_refused(outcome: Any) -> bool:
    if isinstance(outcome, Unavailable):
        raise outcome
    return isinstance(outcome, Problem) and not isinstance(outcome, AlreadyUndone)


def _has_ended(outcome: Any) -> bool:
    """Whether the letter expired, or staff withdrew it."""
    if not isinstance(outcome, UndoConflict):
        return False
    obstacles: Any = outcome.details["in_the_way"]
    return any(
        obstacle.what == "letter" and obstacle.found in ("expired", "withdrawn")
        for obstacle in obstacles
    )


def _outcome(
    campaign: StoredCampaign, player: UUID, outcome: Any, taken: Mapping[UUID, int] | None
) -> RecipientOutcome:
    if outcome is None:
        # Retention dropped its action.
        return RecipientOutcome(player, "kept", "action_not_found", _kept(campaign, {}))
    if taken is not None:
        kept = _kept(campaign, taken)
        return (
            RecipientOutcome(player, "kept", "undo_conflict", kept)
            if kept
            else RecipientOutcome(player, "reversed")
        )
    if _has_ended(outcome):
        # Its items were destroyed when it expired or was withdrawn: there is nothing to take.
        return RecipientOutcome(player, "reversed")
    if _is_refused(outcome):
        return RecipientOutcome(player, "kept", outcome.code, _kept(campaign, {}))
    if isinstance(outcome, Undone) and not outcome.complete:
        return RecipientOutcome(player, "kept", "undo_conflict", _left(outcome.not_done))
    return RecipientOutcome(player, "reversed")


def _kept(campaign: StoredCampaign, taken: Mapping[UUID, int]) -> list[KeptItem]:
    """What the recipient got and keeps."""
    work = campaign.shown.work
    if work.kind not in ("letter", "give"):
        return []
    return [
        KeptItem(item_id=item, wanted=quantity, taken=taken.get(item, 0))
        for item, quantity in _given(work).items()
        if taken.get(item, 0) < quantity
    ]


def _given(work: CampaignWork) -> Counter[UUID]:
    """How much of each item a recipient got."""
    given: Counter[UUID] = Counter()
    for item in work.items:
        given[item.item_id] += item.quantity
    return given


def _left(obstacles: Sequence[Obstacle]) -> list[KeptItem]:
    return [
        KeptItem(item_id=obstacle.id, wanted=obstacle.wanted or 0, taken=obstacle.possible or 0)
        for obstacle in obstacles
        if obstacle.what == "item" and obstacle.id
    ]


async def _done(writer: Writer, campaign: StoredCampaign, players: Sequence[UUID]) -> list[_Done]:
    """The actions by which the campaign did its work, by the campaign's id as their request."""
    began = campaign.shown.started_at
    assert began is not None
    rows = await writer.rows(
        ACTIONS,
        list(players),
        str(campaign.id),
        began - CLOCK_SKEW,
        earliest(began, None, -CLOCK_SKEW),
    )
    letters = [row["letter"] for row in rows if row["letter"]]
    claims: dict[str, UUID] = {}
    if letters:
        found = await writer.rows(
            CLAIMS,
            list(players),
            list(letters),
            began - CLOCK_SKEW,
            earliest(began, None, -CLOCK_SKEW),
        )
        # The last one counts: a claim may have been undone, and then made again.
        claims = {row["letter"]: row["transaction"] for row in found}
    return [_Done(row["player_id"], row["id"], claims.get(row["letter"])) for row in rows]


ACTIONS: LiteralString = """
    SELECT id, player_id, after->>'letter_id' AS letter
      FROM actions
     WHERE player_id = ANY($1) AND request_id = $2 AND at >= $3 AND id >= $4
       AND undoes IS NULL AND kind NOT LIKE 'campaigns.%'
     ORDER BY id
"""
CLAIMS: LiteralString = f"""
    SELECT after->>'letter_id' AS letter, ({TRANSACTION})::uuid AS transaction
      FROM actions
     WHERE player_id = ANY($1) AND kind = 'mail.claim' AND after->>'letter_id' = ANY($2)
       AND at >= $3 AND id >= $4
     ORDER BY id
"""


async def _take(
    writer: Writer, by: AuditContext, campaign: StoredCampaign, players: Sequence[UUID]
) -> dict[UUID, Counter[UUID]]:
    """Take what characters still have of the items of their claimed letters."""
    if not players:
        return {}
    needs = Needs(items=set(_given(campaign.shown.work)), bags=True)
    state = await State.lock(writer, [str(player) for player in players], needs)
    # A character that was deleted has nothing.
    taken = {player: Counter[UUID]() for player in players}
    for player in players:
        if state.finds(str(player)):
            taken[player] = _take_from(state, by, campaign, player)
    await state.save(writer)
    return taken


def _take_from(
    state: State, by: AuditContext, campaign: StoredCampaign, player: UUID
) -> Counter[UUID]:
    """Against an account whose items no restore returns, as an undo of the letter would be."""
    action = Action(kind="campaigns.take", by=by, player_id=player)
    context = PostingContext(action.id, "refund")
    taken: Counter[UUID] = Counter()
    for wanted in _given(campaign.shown.work).items():
        taken[wanted[0]] = take_up_to(state, player, "inventory", wanted, context)
    about = {"campaign_id": campaign.id, "campaign": campaign.shown.name}
    items = [{"item_id": item, "quantity": taken[item]} for item in taken if taken[item]]
    if items:
        state.record(replace(action, after=about | {"items": items}))
    return taken
