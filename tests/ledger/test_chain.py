"""Every action is linked once, by one sequencer at a time, and none is forgotten."""

import asyncio
import hashlib
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import BadSettings, Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import anchors, chain, verify_chain
from gamekeeper.ledger.links import ACTION_ONLY, WITH_POSTINGS, Linked, Seal, canonical, hashed
from tests import processes
from tests.cli.command import gamekeeper
from tests.databases import SERVER
from tests.deadlines import PATIENCE
from tests.ledger.chains import act, anchored, link, link_and_anchor, order, tamper, unlinked
from tests.server import environment

OLD = "INSERT INTO actions (id, kind, actor, actor_name, request_id, address) VALUES "


def sha256(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def test_a_hash_is_of_the_hash_before_the_number_and_the_action():
    """Worked out once with another program; if this changes, every chain in the world is broken."""
    action = Linked(
        actor="system",
        actor_name="tests",
        address="",
        after='{"a": 1.50}',
        at=datetime(2026, 3, 14, 18, 22, 5, 120_000, tzinfo=UTC),
        id=UUID(int=7),
        kind="items.give",
        request_id="r",
        xid="12",
    )
    text = (
        b'{"actor":"system","actor_name":"tests","address":"","after":"{\\"a\\": 1.50}",'
        b'"at":"2026-03-14T18:22:05.120000Z","id":"00000000-0000-0000-0000-000000000007",'
        b'"kind":"items.give","request_id":"r","xid":"12"}'
    )
    assert canonical(action) == text
    assert hashed(bytes(32), 3, action, Seal(ACTION_ONLY, None)).hex() == (
        "2d95b34a30744f9b7b584d4c3c9a837442f469a55d9a471735aae5b1e25559c0"
    )
    for postings in (None, bytes(range(32))):
        content = bytes(32) + (3).to_bytes(8, "big") + b"\x02" + (postings or bytes(32)) + text
        assert hashed(bytes(32), 3, action, Seal(WITH_POSTINGS, postings)) == sha256(content)


async def test_actions_are_linked_in_the_order_in_which_they_were_written(database, settings):
    done = await act(database, 20)

    await link(database)

    assert await order(database) == done
    assert (await verify_chain.find(settings)).total == 0
    assert await chain.catch_up(database) == 0


async def test_many_actions_of_one_transaction_are_linked_in_several_turns(
    database, settings, monkeypatch
):
    monkeypatch.setattr(chain, "MOST_AT_ONCE", 7)
    await tamper(
        settings,
        """
        INSERT INTO actions (id, kind, actor, actor_name, request_id, address)
        SELECT gen_random_uuid(), 'items.give', 'system', 'tests', '', ''
          FROM generate_series(1, 50)
        """,
    )

    await link(database)

    assert len(await order(database)) == 50
    assert (await verify_chain.find(settings)).total == 0


async def test_two_sequencers_and_eight_writers_at_once_lose_and_double_nothing(database, settings):
    stop = asyncio.Event()
    async with Database.open(settings) as first, Database.open(settings) as second:
        following = [asyncio.create_task(_restless(one, stop)) for one in (first, second)]
        await asyncio.gather(*(act(database, 40) for _ in range(8)))
        stop.set()
        await asyncio.gather(*following)
    await link(database)

    linked = await order(database)
    assert len(linked) == len(set(linked)) == 320
    report = await verify_chain.find(settings)
    assert (report.links, report.total, report.waiting) == (320, 0, 0)


async def _restless(database: Database, stop: asyncio.Event) -> None:
    while not stop.is_set():
        await chain.catch_up(database)
        await asyncio.sleep(0)


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
async def test_a_transaction_that_takes_long_holds_nobody_up_and_is_not_forgotten(
    database, settings, end
):
    late = uuid4()
    writer = await asyncpg.connect(settings.database_url)
    await writer.execute("BEGIN")
    await writer.execute(OLD + "($1, 'items.give', 'system', 'tests', '', '')", late)
    done = await act(database, 5)

    await link(database)
    done += await act(database, 5)
    await link(database)
    assert await order(database) == done
    assert (await verify_chain.find(settings)).total == 0

    await writer.execute(end)
    await writer.close()
    await link(database)
    assert await order(database) == ([*done, late] if end == "COMMIT" else done)
    assert (await verify_chain.find(settings)).total == 0


async def test_what_is_done_to_one_player_is_linked_in_its_order_whatever_transactions_are_called(
    database, settings
):
    """
    The one numbered first waits for the player; one between them goes on and on.

    By their numbers they would be linked the wrong way round, and by a clock that was
    set back too.
    """
    player, first, second = uuid4(), uuid4(), uuid4()
    early, between, late = [await asyncpg.connect(settings.database_url) for _ in range(3)]
    for writer in (early, between, late):
        await writer.execute("BEGIN")
        await writer.execute("SELECT pg_current_xact_id()")
    on_player = OLD.replace("(id,", "(id, player_id, at,") + (
        "($1, $2, $3, 'items.give', 'system', 'tests', '', '')"
    )
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    await late.execute(on_player, first, player, noon)
    await late.execute("COMMIT")
    await early.execute(on_player, second, player, noon.replace(hour=11))
    await early.execute("COMMIT")

    await link(database)

    assert await order(database) == [first, second]
    for writer in (early, between, late):
        await writer.close()


async def test_a_transaction_of_another_database_holds_nothing_up(database, settings):
    """Snapshots are of the whole server; an import next door may run for hours."""
    neighbour = await asyncpg.connect(SERVER.format("postgres"))
    await neighbour.execute("BEGIN")
    await neighbour.execute("SELECT pg_current_xact_id()")
    done = await act(database, 5)

    await link(database)

    assert await order(database) == done
    assert await neighbour.fetchval("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
    await neighbour.close()


async def test_while_another_sequencer_is_at_work_nothing_is_linked(database, settings):
    await act(database, 3)
    other = await asyncpg.connect(settings.database_url)
    await other.execute("SELECT pg_advisory_lock($1)", chain.LOCK)

    assert await chain.catch_up(database) == 0
    assert await unlinked(database) == 3

    await other.close()
    await link(database)


async def test_after_a_move_to_another_server_the_chain_goes_on(database, settings):
    """There transactions are numbered anew; the numbers reached before mean nothing."""
    before = await act(database, 5)
    await link(database)
    await tamper(settings, "UPDATE chain_progress SET server = 1, seen = '9000000:9000000:'")

    after = await act(database, 5)
    await link(database)

    assert await order(database) == before + after
    assert (await verify_chain.find(settings)).total == 0


async def test_the_chain_lags_a_second_at_most(database):
    stop = asyncio.Event()
    following = asyncio.create_task(chain.follow(database, stop))
    lags = []
    for _ in range(8):
        await act(database)
        begun = time.monotonic()
        while await unlinked(database):
            await asyncio.sleep(0.02)
        lags.append(time.monotonic() - begun)
    stop.set()
    await following
    # Each waits for a whole pause, since it is done just after the one before was linked.
    # The shortest counts: another test's transaction, or its load, may hold the others up.
    assert min(lags) <= 1.0, lags


# ── Anchors ──


async def test_the_head_is_anchored_once_a_minute_and_only_if_it_moved(
    database, settings, tmp_path
):
    settings = anchored(settings, tmp_path)
    await act(database, 2)
    head = await link_and_anchor(database, settings)
    anchors.keep(settings, head, at_once=True)
    [first] = anchors.read(settings)
    assert (first.number, first.seq, first.hash) == (1, 2, head.hash.hex())

    await act(database, 1)
    await link(database)
    async with Database.open(settings) as ours:
        await chain.anchor(ours)
        assert len(anchors.read(settings)) == 1
        await chain.anchor(ours, at_once=True)
    assert [anchor.seq for anchor in anchors.read(settings)] == [2, 3]


async def test_what_a_crash_left_of_a_line_is_not_an_anchor(database, settings, tmp_path):
    settings = anchored(settings, tmp_path)
    await act(database)
    await link_and_anchor(database, settings)
    with Path(settings.anchor_file or "").open("ab") as file:
        file.write(b'{"number":2,"seq":9')

    await act(database)
    await link_and_anchor(database, settings)

    assert [anchor.seq for anchor in anchors.read(settings)] == [1, 2]


def test_the_development_key_is_unfit_for_production_only_if_it_would_sign_something():
    env = {
        "GAMEKEEPER_DATABASE_URL": "postgresql://x/y",
        "GAMEKEEPER_PASSWORD_KEYS": "a:" + "11" * 32,
        "GAMEKEEPER_PUBLIC_URL": "https://x.org",
    }
    assert unfit_for_production(Settings.read(env)) == []
    [fault] = unfit_for_production(Settings.read(env | {"GAMEKEEPER_ANCHOR_FILE": "/a"}))
    assert fault.startswith("GAMEKEEPER_ANCHOR_KEY")
    with pytest.raises(BadSettings, match="GAMEKEEPER_ANCHOR_KEY"):
        Settings.read(env | {"GAMEKEEPER_ANCHOR_KEY": "secret"})


# ── As processes ──


@pytest.mark.usefixtures("schema_changes")
async def test_the_worker_links_and_anchors_and_the_command_proves_it(database, settings, tmp_path):
    """The worker anchors when it is told to stop, so nothing it linked goes unsigned."""
    settings = anchored(settings, tmp_path)
    first = await act(database, 3)
    anchoring = {
        "GAMEKEEPER_ANCHOR_FILE": str(settings.anchor_file),
        "GAMEKEEPER_ANCHOR_KEY": str(settings.anchor_key),
    }
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    env = environment(settings, **anchoring)
    with processes.running(command, env=env, stdout=subprocess.DEVNULL) as worker:
        await _all_linked(database)
        *_, last = await act(database, 4)
        await _all_linked(database)
    assert worker.returncode == 0
    assert anchors.read(settings)[-1].seq == 7

    verify = ("actions", "verify")
    good = gamekeeper(settings, *verify, "--json", **anchoring)
    assert (good.returncode, json.loads(good.stdout)["links"]) == (0, 7), good.stderr

    await tamper(settings, "UPDATE actions SET reason = 'another' WHERE id = $id", id=first[1])
    bad = gamekeeper(settings, *verify, **anchoring)
    assert bad.returncode == 1
    assert f"link 2: Action {first[1]} was changed after" in bad.stdout

    # Both are on record, for the overview; where that cannot be, the verdict still counts.
    rows = await database.reader.rows(
        "SELECT links, action_id, breaches FROM chain_verifications ORDER BY number"
    )
    assert [tuple(row) for row in rows] == [(7, last, 0), (7, last, 1)]
    await tamper(settings, "DROP TABLE chain_verifications")
    unrecorded = gamekeeper(settings, *verify, **anchoring)
    assert unrecorded.returncode == 1
    assert "The result is not on record" in unrecorded.stderr


async def _all_linked(database: Database) -> None:
    async with asyncio.timeout(PATIENCE):
        while await unlinked(database):
            await asyncio.sleep(0.02)


async def test_a_sequencer_without_a_database_waits_for_it(settings):
    """It neither ends nor throws; told to stop, it stops."""
    nowhere = structs.replace(
        settings, database_url=type(settings.database_url)("postgresql://x@127.0.0.1:1/x")
    )
    stop = asyncio.Event()
    async with Database.open(nowhere) as database:
        following = asyncio.create_task(chain.follow(database, stop))
        await asyncio.sleep(2 * chain.IDLE_SECONDS)
        assert not following.done()
        stop.set()
        await asyncio.wait_for(following, PATIENCE)
