"""Metrics: each is documented, each is counted, and no dead process is shown."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs
from prometheus_client import generate_latest
from prometheus_client.registry import REGISTRY

from gamekeeper.core.errors import Conflict, Problem, Unavailable
from gamekeeper.core.observability import exposition, metrics
from gamekeeper.core.observability.exposition import Measure, MeasureCollector
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, RetryTransaction, Writer
from gamekeeper.db.operations import batched_operation, operation
from gamekeeper.db.queries import batched_query
from gamekeeper.operations.overview import lags
from tests.make import make_item, make_player

MANUAL = Path(__file__).parents[2] / "docs/operate/metrics.md"
ROW = re.compile(r"^\| `(gamekeeper_[a-z_]+)` \| (counter|gauge|histogram)", re.MULTILINE)


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def total(name: str) -> float:
    return sum(s.value for f in REGISTRY.collect() for s in f.samples if s.name == name)


def test_the_manual_lists_every_metric():
    families = [family for family in REGISTRY.collect() if family.name.startswith("gamekeeper_")]
    ours = {(f"{f.name}_total" if f.type == "counter" else f.name, f.type) for f in families}
    measured = {(name, "gauge") for name in lags.MEASURES}

    assert sorted(ROW.findall(MANUAL.read_text())) == sorted(ours | measured)


def test_names_have_units_and_no_unknown_suffix():
    for name, kind in ROW.findall(MANUAL.read_text()):
        assert (kind == "counter") == name.endswith("_total"), name
        assert not name.endswith(("_ms", "_milliseconds", "_kb", "_percent", "_count")), name


class Told(Conflict):
    """No."""


@batched_operation
async def say(writer: Writer, orders: list[str]) -> list[str | Problem]:
    """Refuse one, choke on another."""
    if "poison" in orders:
        raise RuntimeError("poison")
    return [Told() if order == "refused" else order for order in orders]


@operation
async def whisper(writer: Writer, orders: list[str]) -> list[str | Problem]:
    return list(orders)


@batched_query
async def length(reader, words: list[str]) -> dict[str, int]:
    await asyncio.sleep(0.01)
    return {word: len(word) for word in words}


async def test_an_operation_counts_its_calls_by_outcome_and_its_batches(database):
    name = "tests.core.test_metrics.say"
    answers = await asyncio.gather(
        *(say.one(database, word) for word in ("first", "a", "b", "refused", "poison")),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers] == [str, str, str, Told, RuntimeError]
    calls = "gamekeeper_operation_calls_total"
    assert value(calls, operation=name, outcome="done") == 3
    assert value(calls, operation=name, outcome="refused") == 1
    assert value(calls, operation=name, outcome="failed") == 1
    # All called in one turn of the event loop, so they were one batch.
    assert value("gamekeeper_batch_size_count", operation=name) == 1
    assert value("gamekeeper_batch_size_sum", operation=name) == 5
    assert value("gamekeeper_batch_size_bucket", operation=name, le="4.0") == 0
    assert value("gamekeeper_batch_seconds_count", operation=name) == 1
    assert value("gamekeeper_batch_seconds_sum", operation=name) > 0
    assert value("gamekeeper_batch_wait_seconds_count", operation=name) == 1


async def test_a_list_of_commands_is_one_batch(database):
    assert await whisper(database, ["a", "b", "c"]) == ["a", "b", "c"]

    name = "tests.core.test_metrics.whisper"
    assert value("gamekeeper_batch_size_sum", operation=name) == 3
    assert value("gamekeeper_batch_size_count", operation=name) == 1


async def test_a_query_is_measured_as_an_operation_is(database):
    first = asyncio.create_task(length.one(database.reader, "x"))
    second = asyncio.create_task(length.one(database.reader, "xx"))
    await asyncio.sleep(0)
    third = asyncio.create_task(length.one(database.reader, "xxx"))
    assert await asyncio.gather(first, second, third) == [1, 2, 3]

    name = "tests.core.test_metrics.length"
    assert value("gamekeeper_operation_calls_total", operation=name, outcome="done") == 3
    assert value("gamekeeper_batch_size_sum", operation=name) == 3
    assert value("gamekeeper_batch_seconds_sum", operation=name) >= 0.01


async def test_commits_retries_and_waits_for_connections_are_counted(database):
    commits = value("gamekeeper_commit_seconds_count")
    reason = {"reason": "RetryTransaction"}
    retries = value("gamekeeper_transaction_retries_total", **reason)
    waits = value("gamekeeper_pool_wait_seconds_count", pool="write")
    attempts = 0

    async def work(writer: Writer) -> None:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise RetryTransaction

    await database.write(work)

    assert value("gamekeeper_commit_seconds_count") == commits + 1
    assert value("gamekeeper_transaction_retries_total", **reason) == retries + 2
    assert value("gamekeeper_pool_wait_seconds_count", pool="write") == waits + 3


async def test_commands_that_wait_for_a_lock_are_counted(database, client):
    player = await make_player(database, "Ana")
    path = f"/api/v1/players/{player}/items/give"
    body = {"itemid": str(await make_item(database)), "quantity": 1}
    name = "gamekeeper_lock_waits_total"
    before = total(name)
    held, release = asyncio.Event(), asyncio.Event()

    async def hold(writer: Writer) -> None:
        await writer.rows("SELECT FROM players WHERE id = $1 FOR UPDATE", player)
        held.set()
        await release.wait()

    holder = asyncio.create_task(database.write(hold))
    await held.wait()
    waiting = asyncio.create_task(client.post(path, json=body))
    async with asyncio.timeout(10):
        while total(name) == before:
            await asyncio.sleep(0.02)
    release.set()
    await holder
    assert (await waiting).status_code == 200


async def test_a_database_that_is_away_is_counted_by_fault(settings):
    away = structs.replace(settings, database_url=Hidden("postgresql://x@127.0.0.1:1/x"))
    before = value("gamekeeper_database_faults_total", fault="ConnectionRefusedError")
    async with Database.open(away) as database:
        with pytest.raises(Unavailable):
            await database.reader.value("SELECT 1")

    after = value("gamekeeper_database_faults_total", fault="ConnectionRefusedError")
    assert after == before + 1


@pytest.fixture
def frequent_samples(monkeypatch) -> None:
    monkeypatch.setattr(metrics, "SAMPLE_SECONDS", 0.05)


async def test_the_application_samples_how_busy_it_is(frequent_samples, client, database):
    metrics.IN_FLIGHT.set(-1)
    metrics.POOL_MOST.labels("write").set(-1)
    async with asyncio.timeout(10):
        while value("gamekeeper_requests_in_flight") < 0:
            await asyncio.sleep(0.01)

    assert value("gamekeeper_concurrency_limit") > 0
    assert value("gamekeeper_pool_connections_max", pool="write") == database.settings.connections
    assert value("gamekeeper_pool_connections_max", pool="lookup") > 0


PROCESS = """
from gamekeeper.core.observability import metrics
metrics.IN_FLIGHT.set({value})
metrics.LEADER.labels("sequencer").set(1)
metrics.TURNED_AWAY.inc({value})
print("ready", flush=True)
input()
"""


def test_the_gauges_of_a_dead_process_vanish_and_its_counts_stay(tmp_path, monkeypatch):
    """`serve` starts a process again that crashed; what that one had in flight is gone."""
    env = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS.format(value=number)],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in (3, 40)
    ]
    try:
        for process in started:
            assert process.stdout.readline() == "ready\n"
        both = generate_latest(exposition.registry()).decode()
        started[1].kill()
        started[1].wait()
        one = generate_latest(exposition.registry()).decode()
    finally:
        for process in started:
            process.kill()
            process.communicate()

    assert "gamekeeper_requests_in_flight 43.0" in both
    assert 'gamekeeper_leader{duty="sequencer"} 2.0' in both
    assert "gamekeeper_requests_in_flight 3.0" in one
    assert 'gamekeeper_leader{duty="sequencer"} 1.0' in one
    assert "gamekeeper_turned_away_total 43.0" in one


def test_measures_vanish_when_they_are_old():
    collector = MeasureCollector({"gamekeeper_x": Measure("X.", "kind")}, lifetime=0.05)
    assert list(collector.collect()) == []

    collector.update({"gamekeeper_x": [("a", 1.0), ("b", 2.0)]})
    [family] = collector.collect()
    assert [(s.labels, s.value) for s in family.samples] == [
        ({"kind": "a"}, 1.0),
        ({"kind": "b"}, 2.0),
    ]
    collector._at -= 1
    assert list(collector.collect()) == []
