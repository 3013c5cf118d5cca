"""
What the service should do, in plain Python: the rules of the contract and nothing else.

The model shares no code with the service. It holds a few characters in memory and
answers each wish with the status and the whole body that the service must answer.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from tests.torture import market
from tests.torture.past import PAST
from tests.torture.world import (
    BANK,
    FULL,
    INVENTORY,
    NOBODY,
    SPELLS,
    Catalog,
    Character,
    Deed,
    Move,
    Pile,
    Refused,
    Reply,
    Thing,
    Wish,
    fitted,
    with_bag,
)


class Model:
    def __init__(self, catalog: Catalog, players: Mapping[str, Character]) -> None:
        self.catalog = catalog
        self.players = dict(players)
        self.kept: dict[str, tuple[Any, Reply]] = {}
        self.deeds: dict[str, Deed] = {}
        """What was carried out, by the id of the request."""
        self.named: dict[str, str] = {}
        """The request that made an action, by the id of the action."""
        self.traded: dict[str, str] = {}
        """The request that made a transaction, by the id of the transaction."""
        self.pasts: dict[str, dict[str, Character]] = {}
        """All characters as they were at an instant."""
        self.deeds_by: dict[str, int] = {}
        """How much had been done at an instant."""

    def copy(self) -> "Model":
        other = Model(self.catalog, copy.deepcopy(self.players))
        other.kept, other.deeds = dict(self.kept), dict(self.deeds)
        other.named, other.pasts = dict(self.named), self.pasts
        other.deeds_by, other.traded = self.deeds_by, dict(self.traded)
        return other

    def learn(self, wish: Wish, reply: Reply) -> None:
        """Remember what only the service can know: the id that it made."""
        made = isinstance(reply.body, dict) and (reply.body.get("Id") or reply.body.get("ActionId"))
        if made and wish.kind in ("undo", "restore") and not reply.replayed:
            self.named[made] = wish.id
        if wish.kind == "trade" and (done := reply.body["Values"][0]["Done"]):
            self.traded[done["Id"]] = wish.id
        if made and wish.kind == "reverse" and not reply.replayed:
            self.traded[made] = wish.id
            for number, action in enumerate(reply.body["Actions"]):
                self.named[action["Id"]] = f"{wish.id}#{number}"
        if wish.key in self.kept and reply.status != 422:
            asked, kept = self.kept[wish.key]
            self.kept[wish.key] = (asked, Reply(kept.status, reply.body))

    def remember(self, instant: str) -> None:
        self.pasts[instant] = copy.deepcopy(self.players)
        self.deeds_by[instant] = len(self.deeds)

    def answer(self, wish: Wish) -> Reply:
        """What the service must say, and what is so afterwards."""
        print_ = (wish.path, sorted(wish.body.items(), key=str))
        if wish.key in self.kept:
            before, reply = self.kept[wish.key]
            if before != print_:
                return _refused(wish, REUSED)
            return Reply(reply.status, reply.body, replayed=True)
        try:
            reply = Reply(200, self._granted(wish))
        except Refused as refusal:
            reply = _refused(wish, refusal)
        if wish.key is not None:
            self.kept[wish.key] = (print_, reply)
        return reply

    def _granted(self, wish: Wish) -> Any:
        if wish.kind in PAST:
            return PAST[wish.kind](self, wish)
        if wish.kind in ("trade", "reverse"):
            return getattr(market, wish.kind)(self, wish)
        grant: Callable[[Wish], Any] = getattr(self, f"_{wish.kind}")
        return grant(wish)

    def did(self, wish: Wish, kind: str, **about: Any) -> None:
        self.deeds[wish.id] = Deed(id=wish.id, kind=kind, player=wish.player, **about)

    def character(self, wish: Wish) -> Character:
        if wish.player not in self.players:
            raise Refused(404, "player_not_found", f"No player with name '{wish.player}'.")
        return self.players[wish.player]

    def _thing(self, wish: Wish) -> Thing:
        if wish.body["itemid"] not in self.catalog.things:
            raise Refused(400, "unknown_item", "Invalid item id.")
        if wish.body["quantity"] < 1:
            raise Refused(400, "invalid_quantity", "The quantity must be at least 1.")
        return self.catalog.things[wish.body["itemid"]]

    def _give(self, wish: Wish) -> Any:
        thing, who = self._thing(wish), self.character(wish)
        moves, left = fitted(who, "inventory", thing, wish.body["quantity"])
        if left and wish.body.get("bankoverflow") and thing.bankable:
            more, left = fitted(who, "bank", thing, left)
            moves += more
        if left:
            raise Refused(409, "inventory_full", FULL)
        made = [who.lay(with_bag(thing, move)) for move in moves]
        self.did(wish, "items.give", moves=made)
        carried, banked = who.count(thing.id, "inventory"), who.count(thing.id, "bank")
        total = {"total": carried + banked, "bank": banked, "inventory": carried}
        return {"id": thing.id, "quantity": total}

    def _take(self, wish: Wish) -> Any:
        thing, who = self._thing(wish), self.character(wish)
        left = wish.body["quantity"]
        if (held := who.count(thing.id, "inventory")) < left:
            message = "The inventory holds fewer than that; nothing was taken."
            raise Refused(409, "not_enough_items", message, Held=held)
        moves = []
        for slot, pile in sorted(who.inventory.items()):
            if pile.item == thing.id and left:
                gone = min(pile.many, left)
                left -= gone
                moves.append(who.lay(Move("inventory", slot, thing.id, -gone)))
        self.did(wish, "items.take", moves=moves)
        return {"ItemId": thing.id, "Quantity": wish.body["quantity"], "id": thing.id}

    def _spell(self, wish: Wish) -> str:
        if wish.body["spellid"] not in self.catalog.spells:
            raise Refused(400, "unknown_spell", "Invalid spell id.")
        return wish.body["spellid"]

    def _teach(self, wish: Wish) -> Any:
        spell, who = self._spell(wish), self.character(wish)
        if spell in who.spells.values():
            raise Refused(409, "spell_already_known", "The player already knows this spell.")
        free = [slot for slot in range(SPELLS) if slot not in who.spells]
        if not free:
            raise Refused(409, "spellbook_full", "The player has no free slot for another spell.")
        who.spells[free[0]] = spell
        self.did(wish, "spells.teach", after=(spell, free[0]))
        return {"SpellId": spell}

    def _forget(self, wish: Wish) -> Any:
        spell, who = self._spell(wish), self.character(wish)
        if spell not in who.spells.values():
            raise Refused(409, "spell_not_known", "The player does not know that spell.")
        if self.catalog.spells[spell]:
            message = "That spell is bound to the character and cannot be forgotten."
            raise Refused(409, "spell_bound", message)
        [slot] = [slot for slot, known in who.spells.items() if known == spell]
        self.did(wish, "spells.forget", before=(spell, slot))
        who.spells = {slot: known for slot, known in who.spells.items() if known != spell}
        return {"SpellId": spell}

    def _set(self, wish: Wish) -> Any:
        who = self.character(wish)
        kind = self.catalog.variables.get(wish.about)
        if kind is None:
            raise Refused(404, "variable_not_found", "No player variable has that id.")
        value = _read(kind, wish.body["value"])
        if value is None:
            raise Refused(400, "wrong_variable_type", f"'{kind}' must be {TAKES[kind]}.", Type=kind)
        former = who.variables.get(wish.about)
        self.did(wish, "variables.set", before={wish.about: former}, after={wish.about: value})
        who.variables[wish.about] = value
        return {"VariableId": wish.about, "Value": value}

    def items(self, player: str) -> Any:
        """What the list of a character's items must show."""
        who = self.players[player]
        return {
            "inventory": [self._shown(who.inventory, slot) for slot in range(INVENTORY)],
            # The id of a bag is shown only while it is in the inventory.
            "bank": [self._shown(who.bank, slot) | {"BagId": None} for slot in range(BANK)],
        }

    def _shown(self, place: Mapping[int, Pile], slot: int) -> Any:
        item, many, bag = place.get(slot, Pile(NOBODY, 0))
        return {
            "Slot": slot,
            "BagId": bag and "a bag",
            "ItemId": item,
            "Quantity": many,
            "StatBuffs": [0, 0, 0, 0, 0],
        }

    def spells(self, player: str) -> Any:
        known = self.players[player].spells
        return [{"Slot": slot, "SpellId": spell} for slot, spell in sorted(known.items())]

    def variables(self, player: str) -> Any:
        known = self.players[player].variables
        return [
            {"VariableId": variable, "Value": value}
            for variable, value in sorted(known.items(), key=lambda pair: UUID(pair[0]).int)
        ]


TAKES = {
    "integer": "an integer",
    "boolean": "true or false",
    "string": "a string of at most 4096 characters",
}
REUSED = Refused(
    422, "idempotency_key_reused", "This Idempotency-Key was used for another request."
)


def _read(kind: str, sent: Any) -> Any:
    """What a client means that sends its numbers and truths as words; None if it makes no sense."""
    words = {"true": True, "false": False}
    if kind == "integer" and isinstance(sent, str) and sent.isdigit():
        return int(sent)
    if kind == "boolean" and isinstance(sent, str):
        return words.get(sent)
    return sent if type(sent) is {"integer": int, "boolean": bool, "string": str}[kind] else None


def _refused(wish: Wish, refusal: Refused) -> Reply:
    said = refusal.said | {"RequestId": wish.id}
    return Reply(refusal.status, {name: fact for name, fact in said.items() if fact != {}})
