"""
A chat bot that posts game events to a channel (Discord webhook) from the event stream.

    export GAMEKEEPER_CLIENT_KEY=gk_…
    python examples/bot.py http://127.0.0.1:8000
    python examples/bot.py http://127.0.0.1:8000 https://discord.example/api/webhooks/…

Without a channel it prints what it would post; run examples/shop.py meanwhile. A message is a
POST of `{"content": "…"}`, as Discord and compatible services accept it. The bot saves its
position after each message and resumes there after a restart: no event is missed, and at worst
the message being sent is posted twice.
"""

import argparse
import asyncio
import os
from contextlib import aclosing
from pathlib import Path

import httpx2
from gamekeeper_client import AsyncGamekeeper, EventsExpired, GamekeeperError
from gamekeeper_client.records import EventEntry

KINDS = ["items.give", "items.take", "spells.teach", "users.register"]
PLACE = Path.home() / ".gamekeeper-examples" / "bot.place"


def sentence(event: EventEntry) -> str:
    who = event.player_name or "Somebody"
    what = event.item_name or "something"
    match event.kind:
        case "items.give":
            return f"🎁 {who} was given {what} by {event.actor_name}."
        case "items.take":
            return f"📦 {who} had to give {what} to {event.actor_name}."
        case "spells.teach":
            return f"✨ {who} learned a spell."
        case _:
            return "👋 Somebody new has registered."


async def post(channel: httpx2.AsyncClient, url: str | None, content: str) -> None:
    """Post a message; on 429 (rate limit) wait and retry."""
    if url is None:
        print(content)
        return
    while True:
        answer = await channel.post(url, json={"content": content})
        if answer.status_code != 429:
            answer.raise_for_status()
            return
        await asyncio.sleep(float(answer.headers.get("retry-after", "1")))


async def tell(
    client: AsyncGamekeeper, channel: httpx2.AsyncClient, url: str | None, place: Path
) -> None:
    after = latest = (await client.events.page("latest")).next
    if place.exists():
        # A place beyond the newest event is one of another world.
        after = min(int(place.read_text()), latest)
    print(f"listening after event {after}; Ctrl-C ends it")
    async with aclosing(client.events.stream(after, kinds=KINDS, names=True)) as events:
        async for event in events:
            await post(channel, url, sentence(event))
            place.write_text(str(event.seq))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Tell a channel what happens in the game.")
    parser.add_argument("url", help="of the service, as `gamekeeper try` prints it")
    parser.add_argument("channel", nargs="?", help="where to post; without it, it prints")
    parser.add_argument("--place", type=Path, default=PLACE, help=f"default: {PLACE}")
    if not os.environ.get("GAMEKEEPER_CLIENT_KEY"):
        parser.error("set GAMEKEEPER_CLIENT_KEY to the key, as `gamekeeper try` prints it")
    return parser.parse_args()


async def main(asked: argparse.Namespace) -> None:
    asked.place.parent.mkdir(parents=True, exist_ok=True)
    async with AsyncGamekeeper(asked.url) as client, httpx2.AsyncClient() as channel:
        try:
            await tell(client, channel, asked.channel, asked.place)
        except EventsExpired as expired:
            asked.place.write_text(str(expired.oldest - 1))
            raise SystemExit("the bot was away for too long; start it again") from expired


if __name__ == "__main__":
    try:
        asyncio.run(main(arguments()))
    except (GamekeeperError, httpx2.HTTPError) as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None
    except KeyboardInterrupt:
        print("stopped")
