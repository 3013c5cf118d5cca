"""Who takes nothing is cut after a while, harms nobody, and goes on where it was."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from tests.deadlines import PATIENCE
from tests.events.listeners import Stream, listening
from tests.make import BY
from tests.server import serving

pytestmark = pytest.mark.torture

EVENTS = 1000
BIG = {"text": "x" * 20_000}
"""All of them together are more than sockets on the way would hold."""


async def test_who_takes_nothing_is_cut_and_misses_nothing(database, settings, key, tmp_path: Path):
    log = tmp_path / "log"
    begin = await database.reader.value("SELECT count(*) FROM actions")
    expected = [str(begin + number) for number in range(1, EVENTS + 1)]
    with serving(settings, log, GAMEKEEPER_STREAM_PATIENCE_SECONDS="1") as (url, _):
        port = urlsplit(url).port or 0
        async with listening(port, key, after=begin, limit=1024) as idle:
            async with listening(port, key, after=begin) as busy:
                heard = asyncio.create_task(_heard(busy, EVENTS))
                for _ in range(EVENTS // 50):
                    await database.write(lambda writer: actions.record(writer, _some()))
                assert await heard == expected
            await _cut(log)
            first = await _heard(idle, EVENTS)
        assert 0 < len(first) < EVENTS, "it was told all, or nothing"
        async with listening(port, key, after=int(first[-1])) as resumed:
            assert first + await _heard(resumed, EVENTS - len(first)) == expected


def _some() -> list[Action]:
    return [Action(kind="variables.set", by=BY, after=BIG) for _ in range(50)]


async def _cut(log: Path) -> None:
    async with asyncio.timeout(PATIENCE):
        while "stream_cut" not in log.read_text():
            await asyncio.sleep(0.02)


async def _heard(stream: Stream, most: int) -> list[str]:
    """The ids of what is told, until it is so many or the connection ends."""
    ids: list[str] = []
    async with asyncio.timeout(PATIENCE):
        try:
            async for event in stream:
                if event.event:
                    ids.append(event.id or "")
                if len(ids) == most:
                    break
        except (EOFError, OSError, ValueError):
            pass
    return ids
