"""Words and examples for the OpenAPI document: guilds."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import BANK, PLAYER, POTION
from gamekeeper.api.v1.guilds import GuildVariableValue
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import LegacyPage, Page, Window
from gamekeeper.guilds import bank, variables
from gamekeeper.guilds.bank import BankedItems
from gamekeeper.guilds.lookup import GuildNotFound
from gamekeeper.guilds.members import InvalidGuildRank, NotAMember
from gamekeeper.guilds.records import Guild, GuildCount, GuildMember
from gamekeeper.guilds.variables import GuildVariable
from gamekeeper.http.openapi import Example

GUILD_ID = UUID("7c1e5b20-94da-4f6b-8a37-2d0e6f8b9c11")
PRESTIGE = UUID("9e2f4a61-5c3b-4d7e-b180-6a4c2e8f0d33")

GUILD = Guild(
    id=GUILD_ID,
    name="Larkspur Court",
    founding_date=datetime(2026, 2, 1, 19, 30, tzinfo=UTC),
    bank_slots_count=50,
    guild_instance_id=UUID("3b8d7f02-1a6c-4e95-9d24-8f5e0c7a6b44"),
)
COUNTED = Page.of([GuildCount(key=GUILD, value=12)], 1, Window.of(0, 5))
MEMBER = GuildMember(
    **structs.asdict(PLAYER),
    guild_id=GUILD_ID,
    guild_rank=1,
    guild_join_date=datetime(2026, 2, 3, 20, 5, tzinfo=UTC),
)
VARIABLE = GuildVariable(variable_id=PRESTIGE, value=7, variable_name="Prestige")
MOVE: dict[str, Any] = {"player": PLAYER.name, "itemid": str(POTION), "quantity": 5}

GUILD_EXAMPLES = {
    "list_guilds": Example(answer=COUNTED),
    "list_guilds_by_post": Example(body={"page": 0, "count": 5}, answer=LegacyPage.of(COUNTED)),
    "get_guild": Example(answer=GUILD),
    "delete_guild": Example(answer=GUILD),
    "delete_guild_by_query": Example(answer=GUILD),
    "rename_guild": Example(body={"name": "Larkspur Court"}, answer=GUILD),
    "list_guild_members": Example(answer=Page.of([MEMBER], 1, Window.of(0, 5))),
    "list_guild_bank": Example(answer=BANK),
    "kick_guild_member": Example(answer=PLAYER),
    "set_guild_rank": Example(body={"rank": 2}, answer=PLAYER),
    "transfer_guild": Example(answer=PLAYER),
    "list_guild_variables": Example(answer=[VARIABLE]),
    "get_guild_variable": Example(answer=VARIABLE),
    "get_guild_variable_value": Example(answer=GuildVariableValue(value=7)),
    "set_guild_variable": Example(body={"value": 7}, answer=VARIABLE),
    "create_guild": Example(body={"name": "Larkspur Court", "owner": PLAYER.name}, answer=GUILD),
    "add_guild_member": Example(body={"rank": 3}, answer=PLAYER),
    "remove_guild_member": Example(answer=PLAYER),
    "deposit_to_guild": Example(
        body=MOVE, answer=BankedItems(item_id=POTION, quantity=5, inventory=3, bank=45)
    ),
    "withdraw_from_guild": Example(
        body=MOVE, answer=BankedItems(item_id=POTION, quantity=5, inventory=8, bank=40)
    ),
}


GUILD_TAGS = {"guilds": "Guilds: their members, ranks, banks and variables."}


GUILD_REFUSALS: dict[type[Problem], Problem] = {
    GuildNotFound: GuildNotFound(f"No guild with id '{GUILD_ID}'."),
    NotAMember: NotAMember("Ana Lyra is not a member of Larkspur Court."),
    InvalidGuildRank: InvalidGuildRank("Invalid guild rank, should be > 0 and < 4."),
    variables.VariableNotFound: variables.VariableNotFound(f"Invalid variable id ${PRESTIGE}."),
    bank.NotEnoughItems: bank.NotEnoughItems(None, held=3),
}
