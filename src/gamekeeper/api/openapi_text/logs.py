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

LOG_PARAMETERS = {
    "logs.user": ("A username, in any letter case, or a user id.", USER.name),
    "logs.guild_id": ("The guild's id.", str(GUILD.id)),
    "logs.player": ("A character's name, in any letter case, or its id.", PLAYER.name),
}

LOG_FIELDS = {
    "Activity": "Something that happened to an account or to one of its characters.",
    "Activity.Action": "As the Intersect Engine calls it: `Create`, `Login`, `SelectPlayer`, "
    "`Logout`, `NameChange`, `PasswordChanged`, `Mute`, `DisconnectBan`, `DisconnectKick`, `Kill`, "
    "`CreatePlayer`, `DeletePlayer`.",
    "Activity.Peer": "Always `Client`.",
    "Activity.Ip": "Of sign-ins, for those who may see personal information; else empty.",
    "Activity.Meta": "The former and the new name, or empty.",
    "GuildActivity": "Something that happened in a guild.",
    "GuildActivity.ActivityType": "`Created`, `Disbanded`, `Joined`, `Left`, `Kicked`, `Promoted`, "
    "`Demoted`, `Transfer` or `Rename`.",
    "GuildActivity.Ip": "Always empty.",
    "GuildActivity.Meta": "The guild's name then.",
    "GuildActivity.InitiatorId": "Always null: it is no character.",
    "GuildActivity.InitiatorName": "Who did it.",
    "UsedAddress": "An address that an account signed in from in the last month.",
    "UsedAddress.Ip": "An address; of IPv6, the /64 that it is in.",
    "UsedAddress.LastUsed": "The last sign-in from there.",
    "UsedAddress.OtherUsers": "Other accounts that signed in from there, their names by id.",
    "Trade": "Items that went from one character to another, from the view of one of them.",
    "Trade.TradeId": "The transaction.",
    "Trade.Ip": "Always empty: trades are reported by the game.",
    "Trade.TargetId": "The other character; the first one, if there were several.",
    "Trade.Items": "What this character gave.",
    "Trade.TargetItems": "What it got.",
    "TradedItem": "So many of an item.",
    "LoggedMessage": "Something that was said in the game.",
    "LoggedMessage.Ip": "As the game server reported it, for those who may see personal "
    "information; else empty.",
    "LoggedMessage.MessageType": "`Local`, `Party`, `Global`, `PM`, `Admin` or `Guild`.",
    "LoggedMessage.TargetId": "The character or guild that it was said to.",
    "LoggedMessage.TargetName": "Of a character; else empty.",
    "StoredMessages": "What became of a report.",
    "StoredMessages.Stored": "Messages that were not stored before.",
    "StoredMessages.Unknown": "Characters that do not exist; their messages are left out.",
    "ReportChat.messages": "At most 500.",
    "SaidBody": "Something that a character said.",
    "SaidBody.id": "Chosen by the game server: what is reported again is stored once.",
    "SaidBody.message": "1 to 1,000 characters.",
    "SaidBody.targetid": "The character or guild that it was said to.",
    "SaidBody.saidat": "Now, if it is absent or in the future.",
    "SaidBody.address": "The player's address.",
    "TradeQuery.userId": "Only trades of this account's characters.",
    "TradeQuery.playerId": "Only trades of this character.",
    "ChatQuery.userId": "Only what this account's characters said.",
    "ChatQuery.playerId": "Only what this character said.",
    "ChatQuery.messageType": "0 local, 1 party, 2 global, 3 pm, 4 admin, 5 guild.",
    "ChatQuery.guildId": "What was said to this guild.",
    "ChatQuery.search": "A part of the message, in any letter case.",
    "PrivateQuery.player1Id": "The id of one of the two characters.",
    "PrivateQuery.player2Id": "The id of the other one.",
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
