"""The health of the installation by the API: bounded, shared, and without a secret."""

import asyncio
import errno
import shutil
import threading
from time import monotonic

import pytest
from msgspec import structs
from structlog.testing import capture_logs

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden
from gamekeeper.operations.backup import creation
from gamekeeper.operations.doctor import checks, report, server
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    HealthCheck,
    Installation,
    ok,
    without_secrets,
)
from tests.deadlines import PATIENCE
from tests.in_process import in_process
from tests.ledger.chains import tamper
from tests.make import BY

HEALTH = "/api/v1/health"


@pytest.fixture(autouse=True)
def unshared(monkeypatch):
    monkeypatch.setattr(report, "FRESH_SECONDS", 0)


async def asked(client) -> dict:
    answer = await client.get(HEALTH)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_the_checks_are_those_of_the_doctor_in_its_order(client):
    found = await asked(client)

    names = list(dict.fromkeys(finding["Check"] for finding in found["Findings"]))
    assert names == [each.name for each in checks.CHECKS]
    assert found["State"] == "failed"
    by_name = {finding["Check"]: finding for finding in found["Findings"]}
    assert (by_name["schema"]["State"], by_name["schema"]["Remedy"]) == ("ok", None)
    assert by_name["worker"]["State"] == "failed"
    assert "gamekeeper worker" in by_name["worker"]["Remedy"]
    assert by_name["backup"]["State"] == "warning"
    assert found["Backup"] is None


async def test_the_last_backup_has_a_time_a_size_and_a_duration(client, settings, tmp_path):
    made = await creation.create(settings, tmp_path, BY)

    found = (await asked(client))["Backup"]
    assert (found["Bytes"], found["ByName"], found["Old"]) == (made.manifest.bytes, "tests", False)
    assert found["Seconds"] > 0

    await tamper(settings, "UPDATE actions SET at = at - interval '27 hours'")
    found = await asked(client)
    assert found["Backup"]["Old"]
    [finding] = [each for each in found["Findings"] if each["Check"] == "backup"]
    assert finding["State"] == "warning"


async def test_a_backup_of_the_version_before_has_no_duration(client, settings, tmp_path):
    await creation.create(settings, tmp_path, BY)
    await tamper(settings, "UPDATE actions SET after = after - 'seconds'")

    assert (await asked(client))["Backup"]["Seconds"] is None


async def test_a_check_that_hangs_delays_no_other_and_not_for_long(client, monkeypatch):
    async def hang(_: Installation) -> list[CheckResult]:
        await asyncio.sleep(60)
        return []

    async def look(_: Installation) -> list[CheckResult]:
        return ok("quick", "It looked.")

    slow = [HealthCheck(name=f"slow {number}", look=hang) for number in range(5)]
    monkeypatch.setattr(checks, "CHECKS", (*slow, HealthCheck(name="quick", look=look)))
    monkeypatch.setattr(checks, "EACH_SECONDS", 0.2)
    monkeypatch.setattr(checks, "SERVED_SECONDS", 0.5)
    begun = monotonic()

    found = await asked(client)

    assert monotonic() - begun < 5
    assert [each["State"] for each in found["Findings"]] == ["unknown"] * 5 + ["ok"]
    # Nothing is known to be wrong.
    assert found["State"] == "ok"


async def test_a_disk_that_hangs_blocks_no_request(client, monkeypatch):
    """A network disk that is gone blocks the thread that asks for its size."""
    asked_for_size, back = threading.Event(), threading.Event()

    def hang(_: object) -> None:
        asked_for_size.set()
        back.wait(PATIENCE)
        raise OSError(errno.EIO, "gone")

    monkeypatch.setattr(shutil, "disk_usage", hang)
    monkeypatch.setattr(checks, "CHECKS", (HealthCheck(name="disk", look=server.disk),))
    monkeypatch.setattr(checks, "EACH_SECONDS", 0.5)
    try:
        health = asyncio.create_task(asked(client))
        await asyncio.to_thread(asked_for_size.wait, PATIENCE)
        assert (await client.get("/livez")).status_code == 200
        assert not health.done()
        [finding] = (await health)["Findings"]
    finally:
        back.set()
    assert (finding["State"], "longer than" in finding["Message"]) == ("unknown", True)


async def test_what_breaks_a_check_is_not_shown(client, settings, monkeypatch):
    async def fail(_: Installation) -> list[CheckResult]:
        raise ValueError(f"cannot read {settings.database_url}")

    monkeypatch.setattr(checks, "CHECKS", (HealthCheck(name="bad", look=fail),))

    with capture_logs() as logged:
        [finding] = (await asked(client))["Findings"]

    assert finding["State"] == "unknown"
    assert "ValueError" in finding["Message"]
    assert "postgresql://" not in str(finding)
    [line] = [each for each in logged if each["event"] == "health_check_failed"]
    assert (line["check"], line["reason"]) == ("bad", "cannot read ***")


async def test_no_secret_of_the_settings_is_shown(settings, database):
    secrets = {
        "replica_url": "postgresql://reader:hunter%2Dtwo@127.0.0.1:1/nothing",
        "smtp_url": "smtp://mailer:correct-horse@127.0.0.1:1",
        "password_keys": "2026a:" + "ab" * 32,
        "anchor_key": "cd" * 32,
        "stripe_secrets": "whsec_0123456789abcdef",
    }
    hidden = structs.replace(settings, **{name: Hidden(url) for name, url in secrets.items()})
    async with in_process(hidden, None, {}) as client:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
        answer = await client.get(HEALTH, headers={"Authorization": f"Bearer {key}"})

    assert answer.status_code == 200
    states = {each["Check"]: each["State"] for each in answer.json()["Findings"]}
    assert (states["replica"], states["mail_server"]) == ("warning", "failed")
    for secret in (*secrets.values(), "hunter%2Dtwo", "hunter-two", "correct-horse", "ab" * 32):
        assert secret not in answer.text
    assert str(settings.database_url) not in answer.text


def test_what_others_say_is_shown_without_the_password():
    url = "postgresql://ana:p%40ss@db/game"

    assert without_secrets(f"bad URL {url}; tried p@ss and p%40ss", url) == (
        "bad URL ***; tried *** and ***"
    )


async def test_callers_at_the_same_time_share_one_round(client, monkeypatch):
    looks = 0

    async def look(_: Installation) -> list[CheckResult]:
        nonlocal looks
        looks += 1
        await asyncio.sleep(0.2)
        return ok("counted", "It looked.")

    monkeypatch.setattr(checks, "CHECKS", (HealthCheck(name="counted", look=look),))

    found = await asyncio.gather(*(asked(client) for _ in range(10)))

    assert looks == 1
    assert all(each == found[0] for each in found)


async def test_a_caller_that_leaves_does_not_end_the_round_of_others(client, monkeypatch):
    looking, release = asyncio.Event(), asyncio.Event()

    async def look(_: Installation) -> list[CheckResult]:
        looking.set()
        await release.wait()
        return ok("held", "It looked.")

    monkeypatch.setattr(checks, "CHECKS", (HealthCheck(name="held", look=look),))
    leaver = asyncio.create_task(client.get(HEALTH))
    await looking.wait()
    other = asyncio.create_task(asked(client))
    await asyncio.sleep(0)
    leaver.cancel()
    release.set()

    assert (await other)["State"] == "ok"
