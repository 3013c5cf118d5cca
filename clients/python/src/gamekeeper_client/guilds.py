"""Guilds: their members, ranks, banks and variables."""

from datetime import datetime
from typing import Literal

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, reads
from gamekeeper_client.fields import Cursor, LegacyPage, Page
from gamekeeper_client.records import (
    AuditLogEntry,
    BankedItems,
    Guild,
    GuildCount,
    GuildMember,
    GuildVariable,
    GuildVariableValue,
    Player,
    Slot,
)

Direction = Literal["Ascending", "Descending"]
Value = bool | int | float | str


class Guilds(Group[How]):
    """Guilds, by id."""

    @reads("/api/v1/guilds")
    def page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_by: str | None = None,
        sort_direction: Direction | None = None,
        limit: int | None = None,
        details: bool = False,
    ) -> Page[GuildCount]:
        """A page of all guilds; `details` adds their owners and the values of their banks."""
        ...

    all = every(page)

    @posts("/api/v1/guilds", keyed=False)
    def page_by_post(self, page: int = 0, count: int = 100) -> LegacyPage[GuildCount]:
        """The same in the older envelope."""
        ...

    @reads("/api/v1/guilds/{guild_id}")
    def get(self, guild_id: Id, *, details: bool = False) -> Guild:
        """One guild; `details` adds its owner, its members' number and the value of its bank."""
        ...

    @posts("/api/v1/guilds/create")
    def create(
        self,
        name: str,
        owner: str,
        *,
        bank_slots: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Guild:
        """Create a guild; its owner must not be in a guild."""
        ...

    @posts("/api/v1/guilds/{guild_id}/name")
    def rename(
        self, guild_id: Id, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Guild:
        """Give a guild another name."""
        ...

    @deletes("/api/v1/guilds/{guild_id}", asks=True)
    def delete(
        self,
        guild_id: Id,
        *,
        force: bool | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Guild:
        """Disband a guild; with `force` also one with something in its bank, which is lost."""
        ...

    @deletes("/api/v1/guilds", asks=True)
    def delete_by_query(
        self,
        guild_id: Id | None = None,
        *,
        id: Id | None = None,  # noqa: A002  the other name of the same
        force: bool | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Guild:
        """The same, with the id in the query."""
        ...

    @reads("/api/v1/guilds/{guild_id}/members")
    def members(
        self,
        guild_id: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_by: str | None = None,
        sort_direction: Direction | None = None,
        limit: int | None = None,
    ) -> Page[GuildMember]:
        """A page of the members of a guild."""
        ...

    @posts("/api/v1/guilds/{guild_id}/members/{player}")
    def add_member(
        self,
        guild_id: Id,
        player: Id,
        *,
        rank: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Player:
        """Make a character a member."""
        ...

    @deletes("/api/v1/guilds/{guild_id}/members/{player}")
    def remove_member(
        self, guild_id: Id, player: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Let a member leave by its own will."""
        ...

    @posts("/api/v1/guilds/{guild_id}/kick/{player}")
    def kick(
        self, guild_id: Id, player: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Remove a member, other than the owner."""
        ...

    @posts("/api/v1/guilds/{guild_id}/rank/{player}")
    def set_rank(
        self,
        guild_id: Id,
        player: Id,
        rank: int,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Player:
        """Change the rank of a member: 1 is the highest, below the owner's."""
        ...

    @posts("/api/v1/guilds/{guild_id}/transfer/{player}")
    def transfer(
        self, guild_id: Id, player: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Player:
        """Make another member the owner."""
        ...

    @reads("/api/v1/guilds/{guild_id}/bank")
    def bank(
        self, guild_id: Id, *, at: datetime | None = None, names: bool | None = None
    ) -> list[Slot]:
        """Every slot of a guild's bank, now or as of an instant."""
        ...

    @reads("/api/v1/guilds/{guild_id}/history")
    def history(
        self,
        guild_id: Id,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        names: bool = False,
    ) -> Cursor[AuditLogEntry]:
        """A page of the actions about a guild, newest first."""
        ...

    all_history = every(history)

    @posts("/api/v1/guilds/{guild_id}/bank/deposit")
    def deposit(
        self,
        guild_id: Id,
        player: str,
        item_id: Id,
        quantity: int,
        *,
        slot: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> BankedItems:
        """Move items from a member's inventory into the bank, all of them or none."""
        ...

    @posts("/api/v1/guilds/{guild_id}/bank/withdraw")
    def withdraw(
        self,
        guild_id: Id,
        player: str,
        item_id: Id,
        quantity: int,
        *,
        slot: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> BankedItems:
        """Move items from the bank into a member's inventory, all or nothing."""
        ...

    @reads("/api/v1/guilds/{guild_id}/variables")
    def variables(self, guild_id: Id) -> list[GuildVariable]:
        """The variables set for a guild."""
        ...

    @reads("/api/v1/guilds/{guild_id}/variables/{variable_id}")
    def variable(self, guild_id: Id, variable_id: Id) -> GuildVariable:
        """One variable of a guild."""
        ...

    @reads("/api/v1/guilds/{guild_id}/variables/{variable_id}/value")
    def variable_value(self, guild_id: Id, variable_id: Id) -> GuildVariableValue:
        """The value alone of one variable."""
        ...

    @posts("/api/v1/guilds/{guild_id}/variables/{variable_id}")
    def set_variable(
        self,
        guild_id: Id,
        variable_id: Id,
        value: Value,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GuildVariable:
        """Set one variable of a guild."""
        ...
