"""Events: pages, and a stream of server-sent events that reconnects and resumes."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import replace
from typing import Any, cast

import httpx2

from gamekeeper_client.calls import Async, Call, Group, How, Id, Sync, reads
from gamekeeper_client.connections import Connection, policy
from gamekeeper_client.errors import api_error
from gamekeeper_client.records import EventEntries, EventEntry
from gamekeeper_client.retries import FOREVER, Retries, RetryPolicy

LATEST = "latest"
QUIET_SECONDS = 45.0
"""Read timeout: the service sends a keep-alive every 15 seconds."""


class EventPages(Group[How]):
    """All events, oldest first."""

    @reads("/api/v1/events")
    def page(
        self,
        after: int | str | None = None,
        *,
        kinds: str | Sequence[str] | None = None,
        player: Id | None = None,
        server: Id | None = None,
        wait: int | None = None,
        limit: int | None = None,
        names: bool = False,
    ) -> EventEntries:
        """
        The events after one, or after `latest`; waits up to `wait` seconds (long polling).

        With `server`, only those of the characters on that game server. With `names`, names
        beside ids.
        """
        ...


class Place:
    """A listener's position, and the request that resumes there."""

    def __init__(
        self, call: Call, connection: Connection, retries: RetryPolicy | int = FOREVER
    ) -> None:
        self._call = call
        self._connection = connection
        self.tries = Retries(policy(retries), about=call.about)

    @property
    def beginning(self) -> Call | None:
        """The call that resolves `latest` to a number first: a reconnect must not move it."""
        if self._call.query.get("after") != LATEST:
            return None
        return replace(self._call, query=self._call.query | {"limit": "1"})

    def begin(self, page: EventEntries) -> None:
        self._went_to(str(page.next))

    def request(self) -> dict[str, Any]:
        timeout = httpx2.Timeout(10.0, read=QUIET_SECONDS)
        return {
            "url": self._connection.url + self._call.path,
            "params": self._call.query,
            "headers": self._connection.headers,
            "timeout": timeout,
        }

    def take(self, told: httpx2.ServerSentEvent) -> EventEntry | None:
        """The event, or None if the message is a keep-alive or the end of the stream."""
        if told.id:
            self._went_to(told.id)
        if told.event == "end":
            return None
        if told.id:
            self.tries.begin_anew()
        if not told.data:
            return None
        return EventEntry(cast("dict[str, Any]", told.json()))

    def after_refusal(self, response: httpx2.Response) -> float:
        pause = self.tries.after_answer(response)
        if pause is None:
            raise api_error(response)
        return pause

    def after_end(self) -> float:
        """The pause before a reconnect after the stream ended; raises if no retries are left."""
        return self.tries.after_fault(httpx2.ReadError("the stream ended"))

    def _went_to(self, seq: str) -> None:
        self._call = replace(self._call, query=self._call.query | {"after": seq})


def follow(client: Sync, http: httpx2.Client, place: Place) -> Generator[EventEntry]:
    if (beginning := place.beginning) is not None:
        place.begin(client.send(beginning))
    while True:
        try:
            with http.sse(**place.request()) as source:
                if source.response.status_code == 200:
                    for told in source:
                        if (event := place.take(told)) is not None:
                            yield event
                    pause = place.after_end()
                else:
                    source.response.read()
                    pause = place.after_refusal(source.response)
        except httpx2.TransportError as fault:
            pause = place.tries.after_fault(fault)
        time.sleep(pause)


async def follow_async(
    client: Async, http: httpx2.AsyncClient, place: Place
) -> AsyncGenerator[EventEntry]:
    if (beginning := place.beginning) is not None:
        place.begin(await client.send(beginning))
    while True:
        try:
            async with http.sse(**place.request()) as source:
                if source.response.status_code == 200:
                    async for told in source:
                        if (event := place.take(told)) is not None:
                            yield event
                    pause = place.after_end()
                else:
                    await source.response.aread()
                    pause = place.after_refusal(source.response)
        except httpx2.TransportError as fault:
            pause = place.tries.after_fault(fault)
        await asyncio.sleep(pause)


class Events(EventPages[Sync]):
    """Events for the synchronous client."""

    def __init__(self, client: Sync, http: httpx2.Client, connection: Connection) -> None:
        super().__init__(client)
        self._http = http
        self._connection = connection

    def stream(
        self,
        after: int | str | None = None,
        *,
        kinds: str | Sequence[str] | None = None,
        player: Id | None = None,
        server: Id | None = None,
        names: bool = False,
        retries: RetryPolicy | int = FOREVER,
    ) -> Generator[EventEntry]:
        """
        Every event after one, as it happens; none is missed or repeated.

        Without `after`, from the oldest retained event; with `latest`, from now on. Reconnects
        after a broken connection. Keep the last `seq` to resume after a restart; raises
        `EventsExpired` if that is too long ago.
        """
        call = EventPages.page.call(after, kinds=kinds, player=player, server=server, names=names)
        return follow(self.client, self._http, Place(call, self._connection, retries))


class AsyncEvents(EventPages[Async]):
    """Events for the asyncio client."""

    def __init__(self, client: Async, http: httpx2.AsyncClient, connection: Connection) -> None:
        super().__init__(client)
        self._http = http
        self._connection = connection

    def stream(
        self,
        after: int | str | None = None,
        *,
        kinds: str | Sequence[str] | None = None,
        player: Id | None = None,
        server: Id | None = None,
        names: bool = False,
        retries: RetryPolicy | int = FOREVER,
    ) -> AsyncGenerator[EventEntry]:
        """As `Events.stream`."""
        call = EventPages.page.call(after, kinds=kinds, player=player, server=server, names=names)
        return follow_async(self.client, self._http, Place(call, self._connection, retries))
