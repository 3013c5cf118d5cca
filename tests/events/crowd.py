"""Writers that never rest and listeners that are cut off, to be held against each other."""

import asyncio
import random
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import msgspec

from gamekeeper.database import Writer
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.settings import Settings
from tests.make import BY

IN_A_TRANSACTION = 10
LONG_SECONDS = (0.5, 3.0)
LAST = re.compile(rb"^id: (\d+)$", re.MULTILINE)
NO_EVENT = re.compile(
    rb"^(?:retry: .*|: still here\nid: .*|id: \d+\nevent: end\n.*)\n\n", re.MULTILINE
)
DATA = re.compile(rb"^data: (.*)$", re.MULTILINE)
SILENCE_SECONDS = 5


class Writers:
    """Write numbered actions on characters, some of them in transactions that take long."""

    def __init__(self, settings: Settings, players: Sequence[UUID], total: int, rate: int) -> None:
        self._settings, self._players = settings, players
        self._left, self._rate = total // IN_A_TRANSACTION, rate
        self._begun = time.monotonic()
        self._number: Counter[UUID] = Counter()
        self.total = self._left * IN_A_TRANSACTION
        self.written = 0
        self.committed: dict[UUID, float] = {}
        self.long = 0

    async def run(self, writers: int) -> None:
        self._begun = time.monotonic()
        await asyncio.gather(*(self._write(random.Random(seed)) for seed in range(writers)))

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begun

    async def _write(self, dice: random.Random) -> None:
        # A connection without the pool's deadlines: who waits behind a long one waits.
        connection = await asyncpg.connect(self._settings.database_url)
        writer = Writer(connection, self._settings)
        while self._left:
            self._left -= 1
            ahead = self.written / self._rate - self.seconds
            if ahead > 0:
                await asyncio.sleep(ahead)
            player = dice.choice(self._players)
            pause = dice.uniform(*LONG_SECONDS) if dice.random() < 0.005 else 0
            async with connection.transaction():
                done = await self._act(writer, player, pause)
            now = time.time()
            self.committed.update((action.id, now) for action in done)
            self.written += len(done)
            self.long += bool(pause)
        await connection.close()

    async def _act(self, writer: Writer, player: UUID, pause: float) -> list[Action]:
        """As operations do: numbered before the character is waited for, recorded after that."""
        await writer.value("SELECT pg_current_xact_id()")
        await writer.rows("SELECT id FROM players WHERE id = $1 FOR NO KEY UPDATE", player)
        numbers = range(self._number[player], self._number[player] + IN_A_TRANSACTION)
        done = [
            Action(kind="variables.set", by=BY, player_id=player, after={"value": number})
            for number in numbers
        ]
        await actions.record(writer, done)
        await asyncio.sleep(pause)
        self._number[player] += IN_A_TRANSACTION
        return done


class Listener:
    """
    Follows the stream to its end, however often it is cut off.

    All note the ids and a checksum of everything they were told, in order; those who
    are `thorough` look at every event.
    """

    def __init__(
        self,
        ports: Callable[[], list[int]],
        key: str,
        begin: int,
        writers: Writers,
        *,
        thorough: bool,
    ) -> None:
        self._ports, self._key, self._writers, self._thorough = ports, key, writers, thorough
        self._cut = asyncio.Event()
        self._numbers: Counter[str] = Counter()
        self.begin = self.last = begin
        self.sum = 0
        self.wrong: list[str] = []
        self.lags: list[float] = []
        self.resumed = 0

    async def run(self) -> None:
        end = self.begin + self._writers.total
        while self.last < end and not self.wrong:
            try:
                await self._listen(end)
            except (OSError, EOFError, TimeoutError, ValueError):
                await asyncio.sleep(random.uniform(0.02, 0.1))
            self.resumed += 1

    def kill(self) -> None:
        self._cut.set()

    async def _listen(self, end: int) -> None:
        self._cut.clear()
        reader, writer = await asyncio.open_connection("127.0.0.1", random.choice(self._ports()))
        try:
            writer.write(
                f"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
                f"Authorization: Bearer {self._key}\r\nLast-Event-ID: {self.last}\r\n\r\n".encode()
            )
            async with asyncio.timeout(SILENCE_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                raise OSError(head)
            buffer = b""
            while self.last < end and not self._cut.is_set():
                buffer = self._taken(buffer + await self._piece(reader))
        finally:
            writer.transport.abort()

    async def _piece(self, reader: asyncio.StreamReader) -> bytes:
        async with asyncio.timeout(SILENCE_SECONDS + 15):
            size = int(await reader.readline(), 16)
            piece = await reader.readexactly(size)
            await reader.readexactly(2)
        if not size:
            raise EOFError
        return piece

    def _taken(self, buffer: bytes) -> bytes:
        """Note the whole events in the buffer; what is left of it."""
        whole, mark, rest = buffer.rpartition(b"\n\n")
        told = NO_EVENT.sub(b"", whole + mark)
        if told:
            # The first id, the last and how many; the sum and the thorough tell the rest.
            first, last = (int(told[4 : told.index(b"\n")]), int(LAST.findall(told[-5000:])[-1]))
            count = told.count(b"\nevent: ")
            if (first, last) != (self.last + 1, self.last + count):
                self.wrong.append(f"after {self.last} came {first} to {last}, {count} events")
            self.last = last
            self.sum = zlib.crc32(told, self.sum)
            if self._thorough:
                self._look(told)
        return rest if mark else buffer

    def _look(self, told: bytes) -> None:
        now = time.time()
        for data in DATA.findall(told):
            self._examine(msgspec.json.decode(data), now)

    def _examine(self, event: dict[str, object], now: float) -> None:
        player, number = str(event["PlayerId"]), event["After"]["value"]  # type: ignore[index]
        if number != self._numbers[player]:
            self.wrong.append(f"{player} came to {number} after {self._numbers[player] - 1}")
        self._numbers[player] += 1
        written = self._writers.committed.get(UUID(str(event["Id"])), now)
        self.lags.append(now - written)


def told(lags: Sequence[float]) -> str:
    """The middle, the slowest hundredth and the slowest."""
    ordered = sorted(lags)
    places = [ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]]
    when = datetime.now(UTC).strftime("%H:%M:%S")
    return f"{when} lag {places[0]:.3f} s, p99 {places[1]:.3f} s, most {places[2]:.3f} s"
