"""The doctor sees what is wrong, says what to do, and looks on if it cannot see something."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import asyncpg
import pytest
from msgspec import Struct, structs

from gamekeeper import worker
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db import jobs, migrate, statistics
from gamekeeper.operations.backup import creation
from gamekeeper.operations.doctor import checks, network
from gamekeeper.operations.doctor.findings import CheckResult, HealthCheck, Installation
from gamekeeper.operations.mail_jobs import MAIL_JOBS
from gamekeeper.provider import keys as openid_keys
from tests.backup.world import empty
from tests.cli.command import gamekeeper
from tests.contract.mailbox import Mailbox
from tests.databases import SERVER
from tests.ledger.chains import act, age_actions, tamper
from tests.make import BY, make_user
from tests.webhooks.authorities import Authority

UNREACHABLE = Settings(database_url=Hidden("postgresql://nobody@127.0.0.1:1/nothing"))


async def found(settings: Settings) -> dict[str, CheckResult]:
    return {one.check: one for one in await checks.run(settings)}


async def states(settings: Settings) -> dict[str, str]:
    return {name: one.state for name, one in (await found(settings)).items()}


async def test_every_check_says_something_about_a_fresh_database(settings):
    seen = await found(settings)

    assert set(seen) == {"database", *(each.name for each in checks.CHECKS)}
    assert {name for name, one in seen.items() if one.state == "unknown"} <= {"backup_disk", "tls"}
    for name in ("postgresql", "schema", "extension", "connections", "clock", "password_keys"):
        assert seen[name].state == "ok", seen[name]
    assert seen["settings"].state == "wrong"
    assert (seen["worker"].state, seen["backup"].state) == ("wrong", "warning")
    assert all(one.remedy for one in seen.values() if one.state in ("warning", "wrong"))


async def test_the_command_ends_with_1_if_something_is_wrong(settings):
    done = await asyncio.to_thread(gamekeeper, settings, "doctor", "--json")

    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    assert said["healthy"] is False
    assert {finding["check"] for finding in said["findings"]} >= {"database", "settings", "worker"}


async def test_without_a_database_the_rest_is_still_seen():
    seen = await found(UNREACHABLE)

    assert set(seen) == {"database", "settings", "mail_server", "tls"}
    assert seen["database"].state == "wrong"
    assert "cannot be reached" in seen["database"].message
    assert seen["database"].remedy


async def test_a_database_without_our_tables_breaks_no_check():
    async with empty() as settings:
        seen = await found(settings)

    assert seen["schema"].state == "wrong"
    assert "gamekeeper migrate" in str(seen["schema"].remedy)
    assert seen["worker"].state == "unknown"
    assert set(seen) == {"database", *(each.name for each in checks.CHECKS)}


async def test_a_check_that_hangs_or_breaks_stops_no_other(settings, monkeypatch):
    async def hang(_: Installation) -> list[CheckResult]:
        await asyncio.sleep(60)
        return []

    async def fail(_: Installation) -> list[CheckResult]:
        raise KeyError("what nobody thought of")

    monkeypatch.setattr(checks, "EACH_SECONDS", 0.2)
    two = (HealthCheck(name="slow", look=hang), HealthCheck(name="bad", look=fail))
    monkeypatch.setattr(checks, "CHECKS", two)

    seen = await found(settings)

    assert [one.state for one in seen.values()] == ["ok", "unknown", "unknown"]
    assert "longer than" in seen["slow"].message
    assert "what nobody thought of" in seen["bad"].message


async def test_missing_migrations_and_months_are_seen(settings):
    await tamper(
        settings,
        "DELETE FROM migrations WHERE name = '0037_sign_in_links'",
    )
    seen = await found(settings)

    assert seen["schema"].state == "wrong"
    assert "0037_sign_in_links" in seen["schema"].message
    # The tests' databases have this month and the next.
    assert seen["months"].state == "warning"


@pytest.mark.usefixtures("schema_changes")
async def test_all_months_are_there_after_a_migration(settings):
    await migrate.migrate(settings)

    assert (await states(settings))["months"] == "ok"


async def test_a_lost_password_key_is_seen(settings, database):
    await make_user(database, "ana", password="secret")
    other = structs.replace(settings, password_keys=Hidden("2026a:" + "11" * 32))

    seen = await found(other)

    assert seen["password_keys"].state == "wrong"
    assert "'dev'" in seen["password_keys"].message


async def test_a_lost_key_of_openid_keys_is_seen(settings, database):
    await openid_keys.ensure(database, Vault(settings))
    other = structs.replace(settings, password_keys=Hidden("2026a:" + "11" * 32))

    seen = await found(other)

    assert seen["password_keys"].state == "wrong"
    assert "OpenID keys are encrypted with the key 'dev'" in seen["password_keys"].message
    assert (await found(settings))["password_keys"].state == "ok"


async def test_imported_passwords_have_a_key_too(settings, database):
    vault, user = Vault(settings), await make_user(database, "ana")
    imported = vault.encrypt_imported(user, sha256(b"secret").digest(), "salt")
    lost = structs.replace(settings, password_keys=Hidden("2026a:" + "11" * 32))
    for record in (imported, await vault.stretch_imported(user, imported)):
        await database.write(
            lambda writer, record=record: writer.run(
                """
                INSERT INTO passwords (user_id, sealed) VALUES ($1, $2)
                ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed
                """,
                user,
                record,
            )
        )

        assert "development key" in (await found(settings))["password_keys"].message
        assert "'dev'" in (await found(lost))["password_keys"].message


async def test_actions_without_a_link_are_seen(settings, database):
    await act(database)
    await age_actions(database, timedelta(minutes=5))

    assert (await states(settings))["chain"] == "wrong"


async def test_the_age_of_the_last_backup_is_known(settings, tmp_path):
    await creation.create(settings, tmp_path, BY)
    seen = await found(settings)
    assert (seen["backup"].state, seen["backup_disk"].state != "unknown") == ("ok", True)

    await tamper(settings, "UPDATE actions SET at = at - interval '3 days'")
    assert (await states(settings))["backup"] == "warning"


@pytest.mark.usefixtures("schema_changes")
async def test_tables_without_autovacuum_or_statistics_are_named(settings, monkeypatch):
    monkeypatch.setattr(statistics, "SMALL_BYTES", 0)
    await tamper(
        settings,
        "ALTER TABLE replies SET (autovacuum_enabled = off);"
        "INSERT INTO replies (caller, key, fingerprint) VALUES ('', 'key', '')",
    )

    seen = await found(settings)

    assert seen["autovacuum"].state == "wrong"
    assert "replies" in seen["autovacuum"].message
    assert seen["statistics"].state == "warning"
    await tamper(settings, "ALTER TABLE replies RESET (autovacuum_enabled); ANALYZE")
    seen = await found(settings)
    assert "replies" not in seen["autovacuum"].message
    assert seen["statistics"].state == "ok"


async def test_a_role_that_can_alter_history_is_warned_of(settings):
    assert (await states(settings))["roles"] == "warning"


async def test_unsafe_switches_of_postgresql_are_seen(settings):
    """The tests' databases confirm what is not on the disk."""
    seen = await found(settings)

    assert seen["durability"].state == "wrong"
    assert "synchronous_commit" in seen["durability"].message


