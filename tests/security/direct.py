"""Calls of the application without an HTTP client, which takes longer than most calls."""

import asyncio
from collections.abc import Mapping, MutableMapping
from typing import Any

from msgspec import Struct, field, json

from gamekeeper.app import App


class Answer(Struct):
    status: int = 0
    body: bytearray = field(default_factory=bytearray)

    def json(self) -> Any:
        return json.decode(self.body)


async def call(
    app: App, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
) -> Answer:
    """Send one request from 127.0.0.1; with a body it is JSON."""
    sent = {"host": "gamekeeper", **headers}
    if body is not None:
        sent |= {"content-type": "application/json", "content-length": str(len(body))}
    answer, complete = Answer(), asyncio.Event()
    requests = [{"type": "http.request", "body": body or b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if requests:
            return requests.pop()
        await complete.wait()
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
        else:
            answer.body += message.get("body", b"")
            if not message.get("more_body", False):
                complete.set()

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "server": ("gamekeeper", None),
        "client": ("127.0.0.1", 123),
    }
    await app(scope, receive, send)
    assert complete.is_set()
    return answer
