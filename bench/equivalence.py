"""
Equivalence check before the benchmark: the service and pgbench do the same work.

Every request is made once and must succeed. pgbench reads the same by name as by id. And a
change leaves the same rows behind, made by the service or by pgbench.
"""

import asyncio
import http.client
from typing import Any
from uuid import uuid4

import asyncpg

from bench.cases import CASES, Call, Case
from bench.fixture import World
from bench.servers import HOST, Server
from bench.statements import Bare, at
from gamekeeper.core.errors import Conflict


class NotTheSame(Conflict):
    """The service and the bare statements do not do the same."""


async def prove(server: Server, world: World, bares: dict[str, Bare]) -> None:
    """Raise unless the bare statements do what the service does."""
    connection = await asyncpg.connect(world.settings.database_url)
    try:
        for case in CASES:
            if case.name in ("give", "take"):
                await _same_traces(connection, server, world, case, bares[case.name])
            else:
                await _both_answer(connection, server, world, case, bares[case.name])
        by_id, by_name = bares["by-id"].statements[-1], bares["by-name"].statements[-1]
        for number in (1, len(world.samples)):
            same = await connection.fetch(at(by_id, number)) == await connection.fetch(
                at(by_name, number)
            )
            if not same:
                raise NotTheSame("By name the bare statement finds somebody else than by id.")
    finally:
        await connection.close()


async def _both_answer(
    connection: asyncpg.Connection, server: Server, world: World, case: Case, bare: Bare
) -> None:
    if not await _ask(server, world, case.call(world), 0):
        return
    for statement in bare.statements:
        if not await connection.fetch(at(statement, 1)):
            raise NotTheSame(f"The bare statement of '{case.title}' finds nothing:\n{statement}")


async def _same_traces(
    connection: asyncpg.Connection, server: Server, world: World, case: Case, bare: Bare
) -> None:
    before = await _trace(connection, world)
    await _ask(server, world, case.call(world), 0)
    between = await _trace(connection, world)
    [statement] = bare.statements
    await connection.fetch(at(statement, 1))
    after = await _trace(connection, world)
    by_service, by_bare = _difference(before, between), _difference(between, after)
    if by_service != by_bare:
        raise NotTheSame(
            f"'{case.title}' leaves other rows:\n  service {by_service}\n  bare    {by_bare}"
        )


async def _ask(server: Server, world: World, call: Call, which: int) -> bool:
    """Make one request of a case; False if it times out, which the rounds will report."""
    path, _, credential = call.lines[which].partition("\t")
    headers = {"Authorization": f"Bearer {credential or world.key}"}
    if call.body:
        headers |= {"Content-Type": "application/json", "Idempotency-Key": uuid4().hex}

    def ask() -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(HOST, server.port, timeout=10)
        try:
            connection.request(call.method, path, call.body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    status, body = await asyncio.to_thread(ask)
    if status not in (http.HTTPStatus.OK, http.HTTPStatus.SERVICE_UNAVAILABLE):
        raise NotTheSame(f"{call.method} {path} is answered {status}: {body[:200]!r}")
    return status == http.HTTPStatus.OK


def _difference(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """How many rows of each kind were added, and the content of the newest ones."""
    return {
        name: value - before[name] if isinstance(value, int) else value
        for name, value in after.items()
    }


async def _trace(connection: asyncpg.Connection, world: World) -> dict[str, Any]:
    """The rows of the first sample; of the newest rows, the columns that do not vary."""
    row = await connection.fetchrow(TRACE, world.samples[0].id, world.actor, world.item)
    assert row is not None
    return dict(row)


TRACE = """
    SELECT (SELECT count(*) FROM slots WHERE player_id = $1) AS slots,
           (SELECT sum(quantity) FROM slots WHERE player_id = $1 AND item_id = $3)::bigint AS held,
           (SELECT seq FROM ledger_heads WHERE player_id = $1) AS head,
           (SELECT count(*) FROM postings WHERE player_id = $1) AS postings,
           (SELECT count(*) FROM actions WHERE player_id = $1) AS actions,
           (SELECT count(*) FROM replies WHERE caller = $2) AS replies,
           (SELECT (to_jsonb(new) - '{seq,at,xid,action_id,held_before,held_after}'::text[])::text
              FROM postings AS new
             WHERE player_id = $1 ORDER BY seq DESC LIMIT 1) AS posting,
           (SELECT (to_jsonb(new) - '{id,at,xid,position,request_id,before,after}'::text[])::text
                || ((after->>'total')::int - (before->>'total')::int)
                || ARRAY(SELECT jsonb_object_keys(after) ORDER BY 1)::text
              FROM actions AS new
             WHERE player_id = $1 ORDER BY at DESC LIMIT 1) AS action,
           (SELECT status || regexp_replace(convert_from(body, 'UTF8'), ':[0-9]+', ':', 'g')
              FROM replies
             WHERE caller = $2 ORDER BY created_at DESC LIMIT 1) AS reply
"""
