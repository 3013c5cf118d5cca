"""The past in plain Python: what an undo and a restore should do, and what is in their way."""

import copy
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.torture import world

if TYPE_CHECKING:
    from tests.torture.model import Model
    from tests.torture.world import Character, Deed, Move, Wish

MOVED_ON = "The state has changed since; nothing was undone."


def undo(model: "Model", wish: "Wish") -> Any:
    deed = model.deeds.get(model.named.get(wish.about, ""))
    if deed is None:
        raise world.Refused(404, "action_not_found", f"No action with id '{wish.about}'.")
    if deed.is_shared:
        shared = (
            "This action is part of a transaction that moved items. Undo the transaction instead."
        )
        raise world.Refused(409, "not_undoable", shared, Kind=deed.kind, Transaction="*")
    if by := undone_by(model, deed):
        ids = [made for made, request in model.named.items() if request == by.id]
        message = "This action is already undone."
        raise world.Refused(409, "already_undone", message, By=ids[0] if ids else "*")
    who = copy.deepcopy(model.players[deed.player])
    done, obstacles, about = _undoing(model, who, deed)
    if obstacles and not (wish.body["partial"] and done):
        raise world.Refused(409, "undo_conflict", MOVED_ON, InTheWay=obstacles)
    dry = wish.body["dryrun"]
    if not dry:
        model.players[deed.player] = who
        model.deeds[wish.id] = world.Deed(
            id=wish.id, kind="undo", player=deed.player, undoes=deed.id, **about
        )
    return {
        "Id": None if dry else "*",
        "Undoes": wish.about,
        "Kind": deed.kind,
        "PlayerId": who.id,
        "UserId": None,
        "DryRun": dry,
        "Complete": not obstacles,
        "Done": done,
        "NotDone": obstacles,
    }


def undone_by(model: "Model", deed: "Deed") -> "Deed | None":
    return _undone(model, deed) or _undone_anew(model, deed)


def _undone(model: "Model", deed: "Deed") -> "Deed | None":
    """The undo of a deed that holds: one that is not undone itself."""
    undos = [one for one in model.deeds.values() if one.undoes == deed.id]
    return next((undo for undo in undos if not _undone(model, undo)), None)


def _undone_anew(model: "Model", deed: "Deed") -> "Deed | None":
    """What undid again what this deed redid: undone as well, it would be undone twice."""
    while deed.undoes and (former := model.deeds[deed.undoes].undoes):
        deed = model.deeds[former]
        if by := _undone(model, deed):
            return by
    return None


def _undoing(model: "Model", who: "Character", deed: "Deed") -> tuple[list[Any], list[Any], Any]:
    """What is done to `who`, what is in the way, and what this undo can be undone by."""
    if deed.moves:
        return _moved_back(model, who, deed)
    if isinstance(deed.before or deed.after, dict):
        return _set_back(who, deed)
    return _forgotten(model, who, deed) if deed.after else _learned(who, deed)


def _forgotten(model: "Model", who: "Character", deed: "Deed") -> tuple[list[Any], list[Any], Any]:
    spell, _ = deed.after
    slots = [slot for slot, known in who.spells.items() if known == spell]
    if not slots:
        return [], [_obstacle("spell_not_known", "spell", spell)], {}
    if model.catalog.spells[spell]:
        return [], [_obstacle("spell_bound", "spell", spell)], {}
    del who.spells[slots[0]]
    done = change("spell", spell, Slot=slots[0], Quantity=-1)
    return [done], [], {"before": (spell, slots[0])}


def _learned(who: "Character", deed: "Deed") -> tuple[list[Any], list[Any], Any]:
    spell, former = deed.before
    free = [slot for slot in range(world.SPELLS) if slot not in who.spells]
    if spell in who.spells.values():
        return [], [_obstacle("spell_already_known", "spell", spell)], {}
    if not free:
        return [], [_obstacle("spellbook_full", "spell", spell)], {}
    slot = former if former in free else free[0]
    who.spells[slot] = spell
    return [change("spell", spell, Slot=slot, Quantity=1)], [], {"after": (spell, slot)}


def _set_back(who: "Character", deed: "Deed") -> tuple[list[Any], list[Any], Any]:
    [(variable, left)] = deed.after.items()
    former, now = deed.before[variable], who.variables.get(variable)
    if now != left:
        found = {"Expected": left, "Found": now}
        return [], [_obstacle("changed_since", "variable", variable, **found)], {}
    who.variables.pop(variable, None)
    if former is not None:
        who.variables[variable] = former
    done = change("variable", variable, Before=now, After=former)
    return [done], [], {"before": deed.after, "after": deed.before}


