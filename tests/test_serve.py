"""The process: starts strictly, stops gently, counts for all its workers."""

import asyncio
import json
import signal
import subprocess

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests import forks
from tests.databases import SERVER, cloned
from tests.deadlines import PATIENCE
from tests.make import BY, make_player
from tests.server import environment, serving

pytestmark = pytest.mark.deploy


def serve(settings, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A start that is refused, before there are threads and other processes."""
    return forks.run(["serve", *arguments], env=environment(settings, **env))


async def test_production_refuses_development_values_and_says_what_to_do(settings):
    result = serve(settings, "--production")

    assert result.returncode == 1
    assert "GAMEKEEPER_PASSWORD_KEYS is the public development key" in result.stderr
    assert "openssl rand -hex 32" in result.stderr
    assert "GAMEKEEPER_PUBLIC_URL is not set" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"GAMEKEEPER_SMPT_URL": "x"}, "GAMEKEEPER_SMPT_URL"),
        ({"GAMEKEEPER_PASSWORD_KEYS": "abc"}, "name:64 hex digits"),
        ({"GAMEKEEPER_CONNECTIONS": "0"}, "GAMEKEEPER_CONNECTIONS"),
    ],
)
async def test_a_bad_setting_stops_the_start_with_one_sentence(settings, env, words):
    result = serve(settings, **env)

    assert result.returncode == 1
    assert words in result.stderr
    assert "Traceback" not in result.stderr


async def test_requests_under_way_finish_when_told_to_stop(settings, database, tmp_path):
    """SIGTERM while ten lessons wait for a lock somebody else holds: all ten are answered."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="drain"))
    player = await make_player(database, "ana")
    holding, release = asyncio.Event(), asyncio.Event()

    async def hold(writer) -> None:
        await writer.run("SELECT FROM players WHERE id = $1 FOR UPDATE", player)
        holding.set()
        await release.wait()

    with serving(settings, tmp_path / "log", "--workers", "2") as (url, process):
        holder = asyncio.create_task(database.write(hold))
        await holding.wait()
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client:
            body = {"spellid": "00000000-0000-4000-8000-000000000000"}
            path = "/api/v1/players/ana/spells/teach"
            calls = [asyncio.create_task(client.post(path, json=body)) for _ in range(10)]
            await asyncio.sleep(0.7)
            process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.3)
            release.set()
            answers = await asyncio.gather(*calls)
        assert await asyncio.to_thread(process.wait, PATIENCE) == 0
    await holder
    assert [answer.json()["Code"] for answer in answers] == ["unknown_spell"] * 10


async def test_metrics_add_up_over_all_workers(settings, tmp_path):
    with serving(settings, tmp_path / "log", "--workers", "2") as (url, _):
        for _ in range(40):
            # A new connection each time, so that both workers get some.
            assert httpx2.get(url + "/livez", timeout=PATIENCE).status_code == 200
        text = httpx2.get(url + "/metrics", timeout=PATIENCE).text

    [count] = [
        line.rpartition(" ")[2]
        for line in text.splitlines()
        if line.startswith("gamekeeper_requests_total") and "/livez" in line
    ]
    assert float(count) >= 40


async def test_a_database_without_tables_says_what_to_run(settings, tmp_path):
    empty = environment(settings, GAMEKEEPER_DATABASE_URL=SERVER.format("template1"))
    env = {"GAMEKEEPER_DATABASE_URL": empty["GAMEKEEPER_DATABASE_URL"]}
    with serving(settings, tmp_path / "log", ready=False, **env) as (url, _):
        answer = httpx2.get(url + "/readyz", timeout=PATIENCE)

    assert answer.status_code == 503
    assert "gamekeeper migrate" in answer.json()["Message"]


async def test_a_schema_that_is_one_migration_old_is_said_at_the_start(template, tmp_path):
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            newest = "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)"
            await database.write(lambda writer: writer.run(newest))
        with serving(settings, tmp_path / "log", ready=False):
            pass

    [line] = [
        line for line in (tmp_path / "log").read_text().splitlines() if "schema_outdated" in line
    ]
    said = json.loads(line)
    assert said["level"] == "warning"
    assert said["applied"] < said["newest"]
    assert "Run: gamekeeper migrate" in said["reason"]
