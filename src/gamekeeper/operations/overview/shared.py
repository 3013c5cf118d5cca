"""
The figures that all callers share: read once, by one of them, and kept for two seconds.

A caller waits for the read that is under way, whoever began it. If that takes long or fails,
callers get the last figures, which say from when they are, as long as those are not too old; the
read goes on in the background. Each process keeps its own.
"""

import asyncio
from datetime import datetime
from time import monotonic
from weakref import WeakKeyDictionary

from msgspec import Struct

from gamekeeper.core.observability import loggers
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import Entry
from gamekeeper.operations.overview import figures
from gamekeeper.operations.overview.figures import ActionHours, OnlinePoint, SupplyChanges

FRESH_SECONDS = 2.0
USABLE_SECONDS = 60.0
"""Older figures are shown to nobody: the caller waits, and gets the error if there is one."""
PATIENCE_SECONDS = 0.5
"""How long a caller that could have older figures waits for new ones."""

log = loggers.get_logger()


class SharedFigures(Struct, frozen=True, kw_only=True):
    """What is the same for every caller, before anything is withheld from one."""

    at: datetime
    curve: list[OnlinePoint]
    hours: ActionHours
    supply: SupplyChanges
    staff_actions: list[Entry]


async def read_figures(reader: Reader) -> SharedFigures:
    now: datetime = await reader.value("SELECT now()")
    curve, hours, supply, staff = await asyncio.gather(
        figures.online_curve(reader),
        figures.action_hours(reader, now),
        figures.supply_changes(reader, now),
        figures.staff_actions(reader, now),
    )
    return SharedFigures(at=now, curve=curve, hours=hours, supply=supply, staff_actions=staff)


async def shared_figures(reader: Reader) -> SharedFigures:
    """The figures, at most two seconds old unless they are slow to read."""
    kept = _kept.get(reader)
    if kept is None:
        kept = _kept[reader] = _Kept()
    return await kept.figures(reader)


class _Kept:
    """The last figures of a reader, and the read of the next ones."""

    def __init__(self) -> None:
        self._last: SharedFigures | None = None
        self._read_at = 0.0
        self._reading: asyncio.Task[None] | None = None
        self._throttle = LogThrottle()

    async def figures(self, reader: Reader) -> SharedFigures:
        if self._last and self._age < FRESH_SECONDS:
            return self._last
        # A caller that goes away must not end the read of the others.
        reading = self._reading or self._begin(reader)
        if self._last and self._age < USABLE_SECONDS:
            await asyncio.wait({reading}, timeout=PATIENCE_SECONDS)
            return self._last
        await asyncio.shield(reading)
        assert self._last
        return self._last

    @property
    def _age(self) -> float:
        return monotonic() - self._read_at

    def _begin(self, reader: Reader) -> "asyncio.Task[None]":
        self._reading = asyncio.create_task(self._read(reader))
        self._reading.add_done_callback(self._end)
        return self._reading

    async def _read(self, reader: Reader) -> None:
        begun = monotonic()
        self._last, self._read_at = await read_figures(reader), begun

    def _end(self, reading: "asyncio.Task[None]") -> None:
        self._reading = None
        if reading.cancelled() or (fault := reading.exception()) is None:
            return
        if self._throttle.is_due(type(fault).__name__):
            log.warning("overview_unread", fault=type(fault).__name__, reason=str(fault))


_kept: WeakKeyDictionary[Reader, _Kept] = WeakKeyDictionary()