def _moved_back(model: "Model", who: "Character", deed: "Deed") -> tuple[list[Any], list[Any], Any]:
    """Take what came before giving what went; each where it was first, and then anywhere."""
    came = [move for move in reversed(deed.moves) if move.many > 0]
    went = [move for move in reversed(deed.moves) if move.many < 0]
    made: list[Move] = []

    def pass_over(
        moves: "list[Move]", wanted: list[int], spots: Any, fit: Any, sign: int
    ) -> list[int]:
        left = []
        for move, many in zip(moves, wanted, strict=True):
            for place, slot in spots(move):
                fits = min(many, fit(move, place, slot))
                if fits > 0:
                    loss = move.loss or (deed.id if sign > 0 else None)
                    back = world.Move(place, slot, move.item, sign * fits, move.bag, loss)
                    made.append(who.lay(back))
                    many -= fits
            left.append(many)
        return left

    def there(move: "Move", place: str, slot: int) -> int:
        pile = who.place(place).get(slot)
        return pile.many if pile and (pile.item, pile.bag) == (move.item, move.bag) else 0

    def own(move: "Move") -> list[tuple[str, int]]:
        return [(move.place, move.slot)]

    lacking = pass_over(came, [move.many for move in came], own, there, -1)
    lacking = pass_over(came, lacking, lambda move: piles(who, move.place), there, -1)
    wanted, short = still_lost(model, deed, went)

    def fits(move: "Move", place: str, slot: int) -> int:
        return room(model, who, move, place, slot)

    homeless = pass_over(went, wanted, own, fits, 1)
    homeless = pass_over(went, homeless, lambda move: around(who), fits, 1)
    lost = [
        left - move.many - many for left, move, many in zip(homeless, went, wanted, strict=True)
    ]
    obstacles = lacking_of(came, lacking, lambda move: "gone")
    obstacles += lacking_of(went, lost, lambda move: why_not(who, short, move))
    done = [change("item", m.item, Place=m.place, Slot=m.slot, Quantity=m.many) for m in made]
    return done, obstacles, {"moves": made}


def room(model: "Model", who: "Character", move: "Move", place: str, slot: int) -> int:
    thing, pile = model.catalog.things[move.item], who.place(place).get(slot)
    if _lies(who, move.bag):
        return 0
    if (place == "bank" and not thing.bankable) or (pile and pile.item != move.item):
        return 0
    if pile and pile.bag != move.bag:
        return 0
    return thing.stack(place) - (pile.many if pile else 0)


def piles(who: "Character", first: str) -> list[tuple[str, int]]:
    places = sorted(world.PLACES, key=lambda place: place != first)
    return [(place, slot) for place in places for slot in sorted(who.place(place))]


def around(who: "Character") -> list[tuple[str, int]]:
    spots = []
    for place in world.PLACES:
        filled = sorted(who.place(place))
        spots += [(place, slot) for slot in filled]
        spots += [(place, n) for n in range(world.SIZES[place]) if n not in filled]
    return spots


def _lost_by(model: "Model", loss: str, item: str) -> int:
    """How many a deed took that have not come back, counted over all that was ever done."""
    return -sum(
        move.many
        for deed in model.deeds.values()
        for move in deed.moves
        if move.item == item
        and not move.moved
        and (move.loss == loss or (deed.id == loss and not move.loss and move.many < 0))
    )


def still_lost(model: "Model", deed: "Deed", went: "list[Move]") -> tuple[list[int], set[str]]:
    """How many of each move can come back, and of which items not all can."""
    left: dict[tuple[str, str], int] = {}
    short: set[str] = set()
    wanted = []
    for move in went:
        key = (move.loss or deed.id, move.item)
        there = left.setdefault(key, _lost_by(model, *key))
        wanted.append(min(-move.many, there))
        left[key] -= wanted[-1]
        short |= {move.item} if wanted[-1] < -move.many else set()
    return wanted, short


def _lies(who: "Character", bag: str | None) -> bool:
    """Whether that very bag lies somewhere; it cannot come a second time."""
    piles = [pile for place in world.PLACES for pile in who.place(place).values()]
    return bag is not None and any(pile.bag == bag for pile in piles)


def why_not(who: "Character", short: set[str], move: "Move") -> str:
    if move.item in short:
        return "restored"
    return "already_there" if _lies(who, move.bag) else "no_room"


def lacking_of(moves: "list[Move]", left: list[int], reason: Callable[["Move"], str]) -> list[Any]:
    """Once for each item and place, with the reason of the last that lacks."""
    found: dict[tuple[str, str], Any] = {}
    for move, lacking in zip(moves, left, strict=True):
        spot, many = (move.item, move.place), abs(move.many)
        why, wanted, possible = found.get(spot, ("", 0, 0))
        why = reason(move) if lacking else why
        found[spot] = (why, wanted + many, possible + many - lacking)
    return [
        _obstacle(why, "item", item, Place=place, Wanted=wanted, Possible=possible)
        for (item, place), (why, wanted, possible) in found.items()
        if wanted != possible
    ]


def change(what: str, thing: str, **about: Any) -> Any:
    names = ("Name", "Place", "Slot", "Quantity", "Before", "After")
    return {"What": what, "Id": thing} | dict.fromkeys(names) | about


