"""
Gifts by letter: all of a gift, or what has no room elsewhere, goes to the mailbox.

A gift of which a part is in a letter is one action, `mail.send`, also for the part that went to the
inventory: so it is undone whole or not at all, and only while the letter is unclaimed.
"""

from collections.abc import Collection, Sequence
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.actions import Action
from gamekeeper.players import rules
from gamekeeper.players.inventory import Container, PostingContext, Stack
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.delivery import sender_of
from gamekeeper.players.mailbox.drafts import Draft
from gamekeeper.players.mailbox.letters import Letters
from gamekeeper.players.mailbox.records import MAX_ITEMS, LetterItem
from gamekeeper.players.moves import ByMail, MoveItems
from gamekeeper.players.records import Holding
from gamekeeper.players.rules import MAX_HELD, InventoryFull
from gamekeeper.players.state import State

SUBJECT = "Items for you"

BY_MAIL: dict[tuple[str, str], ByMail] = {
    ("inventory", "mailbox"): "overflow",
    ("mailbox", "mailbox"): "always",
    ("mailbox", "refuse"): "always",
}
"""By the parameters `deliver` and `overflow`; by default no letter is sent."""


class MailedHolding(Holding, frozen=True, kw_only=True):
    """What a player holds after a gift of which at least a part is in a letter."""

    letter_id: UUID
    mailed: int
    """How many are in the letter; they are not in the total."""


class GiftMail:
    """The mailboxes of locked characters, for items that are new."""

    def __init__(self, state: State, letters: Letters) -> None:
        self._state, self.letters = state, letters

    @classmethod
    async def open(
        cls, writer: Writer, state: State, letter_ids: Collection[UUID] = ()
    ) -> "GiftMail":
        """Load these letters, and the sizes of the mailboxes; before any savepoint of the state."""
        found = await state.load_letters(writer, letter_ids)
        items = {item.item_id for letter in found.items().values() for item in letter.attached}
        await state.learn_items(writer, items)
        return cls(state, Letters(state, found, await rows.sizes(writer, state.players)))

    def give(self, by: AuditContext, gift: MoveItems) -> Holding:
        """Give new items; the action is `items.give` if there is room for all of them."""
        assert gift.target is not None
        player, item = self._state.player(gift.target.player), gift.item_id
        assert item is not None
        before = self._state.inventory.holding(player, item)
        action = Action(kind="mail.send", by=by, player_id=player)
        rest = self.place(gift, PostingContext(action.id, "grant"))
        after = self._state.inventory.holding(player, item)
        if not rest:
            self._state.record(
                Action(
                    id=action.id,
                    kind="items.give",
                    by=by,
                    player_id=player,
                    item_id=item,
                    before=before,
                    after=after,
                )
            )
            return after
        count = after.total - before.total
        placed = LetterItem(item_id=item, quantity=count, stat_buffs=gift.stat_buffs)
        letter = self.letters.send_gift(
            action, _draft(by, rest), rest, placed=[placed] if count else ()
        )
        return MailedHolding(
            total=after.total,
            bank=after.bank,
            inventory=after.inventory,
            letter_id=letter.id,
            mailed=sum(thing.quantity for thing in rest),
        )

    def send(
        self, by: AuditContext, player: UUID, rest: Sequence[Stack], transaction: UUID
    ) -> None:
        """Send what a transaction gives by mail; only its letter is this action's."""
        action = Action(kind="mail.send", by=by, player_id=player)
        self.letters.send_gift(action, _draft(by, rest), rest, transaction=transaction)

    def place(self, gift: MoveItems, context: PostingContext) -> list[Stack]:
        """Create the items and, unless all go by mail, place what fits; returns the rest."""
        assert gift.target is not None
        assert gift.item_id is not None
        state, item = self._state, self._state.known_items[gift.item_id]
        player = state.player(gift.target.player)
        things = rules.make(state, item, gift.quantity or 1, gift.stat_buffs)
        containers = _containers(gift)
        rest = [
            replace(thing, quantity=left)
            for thing in things
            if (left := rules.deposit(state, player, [thing], containers, context))
        ]
        if state.inventory.holding(player, item.id).total > MAX_HELD:
            raise InventoryFull
        if len(rest) > MAX_ITEMS:
            raise InventoryFull(f"A letter holds at most {MAX_ITEMS} bags; nothing was given.")
        return rest


def _containers(gift: MoveItems) -> list[Container]:
    if gift.by_mail == "always":
        return []
    return ["inventory", "bank"] if gift.overflow_to_bank else ["inventory"]


def _draft(by: AuditContext, things: Sequence[Stack]) -> Draft:
    items = tuple(
        LetterItem(item_id=thing.item_id, quantity=thing.quantity, stat_buffs=thing.stat_buffs)
        for thing in things
    )
    return Draft(sender=sender_of(by), subject=SUBJECT, items=items)
