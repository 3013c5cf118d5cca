"""`python -m bench.soak`: hours of mixed load; memory, latency, lag and bloat must stay flat."""

import asyncio
import random
import shlex
import sys
import uuid
from collections.abc import Iterator
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec import Struct

from bench import machine, programs, soak_report
from bench.capacity import MIX, SERVER, Void, installation
from bench.cases import CASES, Case
from bench.command import run
from bench.fixture import Wanted, World
from bench.paced import Answer, Connection, Sample, Step, paced
from bench.soak_report import Interval, Soak
from bench.usage import Meter, resident_bytes
from gamekeeper.cli.demo import progress
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.db.database import Database

CHURN = 0.2
"""Characters created and deleted by one player online in a minute: far more than in a game."""
ACCOUNTS = 100
"""For those characters: more than there are connections."""
CALIBRATION_SECONDS = 30

# Seconds since the oldest action that is not in the hash chain yet.
LAG = """
    SELECT coalesce(extract(epoch FROM now() - min(at)), 0)::float8
      FROM (SELECT id, at FROM actions ORDER BY id DESC LIMIT 100000) AS newest
     WHERE NOT EXISTS (SELECT FROM chain WHERE chain.action_id = newest.id)
"""
DEAD = "SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM pg_stat_user_tables"
# Tables that keep one row for each thing: they must not grow by changes alone.
STATE_BYTES = """
    SELECT sum(pg_total_relation_size(name::regclass))::bigint
      FROM unnest(ARRAY['slots', 'ledger_heads', 'players', 'item_holdings']) AS name
"""


