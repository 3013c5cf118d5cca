"""Items of players: read inventory, bank and bags; give and take items."""

from collections.abc import Sequence
from functools import cache
from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.errors import Problem
from gamekeeper.db import unique_names
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.db.queries import batched_query
from gamekeeper.db.unique_names import ByKey
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players import rules
from gamekeeper.players.holds import HeldGift, Holds
from gamekeeper.players.inventory import NO_BUFFS, Place, PostingContext
from gamekeeper.players.lookup import unknown
from gamekeeper.players.mailbox.gifts import GiftMail
from gamekeeper.players.moves import ByMail, Endpoint, MoveItems, PlayerCommand
from gamekeeper.players.records import Bag, Holding, Items, Slot
from gamekeeper.players.rules import BagNotFound, InvalidQuantity
from gamekeeper.players.state import Needs, State


class Gift(PlayerCommand, frozen=True, kw_only=True):
    item_id: UUID
    quantity: int
    overflow_to_bank: bool = False
    stat_buffs: tuple[int, ...] = NO_BUFFS
    by_mail: ByMail | UnsetType = UNSET
    """Whether a letter brings them. Unset is not stored in approvals."""


class Taking(Command, frozen=True, kw_only=True):
    player: str
    item_id: UUID
    quantity: int


async def carried(reader: Reader, key: str) -> Items:
    """Every slot of a player's inventory and bank, the empty ones too."""
    rows = await filled.one(reader, key)
    if rows is None:
        raise unknown(key)
    return Items(
        inventory=padded(rows["inventory"], reader.settings.inventory_slots),
        bank=padded(rows["bank"], reader.settings.bank_slots),
    )


async def slots(reader: Reader, key: str, place: Place) -> list[Slot]:
    """Every slot of one place, the empty ones too."""
    rows = await (inventory if place == "inventory" else bank).one(reader, key)
    if rows is None:
        raise unknown(key)
    settings = reader.settings
    return padded(rows, settings.inventory_slots if place == "inventory" else settings.bank_slots)


@batched_query
async def filled(reader: Reader, keys: Sequence[str]) -> dict[str, dict[Place, list[Slot]]]:
    """The filled slots of inventories and banks of the players with these names or ids."""
    found = await unique_names.read(reader, ANYWHERE, keys)
    return {
        key: {place: _filled(rows, place) for place in ("inventory", "bank")}
        for key, rows in found.items()
    }


@batched_query
async def inventory(reader: Reader, keys: Sequence[str]) -> dict[str, list[Slot]]:
    """The filled inventory slots of the players with these names or ids."""
    found = await unique_names.read(reader, IN_INVENTORY, keys)
    return {key: _filled(rows, "inventory") for key, rows in found.items()}


@batched_query
async def bank(reader: Reader, keys: Sequence[str]) -> dict[str, list[Slot]]:
    """The filled bank slots of the players with these names or ids."""
    found = await unique_names.read(reader, IN_BANK, keys)
    return {key: _filled(rows, "bank") for key, rows in found.items()}


# A player who carries nothing has one row, without a place. The contract shows the id
# of a bag only while it is in the inventory.
FILLED: LiteralString = """
    SELECT key, place, slot, CASE WHEN place = 'inventory' THEN bag_id END,
           item_id, quantity, stat_buffs
      FROM {owners}
      LEFT JOIN LATERAL (
           SELECT * FROM slots WHERE player_id = players.id {in_place} OFFSET 0) AS slots ON true
"""
IN_INVENTORY = ByKey.of("players", FILLED.replace("{in_place}", "AND place = 'inventory'"))
IN_BANK = ByKey.of("players", FILLED.replace("{in_place}", "AND place = 'bank'"))
ANYWHERE = ByKey.of("players", FILLED.replace("{in_place}", ""))


def _filled(rows: Sequence[Any], place: Place) -> list[Slot]:
    return [Slot(*row[2:]) for row in rows if row[1] == place]


async def bag(reader: Reader, bag_id: UUID) -> Bag:
    """A bag and every slot in it."""
    found = await bags.one(reader, bag_id)
    if found is None:
        raise BagNotFound
    return found


@batched_query
async def bags(reader: Reader, ids: Sequence[UUID]) -> dict[UUID, Bag]:
    """Bags with every slot in them."""
    owners = await reader.rows("SELECT player_id FROM bag_owners WHERE bag_id = ANY($1)", list(ids))
    rows = await reader.rows(
        """
        SELECT bags.id, slot_count, slot, item_id, quantity, stat_buffs
          FROM bags
          LEFT JOIN bag_slots ON bag_slots.player_id = bags.player_id
                             AND bag_slots.bag_id = bags.id
         WHERE bags.player_id = ANY($1) AND bags.id = ANY($2)
        """,
        [row["player_id"] for row in owners],
        list(ids),
    )
    sizes = {row["id"]: row["slot_count"] for row in rows}
    inside: dict[UUID, list[Slot]] = {bag_id: [] for bag_id in sizes}
    for bag_id, _, slot, item, quantity, buffs in rows:
        if slot is not None:
            inside[bag_id].append(Slot(slot, None, item, quantity, buffs))
    return {
        bag_id: Bag(id=bag_id, slot_count=size, slots=padded(inside[bag_id], size))
        for bag_id, size in sizes.items()
    }


