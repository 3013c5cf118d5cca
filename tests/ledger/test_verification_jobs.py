"""Verifications that staff start: one at a time, by a worker that may be stopped or killed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.principal import SCOPES
from gamekeeper.db.database import Database
from gamekeeper.ledger import verification_jobs, verification_worker, verify_ledger
from gamekeeper.ledger.verification_jobs import LedgerVerification, VerificationOrder
from gamekeeper.ledger.verify_ledger import MAX_BREACHES_PER_LAW, LedgerBreach, Proof
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests import processes
from tests.contract.mailbox import working
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player

VERIFICATION = "/api/v1/ledger/verification"
COUNTS = """
    SELECT (SELECT count(*) FROM ledger_verifications) AS rows,
           (SELECT count(*) FROM actions WHERE kind = 'ledger.verify') AS actions,
           (SELECT count(*) FROM pgqueuer WHERE entrypoint = 'verify_ledger') AS jobs
"""


async def started(client) -> dict[str, Any]:
    answer = await client.post(VERIFICATION, json={})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def shown(client) -> dict[str, Any]:
    return (await client.get(VERIFICATION)).json()


async def counts(database: Database) -> tuple[int, ...]:
    [row] = await database.reader.rows(COUNTS)
    return tuple(row.values())


async def work(database: Database, found: dict[str, Any], stop: asyncio.Event) -> None:
    """What the worker's job does."""
    await verification_worker.run(database, VerificationOrder(UUID(found["Id"])), stop)


async def give(database: Database, quantity: int = 4) -> UUID:
    player, item = await make_player(database), await make_item(database)
    gift = Gift(by=BY, player=str(player), item_id=item, quantity=quantity)
    await items.give.one(database, gift)
    return player


async def change(database: Database, sql: str) -> None:
    assert await database.write(lambda writer: writer.run(sql))  # pyright: ignore[reportArgumentType]


async def until(client, *states: str) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        while (found := await shown(client))["State"] not in states:
            await asyncio.sleep(0.05)
    return found


@asynccontextmanager
async def ledger_locked(database: Database) -> AsyncIterator[None]:
    """Have a verification wait, as long as this takes."""
    connection = await asyncpg.connect(database.settings.database_url)
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE ledger_heads IN ACCESS EXCLUSIVE MODE")
            yield
    finally:
        await connection.close()


async def test_before_the_first_one_there_is_none(client):
    assert await shown(client) == {
        "State": "never",
        "Id": None,
        "RequestedAt": None,
        "RequestedByName": None,
        "BegunAt": None,
        "EndedAt": None,
        "Done": 0,
        "Total": 0,
        "Faults": [],
    }


async def test_a_verification_waits_for_a_worker_and_is_in_the_audit_log(client, database):
    found = await started(client)

    assert found == await shown(client)
    assert (found["State"], found["RequestedByName"], found["BegunAt"]) == (
        "waiting",
        "tests",
        None,
    )
    assert await counts(database) == (1, 1, 1)
    assert await database.reader.value("SELECT id FROM actions WHERE kind = 'ledger.verify'") == (
        UUID(found["Id"])
    )


async def test_twenty_at_once_start_one(client, database):
    found = await asyncio.gather(*(started(client) for _ in range(20)))

    assert len({one["Id"] for one in found}) == 1
    assert await counts(database) == (1, 1, 1)


async def test_a_sound_ledger_is_clean_and_can_be_verified_again(client, database):
    await give(database)
    first = await started(client)
    await work(database, first, asyncio.Event())

    found = await shown(client)
    assert (found["State"], found["Done"], found["Total"]) == ("clean", 1, 1)
    assert found["RequestedAt"] <= found["BegunAt"] <= found["EndedAt"]
    assert (await started(client))["Id"] != first["Id"]


async def test_faults_are_counted_by_law(client, database):
    await give(database)
    await change(database, "UPDATE slots SET quantity = quantity + 1")
    await work(database, await started(client), asyncio.Event())

    found = await shown(client)
    assert found["State"] == "faults"
    assert {"Law": "slots", "Count": 1, "Truncated": False} in found["Faults"]


def test_more_faults_than_are_listed_are_said_to_be_more():
    breach = LedgerBreach(law="slots", message="differs")
    other = LedgerBreach(law="accounts", message="differs")
    proof = Proof(
        postings=1, breaches=[breach] * MAX_BREACHES_PER_LAW + [other], truncated=["slots"]
    )

    found = [
        (each.law, each.count, each.truncated) for each in verification_worker.faults_by_law(proof)
    ]

    assert found == [("accounts", 1, False), ("slots", MAX_BREACHES_PER_LAW, True)]


