"""A connection that fails when a test wants it to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit


class Proxy:
    """
    Passes bytes on to `target`, a URL that may change.

    The next `swallow` answers are not passed on: the service has done what it was asked,
    and the connection is cut as if the network had failed just then. While it is `silent`,
    answers are dropped and the connections stay, as if the other side had lost its power.
    """

    def __init__(self, target: str) -> None:
        self.target = target
        self.url = ""
        self.swallow = 0
        self.silent = False
        self.connections = 0
        self.asked = 0
        self._passing: set[asyncio.Task[None]] = set()

    async def cut(self) -> None:
        """Break every connection there is."""
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._pass(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        # Also if it was cancelled before it began.
        task.add_done_callback(lambda _: writer.transport.abort())

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            port = urlsplit(self.target).port
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return
        forth = asyncio.create_task(self._forth(reader, inner_writer))
        try:
            await self._back(inner_reader, writer)
        finally:
            # Before anything is awaited: a second cancel would leave the connection open.
            inner_writer.transport.abort()
            forth.cancel()
            await asyncio.gather(forth, return_exceptions=True)

    async def _forth(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests of tests are small: each comes in one piece."""
        with suppress(OSError):
            while piece := await reader.read(65536):
                self.asked += 1
                writer.write(piece)
                await writer.drain()

    async def _back(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            if self.silent:
                continue
            if self.swallow:
                self.swallow -= 1
                return
            writer.write(piece)
            await writer.drain()


@asynccontextmanager
async def proxying(target: str) -> AsyncIterator[Proxy]:
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        # A connection that was being accepted is passed on in the next turn of the loop.
        await asyncio.sleep(0)
        await proxy.cut()
