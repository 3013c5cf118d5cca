"""Trades in plain Python: what a transaction and the undo of one should do."""

import copy
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.torture import past, world
from tests.torture.world import Character, Deed, Move, Wish

if TYPE_CHECKING:
    from tests.torture.model import Model

FEW = "The inventory holds fewer than that; nothing was taken."


def trade(model: "Model", wish: Wish) -> Any:
    [asked] = wish.body["transactions"]
    players, posted = copy.deepcopy(model.players), dict[str, list[Move]]()
    failure = None
    try:
        for leg in asked["moves"]:
            _carry(model, players, posted, leg)
    except world.Refused as refusal:
        said = {name: fact for name, fact in refusal.said.items() if fact != {}}
        failure, status = said | {"RequestId": wish.id}, refusal.status
    else:
        status = 200
        model.players = players
        for number, (player, moves) in enumerate(posted.items()):
            kind = "items.move" if any(move.moved for move in moves) else "items.exchange"
            _record(model, wish, number, kind=kind, player=player, moves=moves)
    ids = {players[leg[end]].id for leg in asked["moves"] for end in ("from", "to") if leg.get(end)}
    done = {"Id": "*", "Players": [{"PlayerId": one, "Seq": "#"} for one in sorted(ids)]}
    outcome = {"Key": asked["key"], "Status": status, "Replayed": False}
    outcome |= {"Done": None if failure else done, "Failure": failure}
    return {"Values": [outcome]}


def _record(model: "Model", wish: Wish, number: int, **about: Any) -> None:
    """One action of several that a request makes: they share its id, and have a number."""
    name = f"{wish.id}#{number}"
    model.deeds[name] = world.Deed(id=name, trade=wish.id, **about)


def _carry(
    model: "Model", players: dict[str, Character], posted: dict[str, list[Move]], leg: Any
) -> None:
    thing, many = model.catalog.things[leg["itemid"]], leg["quantity"]
    source, target = leg.get("from"), leg.get("to")
    moved = bool(source and target)
    drawn: list[Move] = []
    if source:
        drawn = _drawn(players[source], leg.get("fromplace", "inventory"), thing, many)
        mine = posted.setdefault(source, [])
        mine += [players[source].lay(one._replace(moved=moved)) for one in drawn]
    elif thing.bag:
        drawn = [world.with_bag(thing, world.Move("", 0, thing.id, -1)) for _ in range(many)]
    else:
        drawn = [world.Move("", 0, thing.id, -many)]
    for one in drawn if target else []:
        who, place = players[target], leg.get("toplace", "inventory")
        moves, left = world.fitted(who, place, thing, -one.many)
        if left or (place == "bank" and not thing.bankable):
            raise world.Refused(409, "inventory_full", world.FULL)
        theirs = posted.setdefault(target, [])
        theirs += [who.lay(to._replace(bag=one.bag, moved=moved)) for to in moves]


def _drawn(who: Character, place: str, thing: Any, many: int) -> list[Move]:
    if (held := who.count(thing.id, place)) < many:
        raise world.Refused(409, "not_enough_items", FEW, Held=held)
    drawn = []
    for slot, pile in sorted(who.place(place).items()):
        if pile.item == thing.id and many:
            gone = min(pile.many, many)
            many -= gone
            drawn.append(world.Move(place, slot, thing.id, -gone, pile.bag))
    return drawn


def reverse(model: "Model", wish: Wish) -> Any:
    """All that is in effect of a transaction, taken back together or not at all."""
    made = model.traded.get(wish.about)
    parts = [deed for deed in model.deeds.values() if made and deed.trade == made]
    if not parts:
        raise world.Refused(404, "transaction_not_found", f"No transaction with id '{wish.about}'.")
    undone = {deed.id: past.undone_by(model, deed) for deed in parts}
    left = [deed for deed in parts if not undone[deed.id]]
    if not left:
        ids = [one for one, deed in model.named.items() if deed == undone[parts[0].id].id]
        message = "This transaction is already undone."
        raise world.Refused(409, "already_undone", message, By=ids[0] if ids else "*")
    players = copy.deepcopy(model.players)
    pool: Counter[tuple[str, str | None]] = Counter()
    sides = [_Side(model, players, deed, pool) for deed in left]
    while any([side.take() for side in sides] + [side.give() for side in sides]):
        pass
    if obstacles := [obstacle for side in sides for obstacle in side.obstacles()]:
        raise world.Refused(409, "undo_conflict", past.MOVED_ON, InTheWay=obstacles)
    assert not +pool, "what was taken from one was given to nobody"
    dry = wish.body["dryrun"]
    names = sorted({deed.player for deed in parts}, key=lambda name: players[name].id)
    if not dry:
        model.players = players
        for number, side in enumerate(sides):
            about = {"player": side.deed.player, "undoes": side.deed.id, "moves": side.made}
            _record(model, wish, number, kind="undo", **about)
    return {
        "Id": None if dry else "*",
        "Undoes": wish.about,
        "DryRun": dry,
        "Players": [{"PlayerId": players[name].id, "Name": name} for name in names],
        "Actions": [side.told(model, dry=dry) for side in sides],
    }


