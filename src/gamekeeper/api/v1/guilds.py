"""
Guilds, as clients of the Intersect Engine know them: lists, members, bank and variables.

What is not found answers 400 or 404 by the route, with Intersect's sentence.
"""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from msgspec import structs

from gamekeeper.api.path_parameters import GuildId, GuildVariableId, PlayerKey
from gamekeeper.auth.principal import Principal
from gamekeeper.catalog.variables import WrongVariableType
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import (
    Body,
    LegacyPage,
    LegacyPaging,
    Page,
    Query,
    Reply,
    Searching,
    SortDirection,
)
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.records import redacted
from gamekeeper.guilds import details, lifecycle, lists, lookup, members, variables
from gamekeeper.guilds.lifecycle import (
    GuildBankNotEmpty,
    GuildDisbanding,
    GuildNameTaken,
    GuildRenaming,
    InvalidGuildName,
)
from gamekeeper.guilds.lookup import GuildNotFound, UnknownGuild
from gamekeeper.guilds.members import (
    AlreadyOwner,
    GuildKick,
    GuildOwnerStays,
    GuildPromotion,
    GuildTransfer,
    InvalidGuildRank,
    NotAMember,
)
from gamekeeper.guilds.records import Guild, GuildCount, GuildMember
from gamekeeper.guilds.variables import GuildSetting, GuildVariable
from gamekeeper.history import as_of, guild_history
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.audit_log import Entries
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players import display_names
from gamekeeper.players.records import Player, Slot

routes = Routes("/api/v1/guilds")

READ = "players.read"
MANAGE = "guilds.manage"
VARIABLES = "players.variables"
OF_MEMBERS = (UnknownGuild, members.PlayerNotFound, NotAMember)


class GuildsQuery(Searching, frozen=True):
    sort_by: str = "name"
    """
    Guilds: `name`, `foundingdate` or `members`. Members: `name`, `level` or `guildrank`.
    Anything else is the name.
    """
    sort_direction: SortDirection = SortDirection.ASCENDING
    """`Ascending` or `Descending`."""


class GuildListQuery(GuildsQuery, frozen=True):
    details: bool = False
    """Whether to show the owner of each guild and the value of its bank."""


@routes.get("", READ, priority=LOW)
async def list_guilds(reader: Reader, query: GuildListQuery) -> Page[GuildCount]:
    """All guilds, each with the number of its members."""
    page = await lists.list_guilds(
        reader, query.window, Search.of(query.search), query.sort_by, query.sort_direction
    )
    return await details.in_page(reader, page) if query.details else page


@routes.post("", READ, successor="/api/v1/guilds", priority=LOW)
async def list_guilds_by_post(reader: Reader, body: LegacyPaging) -> LegacyPage[GuildCount]:
    """All guilds, by name, in the older envelope."""
    return LegacyPage.of(
        await lists.list_guilds(reader, body.window, None, "name", SortDirection.ASCENDING)
    )


class GuildQuery(Query, frozen=True):
    details: bool = False
    """Whether to show the owner, the number of members and the value of the bank."""


@routes.get("/{guild_id}", READ, raises=(UnknownGuild,))
async def get_guild(reader: Reader, guild_id: GuildId, query: GuildQuery) -> Guild:
    """One guild."""
    found = await lookup.find_guild(reader, guild_id)
    if found is None:
        raise UnknownGuild(f"Guild not found: ${guild_id}.")
    return (await details.with_details(reader, [found]))[0] if query.details else found


class DisbandGuild(Query, frozen=True):
    force: bool = False
    """Whether to delete the items in the bank."""


@routes.delete("/{guild_id}", MANAGE, raises=(GuildNotFound, GuildBankNotEmpty))
async def delete_guild(
    database: Database, by: AuditContext, guild_id: GuildId, query: DisbandGuild
) -> Guild:
    """Disband a guild, and return its last state; with `force` even if its bank has items."""
    order = GuildDisbanding(by=by, guild_id=guild_id, force=query.force)
    return await lifecycle.disband.one(database, order)


class DisbandNamedGuild(DisbandGuild, frozen=True):
    lenient: ClassVar[frozenset[str]] = frozenset({"id", "guild_id"})

    id: UUID | None = None
    """The guild's id."""
    guild_id: UUID | None = None
    """The same as `id`."""


@routes.delete("", MANAGE, raises=(GuildNotFound, GuildBankNotEmpty))
async def delete_guild_by_query(
    database: Database, by: AuditContext, query: DisbandNamedGuild
) -> Guild:
    """Disband the guild whose id is in the query, as newer clients of Intersect do."""
    guild = query.guild_id or query.id
    if guild is None:
        raise GuildNotFound
    order = GuildDisbanding(by=by, guild_id=guild, force=query.force)
    return await lifecycle.disband.one(database, order)


class RenameGuild(Body, frozen=True):
    """Another name for a guild."""

    name: str
    """3 to 20 letters, digits and spaces."""


@routes.post("/{guild_id}/name", MANAGE, raises=(GuildNotFound, InvalidGuildName, GuildNameTaken))
async def rename_guild(
    database: Database, by: AuditContext, guild_id: GuildId, body: RenameGuild
) -> Guild:
    """Rename a guild: 3 to 20 letters, digits and spaces."""
    order = GuildRenaming(by=by, guild_id=guild_id, name=body.name)
    return await lifecycle.rename.one(database, order)


