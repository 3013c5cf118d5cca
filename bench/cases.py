"""What is measured: for each kind of request, what wrk sends and what pgbench does instead."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from bench import statements
from bench.scratch import World
from bench.statements import BY_NAME, BY_TOKEN, PLAYER, Bare, Recorder, Sent, rendered
from gamekeeper.database import Database
from gamekeeper.errors import Unavailable
from gamekeeper.players import items, lookup, roster
from gamekeeper.shapes import SortDirection, Window

PLAYERS = "/api/v1/players"
PAGE_SIZE = 5
"""What a client gets that asks for no size."""

Where = Literal["first", "middle", "last"]


class Call(Struct, frozen=True, kw_only=True):
    """What wrk sends."""

    lines: list[str]
    """Paths, each perhaps with a credential; see load.lua."""
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
    [*_, last] = await _sent(database, lambda reader: lookup.one(reader, str(sample.id)))
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
    """The check alone, and then what the request is about."""
    about = await _by_id(database, world)
    return _keyed(world, BY_TOKEN, *about.statements)


def _page(world: World, where: Where) -> int:
    last = (world.players - 1) // PAGE_SIZE
    return {"first": 0, "middle": last // 2, "last": last}[where]


def _rank(where: Where) -> Case:
    async def bare(database: Database, world: World) -> Bare:
        window = Window.of(_page(world, where), PAGE_SIZE)
        order = SortDirection.DESCENDING
        sent = await _sent(database, lambda reader: roster.ranked(reader, window, None, order))
        return Bare(statements=[rendered(one, {}) for one in sent])

    return Case(
        name=f"rank-{where}",
        title=f"rank, {where} page",
        call=lambda world: _gets(f"{PLAYERS}/rank?page={_page(world, where)}"),
        bare=bare,
    )


def _list(where: Where) -> Case:
    async def bare(database: Database, world: World) -> Bare:
        window = Window.of(_page(world, where), PAGE_SIZE)
        sent = await _sent(database, lambda reader: roster.listed(reader, window, None))
        return Bare(statements=[rendered(one, {}) for one in sent])

    return Case(
        name=f"list-{where}",
        title=f"list, {where} page",
        call=lambda world: _gets(f"{PLAYERS}?page={_page(world, where)}"),
        bare=bare,
    )


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
    _rank("first"),
    _rank("middle"),
    _rank("last"),
    _list("first"),
    _list("last"),
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
    # Without a key in it, it would ask for the same player again and again.
    assert all(statements.NUMBER in statement for statement in each)
    return Bare(statements=list(each), keys=len(world.samples))


async def _sent(database: Database, ask: Callable[[Recorder], Awaitable[object]]) -> list[Sent]:
    """What the service sends to PostgreSQL when it is asked this."""
    usual = database.reader
    database.reader = recorder = Recorder(usual)
    try:
        # What takes too long for the service will take too long for pgbench, and be told.
        with suppress(Unavailable):
            await ask(recorder)
    finally:
        database.reader = usual
    return recorder.sent
