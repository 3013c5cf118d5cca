"""Endpoints of a player's own letters: those of all characters of the account that calls."""

from gamekeeper.api.path_parameters import LetterId
from gamekeeper.api.v1.mailbox import LettersQuery
from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext, Operation
from gamekeeper.http.routing import Routes
from gamekeeper.players.mailbox import changes, lists
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.letters import (
    LetterClosed,
    LetterHoldsItems,
    LetterNotFound,
    LetterWithoutItems,
)
from gamekeeper.players.mailbox.lists import LetterPage, ShownLetter
from gamekeeper.players.mailbox.records import Letter, LetterHeld
from gamekeeper.players.rules import InventoryFull

routes = Routes("/api/v1/me/mailbox")


@routes.get("")
async def list_my_letters(reader: Reader, caller: Principal, query: LettersQuery) -> LetterPage:
    """
    The letters of all your characters, newest first; `PlayerId` is the character.

    An API key has no account, and so no letters.
    """
    if caller.user_id is None:
        return LetterPage(values=[], next=None)
    return await lists.list_own(reader, caller.user_id, query.cursor, query.limit)


@routes.get("/{letter_id}", raises=(LetterNotFound,))
async def get_my_letter(reader: Reader, caller: Principal, letter_id: LetterId) -> ShownLetter:
    """One letter to a character of yours."""
    return await lists.find_own(reader, caller.user_id, letter_id)


@routes.post(
    "/{letter_id}/claim",
    raises=(LetterNotFound, LetterClosed, LetterHeld, LetterWithoutItems, InventoryFull),
)
async def claim_my_letter(
    database: Database, caller: Principal, by: AuditContext, letter_id: LetterId
) -> ShownLetter:
    """Move all items of a letter to the inventory of its character, or none."""
    return await _change(database, changes.claim, caller, by, letter_id)


@routes.post("/{letter_id}/read", raises=(LetterNotFound,))
async def mark_my_letter_read(
    database: Database, caller: Principal, by: AuditContext, letter_id: LetterId
) -> ShownLetter:
    """Mark a letter to a character of yours as read; the first time counts."""
    return await _change(database, changes.mark_read, caller, by, letter_id)


@routes.delete("/{letter_id}", raises=(LetterNotFound, LetterHoldsItems))
async def delete_my_letter(
    database: Database, caller: Principal, by: AuditContext, letter_id: LetterId
) -> ShownLetter:
    """Delete a letter without items, or whose items were claimed; returns its last state."""
    return await _change(database, changes.delete, caller, by, letter_id)


async def _change(
    database: Database,
    change: Operation[LetterCommand, Letter],
    caller: Principal,
    by: AuditContext,
    letter_id: LetterId,
) -> ShownLetter:
    # Not from a replica: the letter may be new. A character stays with its account.
    letter = await lists.find_own(database.reader, caller.user_id, letter_id)
    order = LetterCommand(by=by, player=str(letter.player_id), letter_id=letter_id)
    return await change.one(database, order, lambda changed: lists.shown(changed, texts=True))
