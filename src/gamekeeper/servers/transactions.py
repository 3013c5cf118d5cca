"""
Execution of transactions: each atomic, many in one batch, with optimistic locking and fencing.

Each character in a transaction gets its own actions, which share the transaction's id:
so both histories show both sides of a trade. A game server may change only characters
that are on it, and only while it holds its lease (fencing). `expected` sequence numbers
make a transaction fail if a character's ledger has changed (optimistic locking).
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct
from msgspec.structs import replace

from gamekeeper.catalog.spells import UnknownSpell
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger.actions import Action, Against, Kind, LedgerPosting
from gamekeeper.ledger.transactions import Flows
from gamekeeper.players import attributes, moves, progress, rules, sheet, spells, variables
from gamekeeper.players.inventory import PostingContext
from gamekeeper.players.moves import (
    Advance,
    AssignVariable,
    ChangeSpell,
    ClaimLetter,
    Move,
    MoveItems,
    ReadLetter,
    ReportPlayer,
    SaveSheet,
)
from gamekeeper.players.state import State
from gamekeeper.sanctions.in_force import Restriction, restrictions
from gamekeeper.servers import leases
from gamekeeper.servers.leases import Fenced, LeaseHolder
from gamekeeper.servers.letter_moves import LetterMoves
from gamekeeper.servers.reports.report_moves import ReportMoves


class Stale(Conflict):
    """The character has changed since; the transaction was not applied."""


class TradeLocked(Conflict):
    """A character is banned from trading; the transaction was not applied."""


class Expected(Struct, frozen=True):
    player: str
    seq: int


class Transaction(Command, frozen=True, kw_only=True):
    """Moves that are executed all or none, for a game server or for none."""

    holder: LeaseHolder | None
    expected: Sequence[Expected]
    moves: Sequence[Move]

    def about(self) -> Iterator[str]:
        """The names or ids of all characters that it concerns."""
        yield from (expectation.player for expectation in self.expected)
        for move in self.moves:
            yield from moves.players_of(move)

    def pinned(self, ids: Mapping[str, str]) -> Command:
        """The same with ids for the names that are found in `ids`."""
        return replace(
            self,
            expected=[
                replace(expectation, player=ids.get(expectation.player, expectation.player))
                for expectation in self.expected
            ],
            moves=[moves.pinned(move, ids) for move in self.moves],
        )


class Stood(Record, frozen=True):
    """Where a character's ledger stands after the transaction."""

    player_id: UUID
    seq: int
    """The number of the character's last posting in the ledger."""


class Done(Record, frozen=True):
    id: UUID
    players: list[Stood]


@operation
async def transact(writer: Writer, orders: Sequence[Transaction]) -> list[Done | Problem]:
    """Execute transactions in list order; each sees the result of the one before."""
    kept_out = await _kept_out(writer, orders)
    admitted = [order for order in orders if kept_out.get(order.holder) is None]
    keys = list(dict.fromkeys(key for order in admitted for key in order.about()))
    wanted = [move for order in admitted for move in order.moves]
    state = await State.lock(writer, keys, moves.needs(wanted))
    await state.quotas.lock(writer, [order.by for order in admitted])
    reports = await ReportMoves.prepare(
        writer,
        [(order.by, order.holder and order.holder.server_id, order.moves) for order in admitted],
    )
    letters = await LetterMoves.prepare(writer, state, wanted)
    known = await _characters(writer, state.players)
    locks = await _trade_locks(writer, state.players, wanted)
    outcomes: list[Done | Problem] = []
    for order in orders:
        outcome = kept_out.get(order.holder)
        attempt = _Attempt(state, order, known, locks, reports, letters)
        outcomes.append(outcome or state.attempt(attempt.run, order.by))
        if isinstance(outcomes[-1], Done):
            reports.accept(order.moves)
        await asyncio.sleep(0)  # A long list must not block the event loop.
    await state.save(writer)
    await reports.store(writer)
    return outcomes


async def _kept_out(
    writer: Writer, orders: Sequence[Transaction]
) -> dict[LeaseHolder | None, Problem | None]:
    """The fencing error of each server, or None; locks leases in id order, as all locks."""
    holders = {order.holder for order in orders if order.holder}
    by_id = sorted(holders, key=lambda holder: (holder.server_id, holder.fence))
    return {holder: await leases.hold(writer, holder) for holder in by_id}


class _Known(Struct, frozen=True):
    """A locked character: its name, and its server whether the lease is alive or not."""

    name: str
    server_id: UUID | None


async def _characters(writer: Writer, players: Sequence[UUID]) -> dict[UUID, _Known]:
    rows = await writer.rows(
        """
        SELECT players.id, players.name, presences.server_id
          FROM players LEFT JOIN presences ON presences.player_id = players.id
         WHERE players.id = ANY($1)
        """,
        list(players),
    )
    return {row["id"]: _Known(row["name"], row["server_id"]) for row in rows}


async def _trade_locks(
    writer: Writer, players: Sequence[UUID], moves: Sequence[Move]
) -> dict[UUID, Restriction]:
    """The trade locks of characters, if any move could be a trade."""
    if not any(isinstance(move, MoveItems) and move.source and move.target for move in moves):
        return {}
    found = await restrictions(writer, players)
    return {
        player: restriction
        for player in found
        for restriction in reversed(found[player])
        if restriction.kind == "trade_lock"
    }


