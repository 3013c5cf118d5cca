"""What `serve` and `worker` say when they start, and when they cannot."""

import json
import os
import pty
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx2
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.migrate import migrate
from tests import forks, processes
from tests.databases import cloned
from tests.deadlines import PATIENCE
from tests.server import environment, free_port, serving

pytestmark = pytest.mark.deploy


def events(log: Path, name: str | None = None) -> list[dict[str, object]]:
    """The log's lines; each must be JSON."""
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line for line in lines if name in (None, line["event"])]


def wait_until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "gamekeeper", *words]


def serve_in_vain(settings: Settings, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """A start that is refused, before there are other processes."""
    return forks.run(["serve", *words], env=environment(settings, **env))


def test_on_a_terminal_it_says_where_it_listens_and_in_which_mode(settings):
    ours, its = pty.openpty()
    port = free_port()
    serve = command("serve", "--port", str(port), "--host", "localhost")
    with processes.running(serve, env=environment(settings), stdout=its, stderr=its):
        os.close(its)
        text = _read_until(ours, "Press Ctrl-C to stop.")
        answer = httpx2.get(f"http://127.0.0.1:{port}/livez", timeout=PATIENCE)
        text += _read_until(ours, "/livez")
    os.close(ours)

    assert answer.status_code == 200
    assert f"listens on http://127.0.0.1:{port}" in text
    assert f"http://127.0.0.1:{port}/api/docs" in text
    assert settings.database_url.rpartition("/")[2] in text
    assert "development; with real accounts use --production" in text
    assert "development_keys" in text
    assert '{"' not in text, "JSON is for programs"


def _read_until(terminal: int, words: str) -> str:
    text, deadline = "", time.monotonic() + PATIENCE
    while words not in text:
        assert time.monotonic() < deadline, text
        if select.select([terminal], [], [], 0.1)[0]:
            text += os.read(terminal, 65536).decode()
    return text


def test_elsewhere_the_log_says_it_in_json(settings, tmp_path):
    """Two processes, stopped with open connections and started again at once on their port."""
    log, port = tmp_path / "log", free_port()
    for _ in range(2):
        with serving(settings, log, "--workers", "2", port=port) as (url, _):
            for _ in range(5):
                httpx2.get(f"{url}/livez", headers={"Connection": "close"}, timeout=PATIENCE)
            wait_until(lambda: events(log, "listening"), "it is said")
            [said] = events(log, "listening")

        assert said["address"] == f"127.0.0.1:{port}"
        assert said["documentation"] == f"http://127.0.0.1:{port}/api/docs"
        assert (said["production"], said["workers"]) == (False, 2)
        assert "Traceback" not in log.read_text()


def test_of_two_on_one_port_one_starts(settings, tmp_path):
    """Started at the same moment, long before either listens."""
    port = str(free_port())
    logs = [tmp_path / "first", tmp_path / "second"]
    started = [_started(settings, log, port) for log in logs]
    try:
        wait_until(lambda: any(one.poll() is not None for one in started), "one was refused")
        [refused] = [number for number in (0, 1) if started[number].poll() is not None]
        other = logs[1 - refused]
        wait_until(lambda: "listening" in other.read_text(), "the other serves")
        assert started[refused].returncode == 1
        assert started[1 - refused].poll() is None
    finally:
        for one in started:
            processes.end(one)

    assert logs[refused].read_text().splitlines()[0] == (
        f"gamekeeper: cannot listen on 127.0.0.1:{port}: Address already in use."
    )


def _started(settings: Settings, log: Path, port: str) -> subprocess.Popen[bytes]:
    with log.open("wb") as stream:
        serve = command("serve", "--port", port)
        return processes.start(serve, env=environment(settings), stderr=stream)


def test_a_port_of_another_program_is_said_in_two_lines(settings):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = serve_in_vain(settings, "--port", str(port))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        f"gamekeeper: cannot listen on 127.0.0.1:{port}: Address already in use.",
        (
            "Another program uses this port; `ss -ltnp` shows which. Stop it, or choose another "
            "port with --port."
        ),
    ]


@pytest.mark.parametrize(
    ("host", "first", "second"),
    [
        ("nowhere.invalid", "cannot listen on nowhere.invalid: ", "Give --host an address of this"),
        ("203.0.113.9", "cannot listen on 203.0.113.9:8123: Cannot assign", "Not an address"),
    ],
)
def test_a_host_that_is_not_ours_is_said_in_two_lines(settings, host, first, second):
    done = serve_in_vain(settings, "--host", host, "--port", "8123")

    lines = done.stderr.splitlines()
    assert (done.returncode, len(lines)) == (1, 2)
    assert lines[0].startswith(f"gamekeeper: {first}")
    assert lines[1].startswith(second)


