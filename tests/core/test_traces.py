"""Traces: one request is one tree, without a value in it; off, they are not even imported."""

import asyncio
import re
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4

import httpx2
import pytest
from msgspec import structs
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from structlog.testing import capture_logs

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.observability import traces
from gamekeeper.core.settings import BadSettings, Settings
from gamekeeper.events.webhooks import signatures
from gamekeeper.events.webhooks.attempts import DeliveryState, Sender, WebhookMessage
from tests.make import BY, make_item, make_player
from tests.server import free_port
from tests.webhooks.receivers import receiver

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"


class Collector:
    """Takes traces by OTLP over HTTP, as protobuf."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        bodies = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                bodies.append(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1/traces"

    @property
    def spans(self) -> list:
        return [
            span
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def about(span) -> dict[str, object]:
    return {
        attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value"))
        for attribute in span.attributes
    }


@asynccontextmanager
async def traced(
    settings: Settings, database, url: str, percent: int = 100
) -> AsyncIterator[httpx2.AsyncClient]:
    """The application with traces on; at the end of the block all of them have been sent."""
    app = App(structs.replace(settings, traces_url=url, traces_percent=percent))
    await app.start()
    key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
    try:
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app),
            base_url="http://gamekeeper",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            yield client
    finally:
        await app.stop()


async def test_one_request_is_one_tree_below_the_callers_span(database, settings, collector):
    await make_player(database, "Analogion")
    item = str(await make_item(database))
    async with traced(settings, database, collector.url) as client:
        given = await client.post(
            "/api/v1/players/Analogion/items/give",
            params={"secretword": "hush"},
            json={"itemid": item, "quantity": 7},
            headers={"traceparent": TRACEPARENT, "Idempotency-Key": "idem-4711"},
        )
        credential = client.headers["authorization"].partition(" ")[2]

    assert given.status_code == 200, given.text
    spans = [span for span in collector.spans if span.trace_id.hex() == TRACE]
    [request] = [span for span in spans if span.name.startswith("POST ")]
    assert request.parent_span_id.hex() == PARENT
    assert about(request)["http.route"] == "/api/v1/players/{key}/items/give"
    assert about(request)["http.response.status_code"] == 200
    assert about(request)["gamekeeper.request_id"] == given.headers["x-request-id"]

    ids = {span.span_id for span in spans}
    assert {span.parent_span_id for span in spans if span is not request} <= ids
    [give] = [span for span in spans if span.name == "players.items.give"]
    assert give.parent_span_id == request.span_id
    below = [span for span in spans if span.parent_span_id == give.span_id]
    names = [span.name for span in below]
    assert (names[0], names[-1]) == ("BEGIN;", "COMMIT")
    assert any("$1" in about(span)["db.query.text"] for span in below)

    everything = " ".join(str(span) for span in collector.spans)
    for value in ("Analogion", "analogion", item, "hush", "idem-4711", credential, credential[3:]):
        assert value not in everything


async def test_a_batch_is_linked_to_all_its_requests(database, settings, collector):
    await make_player(database, "Ana")
    item = str(await make_item(database))
    async with traced(settings, database, collector.url) as client:
        body = {"itemid": item, "quantity": 1}
        path = "/api/v1/players/Ana/items/give"
        await asyncio.gather(*(client.post(path, json=body) for _ in range(10)))

    spans = collector.spans
    requests = {span.span_id for span in spans if span.name.startswith("POST ")}
    batches = [span for span in spans if span.name == "players.items.give"]
    served = [span.parent_span_id for span in batches]
    served += [link.span_id for span in batches for link in span.links]
    assert len(requests) == 10
    assert sorted(served) == sorted(requests)
    assert sum(about(span)["gamekeeper.batch.size"] for span in batches) == 10


async def test_no_share_means_no_span_and_a_caller_cannot_raise_it(database, settings, collector):
    async with traced(settings, database, collector.url, percent=0) as client:
        await client.get("/api/v1/players/Nobody", headers={"traceparent": TRACEPARENT})

    assert collector.spans == []


async def test_an_error_is_told_by_its_kind_only(database, settings, collector):
    async with traced(settings, database, collector.url) as client:
        assert (await client.get("/api/v1/players/Nobody")).status_code == 404
        assert (await client.get("/nowhere/Analogion")).status_code == 404

    routes = {about(span).get("http.route") for span in collector.spans}
    assert {"/api/v1/players/{key}", "unknown"} <= routes
    assert "Analogion" not in str(collector.spans)
    assert "Nobody" not in str(collector.spans)


async def test_a_delivery_tells_its_target_of_its_span(database, settings, collector):
    settings = structs.replace(settings, webhook_hosts="127.0.0.1:*", traces_url=collector.url)
    database.settings = settings
    vault, webhook = Vault(settings), uuid4()
    secret = vault.encrypt(f"webhook {webhook}", str(signatures.new_secret()))
    message = WebhookMessage(message="evt_1", seq=1, kind="items.give", body=b'{"data": "quiet"}')
    traces.start(structs.replace(settings, traces_percent=100))
    try:
        async with receiver() as target:
            state = DeliveryState(
                id=webhook, url=target.url, kinds=None, emails=False, secret=secret,
                old_secret=None, enabled=True, position=0, attempts=0, pause=0, waiting=None,
                waiting_seq=None,
            )  # fmt: skip
            sender = Sender(database, vault)
            outcome = await sender.attempt(state, message)
            sender.close()
    finally:
        await asyncio.to_thread(traces.stop)

    assert outcome.is_success
    [span] = collector.spans
    told = target.received[0].headers["traceparent"]
    assert told.startswith(f"00-{span.trace_id.hex()}-{span.span_id.hex()}-")
    assert int(told[-2:], 16) & 1, "sampled"
    assert about(span)["http.response.status_code"] == 200
    assert about(span)["gamekeeper.event"] == "items.give"
    assert "quiet" not in str(span)
    assert target.url.partition("?")[0] not in str(span)


async def test_a_collector_that_is_away_costs_a_line_of_the_log(database, settings):
    away = f"http://127.0.0.1:{free_port()}/v1/traces"
    with capture_logs() as logs:
        async with traced(settings, database, away) as client:
            for _ in range(5):
                assert (await client.get("/api/v1/players/Nobody")).status_code == 404
            begun = time.monotonic()
        seconds = time.monotonic() - begun

    assert [line["event"] for line in logs if line["event"] == "traces_unsent"] == ["traces_unsent"]
    assert seconds < 10


def test_off_nothing_of_it_is_imported():
    code = (
        "import sys, gamekeeper.app, gamekeeper.worker, gamekeeper.cli.serve\n"
        "print(*(name for name in sys.modules if name.startswith(('opentelemetry', 'requests'))))\n"
        "print(*(name for name in sys.modules if re.search('spans|traced', name)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", "import re\n" + code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_without_the_package_it_says_what_to_install(settings, monkeypatch):
    monkeypatch.delitem(sys.modules, "gamekeeper.core.observability.spans", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)

    with pytest.raises(BadSettings, match=re.escape("pip install 'gamekeeper[traces]'")):
        traces.start(structs.replace(settings, traces_url="http://127.0.0.1:1/v1/traces"))
    assert traces.recorder is None
