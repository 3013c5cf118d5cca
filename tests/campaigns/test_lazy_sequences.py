"""
Every short sequence of joins and of what can happen to a lazy campaign and its letters.

Whatever the order, a character never gets two letters of a campaign, and marks and counts are those
of the letters. The ledger is verified at the end.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players.mailbox import changes as mailbox
from gamekeeper.players.mailbox.changes import LetterCommand
from tests.campaigns.arrivals import Arrivals
from tests.make import BY, make_player

Step = Callable[["Route"], Awaitable[object]]


class Route:
    """A campaign that runs and a veteran that has not joined, both new for each sequence."""

    def __init__(self, arrivals: Arrivals) -> None:
        self.arrivals = arrivals
        self.number = 0
        self.player: UUID
        self.campaign: UUID

    async def begin(self) -> None:
        # The campaigns before this one would send letters too, and this one to earlier heroes.
        await self.arrivals.run("UPDATE players SET level = 1")
        await self.arrivals.run("UPDATE campaigns SET state = 'stopped'")
        await self.arrivals.run("UPDATE campaign_counts SET open = false")
        self.number += 1
        database = self.arrivals.database
        self.player = await make_player(database, f"Hero {self.number}x", level=20)
        self.campaign = (await self.arrivals.running(self.arrivals.crowd.letter(1))).id


async def join(route: Route) -> None:
    await route.arrivals.join(route.player)


async def join_elsewhere(route: Route) -> None:
    await route.arrivals.join(route.player, server=1)


async def leave(route: Route) -> None:
    await route.arrivals.leave(route.player)


async def sweep(route: Route) -> None:
    await route.arrivals.sweep(route.campaign)


async def pause(route: Route) -> None:
    await route.arrivals.pause(route.campaign)


async def resume(route: Route) -> None:
    await route.arrivals.resume(route.campaign)


async def stop(route: Route) -> None:
    await route.arrivals.stop(route.campaign)


async def reverse(route: Route) -> None:
    await route.arrivals.crowd.reversed(route.campaign)


async def end(route: Route) -> None:
    await route.arrivals.end(route.campaign)


async def claim(route: Route) -> None:
    database = route.arrivals.database
    sql = "SELECT id FROM letters WHERE player_id = $1 AND state = 'open'"
    if letter := await database.reader.value(sql, route.player):
        command = LetterCommand(by=BY, player=str(route.player), letter_id=letter)
        await mailbox.claim.one(database, command)


async def undo_letter(route: Route) -> None:
    await route.arrivals.undo_last(route.player, "mail.send")


async def delete(route: Route) -> None:
    for server in range(2):
        await route.arrivals.leave(route.player, server=server)
    await route.arrivals.delete(route.player)


async def unarchive(route: Route) -> None:
    await route.arrivals.undo_last(route.player, "players.delete")


JOINS: list[Step] = [join, join_elsewhere, sweep]
STEPS: list[Step] = [
    *JOINS,
    *(leave, pause, resume, stop, reverse, end, claim, undo_letter, delete, unarchive),
]


async def walk(database: Database, settings: Settings, depth: int) -> None:
    route = Route(await Arrivals.make(database, 1))
    for sequence in itertools.product(STEPS, repeat=depth):
        if not set(sequence) & set(JOINS):
            continue
        await route.begin()
        for step in sequence:
            [outcome] = await asyncio.gather(step(route), return_exceptions=True)
            assert outcome is None or isinstance(outcome, Problem), (sequence, outcome)
            assert outcome is None or outcome.status < 500, (sequence, outcome)
            await route.arrivals.check(route.campaign)
    assert (await verify(settings)).breaches == []


async def test_every_two_steps_with_a_join_send_at_most_one_letter(database, settings):
    await walk(database, settings, 2)


@pytest.mark.slow
async def test_every_three_steps_with_a_join_send_at_most_one_letter(database, settings):
    await walk(database, settings, 3)


async def test_every_step_beside_a_join_sends_at_most_one_letter(database, settings):
    route = Route(await Arrivals.make(database, 1))
    for beside, other in itertools.product(JOINS, STEPS):
        await route.begin()
        done = await asyncio.gather(beside(route), other(route), return_exceptions=True)
        for outcome in done:
            assert outcome is None or isinstance(outcome, Problem), (beside, other, outcome)
        await route.arrivals.check(route.campaign)
        await join(route)
        await route.arrivals.check(route.campaign)
    assert (await verify(settings)).breaches == []
