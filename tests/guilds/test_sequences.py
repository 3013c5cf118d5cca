"""
Every short sequence of what two members and their game server may do, two at a time.

The steps of a pair are two transactions at once; whichever is first, nothing may be made or
lost, and a guild has one owner. Postings are never changed, so a breach by any sequence is
still there when the whole ledger is verified at the end.
"""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from uuid import UUID

import pytest

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.guilds import bank, lifecycle, members
from gamekeeper.guilds.bank import BankMove
from gamekeeper.guilds.lifecycle import GuildDisbanding, GuildFounding
from gamekeeper.guilds.members import GuildJoin, GuildKick, GuildTransfer
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import characters, items
from gamekeeper.players.characters import Deletion
from gamekeeper.players.items import Gift
from tests.make import BY, make_item, make_player

Step = Callable[["Court"], Awaitable[object]]
Sequence = tuple[Step, ...]


class Court:
    """A guild of Ana's with Bo in it, made anew where a sequence has left something else."""

    def __init__(self, database: Database, ana: UUID, potion: UUID) -> None:
        self.database, self.ana, self.potion = database, ana, potion
        self.bo: UUID = ana
        self.guild: UUID = ana
        self.given = 0
        self.began = datetime.now(UTC)
        self.number = 0

    async def mend(self) -> None:
        read = self.database.reader.value
        self.number += 1
        if not await read("SELECT EXISTS (SELECT FROM players WHERE id = $1)", self.bo) or (
            self.bo == self.ana
        ):
            self.bo = await make_player(self.database, f"Bo{self.number}x")
        if not await read("SELECT EXISTS (SELECT FROM guilds WHERE id = $1)", self.guild):
            new = GuildFounding(by=BY, name=f"Court {self.number}", owner=str(self.ana))
            self.guild = (await lifecycle.found.one(self.database, new)).id
        rank = "SELECT rank FROM guild_members WHERE player_id = $1"
        if await read(rank, self.bo) == 0:
            back = GuildTransfer(by=BY, guild_id=self.guild, player=str(self.ana))
            await members.change_members.one(self.database, back)
        if await read(rank, self.bo) is None:
            new = GuildJoin(by=BY, guild_id=self.guild, player=str(self.bo))
            await members.change_members.one(self.database, new)
        for player in (self.ana, self.bo):
            if not await read("SELECT sum(quantity) FROM slots WHERE player_id = $1", player):
                gift = Gift(by=BY, player=str(player), item_id=self.potion, quantity=4)
                await items.give.one(self.database, gift)
                self.given += 4
        self.began = await read("SELECT clock_timestamp()")

    def move(self, player: UUID, quantity: int) -> BankMove:
        return BankMove(
            by=BY,
            guild_id=self.guild,
            player=str(player),
            item_id=self.potion,
            quantity=quantity,
        )

    async def check(self) -> None:
        """Everything that was given is held or in the books as lost, and there is one owner."""
        [row] = await self.database.reader.rows(
            """
            SELECT (SELECT coalesce(sum(quantity), 0) FROM slots)
                   + (SELECT coalesce(sum(quantity), 0) FROM guild_slots) AS held,
                   (SELECT coalesce(-sum(quantity), 0) FROM postings
                     WHERE against IN ('removal', 'undo', 'restore')) AS lost,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE against = 'guild') AS between,
                   (SELECT count(*) FROM guilds
                     WHERE 1 <> (SELECT count(*) FROM guild_members
                                  WHERE guild_id = guilds.id AND rank = 0)) AS ownerless
            """
        )
        assert row["held"] + row["lost"] == self.given
        assert (row["between"], row["ownerless"]) == (0, 0)


async def deposit_by_ana(court: Court) -> None:
    await bank.deposit.one(court.database, court.move(court.ana, 2))


async def deposit_by_bo(court: Court) -> None:
    await bank.deposit.one(court.database, court.move(court.bo, 3))


async def withdraw_by_bo(court: Court) -> None:
    await bank.withdraw.one(court.database, court.move(court.bo, 2))


async def kick_bo(court: Court) -> None:
    order = GuildKick(by=BY, guild_id=court.guild, player=str(court.bo))
    await members.change_members.one(court.database, order)


async def transfer_to_bo(court: Court) -> None:
    order = GuildTransfer(by=BY, guild_id=court.guild, player=str(court.bo))
    await members.change_members.one(court.database, order)


async def delete_bo(court: Court) -> None:
    await characters.delete.one(court.database, Deletion(by=BY, player=str(court.bo)))


async def disband(court: Court) -> None:
    order = GuildDisbanding(by=BY, guild_id=court.guild, force=True)
    await lifecycle.disband.one(court.database, order)


