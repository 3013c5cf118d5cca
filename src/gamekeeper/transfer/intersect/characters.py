"""
Characters of the other game as lines of an import, one at a time.

The rows of each table come in the order of their owner's id, so characters and what they have
are merged as they are read, whatever the number.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import tzinfo
from typing import Any
from uuid import UUID

from msgspec import UNSET

from gamekeeper.catalog.variables import Variable, of_type
from gamekeeper.core import parsing
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable
from gamekeeper.players.sheet import LONGEST_TEXT, MOST_EQUIPMENT
from gamekeeper.transfer.intersect import extras
from gamekeeper.transfer.intersect.belongings import SLOT_COLUMNS, Bags, Belongings, RawSlot
from gamekeeper.transfer.intersect.catalog import NO_CLASS, GameCatalog
from gamekeeper.transfer.intersect.merge import OwnedRows
from gamekeeper.transfer.intersect.names import Candidate, settle
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source, Tables
from gamekeeper.transfer.intersect.values import (
    INT64,
    ZERO,
    UnreadableValue,
    color,
    guid,
    guid_bytes,
    integer,
    json,
    moment,
    numbers,
    plain,
    text,
)
from gamekeeper.transfer.lines import PlayerLine, SpellLine

COLUMNS = (
    *("UserId", "Name", "ClassId", "Gender", "Level", "Exp", "StatPoints", "Vitals", "BaseStats"),
    *("StatPointAllocations", "Equipment", "MapId", "X", "Y", "Z", "Dir", "Sprite", "Face"),
    *("NameColor", "LastOnline", "CreationDate", "PlayTimeSeconds"),
)
MAPPED = frozenset(column.lower() for column in ("Id", *COLUMNS))


class Characters:
    """The characters of a source, each with its name settled."""

    def __init__(
        self, source: Source, game: GameCatalog, settings: Settings, zone: tzinfo, notes: Notes
    ) -> None:
        self.tables, self.game, self.settings = source.players, game, settings
        self.zone, self.notes = zone, notes
        self.sizes = {"inventory": settings.inventory_slots, "bank": settings.bank_slots}
        self.items = {item.id: item for item in game.catalog.items}
        self.classes = {character_class.id for character_class in game.catalog.classes}
        self.spells = {spell.id for spell in game.catalog.spells}
        self.variables = {
            variable.id: variable
            for variable in game.catalog.variables
            if variable.owner == "player"
        }
        self.names: dict[UUID, str] = {}

    async def settle(self, reader: Queryable, users: dict[UUID, str]) -> None:
        """Decide who comes and under which name; `users` are the accounts that come."""
        found: dict[UUID, Candidate] = {}
        for raw_id, raw_user, name, online in self.tables.rows(
            "Players", ["Id", "UserId", "Name", "LastOnline"]
        ):
            own, user = guid_bytes(raw_id), guid_bytes(raw_user)
            if own is None or UUID(bytes=own) in found:
                self.notes.add("row_unreadable", "Players", f"{name!r:.60}")
            elif user is None or UUID(bytes=user) not in users:
                self.notes.add("orphan", "Players", f"{name!r:.60} has no account")
            else:
                own_id = UUID(bytes=own)
                activity = text(online, 40)
                found[own_id] = Candidate(own_id, str(name or "")[:1000], activity)
        for gone in await _deleted(reader, list(found)):
            self.notes.add("deleted_here", found.pop(gone).name)
        self.names = await settle(reader, list(found.values()), self.notes, users=False)

    def lines(self) -> Iterator[PlayerLine]:
        """A line for each character, in the order of the ids."""
        bags = read_bags(self.tables, self.notes)
        rest = extras.columns(self.tables, MAPPED)
        owned = {
            "inventory": self._owned("Player_Items", SLOT_COLUMNS, "ItemId"),
            "bank": self._owned("Player_Bank", SLOT_COLUMNS, "ItemId"),
            "spells": self._owned("Player_Spells", ("Slot", "SpellId"), "SpellId"),
            "variables": self._owned("Player_Variables", ("VariableId", "Value")),
        }
        kept = {name: self._owned(*about) for name, about in extras.TABLES.items()}
        seen: set[bytes] = set()
        for row in self.tables.rows("Players", [*COLUMNS, *rest], key="Id"):
            key = row[0]
            if key is None or key in seen or UUID(bytes=key) not in self.names:
                continue
            seen.add(key)
            mine = {name: rows.of(key) for name, rows in owned.items()}
            own = UUID(bytes=key)
            line = self._line(own, dict(zip(COLUMNS, row[1:], strict=False)), mine, bags)
            more = extras.character(dict(zip(rest, row[1 + len(COLUMNS) :], strict=True)))
            tables = {name: extras.rows(name, rows.of(key)) for name, rows in kept.items()}
            data = more | {name: found for name, found in tables.items() if found}
            line.extras = self._variables(line, mine["variables"]) | data
            yield line
        for rows in (*owned.values(), *kept.values()):
            rows.finish(self.notes)
        in_guilds = self.tables.ids("Guild_Bank", "BagId")
        lost = len(bags.contents.keys() - bags.placed - in_guilds)
        if lost:
            self.notes.add("bag_lost", "Bags", f"{lost} that are not empty", count=lost)

    def _owned(
        self, table: str, columns: tuple[str, ...], filled: str = "", key: str = "PlayerId"
    ) -> OwnedRows:
        return OwnedRows(table, self.tables.rows(table, columns, filled=filled, key=key))

    def _line(
        self, own: UUID, row: dict[str, Any], mine: dict[str, list[RawSlot]], bags: Bags
    ) -> PlayerLine:
        name = self.names[own]
        kind = self._class(row["ClassId"])
        level = integer(row["Level"], 1, 10_000, 1)
        if level != row["Level"]:
            self.notes.add("value_corrected", name, f"level {row['Level']!r:.20} becomes {level}")
        vitals = numbers(row["Vitals"], 2)
        usual = self.game.growth[kind].vitals(level)
        held = Belongings(name, self.items, bags, self.sizes, self.notes)
        held.fill(mine["inventory"], mine["bank"])
        place = _known(row["MapId"])
        return PlayerLine(
            id=own,
            user_id=guid(row["UserId"]) or ZERO,
            name=name,
            class_id=kind,
            gender=integer(row["Gender"], 0, 255),
            level=level,
            exp=integer(row["Exp"], 0, INT64),
            stat_points=integer(row["StatPoints"]),
            vitals=vitals,
            max_vitals=[max(pair) for pair in zip(usual, vitals, strict=True)],
            base_stats=numbers(row["BaseStats"], 5),
            stat_point_allocations=numbers(row["StatPointAllocations"], 5),
            equipment=self._equipment(row["Equipment"], held),
            map_id=place or ZERO,
            map_name=self.game.maps.get(place, "") if place else "",
            x=integer(row["X"], -(2**31)),
            y=integer(row["Y"], -(2**31)),
            z=integer(row["Z"], -(2**31)),
            dir=integer(row["Dir"], 0, 255),
            sprite=text(row["Sprite"], LONGEST_TEXT),
            face=text(row["Face"], LONGEST_TEXT),
            name_color=color(row["NameColor"]),
            last_online=self._moment(name, row["LastOnline"], self.zone),
            created_at=self._moment(name, row["CreationDate"]) or UNSET,
            play_time_seconds=integer(row["PlayTimeSeconds"], 0, INT64),
            inventory=held.slots("inventory"),
            bank=held.slots("bank"),
            spells=self._spells(name, mine["spells"]),
        )

    def _class(self, value: Any) -> UUID:
        found = _known(value)
        return found if found in self.classes and found else NO_CLASS

    def _moment(self, name: str, value: Any, zone: tzinfo | None = None) -> Any:
        try:
            return moment(value, zone) if zone else moment(value)
        except UnreadableValue:
            self.notes.add("value_corrected", name, f"the date {value!r:.40} is unreadable")
            return None

    def _equipment(self, value: Any, held: Belongings) -> list[int]:
        try:
            given: Any = json(value)
        except UnreadableValue:
            given = None
        slots = given if isinstance(given, list) else [-1] * 5
        worn = held.places["inventory"]
        return [
            slot if type(slot) is int and slot in worn else -1 for slot in slots[:MOST_EQUIPMENT]
        ]

    def _spells(self, name: str, rows: list[RawSlot]) -> list[SpellLine]:
        found: dict[UUID, int] = {}
        free = iter(range(self.settings.spell_slots))
        taken: set[int] = set()
        for slot, raw in sorted(rows, key=lambda row: integer(row[0], -1, 10**9, -1)):
            spell = _known(raw)
            if spell is None or spell not in self.spells:
                self.notes.add("orphan", name, f"no spell has the id {raw!r:.50}")
            elif spell in found:
                self.notes.add("spell_twice", name, f"{spell}")
            else:
                number: Any = slot
                if (
                    type(slot) is not int
                    or slot in taken
                    or slot not in range(self.settings.spell_slots)
                ):
                    number = next((slot for slot in free if slot not in taken), None)
                if number is None:
                    self.notes.add("orphan", name, f"no free slot for the spell {spell}")
                    continue
                found[spell] = number
                taken.add(number)
        return sorted(
            (SpellLine(slot=slot, spell_id=spell) for spell, slot in found.items()),
            key=lambda one: one.slot,
        )

    def _variables(self, line: PlayerLine, rows: list[RawSlot]) -> dict[str, Any]:
        """Set the variables of the line; returns what could not be set, for the extras."""
        line.variables = {}
        left: dict[str, Any] = {}
        for raw, value in rows:
            variable = self.variables.get(_known(raw) or ZERO)
            if variable is None:
                self.notes.add("variable_unknown", str(line.name), f"{raw!r:.50}")
                left[str(_known(raw) or plain(raw))] = plain(value)
                continue
            found = variable_value(variable, value)
            if found is None:
                self.notes.add("variable_value", str(line.name), f"{variable.name}: {value!r:.80}")
                left[str(variable.id)] = plain(value)
            else:
                line.variables[variable.id] = found
        # In one order: a mark is a digest of the line.
        line.variables = dict(sorted(line.variables.items()))
        return {"variables": dict(sorted(left.items()))} if left else {}


def read_bags(tables: Tables, notes: Notes) -> Bags:
    """All bags of a game, with what is in them."""
    sizes = {
        found: integer(size, 1, 500, 1)
        for raw, size in tables.rows("Bags", ["Id", "SlotCount"])
        if (found := guid_bytes(raw))
    }
    contents: defaultdict[bytes, list[RawSlot]] = defaultdict(list)
    for key, *row in tables.rows("Bag_Items", SLOT_COLUMNS, filled="ItemId", key="ParentBagId"):
        if key is None:
            notes.add("orphan", "Bag_Items", "belongs to no bag")
        else:
            contents[key].append(tuple(row))
    return Bags(sizes, contents, set())


def variable_value(variable: Variable, stored: Any) -> Scalar | None:
    """The value in `{"Type":n,"Value":x}`, as its variable declares it; None if it does not fit."""
    try:
        given: Any = json(stored)
        value = parsing.scalar(given["Value"]) if isinstance(given, dict) else None
        if value is None or (isinstance(value, str) and "\x00" in value):
            return None
        if variable.type == "integer" and isinstance(value, float) and value.is_integer():
            value = int(value)
        return of_type(variable, value)
    except (UnreadableValue, parsing.Unreadable, KeyError, ValueError):
        return None


def _known(value: Any) -> UUID | None:
    found = guid_bytes(value)
    return UUID(bytes=found) if found else None


async def _deleted(reader: Queryable, ids: list[UUID]) -> list[UUID]:
    """Characters that were deleted here: an import does not bring them back."""
    rows = await reader.rows(
        """
        SELECT player_id FROM deleted_players WHERE player_id = ANY($1)
         UNION
        SELECT player_id FROM ledger_heads
         WHERE player_id = ANY($1)
           AND NOT EXISTS (SELECT FROM players WHERE players.id = player_id)
        """,
        ids,
    )
    return [row["player_id"] for row in rows]
