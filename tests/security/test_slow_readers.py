"""Clients that do not read what they asked for are cut off and cost little (attack 9)."""

import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.server import serving

LARGEST = "/api/docs/swagger-ui-bundle.js"


def children(pid: int) -> list[int]:
    found = subprocess.run(
        ["pgrep", "--parent", str(pid), "--full", "spawn_main"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(child) for child in found.stdout.split()]


def megabytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) // 1024


def open_files(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def asks_and_does_not_read(url: str, stack: ExitStack) -> socket.socket:
    where = urlsplit(url)
    one = stack.enter_context(socket.socket())
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    one.settimeout(20)
    one.connect((where.hostname, where.port))
    one.sendall(f"GET {LARGEST} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return one


def eventually(holds, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.2)
    return holds()


@pytest.mark.torture
async def test_who_does_not_read_is_cut_off(settings, tmp_path):
    """At most eight of one address are sent a large answer at a time, each with a deadline."""
    env = {"GAMEKEEPER_STREAM_PATIENCE_SECONDS": "2"}
    with serving(settings, tmp_path / "log", **env) as (url, process), ExitStack() as stack:
        [child] = children(process.pid)
        whole = httpx2.get(url + LARGEST, headers={"Accept-Encoding": "identity"}).content
        before = open_files(child)
        for _ in range(20):
            asks_and_does_not_read(url, stack)
        assert eventually(lambda: open_files(child) > before + 4, 10)
        assert httpx2.get(url + LARGEST, timeout=10).status_code == 503
        assert eventually(lambda: "answer_cut" in (tmp_path / "log").read_text(), 20)
        # The others were refused, and are idle until the deadline for the next request.
        assert eventually(lambda: open_files(child) <= before, 40)
        assert httpx2.get(url + LARGEST, timeout=10).content == whole


async def test_one_address_holds_no_more_than_its_connections(settings, tmp_path):
    env = {"GAMEKEEPER_CONNECTIONS_PER_ADDRESS": "60"}
    with serving(settings, tmp_path / "log", **env) as (url, process), ExitStack() as stack:
        [child] = children(process.pid)
        where = urlsplit(url)
        for _ in range(100):
            stack.enter_context(socket.create_connection((where.hostname, where.port)))
        assert eventually(lambda: "connections_closed" in (tmp_path / "log").read_text(), 15)
        assert eventually(lambda: open_files(child) < 95, 10)
        assert httpx2.get(url + "/livez", timeout=10).status_code == 200


async def test_documents_are_compressed_and_cached(client):
    plain = await client.get(LARGEST, headers={"Accept-Encoding": "identity"})
    packed = await client.get(LARGEST, headers={"Accept-Encoding": "br, gzip"})
    refused = await client.get(LARGEST, headers={"Accept-Encoding": "gzip;q=0"})
    known = await client.get(LARGEST, headers={"If-None-Match": plain.headers["etag"]})

    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in refused.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content == refused.content
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    assert plain.headers["cache-control"] == "no-cache"
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.slow
async def test_three_thousand_who_do_not_read_cost_little_memory(settings, tmp_path):
    with serving(settings, tmp_path / "log") as (url, process), ExitStack() as stack:
        [child] = children(process.pid)
        httpx2.get(url + LARGEST)
        before, most = megabytes(child), 0
        for _ in range(3000):
            asks_and_does_not_read(url, stack)
        begun = time.monotonic()
        while time.monotonic() - begun < 60:
            most = max(most, megabytes(child))
            time.sleep(1)
        after = megabytes(child)
        alive = httpx2.get(url + "/livez", timeout=10)
        print(f"\n{before} MB before, {most} at most, {after} after 60 s")
    assert alive.status_code == 200
    assert most < 300
    assert after < before + 60
