"""Characters: the endpoints under /api/v1/players."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, reads
from gamekeeper_client.fields import Cursor, LegacyPage, Page
from gamekeeper_client.records import (
    Bag,
    CarriedItems,
    GivenItem,
    ItemChanges,
    KnownSpell,
    Letter,
    Moments,
    OnlineCount,
    OnlineHistory,
    PlayedDays,
    Player,
    PlayerHits,
    PlayerVariable,
    RestoreResult,
    Sessions,
    Sheet,
    Slot,
    SpellLearned,
    TakenItem,
    TimelineEntry,
    Trail,
    VariableValue,
)

At = datetime | None
Value = bool | int | float | str


class Players(Group[How]):
    """Characters, by name or id."""

    @reads("/api/v1/players")
    def page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_by: str | None = None,
        sort_direction: str | None = None,
        limit: int | None = None,
        details: bool = False,
    ) -> Page[Player]:
        """A page of all characters, by `name`, `level`, `playtime`, `lastonline` …"""
        ...

    all = every(page)

    @reads("/api/v1/players/search")
    def search(self, search: str, limit: int = 20) -> PlayerHits:
        """The characters whose names match any part or word, best matches first."""
        ...

    @reads("/api/v1/players/rank")
    def rank_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_direction: str | None = None,
        limit: int | None = None,
        details: bool = False,
    ) -> Page[Player]:
        """A page of the ranking, by level and experience; `Ascending` or `Descending`."""
        ...

    ranked = every(rank_page)

    @reads("/api/v1/players/online")
    def online_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_by: str | None = None,
        sort_direction: str | None = None,
        limit: int | None = None,
        details: bool = False,
    ) -> Page[Player]:
        """A page of the characters online now, by `name`, `level` or `onlinetime`."""
        ...

    online = every(online_page)

    @reads("/api/v1/players/online/count")
    def online_count(self) -> OnlineCount:
        """How many characters are online now."""
        ...

    @reads("/api/v1/players/online/history")
    def online_history(
        self, span: str = "hour", *, from_: At = None, to: At = None, servers: bool = False
    ) -> OnlineHistory:
        """How many were online, per `minute`, `hour` or `day`; with `servers`, on each, too."""
        ...

    @posts("/api/v1/players/online", keyed=False)
    def online_by_post(self, page: int = 0, count: int = 100) -> LegacyPage[Player]:
        """The characters online now, in the older envelope."""
        ...

    @posts("/api/v1/players", keyed=False)
    def page_by_post(self, page: int = 0, count: int = 100) -> LegacyPage[Player]:
        """Deprecated: all characters in the older envelope. Use `page`."""
        ...

    @reads("/api/v1/players/{key}")
    def get(self, key: Id, *, details: bool = False) -> Player:
        """One character; `details` adds its server and its account's name."""
        ...

    @posts("/api/v1/players/{key}/name")
    def rename(
        self, key: Id, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Rename a character."""
        ...

    @posts("/api/v1/players/{key}/class")
    def change_class(
        self, key: Id, class_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Change a character's class, with its base stats and vitals."""
        ...

    @posts("/api/v1/players/{key}/level")
    def set_level(
        self, key: Id, level: int, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Set a character's level, with no experience."""
        ...

    @deletes("/api/v1/players/{key}")
    def delete(
        self,
        key: Id,
        *,
        server: Id | None = None,
        fence: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Player:
        """Delete a character with all it has; while it plays, only its server may."""
        ...

    @reads("/api/v1/players/{key}/sheet")
    def sheet(self, key: Id, *, at: At = None) -> Sheet:
        """Place, appearance, vitals, stats and equipment, now or as of an instant."""
        ...

    @posts("/api/v1/players/{key}/sheet")
    def save_sheet(
        self,
        key: Id,
        *,
        class_id: Id | None = None,
        gender: int | None = None,
        stat_points: int | None = None,
        vitals: list[int] | None = None,
        max_vitals: list[int] | None = None,
        base_stats: list[int] | None = None,
        stat_point_allocations: list[int] | None = None,
        equipment: list[int] | None = None,
        map_id: Id | None = None,
        map_name: str | None = None,
        x: int | None = None,
        y: int | None = None,
        z: int | None = None,
        dir: int | None = None,  # noqa: A002
        sprite: str | None = None,
        face: str | None = None,
        name_color: str | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Sheet:
        """Change the given fields of a character's sheet, all or none."""
        ...

    @reads("/api/v1/players/{key}/variables")
    def variables(self, key: Id, *, at: At = None, names: bool = False) -> list[PlayerVariable]:
        """The variables that were set, now or as of an instant."""
        ...

    @reads("/api/v1/players/{key}/variables/{variable_id}")
    def variable(self, key: Id, variable_id: Id, *, at: At = None) -> PlayerVariable:
        """One variable; unset, it has the default of its type."""
        ...

    @reads("/api/v1/players/{key}/variables/{variable_id}/value")
    def variable_value(self, key: Id, variable_id: Id, *, at: At = None) -> VariableValue:
        """The value alone."""
        ...

    @posts("/api/v1/players/{key}/variables/{variable_id}")
    def set_variable(
        self,
        key: Id,
        variable_id: Id,
        value: Value,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> PlayerVariable:
        """Set a variable."""
        ...

    @reads("/api/v1/players/{key}/items")
    def items(self, key: Id, *, at: At = None, names: bool = False) -> CarriedItems:
        """Every slot of inventory and bank, now or as of an instant."""
        ...

    @reads("/api/v1/players/{key}/items/inventory")
    def inventory(self, key: Id, *, at: At = None, names: bool = False) -> list[Slot]:
        """Every slot of the inventory, the empty ones too."""
        ...

    @reads("/api/v1/players/{key}/items/bank")
    def bank(self, key: Id, *, at: At = None, names: bool = False) -> list[Slot]:
        """Every slot of the bank, the empty ones too."""
        ...

    @reads("/api/v1/players/bag/{bag_id}")
    def bag(self, bag_id: Id, *, at: At = None, names: bool = False) -> Bag:
        """A bag and every slot in it."""
        ...

    @posts("/api/v1/players/{key}/items/give")
    def give(
        self,
        key: Id,
        item_id: Id,
        quantity: int = 1,
        *,
        bank_overflow: bool = False,
        stat_buffs: Sequence[int] | None = None,
        deliver: str | None = None,
        overflow: str | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GivenItem:
        """
        Give items, all of them or none; `APIError` with `inventory_full` if there is no room.

        `overflow="mailbox"` sends what has no room in a letter, `deliver="mailbox"` all of it.
        """
        ...

    @posts("/api/v1/players/{key}/items/take")
    def take(
        self,
        key: Id,
        item_id: Id,
        quantity: int = 1,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> TakenItem:
        """Take items out of the inventory, all of them or none."""
        ...

    @reads("/api/v1/players/{key}/mailbox")
    def mailbox(
        self,
        key: Id,
        *,
        ended: bool | None = None,
        cursor: str | None = None,
        limit: int = 20,
    ) -> Cursor[Letter]:
        """A page of the letters of a character, newest first; `ended`: those no longer in it."""
        ...

    all_letters = every(mailbox)

    @reads("/api/v1/players/{key}/mailbox/{letter_id}")
    def letter(self, key: Id, letter_id: Id) -> Letter:
        """One letter."""
        ...

    @posts("/api/v1/players/{key}/mailbox")
    def send_letter(
        self,
        key: Id,
        subject: str,
        text: str = "",
        *,
        items: Sequence[Any] | None = None,
        from_: str | None = None,
        expires_at: datetime | None = None,
        on_expiry: str | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Letter:
        """Send a letter, with all its items or not at all."""
        ...

    @posts("/api/v1/players/{key}/mailbox/{letter_id}/claim")
    def claim_letter(
        self, key: Id, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Move all items of a letter to the inventory; `inventory_full` if there is no room."""
        ...

    @posts("/api/v1/players/{key}/mailbox/{letter_id}/read")
    def mark_letter_read(
        self, key: Id, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Mark a letter as read."""
        ...

    @posts("/api/v1/players/{key}/mailbox/{letter_id}/withdraw")
    def withdraw_letter(
        self, key: Id, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Take an open letter back; its items return to the sender or are destroyed."""
        ...

    @deletes("/api/v1/players/{key}/mailbox/{letter_id}")
    def delete_letter(
        self, key: Id, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Delete a letter without items, or whose items were claimed."""
        ...

    @reads("/api/v1/players/{key}/sessions")
    def sessions(self, key: Id, *, before: At = None, limit: int = 50) -> Sessions:
        """The sessions of a character with their servers, newest first."""
        ...

    @reads("/api/v1/players/{key}/sessions/days")
    def session_days(self, key: Id, *, to: At = None, days: int = 365) -> PlayedDays:
        """The play time of a character per day, in UTC, for at most a year."""
        ...

    @reads("/api/v1/players/{key}/moments")
    def moments(self, key: Id, from_: At = None, to: At = None) -> Moments:
        """When a character's state changed, oldest first; the newest 500 of that time."""
        ...

    @reads("/api/v1/players/{key}/items/changes")
    def item_changes(
        self, key: Id, from_: datetime, to: At = None, *, names: bool = False
    ) -> ItemChanges:
        """The difference in held items between two instants."""
        ...

    @reads("/api/v1/players/{key}/items/{item_id}/trail")
    def follow_item(self, key: Id, item_id: Id, from_: datetime) -> Trail:
        """To whom a character handed on an item since an instant, and by which hands it went."""
        ...

    @reads("/api/v1/players/bag/{bag_id}/trail")
    def follow_bag(self, bag_id: Id) -> Trail:
        """By which hands a bag went, and who has it now."""
        ...

    @posts("/api/v1/players/{key}/items/restore")
    def restore_items(
        self,
        key: Id,
        at: datetime,
        *,
        slots: list[dict[str, Any]] | None = None,
        dry_run: bool = False,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> RestoreResult:
        """Return items held then and lost since; `slots` of `place` and `slot`, or all."""
        ...

    @reads("/api/v1/players/{key}/history")
    def history_page(
        self, key: Id, *, cursor: str | None = None, limit: int | None = None, names: bool = False
    ) -> Cursor[TimelineEntry]:
        """A page of the timeline, newest first, with every item that moved."""
        ...

    history = every(history_page)

    @reads("/api/v1/players/{key}/spells")
    def spells(self, key: Id, *, at: At = None, names: bool = False) -> list[KnownSpell]:
        """The spells a character knows, now or as of an instant."""
        ...

    @posts("/api/v1/players/{key}/spells/teach")
    def teach(
        self, key: Id, spell_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> SpellLearned:
        """Teach a spell."""
        ...

    @posts("/api/v1/players/{key}/spells/forget")
    def forget(
        self, key: Id, spell_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> SpellLearned:
        """Remove a spell from a character."""
        ...
