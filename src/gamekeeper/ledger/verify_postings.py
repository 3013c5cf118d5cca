"""Verification of postings against what was hashed when their action was linked."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

from gamekeeper.ledger import digests
from gamekeeper.ledger.digests import Posted
from gamekeeper.ledger.links import ACTION_ONLY, Linked, Seal
from gamekeeper.ledger.reports import ChainBreach

TOTALLED = frozenset({"items.give", "items.take"})
"""Actions that say how many were held before and after."""
BETWEEN = timedelta(minutes=1)
"""An action is recorded at most so long after its postings."""


class Link(msgspec.Struct, frozen=True):
    """A link with the action it leads to."""

    seq: int
    seal: Seal
    action: Linked


class Postings:
    """The postings of links, looked for on a lane of their own."""

    def __init__(self, connection: asyncpg.Connection, beginning: datetime | None) -> None:
        self._connection = connection
        self._beginning = beginning

    def ask(self, links: Sequence[Link]) -> "asyncio.Task[list[ChainBreach]]":
        """Begin to compare; PostgreSQL works while the caller does something else."""
        return asyncio.create_task(self._breaches(links))

    async def _breaches(self, links: Sequence[Link]) -> list[ChainBreach]:
        found = await self._wrong(links, any_time=False)
        if found:
            # A clock that was set back takes postings to another month than their action's.
            wrong = {breach.seq for breach in found}
            found = await self._wrong([link for link in links if link.seq in wrong], any_time=True)
        return found

    async def _wrong(self, links: Sequence[Link], *, any_time: bool) -> list[ChainBreach]:
        actions = [link.action for link in links]
        posted = await digests.read_digests(self._connection, actions, any_time=any_time)
        return [
            ChainBreach(kind="postings", seq=link.seq, action_id=link.action.id, message=message)
            for link in links
            if (message := self._unlike(link, _of(link, posted)))
        ]

    def _unlike(self, link: Link, posted: Posted | None) -> str | None:
        """How the postings differ from those that were linked."""
        action = link.action.id
        if posted is None:
            gone = link.seal.postings is not None and not self._is_dropped(link.action)
            return f"The postings of action {action} are missing." if gone else None
        if link.seal.form == ACTION_ONLY:
            return _unlike_total(link.action, posted.quantity)
        if link.seal.postings is None:
            return f"Action {action} was linked without postings, and has {posted.count} now."
        if posted.digest != link.seal.postings:
            return f"The postings of action {action} are not what they were when it was linked."
        return None

    def _is_dropped(self, action: Linked) -> bool:
        """Whether the postings were dropped with their month: `ledger verify` proves the rest."""
        return (
            self._beginning is not None
            and action.at is not None
            and action.at < self._beginning + BETWEEN
        )


def _of(link: Link, posted: dict[UUID, Posted]) -> Posted | None:
    return posted.get(link.action.id) if link.action.id else None


def _unlike_total(action: Linked, quantity: int) -> str | None:
    """For a link that covers no postings: whether they add up to what the action says."""
    if action.kind not in TOTALLED:
        return None
    before, after = _total(action.before), _total(action.after)
    if before is None or after is None or after - before == quantity:
        return None
    return f"The postings of action {action.id} add up to {quantity}, but it says {after - before}."


def _total(state: str | None) -> int | None:
    held: Any = msgspec.json.decode(state) if state else None
    total = held.get("total") if isinstance(held, dict) else None
    return total if isinstance(total, int) else None
