"""The letters of a mailbox, as the API shows them: newest first, page by page."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.players.lookup import find_player_id
from gamekeeper.players.mailbox.letters import LetterNotFound
from gamekeeper.players.mailbox.records import (
    ENDED_STATES,
    LISTED,
    Letter,
    LetterSender,
    LetterState,
    OnExpiry,
)
from gamekeeper.players.mailbox.rows import COLUMNS, letter_of

LARGEST_PAGE = 100
NEWEST = UUID(int=2**128 - 1)


class ShownItem(Record, frozen=True):
    """A stack of items in a letter."""

    item_id: UUID
    quantity: int
    stat_buffs: list[int]


class ShownLetter(Record, frozen=True):
    """A letter in the mailbox of a character."""

    id: UUID
    player_id: UUID
    """The character in whose mailbox it is."""
    state: LetterState
    """`open`, `claimed`, `expired`, `withdrawn` or `deleted`."""
    sender: LetterSender
    subject: str | None
    """Null without the permission `chat.private`."""
    text: str | None
    """Null without the permission `chat.private`."""
    items: list[ShownItem]
    """The items that were sent. They are in the mailbox while the letter is `open`."""
    sent_at: Instant
    expires_at: Instant
    on_expiry: OnExpiry
    """`return`: to the mailbox of the character that sent it. `destroy`: the items are removed."""
    read_at: Instant | None
    ended_at: Instant | None
    """When the items were claimed, or the letter expired or was withdrawn or deleted."""


class LetterPage(Record, frozen=True):
    values: list[ShownLetter]
    """Newest first."""
    next: UUID | None
    """The cursor of the next page; null at the end."""


def shown(letter: Letter, *, texts: bool) -> ShownLetter:
    """The letter for a response; subject and text are private."""
    return ShownLetter(
        id=letter.id,
        player_id=letter.player_id,
        state=letter.state,
        sender=letter.sender,
        subject=letter.subject if texts else None,
        text=letter.text if texts else None,
        items=[
            ShownItem(
                item_id=item.item_id, quantity=item.quantity, stat_buffs=list(item.stat_buffs)
            )
            for item in letter.attached
        ],
        sent_at=letter.sent_at,
        expires_at=letter.expires_at,
        on_expiry=letter.on_expiry,
        read_at=letter.read_at,
        ended_at=letter.ended_at,
    )


async def list_letters(
    reader: Reader, key: str, cursor: UUID | None, limit: int, *, texts: bool, ended: bool = False
) -> LetterPage:
    """A page of the letters that a mailbox shows, or of those that are no longer in it."""
    limit = max(1, min(limit, LARGEST_PAGE))
    player = await find_player_id(reader, key)
    states = list(ENDED_STATES if ended else LISTED)
    rows = await reader.rows(PAGE, player, states, cursor or NEWEST, limit + 1)
    letters: Sequence[Letter] = [letter_of(row) for row in rows]
    return LetterPage(
        values=[shown(letter, texts=texts) for letter in letters[:limit]],
        next=letters[limit - 1].id if len(letters) > limit else None,
    )


async def find_letter(reader: Reader, key: str, letter_id: UUID, *, texts: bool) -> ShownLetter:
    """One letter of a mailbox."""
    player = await find_player_id(reader, key)
    rows = await reader.rows(ONE, player, list(LISTED), letter_id)
    if not rows:
        raise LetterNotFound
    return shown(letter_of(rows[0]), texts=texts)


async def list_own(reader: Reader, user_id: UUID, cursor: UUID | None, limit: int) -> LetterPage:
    """A page of the letters of all characters of an account, with their texts."""
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.rows(OWN_PAGE, user_id, list(LISTED), cursor or NEWEST, limit + 1)
    letters = [letter_of(row) for row in rows]
    return LetterPage(
        values=[shown(letter, texts=True) for letter in letters[:limit]],
        next=letters[limit - 1].id if len(letters) > limit else None,
    )


async def find_own(reader: Reader, user_id: UUID | None, letter_id: UUID) -> ShownLetter:
    """A letter of one of the account's characters; LetterNotFound if it is another's."""
    rows = await reader.rows(OWN, user_id, list(LISTED), letter_id)
    if not rows:
        raise LetterNotFound
    return shown(letter_of(rows[0]), texts=True)


_SHOWN: LiteralString = f"SELECT {COLUMNS} FROM letters WHERE player_id = $1 AND state = ANY($2)"
PAGE: LiteralString = f"{_SHOWN} AND id < $3 ORDER BY id DESC LIMIT $4"
ONE: LiteralString = f"{_SHOWN} AND id = $3"

# By the few characters of the account: letters are found by character and id.
_OWN: LiteralString = f"""
    SELECT {COLUMNS} FROM letters
     WHERE player_id = ANY(ARRAY(SELECT players.id FROM players WHERE players.user_id = $1))
       AND state = ANY($2)
"""
OWN_PAGE: LiteralString = f"{_OWN} AND id < $3 ORDER BY id DESC LIMIT $4"
OWN: LiteralString = f"{_OWN} AND id = $3"
