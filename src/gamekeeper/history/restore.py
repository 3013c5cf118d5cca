"""Restore: give back the items that a character held at an instant and has lost since."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field, structs

from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation
from gamekeeper.history import as_of, restore_rules, transfers
from gamekeeper.history.as_of import HeldStack, Where
from gamekeeper.history.restore_rules import HeldSlot, Lost, PutBack
from gamekeeper.history.transfers import HandedOn
from gamekeeper.ledger.actions import LAST_SEQ, Action
from gamekeeper.ledger.losses import Kind, Restorable, restorable
from gamekeeper.ledger.places import HELD_BY_PLAYERS, IN_OWN_SLOTS, IS_TRANSFER
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players.inventory import Place
from gamekeeper.players.moves import PlayerCommand
from gamekeeper.players.rules import InventoryFull
from gamekeeper.players.state import Needs, State, lock_all


class Restoration(PlayerCommand, frozen=True, kw_only=True):
    at: datetime
    spots: frozenset[HeldSlot] | None = None
    """Restore only what was in these slots; None: everything."""
    dry_run: bool = False


class Returned(Record, frozen=True):
    """A quantity of one item returned to a slot; `from` is its old place."""

    item_id: UUID
    quantity: int
    place: Place
    slot: int
    from_place: Where
    """The place where it was."""
    from_slot: int
    """The slot where it was."""
    stat_buffs: list[int]


class Restored(Record, frozen=True):
    action_id: UUID | None
    """The action in the log; null if nothing was changed."""
    at: datetime
    dry_run: bool
    values: list[Returned]
    handed_on: list[HandedOn] = field(default_factory=list)
    """
    Items held then and given to others since, newest first: they are not lost, and only the undo
    of their transaction returns them.
    """


class Loss(Struct, frozen=True):
    """What a player held at an instant; what is in bags or letters or traded on is not lost."""

    then: list[HeldStack]
    elsewhere: Counter[Kind]
    restorable: Restorable
    refusal: Problem | None = None
    handed_on: Sequence[HandedOn] = ()


@operation
async def restore(writer: Writer, commands: Sequence[Restoration]) -> list[Restored | Problem]:
    """
    Give players back what they held at an instant and lost since, each command atomically.

    It never duplicates items: what a player still has in any place, or traded on, is not lost.
    """
    keys = [command.player for command in commands]
    found = dict(zip(keys, await lock_all(writer, keys), strict=True))
    who = {key: player for key, player in found.items() if player}
    # One query per command: each has its own instant, and reads all postings since then.
    losses = [
        await _loss(writer, who[command.player], command.at) if command.player in who else None
        for command in commands
    ]
    then = {held.item_id for loss in losses if loss for held in loss.then}
    state = await State.load(writer, who, Needs(items=then))
    await state.quotas.lock(writer, [command.by for command in commands])
    outcomes = [
        state.attempt(lambda command=command, loss=loss: _restore(state, command, loss), command.by)
        for command, loss in zip(commands, losses, strict=True)
    ]
    await state.save(writer)
    return outcomes


async def _loss(writer: Writer, player: UUID, at: datetime) -> Loss:
    rows = await writer.rows(
        f"""
        SELECT item_id, stat_buffs, quantity,
               CASE WHEN {IN_OWN_SLOTS} THEN 'slots' ELSE 'inside' END AS place
          FROM ({HELD_BY_PLAYERS}) AS held
         WHERE owner_id = $1
        UNION ALL
        -- What went from one place of the player's to another has come there too.
        SELECT item_id, stat_buffs, greatest(0, -sum(quantity)), 'others'
          FROM postings
         WHERE player_id = $1 AND at > $2 AND seq > {LAST_SEQ} AND {IS_TRANSFER}
         GROUP BY item_id, stat_buffs
        """,
        player,
        at,
    )
    elsewhere = _total(row for row in rows if row["place"] != "slots")
    try:
        then = await as_of.held(writer, player, at)
    except AtTooOld as refusal:
        return Loss([], elsewhere, Restorable({}), refusal)
    missing = {_kind_of(row) for row in rows if row["place"] == "others" and row["quantity"]}
    # Only kinds that were held then: others were received since and passed on.
    handed_on = await _handed_on(writer, player, at, missing & {_kind_of(held) for held in then})
    lost = await restorable(writer, player, at, _fewer(then, _total(rows)))
    return Loss(then, elsewhere, lost, handed_on=handed_on)


def _fewer(then: Sequence[HeldStack], now: Counter[Kind]) -> dict[Kind, int]:
    """What was held then of items of which there are fewer now, in all places and with others."""
    held, items = Counter[Kind](), Counter[UUID]()
    for stack in then:
        held[_kind_of(stack)] += stack.quantity
        items[stack.item_id] += stack.quantity
    for (item, _), quantity in now.items():
        items[item] -= quantity
    return {kind: quantity for kind, quantity in held.items() if items[kind[0]] > 0}


def _total(rows: Iterable[Any]) -> Counter[Kind]:
    total: Counter[Kind] = Counter()
    for row in rows:
        total[_kind_of(row)] += int(row["quantity"])
    return total


async def _handed_on(
    writer: Writer, player: UUID, at: datetime, kinds: Collection[Kind]
) -> list[HandedOn]:
    """To whom the character handed items of these kinds since the instant."""
    if not kinds:
        return []
    seq = await writer.value(f"SELECT {LAST_SEQ}", player, at)
    found = await transfers.handed_on(writer, player, seq, {item for item, _ in kinds})
    return [
        handed_on
        for handed_on in found
        if (handed_on.item_id, tuple(handed_on.stat_buffs)) in kinds
    ]


def _kind_of(thing: Any) -> Kind:
    if isinstance(thing, HeldStack):
        return thing.item_id, tuple(thing.stat_buffs)
    return thing["item_id"], tuple(thing["stat_buffs"])


def _restore(state: State, command: Restoration, loss: Loss | None) -> Restored:
    player = state.player(command.player)
    assert loss is not None
    if loss.refusal:
        raise loss.refusal
    savepoint = state.savepoint()
    # Items that are no longer in the catalog cannot be restored.
    then = [held for held in loss.then if held.item_id in state.known_items]
    lost = restore_rules.missing(
        state, player, then, loss.elsewhere, loss.restorable, command.spots
    )
    kinds = list(dict.fromkeys(loss.stack.item_id for loss in lost))
    before = {"items": _holdings(state, player, kinds)}
    action = Action(kind="items.restore", by=command.by, player_id=player, before=before)
    steps, homeless = restore_rules.put_back(state, player, lost, action.id)
    if homeless:
        raise InventoryFull(None, lacking=_counted(homeless))
    lasts = bool(lost) and not command.dry_run
    if lasts:
        after = {"at": command.at, "items": _holdings(state, player, kinds)}
        state.record(structs.replace(action, after=after))
    else:
        state.rollback(savepoint)
    return Restored(
        action_id=action.id if lasts else None,
        at=command.at,
        dry_run=command.dry_run,
        values=_returned(steps),
        handed_on=list(loss.handed_on),
    )


def _holdings(state: State, player: UUID, items: Sequence[UUID]) -> list[Any]:
    held = {item: state.inventory.holding(player, item) for item in items}
    return [{"item_id": item} | structs.asdict(holding) for item, holding in held.items()]


def _returned(steps: Sequence[PutBack]) -> list[Returned]:
    """One entry for each slot and former slot, whatever the number of losses."""
    found: dict[tuple[Place, int, HeldSlot], Returned] = {}
    for step in steps:
        spot = step.lost.spot
        known = found.get((step.place, step.slot, spot))
        found[step.place, step.slot, spot] = Returned(
            item_id=step.lost.stack.item_id,
            quantity=step.quantity + (known.quantity if known else 0),
            place=step.place,
            slot=step.slot,
            from_place=spot.place,
            from_slot=spot.slot,
            stat_buffs=list(step.lost.stack.stat_buffs),
        )
    return list(found.values())


def _counted(homeless: Sequence[Lost]) -> dict[str, int]:
    """How many of each item did not fit."""
    counted: Counter[str] = Counter()
    for lost in homeless:
        counted[str(lost.stack.item_id)] += lost.stack.quantity
    return dict(counted)
