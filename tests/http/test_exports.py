"""Exports leave the event loop to others, and only few run at once."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from msgspec import Struct, field
from structlog.testing import capture_logs

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from gamekeeper.ledger import chain
from tests.deadlines import PATIENCE
from tests.loop_slices import measured_slices
from tests.make import BY, make_item, make_player

EXPORT = "/api/v1/actions/export"
EVENTS = "/api/v1/events?names=true&after=0"
SSE = {"Accept": "text/event-stream"}
ROWS = 2000
LONGEST_SLICE = 5_000
"""Calls of functions. A hundred rows are 1,200; a thousand at once were 9,700."""

# Gifts as the service records them, with everything that a row of the file shows.
FILL = """
    INSERT INTO actions (id, at, kind, actor, actor_name, player_id, item_id, before, after,
                         reason, request_id, address)
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           at, 'items.give', 'key:shop', 'shop', $2, $3,
           jsonb_build_object('total', n, 'email', 'ana@example.com'),
           jsonb_build_object('total', n + 1, 'slots', jsonb_build_array(n, n, n)),
           'order ' || n, md5(n::text), '10.0.0.1'
      FROM generate_series(0, $1::int - 1) AS n,
           LATERAL (SELECT now() - interval '1 minute' - ($1 - n) * interval '1 ms' AS at) AS made
"""


async def fill(database: Database, rows: int = ROWS) -> None:
    player, item = await make_player(database), await make_item(database)
    await database.write(lambda writer: writer.run(FILL, rows, player, item))


async def key_of(database: Database, name: str, *scopes: str) -> dict[str, str]:
    key = await keys.create.one(database, keys.NewKey(by=BY, name=name, scopes=scopes or None))
    return {"Authorization": f"Bearer {key}"}


class Download(Struct):
    """A request whose client reads the body only after `go_on`."""

    head: asyncio.Future[Mapping[str, Any]] = field(default_factory=asyncio.Future)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    body: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive(self) -> Mapping[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.head.set_result(message)
            return
        await self.go_on.wait()
        self.body.put_nowait(message["body"])

    @property
    def status(self) -> int:
        return self.head.result()["status"]


@asynccontextmanager
async def download(
    client: httpx2.AsyncClient, path: str, headers: Mapping[str, str]
) -> AsyncIterator[Download]:
    """A download that has begun; at the end of the ``with`` block its client leaves."""
    asked, made = client.build_request("GET", path, headers=headers), Download()
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": asked.url.path,
        "raw_path": asked.url.raw_path.partition(b"?")[0],
        "query_string": asked.url.query,
        "headers": [(name.lower(), value) for name, value in asked.headers.raw],
        "server": ("gamekeeper", None),
        "client": ("127.0.0.1", 123),
    }
    assert isinstance(client._transport, httpx2.ASGITransport)
    app: Any = client._transport.app
    serving = asyncio.ensure_future(app(scope, made.receive, made.send))
    try:
        async with asyncio.timeout(PATIENCE):
            await made.head
        yield made
    finally:
        made.left.set()
        made.go_on.set()
        await serving


# ── The event loop ──


@pytest.mark.torture
async def test_no_slice_of_an_export_is_long(client, database, monkeypatch):
    await fill(database)
    # Personal information is masked for this one, which takes longer.
    narrow = await key_of(database, "narrow", "actions.read")
    # Imports, and prepares statements.
    await client.get(EXPORT, headers=narrow)
    with measured_slices(monkeypatch) as slices:
        answer = await client.get(EXPORT, headers=narrow)

    print(f"\nat most {slices.longest} calls, in {slices.what}")
    assert answer.text.count("items.give") == ROWS
    assert slices.longest < LONGEST_SLICE, slices.what


@pytest.mark.torture
async def test_no_slice_of_an_event_stream_is_long(client, database, monkeypatch):
    await fill(database)
    await chain.catch_up(database)
    last = b"id: %d\n" % await database.reader.value("SELECT max(seq) FROM chain")
    with measured_slices(monkeypatch) as slices:
        async with download(client, EVENTS, SSE) as stream, asyncio.timeout(PATIENCE):
            stream.go_on.set()
            while last not in await stream.body.get():
                pass

    print(f"\nat most {slices.longest} calls, in {slices.what}")
    assert slices.longest < LONGEST_SLICE, slices.what


# ── How many at once ──


async def test_a_caller_has_one_export_at_a_time(client, database):
    async with download(client, EXPORT, {}) as first:
        refused = await client.get(EXPORT)
        assert first.status == 200

    assert (refused.status_code, refused.json()["Code"]) == (429, "too_many_exports")
    assert refused.headers["Retry-After"] == "10"
    assert (await client.get(EXPORT)).status_code == 200


async def test_a_process_has_two_exports_at_a_time(client, database):
    callers = [await key_of(database, f"caller {number}") for number in range(4)]
    async with (
        download(client, EXPORT, callers[0]) as one,
        download(client, EXPORT, callers[1]) as other,
    ):
        async with download(client, EXPORT, callers[2]) as third:
            third.go_on.set()
        listed = await client.get("/api/v1/actions", headers=callers[2])
        assert [one.status, other.status, third.status] == [200, 200, 429]
    async with download(client, EXPORT, callers[3]) as fourth:
        fourth.go_on.set()

    assert (listed.status_code, fourth.status) == (200, 200)


@pytest.mark.torture
async def test_of_sixteen_exports_at_once_two_are_sent(client, database):
    await fill(database)
    callers = [await key_of(database, f"caller {number}") for number in range(16)]

    answers = await asyncio.gather(*(client.get(EXPORT, headers=caller) for caller in callers))

    assert sorted(answer.status_code for answer in answers) == [200, 200, *[429] * 14]


async def test_what_needs_no_stream_takes_no_place(client):
    for _ in range(3):
        assert (await client.head(EXPORT)).status_code == 200
        assert (await client.get(EXPORT, params={"kind": "nothing"})).status_code == 400
    assert (await client.get(EXPORT)).status_code == 200


# ── The access log ──


async def test_the_access_log_has_the_time_of_the_stream(client):
    with capture_logs() as logs:
        async with download(client, EXPORT, {}) as slow:
            slow.go_on.set()
        await client.get("/api/v1/actions")

    stream, page = [line for line in logs if line["event"] == "request"]
    assert stream["stream_ms"] > stream["ms"] > 0
    assert "stream_ms" not in page
