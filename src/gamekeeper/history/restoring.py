"""Restoring: what a character held at an instant and lost since, given back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.catalog import items as catalog
from gamekeeper.catalog.items import Item
from gamekeeper.database import Writer
from gamekeeper.errors import Problem
from gamekeeper.history import past
from gamekeeper.history.losses import Kind, Restorable, restorable
from gamekeeper.history.missing import Carried, Lost, Spot, Step
from gamekeeper.history.past import DONE, Held, Where
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.beginning import AtTooOld
from gamekeeper.operations import Order, operation
from gamekeeper.players.belongings import PLACES, Belongings, Place, Why
from gamekeeper.players.items import InventoryFull, holding
from gamekeeper.players.lookup import lock_all, unknown
from gamekeeper.shapes import Record


class Restoration(Order, frozen=True, kw_only=True):
    player: str
    at: datetime
    spots: frozenset[Spot] | None = None
    """Only what lay there; None: everything."""
    dry_run: bool = False


class Returned(Record, frozen=True):
    """So many of one item, back in a slot; `from` is where they lay then."""

    item_id: UUID
    quantity: int
    place: Place
    slot: int
    from_place: Where
    from_slot: int
    stat_buffs: list[int]


class Restored(Record, frozen=True):
    action_id: UUID | None
    at: datetime
    dry_run: bool
    values: list[Returned]


class Loss(Struct, frozen=True):
    """What a player held at an instant, and what of it is not lost though it is not carried."""

    then: list[Held]
    elsewhere: Counter[Kind]
    restorable: Restorable
    refusal: Problem | None = None


@operation
async def restore(writer: Writer, orders: Sequence[Restoration]) -> list[Restored | Problem]:
    """
    Give players back what they held at an instant and lost since, each order whole or not at all.

    Never a copy: what a player still has in any place, or has handed on, is not lost.
    """
    players = await lock_all(writer, [order.player for order in orders])
    belongings = await Belongings.of(writer, [player for player in players if player])
    # One by one: each order has an instant of its own, and all that happened since to read.
    losses = [
        await _loss(writer, player, order.at) if player else Loss([], Counter(), Restorable({}))
        for order, player in zip(orders, players, strict=True)
    ]
    items = await catalog.known(writer, {held.item_id for loss in losses for held in loss.then})
    done: list[Action] = []
    outcomes = [
        _restore(writer, belongings, player, items, order, loss, done)
        for order, player, loss in zip(orders, players, losses, strict=True)
    ]
    await belongings.save(writer)
    await actions.record(writer, done)
    return outcomes


async def _loss(writer: Writer, player: UUID, at: datetime) -> Loss:
    rows = await writer.rows(
        f"""
        SELECT item_id, stat_buffs, quantity FROM bag_slots WHERE player_id = $1
        UNION ALL
        -- What went from one place of the player's to another has come there too.
        SELECT item_id, stat_buffs, greatest(0, -sum(quantity))
          FROM postings
         WHERE player_id = $1 AND at > $2 AND seq > {DONE} AND against = 'move'
         GROUP BY item_id, stat_buffs
        """,
        player,
        at,
    )
    elsewhere: Counter[Kind] = Counter()
    for row in rows:
        elsewhere[row["item_id"], tuple(row["stat_buffs"])] += int(row["quantity"])
    try:
        then = await past.held(writer, player, at)
    except AtTooOld as refusal:
        return Loss([], elsewhere, Restorable({}), refusal)
    return Loss(then, elsewhere, await restorable(writer, player, at))


def _restore(
    writer: Writer,
    belongings: Belongings,
    player: UUID | None,
    items: Mapping[UUID, Item],
    order: Restoration,
    loss: Loss,
    done: list[Action],
) -> Restored | Problem:
    if player is None:
        return unknown(order.player)
    if loss.refusal:
        return loss.refusal
    carried = Carried({place: belongings.at(player, place) for place in PLACES}, writer.settings)
    # What the game no longer has, nobody can have back.
    then = [held for held in loss.then if held.item_id in items]
    lost = carried.lost(then, loss.elsewhere, loss.restorable, order.spots)
    if homeless := carried.put_back(lost, items):
        return InventoryFull(None, lacking=_counted(homeless))
    action = None
    if lost and not order.dry_run:
        action = _carry_out(belongings, player, items, order, carried.steps)
        done.append(action)
    return Restored(
        action_id=action.id if action else None,
        at=order.at,
        dry_run=order.dry_run,
        values=_returned(carried.steps),
    )


def _carry_out(
    belongings: Belongings,
    player: UUID,
    items: Mapping[UUID, Item],
    order: Restoration,
    steps: Sequence[Step],
) -> Action:
    kinds = list(dict.fromkeys(step.stack.item_id for step in steps))
    before = _holdings(belongings, player, kinds)
    action = Action(kind="items.restore", by=order.by, player_id=player, before={"items": before})
    for step in steps:
        item = items[step.stack.item_id]
        why = Why(action.id, "restore", step.lost.loss_id)
        belongings.add(player, step.place, item, {step.slot: step.stack}, why)
    after = _holdings(belongings, player, kinds)
    return structs.replace(action, after={"at": order.at, "items": after})


def _holdings(belongings: Belongings, player: UUID, items: Sequence[UUID]) -> list[Any]:
    return [{"item_id": item} | structs.asdict(holding(belongings, player, item)) for item in items]


def _returned(steps: Sequence[Step]) -> list[Returned]:
    """Once for each slot and where it lay then, out of however many losses it came."""
    found: dict[tuple[Place, int, Spot], Returned] = {}
    for step in steps:
        spot = step.lost.spot
        known = found.get((step.place, step.slot, spot))
        found[step.place, step.slot, spot] = Returned(
            item_id=step.stack.item_id,
            quantity=step.quantity + (known.quantity if known else 0),
            place=step.place,
            slot=step.slot,
            from_place=spot.place,
            from_slot=spot.slot,
            stat_buffs=list(step.stack.stat_buffs),
        )
    return list(found.values())


def _counted(homeless: Sequence[Lost]) -> dict[str, int]:
    """How many of which item found no room."""
    counted: Counter[str] = Counter()
    for lost in homeless:
        counted[str(lost.item_id)] += lost.quantity
    return dict(counted)
