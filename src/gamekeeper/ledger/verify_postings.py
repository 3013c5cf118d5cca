"""Verification of postings against the digest in the hash chain link of their action."""

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
"""Actions that record how many were held before and after."""
BETWEEN = timedelta(minutes=1)
"""The longest time between a posting and the recording of its action."""


class Link(msgspec.Struct, frozen=True):
    """A link with its action."""

    seq: int
    seal: Seal
    action: Linked


class Postings:
    """The postings of links, read on a separate connection (lane)."""

    def __init__(self, connection: asyncpg.Connection, beginning: datetime | None) -> None:
        self._connection = connection
        self._beginning = beginning

    def ask(self, links: Sequence[Link]) -> "asyncio.Task[list[ChainBreach]]":
        """Start the comparison in a task, concurrent with the caller."""
        return asyncio.create_task(self._breaches(links))

    async def _breaches(self, links: Sequence[Link]) -> list[ChainBreach]:
        found = await self._wrong(links, any_time=False)
        if found:
            # If the clock was set back, postings may be in another month than their action.
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
        """How the postings differ from those that were linked; None if they do not."""
        action = link.action.id
        if posted is None:
            gone = link.seal.postings is not None and not self._is_dropped(link.action)
            return f"The postings of action {action} are missing." if gone else None
        if link.seal.form == ACTION_ONLY:
            return _unlike_total(link.action, posted.quantity)
        if link.seal.postings is None:
            return f"Action {action} was linked without postings, and has {posted.count} now."
        if posted.digest != link.seal.postings:
            return f"The postings of action {action} were changed after it was linked."
        return None

    def _is_dropped(self, action: Linked) -> bool:
        """Whether the postings were dropped with their month; `ledger verify` checks openings."""
        return (
            self._beginning is not None
            and action.at is not None
            and action.at < self._beginning + BETWEEN
        )


def _of(link: Link, posted: dict[UUID, Posted]) -> Posted | None:
    return posted.get(link.action.id) if link.action.id else None


def _unlike_total(action: Linked, quantity: int) -> str | None:
    """For a link of form 1, without a digest: compare the sum with the action's totals."""
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
