"""A restored backup is what was backed up, and nothing that was revoked lives again in it."""

import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.auth.keys import KeyNotFound
from gamekeeper.core.settings import Hidden
from gamekeeper.db import migrate as migrations
from gamekeeper.db.database import Database
from gamekeeper.events import records, retention
from gamekeeper.events.retention import EventsUnknown
from gamekeeper.ledger import chain, verify_chain, verify_ledger
from gamekeeper.operations.backup import creation, postgres
from gamekeeper.operations.backup import target as targets
from gamekeeper.operations.backup.restoration import RestoreFailed
from gamekeeper.operations.backup.target import DatabaseInUse, DatabaseNotEmpty
from gamekeeper.servers import leases
from tests.backup.world import empty, restored, rewritten
from tests.databases import cloned
from tests.demo.test_story import make_world as make_story
from tests.ledger.chains import act, anchored, link, tamper
from tests.make import BY

pytestmark = pytest.mark.deploy

EPOCH = datetime(2026, 1, 1, tzinfo=UTC).timestamp()


async def count(settings, table: str) -> int:
    async with Database.open(settings) as database:
        return await database.reader.value(f"SELECT count(*) FROM {table}")


async def is_empty(settings) -> bool:
    return (await targets.look(settings)).relations == 0


async def test_everything_comes_back_and_is_verified(backup, loaded):
    target, done = loaded

    figures = backup.made.manifest.figures
    assert figures.tables["players"] == await count(target, "players") == 30
    assert done.postings == figures.ledger.postings > 0
    assert figures.chain.links > 0
    assert done.breaches == []
    assert (await verify_ledger.verify(target)).breach is None
    report = await verify_chain.find(target)
    assert (report.total, report.waiting) == (0, 0)
    assert report.links == done.links


async def test_a_demo_with_a_short_history_can_be_restored(template, target, tmp_path):
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            await make_story(settings, database, players=20, days=2)
            await link(database)
        made = await creation.create(settings, tmp_path, BY)

    done = await restored(target, Path(made.directory))

    assert done.breaches == []
    assert done.postings == made.manifest.figures.ledger.postings > 0


async def test_credentials_do_not_come_back_to_life(loaded):
    target, done = loaded

    steps = done.steps
    assert (steps.tokens, steps.browser_sessions) == (1, 1)
    assert (steps.sign_in_links, steps.password_resets) == (1, 1)
    assert (steps.email_verifications, steps.link_codes, steps.identity_flows) == (1, 1, 1)
    assert (steps.keys_revoked, steps.keys_kept) == (["forgotten"], ["website"])
    async with Database.open(target) as database:
        for table, ended in (
            ("token_families", "revoked_at"),
            ("browser_sessions", "ended_at"),
            ("sign_in_links", "used_at"),
            ("password_resets", "used_at"),
            ("email_verifications", "used_at"),
        ):
            live = f"SELECT count(*) FROM {table} WHERE {ended} IS NULL"
            assert await database.reader.value(live) == 0, table
        for table in ("link_codes", "identity_flows"):
            assert await database.reader.value(f"SELECT count(*) FROM {table}") == 0, table
        rows = await database.reader.rows("SELECT name FROM api_keys WHERE revoked_at IS NULL")
        assert [row["name"] for row in rows] == ["website"]


async def test_all_keys_are_kept_only_on_request(backup, target, tmp_path):
    """And roles that served, but do not exist here, are named."""
    copy = backup.copied(tmp_path)
    rewritten(copy, app_roles=["nobody_of_that_name"])

    done = await restored(target, copy, keep_keys=("all",))

    assert (done.steps.keys_revoked, done.steps.keys_kept) == ([], ["forgotten", "website"])
    assert done.roles_missing == ["nobody_of_that_name"]


async def test_a_key_that_the_backup_does_not_have_cannot_be_kept(backup, target):
    with pytest.raises(KeyNotFound, match="forgotten, website"):
        await restored(target, backup.directory, keep_keys=("websiet",))
    assert await is_empty(target)


