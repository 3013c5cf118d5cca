"""
Every short sequence of what can happen to an order and its letter, with two orders.

After each step nothing may be doubled: what a character got for an order and still has, or lost by
other ways, is at most what was paid for, and nothing if the order was refunded and not lost.
Postings are never changed, so a breach is still there when the ledger is verified at the end.
"""

import itertools
from collections.abc import Awaitable, Callable
from contextlib import suppress
from uuid import UUID

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.orders import changes, intake
from gamekeeper.orders.changes import DisputeChange, Refund
from gamekeeper.orders.content import Content, OrderedItem, OrderedLine
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.mailbox import changes as letters
from gamekeeper.players.mailbox.changes import LetterCommand
from tests.make import BY, make_item, make_player, make_user
from tests.orders.counter import sound

BOUGHT = 3
Step = Callable[["Till"], Awaitable[object]]


class Till:
    """A new account with a character and two orders for each sequence."""

    def __init__(self, database: Database, potion: UUID) -> None:
        self.database, self.potion = database, potion
        self.vault = Vault(database.settings)
        self.number = 0
        self.name = ""
        self.player = potion

    async def renew(self) -> None:
        self.number += 1
        self.name = f"buyer{self.number}x"
        user = await make_user(self.database, name=self.name)
        self.player = await make_player(self.database, self.name.title(), user=user)

    async def put(self, order: str = "one") -> None:
        item = OrderedItem(item_id=self.potion, quantity=BOUGHT)
        content = Content(account=self.name, lines=(OrderedLine(items=(item,)),))
        await intake.put(self.database, self.vault, BY, "webshop", self.order(order), content)

    def order(self, order: str = "one") -> str:
        return f"{self.number}-{order}"

    async def letter(self) -> UUID | None:
        return await self.database.reader.value(
            """
            SELECT letter_id FROM order_lines JOIN orders ON orders.id = order_lines.order_id
             WHERE orders.order_id = $1
            """,
            self.order(),
        )

    async def check(self) -> None:
        """Of this character: held, and lost otherwise than by a refund, is what was delivered."""
        [row] = await self.database.reader.rows(
            """
            SELECT (SELECT coalesce(sum(quantity), 0) FROM slots WHERE player_id = $1)
                   + (SELECT coalesce(sum(quantity), 0) FROM letter_slots WHERE player_id = $1)
                   AS held,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE player_id = $1 AND against = 'grant') AS granted,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE player_id = $1 AND against = 'refund') AS refunded,
                   (SELECT coalesce(sum(quantity), 0) FROM postings
                     WHERE player_id = $1 AND against NOT IN ('grant', 'refund', 'move')) AS other
            """,
            self.player,
        )
        states = await self.database.reader.rows(
            """
            SELECT line.state FROM order_lines AS line JOIN orders ON orders.id = line.order_id
             WHERE orders.order_id LIKE $1 || '-%'
            """,
            str(self.number),
        )
        counts = [each["state"] for each in states]
        delivered = sum(state in ("delivered", "returned", "lost") for state in counts)
        assert row["granted"] == BOUGHT * delivered <= BOUGHT * 2
        assert -row["refunded"] == BOUGHT * counts.count("returned")
        assert row["held"] == row["granted"] + row["refunded"] + row["other"] >= 0
        # Undos, redos and deletions never leave more than what was not refunded.
        assert row["held"] <= BOUGHT * (delivered - counts.count("returned"))


async def put(till: Till) -> None:
    await till.put()


async def put_other(till: Till) -> None:
    await till.put("two")


async def refund(till: Till) -> None:
    await changes.refund.one(till.database, Refund(by=BY, shop="webshop", order_id=till.order()))


async def _dispute(till: Till, verdict: changes.Verdict) -> None:
    command = DisputeChange(by=BY, shop="webshop", order_id=till.order(), verdict=verdict)
    await changes.dispute.one(till.database, command)


async def dispute(till: Till) -> None:
    await _dispute(till, "open")


async def win(till: Till) -> None:
    await _dispute(till, "won")


async def lose(till: Till) -> None:
    await _dispute(till, "lost")


async def claim(till: Till) -> None:
    if letter := await till.letter():
        command = LetterCommand(by=BY, player=till.name, letter_id=letter)
        await letters.claim.one(till.database, command)


async def undo_last(till: Till) -> None:
    """Undo the last action on the character: of an undo, that is a redo."""
    action = await till.database.reader.value(
        "SELECT max(id::text)::uuid FROM actions WHERE player_id = $1", till.player
    )
    if action is not None:
        [outcome] = await execute.undo(till.database, [Undoing(by=BY, action_id=action)])
        if isinstance(outcome, Problem):
            raise outcome


async def delete(till: Till) -> None:
    await characters.delete.one(till.database, Deletion(by=BY, player=till.name))


STEPS: list[Step] = [put, put_other, refund, dispute, win, lose, claim, undo_last, delete]


async def walk(till: Till, steps: tuple[Step, ...]) -> None:
    await till.renew()
    for step in steps:
        with suppress(Problem):
            await step(till)
        await till.check()


@pytest.fixture
async def till(database: Database) -> Till:
    return Till(database, await make_item(database))


@pytest.mark.torture
@pytest.mark.parametrize("first", STEPS, ids=lambda step: step.__name__)
async def test_no_sequence_of_three_more_steps_doubles_an_order(
    till: Till, settings: Settings, first: Step
):
    for rest in itertools.product(STEPS, repeat=2):
        await walk(till, (put, first, *rest))
    await sound(settings)


@pytest.mark.parametrize(
    "sequence",
    [
        (put, claim, undo_last, refund, undo_last, undo_last),
        (put, undo_last, refund, undo_last, refund, put),
        (put, claim, refund, undo_last, put, undo_last),
        (put, delete, refund, undo_last, refund, claim),
        (put, claim, delete, undo_last, refund, refund, undo_last),
        (dispute, put, win, claim, undo_last, lose, refund),
        (refund, put, win, claim, put, undo_last),
        (put, dispute, claim, lose, undo_last, claim),
    ],
    ids=lambda sequence: "-".join(step.__name__ for step in sequence),
)
async def test_longer_sequences(till: Till, settings: Settings, sequence: tuple[Step, ...]):
    await walk(till, sequence)
    await sound(settings)
