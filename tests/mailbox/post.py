"""Ana and Bo with mailboxes, and what they and the game send to them."""

from typing import Any
from uuid import UUID

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.history.undo import execute, transactions
from gamekeeper.history.undo.execute import Undoing, UndoingTransaction
from gamekeeper.ledger.places import HELD
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.players.mailbox import changes, delivery
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import Letter, LetterItem
from tests.make import BY, make_item, make_player


class Post:
    """A potion stacks to 10; an inventory has 35 slots."""

    def __init__(self, database: Database, ana: UUID, bo: UUID, potion: UUID) -> None:
        self.database, self.ana, self.bo, self.potion = database, ana, bo, potion

    @classmethod
    async def make(cls, database: Database) -> "Post":
        ana, bo = await make_player(database, "Ana"), await make_player(database, "Bo")
        return cls(database, ana, bo, await make_item(database))

    async def give(self, player: UUID, quantity: int, item: UUID | None = None) -> None:
        order = Gift(by=BY, player=str(player), item_id=item or self.potion, quantity=quantity)
        await items.give.one(self.database, order)

    def letter(self, quantity: int = 3, **about: Any) -> SendLetter:
        """To Bo, with potions."""
        held = (LetterItem(item_id=self.potion, quantity=quantity),) if quantity else ()
        given = {"by": BY, "player": str(self.bo), "subject": "Hello", "items": held}
        return SendLetter(**given | about)

    async def send(self, quantity: int = 3, **about: Any) -> Letter:
        return await delivery.send.one(self.database, self.letter(quantity, **about))

    async def send_from_ana(self, quantity: int = 3, **about: Any) -> Letter:
        return await self.send(quantity, from_player=str(self.ana), on_expiry="return", **about)

    def command(self, letter: UUID, player: UUID | None = None) -> LetterCommand:
        return LetterCommand(by=BY, player=str(player or self.bo), letter_id=letter)

    async def claim(self, letter: Letter) -> Letter:
        return await changes.claim.one(self.database, self.command(letter.id, letter.player_id))

    async def withdraw(self, letter: Letter) -> Letter:
        command = self.command(letter.id, letter.player_id)
        return await changes.withdraw.one(self.database, command)

    async def expire(self, letter: UUID, player: UUID) -> Letter:
        """Let the time of a letter pass, and run what the worker runs."""

        async def pass_time(writer: Writer) -> None:
            await writer.run("UPDATE letters SET expires_at = sent_at WHERE id = $1", letter)

        await self.database.write(pass_time)
        return await changes.expire.one(self.database, self.command(letter, player))

    async def undo(self, action: UUID, *, partial: bool = False) -> UUID:
        """Undo an action or its whole transaction; returns the undo."""
        transaction = await self.database.reader.value(
            "SELECT after ->> 'transaction' FROM actions WHERE id = $1", action
        )
        if transaction:
            whole = UndoingTransaction(by=BY, transaction_id=UUID(transaction))
            [outcome] = await transactions.undo(self.database, [whole])
            if isinstance(outcome, Problem):
                raise outcome
            return outcome.actions[0].id or action
        [done] = await execute.undo(
            self.database, [Undoing(by=BY, action_id=action, partial=partial)]
        )
        if isinstance(done, Problem):
            raise done
        return done.id or action

    async def last(self, kind: str) -> UUID:
        """The last action of a kind."""
        sql = "SELECT max(id::text)::uuid FROM actions WHERE kind = $1"
        return await self.database.reader.value(sql, kind)

    async def held(self, player: UUID) -> dict[str, int]:
        """How many potions a character has in each place."""
        rows = await self.database.reader.rows(
            f"""
            SELECT place, sum(quantity)::int AS quantity FROM ({HELD}) AS held
             WHERE owner_id = $1 AND item_id = $2 GROUP BY place
            """,
            player,
            self.potion,
        )
        return {row["place"]: row["quantity"] for row in rows}

    async def state(self, letter: Letter) -> str:
        sql = "SELECT state FROM letters WHERE player_id = $1 AND id = $2"
        return await self.database.reader.value(sql, letter.player_id, letter.id)


async def sound(settings: Settings) -> None:
    assert (await verify(settings)).breach is None
