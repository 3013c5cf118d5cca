"""Founding, joining and leaving of guilds, and their banks. Additions to the contract."""

from uuid import UUID

from gamekeeper.api.path_parameters import GuildId, PlayerKey
from gamekeeper.api.v1.guilds import MANAGE
from gamekeeper.catalog.items import UnknownItem
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.guilds import bank, lifecycle, members
from gamekeeper.guilds.bank import (
    BankedItems,
    BankMove,
    GuildBankFull,
    NotBankable,
)
from gamekeeper.guilds.lifecycle import (
    GuildFounding,
    GuildNameTaken,
    InvalidBankSlots,
    InvalidGuildName,
)
from gamekeeper.guilds.lookup import UnknownGuild
from gamekeeper.guilds.members import (
    AlreadyInGuild,
    GuildJoin,
    GuildLeave,
    GuildOwnerStays,
    InvalidGuildRank,
    NotAMember,
)
from gamekeeper.guilds.records import Guild
from gamekeeper.http.routing import Routes
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.records import Player
from gamekeeper.players.rules import BagNotEmpty, InvalidQuantity, InventoryFull, NotEnoughItems

routes = Routes("/api/v1/guilds")


class CreateGuild(Body, frozen=True):
    """A new guild."""

    name: str
    """3 to 20 letters, digits and spaces."""
    owner: str
    """The name or the id of a character that is in no guild."""
    bank_slots: int | None = None
    """1 to 1000; the default comes from the settings."""


@routes.post(
    "/create",
    MANAGE,
    raises=(
        *(InvalidGuildName, GuildNameTaken, InvalidBankSlots),
        *(members.PlayerNotFound, AlreadyInGuild),
    ),
)
async def create_guild(database: Database, by: AuditContext, body: CreateGuild) -> Guild:
    """Create a guild; its owner must not be in a guild."""
    order = GuildFounding(by=by, name=body.name, owner=body.owner, bank_slots=body.bank_slots)
    return await lifecycle.found.one(database, order)


class JoinGuild(Body, frozen=True):
    """A new member of a guild."""

    rank: int | None = None
    """From 1, the highest, to the lowest; by default the lowest."""


@routes.post(
    "/{guild_id}/members/{key}",
    MANAGE,
    raises=(UnknownGuild, members.PlayerNotFound, InvalidGuildRank, AlreadyInGuild),
)
async def add_guild_member(
    database: Database, by: AuditContext, guild_id: GuildId, key: PlayerKey, body: JoinGuild
) -> Player:
    """Add a character to a guild, by default with the lowest rank."""
    order = GuildJoin(by=by, guild_id=guild_id, player=key, rank=body.rank)
    return await members.change_members.one(database, order)


@routes.delete(
    "/{guild_id}/members/{key}",
    MANAGE,
    raises=(UnknownGuild, members.PlayerNotFound, NotAMember, GuildOwnerStays),
)
async def remove_guild_member(
    database: Database, by: AuditContext, guild_id: GuildId, key: PlayerKey
) -> Player:
    """Let a member leave a guild; the owner cannot leave."""
    order = GuildLeave(by=by, guild_id=guild_id, player=key)
    return await members.change_members.one(database, order)


class MoveBankItems(Body, frozen=True):
    """Items to move between a member's inventory and the guild's bank."""

    player: str
    """The name or the id of a member."""
    item_id: UUID
    """The item's id."""
    quantity: int
    """The quantity, at least 1."""
    slot: int | None = None
    """Only from this slot: of the inventory for a deposit, of the bank for a withdrawal."""


OF_BANKS = (
    UnknownGuild,
    PlayerNotFound,
    NotAMember,
    UnknownItem,
    InvalidQuantity,
    bank.TradeLocked,
)


@routes.post(
    "/{guild_id}/bank/deposit",
    MANAGE,
    raises=(*OF_BANKS, NotBankable, NotEnoughItems, BagNotEmpty, GuildBankFull),
)
async def deposit_to_guild(
    database: Database, by: AuditContext, guild_id: GuildId, body: MoveBankItems
) -> BankedItems:
    """Move items from a member's inventory into the guild's bank, all or nothing."""
    return await bank.deposit.one(database, _order(by, guild_id, body))


@routes.post(
    "/{guild_id}/bank/withdraw", MANAGE, raises=(*OF_BANKS, bank.NotEnoughItems, InventoryFull)
)
async def withdraw_from_guild(
    database: Database, by: AuditContext, guild_id: GuildId, body: MoveBankItems
) -> BankedItems:
    """Move items from the guild's bank into a member's inventory, all or nothing."""
    return await bank.withdraw.one(database, _order(by, guild_id, body))


def _order(by: AuditContext, guild_id: UUID, body: MoveBankItems) -> BankMove:
    return BankMove(
        by=by,
        guild_id=guild_id,
        player=body.player,
        item_id=body.item_id,
        quantity=body.quantity,
        slot=body.slot,
    )
