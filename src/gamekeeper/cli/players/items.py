"""``gamekeeper players`` give, take, move, restore: items of characters change."""

from typing import Annotated, Literal
from uuid import UUID

import typer
from msgspec import UNSET

from gamekeeper.cli import names
from gamekeeper.cli.actor import By, ByReasonFirst
from gamekeeper.cli.command import Output, TextTable, change
from gamekeeper.cli.names import FoundItem, FoundPlayer, Ids, shown
from gamekeeper.cli.options import At, DryRun, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.parsing import Unreadable, small_integer
from gamekeeper.db.database import Database
from gamekeeper.history import restore as restoration
from gamekeeper.history.restore import Restoration, Restored
from gamekeeper.history.restore_rules import HeldSlot
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.mailbox.gifts import BY_MAIL, MailedHolding
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact

Quantity = Annotated[int, typer.Argument(metavar="QUANTITY", help="The quantity.", min=1)]
Overflow = Annotated[bool, typer.Option("--bank", help="Put items that do not fit into the bank.")]
Deliver = Annotated[
    Literal["inventory", "mailbox"],
    typer.Option(help="Where the items go; `mailbox` sends all of them in a letter."),
]
MailOverflow = Annotated[
    Literal["refuse", "mailbox"],
    typer.Option(
        "--overflow", help="Refuse items that have no room, or send them in a letter (`mailbox`)."
    ),
]
Place = Literal["inventory", "bank", "bag"]
Bag = Annotated[UUID | None, typer.Option(parser=an_id, metavar="ID", help="The id of the bag.")]
Slot = Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="The slot number.")]


@change("players.items")
async def give(
    database: Database,
    player: FoundPlayer,
    item: FoundItem,
    quantity: Quantity = 1,
    *,
    bank: Overflow = False,
    deliver: Deliver = "inventory",
    overflow: MailOverflow = "refuse",
    buffs: Annotated[
        tuple[int, int, int, int, int],
        typer.Option(
            metavar="NUMBERS",
            min=-(2**31),
            max=2**31 - 1,
            help="Five stat buffs: attack, ability power, defense, magic resist, speed.",
        ),
    ] = (0, 0, 0, 0, 0),
    by: By,
) -> Output:
    """
    Give items to a character, all or nothing.

    With --overflow mailbox, items without room wait in the mailbox: one letter, undone together
    with the rest. `gamekeeper mailbox list` shows it.
    """
    order = Gift(
        by=by,
        player=str(player.id),
        item_id=item.id,
        quantity=quantity,
        overflow_to_bank=bank,
        stat_buffs=buffs,
        by_mail=BY_MAIL.get((deliver, overflow), UNSET),
    )
    held = await items.give.one(database, order)
    mailed = f" {held.mailed:,} wait in the mailbox." if isinstance(held, MailedHolding) else ""
    return Output(
        held,
        f"Gave {player.name} {quantity:,} {item.name}. Now {player.name} has "
        f"{held.inventory:,} in the inventory and {held.bank:,} in the bank.{mailed}",
    )


@change("players.items")
async def take(
    database: Database, player: FoundPlayer, item: FoundItem, quantity: Quantity = 1, *, by: By
) -> Output:
    """Take items from a character's inventory, all or nothing."""
    order = Taking(by=by, player=str(player.id), item_id=item.id, quantity=quantity)
    taken = await items.take.one(database, order)
    return Output(
        {"item_id": taken.item_id, "quantity": taken.quantity},
        f"Took {taken.quantity:,} {item.name} from {player.name}.",
    )


@change("transactions")
async def move(
    database: Database,
    source: Annotated[str, typer.Argument(metavar="FROM", help="A character's name or id.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="A character's name or id; may be the same.")
    ],
    item: FoundItem,
    quantity: Quantity = 1,
    *,
    from_place: Annotated[
        Place, typer.Option(help="The place to take the items from.")
    ] = "inventory",
    from_bag: Bag = None,
    from_slot: Slot = None,
    to_place: Annotated[Place, typer.Option(help="The place to put the items into.")] = "inventory",
    to_bag: Bag = None,
    to_slot: Slot = None,
    bank: Overflow = False,
    by: ByReasonFirst,
) -> Output:
    """
    Move items between characters, or between places of one character, all or nothing.

    The items keep their stat buffs. The move is a transaction: `gamekeeper transactions undo`
    reverses it.
    """
    for player in (source, target):
        await names.player(database.reader, player)  # refuses with the nearest names
    moved = MoveItems(
        item_id=item.id,
        quantity=quantity,
        source=Endpoint(player=source, place=from_place, bag=from_bag, slot=from_slot),
        target=Endpoint(player=target, place=to_place, bag=to_bag, slot=to_slot),
        overflow_to_bank=bank,
    )
    order = Transaction(by=by, holder=None, expected=(), moves=[moved])
    done = await transact.one(database, order)
    said = f"Moved {quantity:,} {item.name} from {source} to {target}, as transaction {done.id}."
    return Output(done, said)


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


@change("players.items")
async def restore(
    database: Database,
    player: FoundPlayer,
    at: At,
    *,
    slot: Annotated[
        list[HeldSlot] | None,
        typer.Option(parser=_spot, metavar="PLACE:SLOT", help="Only this slot; repeatable."),
    ] = None,
    dry_run: DryRun = False,
    ids: Ids = False,
    clock: Clock,
    by: By,
) -> Output:
    """Restore items that a character held at a past time and has lost since."""
    order = Restoration(
        by=by,
        player=str(player.id),
        at=clock.at(at),
        spots=frozenset(slot) if slot else None,
        dry_run=dry_run,
    )
    done = await restoration.restore.one(database, order)
    moved = [each.item_id for each in (*done.values, *done.handed_on)]
    known = await names.names_of(database.reader, "item", moved)
    kept = _handed_on(done, known, clock)
    if not done.values:
        return Output(done, *kept, f"Nothing {'else ' if kept else ''}is missing.")
    rows = [
        [
            shown(known, each.item_id, ids=ids),
            f"{each.quantity:,}",
            f"{each.from_place}:{each.from_slot}",
            f"{each.place}:{each.slot}",
        ]
        for each in done.values
    ]
    table = TextTable(["item", "quantity", "was in", "goes to"], rows)
    said = "Nothing was changed." if dry_run else f"Restored, as action {done.action_id}."
    return Output(done, *kept, table, said)


def _handed_on(done: Restored, known: dict[UUID, str], clock: TerminalClock) -> list[str]:
    lines = []
    for each in done.handed_on:
        to = " or ".join(owner.name or str(owner.player_id or owner.guild_id) for owner in each.to)
        see = (
            f"See: gamekeeper transactions show {each.transaction_id}"
            if each.transaction_id
            else f"Action: {each.action_id}"
        )
        lines.append(
            f"Not lost: {each.quantity:,} {shown(known, each.item_id)}, passed on to {to} on "
            f"{clock.show(each.at)}. {see}"
        )
    return lines
