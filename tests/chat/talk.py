"""Chat for tests: lines as game servers report them, and the texts of a page."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from tests.servers.game_server import GameServer

MESSAGES = "/api/v1/chat/messages"
PRIVATE = "/api/v1/chat/messages/private"


def said(player: UUID, message: str, **about: object) -> dict[str, object]:
    return {"id": str(uuid4()), "playerId": str(player), "message": message, **about}


async def say(realm: GameServer, *messages: dict[str, object]) -> None:
    answer = await realm.say("chat", messages=list(messages))
    assert answer.json() == {"Stored": len(messages), "Unknown": []}, answer.text


def every_second(begun: datetime, player: UUID, texts: list[str]) -> list[dict[str, object]]:
    """One line a second, from `begun` on, in the global channel."""
    return [
        said(
            player,
            text,
            channel="global",
            saidAt=(begun + timedelta(seconds=number)).isoformat(),
        )
        for number, text in enumerate(texts)
    ]


def texts(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [line["Message"] for line in answer.json()["Values"]]
