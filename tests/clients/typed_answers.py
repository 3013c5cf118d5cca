"""What a type checker knows of the client's answers; basedpyright reads this, nothing runs it."""

from datetime import date, datetime
from typing import Any, assert_type

from gamekeeper_client import AsyncGamekeeper, Gamekeeper, GameServer, WebhookMessage
from gamekeeper_client.records import EventEntry, Failure, Player, Slot, TimelineEntry


def answers(client: Gamekeeper) -> None:
    player = client.players.get("Ana")
    assert_type(player, Player)
    assert_type(player.name, str)
    assert_type(player.last_online, datetime)
    assert_type(player.vitals, list[int])
    assert_type(player["Name"], Any)
    assert_type(client.players.inventory("Ana"), list[Slot])
    assert_type(client.players.inventory("Ana")[0].bag_id, str | None)
    assert_type(client.players.inventory("Ana")[0].item_name, str | None)
    assert_type(client.players.variable("Ana", "1").value, bool | int | float | str)
    assert_type(client.players.sessions("Ana").next, datetime | None)
    assert_type(client.users.get("ana").power.ban, bool)
    assert_type(client.economy.get("1").flows[0].day, date)


def lists(client: Gamekeeper) -> None:
    assert_type(client.players.page().entries, list[Player])
    assert_type(client.players.page_by_post().entries, list[Player])
    assert_type(client.actions.page().next, str | None)
    assert_type(next(client.players.ranked()).level, int)
    assert_type(next(client.players.history("Ana")), TimelineEntry)


def servers(server: GameServer, message: WebhookMessage) -> None:
    assert_type(server.flush()[0].failure, Failure | None)
    assert_type(next(server.events(None)).at, datetime)
    assert_type(message.data, EventEntry)


async def with_async(client: AsyncGamekeeper) -> None:
    assert_type((await client.players.get("Ana")).in_bank, bool)
    assert_type((await client.players.page()).entries[0], Player)
    async for entry in client.players.history("Ana"):
        assert_type(entry.postings[0].counterparties[0].player_id, str)