@routes.get("/{guild_id}/members", READ, raises=(GuildNotFound,), priority=LOW)
async def list_guild_members(
    reader: Reader, guild_id: GuildId, query: GuildsQuery
) -> Page[GuildMember]:
    """The members of a guild."""
    return await lists.list_members(
        reader, guild_id, query.window, Search.of(query.search), query.sort_by, query.sort_direction
    )


class BankQuery(Query, frozen=True):
    at: datetime | None = None
    """
    An instant with its offset, such as `2026-03-14T18:22:05.5Z`: return the bank at that time,
    including changes at exactly that instant. The future is the same as now.
    """
    names: bool = False
    """Whether to show the names of items too."""


@routes.get("/{guild_id}/bank", READ, raises=(GuildNotFound, AtTooOld))
async def list_guild_bank(reader: Reader, guild_id: GuildId, query: BankQuery) -> list[Slot]:
    """Every slot of a guild's bank, now or as of an instant."""
    found = (
        await as_of.guild_bank(reader, guild_id, query.at)
        if query.at
        else await lists.list_bank(reader, guild_id)
    )
    return await display_names.with_item_names(reader, found) if query.names else found


class HistoryQuery(Query, frozen=True):
    cursor: str | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""
    names: bool = False
    """
    Whether to show names beside the ids of items and characters, and of accounts for callers
    with the scope `users.query`.
    """


# Needs actions.read: like the audit log, it shows actors and their addresses.
@routes.get("/{guild_id}/history", READ, "actions.read", priority=LOW)
async def list_guild_history(
    reader: Reader, caller: Principal, guild_id: GuildId, query: HistoryQuery
) -> Entries:
    """The actions about a guild, newest first, also about one that no longer exists."""
    page = await guild_history.list_guild_history(reader, guild_id, query.cursor, query.limit)
    seen = [redacted(entry, emails=caller.sees_emails) for entry in page.values]
    if query.names:
        known = await EntryNames.of(reader, seen)
        seen = [known.beside(entry, accounts=caller.sees_accounts) for entry in seen]
    return structs.replace(page, values=seen)


@routes.post("/{guild_id}/kick/{key}", MANAGE, raises=(*OF_MEMBERS, GuildOwnerStays))
async def kick_guild_member(
    database: Database, by: AuditContext, guild_id: GuildId, key: PlayerKey
) -> Player:
    """Remove a member from a guild, other than its owner."""
    order = GuildKick(by=by, guild_id=guild_id, player=key)
    return await members.change_members.one(database, order)


class SetGuildRank(Body, frozen=True):
    """Another rank for a member."""

    rank: int
    """From 1, the highest, to the lowest."""


@routes.post(
    "/{guild_id}/rank/{key}", MANAGE, raises=(*OF_MEMBERS, GuildOwnerStays, InvalidGuildRank)
)
async def set_guild_rank(
    database: Database, by: AuditContext, guild_id: GuildId, key: PlayerKey, body: SetGuildRank
) -> Player:
    """Change the rank of a member: 1 is the highest, below the owner's."""
    order = GuildPromotion(by=by, guild_id=guild_id, player=key, rank=body.rank)
    return await members.change_members.one(database, order)


@routes.post("/{guild_id}/transfer/{key}", MANAGE, raises=(*OF_MEMBERS, AlreadyOwner))
async def transfer_guild(
    database: Database, by: AuditContext, guild_id: GuildId, key: PlayerKey
) -> Player:
    """Make another member the owner of a guild; the former owner gets rank 1."""
    order = GuildTransfer(by=by, guild_id=guild_id, player=key)
    return await members.change_members.one(database, order)


@routes.get("/{guild_id}/variables", READ, raises=(UnknownGuild,))
async def list_guild_variables(reader: Reader, guild_id: GuildId) -> list[GuildVariable]:
    """The variables set for a guild."""
    return await variables.list_set(reader, guild_id)


@routes.get(
    "/{guild_id}/variables/{variable_id}", READ, raises=(UnknownGuild, variables.VariableNotFound)
)
async def get_guild_variable(
    reader: Reader, guild_id: GuildId, variable_id: GuildVariableId
) -> GuildVariable:
    """One variable of a guild; unset, the default of its type."""
    return await variables.find_variable(reader, guild_id, variable_id)


class GuildVariableValue(Reply, frozen=True):
    """The value alone."""

    value: Scalar


@routes.get(
    "/{guild_id}/variables/{variable_id}/value",
    READ,
    raises=(UnknownGuild, variables.VariableNotFound),
)
async def get_guild_variable_value(
    reader: Reader, guild_id: GuildId, variable_id: GuildVariableId
) -> GuildVariableValue:
    """The value alone of one variable of a guild."""
    found = await variables.find_variable(reader, guild_id, variable_id)
    return GuildVariableValue(value=found.value)


class SetGuildVariable(Body, frozen=True):
    """A value for a variable of a guild."""

    value: Scalar
    """The value, of the type the variable was declared with."""


@routes.post(
    "/{guild_id}/variables/{variable_id}",
    VARIABLES,
    raises=(UnknownGuild, variables.VariableNotFound, WrongVariableType),
)
async def set_guild_variable(
    database: Database,
    by: AuditContext,
    guild_id: GuildId,
    variable_id: GuildVariableId,
    body: SetGuildVariable,
) -> GuildVariable:
    """Set one variable of a guild."""
    order = GuildSetting(by=by, guild_id=guild_id, variable_id=variable_id, value=body.value)
    return await variables.assign.one(database, order)
