"""Long polling: a response that is held back until there is something to tell."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from uuid import UUID

from gamekeeper.api.callers import Callers
from gamekeeper.core.errors import RoleRequired
from gamekeeper.http.requests import Request
from gamekeeper.servers.commands.doorbell import POLL_SECONDS, Doorbell

LONGEST_WAIT = 30


def permission(callers: Callers, request: Request, role: str) -> Callable[[], Awaitable[None]]:
    """A function that raises once the caller has lost `role`, or its credential is revoked."""

    async def still() -> None:
        known = await callers.authenticate(request)
        if not known.may(role):
            raise RoleRequired(role)

    return still


async def wait(
    bell: Doorbell,
    wanted: UUID,
    seconds: float,
    look: Callable[[], Awaitable[bool]],
    still: Callable[[], Awaitable[None]],
) -> bool:
    """Wait until `look` finds something, whenever it rings; False if the time is over before."""
    until = monotonic() + max(0, min(LONGEST_WAIT, seconds))
    with bell.at(wanted) as rung:
        while not (found := await look()) and not bell.closing and monotonic() < until:
            with suppress(TimeoutError):
                await asyncio.wait_for(rung.wait(), min(POLL_SECONDS, until - monotonic()))
            if not bell.closing:
                rung.clear()
            await still()
    return found
