"""Words and examples for the OpenAPI document: commands to the live game, and chat."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import ANA
from gamekeeper.api.openapi_text.servers import FENCE, SERVER
from gamekeeper.api.v1.chat import (
    ChatColor,
    ChatMessage,
    ChatPlayerNotFound,
    InvalidMapId,
    MapNotFound,
    SentChat,
    SentDirectChat,
    SentProximityChat,
)
from gamekeeper.api.v1.command_delivery import AnswerOutcome, AnswerOutcomes
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.servers.commands.delivery import AnsweredCommand, FetchedCommand, FetchedCommands
from gamekeeper.servers.commands.payloads import InvalidCommand
from gamekeeper.servers.commands.records import GameCommand

COMMAND = UUID("019cede2-9c40-7d18-a3b5-5e7f90b2c4d6")
LISTENER = "Cyd Marsh"
MAP = UUID("5d2f1a70-8b3c-4e96-9f04-7a1b2c3d4e5f")

SENT = GameCommand(
    id=COMMAND,
    kind="message",
    player_id=ANA,
    server_id=None,
    payload={"Text": "The wedding begins in five minutes.", "Color": "#FFD700"},
    state="waiting",
    reason="invitation",
    sent_by="key:6a1d2c84-0f5b-4e7a-9d3c-8b2f1e0a7c55",
    sent_by_name="console",
    created_at=datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC),
    expires_at=datetime(2026, 3, 14, 18, 22, 35, tzinfo=UTC),
    delivered_to=None,
    delivered_at=None,
    answered_at=None,
    answer=None,
)
TO_SERVER = structs.replace(SENT, player_id=None, server_id=SERVER)
DONE = structs.replace(
    SENT,
    state="done",
    delivered_to=SERVER,
    delivered_at=datetime(2026, 3, 14, 18, 22, 5, 40_000, tzinfo=UTC),
    answered_at=datetime(2026, 3, 14, 18, 22, 5, 90_000, tzinfo=UTC),
)
FETCHED = FetchedCommand(
    id=COMMAND,
    kind="message",
    player_id=ANA,
    payload=SENT.payload,
    seconds_left=29.96,
    again=False,
)
SAY: dict[str, Any] = {
    "kind": "message",
    "text": "The wedding begins in five minutes.",
    "color": "#FFD700",
    "reason": "invitation",
}
CHAT: dict[str, Any] = {
    "message": "Good evening!",
    "color": {"A": 255, "R": 255, "G": 215, "B": 0},
    "target": "",
}
CHATTED = ChatMessage(message="Good evening!", color=ChatColor(a=255, r=255, g=215, b=0), target="")

COMMAND_EXAMPLES = {
    "send_player_command": Example(body=SAY, answer=SENT),
    "send_server_command": Example(body=SAY, answer=TO_SERVER),
    "list_player_commands": Example(answer=Page.of([DONE], 1, Window.of(0, 5))),
    "list_server_commands": Example(answer=Page.of([DONE], 1, Window.of(0, 5))),
    "get_command": Example(answer=DONE),
    "fetch_commands": Example(
        body={"fence": FENCE, "wait": 0, "limit": 100}, answer=FetchedCommands(values=[FETCHED])
    ),
    "answer_command": Example(
        body={"fence": FENCE, "done": True}, answer=AnsweredCommand(id=COMMAND, state="done")
    ),
    "answer_commands": Example(
        body={
            "fence": FENCE,
            "answers": [{"id": str(COMMAND), "done": True, "text": "She smiled."}],
        },
        answer=AnswerOutcomes(values=[AnswerOutcome(id=COMMAND, state="done", failure=None)]),
    ),
    "send_chat": Example(body=CHAT, answer=SentChat(success=True, chat_message=CHATTED)),
    "send_global_chat": Example(body=CHAT, answer=SentChat(success=True, chat_message=CHATTED)),
    "send_direct_chat": Example(
        body=CHAT,
        answer=SentDirectChat(success=True, lookup_key=LISTENER, chat_message=CHATTED),
    ),
    "send_proximity_chat": Example(
        body=CHAT, answer=SentProximityChat(success=True, map_id=MAP, chat_message=CHATTED)
    ),
}


COMMAND_TAGS = {
    "commands": "What became of a command to the live game. Commands are sent to characters and "
    "to servers, and fetched by servers.",
    "chat": "For clients of the Intersect Engine: say something in the game.",
}


COMMAND_REFUSALS: dict[type[Problem], Problem] = {
    InvalidCommand: InvalidCommand("A message needs 'text'.", field="text"),
    ChatPlayerNotFound: ChatPlayerNotFound(f"No player found for '{LISTENER}'."),
    InvalidMapId: InvalidMapId("Invalid map id '7'."),
    MapNotFound: MapNotFound(f"No map found for '{MAP}'."),
}

COMMANDS_WITHOUT_KEYS = frozenset(
    {"fetch_commands", "answer_commands"}
    | {"send_chat", "send_global_chat", "send_direct_chat", "send_proximity_chat"}
)
"""Repeating these is safe without a key, or, of chat, what the ancestor's clients do."""
