"""Words and examples for the OpenAPI document: logs for clients of the Intersect Engine."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import ANA, PLAYER, POTION, USER
from gamekeeper.api.openapi_text.guilds import GUILD
from gamekeeper.api.openapi_text.servers import FENCE
from gamekeeper.core.schemas import Page, Window
from gamekeeper.history.activity import Activity
from gamekeeper.history.guild_activity import GuildActivity
from gamekeeper.history.trade_log import Trade, TradedItem
from gamekeeper.http.openapi import Example
from gamekeeper.servers.chat.log import LoggedMessage
from gamekeeper.servers.chat.messages import StoredMessages
from gamekeeper.users.addresses import UsedAddress

AT = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)
SAID = UUID("0c7e2b18-54f1-4c0e-9a35-71d2f6b8e904")
TRADE = UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f11")
CYD = UUID("3f1b7c02-9d84-4e6a-8c57-2a0e5b9d1f63")
WINDOW = Window.of(0, 5)

ACTIVITY = Activity(
    id=UUID("019cede1-1f70-7c3d-9a5b-2e4d6f80a1c3"),
    time_stamp=AT,
    user_id=USER.id,
    player_id=ANA,
    action="SelectPlayer",
    peer="Client",
    ip="",
    meta="",
)
JOINED = GuildActivity(
    id=UUID("019cede1-2a40-7e15-b8d3-4f60a2c4e681"),
    guild_id=GUILD.id,
    user_id=USER.id,
    player_id=ANA,
    ip="",
    time_stamp=AT,
    activity_type="Joined",
    meta="The Lanterns",
    initiator_id=None,
    username=USER.name,
    player_name=PLAYER.name,
    initiator_name="Ravenmoor",
)
EXCHANGE = Trade(
    id=UUID("019cede2-7a11-7d04-b1c2-8f6e4a2c0d95"),
    trade_id=TRADE,
    user_id=USER.id,
    player_id=ANA,
    ip="",
    time_stamp=AT,
    target_id=CYD,
    items=[TradedItem(item_id=POTION, quantity=3, bag_id=None, stat_buffs=[0, 0, 0, 0, 0])],
    target_items=[],
    username=USER.name,
    player_name=PLAYER.name,
    target_name="Cyd Marsh",
)
MESSAGE = LoggedMessage(
    id=SAID,
    user_id=USER.id,
    player_id=ANA,
    ip="",
    time_stamp=AT,
    message_type="Global",
    message_text="Anyone for the Hollow tonight?",
    target_id=None,
    username=USER.name,
    player_name=PLAYER.name,
    target_name="",
)
WHISPER = structs.replace(
    MESSAGE,
    message_type="PM",
    message_text="Meet me at the old mill.",
    target_id=CYD,
    target_name="Cyd Marsh",
)

LOG_TAGS = {
    "logs": "For clients of the Intersect Engine: activity, addresses, trades and chat. They look "
    "at the newest entries only; the audit log (`actions`) goes back to the beginning.",
}


LOG_EXAMPLES: dict[str, Any] = {
    "list_user_activity": Example(answer=Page.of([ACTIVITY], 1, WINDOW)),
    "list_player_activity": Example(answer=Page.of([ACTIVITY], 1, WINDOW)),
    "list_user_addresses": Example(
        answer=Page.of(
            [UsedAddress(ip="203.0.113.9", last_used=AT, other_users={CYD: "cyd"})], 1, WINDOW
        )
    ),
    "list_guild_activity": Example(answer=Page.of([JOINED], 1, WINDOW)),
    "list_trades": Example(answer=Page.of([EXCHANGE], 1, WINDOW)),
    "list_chat": Example(answer=Page.of([MESSAGE], 1, WINDOW)),
    "list_private_messages": Example(answer=Page.of([WHISPER], 1, WINDOW)),
    "report_chat": Example(
        body={
            "fence": FENCE,
            "messages": [
                {
                    "id": str(SAID),
                    "playerid": str(ANA),
                    "channel": "global",
                    "message": MESSAGE.message_text,
                }
            ],
        },
        answer=StoredMessages(stored=1, unknown=[]),
    ),
}
