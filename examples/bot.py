"""
A bot that tells a channel what happens in the game, as it happens.

    KEY=gk_… python examples/bot.py http://127.0.0.1:8000 https://discord.example/api/webhooks/…

A message is a POST of `{"content": "…"}`, as Discord and its relatives take it. How far
the bot has come is noted after each message, so that it goes on there when it is started
again: nobody misses anything, and at worst the one message that was being sent comes twice.
"""

import asyncio
import os
import sys
from contextlib import aclosing
from pathlib import Path

import httpx2
from gamekeeper_client import AsyncGamekeeper, EventsExpired, Refused
from gamekeeper_client.records import EventEntry

KINDS = ["items.give", "items.take", "spells.teach", "users.register"]
PLACE = Path("bot.place")


async def sentence(client: AsyncGamekeeper, event: EventEntry) -> str:
    who = "Somebody"
    if event["PlayerId"] is not None:
        try:
            who = (await client.players.get(event["PlayerId"]))["Name"]
        except Refused:
            who = "Somebody who is gone"
    match event["Kind"]:
        case "items.give":
            return f"🎁 {who} was given something by {event['ActorName']}."
        case "items.take":
            return f"📦 {who} had to give something to {event['ActorName']}."
        case "spells.teach":
            return f"✨ {who} learned a spell."
        case _:
            return "👋 Somebody new has registered."


async def post(channel: httpx2.AsyncClient, url: str, content: str) -> None:
    """Until the channel takes it; it may ask us to slow down."""
    while True:
        answer = await channel.post(url, json={"content": content})
        if answer.status_code != 429:
            answer.raise_for_status()
            return
        await asyncio.sleep(float(answer.headers.get("retry-after", "1")))


async def tell(client: AsyncGamekeeper, channel: httpx2.AsyncClient, url: str) -> None:
    after = int(PLACE.read_text()) if PLACE.exists() else "latest"
    async with aclosing(client.events.stream(after, kinds=KINDS)) as events:
        async for event in events:
            await post(channel, url, await sentence(client, event))
            PLACE.write_text(str(event["Seq"]))


async def main() -> None:
    service, channel_url = sys.argv[1:]
    async with (
        AsyncGamekeeper(service, os.environ["KEY"]) as client,
        httpx2.AsyncClient() as channel,
    ):
        try:
            await tell(client, channel, channel_url)
        except EventsExpired as expired:
            PLACE.write_text(str(expired.oldest - 1))
            raise SystemExit("the bot was away for too long; start it again") from expired


if __name__ == "__main__":
    asyncio.run(main())