async def test_a_worker_that_stops_ends_the_verification_at_once(client, database):
    found, stop = await started(client), asyncio.Event()
    async with ledger_locked(database):
        working_on_it = asyncio.create_task(work(database, found, stop))
        await until(client, "running")
        assert (await started(client))["Id"] == found["Id"]
        stop.set()
        await asyncio.wait_for(working_on_it, PATIENCE)

    assert (await shown(client))["State"] == "interrupted"
    assert (await started(client))["State"] == "waiting"


async def test_a_fault_of_the_verification_itself_ends_it(client, database, monkeypatch):
    async def fail(*_: object, **__: object) -> Proof:
        raise ConnectionResetError("gone")

    monkeypatch.setattr(verify_ledger, "verify", fail)
    await work(database, await started(client), asyncio.Event())

    assert (await shown(client))["State"] == "interrupted"


async def test_a_job_is_done_once_whoever_gets_it(client, database):
    """The queue hands a job out again if its worker was killed."""
    found = await started(client)
    await work(database, found, asyncio.Event())
    ended = await shown(client)
    await work(database, found, asyncio.Event())

    assert await shown(client) == ended


async def test_a_worker_that_was_taken_for_dead_gives_up(client, database, monkeypatch):
    monkeypatch.setattr(verification_worker, "HEARTBEAT_SECONDS", 0.1)
    first = await started(client)
    async with ledger_locked(database):
        frozen = asyncio.create_task(work(database, first, asyncio.Event()))
        await until(client, "running")
        await change(
            database, "UPDATE ledger_verifications SET state = 'interrupted', ended_at = now()"
        )
        second = await started(client)
        await asyncio.wait_for(frozen, PATIENCE)

    found = await shown(client)
    assert (found["Id"], found["State"]) == (second["Id"], "waiting")


async def test_a_killed_worker_is_missed_and_another_verification_can_start(
    client, database, settings, tmp_path
):
    first = await started(client)
    with working(settings, tmp_path / "log") as process:
        async with ledger_locked(database):
            await until(client, "running")
            processes.kill(process)
        assert (await shown(client))["State"] == "running"
    # Instead of half a minute of waiting.
    await change(
        database,
        "UPDATE ledger_verifications SET heartbeat_at = heartbeat_at - interval '1 minute'",
    )
    lost = await shown(client)
    assert (lost["State"], lost["Id"]) == ("interrupted", first["Id"])
    assert lost["EndedAt"] is not None

    second = await started(client)

    assert (second["State"], second["Id"] != first["Id"]) == ("waiting", True)
    await work(database, second, asyncio.Event())
    assert (await shown(client))["State"] == "clean"
    states = "SELECT state FROM ledger_verifications ORDER BY requested_at"
    assert [row["state"] for row in await database.reader.rows(states)] == ["interrupted", "clean"]


async def test_what_no_worker_takes_can_be_requested_again(client, database):
    first = await started(client)
    await change(
        database, "UPDATE ledger_verifications SET requested_at = now() - interval '11 minutes'"
    )
    assert (await shown(client))["State"] == "interrupted"

    assert (await started(client))["Id"] != first["Id"]


async def test_no_other_scope_alone_opens_it(client, database):
    for scope in sorted(SCOPES):
        key = await keys.create.one(database, keys.NewKey(by=BY, name=scope, scopes=(scope,)))
        headers = {"Authorization": f"Bearer {key}"}
        for method, path in (("GET", VERIFICATION), ("POST", VERIFICATION)):
            answer = await client.request(method, path, headers=headers)
            assert answer.status_code == (200 if scope == "staff.manage" else 403), scope
    assert (await counts(database))[0] == 1


async def test_a_gentle_verification_takes_one_connection(database, monkeypatch):
    opened: list[bool] = []
    lane = verify_ledger.lane

    def counted(*args: Any, **about: Any) -> Any:
        opened.append(about["is_gentle"])
        return lane(*args, **about)

    for _ in range(3):
        await give(database)
    monkeypatch.setattr(verify_ledger, "lane", counted)
    monkeypatch.setattr(verify_ledger, "MIN_GENTLE_RANGE", 1)

    proof = await verify_ledger.verify(database.settings, is_gentle=True)

    assert (proof.postings, opened) == (3, [True])


async def test_the_last_one_is_read_by_one_statement(client, database, statements):
    await started(client)
    with statements() as asked:
        found = await verification_jobs.last(database.reader)

    assert isinstance(found, LedgerVerification)
    assert len(asked) == 1


@pytest.mark.parametrize("state", ["waiting", "running"])
async def test_postgresql_refuses_a_second_open_one(database, state):
    insert = f"""
        INSERT INTO ledger_verifications (id, state, requested_by_name, begun_at, heartbeat_at)
        VALUES (gen_random_uuid(), '{state}', 'tests', now(), now())
    """
    await change(database, insert)
    with pytest.raises(asyncpg.UniqueViolationError):
        await change(database, insert)
