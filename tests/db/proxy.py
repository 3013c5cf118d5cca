"""A TCP proxy in front of PostgreSQL, to lose answers and to cut the network."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

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
        self._flows = asyncio.Event()
        self._flows.set()

    def silence(self) -> None:
        """Pass nothing on, in both directions; connections stay open, as in a cut network."""
        self._call(self._flows.clear)

    def resume(self) -> None:
        self._call(self._flows.set)

    def _call(self, change: Callable[[], None]) -> None:
        """In the thread of the proxy, which may not be that of the test."""
        assert self.loop is not None
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
                await self._flows.wait()
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
                await self._flows.wait()
                client.write(piece)
                await client.drain()
        client.close()

    async def close(self) -> None:
        self._flows.set()
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
