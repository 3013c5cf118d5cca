"""A TCP proxy in front of a server, to lose answers, to slow them down and to cut the network."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

from msgspec import structs

from gamekeeper.core.settings import Hidden, Settings

CHUNK = 1 << 16


class Proxy:
    def __init__(self, target: int) -> None:
        self._target = target
        self._open: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0
        self.loop: asyncio.AbstractEventLoop | None = None
        self.lose_answer_to: bytes | None = None
        """The next request with these bytes arrives at the server; its connection then ends."""
        self.hold_request_with: bytes | None = None
        """The next request with these bytes arrives only after `resume`, and only it waits."""
        self.delay_seconds = 0.0
        """Of every answer, as of a network or a server that is slow."""
        self._requests_flow = asyncio.Event()
        self._answers_flow = asyncio.Event()
        self._held = asyncio.Event()
        self.resume()

    def silence(self, *, requests: bool = True, answers: bool = True) -> None:
        """Pass nothing on in these directions; connections stay open, as in a cut network."""
        if requests:
            self._call(self._requests_flow.clear)
        if answers:
            self._call(self._answers_flow.clear)

    def resume(self) -> None:
        for event in (self._requests_flow, self._answers_flow, self._held):
            self._call(event.set)

    def _call(self, change: Callable[[], None]) -> None:
        """In the thread of the proxy, which may not be that of the test."""
        if self.loop is None:
            change()
        else:
            self.loop.call_soon_threadsafe(change)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._open |= {writer, their_writer}
            await asyncio.gather(
                self._requests(reader, their_writer, writer), self._answers(their_reader, writer)
            )
        except OSError:
            writer.transport.abort()
        finally:
            self._connections.discard(task)

    async def _requests(
        self, client: asyncio.StreamReader, server: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError):
            while piece := await client.read(CHUNK):
                await self._requests_flow.wait()
                await self._hold(piece)
                if self.lose_answer_to and self.lose_answer_to in piece:
                    self.lose_answer_to = None
                    # Nothing that the server says from now on is passed on.
                    back.transport.abort()
                server.write(piece)
                await server.drain()
        server.close()

    async def _answers(self, server: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await server.read(CHUNK):
                await asyncio.sleep(self.delay_seconds)
                await self._answers_flow.wait()
                client.write(piece)
                await client.drain()
        client.close()

    async def _hold(self, piece: bytes) -> None:
        if self.hold_request_with and self.hold_request_with in piece:
            self.hold_request_with = None
            self._held.clear()
            await self._held.wait()

    async def close(self) -> None:
        self.resume()
        for writer in self._open:
            writer.transport.abort()
        await asyncio.gather(*self._connections, return_exceptions=True)


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    made = Proxy(target)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    made.loop = asyncio.get_running_loop()
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await made.close()


@asynccontextmanager
async def database_proxy(settings: Settings) -> AsyncIterator[tuple[Proxy, Settings]]:
    """A proxy, and the settings of a service that reaches PostgreSQL through it."""
    url = urlsplit(settings.database_url)
    assert url.port is not None
    account = url.netloc.rpartition("@")[0]
    async with proxy(url.port) as made:
        place = url._replace(netloc=f"{account}@127.0.0.1:{made.port}")
        yield made, structs.replace(settings, database_url=Hidden(place.geturl()))
