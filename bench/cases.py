"""Benchmark cases: for each kind of request, what wrk sends and what pgbench runs instead."""

import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from bench import statements
from bench.fixture import World
from bench.statements import BY_NAME, BY_TOKEN, PLAYER, Bare, Recorder, Sent, rendered
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.schemas import SortDirection, Window
from gamekeeper.db.database import Database, Reader
from gamekeeper.players import items, lookup, roster

PLAYERS = "/api/v1/players"
PAGE_SIZE = 5
"""The default page size."""

RANDOM_PAGES = 5_000
"""The number of random pages requested in turn: concurrent requests rarely share a page."""

Where = Literal["first", "middle", "last"]


class Call(Struct, frozen=True, kw_only=True):
    """What wrk sends."""

    lines: list[str]
    """Paths, each with an optional credential; see load.lua."""
    body: str | None = None

    @property
    def method(self) -> str:
        return "POST" if self.body else "GET"


class Case(Struct, frozen=True, kw_only=True):
    name: str
    title: str
    call: Callable[[World], Call]
    bare: Callable[[Database, World], Awaitable[Bare]]


# ── Reads ──


async def _by_id(database: Database, world: World) -> Bare:
    sample = world.samples[0]
    [*_, last] = await _sent(database, lambda reader: lookup.find_player(reader, str(sample.id)))
    return _keyed(world, rendered(last, {sample.id: PLAYER}))


async def _by_name(_: Database, world: World) -> Bare:
    return _keyed(world, BY_NAME)


async def _inventory(database: Database, world: World) -> Bare:
    sample = world.samples[0]
    [*_, last] = await _sent(
        database, lambda reader: items.slots(reader, str(sample.id), "inventory")
    )
    return _keyed(world, rendered(last, {sample.id: PLAYER}))


async def _online(database: Database, world: World) -> Bare:
    sent = await _sent(database, roster.online_count)
    return Bare(statements=[rendered(one, {}) for one in sent])


async def _token(database: Database, world: World) -> Bare:
    """The token check, and then the statements of the request."""
    about = await _by_id(database, world)
    return _keyed(world, BY_TOKEN, *about.statements)


class Paged(Struct, frozen=True):
    """A list that is read in pages."""

    name: str
    path: str
    read: Callable[[Reader, Window], Awaitable[object]]

    def at_random(self) -> Case:
        """Each request reads another page."""

        async def bare(database: Database, world: World) -> Bare:
            # Past the end, so that its offset equals no other number in the statement.
            page = _last_page(world) + 2
            sent = await _sent(database, lambda reader: self.read(reader, _window(page)))
            offset = f"(({statements.NUMBER} - 1) * {PAGE_SIZE})"
            each = [rendered(one, {page * PAGE_SIZE: offset}) for one in sent]
            assert all(statements.NUMBER in statement for statement in each)
            return Bare(statements=each, keys=_last_page(world) + 1)

        return Case(
            name=f"{self.name}-random",
            title=f"{self.name}, random pages",
            call=lambda world: _gets(*(self._asked(page) for page in _random_pages(world))),
            bare=bare,
        )

    def shared(self, where: Where) -> Case:
        """All requests read the same page, so that one query serves many (single flight)."""

        async def bare(database: Database, world: World) -> Bare:
            window = _window(_page(world, where))
            sent = await _sent(database, lambda reader: self.read(reader, window))
            return Bare(statements=[rendered(one, {}) for one in sent])

        return Case(
            name=f"{self.name}-{where}",
            title=f"{self.name}, {where} page, shared",
            call=lambda world: _gets(self._asked(_page(world, where))),
            bare=bare,
        )

    def _asked(self, page: int) -> str:
        return f"{self.path}?page={page}"


async def _ranked(reader: Reader, window: Window) -> object:
    return await roster.ranked(reader, window, None, SortDirection.DESCENDING)


async def _listed(reader: Reader, window: Window) -> object:
    return await roster.list_players(reader, window, None)


RANK = Paged("rank", f"{PLAYERS}/rank", _ranked)
LIST = Paged("list", PLAYERS, _listed)


def _window(page: int) -> Window:
    return Window.of(page, PAGE_SIZE)


def _last_page(world: World) -> int:
    return (world.players - 1) // PAGE_SIZE


def _page(world: World, where: Where) -> int:
    last = _last_page(world)
    return {"first": 0, "middle": last // 2, "last": last}[where]


def _random_pages(world: World) -> list[int]:
    dice = random.Random(1)  # noqa: S311
    return [dice.randint(0, _last_page(world)) for _ in range(RANDOM_PAGES)]


# ── Changes ──


async def _give(_: Database, world: World) -> Bare:
    return _keyed(world, statements.giving(world.actor, world.item))


async def _take(_: Database, world: World) -> Bare:
    return _keyed(world, statements.taking(world.actor, world.item))


def _change(verb: str) -> Callable[[World], Call]:
    def call(world: World) -> Call:
        body = {"itemid": world.item, "quantity": 1}
        return Call(
            lines=[f"{PLAYERS}/{sample.id}/items/{verb}" for sample in world.samples],
            body=msgspec.json.encode(body).decode(),
        )

    return call


CASES = (
    Case(
        name="by-id",
        title="player by id",
        call=lambda world: _gets(*(f"{PLAYERS}/{sample.id}" for sample in world.samples)),
        bare=_by_id,
    ),
    Case(
        name="by-name",
        title="player by name",
        call=lambda world: _gets(*(f"{PLAYERS}/{quote(one.name)}" for one in world.samples)),
        bare=_by_name,
    ),
    RANK.at_random(),
    RANK.shared("first"),
    RANK.shared("middle"),
    RANK.shared("last"),
    LIST.at_random(),
    LIST.shared("first"),
    LIST.shared("last"),
    Case(
        name="online",
        title="online count",
        call=lambda world: _gets(f"{PLAYERS}/online/count"),
        bare=_online,
    ),
    Case(
        name="inventory",
        title="inventory",
        call=lambda world: _gets(
            *(f"{PLAYERS}/{sample.id}/items/inventory" for sample in world.samples)
        ),
        bare=_inventory,
    ),
    Case(name="give", title="give", call=_change("give"), bare=_give),
    Case(name="take", title="take", call=_change("take"), bare=_take),
    Case(
        name="token",
        title="token check, player by id",
        call=lambda world: _gets(
            *(
                f"{PLAYERS}/{world.samples[number % len(world.samples)].id}\t{token}"
                for number, token in enumerate(world.tokens)
            )
        ),
        bare=_token,
    ),
)


def _gets(*lines: str) -> Call:
    return Call(lines=list(lines))


def _keyed(world: World, *each: str) -> Bare:
    # Without a key, a statement would read the same player every time.
    assert all(statements.NUMBER in statement for statement in each)
    return Bare(statements=list(each), keys=len(world.samples), planned_once=True)


async def _sent(database: Database, ask: Callable[[Recorder], Awaitable[object]]) -> list[Sent]:
    """Record the statements that the service sends to PostgreSQL for a call."""
    usual = database.reader
    database.reader = recorder = Recorder(usual)
    try:
        # A statement too slow for the service is too slow for pgbench, which reports it.
        with suppress(Unavailable):
            await ask(recorder)
    finally:
        database.reader = usual
    return recorder.sent
