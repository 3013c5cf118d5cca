"""
Every short sequence of what can happen to letters, with undos, redos, restores and deletions.

Whatever the order, nothing is made or lost. Postings are never changed, so a breach by any
sequence is still there when the whole ledger is verified at the end.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from uuid import UUID

import pytest

from gamekeeper.codes import redemption
from gamekeeper.codes.redemption import Redeem
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.ledger.places import HELD
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.mailbox import changes
from tests.codes.mint import make_code
from tests.mailbox.post import Post
from tests.make import BY, make_player

Step = Callable[["Route"], Awaitable[object]]


class Route:
    """Ana writes to Bo, who is made anew where a sequence has deleted him."""

    def __init__(self, post: Post) -> None:
        self.post = post
        self.began = datetime.now(UTC)
        self.number = 0

    async def mend(self) -> None:
        read, post = self.post.database.reader.value, self.post
        self.number += 1
        if not await read("SELECT EXISTS (SELECT FROM players WHERE id = $1)", post.bo):
            post.bo = await make_player(post.database, f"Bo{self.number}x")
        if (await post.held(post.ana)).get("inventory", 0) < 10:
            await post.give(post.ana, 10)
        await post.send_from_ana(2)
        self.began = await read("SELECT clock_timestamp()")

    async def oldest(self, *states: str) -> UUID | None:
        """The oldest letter of Bo's in one of these states."""
        return await self.post.database.reader.value(
            "SELECT min(id::text)::uuid FROM letters WHERE player_id = $1 AND state = ANY($2)",
            self.post.bo,
            list(states),
        )

    async def check(self) -> None:
        """Everything that was created is held, or in the books as lost."""
        [row] = await self.post.database.reader.rows(
            f"""
            SELECT (SELECT coalesce(sum(quantity), 0) FROM ({HELD}) AS held) AS held,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE against = 'grant') AS granted,
                   (SELECT coalesce(-sum(quantity), 0) FROM postings
                     WHERE against IN ('removal', 'undo', 'restore')) AS lost,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE against = 'move') AS between,
                   (SELECT count(*) FROM letter_slots JOIN letters
                        ON letters.id = letter_id AND letters.player_id = letter_slots.player_id
                     WHERE state <> 'open') AS misplaced
            """
        )
        assert row["held"] + row["lost"] == row["granted"]
        assert (row["between"], row["misplaced"]) == (0, 0)


async def send(route: Route) -> None:
    await route.post.send(3)


async def send_from_ana(route: Route) -> None:
    await route.post.send_from_ana(2)


async def redeem(route: Route) -> None:
    """Bo redeems a code of a campaign of its own, if he exists."""
    database, bo = route.post.database, route.post.bo
    user = await database.reader.value("SELECT user_id FROM players WHERE id = $1", bo)
    if user:
        code = await make_code(database, route.post.potion)
        order = Redeem(by=BY, user_id=user, hashes=(code,), player_id=bo)
        await redemption.redeem.one(database, order)


async def claim(route: Route) -> None:
    if letter := await route.oldest("open"):
        await changes.claim.one(route.post.database, route.post.command(letter))


async def expire(route: Route) -> None:
    if letter := await route.oldest("open"):
        await route.post.expire(letter, route.post.bo)


async def withdraw(route: Route) -> None:
    if letter := await route.oldest("open"):
        await changes.withdraw.one(route.post.database, route.post.command(letter))


async def delete_letter(route: Route) -> None:
    if letter := await route.oldest("claimed"):
        await changes.delete.one(route.post.database, route.post.command(letter))


async def delete_bo(route: Route) -> None:
    await characters.delete.one(route.post.database, Deletion(by=BY, player=str(route.post.bo)))


async def undo_last(route: Route) -> None:
    """Undo the last action on Bo: of an undo, that is a redo; of a deletion, his return."""
    sql = "SELECT max(id::text)::uuid FROM actions WHERE player_id = $1"
    action = await route.post.database.reader.value(sql, route.post.bo)
    await route.post.undo(action, partial=True)


async def undo_first(route: Route) -> None:
    """Undo the oldest letter that is in effect."""
    action = await route.post.database.reader.value(
        """
        SELECT id FROM actions
         WHERE kind IN ('mail.send', 'codes.redeem') AND player_id = $1
           AND NOT EXISTS (SELECT FROM actions AS undo WHERE undo.undoes = actions.id)
         ORDER BY id LIMIT 1
        """,
        route.post.bo,
    )
    if action:
        await route.post.undo(action, partial=True)


async def restore_bo(route: Route) -> None:
    order = Restoration(by=BY, player=str(route.post.bo), at=route.began)
    await restore.restore.one(route.post.database, order)


STEPS: list[Step] = [
    *(send, send_from_ana, redeem, claim, expire, withdraw, delete_letter, delete_bo),
]
UNDOS: list[Step] = [undo_last, undo_first, restore_bo]


async def walk(database: Database, settings: Settings, depth: int) -> None:
    route = Route(await Post.make(database))
    for sequence in itertools.product([*STEPS, *UNDOS], repeat=depth):
        if not set(sequence) & set(UNDOS):
            continue
        await route.mend()
        for step in sequence:
            [outcome] = await asyncio.gather(step(route), return_exceptions=True)
            assert outcome is None or isinstance(outcome, Problem), (sequence, outcome)
            assert outcome is None or outcome.status < 500, (sequence, outcome)
            await route.check()
    breaches = (await verify(settings)).breaches
    assert breaches == []


async def test_every_two_steps_with_an_undo_double_nothing(database, settings):
    await walk(database, settings, 2)


@pytest.mark.slow
async def test_every_four_steps_with_undos_redos_and_restores_double_nothing(database, settings):
    await walk(database, settings, 4)


async def test_every_pair_at_once_keeps_the_books(database, settings):
    route = Route(await Post.make(database))
    for pair in itertools.product([*STEPS, *UNDOS], repeat=2):
        await route.mend()
        done = await asyncio.gather(*(step(route) for step in pair), return_exceptions=True)
        for outcome in done:
            assert outcome is None or isinstance(outcome, Problem), (pair, outcome)
        await route.check()
    assert (await verify(settings)).breaches == []
