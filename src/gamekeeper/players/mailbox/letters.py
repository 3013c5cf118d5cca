"""
Letters in memory: send, claim, end, read and delete them, on the state of locked characters.

Each change records its action, which names the letter and its state before and after, so that an
undo knows both; never the text, which is private. Items that another character sends, that are
claimed or that return to their sender pass through the account `move`: then the actions share a
transaction, and only the whole transaction can be undone.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core import ids
from gamekeeper.core.errors import Conflict, NotFound
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players import rules
from gamekeeper.players.inventory import InLetter, PostingContext, Stack
from gamekeeper.players.lookup import Party
from gamekeeper.players.mailbox.drafts import Draft, InvalidLetter
from gamekeeper.players.mailbox.records import (
    LISTED,
    MAX_ITEMS,
    MAX_LETTERS,
    MAX_SUBJECT_LENGTH,
    Letter,
    LetterItem,
    LetterKey,
    LetterSender,
    LetterState,
)
from gamekeeper.players.mailbox.rows import MailboxSizes, stored_items
from gamekeeper.players.overlay import Overlay
from gamekeeper.players.rules import MAX_HELD, InventoryFull, NotEnoughItems
from gamekeeper.players.state import State


class LetterNotFound(NotFound):
    """The mailbox has no letter with that id."""


class MailboxFull(Conflict):
    """The mailbox has no room for another letter; nothing was sent."""


class LetterClosed(Conflict):
    """The letter is no longer open; its items were claimed, returned or destroyed."""


class LetterHoldsItems(Conflict):
    """The letter holds items. Claim them first, or withdraw the letter."""


class LetterWithoutItems(Conflict):
    """The letter holds no items; there is nothing to claim."""


class Letters:
    """The letters of locked characters, beside their inventories."""

    def __init__(
        self, state: State, letters: Overlay[LetterKey, Letter], sizes: MailboxSizes
    ) -> None:
        self._state, self._letters = state, letters
        self.now: datetime = sizes.now
        self._sizes = sizes
        self._new: defaultdict[UUID, list[UUID]] = defaultdict(list)
        """The new letters of each character; a refused one is no longer in the overlay."""

    def find(self, player: UUID, letter: UUID) -> Letter:
        """A letter that the mailbox shows."""
        found = self._letters.get((player, letter))
        if found is None or found.state not in LISTED:
            raise LetterNotFound
        return found

    # ── Sending ──

    def send(self, by: AuditContext, player: UUID, draft: Draft) -> Letter:
        """Send a letter whose items are new."""
        return self.send_new(self._action("mail.send", by, player), draft)

    def send_new(self, action: Action, draft: Draft) -> Letter:
        """Send a letter whose items are new, by an action that may have more to say."""
        assert action.player_id is not None
        self._check_room(action.player_id)
        return self._deliver(action, draft, self._made(draft), PostingContext(action.id, "grant"))

    def send_from(self, by: AuditContext, sender: UUID, to: Party, draft: Draft) -> Letter:
        """Send a letter whose items leave the inventory of the character that sends it."""
        player = to.player_id
        if sender == player:
            raise InvalidLetter("A character cannot send letters to itself.", field="from")
        if not draft.items:
            return self.send(by, player, draft)
        self._check_room(player)
        transaction, posted = ids.new_id(), ids.new_id()
        things = [
            thing
            for item in draft.items
            for thing in self._taken(sender, item, PostingContext(posted, "move"))
        ]
        action = self._action("mail.send", by, player)
        context = PostingContext(action.id, "move")
        letter = self._deliver(action, draft, things, context, transaction=transaction)
        after = {
            "transaction": transaction,
            "counterparties": [{"player_id": player, "name": to.name}],
        }
        self._state.record(
            Action(id=posted, kind="items.move", by=by, player_id=sender, after=after)
        )
        return letter

    def _deliver(
        self,
        action: Action,
        draft: Draft,
        things: Sequence[Stack],
        context: PostingContext,
        *,
        transaction: UUID | None = None,
        placed: Sequence[LetterItem] = (),
    ) -> Letter:
        player = action.player_id
        assert player is not None
        if len(things) > MAX_ITEMS:
            raise InvalidLetter(f"A letter holds at most {MAX_ITEMS} stacks.", field="items")
        letter = Letter(
            player_id=player,
            id=ids.new_id(),
            sender=draft.sender,
            subject=draft.subject.strip(),
            text=draft.text.strip(),
            attached=tuple(
                LetterItem(
                    item_id=thing.item_id, quantity=thing.quantity, stat_buffs=thing.stat_buffs
                )
                for thing in things
            ),
            sent_at=self.now,
            expires_at=self.now + draft.lifetime,
            on_expiry=draft.on_expiry,
        )
        for number, thing in enumerate(things):
            self._state.inventory.set_slot((player, InLetter(letter.id), number), thing, context)
        self._letters.put(letter.key, letter)
        self._new[player].append(letter.id)
        after = (
            (action.after or {})
            | _about(letter)
            | {
                "sender": draft.sender.kind,
                "items": stored_items(letter.attached),
            }
        )
        if placed:
            after["placed"] = stored_items(placed)
        self._state.record(replace(action, after=after | _of(transaction)))
        return letter

    def _check_room(self, player: UUID) -> None:
        new = sum(self._letters.get((player, letter)) is not None for letter in self._new[player])
        if self._sizes.letters.get(player, 0) + new >= MAX_LETTERS:
            raise MailboxFull(None, letters=MAX_LETTERS)

    def _made(self, draft: Draft) -> list[Stack]:
        """The items as new stacks: each bag is one of its own."""
        things: list[Stack] = []
        for wanted in draft.items:
            item = self._state.known_items.get(wanted.item_id)
            if item is None:
                raise UnknownItem
            if item.bag_slots and wanted.quantity > MAX_ITEMS:
                raise InvalidLetter(f"A letter holds at most {MAX_ITEMS} stacks.", field="items")
            things += rules.make(self._state, item, wanted.quantity, wanted.stat_buffs)
        return things

    def _taken(self, player: UUID, wanted: LetterItem, context: PostingContext) -> list[Stack]:
        """Take items out of an inventory; those of one kind become one stack."""
        if wanted.item_id not in self._state.known_items:
            raise UnknownItem
        slots = dict(self._state.inventory.at(player, "inventory"))
        found = {
            number: held
            for number, held in slots.items()
            if (held.item_id, held.stat_buffs) == (wanted.item_id, wanted.stat_buffs)
        }
        things: list[Stack] = []
        for number, left in rules.withdraw(found, wanted.quantity, stays=False).items():
            self._state.inventory.set_slot((player, "inventory", number), left, context)
            part = slots[number].quantity - (left.quantity if left else 0)
            if things and rules.stackable(things[-1], slots[number]):
                things[-1] = replace(things[-1], quantity=things[-1].quantity + part)
            else:
                things.append(replace(slots[number], quantity=part))
        return things

    def send_gift(
        self,
        action: Action,
        draft: Draft,
        things: Sequence[Stack],
        *,
        placed: Sequence[LetterItem] = (),
        transaction: UUID | None = None,
    ) -> Letter:
        """Send new stacks; `placed` went elsewhere by the same action, and is undone with them."""
        draft.check()
        assert action.player_id is not None
        self._check_room(action.player_id)
        context = PostingContext(action.id, "grant")
        return self._deliver(action, draft, things, context, transaction=transaction, placed=placed)

    # ── Claiming ──

    def claim(
        self,
        by: AuditContext,
        player: UUID,
        letter: Letter,
        transaction: UUID | None = None,
        into: PostingContext | None = None,
    ) -> Letter:
        """
        Move all items of a letter to the inventory, or none; raises InventoryFull.

        `into` is the context of what the inventory receives, if it is another action's.
        """
        self._check_open(letter)
        letter.check_released()
        if not letter.attached:
            raise LetterWithoutItems
        state, action = self._state, self._action("mail.claim", by, player)
        context = PostingContext(action.id, "move")
        things = self._emptied(letter, context)
        left = rules.deposit(state, player, things, ["inventory"], into or context)
        held = [state.inventory.holding(player, thing.item_id).total for thing in things]
        if left or max(held) > MAX_HELD:
            raise InventoryFull("The inventory has no room for the items; nothing was claimed.")
        return self._end(action, letter, "claimed", transaction or ids.new_id())

    def _check_open(self, letter: Letter) -> None:
        if letter.state != "open" or letter.expires_at <= self.now:
            state = "expired" if letter.state == "open" else letter.state
            raise LetterClosed(None, state=state)

    def _emptied(self, letter: Letter, context: PostingContext) -> list[Stack]:
        container = InLetter(letter.id)
        slots = dict(self._state.inventory.at(letter.player_id, container))
        if len(slots) < len(letter.attached):
            raise NotEnoughItems
        for number in sorted(slots):
            self._state.inventory.set_slot((letter.player_id, container, number), None, context)
        return [slots[number] for number in sorted(slots)]

    # ── Ending ──

    def returns(self, letter: Letter) -> bool:
        """Whether its items go back, because it says so and its sender still exists."""
        sender = letter.sender.id
        is_return = letter.on_expiry == "return" and bool(letter.attached)
        return is_return and sender is not None and self._state.finds(str(sender))

    def destroy(self, by: AuditContext, kind: Kind, letter: Letter) -> Letter:
        """Expire or withdraw a letter; its items are destroyed."""
        action = self._action(kind, by, letter.player_id)
        self._emptied(letter, PostingContext(action.id, "removal"))
        return self._end(action, letter, ENDED[kind])

    def give_back(self, by: AuditContext, kind: Kind, letter: Letter) -> Letter:
        """Expire or withdraw a letter; its items go to the mailbox of its sender."""
        sender = letter.sender.id
        assert sender is not None
        transaction = ids.new_id()
        action = self._action(kind, by, letter.player_id)
        things = self._emptied(letter, PostingContext(action.id, "move"))
        returned = self._action("mail.send", by, sender)
        draft = Draft(
            sender=LetterSender(kind="system", name="mailbox"),
            subject=f"Returned: {letter.subject}"[:MAX_SUBJECT_LENGTH],
            items=letter.attached,
        )
        context = PostingContext(returned.id, "move")
        # Even into a full mailbox: the items must not be lost because of it.
        self._deliver(returned, draft, things, context, transaction=transaction)
        return self._end(action, letter, ENDED[kind], transaction)

    def delete(self, by: AuditContext, letter: Letter) -> Letter:
        """Delete a letter without items, or whose items were claimed."""
        if letter.holds_items:
            raise LetterHoldsItems
        return self._end(self._action("mail.delete", by, letter.player_id), letter, "deleted")

    def read(self, by: AuditContext, letter: Letter) -> Letter:
        """Mark a letter as read; once is enough."""
        if letter.read_at:
            return letter
        read = replace(letter, read_at=self.now)
        self._letters.put(letter.key, read)
        action = self._action("mail.read", by, letter.player_id)
        self._state.record(replace(action, before=_about(letter), after=_about(read)))
        return read

    def _end(
        self, action: Action, letter: Letter, state: LetterState, transaction: UUID | None = None
    ) -> Letter:
        ended = replace(letter, state=state, ended_at=letter.ended_at or self.now)
        self._letters.put(letter.key, ended)
        items = {"items": stored_items(letter.attached)} if letter.holds_items else {}
        before, after = (_about(one) | items | _of(transaction) for one in (letter, ended))
        self._state.record(replace(action, before=before, after=after))
        return ended

    def _action(self, kind: Kind, by: AuditContext, player: UUID) -> Action:
        return Action(kind=kind, by=by, player_id=player)


ENDED: dict[Kind, LetterState] = {"mail.expire": "expired", "mail.withdraw": "withdrawn"}


def _about(letter: Letter) -> dict[str, Any]:
    return {"letter_id": letter.id, "state": letter.state}


def _of(transaction: UUID | None) -> dict[str, Any]:
    return {"transaction": transaction} if transaction else {}
