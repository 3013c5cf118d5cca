"""Events: pages of them, and the stream, which is taken up again where it broke off."""

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import replace
from typing import Any, cast

import httpx2

from gamekeeper_client.calls import Async, Call, Group, How, Id, Sync, reads
from gamekeeper_client.errors import refusal
from gamekeeper_client.records import EventEntries, EventEntry
from gamekeeper_client.retries import FOREVER, Retries, RetryPolicy

LATEST = "latest"
QUIET_SECONDS = 45.0
"""The service says something every 15 seconds; who is silent for so long is gone."""


class EventPages(Group[How]):
    """Everything that is done, oldest first."""

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
    ) -> EventEntries:
        """
        The events after one, or after `latest`; `wait` seconds until there is one.

        With `server` only those of the characters on that game server.
        """
        ...


class Place:
    """How far a listener has come, and what it sends to go on from there."""

    def __init__(self, call: Call, patience: RetryPolicy) -> None:
        self._call = call
        self.tries = Retries(patience)

    @property
    def beginning(self) -> Call | None:
        """Who begins at the latest asks first which that is: a break must not move it."""
        if self._call.query.get("after") != LATEST:
            return None
        return replace(self._call, query=self._call.query | {"limit": "1"})

    def begin(self, page: EventEntries) -> None:
        self._went_to(str(page["Next"]))

    def request(self) -> dict[str, Any]:
        timeout = httpx2.Timeout(10.0, read=QUIET_SECONDS)
        return {"url": self._call.path, "params": self._call.query, "timeout": timeout}

    def take(self, told: httpx2.ServerSentEvent) -> EventEntry | None:
        """The event that was told, if it was one and not only where we are."""
        if told.id:
            self._went_to(told.id)
        if told.event == "end":
            return None
        if told.id:
            self.tries.begin_anew()
        if not told.data:
            return None
        return cast("EventEntry", told.json())

    def after_refusal(self, response: httpx2.Response) -> float:
        pause = self.tries.after_answer(response)
        if pause is None:
            raise refusal(response)
        return pause

    def after_end(self) -> float:
        """The service ended it, or the connection broke: go on, unless patience has ended."""
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
    """Events, for who waits."""

    def __init__(self, client: Sync, http: httpx2.Client) -> None:
        super().__init__(client)
        self._http = http

    def stream(
        self,
        after: int | str | None = None,
        *,
        kinds: str | Sequence[str] | None = None,
        player: Id | None = None,
        server: Id | None = None,
        patience: RetryPolicy = FOREVER,
    ) -> Generator[EventEntry]:
        """
        Every event after one, as it happens; nothing is missed and nothing comes twice.

        Without `after` from the oldest that is still told, with `latest` from now on. A
        broken connection is taken up again by itself. Keep the last `Seq`: it is where to
        go on after a restart. `EventsExpired` if that is too long ago.
        """
        call = EventPages.page.call(after, kinds=kinds, player=player, server=server)
        return follow(self.client, self._http, Place(call, patience))


class AsyncEvents(EventPages[Async]):
    """Events, for who lets others work meanwhile."""

    def __init__(self, client: Async, http: httpx2.AsyncClient) -> None:
        super().__init__(client)
        self._http = http

    def stream(
        self,
        after: int | str | None = None,
        *,
        kinds: str | Sequence[str] | None = None,
        player: Id | None = None,
        server: Id | None = None,
        patience: RetryPolicy = FOREVER,
    ) -> AsyncGenerator[EventEntry]:
        """As `Events.stream`."""
        call = EventPages.page.call(after, kinds=kinds, player=player, server=server)
        return follow_async(self.client, self._http, Place(call, patience))