class _Attempt:
    """One transaction, applied to the in-memory state; raises a Problem if refused."""

    def __init__(
        self,
        state: State,
        order: Transaction,
        known: Mapping[UUID, _Known],
        locks: Mapping[UUID, Restriction],
        reports: ReportMoves,
        letters: LetterMoves,
    ) -> None:
        self._reports = reports
        self._letters = letters
        self._state = state
        self._order = order
        self._known = known
        self._locks = locks
        self._id = ids.new_id()
        self._items: dict[UUID, UUID] = {}
        """The id of each character's action about items."""
        self._done: list[Action] = []

    def run(self) -> Done:
        self._check()
        savepoint = self._state.savepoint()
        for move in self._order.moves:
            self._carry_out(move)
        for action in [
            *self._moved(self._state.inventory.posted_since(savepoint.inventory)),
            *self._done,
        ]:
            self._state.record(action)
        players = sorted({self._state.player(key) for key in self._order.about()})
        return Done(
            id=self._id,
            players=[Stood(player_id=player, seq=self._state.seq(player)) for player in players],
        )

    def _check(self) -> None:
        holder = self._order.holder
        for key in self._order.about():
            player = self._state.player(key)
            if holder and self._known[player].server_id != holder.server_id:
                raise Fenced(f"'{key}' is not on that server; nothing changed.", player=key)
        for expected in self._order.expected:
            seq = self._state.seq(self._state.player(expected.player))
            if seq != expected.seq:
                raise Stale(None, player=expected.player, expected=expected.seq, seq=seq)

    def _carry_out(self, move: Move) -> None:
        match move:
            case MoveItems() if move.by_mail is not UNSET:
                self._letters.give(self._order.by, move, self._id, self._context)
            case ClaimLetter() | ReadLetter():
                self._letters.carry_out(self._order.by, move, self._id, self._context)
            case MoveItems():
                self._check_trade(move)
                rules.carry(self._state, move, self._context)
            case AssignVariable():
                player = self._state.player(move.player)
                states = variables.change(self._state, player, move.variable_id, move.value)
                self._note("variables.set", player, *states)
            case ChangeSpell():
                self._change_spell(move)
            case Advance():
                self._advance(move)
            case ReportPlayer():
                self._reports.check(move)
            case SaveSheet():
                player = self._state.player(move.player)
                before, after = sheet.differences(
                    *attributes.change(self._state, player, move.change)
                )
                if after:
                    self._note("players.sheet", player, {"sheet": before}, {"sheet": after})

    def _check_trade(self, move: MoveItems) -> None:
        """Raise TradeLocked if items would go from one character to another that may not trade."""
        if not (move.source and move.target and self._locks):
            return
        keys = (move.source.player, move.target.player)
        players = [self._state.player(key) for key in keys]
        if players[0] == players[1]:
            return
        for key, player in zip(keys, players, strict=True):
            if lock := self._locks.get(player):
                raise TradeLocked(
                    f"'{key}' is banned from trading; nothing changed.",
                    player=key,
                    trade_lock=lock.code,
                    until=lock.until,
                )

    def _context(self, player: UUID, against: Against) -> PostingContext:
        if player not in self._items:
            self._items[player] = ids.new_id()
        return PostingContext(self._items[player], against)

    def _change_spell(self, move: ChangeSpell) -> None:
        if move.spell_id not in self._state.known_spells:
            raise UnknownSpell
        player = self._state.player(move.player)
        states = spells.change(self._state, player, move.spell_id, teach=move.teach)
        self._note("spells.teach" if move.teach else "spells.forget", player, *states)

    def _advance(self, move: Advance) -> None:
        player = self._state.player(move.player)
        before = self._state.progress.get(player)
        assert before is not None
        after = progress.advance(before, level=move.level, exp=move.exp, gain=move.gain)
        if after != before:
            self._state.progress.put(player, after)
            self._note("players.progress", player, before.shown, after.shown)

    def _note(self, kind: Kind, player: UUID, before: Any, after: Any) -> None:
        """Add an action; its before and after states both name the transaction."""
        before, after = (state and {**state, "transaction": self._id} for state in (before, after))
        self._done.append(
            Action(kind=kind, by=self._order.by, player_id=player, before=before, after=after)
        )

    def _moved(self, postings: Sequence[LedgerPosting]) -> list[Action]:
        """One action for each character whose items moved."""
        posted: dict[UUID, list[LedgerPosting]] = {}
        for posting in postings:
            # Those of letters have actions of their own.
            if posting.action_id == self._items.get(posting.player_id):
                posted.setdefault(posting.player_id, []).append(posting)
        flows = Flows(postings)
        return [
            Action(
                id=self._items[player],
                kind=_kind(theirs),
                by=self._order.by,
                player_id=player,
                item_id=_only([posting.item_id for posting in theirs]),
                after={"transaction": self._id} | self._counterparties(flows, theirs),
            )
            for player, theirs in posted.items()
        ]

    def _counterparties(self, flows: Flows, postings: Sequence[LedgerPosting]) -> dict[str, Any]:
        """Who handed items to a character or received them from it, with their names then."""
        others = sorted({other for posting in postings for other in flows.counterparties(posting)})
        named = [{"player_id": other, "name": self._known[other].name} for other in others]
        return {"counterparties": named} if named else {}


def _kind(postings: Sequence[LedgerPosting]) -> Kind:
    """`items.exchange` (grants and removals) can be undone; moves and bag contents cannot."""
    plain = all(posting.against != "move" and posting.inside is None for posting in postings)
    return "items.exchange" if plain else "items.move"


def _only(items: Sequence[UUID]) -> UUID | None:
    [first, *others] = dict.fromkeys(items)
    return None if others else first