async def test_the_world_outside_is_not_called_as_if_nothing_had_happened(loaded):
    target, done = loaded

    assert (done.steps.webhooks_paused, done.steps.commands_expired) == (1, 1)
    # Those of the demo, which never end, and our own.
    assert done.steps.leases_ended > 1
    async with Database.open(target) as database:
        [hook] = await database.reader.rows("SELECT enabled, off_reason FROM webhooks")
        assert tuple(hook) == (False, "restored from a backup")
        assert await leases.live(database.reader) == []
        states = await database.reader.rows("SELECT state FROM commands")
        assert [row["state"] for row in states] == ["expired"]
        # Whoever registers next is not mistaken for a process of the lost time.
        fence = await database.write(lambda writer: writer.value("SELECT nextval('fences')"))
        assert fence > time.time() - EPOCH - 3600


async def test_the_restore_is_an_action_with_the_identity_of_the_backup(backup, loaded):
    target, _ = loaded

    async with Database.open(target) as database:
        [action] = await database.reader.rows(
            "SELECT after, actor FROM actions WHERE kind = 'database.restore'"
        )
    assert action["actor"] == BY.actor
    assert action["after"]["backup"] == str(backup.made.manifest.id)
    assert action["after"]["sha256"] == backup.made.sha256
    assert action["after"]["keys_revoked"] == ["forgotten"]


# ── Events ──


async def test_who_heard_events_that_are_lost_is_told_however_many_come_after(
    backup, loaded, again
):
    head = backup.made.manifest.figures.chain.seq
    _, done = loaded

    async with Database.open(again) as database:
        for _ in range(2):
            await retention.check(database.reader, head)
            for lost in (head + 1, head + 5, head + 1000):
                with pytest.raises(EventsUnknown) as told:
                    await retention.check(database.reader, lost)
                assert told.value.details["shared"] == head
            await act(database, 10)
            await link(database)
        page = await records.page(database.reader, head, 100)
        assert page[0].entry.kind == "database.restore"
        assert page[0].seq == done.steps.first_event > (time.time() - EPOCH - 3600) * 1e6
        assert [event.seq for event in page] == [
            *range(page[0].seq, page[0].seq + len(page)),
        ]
        assert await retention.oldest(database.reader) == 1


async def test_the_number_of_the_oldest_is_found_on_both_sides_of_the_gap(backup, loaded, again):
    _, done = loaded
    head = backup.made.manifest.figures.chain.seq

    async with Database.open(again) as database:
        for oldest in (head, done.steps.first_event):
            await database.write(
                lambda writer, oldest=oldest: writer.run(
                    """
                    UPDATE chain SET action_at = now()
                               - CASE WHEN seq < $1 THEN interval '90 days' ELSE '0' END
                    """,
                    oldest,
                )
            )
            assert await retention.oldest(database.reader) == oldest
            await retention.check(database.reader, oldest - 1)


async def test_a_link_that_was_removed_before_a_restore_is_missed(backup, again):
    """The restore may skip numbers, but not the link before it."""
    head = backup.made.manifest.figures.chain.seq

    await tamper(again, f"DELETE FROM chain WHERE seq = {head}")

    assert (await verify_chain.find(again)).total > 0


async def test_no_other_link_may_skip_numbers(settings, database):
    await act(database, 3)
    await link(database)
    await tamper(settings, "UPDATE chain SET seq = 1000 WHERE seq = 3")

    [breach] = (await verify_chain.find(settings)).breaches
    assert (breach.kind, breach.seq) == ("deleted", 3)


# ── Where to ──


async def test_a_database_that_is_not_empty_is_refused_and_left_alone(backup, template):
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            await act(database, 2)

        with pytest.raises(DatabaseNotEmpty, match="--replace"):
            await restored(settings, backup.directory)

        assert await count(settings, "actions") == 2
        assert await count(settings, "players") == 0


