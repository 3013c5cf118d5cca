"""
A chat bot that posts game events to a channel (Discord webhook) from the event stream.

    KEY=gk_… python examples/bot.py http://127.0.0.1:8000 https://discord.example/api/webhooks/…

A message is a POST of `{"content": "…"}`, as Discord and compatible services accept it. The
bot saves its position after each message and resumes there after a restart: no event is
missed, and at worst the message being sent is posted twice.
"""

import asyncio
import os
import sys
from contextlib import aclosing
from pathlib import Path

import httpx2
from gamekeeper_client import APIError, AsyncGamekeeper, EventsExpired
from gamekeeper_client.records import EventEntry

KINDS = ["items.give", "items.take", "spells.teach", "users.register"]
PLACE = Path("bot.place")


async def sentence(client: AsyncGamekeeper, event: EventEntry) -> str:
    who = "Somebody"
    if event["PlayerId"] is not None:
        try:
            who = (await client.players.get(event["PlayerId"]))["Name"]
        except APIError:
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
    """Post a message; on 429 (rate limit) wait and retry."""
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
