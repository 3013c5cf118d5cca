"""How large and how deep a body may be, and what becomes of the connection when it is refused."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import closing

import pytest

from tests.contract.outcomes import outcome, refusal

EMPTY_LIST = (200, {"total": 0, "Page": 0, "count": 0, "entries": [], "PageSize": 5, "Values": []})

TOO_LARGE = refusal(413, "body_too_large", "The body is larger than 64 KiB.")


def padded(size: int) -> bytes:
    """A valid body of exactly that many bytes."""
    frame = len('{"pad": ""}')
    return json.dumps({"pad": "x" * (size - frame)}).encode()


@pytest.mark.parametrize("pieces", [1, 5])
@pytest.mark.parametrize(("size", "fits"), [(65536, True), (65537, False), (300_000, False)])
async def test_a_body_over_64_kib_is_too_large(client, size, fits, pieces):
    """Whether its length is announced, or it comes in chunks."""
    whole = padded(size)
    assert len(whole) == size

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, size, size // pieces):
            yield whole[start : start + size // pieces]

    answer = await client.post(
        "/api/v1/players/online",
        content=whole if pieces == 1 else chunks(),
        headers={"Content-Type": "application/json"},
    )

    if fits:
        assert outcome(answer) == EMPTY_LIST
    else:
        assert outcome(answer) == TOO_LARGE


async def test_a_body_of_megabytes_is_told_that_it_is_too_large(client):
    """The caller hears why, rather than a broken connection."""
    for _ in range(3):
        answer = await client.post(
            "/api/v1/players/online",
            content=padded(4_000_000),
            headers={"Content-Type": "application/json"},
        )
        assert outcome(answer) == TOO_LARGE


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/nowhere", 20, 404),
        ("/api/v1/players/rank", 20, 405),
        ("/api/v1/players/online", 20, 401),
        ("/api/v1/players/online", 60_000, 401),
        ("/api/v1/users/password/reset/complete", 100_000, 413),
    ],
)
async def test_the_next_call_on_a_connection_is_answered_unless_its_end_was_announced(
    url, path, length, status
):
    """A body that is sent a moment after its headers, to a call that is refused without it."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
    for _ in range(3):
        reader, writer = await asyncio.open_connection(*url.removeprefix("http://").split(":"))
        with closing(writer):
            writer.write(f"{head}Content-Length: {length}\r\n\r\n".encode())
            await asyncio.sleep(0.05)
            writer.write(b"x" * length)
            first = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 5)
            assert first.startswith(f"HTTP/1.1 {status} ".encode())
            if b"connection: close" in first.lower():
                continue
            await reader.readexactly(int(re.findall(rb"content-length: (\d+)", first)[0]))
            await asyncio.sleep(0.05)
            writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
@pytest.mark.parametrize(("depth", "fits"), [(32, True), (33, False), (1000, False), (9000, False)])
async def test_json_nests_no_deeper_than_32(client, opening, depth, fits):
    closing = "]" if opening == "[" else "}"
    inner = opening * (depth - 1) + "0" + closing * (depth - 1)
    answer = await client.post(
        "/api/v1/players/online",
        content=f'{{"ignored":{inner}}}',
        headers={"Content-Type": "application/json"},
    )

    if fits:
        assert outcome(answer) == EMPTY_LIST
    else:
        status, body = outcome(answer)
        assert (status, body["Code"]) == (400, "invalid_body")
