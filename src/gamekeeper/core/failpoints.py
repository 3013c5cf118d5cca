"""
Fail points (fault injection): named places at which a test can kill this process.

They do nothing unless the setting `fail_point` names one. Then the process kills itself
there with SIGKILL, like a power cut: no handler runs, nothing is flushed, no transaction
is ended. The reliability tests check the response a client gets after such a crash, and
after its retry.
"""

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, get_args

Name = Literal["after_lock", "after_ledger", "before_commit", "after_commit", "after_first_byte"]
NAMES: tuple[Name, ...] = get_args(Name)
SPELLING = re.compile(rf"({'|'.join(NAMES)}):kill(?::([1-9][0-9]{{0,8}}))?")

BYTE_SECONDS = 0.02
"""Long enough for the first byte to be sent to the client."""

_armed: str | None = None
_left = 0


def arm(fail_point: str) -> None:
    """Arm a fail point: `name:kill` for the first time, `name:kill:9` for the ninth."""
    global _armed, _left
    spelled = SPELLING.fullmatch(fail_point)
    _armed, _left = (spelled[1], int(spelled[2] or 1)) if spelled else (None, 0)


def reach(name: Name) -> None:
    """Kill the process if this fail point is armed and its count is reached."""
    global _left
    if name == _armed:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


async def first_byte(send: Callable[[Mapping[str, Any]], Awaitable[None]], body: bytes) -> bytes:
    """Return what is left to send of `body`: all, unless the kill after one byte is armed."""
    if _armed != "after_first_byte" or not body:
        return body
    await send({"type": "http.response.body", "body": body[:1], "more_body": True})
    await asyncio.sleep(BYTE_SECONDS)
    reach("after_first_byte")
    return body[1:]