async def test_a_database_in_use_is_refused(backup, target):
    other = await asyncpg.connect(str(target.database_url))
    try:
        with pytest.raises(DatabaseInUse, match="Stop serve"):
            await restored(target, backup.directory)
    finally:
        await other.close()
    assert await is_empty(target)


async def test_what_is_replaced_is_gone_only_when_the_backup_is_there(backup, template, tmp_path):
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            await act(database, 2)
            await link(database)
        wrong = backup.copied(tmp_path)
        tables = backup.made.manifest.figures.tables | {"players": 31}
        rewritten(wrong, figures=_with(backup.made.manifest.figures, tables))

        with pytest.raises(RestoreFailed, match="30 rows instead of 31"):
            await restored(settings, wrong, replace=True)
        assert await count(settings, "actions") == 2
        async with Database.open(settings) as database:
            # It is a database of ours as before, with its extension.
            await act(database, 1)
            assert await database.reader.value("SELECT show_trgm('Ana') IS NOT NULL")
        assert (await migrations.migrate(settings)) == []

        await restored(settings, backup.directory, replace=True)
        assert await count(settings, "players") == 30
        async with Database.open(settings) as database:
            schemas = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'replaced%'"
            assert await database.reader.value(schemas) == 0


def _with(figures, tables):
    return structs.replace(figures, tables=tables)


# ── What is wrong with it ──


async def test_a_backup_of_an_altered_ledger_is_refused(again, tmp_path, target):
    """Its files are as they were written, but the game's history is not."""
    await tamper(
        again,
        """
        UPDATE postings SET quantity = quantity + 1, held_after = held_after + 1
         WHERE ctid = (SELECT max(ctid) FROM postings)
        """,
    )
    made = await creation.create(again, tmp_path, BY)

    with pytest.raises(RestoreFailed, match="--accept-breaches"):
        await restored(target, _place(made))
    assert await is_empty(target)

    done = await restored(target, _place(made), accept_breaches=True)
    assert done.breaches


def _place(made):
    return Path(made.directory)


async def test_a_backup_of_an_older_schema_is_migrated(monkeypatch, tmp_path, target):
    *older, (newest, _) = migrations.numbered()
    async with empty() as before:
        with monkeypatch.context() as patch:
            patch.setattr(migrations, "numbered", lambda: older)
            await migrations.migrate(before)
            made = await creation.create(before, tmp_path, BY)
    assert newest not in made.manifest.migrations

    done = await restored(target, _place(made))

    assert done.migrated == [newest]
    assert await count(target, "migrations") == len(older) + 1


async def test_anchors_of_the_lost_time_are_moved_away(backup, again, target, tmp_path):
    async with Database.open(anchored(again, tmp_path)) as database:
        await chain.anchor(database, at_once=True)
    aimed = anchored(target, tmp_path)

    done = await restored(aimed, backup.directory)

    assert done.anchors_moved
    assert not (tmp_path / "anchors").exists()
    assert (await verify_chain.find(aimed)).total == 0


async def test_anchors_of_another_log_betray_a_backup(settings, database, backup, target, tmp_path):
    await act(database, 2)
    await link(database)
    async with Database.open(anchored(settings, tmp_path)) as other:
        await chain.anchor(other, at_once=True)

    with pytest.raises(RestoreFailed, match="of another audit log"):
        await restored(anchored(target, tmp_path), backup.directory)
    assert (tmp_path / "anchors").exists()
    assert await is_empty(target)


async def test_a_password_is_not_among_the_arguments():
    url = Hidden("postgresql://ana:s%3Ac%5Cret@127.0.0.1:5432/game?sslmode=prefer")
    with postgres.connection_string(url) as shown:
        file = Path(parse_qs(urlsplit(shown).query)["passfile"][0])
        assert file.read_text() == "*:*:*:*:s\\:c\\\\ret\n"
        assert file.stat().st_mode & 0o077 == 0
        assert "ret" not in shown
        assert shown.startswith("postgresql://ana@127.0.0.1:5432/game?sslmode=prefer&passfile=")
    assert not file.exists()
