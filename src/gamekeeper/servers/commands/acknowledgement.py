"""Acknowledgement: commands sent, and their answers, if they come within a moment."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from time import monotonic
from uuid import UUID

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.servers.commands import outbox, records
from gamekeeper.servers.commands.doorbell import POLL_SECONDS, Doorbell
from gamekeeper.servers.commands.outbox import NewCommand
from gamekeeper.servers.commands.records import GameCommand
from gamekeeper.servers.commands.states import SETTLED

WAIT_SECONDS = 2.5
"""Clients of Intersect wait at least three."""
FETCH_SECONDS = 3
"""Then nobody fetches such a command any more: its sender was told that it was not answered."""


class NotAnswered(Problem):
    """No game server answered in time. One may still execute the command within a second."""

    status = HTTPStatus.GATEWAY_TIMEOUT
    cacheable = False


async def acknowledged(
    database: Database, bell: Doorbell, orders: Sequence[NewCommand]
) -> list[GameCommand]:
    """Send commands, and wait until one is done or all are settled; raises the first refusal."""
    outcomes = await outbox.send(database, orders)
    for outcome in outcomes:
        if isinstance(outcome, Problem):
            raise outcome
    sent = [outcome for outcome in outcomes if isinstance(outcome, GameCommand)]
    ids = [command.id for command in sent]
    until = monotonic() + WAIT_SECONDS
    with bell.at(*ids) as rung:
        while not _is_over(sent) and not bell.closing and monotonic() < until:
            with suppress(TimeoutError):
                await asyncio.wait_for(rung.wait(), min(POLL_SECONDS, until - monotonic()))
            rung.clear()
            sent = await _current(database, ids)
    return sent


async def _current(database: Database, ids: Sequence[UUID]) -> list[GameCommand]:
    found = await records.by_ids(database.reader, ids)
    return [found[id_] for id_ in ids]


def _is_over(sent: Sequence[GameCommand]) -> bool:
    return any(command.state == "done" for command in sent) or all(
        command.state in SETTLED for command in sent
    )
