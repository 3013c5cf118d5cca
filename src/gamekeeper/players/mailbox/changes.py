"""Changes of letters that were sent: claim, mark as read, delete, withdraw and expire them."""

from collections.abc import Callable, Sequence
from uuid import UUID

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, batched_operation, operation
from gamekeeper.ledger.actions import Kind
from gamekeeper.players.lookup import unknown
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.letters import LetterClosed, Letters
from gamekeeper.players.mailbox.records import Letter
from gamekeeper.players.moves import PlayerCommand
from gamekeeper.players.state import Needs, State


class LetterCommand(PlayerCommand, frozen=True, kw_only=True):
    """A change of one letter in the mailbox of `player`."""

    letter_id: UUID


Change = Callable[[Letters, LetterCommand, Letter], Letter]


@batched_operation
async def claim(writer: Writer, orders: Sequence[LetterCommand]) -> list[Letter | Problem]:
    """Move the items of letters to the inventories, each letter whole or not at all."""
    return await _change(
        writer,
        orders,
        lambda letters, order, letter: letters.claim(order.by, letter.player_id, letter),
    )


@batched_operation
async def mark_read(writer: Writer, orders: Sequence[LetterCommand]) -> list[Letter | Problem]:
    """Mark letters as read."""
    return await _change(
        writer, orders, lambda letters, order, letter: letters.read(order.by, letter)
    )


@batched_operation
async def delete(writer: Writer, orders: Sequence[LetterCommand]) -> list[Letter | Problem]:
    """Delete letters that hold no items."""
    return await _change(
        writer, orders, lambda letters, order, letter: letters.delete(order.by, letter)
    )


@operation
async def withdraw(writer: Writer, orders: Sequence[LetterCommand]) -> list[Letter | Problem]:
    """Take open letters back: their items return or are destroyed, as if they had expired."""
    senders = await _senders(writer, [order.letter_id for order in orders])
    return await _change(
        writer,
        orders,
        lambda letters, order, letter: _end(letters, order.by, "mail.withdraw", letter),
        also=senders,
    )


@operation
async def expire(writer: Writer, orders: Sequence[LetterCommand]) -> list[Letter | Problem]:
    """End letters that have expired: their items return to the sender or are destroyed."""
    senders = await _senders(writer, [order.letter_id for order in orders])

    def end(letters: Letters, order: LetterCommand, letter: Letter) -> Letter:
        if letter.state != "open" or letter.expires_at > letters.now:
            raise LetterClosed(None, state=letter.state)
        return _end(letters, order.by, "mail.expire", letter)

    return await _change(writer, orders, end, also=senders)


def _end(letters: Letters, by: AuditContext, kind: Kind, letter: Letter) -> Letter:
    if letter.state != "open":
        raise LetterClosed(None, state=letter.state)
    if letters.returns(letter):
        return letters.give_back(by, kind, letter)
    return letters.destroy(by, kind, letter)


async def _senders(writer: Writer, ids: Sequence[UUID]) -> list[UUID]:
    """The characters that may get items back; they never change, so read without a lock."""
    found = await writer.rows(
        "SELECT DISTINCT sender_id FROM letters WHERE id = ANY($1) AND sender_id IS NOT NULL",
        list(ids),
    )
    return [row["sender_id"] for row in found]


async def _change(
    writer: Writer, orders: Sequence[LetterCommand], change: Change, also: Sequence[UUID] = ()
) -> list[Letter | Problem]:
    # One key for each order, by which a batched operation knows the orders that must wait for a
    # lock; more than that, only if the operation is not batched.
    keys = [*(order.player for order in orders), *map(str, also)]
    state = await State.lock(writer, keys, Needs(inventory=True))
    found = await state.load_letters(writer, {order.letter_id for order in orders})
    items = {item.item_id for letter in found.items().values() for item in letter.attached}
    await state.learn_items(writer, items)
    letters = Letters(state, found, await rows.sizes(writer, state.players))

    def run(order: LetterCommand) -> Letter:
        if not state.finds(order.player):
            raise unknown(order.player)
        letter = letters.find(state.player(order.player), order.letter_id)
        return change(letters, order, letter)

    outcomes = [state.attempt(lambda order=order: run(order)) for order in orders]
    await state.save(writer)
    return outcomes
