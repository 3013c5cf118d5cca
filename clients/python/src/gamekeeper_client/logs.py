"""Logs, as clients of the Intersect Engine read them: the endpoints under /api/v1/logs."""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
    Activity,
    GuildActivity,
    LoggedMessage,
    StoredMessages,
    Trade,
    UsedAddress,
)

Direction = Literal["Ascending", "Descending"]


class SaidMessage(TypedDict):
    """Something that a character said; the id is the game server's own."""

    id: str
    playerid: str
    message: str
    channel: NotRequired[Literal["local", "party", "global", "pm", "admin", "guild"]]
    targetid: NotRequired[str | None]
    saidat: NotRequired[str | None]
    address: NotRequired[str]


class Logs(Group[How]):
    """What happened to accounts and characters, trades, and what was said in the game."""

    @reads("/api/v1/logs/user/{user}/activity")
    def user_activity_page(
        self,
        user: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[Activity]:
        """A page of what happened to an account and its characters."""
        ...

    user_activity = every(user_activity_page)

    @reads("/api/v1/logs/player/{player}/activity")
    def player_activity_page(
        self,
        player: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[Activity]:
        """A page of what happened to a character."""
        ...

    player_activity = every(player_activity_page)

    @reads("/api/v1/logs/user/{user}/ip")
    def addresses_page(
        self,
        user: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[UsedAddress]:
        """A page of the addresses that an account signed in from."""
        ...

    addresses = every(addresses_page)

    @reads("/api/v1/logs/guild/{guild_id}/activity")
    def guild_activity_page(
        self,
        guild_id: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[GuildActivity]:
        """A page of what happened in a guild."""
        ...

    guild_activity = every(guild_activity_page)

    @reads("/api/v1/logs/trade")
    def trades_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        user_id: Id | None = None,
        player_id: Id | None = None,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[Trade]:
        """A page of trades: all, those of a character, or of an account's."""
        ...

    trades = every(trades_page)

    @reads("/api/v1/logs/chat")
    def chat_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        message_type: int | None = None,
        user_id: Id | None = None,
        player_id: Id | None = None,
        guild_id: Id | None = None,
        search: str | None = None,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[LoggedMessage]:
        """A page of what was said in the game, without private messages."""
        ...

    chat = every(chat_page)

    @reads("/api/v1/logs/pm")
    def private_messages_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        player1_id: Id,
        player2_id: Id,
        limit: int | None = None,
        sort_direction: Direction = "Descending",
    ) -> Page[LoggedMessage]:
        """A page of what two characters said to each other."""
        ...

    private_messages = every(private_messages_page)

    @posts("/api/v1/servers/{server_id}/chat")
    def report_chat(
        self,
        server_id: Id,
        fence: int,
        messages: Sequence[SaidMessage],
        *,
        idempotency_key: Key = None,
    ) -> StoredMessages:
        """Report what was said on a server, at most 500 messages; stored once by their ids."""
        ...
