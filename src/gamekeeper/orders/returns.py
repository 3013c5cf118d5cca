"""
Returns: a refund takes back what a line delivered, all of it or nothing.

From the letter while nobody claimed it, otherwise out of the inventory and the bank of its
character. The postings are against the account `refund`: no restore and no undo returns them. A
line whose items are no longer there is `lost`, and a later refund tries again.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.actions import Action
from gamekeeper.orders.storage import StoredOrder, StoredOrderLine
from gamekeeper.players.inventory import PLACES, InLetter, PostingContext
from gamekeeper.players.mailbox.records import Letter
from gamekeeper.players.rules import NotEnoughItems
from gamekeeper.players.state import Needs, State
from gamekeeper.players.take_back import take_up_to


async def take_back(
    writer: Writer, by: AuditContext, order: StoredOrder, lines: Sequence[StoredOrderLine]
) -> None:
    """End lines of a locked order; those that were delivered are taken back if they are there."""
    now: datetime = await writer.value("SELECT clock_timestamp()")
    for line in lines:
        line.ended_at = now
        if line.letter_id is None:
            line.state, line.reason = "cancelled", None
    delivered = [line for line in lines if line.letter_id is not None]
    if not delivered:
        return
    needs = Needs(
        items={item.item_id for line in delivered for item in line.delivered or ()}, bags=True
    )
    state = await State.lock(writer, [str(line.player_id) for line in delivered], needs)
    letters = await state.load_letters(
        writer, [line.letter_id for line in delivered if line.letter_id]
    )
    returns = Returns(state, by, order)
    for line in delivered:
        letter = next((one for one in letters.items().values() if one.id == line.letter_id), None)
        outcome = state.attempt(lambda line=line, letter=letter: returns.take(line, letter))
        if isinstance(outcome, Problem):
            line.state, line.reason = "lost", _missing(state, line, letter)
        else:
            line.state, line.reason = "returned", None
            if letter and letter.state == "open":
                ended = replace(letter, state="withdrawn", ended_at=now)
                letters.put((letter.player_id, letter.id), ended)
    await state.save(writer)


def _missing(state: State, line: StoredOrderLine, letter: Letter | None) -> str:
    if not state.finds(str(line.player_id)):
        return "character_deleted"
    is_there = letter is None or letter.state == "claimed"
    return "claimed_and_gone" if is_there else "letter_gone"


def _ended(letter: Letter | None) -> dict[str, Any]:
    """The letter and its state from now on; None if retention has deleted it."""
    if letter is None:
        return {}
    return {
        "letter_id": letter.id,
        "state": "withdrawn" if letter.state == "open" else letter.state,
    }


class Returns:
    """The delivered lines of one order, with the state of the characters that have them."""

    def __init__(self, state: State, by: AuditContext, order: StoredOrder) -> None:
        self._state, self._by, self._order = state, by, order

    def take(self, line: StoredOrderLine, letter: Letter | None) -> None:
        """Take all items of a line; raises a Problem if one of them is not there."""
        player = self._state.player(str(line.player_id))
        action = Action(kind="orders.return", by=self._by, player_id=player)
        context = PostingContext(action.id, "refund")
        if letter is not None and letter.state == "open":
            self._take_from_letter(player, letter.id, context)
        elif letter is not None and letter.state != "claimed":
            raise NotEnoughItems
        else:
            for item in line.delivered or ():
                self._take_from_places(player, item.item_id, item.quantity, context)
        self._state.record(replace(action, after=self._about(line) | _ended(letter)))

    def _about(self, line: StoredOrderLine) -> dict[str, Any]:
        order = self._order
        about = {"order": order.id, "shop": order.shop, "order_id": order.order_id}
        items = [{"item_id": it.item_id, "quantity": it.quantity} for it in line.delivered or ()]
        return about | {"line": line.number, "items": items}

    def _take_from_letter(self, player: UUID, letter: UUID, context: PostingContext) -> None:
        container = InLetter(letter)
        for number in sorted(self._state.inventory.at(player, container)):
            self._state.inventory.set_slot((player, container, number), None, context)

    def _take_from_places(
        self, player: UUID, item: UUID, quantity: int, context: PostingContext
    ) -> None:
        for place in PLACES:
            wanted = item, quantity
            quantity -= take_up_to(self._state, player, place, wanted, context)
        if quantity:
            raise NotEnoughItems
