"""
One character with a past, put up anew for every schedule.

The same history is copied, by one statement for each table, for a few hundred
characters at a time: a schedule takes the next one and leaves it behind.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from msgspec.structs import replace

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import restore as restoration
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.databases import cloned
from tests.make import BY, make_item, make_player
from tests.torture import books
from tests.torture.interleaver import Scheduler, Trace

AT_ONCE = 200

COPIES = {
    "players": "id",
    "player_names": "player_id",
    "slots": "player_id",
    "ledger_heads": "player_id",
    "actions": "player_id",
    "postings": "player_id",
}


class Scene:
    """The character of one schedule, and the ids of what was done to it."""

    def __init__(self, player: UUID, gift: UUID, before: datetime, potion: UUID) -> None:
        self.player = player
        self.gift = gift
        self.before = before
        self.potion = potion


Act = Callable[[Database, Scene, AuditContext], Awaitable[object]]


async def give(database: Database, scene: Scene, by: AuditContext) -> object:
    return await items.give.one(database, _gift(scene, by, 4))


async def take(database: Database, scene: Scene, by: AuditContext) -> object:
    order = Taking(by=by, player=str(scene.player), item_id=scene.potion, quantity=3)
    return await items.take.one(database, order)


async def overflow(database: Database, scene: Scene, by: AuditContext) -> object:
    return await items.give.one(database, replace(_gift(scene, by, 8), overflow_to_bank=True))


async def give_once(database: Database, scene: Scene, by: AuditContext) -> object:
    """Under a key, the same for both: a client that sends its request twice."""
    key = IdempotencyKey("key:1", str(scene.player), b"the same")
    # So few that there would be room for them twice.
    return await items.give.one(database, _gift(scene, replace(by, key=key), 2))


async def undo(database: Database, scene: Scene, by: AuditContext) -> object:
    return await execute.undo.one(database, Undoing(by=by, action_id=scene.gift))


async def restore(database: Database, scene: Scene, by: AuditContext) -> object:
    order = Restoration(by=by, player=str(scene.player), at=scene.before)
    return await restoration.restore.one(database, order)


def _gift(scene: Scene, by: AuditContext, quantity: int) -> Gift:
    return Gift(by=by, player=str(scene.player), item_id=scene.potion, quantity=quantity)


OPERATIONS: dict[str, Act] = {
    "give": give,
    "take": take,
    "give with overflow": overflow,
    "undo": undo,
    "restore": restore,
    "give once": give_once,
}


class Stage:
    def __init__(self, callers: Sequence[Database], watcher: Any, first: Scene) -> None:
        self._callers = callers
        self._watcher = watcher
        self._first = first
        self._scenes: list[Scene] = []
        self._copied = 0
        self._played: dict[UUID, Trace] = {}

    async def play(self, one: str, other: str, plan: Sequence[int]) -> Trace:
        """Both operations on a new character, in the order of `plan`."""
        scene = await self._next()
        callers = [
            _caller(OPERATIONS[name], database, scene)
            for name, database in zip((one, other), self._callers, strict=True)
        ]
        trace = await Scheduler(self._watcher).run(callers, plan)
        self._played[scene.player] = trace
        return trace

    async def in_turn(self, one: str, other: str) -> list[object]:
        """What one after the other gives, and the other way round, shown as `play` shows it."""
        return [await self._in_turn(one, other, [0, 1]), await self._in_turn(one, other, [1, 0])]

    async def _in_turn(self, one: str, other: str, order: Sequence[int]) -> object:
        scene = await self._next()
        outcomes: list[object] = [None, None]
        for turn in order:
            act = OPERATIONS[(one, other)[turn]]
            outcomes[turn] = await _caller(act, self._callers[turn], scene)()
        there = await self._there([scene.player])
        return (self._answered(outcomes), there[scene.player])

    async def unexplained(self, expected: Sequence[object]) -> list[str]:
        """What happened in the schedules played since, where it is none of `expected`."""
        played, self._played = self._played, {}
        there = await self._there(list(played))
        found = [
            "\n".join([*trace.steps, str(self._answered(trace.outcomes)), str(there[player])])
            for player, trace in played.items()
            if (self._answered(trace.outcomes), there[player]) not in expected
        ]
        return found + await books.breaches(self._watcher, list(played))

    def _answered(self, outcomes: Sequence[object]) -> bytes:
        return msgspec.json.encode([_plain(outcome, self._first) for outcome in outcomes])

    async def _there(self, players: Sequence[UUID]) -> dict[UUID, object]:
        """All that is there of each player, but for ids that were made meanwhile."""
        found: dict[UUID, list[object]] = {player: [] for player in players}
        for question in (SLOTS, POSTINGS, ACTIONS):
            for row in await self._watcher.fetch(question, list(players)):
                found[row["player_id"]].append(tuple(row)[1:])
        return found

    async def _next(self) -> Scene:
        if not self._scenes:
            self._scenes = await self._copy()
        return self._scenes.pop()

    async def _copy(self) -> list[Scene]:
        """More characters with the history of the first."""
        numbers = range(self._copied + 1, self._copied + 1 + AT_ONCE)
        self._copied += AT_ONCE
        for table, owner in COPIES.items():
            await self._watcher.execute(
                await self._copying(table, owner), self._first.player, numbers[0], numbers[-1]
            )
        return [
            Scene(
                _other(self._first.player, n),
                _other(self._first.gift, n),
                self._first.before,
                self._first.potion,
            )
            for n in numbers
        ]

    async def _copying(self, table: str, owner: str) -> str:
        """Ids get the number in their last digits, and so stay in the order of time."""
        columns = await self._watcher.fetch(
            """
            SELECT column_name FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'
             ORDER BY ordinal_position
            """,
            table,
        )
        names = [row["column_name"] for row in columns]
        values = ", ".join(NEW.get((table, name)) or NEW.get(("", name)) or name for name in names)
        return (
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM {table}, "
            f"generate_series($2::int, $3::int) AS number WHERE {owner} = $1"
        )


def _numbered(column: str) -> str:
    return f"overlay({column}::text placing lpad(to_hex(number), 8, '0') from 29)::uuid"


NEW = {
    ("players", "id"): _numbered("id"),
    ("actions", "id"): _numbered("id"),
    ("", "player_id"): _numbered("player_id"),
    ("", "action_id"): _numbered("action_id"),
    ("", "undoes"): _numbered("undoes"),
    ("", "name"): "name || number",
    ("", "name_key"): "name_key || number",
    ("", "xid"): "(xid::text::bigint + number::bigint * 1000000)::text::xid8",
}

SLOTS = """
    SELECT player_id, place::text, slot, item_id, quantity, stat_buffs FROM slots
     WHERE player_id = ANY($1) ORDER BY player_id, place, slot
