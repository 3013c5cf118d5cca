"""A process of the API that is frozen in a transaction, or whose log has no space."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from uuid import UUID

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests import processes
from tests.db.proxy import database_proxy
from tests.deadlines import PATIENCE, until
from tests.make import BY, make_item, make_player
from tests.server import environment, free_port, serving_in_thread

pytestmark = pytest.mark.torture

LOCK_SECONDS = 10
"""`idle_in_transaction_session_timeout`: how long PostgreSQL waits for a silent process."""
IN_TRANSACTION = """
SELECT count(*) FROM pg_stat_activity
 WHERE datname = current_database() AND state = 'idle in transaction'
"""


async def give(client: httpx2.AsyncClient, url: str, player: UUID, item: UUID) -> httpx2.Response:
    body = {"itemid": str(item), "quantity": 1}
    return await client.post(f"{url}/api/v1/players/{player}/items/give", json=body)


async def test_the_locks_of_a_frozen_process_end(
    settings: Settings, database: Database, tmp_path: Path
):
    """It holds the lock of a character, and another process changes that one soon after."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="frozen"))
    ana = await make_player(database)
    item = await make_item(database, inventory_stack=1000)
    async with (
        database_proxy(settings) as (network, through),
        serving_in_thread(through, tmp_path / "frozen") as (frozen, process),
        serving_in_thread(settings, tmp_path / "other") as (other, _),
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client,
    ):
        network.hold_request_with = b"COMMIT"
        held = asyncio.create_task(give(client, frozen, ana, item))

        async def is_in_transaction() -> bool:
            return await database.reader.value(IN_TRANSACTION) == 1

        await until(is_in_transaction, "the character is locked")
        os.killpg(process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        while (answer := await give(client, other, ana, item)).status_code != 200:
            assert answer.status_code == 503
        waited = time.monotonic() - begun
        os.killpg(process.pid, signal.SIGCONT)
        network.resume()
        late = await held

    print(f"the other process gave after {waited:.1f} s; then {late.json()}")
    # The last attempt may have waited for the lock, too.
    assert 1 < waited < LOCK_SECONDS + 5
    # Its COMMIT came too late: PostgreSQL had ended the session.
    assert late.status_code == 503
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 1


async def test_a_log_without_space_stops_no_request(settings: Settings, database: Database):
    """Lines are dropped and counted; the audit log is in PostgreSQL and complete."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="log"))
    ana = await make_player(database)
    item = await make_item(database, inventory_stack=1000)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "gamekeeper", "serve", "--port", str(port)]
    with (
        Path("/dev/full").open("wb") as full,
        processes.running(command, env=environment(settings), stderr=full),
    ):
        async with httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE
        ) as client:

            async def is_ready() -> bool:
                try:
                    return (await client.get(f"{url}/readyz")).status_code == 200
                except httpx2.TransportError:
                    return False

            async def are_counted() -> bool:
                text = (await client.get(f"{url}/metrics")).text
                [count] = [
                    line.split()[1]
                    for line in text.splitlines()
                    if line.startswith("gamekeeper_log_lines_dropped_total ")
                ]
                return float(count) >= len(answers)

            await until(is_ready, "the server is ready")
            answers = [await give(client, url, ana, item) for _ in range(20)]
            await until(are_counted, "the lost lines are counted")

    assert {answer.status_code for answer in answers} == {200}
    assert (
        await database.reader.value("SELECT count(*) FROM actions WHERE kind = 'items.give'") == 20
    )
