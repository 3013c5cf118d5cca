"""What the model is about: characters, what they carry, what is asked and what was done."""

from typing import Any, NamedTuple
from uuid import uuid4

from msgspec import Struct, field

INVENTORY, BANK, SPELLS = 4, 3, 3
FULL = "There is no room for that many; nothing was given."
NOBODY = "00000000-0000-0000-0000-000000000000"

Body = dict[str, Any]


class Thing(Struct, frozen=True, kw_only=True):
    """An item of the catalog."""

    id: str
    carried: int = 1
    banked: int = 1
    bankable: bool = True
    bag: bool = False

    def stack(self, place: str) -> int:
        return self.carried if place == "inventory" else self.banked


class Catalog(Struct, frozen=True, kw_only=True):
    things: dict[str, Thing]
    spells: dict[str, bool]
    """Whether each is bound to the character."""
    variables: dict[str, str]
    """The type of each."""


class Pile(NamedTuple):
    """What lies in a slot; a bag has a name of its own, and is no other bag."""

    item: str
    many: int
    bag: str | None = None


class Move(NamedTuple):
    """So many came into a slot, or went if negative."""

    place: str
    slot: int
    item: str
    many: int
    bag: str | None = None
    loss: str | None = None
    """The deed that took what comes back here, or is taken again."""
    moved: bool = False
    """Whether it was handed on, or only changed places: then it was neither made nor lost."""


class Deed(Struct, frozen=True, kw_only=True):
    """What was done, as far as it matters to whoever wants it undone."""

    id: str
    """The id of the request that did it."""
    kind: str
    player: str
    moves: list[Move] = []
    before: Any = None
    after: Any = None
    undoes: str | None = None
    trade: str | None = None
    """The request that made the transaction it is a part of."""

    @property
    def is_shared(self) -> bool:
        # The undo of moves that balance each other has none itself.
        balanced = self.trade is not None and not self.moves
        return balanced or self.kind == "items.move" or any(move.moved for move in self.moves)


class Character(Struct, kw_only=True):
    id: str
    inventory: dict[int, Pile] = field(default_factory=dict)
    bank: dict[int, Pile] = field(default_factory=dict)
    spells: dict[int, str] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)

    def place(self, name: str) -> dict[int, Pile]:
        return self.inventory if name == "inventory" else self.bank

    def count(self, item: str, *places: str) -> int:
        piles = [pile for name in places or PLACES for pile in self.place(name).values()]
        return sum(pile.many for pile in piles if pile.item == item)

    def lay(self, move: Move) -> Move:
        """Let a move happen."""
        slots = self.place(move.place)
        held = slots.get(move.slot) or Pile(move.item, 0, move.bag)
        slots[move.slot] = held._replace(many=held.many + move.many)
        if not slots[move.slot].many:
            del slots[move.slot]
        return move._replace(bag=held.bag)


class Wish(Struct, frozen=True, kw_only=True):
    """One request: what is asked, of whom, under which key, by which request id."""

    kind: str
    player: str
    about: str
    body: Body
    id: str
    key: str | None = None

    @property
    def path(self) -> str:
        return PATHS[self.kind].format(player=self.player, about=self.about)


PATHS = {
    "give": "/api/v1/players/{player}/items/give",
    "take": "/api/v1/players/{player}/items/take",
    "teach": "/api/v1/players/{player}/spells/teach",
    "forget": "/api/v1/players/{player}/spells/forget",
    "set": "/api/v1/players/{player}/variables/{about}",
    "undo": "/api/v1/actions/{about}/undo",
    "restore": "/api/v1/players/{player}/items/restore",
    "trade": "/api/v1/transactions",
    "reverse": "/api/v1/transactions/{about}/undo",
}
PLACES = ("inventory", "bank")
SIZES = {"inventory": INVENTORY, "bank": BANK}


class Reply(Struct, frozen=True):
    status: int
    body: Any
    replayed: bool = False


class Refused(Exception):
    """The wish is not granted; nothing is changed."""

    def __init__(self, status: int, code: str, message: str, **details: object) -> None:
        super().__init__(code)
        self.status = status
        self.said = {"Message": message, "Code": code, "Details": details}


def fitted(who: Character, place: str, thing: Thing, many: int) -> tuple[list[Move], int]:
    """Where so many would go: on piles of their kind first, then into free slots."""
    slots, moves = who.place(place), []
    stack = thing.stack(place)
    free = [slot for slot in range(SIZES[place]) if slot not in slots]
    for slot in [*(slot for slot in sorted(slots) if slots[slot].item == thing.id), *free]:
        room = stack - (slots[slot].many if slot in slots else 0)
        if (fits := min(many, room)) > 0:
            moves.append(Move(place, slot, thing.id, fits))
            many -= fits
    return moves, many


def with_bag(thing: Thing, move: Move) -> Move:
    return move._replace(bag=uuid4().hex) if thing.bag else move
