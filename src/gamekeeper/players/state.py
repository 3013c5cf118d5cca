"""
The write path (unit of work) of characters: lock, load, change in memory, save, audit.

This is the only write path. An operation locks its characters and loads what its moves need;
pure rules decide in memory; a refused command is rolled back to a savepoint. `save` writes the
changes, the postings of the item ledger and the actions of the audit log, with one statement
for each kind of change, whatever the number of commands.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, LiteralString, TypeVar
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog import classes, items, spells, variable_values, variables
from gamekeeper.catalog.files import Class
from gamekeeper.catalog.items import StoredItem
from gamekeeper.catalog.spells import Spell
from gamekeeper.catalog.variables import Variable
from gamekeeper.core import failpoints, names
from gamekeeper.core.errors import Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.db import unique_names
from gamekeeper.db.database import LockedByOther, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import inventory, progress, quotas, sheet, sheets, spell_slots
from gamekeeper.players.inventory import Inventory
from gamekeeper.players.lookup import IDS, unknown
from gamekeeper.players.mailbox import rows as letters
from gamekeeper.players.mailbox.records import Letter, LetterKey
from gamekeeper.players.overlay import Overlay
from gamekeeper.players.progress import Progress
from gamekeeper.players.quotas import Quotas
from gamekeeper.players.sheet import Fields, Sheet

T = TypeVar("T")

NONE: Mapping[UUID, int] = {}


class Needs(Struct, frozen=True, kw_only=True):
    """
    What a change is about, so that an operation loads only what its moves use.

    A caller says what it changes; the `loads_` properties say what that takes.
    """

    items: Collection[UUID] = ()
    """Items whose stack limits are needed."""
    all_items: bool = False
    """Also every item that the characters hold, for moves that name only a slot."""
    bags: bool = False
    spells: Collection[UUID] = ()
    variables: Collection[UUID] = ()
    progress: bool = False
    sheets: bool = False
    classes: Collection[UUID] = ()
    """Classes that a sheet may change to."""
    inventory: bool = False
    """Inventories and banks, even if no item is named."""
    heads: bool = False

    @property
    def loads_inventory(self) -> bool:
        """Items are put into slots, whose contents decide where."""
        return self.inventory or self.all_items or bool(self.items)

    @property
    def loads_progress(self) -> bool:
        """A change of class is checked against the level."""
        return self.progress or self.sheets


class Savepoint(Struct, frozen=True):
    inventory: inventory.InventorySavepoint
    overlays: tuple[int, ...]
    actions: int


class State:
    def __init__(self, writer: Writer, locked: Mapping[str, UUID]) -> None:
        self.settings = writer.settings
        self._locked = locked
        self.inventory = Inventory()
        self.quotas = Quotas()
        self.spells: Overlay[tuple[UUID, int], UUID] = Overlay({})
        """Each character's spell in each slot."""
        self.variables: Overlay[tuple[UUID, UUID], Scalar] = Overlay({})
        self.progress: Overlay[UUID, Progress] = Overlay({})
        self.sheets: Overlay[UUID, Sheet] = Overlay({})
        self.letters: Overlay[LetterKey, Letter] | None = None
        """None unless letters were loaded, which few operations need (`load_letters`)."""
        self.known_items: dict[UUID, StoredItem] = {}
        self.known_spells: dict[UUID, Spell] = {}
        self.known_variables: dict[UUID, Variable] = {}
        self.known_classes: dict[UUID, Class] = {}
        self._heads: dict[UUID, int] = {}
        self._actions: list[Action] = []

    @classmethod
    async def lock(cls, writer: Writer, keys: Sequence[str], needs: Needs) -> "State":
        """Lock the characters with these names or ids, and load what `needs` says."""
        found, known = await _lock_and_find_items(writer, keys, needs.items)
        who = {key: player for key, player in zip(keys, found, strict=True) if player}
        return await cls.load(writer, who, needs, known)

    @classmethod
    async def load(
        cls,
        writer: Writer,
        who: Mapping[str, UUID],
        needs: Needs,
        known_items: dict[UUID, StoredItem] | None = None,
    ) -> "State":
        """Load what `needs` says of characters that are already locked, or only read."""
        state = cls(writer, who)
        players = state.players
        if needs.loads_inventory:
            await state.inventory.load(writer, players)
        if needs.bags:
            await state.inventory.load_bags(writer, players)
        named = set(needs.items) if known_items is None else set[UUID]()
        held = state.inventory.item_ids() if needs.all_items else set[UUID]()
        state.known_items = known_items or {}
        await state.learn_items(writer, named | held)
        if needs.spells:
            await state._load_spells(writer, players, needs.spells)
        if needs.variables:
            state.known_variables = await variables.find_variables(writer, needs.variables)
            values = await variable_values.PLAYER_VARIABLES.values(writer, players, needs.variables)
            state.variables = Overlay(values)
        if needs.loads_progress:
            state.progress = Overlay(await progress.read_progress(writer, players))
        if needs.sheets:
            state.sheets = Overlay(await sheets.load(writer, players))
        if needs.classes:
            state.known_classes = await classes.find_classes(writer, needs.classes)
        if needs.heads:
            sql: LiteralString = "SELECT player_id, seq FROM ledger_heads WHERE player_id = ANY($1)"
            state._heads = {row["player_id"]: row["seq"] for row in await writer.rows(sql, players)}
        return state

    async def learn_items(self, writer: Writer, ids: Collection[UUID]) -> None:
        """Load items of the catalog that are not known yet."""
        if unread := set(ids) - self.known_items.keys():
            self.known_items |= await items.find_items(writer, unread)

    async def load_letters(
        self, writer: Writer, ids: Collection[UUID]
    ) -> Overlay[LetterKey, Letter]:
        """Load letters in the mailboxes of the characters, with their items."""
        found = await letters.load(writer, self.players, list(ids)) if ids else []
        self.letters = Overlay({letter.key: letter for letter in found})
        if holding := [letter.id for letter in found if letter.holds_items]:
            await self.inventory.load_letters(writer, self.players, holding)
        return self.letters

    async def _load_spells(
        self, writer: Writer, players: Sequence[UUID], ids: Collection[UUID]
    ) -> None:
        self.known_spells = await spells.find_spells(writer, ids)
        rows = await writer.rows(
            "SELECT player_id, slot, spell_id FROM player_spells WHERE player_id = ANY($1)", players
        )
        self.spells = Overlay({(row["player_id"], row["slot"]): row["spell_id"] for row in rows})

    def player(self, key: str) -> UUID:
        """The character with this name or id; PlayerNotFound if there is none."""
        if key not in self._locked:
            raise unknown(key)
        return self._locked[key]

    def finds(self, key: str) -> bool:
        """Whether there is a character with this name or id."""
        return key in self._locked

    @property
    def players(self) -> list[UUID]:
        return sorted(set(self._locked.values()))

    def seq(self, player: UUID) -> int:
        """The last sequence number of a character's ledger, with unsaved postings."""
        return self._heads.get(player, 0) + self.inventory.posted[player]

    # ── Savepoints ──

    def _overlays(self) -> tuple[Overlay[Any, Any], ...]:
        usual = (self.spells, self.variables, self.progress, self.sheets, self.quotas.used)
        return usual if self.letters is None else (*usual, self.letters)

    def savepoint(self) -> Savepoint:
        overlays = tuple([overlay.savepoint() for overlay in self._overlays()])
        return Savepoint(self.inventory.savepoint(), overlays, len(self._actions))

    def rollback(self, savepoint: Savepoint) -> None:
        """Roll back every change and every action since the savepoint."""
        self.inventory.rollback(savepoint.inventory)
        for overlay, changes in zip(self._overlays(), savepoint.overlays, strict=True):
            overlay.rollback(changes)
        del self._actions[savepoint.actions :]

    def attempt(self, work: Callable[[], T], by: AuditContext | None = None) -> T | Problem:
        """
        Run `work` atomically: if it raises a Problem, roll back and return the Problem.

        `by` is needed if it creates items: they count against the actor's limits, if it has any.
        """
        savepoint = self.savepoint()
        try:
            result = work()
            # Inside the savepoint: items that exceed a limit are taken back with the refusal.
            if by and by.allowance:
                self.charge(by, savepoint)
        except Problem as refusal:
            self.rollback(savepoint)
            return refusal
        return result

    def charge(
        self, by: AuditContext, since: Savepoint, *, also: Mapping[UUID, int] = NONE, undos: int = 0
    ) -> None:
        """Count what was created since a savepoint, and `also` these; raises LimitExceeded."""
        pieces = quotas.handed_out(self.inventory.posted_since(since.inventory))
        pieces.update(also)
        self.quotas.charge(by, pieces, self.known_items, undos)

    def record(self, action: Action) -> None:
        """Add an action to the audit log; `save` writes it with the change it describes."""
        self._actions.append(action)

    # ── Saving ──

    def _advanced(self) -> dict[UUID, Progress]:
        """Players whose level or experience changed, not only the highest level of the class."""
        stored = self.progress.stored
        return {
            player: now
            for player, now in self.progress.changed().items()
            if now and (then := stored(player)) and now.shown != then.shown
        }

    def _changed_fields(self, player: UUID) -> Fields:
        stored, now = self.sheets.stored(player), self.sheets.get(player)
        assert stored is not None
        assert now is not None
        return sheet.differences(stored, now)[1]

    async def save(self, writer: Writer) -> None:
        """Write what changed, and only that; then its postings and its actions."""
        if self.letters is not None and (written := self.letters.changed()):
            # Before the items: a slot of a letter needs its letter.
            await letters.save(writer, written)
        postings = await self.inventory.save(writer)
        if learned := self.spells.changed():
            await spell_slots.save(writer, self.spells, learned)
        if assigned := self.variables.changed():
            await variable_values.PLAYER_VARIABLES.save(writer, assigned)
        if advanced := self._advanced():
            await progress.set_levels_and_exp(writer, advanced)
        if changed := self.sheets.changed():
            await sheets.save(writer, {player: self._changed_fields(player) for player in changed})
        await self.quotas.save(writer)
        await actions.write(writer, self._actions, postings)