async def test_a_replica_that_is_a_primary_is_seen(settings):
    aimed = structs.replace(settings, replica_url=Hidden(SERVER.format("postgres")))

    assert (await states(aimed))["replica"] == "warning"


# ── Mail ──


async def test_a_mail_server_without_tls_is_a_warning_and_none_is_wrong(settings):
    mailbox = Mailbox()
    mailbox.open()
    try:
        aimed = structs.replace(settings, smtp_url=Hidden(mailbox.url))
        without_tls = (await found(aimed))["mail_server"]
        assert without_tls.state == "warning"
        assert "outcomes of reports" in without_tls.message
    finally:
        mailbox.close()
    assert (await states(aimed))["mail_server"] == "wrong"
    assert mailbox.letters == []


# ── TLS ──


@asynccontextmanager
async def proxy(context: ssl.SSLContext, status: int = 200) -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert (await reader.readline()).startswith(b"GET /game/livez ")
        writer.write(b"HTTP/1.1 %d Whatever\r\ncontent-length: 0\r\n\r\n" % status)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/game"


@pytest.mark.parametrize(
    ("days", "status", "state"),
    [((-1, 90), 200, "ok"), ((-1, 5), 403, "warning"), ((-1, 90), 502, "wrong")],
)
async def test_the_proxy_in_front_is_called(
    settings, tmp_path: Path, monkeypatch, days, status, state
):
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    async with proxy(authority.server("127.0.0.1", days=days), status) as url:
        [seen] = await network.public_address(_patient(settings, url))

    assert seen.state == state, seen


async def test_a_certificate_that_nobody_trusts_is_wrong(settings, tmp_path):
    context = Authority(tmp_path).server("127.0.0.1", self_signed=True)
    async with proxy(context) as url:
        [seen] = await network.public_address(_patient(settings, url))

    assert seen.state == "wrong"
    assert "certificate" in seen.message


async def test_plain_http_is_wrong(settings):
    [seen] = await network.public_address(_patient(settings, "http://play.example.org"))

    assert seen.state == "wrong"


def _patient(settings: Settings, url: str) -> Installation:
    return Installation(settings=structs.replace(settings, public_url=url), reader=None)  # type: ignore[arg-type]


AGE_MAILS = "UPDATE pgqueuer SET created = now() - interval '6 minutes'"


@pytest.mark.parametrize("job", MAIL_JOBS)
async def test_a_delayed_mail_of_any_kind_is_a_warning(settings, database, job):
    await database.write(lambda writer: jobs.enqueue(writer, job, [Struct()]))
    assert (await states(settings))["mail_queue"] == "ok"

    await database.write(lambda writer: writer.run(AGE_MAILS))
    delayed = (await found(settings))["mail_queue"]

    assert (delayed.state, delayed.message) == (
        "warning",
        "The oldest mail has waited for 6 minutes.",
    )


async def test_the_doctor_knows_every_mail_of_the_worker(settings, database):
    connection = await asyncpg.connect(settings.database_url)
    try:
        queue = worker.build_queue(settings, database, connection)
    finally:
        await connection.close()

    assert {job for job in queue.qm.entrypoint_registry if job.endswith("_mail")} == set(MAIL_JOBS)
