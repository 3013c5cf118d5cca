"""Character commands: create, rename, delete; give, take and restore items; timeline."""

from typing import Annotated
from uuid import UUID

import typer
from msgspec.structs import replace

from gamekeeper.cli.options import At, Cursor, DryRun, ItemId, Limit, Reason
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.core.parsing import Unreadable, small_integer
from gamekeeper.db.database import Database
from gamekeeper.db.operations import COMMAND_LINE, AuditContext
from gamekeeper.history import restore as restoration
from gamekeeper.history import timeline
from gamekeeper.history.restore import Restoration
from gamekeeper.history.restore_rules import HeldSlot
from gamekeeper.history.timeline import Event
from gamekeeper.players import characters, items, name_changes
from gamekeeper.players.characters import Creation, Deletion
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.name_changes import Renaming
from gamekeeper.players.records import Player
from gamekeeper.users import lookup as users


def _spot(text: str) -> HeldSlot:
    place, _, number = text.lower().partition(":")
    try:
        slot = small_integer(number)
    except Unreadable:
        slot = -1
    if place == "inventory" and slot >= 0:
        return HeldSlot("inventory", slot)
    if place == "bank" and slot >= 0:
        return HeldSlot("bank", slot)
    raise typer.BadParameter("must be a place and a slot, such as inventory:3 or bank:0")


Key = Annotated[str, typer.Argument(metavar="CHARACTER", help="A name or id.")]
Quantity = Annotated[int, typer.Argument(help="How many.", min=1)]


def _by(reason: str | None) -> AuditContext:
    return replace(COMMAND_LINE, reason=reason)


def create(
    user: Annotated[str, typer.Argument(metavar="ACCOUNT", help="A username or id.")],
    name: Annotated[str, typer.Argument(help="What the character is called.")],
    class_id: Annotated[UUID, typer.Argument(metavar="CLASS", help="The class's id.")],
    *,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Create a character of level 1, with the initial values of its class."""

    async def work(database: Database) -> Player:
        owner = await users.find_user_id(database.reader, user)
        order = Creation(by=_by(reason), user_id=owner, name=name, class_id=class_id, staff=True)
        return await characters.create.one(database, order)

    made = with_database(work)
    return show_json(made) if as_json else say(f"Created {made.name}, {made.id}.")


def rename(
    key: Key,
    name: Annotated[str, typer.Argument(help="The new name.")],
    *,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Give a character another name."""
    order = Renaming(by=_by(reason), player=key, name=name, staff=True)
    shown = with_database(lambda database: name_changes.rename.one(database, order))
    return show_json(shown) if as_json else say(f"{key} is called {shown.name} now.")


def delete(key: Key, *, reason: Reason = None, as_json: AsJson = False) -> None:
    """Delete a character that is not online, with all it has; an undo brings it back."""
    order = Deletion(by=_by(reason), player=key)
    gone = with_database(lambda database: characters.delete.one(database, order))
    return show_json(gone) if as_json else say(f"Deleted {gone.name}, {gone.id}.")


def give(
    key: Key,
    item: ItemId,
    quantity: Quantity = 1,
    *,
    bank: Annotated[
        bool, typer.Option("--bank", help="What does not fit goes to the bank.")
    ] = False,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Give a character items, all of them or none."""
    order = Gift(by=_by(reason), player=key, item_id=item, quantity=quantity, overflow_to_bank=bank)
    held = with_database(lambda database: items.give.one(database, order))
    if as_json:
        return show_json(held)
    show_table(
        ["item", "inventory", "bank", "total"],
        [[str(item), str(held.inventory), str(held.bank), str(held.total)]],
    )
    return say(f"Gave {key} {quantity}.")


def take(
    key: Key,
    item: ItemId,
    quantity: Quantity = 1,
    *,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Take items out of a character's inventory, all of them or none."""
    order = Taking(by=_by(reason), player=key, item_id=item, quantity=quantity)
    taken = with_database(lambda database: items.take.one(database, order))
    if as_json:
        return show_json({"item_id": taken.item_id, "quantity": taken.quantity})
    show_table(["item", "taken"], [[str(taken.item_id), str(taken.quantity)]])
    return say(f"Took {taken.quantity} from {key}.")


def history(
    key: Key,
    *,
    limit: Limit = 20,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Show what was done to a character, newest first, with every slot that changed."""
    found = with_database(lambda database: timeline.events(database.reader, key, cursor, limit))
    if as_json:
        return show_json(found)
    rows = [row for event in found.values for row in _rows(event)]
    show_table(["at", "what", "by", "item", "slot", "quantity", "held", "why"], rows)
    return say(f"Go on with: --cursor {found.next}") if found.next else None


def _rows(event: Event) -> list[list[str]]:
    """One row for each changed slot, at least one; the first row names the action."""
    about = [f"{event.at:%Y-%m-%d %H:%M:%S}", event.kind, event.actor_name]
    moves = [
        [
            str(posting.item_id),
            f"{posting.place}:{posting.slot}",
            f"{posting.quantity:+}",
            f"{posting.held_before} > {posting.held_after}",
        ]
        for posting in event.postings
    ] or [["", "", "", ""]]
    first, *others = moves
    return [
        [*about, *first, event.reason or ""],
        *(["", "", "", *move, ""] for move in others),
    ]


def restore(
    key: Key,
    at: At,
    *,
    slot: Annotated[
        list[HeldSlot] | None,
        typer.Option(parser=_spot, metavar="PLACE:SLOT", help="Only what lay there; several."),
    ] = None,
    dry_run: DryRun = False,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Give a character back what it held at an instant and lost since."""
    order = Restoration(
        by=_by(reason),
        player=key,
        at=at,
        spots=frozenset(slot) if slot else None,
        dry_run=dry_run,
    )
    done = with_database(lambda database: restoration.restore.one(database, order))
    if as_json:
        return show_json(done)
    rows = [
        [
            str(one.item_id),
            str(one.quantity),
            f"{one.from_place}:{one.from_slot}",
            f"{one.place}:{one.slot}",
        ]
        for one in done.values
    ]
    if not rows:
        return say("Nothing is missing.")
    show_table(["item", "quantity", "lay in", "goes to"], rows)
    return say("Nothing was changed." if dry_run else f"Restored, as action {done.action_id}.")