async def undo_last(court: Court) -> None:
    """Undo the last action about the guild: of an undo, that is a redo."""
    action = await court.database.reader.value(
        "SELECT max(action_id::text)::uuid FROM guild_actions WHERE guild_id = $1", court.guild
    )
    order = Undoing(by=BY, action_id=action)
    [outcome] = await execute.undo(court.database, [order])
    if isinstance(outcome, Problem):
        raise outcome


async def undo_first_of_bank(court: Court) -> None:
    """Undo the oldest deposit or withdrawal that is in effect, as much of it as possible."""
    action = await court.database.reader.value(
        """
        SELECT id FROM actions
         WHERE kind IN ('guilds.deposit', 'guilds.withdraw') AND after ->> 'guild_id' = $1
           AND NOT EXISTS (SELECT FROM actions AS undo WHERE undo.undoes = actions.id)
         ORDER BY id LIMIT 1
        """,
        str(court.guild),
    )
    if action:
        order = Undoing(by=BY, action_id=action, partial=True)
        [outcome] = await execute.undo(court.database, [order])
        if isinstance(outcome, Problem):
            raise outcome


async def restore_bo(court: Court) -> None:
    """Give Bo what it held when this sequence began, unless it still exists somewhere."""
    order = Restoration(by=BY, player=str(court.bo), at=court.began)
    await restore.restore.one(court.database, order)


STEPS: list[Step] = [
    *(deposit_by_ana, deposit_by_bo, withdraw_by_bo),
    *(kick_bo, transfer_to_bo, delete_bo, disband),
]

UNDOS: list[Step] = [undo_last, undo_first_of_bank, restore_bo]


async def walk(database: Database, settings: Settings, sequences: Iterable[Sequence]) -> None:
    court = Court(database, await make_player(database, "Ana"), await make_item(database))
    for sequence in sequences:
        await court.mend()
        for pair in (sequence[:2], sequence[2:]):
            done = await asyncio.gather(*(step(court) for step in pair), return_exceptions=True)
            for outcome in done:
                assert outcome is None or isinstance(outcome, Problem), sequence
                assert not isinstance(outcome, Problem) or outcome.status < 500, sequence
            await court.check()
    assert (await verify(settings)).breach is None


async def walk_back(database: Database, settings: Settings, sequences: Iterable[Sequence]) -> None:
    """Steps one after the other, each sequence with undos, redos and restores in it."""
    court = Court(database, await make_player(database, "Ana"), await make_item(database))
    for sequence in sequences:
        if not set(sequence) & set(UNDOS):
            continue
        await court.mend()
        await bank.deposit.one(court.database, court.move(court.bo, 1))
        for step in sequence:
            [outcome] = await asyncio.gather(step(court), return_exceptions=True)
            assert outcome is None or isinstance(outcome, Problem), (sequence, outcome)
            assert outcome is None or outcome.status < 500, sequence
            await court.check()
    assert (await verify(settings)).breach is None


async def test_every_two_steps_and_an_undo_double_nothing(database, settings):
    await walk_back(database, settings, itertools.product(STEPS, [*STEPS, *UNDOS]))


# In parts by the first step, so that each part ends in minutes and a breach is near its cause.
in_parts = pytest.mark.parametrize("first", STEPS, ids=lambda step: step.__name__)


@pytest.mark.slow
@in_parts
async def test_every_four_steps_with_undos_redos_and_restores_double_nothing(
    database, settings, first
):
    rest = itertools.product([*STEPS, *UNDOS], repeat=3)
    await walk_back(database, settings, ((first, *steps) for steps in rest))


async def test_every_pair_of_a_step_and_an_undo_at_once_keeps_the_books(database, settings):
    court = Court(database, await make_player(database, "Ana"), await make_item(database))
    for step, back in itertools.product([*STEPS, *UNDOS], UNDOS):
        await court.mend()
        await bank.deposit.one(court.database, court.move(court.bo, 1))
        done = await asyncio.gather(step(court), back(court), return_exceptions=True)
        for outcome in done:
            assert outcome is None or isinstance(outcome, Problem), (step, back, outcome)
        await court.check()
    assert (await verify(settings)).breach is None


async def test_every_two_steps_at_once_keep_the_books(database, settings):
    await walk(database, settings, itertools.product(STEPS, repeat=2))


@pytest.mark.slow
@in_parts
async def test_every_four_steps_two_at_a_time_keep_the_books(database, settings, first):
    rest = itertools.product(STEPS, repeat=3)
    await walk(database, settings, ((first, *steps) for steps in rest))
