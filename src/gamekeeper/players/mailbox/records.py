"""Letters: what one is, who sent it, and the bounds of its parts."""

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Conflict
from gamekeeper.core.schemas import Record
from gamekeeper.players.stacks import NO_BUFFS

MAX_LETTERS = 100
"""Letters in one mailbox, without those that expired or were withdrawn or deleted."""
MAX_ITEMS = 10
"""Slots of one letter. A slot holds any quantity of one item, but one bag."""
MAX_SUBJECT_LENGTH = 100
MAX_TEXT_LENGTH = 2_000
MAX_NAME_LENGTH = 64
DEFAULT_LIFETIME = timedelta(days=30)
MAX_LIFETIME = timedelta(days=365)

LetterState = Literal["open", "claimed", "expired", "withdrawn", "deleted"]
"""
`open`: its items, if any, are in the mailbox. In every other state it has none.

`expired` and `withdrawn`: the items were returned or destroyed. `deleted`: by its reader.
"""

LISTED: tuple[LetterState, ...] = ("open", "claimed")
"""The states of letters that a mailbox shows, and that count towards its limit."""

ENDED_STATES: tuple[LetterState, ...] = ("expired", "withdrawn", "deleted")
"""The states of letters that are no longer in a mailbox; retention deletes them."""

OnExpiry = Literal["return", "destroy"]
SenderKind = Literal["player", "staff", "key", "shop", "system"]


class LetterSender(Record, frozen=True):
    kind: SenderKind
    """A character, staff, an API key (a game server), the shop, or the service itself."""
    id: UUID | None = None
    """The character, if a player sent it."""
    name: str | None = None
    """Its name when the letter was sent; null after an erasure."""


class LetterItem(Record, frozen=True):
    """A stack of items in a letter."""

    item_id: UUID
    quantity: int
    stat_buffs: tuple[int, ...] = NO_BUFFS


LetterKey = tuple[UUID, UUID]
"""The character and the letter."""


class LetterHeld(Conflict):
    """The payment for these items is disputed. They can be claimed when the dispute is won."""

    cacheable = False


class Letter(Struct, frozen=True, kw_only=True):
    """A letter as it is stored."""

    player_id: UUID
    """The character in whose mailbox it is."""
    id: UUID
    state: LetterState = "open"
    sender: LetterSender
    subject: str
    text: str
    attached: tuple[LetterItem, ...]
    """The items that were sent; they are in the mailbox while the letter is open."""
    sent_at: datetime
    expires_at: datetime
    on_expiry: OnExpiry
    read_at: datetime | None = None
    ended_at: datetime | None = None
    """Since when it is no longer open."""
    is_held: bool = False
    """Whether the order that it delivers is under dispute: then it cannot be claimed."""

    @property
    def key(self) -> LetterKey:
        return self.player_id, self.id

    def check_released(self) -> None:
        """Raise LetterHeld if a dispute holds it."""
        if self.is_held:
            raise LetterHeld

    @property
    def holds_items(self) -> bool:
        return self.state == "open" and bool(self.attached)
