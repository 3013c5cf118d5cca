"""Commands to the live game: sent by staff, fetched and answered by game servers; chat."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
    AnsweredCommand,
    AnswerOutcomes,
    ChatLines,
    FetchedCommands,
    GameCommand,
    SentChat,
    SentDirectChat,
    SentProximityChat,
)

CommandKind = Literal["kick", "kill", "warp", "message", "custom"]
PublicChannel = Literal["local", "party", "global", "admin", "guild"]
CommandState = Literal["waiting", "delivered", "done", "failed", "expired"]


class CommandAnswer(TypedDict):
    """What became of a command on a game server."""

    id: str
    done: bool
    text: NotRequired[str | None]


class Commands(Group[How]):
    """Commands to the live game; `GameServer` fetches and answers them by itself."""

    @posts("/api/v1/players/{player}/commands")
    def send(
        self,
        player: Id,
        kind: CommandKind,
        *,
        text: str | None = None,
        color: str | None = None,
        map_id: Id | None = None,
        x: int | None = None,
        y: int | None = None,
        payload: Mapping[str, Any] | None = None,
        when: Literal["now", "next_join"] | None = None,
        seconds: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GameCommand:
        """
        Send a command to a character, by name or id.

        Nobody online: its state is `expired`, unless `when` is "next_join". `get` with `wait`
        tells what became of it.
        """
        ...

    @posts("/api/v1/servers/{server_id}/commands")
    def send_to_server(
        self,
        server_id: Id,
        kind: CommandKind,
        *,
        text: str | None = None,
        color: str | None = None,
        map_id: Id | None = None,
        x: int | None = None,
        y: int | None = None,
        payload: Mapping[str, Any] | None = None,
        seconds: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> GameCommand:
        """Send a command to a game server itself."""
        ...

    @reads("/api/v1/commands/{command_id}")
    def get(self, command_id: Id, *, wait: int | None = None) -> GameCommand:
        """One command; with `wait` seconds, at most 30, once it is done, failed or expired."""
        ...

    @reads("/api/v1/players/{player}/commands")
    def player_page(
        self,
        player: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        state: CommandState | None = None,
    ) -> Page[GameCommand]:
        """A page of the commands to a character, newest first."""
        ...

    to_player = every(player_page)

    @reads("/api/v1/servers/{server_id}/commands")
    def server_page(
        self,
        server_id: Id,
        page: int = 0,
        page_size: int = 100,
        *,
        limit: int | None = None,
        state: CommandState | None = None,
    ) -> Page[GameCommand]:
        """A page of the commands to a game server or delivered to it, newest first."""
        ...

    to_server = every(server_page)

    @posts("/api/v1/servers/{server_id}/commands/fetch", keyed=False)
    def fetch(
        self,
        server_id: Id,
        fence: int,
        *,
        wait: int | None = None,
        limit: int | None = None,
        resume: Sequence[int] | None = None,
    ) -> FetchedCommands:
        """The commands for a game server and for who plays on it; what is not answered recurs."""
        ...

    @posts("/api/v1/servers/{server_id}/commands/{command_id}/answer")
    def answer(
        self,
        server_id: Id,
        command_id: Id,
        fence: int,
        done: bool,  # noqa: FBT001  the answer itself
        *,
        text: str | None = None,
        idempotency_key: Key = None,
    ) -> AnsweredCommand:
        """Say that a command was carried out, or why not."""
        ...

    @posts("/api/v1/servers/{server_id}/commands/answers", keyed=False)
    def answer_many(
        self, server_id: Id, fence: int, answers: Sequence[CommandAnswer]
    ) -> AnswerOutcomes:
        """Answer at most 100 commands at once."""
        ...


class Chat(Group[How]):
    """The chat log; and something said in the game, as clients of the Intersect Engine do it."""

    @reads("/api/v1/chat/messages")
    def messages(
        self,
        *,
        channel: PublicChannel | None = None,
        player: Id | None = None,
        user: Id | None = None,
        guild: Id | None = None,
        server: Id | None = None,
        search: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        at: datetime | None = None,
        older: str | None = None,
        newer: str | None = None,
        limit: int | None = None,
    ) -> ChatLines:
        """
        A page of the chat log without private messages, newest first.

        With `at`, five minutes before and after; `older` and `newer` of a page lead on.
        """
        ...

    @posts("/api/v1/chat/messages/private", keyed=False)
    def private_messages(
        self,
        reason: str,
        *,
        channel: Literal["pm"] | PublicChannel | None = None,
        player: Id | None = None,
        user: Id | None = None,
        guild: Id | None = None,
        server: Id | None = None,
        search: str | None = None,
        from_: datetime | None = None,
        to: datetime | None = None,
        at: datetime | None = None,
        older: str | None = None,
        newer: str | None = None,
        limit: int | None = None,
    ) -> ChatLines:
        """The same with private messages; each call is recorded with its reason."""
        ...

    @posts("/api/v1/chat", keyed=False, once=True)
    def send(
        self, message: str, *, color: Mapping[str, int] | None = None, target: str | None = None
    ) -> SentChat:
        """Say something to all who play; `color` has A, R, G and B from 0 to 255."""
        ...

    @posts("/api/v1/chat/global", keyed=False, once=True)
    def send_global(
        self, message: str, *, color: Mapping[str, int] | None = None, target: str | None = None
    ) -> SentChat:
        """The same as `send`."""
        ...

    @posts("/api/v1/chat/direct/{player}", keyed=False, once=True)
    def send_direct(
        self,
        player: Id,
        message: str,
        *,
        color: Mapping[str, int] | None = None,
        target: str | None = None,
    ) -> SentDirectChat:
        """Say something to a character that is online."""
        ...

    @posts("/api/v1/chat/proximity/{map_id}", keyed=False, once=True)
    def send_proximity(
        self,
        map_id: Id,
        message: str,
        *,
        color: Mapping[str, int] | None = None,
        target: str | None = None,
    ) -> SentProximityChat:
        """Send a message to all players on a map."""
        ...