"""
POSTINGS = """
    SELECT player_id, count(*), sum(quantity) FROM postings
     WHERE player_id = ANY($1) GROUP BY player_id
"""
ACTIONS = "SELECT player_id, kind FROM actions WHERE player_id = ANY($1) ORDER BY player_id, kind"


def _other(made: UUID, number: int) -> UUID:
    return UUID(str(made)[:28] + f"{number:08x}")


def _caller(act: Act, database: Database, scene: Scene) -> Callable[[], Awaitable[object]]:
    async def call() -> object:
        try:
            return await act(database, scene, BY)
        except Problem as problem:
            return problem

    return call


def _plain(outcome: object, scene: Scene) -> object:
    if isinstance(outcome, Problem):
        return [outcome.code, _without(msgspec.to_builtins(outcome.details), scene)]
    return _without(msgspec.to_builtins(outcome), scene)


def _without(value: Any, scene: Scene) -> Any:
    """The same without what is new in every run: ids, but for those of the catalog."""
    if isinstance(value, dict):
        return {name: _without(inner, scene) for name, inner in value.items() if name != "by"}
    if isinstance(value, list):
        return [_without(inner, scene) for inner in value]
    if isinstance(value, str) and len(value) == 36 and value != str(scene.potion):
        return "*"
    return value


@asynccontextmanager
async def raise_stage(template: str) -> AsyncIterator[Stage]:
    """A database, two services on it with one connection each, and a character with a past."""
    async with cloned(template) as plain:
        settings = replace(plain, inventory_slots=3, bank_slots=2, connections=1)
        watcher = await asyncpg.connect(settings.database_url)
        try:
            async with Database.open(settings) as one, Database.open(settings) as other:
                yield Stage([one, other], watcher, await _past(one, other, watcher))
        finally:
            await watcher.close()


async def _past(one: Database, other: Database, watcher: Any) -> Scene:
    """Potions in two slots with room for six more; three were taken, and may be restored."""
    potion = await make_item(one, inventory_stack=5, bank_stack=7)
    sword = await make_item(one, "Sword", type="equipment")
    player = await make_player(one, "ana")
    scene = Scene(player, player, await watcher.fetchval("SELECT now()"), potion)
    await items.give.one(one, _gift(scene, BY, 3))
    gift = await watcher.fetchval("SELECT id FROM actions WHERE player_id = $1", player)
    await items.give.one(other, replace(_gift(scene, BY, 1), item_id=sword))
    await items.give.one(one, _gift(scene, BY, 4))
    before = await watcher.fetchval("SELECT clock_timestamp()")
    await items.take.one(one, Taking(by=BY, player=str(player), item_id=potion, quantity=3))
    return Scene(player, gift, before, potion)