def soak(
    *,
    minutes: Annotated[float, typer.Option(help="How long.", min=0.05, max=1440)] = 120,
    interval: Annotated[
        int, typer.Option(help="Seconds between two lines of the result.", min=1, max=3600)
    ] = 60,
    share: Annotated[
        float, typer.Option(help="Of the rate that this machine reaches.", min=0.05, max=1)
    ] = 0.7,
    players: Annotated[
        int, typer.Option(help="How many characters the world has.", min=10, max=10_000_000)
    ] = 100_000,
    connections: Annotated[int, typer.Option(help="HTTP connections.", min=1, max=80)] = 32,
    server: Annotated[
        str, typer.Option(help="The PostgreSQL of this machine; {} is a database's name.")
    ] = SERVER,
    docs: Annotated[
        Path | None, typer.Option(help="Write soak.md and soak.svg to this folder.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """
    Send a realistic mix for hours at a share of what the machine can do.

    First it measures how many requests of the mix a second the machine answers, then it sends
    a share of them at a fixed rate and prints a line for each interval. The mix is that of
    `bench.capacity`, and characters that are created and deleted. Latency counts from the
    instant a request was due, so that a pause is not hidden.

    \b
        python -m bench.soak --minutes 120 --docs docs/operate
    """
    programs.require()
    look = asyncio.run(machine.look(server))
    count = max(1, round(minutes * 60 / interval))
    plan = Plan(share=share, interval=interval, count=count, connections=connections)
    wanted = Wanted(server=server, players=players, items=0, keep=False)
    with progress() as on_progress:
        highest, found = asyncio.run(_soak(wanted, plan, on_progress))
    command = shlex.join(["python", "-m", "bench.soak", *sys.argv[1:]])
    result = Soak(
        machine=look,
        players=players,
        share=share,
        highest=highest,
        intervals=found,
        command=command,
    )
    if docs:
        soak_report.write(docs, result)
    if as_json:
        show_json(result)
        return
    show_table(soak_report.HEADINGS, [soak_report.row(each) for each in found])
    for sentence in soak_report.summary(result):
        say(sentence)


class Plan(Struct, frozen=True, kw_only=True):
    share: float
    interval: int
    """Seconds."""
    count: int
    connections: int


async def _soak(
    wanted: Wanted, plan: Plan, on_progress: ProgressCallback
) -> tuple[float, list[Interval]]:
    """The highest rate that was reached, and the intervals at a share of it."""
    async with installation(wanted, on_progress) as (world, service, meter, _):
        clients = [Connection(service.port, world.key) for _ in range(plan.connections)]
        try:
            steps = await _steps(world, clients[0])
            # The first seconds prepare statements and fill caches.
            await paced(clients, steps, None, 5)
            calibration = min(plan.interval, CALIBRATION_SECONDS)
            highest = (await paced(clients, steps, None, calibration)).rate
            found: list[Interval] = []
            for number in range(1, plan.count + 1):
                sample = await paced(clients, steps, plan.share * highest, plan.interval)
                found.append(await _interval(number * plan.interval / 60, sample, meter))
                service.forget_log()
                on_progress("Intervals", number, plan.count)
        finally:
            for client in clients:
                await client.close()
    return highest, found


async def _interval(minute: float, sample: Sample, meter: Meter) -> Interval:
    return Interval(
        minute=minute,
        sample=sample,
        service_bytes=resident_bytes(meter.service),
        worker_bytes=resident_bytes(meter.worker),
        lag=await _figure(meter, LAG),
        dead_rows=int(await _figure(meter, DEAD)),
        state_bytes=int(await _figure(meter, STATE_BYTES)),
    )


async def _figure(meter: Meter, sql: str) -> float:
    return await meter.connection.fetchval(sql, timeout=60) or 0.0


# ── What is sent ──


async def _steps(world: World, connection: Connection) -> Iterator[Step]:
    """The requests of the mix for ever, at random."""
    known = {case.name: case for case in CASES}
    kinds = [*(_sender(known[name], world) for name in MIX), await _churn(world, connection)]
    weights = [*MIX.values(), CHURN]
    chosen = random.Random(1)  # noqa: S311

    def endless() -> Iterator[Step]:
        while True:
            yield from chosen.choices(kinds, weights, k=1000)

    return endless()


def _sender(case: Case, world: World) -> Step:
    call = case.call(world)
    lines = cycle(call.lines)

    async def send(connection: Connection) -> Answer:
        target, _, key = next(lines).partition("\t")
        idempotency = uuid.uuid4().hex if call.body else ""
        return await connection.send(
            call.method, target, body=call.body or "", idempotency=idempotency, key=key
        )

    return send


async def _churn(world: World, connection: Connection) -> Step:
    """Create a character and delete it again."""
    owners = cycle([await _register(connection) for _ in range(ACCOUNTS)])
    async with Database.open(world.settings) as database:
        class_id = await database.reader.value("SELECT id FROM classes ORDER BY id LIMIT 1")

    async def create_and_delete(connection: Connection) -> Answer:
        body = msgspec.json.encode({"name": _name(), "classId": class_id}).decode()
        target = f"/api/v1/users/{next(owners)}/players"
        status, answer = await connection.send("POST", target, body=body)
        if status >= HTTPStatus.BAD_REQUEST:
            return status, answer
        created = msgspec.json.decode(answer)["Id"]
        return await connection.send("DELETE", f"/api/v1/players/{created}")

    return create_and_delete


async def _register(connection: Connection) -> str:
    """A new account: a character needs one that has none, because most games allow only one."""
    name = _name()
    about = {"username": name, "email": f"{name}@example.com", "password": uuid.uuid4().hex * 2}
    body = msgspec.json.encode(about).decode()
    status, answer = await connection.send("POST", "/api/v1/users/register", body=body)
    if status >= HTTPStatus.BAD_REQUEST:
        raise Void(f"An account could not be registered: {answer.decode()}")
    return name


def _name() -> str:
    """A name that no other is similar to."""
    return "Soak" + uuid.uuid4().hex[:12].translate(str.maketrans("0123456789", "ghjkmnprst"))


if __name__ == "__main__":
    run(soak)
