"""Mailbox commands: list, send, claim and withdraw the letters of characters."""

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.names import FoundPlayer, shown
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.db.database import Database
from gamekeeper.players.mailbox import changes, delivery, lists
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.drafts import InvalidLetter
from gamekeeper.players.mailbox.lists import ShownLetter
from gamekeeper.players.mailbox.records import LetterItem

LetterId = Annotated[
    UUID,
    typer.Argument(parser=an_id, metavar="LETTER", help="The letter's id, as `list` prints it."),
]
Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="1 to 100 characters.")]
Text = Annotated[str, typer.Option(metavar="TEXT", help="At most 2,000 characters.")]
Attached = Annotated[
    list[str] | None,
    typer.Option(
        "--item", metavar="ITEM[=QUANTITY]", help="An item, by name or id; repeat it for several."
    ),
]
Sender = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="CHARACTER", help="Take the items from this character's inventory."
    ),
]
Expires = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="When it expires, such as 2026-03-14; default: 30 days."),
]
ReturnItems = Annotated[
    bool, typer.Option("--return", help="Return unclaimed items to --from, not destroy them.")
]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]


@command
async def list_(
    database: Database,
    player: FoundPlayer,
    *,
    limit: Limit = 20,
    cursor: Cursor = None,
    clock: Clock,
) -> Output:
    """
    Show the letters of a character, newest first.

    Subjects and texts are private messages, and are not shown.
    """
    key = str(player.id)
    found = await lists.list_letters(database.reader, key, cursor, limit, texts=False)
    if not found.values:
        return Output(found, f"The mailbox of {player.name} is empty.")
    ids = [item.item_id for letter in found.values for item in letter.items]
    known = await names.names_of(database.reader, "item", ids)
    head = ["letter", "state", "sender", "items", "sent", "expires"]
    table = TextTable(head, [_row(letter, known, clock) for letter in found.values])
    return Output(found, table, f"More: --cursor {found.next}" if found.next else None)


def _row(letter: ShownLetter, known: Mapping[UUID, str], clock: TerminalClock) -> list[str]:
    items = [f"{item.quantity:,} {shown(known, item.item_id)}" for item in letter.items]
    return [
        str(letter.id),
        letter.state,
        letter.sender.name or letter.sender.kind,
        ", ".join(items),
        clock.show(letter.sent_at),
        clock.show(letter.expires_at),
    ]


@change("players.items")
async def send(
    database: Database,
    player: FoundPlayer,
    subject: Subject,
    *,
    text: Text = "",
    item: Attached = None,
    from_: Sender = None,
    expires: Expires = None,
    return_: ReturnItems = False,
    clock: Clock,
    by: By,
) -> Output:
    """
    Send a letter to a character, with all its items or not at all.

    For example: gamekeeper mailbox send "Ana Lyra" "Sorry" --item "Health Potion=5"
    """
    if from_:
        await names.player(database.reader, from_)  # refuses with the nearest names
    order = SendLetter(
        by=by,
        player=str(player.id),
        subject=subject,
        text=text,
        items=tuple([await letter_item(database, each) for each in item or ()]),
        from_player=from_,
        expires_at=clock.maybe(expires, until=True),
        on_expiry="return" if return_ else "destroy",
    )
    letter = await delivery.send.one(database, order)
    sent = lists.shown(letter, texts=True)
    return Output(sent, f"Sent letter {letter.id} to {player.name}.")


async def letter_item(database: Database, text: str) -> LetterItem:
    """The stack that ITEM or ITEM=QUANTITY means."""
    name, _, count = text.partition("=")
    if count and not count.isdecimal():
        raise InvalidLetter(f"'{text}' must be ITEM or ITEM=QUANTITY.", field="items")
    item = await names.entry(database.reader, "item", name)
    return LetterItem(item_id=item.id, quantity=int(count or 1))


@change("players.items")
async def claim(database: Database, player: FoundPlayer, letter: LetterId, *, by: By) -> Output:
    """Move all items of a letter to the character's inventory, or none."""
    command = LetterCommand(by=by, player=str(player.id), letter_id=letter)
    claimed = lists.shown(await changes.claim.one(database, command), texts=False)
    return Output(claimed, f"{player.name} claimed the items of letter {letter}.")


@change("players.items")
async def withdraw(database: Database, player: FoundPlayer, letter: LetterId, *, by: By) -> Output:
    """
    Take an open letter back; its items return to the sender or are destroyed.

    They go where they would go when the letter expires. `gamekeeper actions undo` sends it again.
    """
    command = LetterCommand(by=by, player=str(player.id), letter_id=letter)
    ended = lists.shown(await changes.withdraw.one(database, command), texts=False)
    return Output(ended, f"Withdrew letter {letter} from {player.name}.")
