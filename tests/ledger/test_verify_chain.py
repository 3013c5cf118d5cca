"""All six ways to falsify the log are planted on a real database, found and named."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec import Struct, structs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger import chain, reports, verify_chain
from gamekeeper.ledger.reports import ChainBreach, ChainReport
from tests.databases import admin
from tests.ledger.chains import act, anchored, link, link_and_anchor, order, rehash, tamper
from tests.open_connections import open_connections


class Log(Struct):
    """Twelve linked actions; an anchor after the fourth, the eighth and the last."""

    settings: Settings
    database: Database
    actions: list[UUID]

    async def verify(self, **about: Any) -> ChainReport:
        with open_connections(self.database):
            return await verify_chain.find(self.settings, **about)

    async def breaches(self) -> list[ChainBreach]:
        return (await self.verify()).breaches

    async def first(self) -> tuple[str, int | None, UUID | None]:
        found = (await self.breaches())[0]
        return found.kind, found.seq, found.action_id

    async def tamper(self, *statements: str, **values: object) -> None:
        await tamper(self.settings, *statements, **values)


@pytest.fixture
async def log(database: Database, settings: Settings, tmp_path: Path) -> Log:
    settings = anchored(settings, tmp_path)
    for _ in range(3):
        await act(database, 4)
        await link_and_anchor(database, settings)
    log = Log(settings, database, await order(database))
    assert await log.breaches() == []
    return log


# ── Edit ──


CHANGES = [
    "kind = 'items.take'",
    "actor = 'key:2'",
    "actor_name = 'other'",
    "player_id = gen_random_uuid()",
    "user_id = NULL",
    "item_id = gen_random_uuid()",
    "before = NULL",
    'after = \'{"value": 6, "big": 12345678901234567891, "name": "Änne"}\'',
    "reason = ''",
    "request_id = 'r-2'",
    "address = '10.1.2.4'",
    "undoes = gen_random_uuid()",
    "approved_by = 'key:3'",
    "approved_by_name = 'other'",
    "at = at + interval '1 microsecond'",
    "at = at - interval '3 months'",
    "xid = '7'",
    "position = '0/7'",
]


async def test_an_edited_action_is_found_whatever_was_edited(log):
    rows = await log.database.reader.rows("SELECT actions::text FROM actions")
    kept = [row["actions"] for row in rows]
    for change in CHANGES:
        await log.tamper(f"UPDATE actions SET {change} WHERE id = $id", id=log.actions[5])

        found = await log.breaches()

        named = [(breach.kind, breach.seq, breach.action_id) for breach in found]
        assert named == [("edited", 6, log.actions[5])], change
        await log.tamper(
            "DELETE FROM actions",
            "INSERT INTO actions SELECT (kept::actions).* FROM unnest($kept::text[]) AS kept",
            kept=kept,
        )
    assert await log.breaches() == []
    columns = await log.database.reader.rows(
        "SELECT attname FROM pg_attribute WHERE attrelid = 'actions'::regclass AND attnum > 0"
    )
    edited = {change.split()[0] for change in CHANGES}
    assert {row["attname"] for row in columns} - {"id"} == edited


async def test_an_edited_action_in_a_chain_made_to_fit_is_found_by_the_anchors(log):
    """Nobody can say which of the links 5 to 8 was meant; that it was after 4 is sure."""
    await log.tamper("UPDATE actions SET reason = '' WHERE id = $id", id=log.actions[5])
    await rehash(log.settings)

    [found] = await log.breaches()

    assert (found.kind, found.seq, found.action_id) == ("rewritten", 5, log.actions[4])
    assert "Links 5 to 8 " in found.message


async def test_an_edited_hash_is_found(log):
    await log.tamper("UPDATE chain SET hash = sha256(hash) WHERE seq = 6")

    assert await log.first() == ("edited", 6, log.actions[5])


# ── Delete ──


async def test_a_deleted_action_is_found(log):
    await log.tamper("DELETE FROM actions WHERE id = $id", id=log.actions[5])

    assert await log.first() == ("deleted", 6, log.actions[5])


async def test_an_action_deleted_with_its_link_is_found(log):
    await log.tamper(
        "DELETE FROM actions WHERE id = $id",
        "DELETE FROM chain WHERE action_id = $id",
        id=log.actions[5],
    )

    [found] = await log.breaches()

    assert (found.kind, found.seq) == ("deleted", 6)


async def test_a_deleted_action_in_a_chain_made_to_fit_is_found(log):
    await log.tamper(
        "DELETE FROM actions WHERE id = $id",
        "DELETE FROM chain WHERE action_id = $id",
        id=log.actions[5],
    )
    await rehash(log.settings)

    assert await log.first() == ("rewritten", 5, log.actions[4])


# ── Insert ──

FORGED = """
    INSERT INTO actions (id, at, xid, kind, actor, actor_name, request_id, address)
    SELECT $new, at, xid, 'items.give', 'user:1', 'innocent', '', '' FROM actions WHERE id = $old