class _Side:
    """What one character must give up and get back."""

    def __init__(self, model: "Model", players: Any, deed: Deed, pool: Any) -> None:
        self.deed = deed
        self.made: list[Move] = []
        self._model = model
        self._who: Character = players[deed.player]
        self._pool = pool
        back = _balanced(deed.moves)[::-1]
        self._came = [move for move in back if move.many > 0]
        self._went = [move for move in back if move.many < 0]
        self._untaken = [move.many for move in self._came]
        self._ungiven = [-move.many for move in self._went]
        own = [move for move in self._went if not move.moved]
        wanted, self._short = past.still_lost(model, deed, own)
        lost = iter(wanted)
        self._lost = [0 if move.moved else next(lost) for move in self._went]

    def take(self) -> int:
        before = sum(self._untaken)
        for home in (True, False):
            for number, move in enumerate(self._came):
                spots = [(move.place, move.slot)] if home else past.piles(self._who, move.place)
                for place, slot in spots:
                    pile = self._who.place(place).get(slot)
                    if pile and (pile.item, pile.bag) == (move.item, move.bag):
                        self._shift(
                            number, move, place, slot, -min(pile.many, self._untaken[number])
                        )
        return before - sum(self._untaken)

    def give(self) -> int:
        before = sum(self._ungiven)
        for home in (True, False):
            for number, move in enumerate(self._went):
                spots = [(move.place, move.slot)] if home else past.around(self._who)
                for place, slot in spots:
                    fits = past.room(self._model, self._who, move, place, slot)
                    self._shift(number, move, place, slot, min(fits, self._possible(number)))
        return before - sum(self._ungiven)

    def _possible(self, number: int) -> int:
        move = self._went[number]
        if move.moved:
            return min(self._ungiven[number], self._pool[move.item, move.bag])
        return self._lost[number]

    def _shift(self, number: int, move: Move, place: str, slot: int, many: int) -> None:
        if not many:
            return
        loss = None if move.moved else move.loss or (self.deed.id if many > 0 else None)
        back = world.Move(place, slot, move.item, many, move.bag, loss, move.moved)
        self.made.append(self._who.lay(back))
        if move.moved:
            self._pool[move.item, move.bag] -= many
        if many < 0:
            self._untaken[number] += many
        else:
            self._ungiven[number] -= many
            self._lost[number] -= many

    def obstacles(self) -> list[Any]:
        lacking = [
            self._possible(number) if move.moved else self._ungiven[number]
            for number, move in enumerate(self._went)
        ]

        def why(move: Move) -> str:
            return past.why_not(self._who, set() if move.moved else self._short, move)

        found = past.lacking_of(self._came, self._untaken, lambda move: "gone")
        found += past.lacking_of(self._went, lacking, why)
        whose = {"PlayerId": self._who.id, "PlayerName": self.deed.player, "GuildId": None}
        # To whom it was handed on is looked at elsewhere.
        return [one | whose | {"HandedOn": "?"} for one in found]

    def told(self, model: "Model", *, dry: bool) -> Any:
        ids = [one for one, deed in model.named.items() if deed == self.deed.id]
        return {
            "Id": None if dry else "*",
            "Undoes": ids[0] if ids else "*",
            "Kind": self.deed.kind,
            "PlayerId": self._who.id,
            "PlayerName": self.deed.player,
            "Done": [
                past.change("item", m.item, Place=m.place, Slot=m.slot, Quantity=m.many)
                for m in self.made
            ],
        }


def _balanced(moves: list[Move]) -> list[Move]:
    """What was made or is gone, and then of each slot what is left of all that was moved."""
    sums: dict[tuple[str, int, str, str | None], int] = {}
    for move in moves:
        if move.moved:
            key = (move.place, move.slot, move.item, move.bag)
            # Taken out and put in again, so that the last one touched stands last.
            sums[key] = sums.pop(key, 0) + move.many
    moved = [
        world.Move(place, slot, item, many, bag, moved=True)
        for (place, slot, item, bag), many in sums.items()
        if many
    ]
    return [move for move in moves if not move.moved] + moved