def test_a_metrics_port_that_is_taken_is_a_bad_setting(settings):
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        port = str(free_port())
        done = serve_in_vain(settings, "--port", port, GAMEKEEPER_METRICS_ADDRESS=address)

    assert done.returncode == 1
    # The log is written by a thread, so one of its lines may come after the last words.
    said = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert said[-1].startswith("gamekeeper: GAMEKEEPER_METRICS_ADDRESS (")
    assert "Traceback" not in done.stderr


def wrong(settings: Settings) -> Settings:
    server = str(settings.database_url).rpartition("/")[0]
    return Settings(database_url=Hidden(f"{server}/nothere"))


REASON = re.compile(
    r'PostgreSQL at .+ says: database "nothere" does not exist. Create the database .+'
)


def test_serve_logs_a_wrong_url_at_start_and_not_for_every_request(settings, tmp_path):
    log = tmp_path / "log"
    with serving(wrong(settings), log, ready=False) as (url, _):
        [said] = events(log, "database_unavailable")
        for _ in range(10):
            answer = httpx2.get(f"{url}/readyz", timeout=PATIENCE)
            assert answer.status_code == 503
            assert "nothere" not in answer.text, "that is for operators only"
        wait_until(lambda: len(events(log, "request")) >= 10, "the requests are logged")

    assert said["level"] == "error"
    assert REASON.fullmatch(str(said["reason"]))
    # Once by the parent and once by the process that answers; each again after 30 seconds.
    assert len(events(log, "database_unavailable")) == 2
    assert "Traceback" not in log.read_text()


IMPATIENT = """
from gamekeeper import worker
from gamekeeper.cli import main
worker.RESTART_SECONDS = 0.01
main()
"""
"""`gamekeeper …` with a worker that tries again a hundred times as often."""


@contextmanager
def working_impatiently(settings: Settings, log: Path) -> Iterator[None]:
    worker = [sys.executable, "-c", IMPATIENT, "worker"]
    with (
        log.open("wb") as stream,
        processes.running(worker, env=environment(settings), stderr=stream),
    ):
        yield


def test_a_worker_with_a_wrong_url_says_it_once(settings, tmp_path):
    log = tmp_path / "log"
    with working_impatiently(wrong(settings), log):
        wait_until(lambda: events(log, "database_unavailable"), "it is said")
        time.sleep(0.3)

    assert [line["event"] for line in events(log)] == ["development_keys", "database_unavailable"]
    assert REASON.fullmatch(str(events(log)[1]["reason"]))


async def test_a_worker_without_tables_says_so_once_and_begins_when_they_are_there(tmp_path):
    log = tmp_path / "log"
    async with cloned("template1") as empty:
        with working_impatiently(empty, log):
            wait_until(lambda: events(log, "worker_waiting_for_tables"), "it is said")
            time.sleep(0.3)
            before = [line["event"] for line in events(log)]
            await migrate(empty)
            wait_until(lambda: events(log, "worker_started"), "it begins")

    assert before == ["development_keys", "worker_waiting_for_tables"]
    said = [str(line["reason"]) for line in events(log, "worker_waiting_for_tables")]
    assert said[0] == "The tables do not exist yet. Run: gamekeeper migrate"
    # While migrate runs, they are there in part.
    assert said[1:] in ([], ["The schema is older than this version; run: gamekeeper migrate"])
    assert "Traceback" not in log.read_text()


async def test_a_role_without_grants_is_told_what_to_run(settings, database, tmp_path):
    role = f"messages_{os.getpid()}"
    connection = await asyncpg.connect(settings.database_url)
    try:
        await connection.execute(f"CREATE ROLE {role} LOGIN")
        server = str(settings.database_url).partition("@")[2]
        other = Settings(database_url=Hidden(f"postgresql://{role}@{server}"))
        log = tmp_path / "log"
        with serving(other, log, ready=False):
            [said] = events(log, "privileges_missing")
    finally:
        await connection.execute(f"DROP ROLE {role}")
        await connection.close()

    assert "permission denied for table migrations" in str(said["reason"])
    assert "gamekeeper migrate --app-role" in str(said["reason"])
