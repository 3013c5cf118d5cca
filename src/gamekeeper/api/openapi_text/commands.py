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

COMMAND_FIELDS = {
    "GameCommand": "A command to the live game, and what became of it.",
    "GameCommand.PlayerId": "The character it is for; null if it is for a server.",
    "GameCommand.ServerId": "The server it is for; null if it is for a character.",
    "GameCommand.Payload": "`Text`, `Color`, `MapId`, `X` and `Y`, as the kind has them; of a "
    "custom command what was sent.",
    "GameCommand.State": "`waiting`: not fetched yet. `delivered`: fetched, not answered yet. "
    "`done` and `failed`: answered. `expired`: not fetched or not answered in time; `Answer` says "
    "which, and an answer that comes late replaces it.",
    "GameCommand.SentBy": "Who sent it, as in the audit log.",
    "GameCommand.SentByName": "The name of who sent it.",
    "GameCommand.ExpiresAt": "RFC 3339. Until then it can be fetched or, once it is, answered.",
    "GameCommand.DeliveredTo": "The server that fetched it; no other ever gets it.",
    "GameCommand.DeliveredAt": "RFC 3339; the last time, if it was delivered again.",
    "GameCommand.Answer": "The game server's words, or why it expired.",
    "SendCommand": "A command to a game server.",
    "SendPlayerCommand": "A command to a character.",
    "kind": "`kick`, `kill`, `warp`, `message` or `custom`.",
    "SendPlayerCommand.text": "What the player reads, 1 to 500 characters: of a message, or "
    "beside a kick.",
    "SendCommand.text": "What the players read, 1 to 500 characters: of a message, or beside a "
    "kick.",
    "color": "Of a message: `#RRGGBB`, or `#AARRGGBB` with its opacity first.",
    "mapid": "Where a warp goes; of a message, that only those on this map read it.",
    "SendPlayerCommand.x": "Where on the map a warp goes, from 0 to 65535.",
    "SendPlayerCommand.y": "Where on the map a warp goes, from 0 to 65535.",
    "SendCommand.x": "Where on the map a warp goes, from 0 to 65535.",
    "SendCommand.y": "Where on the map a warp goes, from 0 to 65535.",
    "payload": "Of a custom command: any JSON object of at most 8 KiB. JSON bodies only.",
    "SendPlayerCommand.seconds": "For how long it waits to be fetched: 30 seconds by default and "
    "3600 at most; with `next_join` 7 days by default and 30 at most.",
    "SendCommand.seconds": "For how long it waits to be fetched: 30 by default, 3600 at most.",
    "SendPlayerCommand.when": "`now`, or `next_join`: kept until the character joins a server, if "
    "it is on none.",
    "CommandList.state": "Only those in this state.",
    "CommandQuery.wait": "Hold the response back until the command is done, failed or expired, at "
    "most so many seconds; 30 at most.",
    "FetchCommands": "A game server asks for its commands.",
    "FetchCommands.wait": "Hold the response back until there is a command, at most so many "
    "seconds; 30 at most.",
    "FetchCommands.limit": "How many, 1 to 100; out of range, the nearest is taken.",
    "FetchCommands.resume": "The fences of earlier processes of this server whose record of "
    "carried-out ids this one continues, at most 16: what they fetched and never answered comes "
    "again. JSON bodies only.",
    "FetchedCommands": "Commands to be carried out, each id once, and answered.",
    "FetchedCommand": "A command as the game server gets it.",
    "FetchedCommand.PlayerId": "The character it is for; null: for the server itself.",
    "FetchedCommand.Payload": "As of `GameCommand`.",
    "FetchedCommand.SecondsLeft": "Within which it must be answered, or it expires.",
    "FetchedCommand.Again": "Whether it was delivered before, and may have been carried out.",
    "AnswerCommand": "What became of a command.",
    "AnswerCommand.done": "Whether it was carried out.",
    "AnswerCommand.text": "For who sent it: at most 500 characters.",
    "AnswerCommands": "What became of many commands.",
    "AnswerCommands.answers": "At most 100. JSON bodies only.",
    "AnswerBody": "What became of one command.",
    "AnswerBody.id": "The command's id.",
    "AnswerBody.done": "Whether it was carried out.",
    "AnswerBody.text": "For who sent it: at most 500 characters.",
    "AnsweredCommand": "A command that was answered.",
    "AnswerOutcomes": "What became of each answer, in their order.",
    "AnswerOutcome": "What became of one answer.",
    "AnswerOutcome.State": "The command's state; null if the answer was refused.",
    "AnswerOutcome.Failure": "Why the answer was refused; null if it was not.",
    "SendChat": "Something to be said in the game.",
    "SendChat.message": "1 to 500 characters.",
    "SendChat.color": "`A`, `R`, `G` and `B`, each from 0 to 255 and 255 if it is left out; in a "
    "form `Color[R]` and so on.",
    "SendChat.target": "Comes back as it was sent.",
    "ChatMessage": "What was said.",
    "ChatMessage.Target": "As it was sent.",
    "ChatColor": "A colour and its opacity.",
    "ChatColor.A": "Opacity.",
    "ChatColor.R": "Red.",
    "ChatColor.G": "Green.",
    "ChatColor.B": "Blue.",
    "SentChat": "What was said to all.",
    "SentChat.success": "Always true: otherwise it is refused.",
    "SentChat.chatMessage": "What was said.",
    "SentDirectChat": "What was said to a character.",
    "SentDirectChat.success": "Always true: otherwise it is refused.",
    "SentDirectChat.chatMessage": "What was said.",
    "SentDirectChat.lookupKey": "As it was sent.",
    "SentProximityChat": "What was said to those on a map.",
    "SentProximityChat.success": "Always true: otherwise it is refused.",
    "SentProximityChat.chatMessage": "What was said.",
    "SentProximityChat.mapId": "The map's id.",
}

COMMAND_TAGS = {
    "commands": "What became of a command to the live game. Commands are sent to characters and "
    "to servers, and fetched by servers.",
    "chat": "For clients of the Intersect Engine: say something in the game.",
}

COMMAND_PARAMETERS = {
    "commands.command_id": ("The command's id.", str(COMMAND)),
    "servers.command_id": ("The command's id.", str(COMMAND)),
    "chat.key": (
        "The name of a character that is online, in any letter case, or its id.",
        LISTENER,
    ),
    "chat.map_id": ("The map's id.", str(MAP)),
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
