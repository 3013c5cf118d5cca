"""A TCP proxy in front of PostgreSQL, to lose answers and to cut the network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK = 1 << 16


class Proxy:
    def __init__(self, target: int) -> None:
        self._target = target
        self._open: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0
        self.lose_answer_to: bytes | None = None
        """The next request with these bytes arrives at the server; its connection then ends."""
        self.lost = asyncio.Event()

    def cut(self) -> None:
        """End all connections."""
        for writer in self._open:
            writer.transport.abort()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            their_reader, their_writer = await asyncio.open_connection("127.0.0.1", self._target)
            self._open |= {writer, their_writer}
            await asyncio.gather(
                self._requests(reader, their_writer, writer), _copy(their_reader, writer)
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
                if self.lose_answer_to and self.lose_answer_to in piece:
                    self.lose_answer_to = None
                    # Nothing that the server says from now on is passed on.
                    back.transport.abort()
                    self.lost.set()
                server.write(piece)
                await server.drain()
        server.close()

    async def close(self) -> None:
        self.cut()
        await asyncio.gather(*self._connections, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(CHUNK):
            writer.write(piece)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def proxy(target: int) -> AsyncIterator[Proxy]:
    made = Proxy(target)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await made.close()
