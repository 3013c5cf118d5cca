"""Character commands that change something: create, rename, delete; give, take, restore."""

from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.catalog.lookup import Named
from gamekeeper.cli import names
from gamekeeper.cli.actor import As, By, audit_context
from gamekeeper.cli.command import Output, command
from gamekeeper.cli.names import FoundPlayer, Ids, ItemKey, PlayerKey, UserKey, shown
from gamekeeper.cli.options import At, DryRun, Reason
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.core.parsing import Unreadable, small_integer
from gamekeeper.db.database import Database
from gamekeeper.history import restore as restoration
from gamekeeper.history.restore import Restoration, Restored
from gamekeeper.history.restore_rules import HeldSlot
from gamekeeper.players import characters, items, name_changes
from gamekeeper.players.characters import Creation, Deletion
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.name_changes import Renaming
from gamekeeper.players.records import Holding, Player

Quantity = Annotated[int, typer.Argument(metavar="QUANTITY", help="The quantity.", min=1)]


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


@command
async def create(
    database: Database,
    user: UserKey,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The character's name.")],
    class_key: Annotated[str, typer.Argument(metavar="CLASS", help="A class's name or id.")],
    *,
    by: By,
) -> Output:
    """Create a level 1 character with the initial values of its class."""
    owner = await names.user(database.reader, user)
    kind = await names.entry(database.reader, "class", class_key)
    order = Creation(by=by, user_id=owner.id, name=name, class_id=kind.id, staff=True)
    made = await characters.create.one(database, order)
    return Output(made, f"Created {made.name}, {made.id}.")


@command
async def rename(
    database: Database,
    key: PlayerKey,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    *,
    by: By,
) -> Output:
    """Rename a character."""
    player = await names.player(database.reader, key)
    order = Renaming(by=by, player=str(player.id), name=name, staff=True)
    renamed = await name_changes.rename.one(database, order)
    return Output(renamed, f"{key} is called {renamed.name} now.")


@command
async def delete(database: Database, player: FoundPlayer, *, by: By) -> Output:
    """Delete an offline character and everything it has; this can be undone."""
    gone = await characters.delete.one(database, Deletion(by=by, player=str(player.id)))
    return Output(gone, f"Deleted {gone.name}, {gone.id}.")


def give(
    key: PlayerKey,
    item: ItemKey,
    quantity: Quantity = 1,
    *,
    bank: Annotated[
        bool, typer.Option("--bank", help="Put items that do not fit into the bank.")
    ] = False,
    buffs: Annotated[
        tuple[int, int, int, int, int],
        typer.Option(
            metavar="NUMBERS",
            min=-(2**31),
            max=2**31 - 1,
            help="Five stat buffs: attack, ability power, defense, magic resist, speed.",
        ),
    ] = (0, 0, 0, 0, 0),
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Give items to a character, all or nothing."""
    by = audit_context(as_, reason)

    async def work(database: Database) -> tuple[Player, Named, Holding]:
        player, entry = await _both(database, key, item)
        order = Gift(
            by=by,
            player=str(player.id),
            item_id=entry.id,
            quantity=quantity,
            overflow_to_bank=bank,
            stat_buffs=buffs,
        )
        return player, entry, await items.give.one(database, order)

    player, entry, held = with_database(work)
    if as_json:
        return show_json(held)
    return say(
        f"Gave {player.name} {quantity:,} {entry.name}. Now {player.name} has "
        f"{held.inventory:,} in the inventory and {held.bank:,} in the bank."
    )


def take(
    key: PlayerKey,
    item: ItemKey,
    quantity: Quantity = 1,
    *,
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Take items from a character's inventory, all or nothing."""
    by = audit_context(as_, reason)

    async def work(database: Database) -> tuple[Player, Named, Taking]:
        player, entry = await _both(database, key, item)
        order = Taking(by=by, player=str(player.id), item_id=entry.id, quantity=quantity)
        return player, entry, await items.take.one(database, order)

    player, entry, taken = with_database(work)
    if as_json:
        return show_json({"item_id": taken.item_id, "quantity": taken.quantity})
    return say(f"Took {taken.quantity:,} {entry.name} from {player.name}.")


async def _both(database: Database, player: str, item: str) -> tuple[Player, Named]:
    found = await names.player(database.reader, player)
    return found, await names.entry(database.reader, "item", item)


def restore(
    key: PlayerKey,
    at: At,
    *,
    slot: Annotated[
        list[HeldSlot] | None,
        typer.Option(parser=_spot, metavar="PLACE:SLOT", help="Only this slot; repeatable."),
    ] = None,
    dry_run: DryRun = False,
    ids: Ids = False,
    utc: InUtc = False,
    as_: As = None,
    reason: Reason = None,
    as_json: AsJson = False,
) -> None:
    """Restore items that a character held at a past time and has lost since."""
    by, then = audit_context(as_, reason), TerminalClock(utc=utc).at(at)
    spots = frozenset(slot) if slot else None

    async def work(database: Database) -> tuple[Restored, dict[UUID, str]]:
        player = await names.player(database.reader, key)
        order = Restoration(by=by, player=str(player.id), at=then, spots=spots, dry_run=dry_run)
        done = await restoration.restore.one(database, order)
        found = [one.item_id for one in (*done.values, *done.handed_on)]
        return done, await names.names_of(database.reader, "item", found)

    done, known = with_database(work)
    if as_json:
        return show_json(done)
    _show_handed_on(done, known, TerminalClock(utc=utc))
    if not done.values:
        return say("Nothing else is missing." if done.handed_on else "Nothing is missing.")
    show_table(
        ["item", "quantity", "lay in", "goes to"],
        [
            [
                shown(known, one.item_id, ids=ids),
                f"{one.quantity:,}",
                f"{one.from_place}:{one.from_slot}",
                f"{one.place}:{one.slot}",
            ]
            for one in done.values
        ],
    )
    return say("Nothing was changed." if dry_run else f"Restored, as action {done.action_id}.")


def _show_handed_on(done: Restored, known: dict[UUID, str], clock: TerminalClock) -> None:
    for one in done.handed_on:
        to = " or ".join(owner.name or str(owner.player_id or owner.guild_id) for owner in one.to)
        see = (
            f"gamekeeper transactions show {one.transaction_id}"
            if one.transaction_id
            else f"gamekeeper actions show {one.action_id}"
        )
        say(
            f"Not lost: {one.quantity:,} {shown(known, one.item_id)}, handed on to {to} on "
            f"{clock.show(one.at)}. See: {see}"
        )