def _obstacle(reason: str, what: str, thing: str, **about: Any) -> Any:
    names = ("Name", "Place", "Wanted", "Possible", "Expected", "Found")
    return {"Reason": reason, "What": what, "Id": thing} | dict.fromkeys(names) | about


def restore(model: "Model", wish: "Wish") -> Any:
    now = model.character(wish)
    who, then = copy.deepcopy(now), model.pasts[wish.about][wish.player]
    steps: list[tuple[Move, str, int]] = []
    homeless = [
        (lost, left)
        for lost in _lost(now, then, _restorable(model, wish), _handed_on(model, wish))
        if (left := _put(model, who, lost, steps, home=True))
    ]
    lacking: Counter[str] = Counter()
    for lost, left in homeless:
        lacking[lost.item] += _put(model, who, lost._replace(many=left), steps, home=False)
    if +lacking:
        raise world.Refused(409, "inventory_full", world.FULL, Lacking=dict(+lacking))
    dry = wish.body["dryrun"]
    if steps and not dry:
        model.players[wish.player] = who
        model.did(wish, "items.restore", moves=[move for move, _, _ in steps])
    return {
        "ActionId": "*" if steps and not dry else None,
        "At": wish.about,
        "DryRun": dry,
        "Values": [
            {
                "ItemId": item,
                "Quantity": many,
                "Place": place,
                "Slot": slot,
                "FromPlace": from_place,
                "FromSlot": from_slot,
                "StatBuffs": [0, 0, 0, 0, 0],
            }
            for (item, place, slot, from_place, from_slot), many in _merged(steps).items()
        ],
        # To whom it was handed on is looked at elsewhere.
        "HandedOn": "?" if any(then.count(item) for item in _handed_on(model, wish)) else [],
    }


def _merged(steps: "list[tuple[Move, str, int]]") -> Counter[tuple[str, str, int, str, int]]:
    merged: Counter[tuple[str, str, int, str, int]] = Counter()
    for move, place, slot in steps:
        merged[move.item, move.place, move.slot, place, slot] += move.many
    return merged


def _restorable(model: "Model", wish: "Wish") -> dict[str, list[tuple[str, int]]]:
    """Of each item, what takings have taken since and nobody has returned; the newest first."""
    lost: dict[tuple[str, str], int] = {}
    for deed in list(model.deeds.values())[model.deeds_by[wish.about] :]:
        for move in deed.moves:
            if deed.player == wish.player and not move.moved and (move.loss or move.many < 0):
                key = (move.loss or deed.id, move.item)
                # Taken out and put in again, so that the last one touched stands last.
                lost[key] = lost.pop(key, 0) - move.many
    found: dict[str, list[tuple[str, int]]] = {}
    for (loss, item), many in reversed(lost.items()):
        if many > 0 and model.deeds[loss].kind != "undo":
            found.setdefault(item, []).append((loss, many))
    return found


def _handed_on(model: "Model", wish: "Wish") -> Counter[str]:
    """How many of each item are with others by now, on balance."""
    moved: Counter[str] = Counter()
    for deed in list(model.deeds.values())[model.deeds_by[wish.about] :]:
        for move in deed.moves:
            if deed.player == wish.player and move.moved:
                moved[move.item] -= move.many
    return +moved


def _lost(
    now: "Character",
    then: "Character",
    restorable: dict[str, list[tuple[str, int]]],
    handed_on: Counter[str],
) -> "list[Move]":
    """What lay in each slot and is missing; never more than is missing in all."""
    short: dict[str, int] = {}
    lost = []
    for place in world.PLACES:
        for slot, pile in sorted(then.place(place).items()):
            missing = short.setdefault(
                pile.item, then.count(pile.item) - now.count(pile.item) - handed_on[pile.item]
            )
            there = now.place(place).get(slot)
            lying = there.many if there and there.item == pile.item else 0
            many = max(0, min(pile.many - lying, missing))
            losses = restorable.get(pile.item, [])
            while many and losses:
                loss, left = losses.pop(0)
                drawn = min(many, left)
                losses[:0] = [(loss, left - drawn)] if left > drawn else []
                lost.append(world.Move(place, slot, pile.item, drawn, loss=loss))
                many -= drawn
                short[pile.item] -= drawn
    return lost


def _put(model: "Model", who: "Character", lost: "Move", steps: Any, *, home: bool) -> int:
    """Lay down what was lost, in its own slot or else anywhere; how many found no room."""
    thing, left = model.catalog.things[lost.item], lost.many
    for place in sorted(world.PLACES, key=lambda place: place != lost.place):
        if place == "bank" and not thing.bankable:
            continue
        moves, _ = world.fitted(who, place, thing, 10**6 if home else left)
        for move in moves:
            if left and (not home or (place, move.slot) == (lost.place, lost.slot)):
                many = min(move.many, left)
                laid = world.with_bag(thing, move._replace(many=many, loss=lost.loss))
                steps.append((who.lay(laid), lost.place, lost.slot))
                left -= laid.many
    return left


PAST: dict[str, Callable[["Model", "Wish"], Any]] = {"undo": undo, "restore": restore}