def padded(filled: list[Slot], size: int) -> list[Slot]:
    """All slots up to `size`, or up to the last filled one, if `size` was larger once."""
    padded = list(_empty(max([size, *(slot.slot + 1 for slot in filled)])))
    for slot in filled:
        padded[slot.slot] = slot
    return padded


@cache
def _empty(size: int) -> tuple[Slot, ...]:
    return tuple(Slot(slot=number) for number in range(size))


@batched_operation
async def give(writer: Writer, orders: Sequence[Gift]) -> list[Holding | Problem]:
    """
    Give players items, each command atomically.

    The inventory is filled first. With `overflow_to_bank`, what does not fit goes to the
    bank; with `by_mail`, to the mailbox; otherwise the command is refused.
    """
    state = await _lock(writer, orders)
    await state.quotas.lock(writer, [order.by for order in orders])
    held: Holds | None = None
    for item in state.known_items.values():
        if item.is_held:
            held = await _holds(writer, state, orders)
            break
    mail: GiftMail | None = None
    for order in orders:
        # Most gifts need no mailbox, and pay no statement for it.
        if order.by_mail is not UNSET:
            mail = await GiftMail.open(writer, state)
            break
    outcomes: list[Holding | Problem] = []
    for order in orders:
        outcome = state.attempt(lambda order=order: _give(state, order, held, mail), order.by)
        outcomes.append(outcome)
        if held and not isinstance(outcome, Problem):
            held.count(_held_gift(state, order))
    await state.save(writer)
    if held:
        await held.save(writer)
    return outcomes


async def _holds(writer: Writer, state: State, orders: Sequence[Gift]) -> Holds:
    known = [
        order
        for order in orders
        if state.finds(order.player) and order.item_id in state.known_items
    ]
    return await Holds.lock(writer, [_held_gift(state, order) for order in known])


def _held_gift(state: State, order: Gift) -> HeldGift:
    return HeldGift(
        by=order.by,
        player=state.player(order.player),
        item=state.known_items[order.item_id],
        quantity=order.quantity,
    )


def _give(state: State, order: Gift, held: Holds | None, mail: GiftMail | None) -> Holding:
    gift = MoveItems(
        item_id=_checked(state, order),
        quantity=order.quantity,
        source=None,
        target=Endpoint(player=order.player),
        overflow_to_bank=order.overflow_to_bank,
        stat_buffs=order.stat_buffs,
        by_mail=order.by_mail,
    )
    if mail and order.by_mail is not UNSET:
        given = mail.give(order.by, gift)
    else:
        given = _carry_out(state, "items.give", order, gift)
    # After the gift: what would be refused anyway is not worth an approval.
    if held:
        held.check(_held_gift(state, order))
    return given


@batched_operation
async def take(writer: Writer, orders: Sequence[Taking]) -> list[Taking | Problem]:
    """Take items out of players' inventories, each command atomically."""
    state = await _lock(writer, orders)
    outcomes = [state.attempt(lambda order=order: _take(state, order)) for order in orders]
    await state.save(writer)
    return outcomes


def _take(state: State, order: Taking) -> Taking:
    taking = MoveItems(
        item_id=_checked(state, order),
        quantity=order.quantity,
        source=Endpoint(player=order.player),
        target=None,
    )
    _carry_out(state, "items.take", order, taking)
    return order


async def _lock(writer: Writer, orders: Sequence[Gift | Taking]) -> State:
    needs = Needs(items={order.item_id for order in orders})
    return await State.lock(writer, [order.player for order in orders], needs)


def _checked(state: State, order: Gift | Taking) -> UUID:
    """The item's id as the database returned it: it compares four times as fast with slots'."""
    if order.item_id not in state.known_items:
        raise UnknownItem
    if order.quantity < 1:
        raise InvalidQuantity
    return state.known_items[order.item_id].id


def _carry_out(state: State, kind: Kind, order: Gift | Taking, move: MoveItems) -> Holding:
    """Move the items, and record an action with the player's holding before and after."""
    player, item = state.player(order.player), move.item_id
    assert item is not None
    before = state.inventory.holding(player, item)
    action = Action(kind=kind, by=order.by, player_id=player, item_id=item, before=before)
    rules.carry(state, move, lambda _, against: PostingContext(action.id, against))
    after = state.inventory.holding(player, item)
    state.record(replace(action, after=after))
    return after