async def lock_all(writer: Writer, keys: Sequence[str]) -> list[UUID | None]:
    """Find players and lock their rows until the transaction ends."""
    return (await _lock_and_find_items(writer, keys, ()))[0]


async def lock_rows(writer: Writer, players: Collection[UUID]) -> None:
    """Lock the rows of these players that exist."""
    await writer.rows(LOCK, [], list(players))


async def _lock_and_find_items(
    writer: Writer, keys: Sequence[str], item_ids: Collection[UUID]
) -> tuple[list[UUID | None], dict[UUID, StoredItem]]:
    """Lock players, and read items of the catalog, which needs no lock, in the same statement."""
    found = _as_ids(keys) or await unique_names.find(writer, IDS, keys)
    wanted = {player for player in found if player}
    lock = LOCK if writer.wait_for_locks else LOCK_THE_FREE
    rows = await writer.rows(lock, list(item_ids), list(wanted))
    failpoints.reach("after_lock")
    # The ids as the database returned them: they compare four times as fast.
    there: dict[object, UUID] = {}
    known: dict[UUID, StoredItem] = {}
    for row in rows:
        if row["name"] is None:
            there[row["id"]] = row["id"]
        else:
            known[row["id"]] = StoredItem(**row)
    if len(there) < len(wanted) and not writer.wait_for_locks:
        # Another transaction locks the rest, or it does not exist.
        _leave_to_others(await unique_names.find(writer, IDS, keys), there)
    return [there.get(player) for player in found], known


def _as_ids(keys: Sequence[str]) -> list[UUID | None]:
    """The keys as ids, which need not be looked up; none if one of them is a name."""
    ids: list[UUID | None] = []
    for key in keys:
        if (player := names.parse_guid(key)) is None:
            return []
        ids.append(player)
    return ids


# Always in id order, so that two lists with common players cannot deadlock. NO KEY: a row that
# only references a player, such as a session, can be inserted without waiting for the lock.
_LOCK: LiteralString = (
    """
    WITH locked AS (SELECT id FROM players WHERE id = ANY($2) ORDER BY id FOR NO KEY UPDATE {how})
    """
    + items.FIND
    + " UNION ALL SELECT id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM locked"
)
LOCK: LiteralString = _LOCK.replace("{how}", "")
LOCK_THE_FREE: LiteralString = _LOCK.replace("{how}", "SKIP LOCKED")


def _leave_to_others(found: Sequence[UUID | None], free: Collection[object]) -> None:
    """Raise LockedByOther for players locked elsewhere; a player deleted just now counts too."""
    held: dict[UUID, list[int]] = {}
    for position, player in enumerate(found):
        if player and player not in free:
            held.setdefault(player, []).append(position)
    if held:
        raise LockedByOther(held.values())
