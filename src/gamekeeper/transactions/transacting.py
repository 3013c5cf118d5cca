"""
Transactions carried out: each whole or not at all, many in one go.

Each character that a transaction touches has actions of its own for it, which share
the transaction's id: so both sides of a trade stand in both histories. What a game
server does it does only for characters that are on it, and only as long as nobody
took its place.
"""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper import ending, ids
from gamekeeper.database import Writer
from gamekeeper.errors import Problem
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.ledger.postings import Against, Posting
from gamekeeper.operations import operation
from gamekeeper.players import variables
from gamekeeper.players.belongings import Why
from gamekeeper.players.lookup import lock_all, unknown
from gamekeeper.servers import leases
from gamekeeper.servers.leases import Fenced, Holder
from gamekeeper.transactions import moves
from gamekeeper.transactions.moves import Done, Items, Level, Move, Stale, Stood, Transaction
from gamekeeper.transactions.world import World


@operation
async def transact(writer: Writer, orders: Sequence[Transaction]) -> list[Done | Problem]:
    """Carry out transactions, each on what the one before it in the list left."""
    kept_out = await _kept_out(writer, orders)
    admitted = [order for order in orders if kept_out.get(order.holder) is None]
    keys = list(dict.fromkeys(key for order in admitted for key in order.about()))
    found = dict(zip(keys, await lock_all(writer, keys), strict=True)) if keys else {}
    who = {key: player for key, player in found.items() if player}
    players = sorted(set(who.values()))
    world = await World.of(writer, players, [move for order in admitted for move in order.moves])
    servers = await _servers(writer, players)
    done: list[Action] = []
    outcomes: list[Done | Problem] = []
    for order in orders:
        outcomes.append(kept_out.get(order.holder) or _Trial(world, order, who).run(servers, done))
        await asyncio.sleep(0)  # A long list must not hold up everybody else.
    await world.save(writer)
    for some in ending.pieces(done):
        await actions.record(writer, some)
    return outcomes


async def _kept_out(
    writer: Writer, orders: Sequence[Transaction]
) -> dict[Holder | None, Problem | None]:
    """What keeps each server from acting; in id order, as whatever is locked."""
    holders = {order.holder for order in orders if order.holder}
    by_id = sorted(holders, key=lambda holder: (holder.server_id, holder.fence))
    return {holder: await leases.hold(writer, holder) for holder in by_id}


async def _servers(writer: Writer, players: Sequence[UUID]) -> dict[UUID, UUID]:
    """Which server each character is on, alive or not."""
    rows = await writer.rows(
        "SELECT player_id, server_id FROM presences WHERE player_id = ANY($1)", list(players)
    )
    return {row["player_id"]: row["server_id"] for row in rows}


class _Trial:
    """One transaction, tried on the world; what it did is taken back if it is refused."""

    def __init__(self, world: World, order: Transaction, who: Mapping[str, UUID]) -> None:
        self._world = world
        self._order = order
        self._who = who
        self._id = ids.fresh()
        self._mark = world.mark()
        self._items: dict[UUID, UUID] = {}
        """The action about the items of each character."""
        self._done: list[Action] = []

    def run(self, servers: Mapping[UUID, UUID], done: list[Action]) -> Done | Problem:
        try:
            self._check(servers)
            for move in self._order.moves:
                self._carry_out(move)
        except Problem as problem:
            self._world.back(self._mark)
            return problem
        done += [*self._moved(), *self._done]
        players = sorted({self._who[key] for key in self._order.about()})
        return Done(
            id=self._id,
            players=[Stood(player_id=one, seq=self._world.seq(one)) for one in players],
        )

    def _check(self, servers: Mapping[UUID, UUID]) -> None:
        holder = self._order.holder
        for key in self._order.about():
            if key not in self._who:
                raise unknown(key)
            if holder and servers.get(self._who[key]) != holder.server_id:
                raise Fenced(f"'{key}' is not on that server; nothing changed.", player=key)
        for expected in self._order.expected:
            seq = self._world.seq(self._who[expected.player])
            if seq != expected.seq:
                raise Stale(None, player=expected.player, expected=expected.seq, seq=seq)

    def _carry_out(self, move: Move) -> None:
        match move:
            case Items():
                self._world.goods.carry(move, self._who, self._why)
            case moves.Variable():
                self._set(move)
            case moves.Spell():
                self._learn(move)
            case Level():
                self._advance(move)

    def _why(self, player: UUID, against: Against) -> Why:
        if player not in self._items:
            self._items[player] = ids.fresh()
        return Why(self._items[player], against)

    def _set(self, move: moves.Variable) -> None:
        player = self._who[move.player]
        spot = (player, move.variable_id)
        wish = variables.Setting(
            by=self._order.by,
            player=move.player,
            variable_id=move.variable_id,
            value=move.value,
        )
        outcome = variables.decide(wish, player, self._world.declared.get(move.variable_id))
        if isinstance(outcome, Problem):
            raise outcome
        before = {"variable_id": move.variable_id, "value": self._world.variables.get(spot)}
        self._world.variables.put(spot, outcome.value)
        self._note("variables.set", player, before, before | {"value": outcome.value})

    def _learn(self, move: moves.Spell) -> None:
        player = self._who[move.player]
        slot = self._world.learn(player, move.spell_id, teach=move.teach)
        known = {"spell_id": move.spell_id, "slot": slot}
        if move.teach:
            self._note("spells.teach", player, None, known)
        else:
            self._note("spells.forget", player, known, None)

    def _advance(self, move: Level) -> None:
        player = self._who[move.player]
        before, after = (
            {"level": stood.level, "exp": stood.exp} for stood in self._world.advance(player, move)
        )
        if before != after:
            self._note("players.progress", player, before, after)

    def _note(self, kind: Kind, player: UUID, before: object, after: object) -> None:
        """Note an action, whose states both say which transaction it belongs to."""
        states = [
            {**state, "transaction": self._id} if isinstance(state, dict) else None
            for state in (before, after)
        ]
        self._done.append(
            Action(
                kind=kind,
                by=self._order.by,
                player_id=player,
                before=states[0],
                after=states[1],
            )
        )

    def _moved(self) -> list[Action]:
        """For each character whose items moved, the action about them."""
        posted: dict[UUID, list[Posting]] = {}
        for posting in self._world.goods.belongings.since(self._mark[0]):
            posted.setdefault(posting.player_id, []).append(posting)
        return [
            Action(
                id=self._items[player],
                kind=_kind(theirs),
                by=self._order.by,
                player_id=player,
                item_id=_only([posting.item_id for posting in theirs]),
                after={"transaction": self._id},
            )
            for player, theirs in posted.items()
        ]


def _kind(postings: Sequence[Posting]) -> Kind:
    """An exchange with the world can be undone; what others had a part in, or a bag, cannot."""
    plain = all(posting.against != "move" and posting.inside is None for posting in postings)
    return "items.exchange" if plain else "items.move"


def _only(items: Sequence[UUID]) -> UUID | None:
    [first, *others] = dict.fromkeys(items)
    return None if others else first
