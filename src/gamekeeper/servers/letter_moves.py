"""Letters in transactions: claim them, mark them as read, and send new items by mail."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import UNSET

from gamekeeper.catalog.items import UnknownItem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.players.inventory import PostingContext
from gamekeeper.players.mailbox.gifts import GiftMail
from gamekeeper.players.moves import (
    ClaimLetter,
    InvalidMove,
    LetterMove,
    Move,
    MoveItems,
    ReadLetter,
)
from gamekeeper.players.rules import Contexts, InvalidQuantity
from gamekeeper.players.state import State


class LetterMoves:
    """The letters that some transactions are about; nothing is loaded if there are none."""

    def __init__(self, state: State, mail: GiftMail | None) -> None:
        self._state, self._mail = state, mail

    @classmethod
    async def prepare(cls, writer: Writer, state: State, moves: Sequence[Move]) -> "LetterMoves":
        """Load what the moves need; before any savepoint of the state."""
        letters: set[UUID] = set()
        is_needed = False
        # No call of a function for each of the 5,000 moves that a request may have.
        for move in moves:
            if type(move) is MoveItems:
                is_needed = is_needed or move.by_mail is not UNSET
            elif isinstance(move, ClaimLetter | ReadLetter):
                is_needed = True
                letters.add(move.letter_id)
        return cls(state, await GiftMail.open(writer, state, letters) if is_needed else None)

    def carry_out(
        self, by: AuditContext, move: LetterMove, transaction: UUID, contexts: Contexts
    ) -> None:
        """Claim a letter, or mark it as read; its action is recorded at once."""
        assert self._mail is not None
        player, letters = self._state.player(move.player), self._mail.letters
        letter = letters.find(player, move.letter_id)
        if isinstance(move, ReadLetter):
            # Without the transaction, so that its undo is not refused because of it.
            letters.read(by, letter)
            return
        # What the inventory receives belongs to the character's action about items: a later move of
        # the transaction may take it away, and an undo balances both only within one action.
        letters.claim(by, player, letter, transaction, contexts(player, "move"))

    def give(
        self, by: AuditContext, gift: MoveItems, transaction: UUID, contexts: Contexts
    ) -> None:
        """Give new items, of which some or all go by mail."""
        assert self._mail is not None
        player, context = self._checked(gift, contexts)
        if rest := self._mail.place(gift, context):
            self._mail.send(by, player, rest, transaction)

    def _checked(self, gift: MoveItems, contexts: Contexts) -> tuple[UUID, PostingContext]:
        target = gift.target
        if gift.source or target is None or target.place != "inventory" or target.slot is not None:
            raise InvalidMove(
                "Only new items for an inventory can go by mail: 'to' without 'from', "
                "'toplace' and 'toslot'."
            )
        if gift.item_id is None:
            raise InvalidMove("A move that creates items needs an 'itemid'.")
        if gift.quantity is not None and gift.quantity < 1:
            raise InvalidQuantity
        if gift.item_id not in self._state.known_items:
            raise UnknownItem
        player = self._state.player(target.player)
        return player, contexts(player, "grant")
