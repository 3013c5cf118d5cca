"""
A million actions and sixteen exports at once: what a bystander notices.

Takes minutes and needs an otherwise idle machine, so it is not part of CI:
`just slow tests/http/test_bystanders.py`.
"""

import asyncio
import os

import asyncpg
import httpx2
import pytest

from gamekeeper.db.database import Database
from tests.crowd import Crowd, Outcome, crowd, request
from tests.http.test_exports import EXPORT, FILL, key_of
from tests.make import make_item, make_player
from tests.server import serving

pytestmark = pytest.mark.slow

ROWS = int(os.environ.get("EXPORTED_ROWS", "1000000"))
EXPORTS = 16
SECONDS = 8.0
ROUNDS = 3


async def test_a_bystander_waits_at_most_twice_as_long_beside_sixteen_exports(
    settings, database: Database, tmp_path
):
    # Not by the service's connections, whose statements end after some seconds.
    connection = await asyncpg.connect(settings.database_url)
    player, item = await make_player(database, "ana"), await make_item(database)
    await connection.execute(FILL, ROWS, player, item)
    await connection.execute("VACUUM ANALYZE actions")
    await connection.close()
    bystander = await key_of(database, "bystander")
    callers = [await key_of(database, f"caller {number}") for number in range(EXPORTS)]
    lookup = request("GET", "/api/v1/players/ana", bystander["Authorization"].split()[1])
    with serving(settings, tmp_path / "log") as (url, _):
        port = httpx2.URL(url).port
        assert port is not None
        one = Crowd(port=port, requests={"lookup": [lookup]}, clients=1, seconds=SECONDS)
        await crowd(one)
        alone, beside, statuses = Outcome(), Outcome(), []
        # In turn, so that whatever else the machine does falls on both.
        for _ in range(ROUNDS):
            alone.add((await crowd(one))["lookup"])
            exports = [asyncio.create_task(_export(url, caller)) for caller in callers]
            beside.add((await crowd(one))["lookup"])
            for export in exports:
                export.cancel()
            statuses.append(await asyncio.gather(*exports, return_exceptions=True))
    print(
        f"\nalone {alone.median * 1000:.2f} ms (p99 {alone.p99 * 1000:.1f}), beside {EXPORTS} "
        f"exports {beside.median * 1000:.2f} ms (p99 {beside.p99 * 1000:.1f})"
    )
    # Two are still being sent when the time is over; the others were refused.
    assert [answers.count(429) for answers in statuses] == [EXPORTS - 2] * ROUNDS
    assert beside.busy == beside.other == 0
    assert beside.median <= 2 * alone.median


async def _export(url: str, headers: dict[str, str]) -> int:
    async with httpx2.AsyncClient(timeout=60) as client:
        return (await client.get(url + EXPORT, headers=headers)).status_code