"""


async def test_an_inserted_action_is_found(log):
    new = UUID(int=log.actions[5].int - 1)
    await log.tamper(FORGED, new=new, old=log.actions[5])

    [found] = await log.breaches()

    assert (found.kind, found.action_id) == ("inserted", new)


async def test_an_inserted_action_with_a_link_of_its_own_is_found(log):
    new = UUID(int=log.actions[5].int - 1)
    await log.tamper(
        FORGED,
        """
        INSERT INTO chain SELECT 13, id, at, sha256('x') FROM actions WHERE id = $new
        """,
        new=new,
        old=log.actions[5],
    )

    assert await log.first() == ("edited", 13, new)


async def test_an_inserted_action_in_a_chain_made_to_fit_is_found(log):
    new = UUID(int=log.actions[5].int - 1)
    await log.tamper(
        FORGED,
        "UPDATE chain SET seq = seq + 1000 WHERE seq > 6",
        "INSERT INTO chain SELECT 7, id, at, sha256('x') FROM actions WHERE id = $new",
        new=new,
        old=log.actions[5],
    )
    await rehash(log.settings)

    assert await log.first() == ("rewritten", 5, log.actions[4])


async def test_an_action_of_long_ago_that_is_linked_today_is_found(log):
    """Put in as the service would, so that it is linked; but its time is a lie."""
    new = uuid4()
    await log.tamper(
        """
        INSERT INTO actions (id, at, kind, actor, actor_name, request_id, address)
        SELECT $new, at - $ago::interval, 'items.give', 'user:1', 'innocent', '', ''
          FROM actions WHERE id = $old
        """,
        new=new,
        ago=timedelta(hours=2),
        old=log.actions[5],
    )
    await link(log.database)

    assert await log.first() == ("backdated", 13, new)


# ── Swap ──


async def test_swapped_links_are_found(log):
    await log.tamper(
        "UPDATE chain SET action_id = gen_random_uuid() WHERE seq = 4",
        "UPDATE chain SET action_id = $fourth WHERE seq = 6",
        "UPDATE chain SET action_id = $sixth WHERE seq = 4",
        "UPDATE chain SET action_at = (SELECT at FROM actions WHERE id = action_id)",
        fourth=log.actions[3],
        sixth=log.actions[5],
    )

    found = await log.breaches()

    assert [(b.kind, b.seq, b.action_id) for b in found] == [
        ("swapped", 4, log.actions[5]),
        ("swapped", 6, log.actions[3]),
    ]


async def test_swapped_contents_are_found(log):
    await log.tamper(
        """
        UPDATE actions SET after = other.after, player_id = other.player_id
          FROM actions AS other
         WHERE (actions.id, other.id) IN (($fourth, $sixth), ($sixth, $fourth))
        """,
        fourth=log.actions[3],
        sixth=log.actions[5],
    )

    found = await log.breaches()

    assert [(b.kind, b.seq) for b in found] == [("edited", 4), ("edited", 6)]


async def test_swapped_actions_in_a_chain_made_to_fit_are_found(log):
    await log.tamper("UPDATE chain SET seq = 1000 WHERE seq = 5")
    await rehash(log.settings)

    kind, seq, _ = await log.first()

    assert (kind, seq) == ("rewritten", 5)


# ── Cut tail ──


async def test_a_tail_cut_off_the_log_is_found(log):
    await log.tamper(
        "DELETE FROM actions WHERE id IN (SELECT action_id FROM chain WHERE seq > 9)",
        "DELETE FROM chain WHERE seq > 9",
    )

    [found] = await log.breaches()

    assert (found.kind, found.seq) == ("cut", 10)
    assert "anchor 3 " in found.message


async def test_a_tail_cut_off_and_grown_again_is_found(log):
    await log.tamper(
        "DELETE FROM actions WHERE id IN (SELECT action_id FROM chain WHERE seq > 9)",
        "DELETE FROM chain WHERE seq > 9",
    )
    await act(log.database, 5)
    await link_and_anchor(log.database, log.settings)

    [found] = await log.breaches()

    assert (found.kind, found.seq) == ("rewritten", 9)
    assert "Links 9 to 12 " in found.message


async def test_a_log_that_was_emptied_is_found(log):
    await log.tamper("DELETE FROM actions", "DELETE FROM chain")

    kind, seq, _ = await log.first()

    assert (kind, seq) == ("cut", 1)


# ── Old backup ──


@pytest.mark.usefixtures("copied_database")
async def test_an_old_backup_is_found_before_and_after_it_is_added_to(log):
    """Everything in it fits: actions, chain, progress. Only the anchors know of more."""
    name = log.settings.database_url.rpartition("/")[2]
    backup = f"gamekeeper_test_{uuid4().hex[:12]}"
    url = Hidden(log.settings.database_url.replace(name, backup))
    await admin(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    await admin(f"CREATE DATABASE {backup} TEMPLATE {name}")
    try:
        async with Database.open(log.settings) as going_on:
            await act(going_on, 4)
            await link_and_anchor(going_on, log.settings)

        restored = structs.replace(log.settings, database_url=url)
        [found] = (await verify_chain.find(restored)).breaches
        assert (found.kind, found.seq) == ("cut", 13)

        async with Database.open(restored) as database:
            await act(database, 9)
            await link_and_anchor(database, restored)
            [found] = (await verify_chain.find(restored)).breaches
            assert (found.kind, found.seq) == ("rewritten", 13)
            assert found.action_id == (await order(database))[12]
    finally:
        await admin(f"DROP DATABASE {backup} WITH (FORCE)")


# ── The anchors themselves ──


async def test_an_anchor_that_was_removed_or_changed_is_found(log):
    file = Path(log.settings.anchor_file)
    lines = file.read_bytes().splitlines(keepends=True)
    for forged, said in [
        (lines[:1] + lines[2:], "Anchor 2 is missing"),
        ([lines[0], lines[1].replace(b'"seq":8', b'"seq":7'), lines[2]], "Anchor 2 is not signed"),
        ([lines[0], b"nonsense\n", lines[2]], "Anchor 2 cannot be read"),
    ]:
        file.write_bytes(b"".join(forged))
        [found] = await log.breaches()
        assert found.kind == "anchors"
        assert said in found.message


async def test_anchors_of_another_key_are_found(log):
    stranger = structs.replace(log.settings, anchor_key=Hidden("77" * 32))

    [found] = (await verify_chain.find(stranger)).breaches

    assert found.kind == "anchors"


# ── What is no breach ──


async def test_a_service_that_goes_on_meanwhile_is_no_breach(log):
    """Acting, linking and anchoring, while it is proved again and again."""

    async def go_on() -> None:
        for _ in range(15):
            await act(log.database, 3)
            await link_and_anchor(log.database, log.settings)

    going = asyncio.create_task(go_on())
    proofs = 0
    while not going.done():
        assert await log.breaches() == []
        proofs += 1
        await asyncio.sleep(0.01)
    await going
    assert proofs >= 3


async def test_actions_wait_for_a_sequencer_that_is_at_work_but_not_for_long(log):
    """Without one, or after a minute with one, somebody has to look; nothing is wrong yet."""
    [late] = await act(log.database)
    sequencer = await asyncpg.connect(log.settings.database_url)

    alone = (await log.verify()).unlinked
    await sequencer.execute("SELECT pg_advisory_lock($1)", chain.LOCK)
    in_time = (await log.verify()).unlinked
    await log.tamper("UPDATE actions SET at = at - interval '2 minutes' WHERE id = $id", id=late)
    behind = await log.verify()
    await sequencer.close()

    assert (alone.count, alone.sequencer, alone.is_overdue) == (1, False, True)
    assert (in_time.count, in_time.sequencer, in_time.is_overdue) == (1, True, False)
    assert (behind.unlinked.count, behind.unlinked.sequencer, behind.total) == (1, True, 0)
    assert behind.unlinked.is_overdue
    assert 119 < behind.unlinked.oldest_seconds < 600


async def test_every_breach_is_counted_and_the_first_are_named(log, monkeypatch):
    monkeypatch.setattr(reports, "MOST_NAMED", 3)
    monkeypatch.setattr(verify_chain, "AT_ONCE", 5)
    await log.tamper("UPDATE actions SET reason = 'none'")

    report = await log.verify()

    assert (report.total, [breach.seq for breach in report.breaches]) == (12, [1, 2, 3])


async def test_looking_reports_how_far_it_came(log, monkeypatch):
    monkeypatch.setattr(verify_chain, "AT_ONCE", 5)
    told = []

    await log.verify(on_progress=lambda done, total: told.append((done, total)))

    assert told == [(5, 12), (10, 12), (12, 12)]
