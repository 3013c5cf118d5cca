"""The move command: staff move items between characters and places, as a transaction."""

from typing import Annotated, Literal
from uuid import UUID

import typer
from msgspec.structs import replace

from gamekeeper.catalog.lookup import Named
from gamekeeper.cli import names
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.names import ItemKey
from gamekeeper.cli.options import Reason, an_id
from gamekeeper.cli.terminal import AsJson, say, show_json, with_database
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Done, Transaction, transact

Place = Literal["inventory", "bank", "bag"]
Bag = Annotated[UUID | None, typer.Option(parser=an_id, metavar="ID", help="The id of the bag.")]
Slot = Annotated[int | None, typer.Option(metavar="NUMBER", min=0, help="The slot number.")]


def move(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A character's name or id.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="A character's name or id; may be the same.")
    ],
    item: ItemKey,
    quantity: Annotated[int, typer.Argument(metavar="QUANTITY", help="The quantity.", min=1)] = 1,
    *,
    from_place: Annotated[Place, typer.Option(help="The place to take them from.")] = "inventory",
    from_bag: Bag = None,
    from_slot: Slot = None,
    to_place: Annotated[Place, typer.Option(help="The place to put them.")] = "inventory",
    to_bag: Bag = None,
    to_slot: Slot = None,
    bank: Annotated[
        bool, typer.Option("--bank", help="Put items that do not fit into the bank.")
    ] = False,
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Move items between characters, or between places of one character, all or nothing.

    The items keep their stat buffs. The move is a transaction: `gamekeeper transactions undo`
    reverses it.
    """
    here = Endpoint(player=source, place=from_place, bag=from_bag, slot=from_slot)
    there = Endpoint(player=target, place=to_place, bag=to_bag, slot=to_slot)
    moved = MoveItems(
        item_id=None, quantity=quantity, source=here, target=there, overflow_to_bank=bank
    )
    by = audit_context(as_, reason)
    entry, done = with_database(lambda database: _carry_out(database, by, item, moved))
    if as_json:
        return show_json(done)
    return say(
        f"Moved {quantity:,} {entry.name} from {source} to {target}, as transaction {done.id}."
    )


async def _carry_out(
    database: Database, by: AuditContext, item: str, move: MoveItems
) -> tuple[Named, Done]:
    reader = database.reader
    entry = await names.entry(reader, "item", item)
    for end in (move.source, move.target):
        assert end is not None
        await names.player(reader, end.player)  # refuses with the nearest names
    command = Transaction(by=by, holder=None, expected=(), moves=[replace(move, item_id=entry.id)])
    return entry, await transact.one(database, command)
