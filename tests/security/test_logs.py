"""A log that nobody reads stops neither the service nor its end (attack 18)."""

import os
import subprocess
import sys
import time
from select import select

import httpx2
import msgspec
import pytest

from gamekeeper.core.observability import logging
from tests.databases import UNLIMITED
from tests.deadlines import PATIENCE
from tests.server import environment, free_port


@pytest.mark.torture
async def test_a_stalled_reader_stops_nothing(settings):
    """Standard error is a pipe that is full: requests are answered, and SIGTERM ends it."""
    port = free_port()
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "gamekeeper", "serve", "--port", str(port)]
    # Without the rate for callers without a credential, which delays all but 20 a second.
    env = environment(settings, **UNLIMITED)
    process = subprocess.Popen(command, env=env, stderr=writing)
    os.close(writing)
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx2.Client(base_url=url, timeout=10) as client:
            deadline = time.monotonic() + PATIENCE
            while not answers(client) and time.monotonic() < deadline:
                time.sleep(0.1)
            # Some 250 lines fill the pipe.
            assert all(client.get("/livez").status_code == 200 for _ in range(600))
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        os.close(reading)


def answers(client: httpx2.Client) -> bool:
    try:
        return client.get("/livez").status_code == 200
    except httpx2.TransportError:
        return False


def test_lines_beyond_the_bound_are_dropped_and_counted():
    reading, writing = os.pipe()
    sink = logging.Sink(writing)
    line = b"x" * 999
    sent = logging.MOST_LINES + 3_000
    for _ in range(sent):
        sink.put(line + b"\n")
    got = dropped = 0
    rest = b""
    while got + dropped < sent and select([reading], [], [], 10)[0]:
        *lines, rest = (rest + os.read(reading, 1 << 20)).split(b"\n")
        got += lines.count(line)
        dropped += sum(msgspec.json.decode(line)["count"] for line in lines if line[:1] == b"{")
    sink.close()
    os.close(writing)
    os.close(reading)
    assert dropped > 0
    assert got + dropped == sent


def test_the_last_lines_are_written_at_the_end():
    reading, writing = os.pipe()
    sink = logging.Sink(writing)
    for number in range(50):
        sink.write(f"{number}\n")
    sink.close()
    os.close(writing)
    with os.fdopen(reading) as written:
        assert written.read().split() == [str(number) for number in range(50)]


def test_a_reader_that_has_stalled_does_not_hold_up_the_end(monkeypatch):
    monkeypatch.setattr(logging, "FLUSH_SECONDS", 0.2)
    reading, writing = os.pipe()
    sink = logging.Sink(writing)
    for _ in range(1000):
        sink.put(b"x" * 1000 + b"\n")
    begun = time.monotonic()
    sink.close()
    assert time.monotonic() - begun < logging.FLUSH_SECONDS + 1
    os.close(reading)
    time.sleep(0.1)
    os.close(writing)
