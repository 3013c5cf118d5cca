"""Campaigns of a game server in C#: created, started and reversed from a tool in the game."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from gamekeeper.segments import saved
from gamekeeper.segments.saved import SegmentChange
from tests.campaigns.crowds import SEGMENT, VETERANS, Crowd
from tests.clients.csharp.conftest import Play
from tests.clients.csharp.games import Game
from tests.make import BY

pytestmark = pytest.mark.engines


class Panel:
    """What a game master sees."""

    def __init__(self, game: Game) -> None:
        self.game, self.calls = game, 0

    async def ask(self, how: str, **about: Any) -> dict[str, Any]:
        self.calls += 1
        self.game.tell("campaign", how=how, **about)
        return (await self.game.hear("campaign", self.calls))[-1]


async def test_a_campaign_is_created_run_and_reversed(play: Play, database):
    crowd = await Crowd.make(database, size=3)
    work = {
        "kind": "letter",
        "subject": "Sorry",
        "items": [{"itemid": str(crowd.potion), "quantity": 2}],
    }
    async with play() as game:
        panel = Panel(game)
        made = await panel.ask(
            "create", name="Outage", segment=SEGMENT, work=work, reason="ticket 4711"
        )
        early = await panel.ask("start", id=made["id"])
        await crowd.advanced(UUID(made["id"]))
        ready = await panel.ask("get", id=made["id"])
        await panel.ask("start", id=made["id"])
        paused = await panel.ask("pause", id=made["id"])
        resumed = await panel.ask("resume", id=made["id"])
        await crowd.advanced(UUID(made["id"]))
        finished = await panel.ask("get", id=made["id"])
        received = await panel.ask("recipients", id=made["id"], state="done")
        reversing = await panel.ask("reverse", id=made["id"], reason="wrong item")
        await crowd.advanced(UUID(made["id"]))
        taken = await panel.ask("get", id=made["id"])
        listed = await panel.ask("list")

    assert (made["state"], early["code"]) == ("preparing", "wrong_campaign_state")
    assert (ready["state"], ready["recipients"]) == ("ready", 3)
    states = [said["state"] for said in (paused, resumed, finished, reversing, taken)]
    assert states == ["paused", "running", "finished", "reversing", "reversed"]
    assert (finished["done"], taken["reversed"]) == (3, 3)
    assert sorted(received["names"]) == ["Veteran 0", "Veteran 1", "Veteran 2"]
    assert "Outage" in listed["names"]
    assert (await crowd.shown(UUID(made["id"]))).reason == "ticket 4711"
    assert await crowd.held() == {}


async def test_a_campaign_on_joining_is_stopped(play: Play, database):
    everyone = SegmentChange(by=BY, name="everyone", description="", definition=VETERANS)
    await saved.change.one(database, everyone)
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    work = {"kind": "letter", "subject": "Welcome"}
    async with play() as game:
        panel = Panel(game)
        made = await panel.ask("create", name="Welcome", segment="everyone", work=work, until=until)
        await panel.ask("start", id=made["id"])
        stopped = await panel.ask("stop", id=made["id"])
    assert (made["onJoin"], made["state"], stopped["state"]) == (True, "ready", "stopped")
