"""
Chat of the story: what players say in the evenings, and the quarrel that a mute is about.

Game servers report it by their own operation. It is not dated back as actions are: a message has
the time at which it was said.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Database, Queryable
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.demo import dice
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.story.cast import DUPER, FENCE, HERO, LOUD, LUCKY, VICTIMS, players
from gamekeeper.demo.story.guilds import COURT
from gamekeeper.servers.chat import messages
from gamekeeper.servers.chat.messages import Channel, ChatReport, SaidMessage
from gamekeeper.servers.leases import LeaseHolder

KEPT = timedelta(days=29)
"""Older messages would expire at once."""
TALKS_AN_EVENING = 9
GUILD_TALKS_AN_EVENING = 2
BATCH = 400
SERVER = "Ravenmoor"


class Remark(Struct, frozen=True):
    """What one of the two who talk says: `who` is 0 or 1."""

    who: int
    message: str
    channel: Channel = "local"


TALKS: tuple[tuple[Remark, ...], ...] = (
    (
        Remark(0, "Anyone for the Hollow tonight?", "global"),
        Remark(1, "In ten minutes, need to empty my bags first", "global"),
        Remark(0, "Meet at the mill then"),
    ),
    (
        Remark(0, "WTS Iron Ore, 12 gold each", "global"),
        Remark(1, "I take 20", "global"),
        Remark(0, "Trade me at the forge, I'm next to the anvil", "pm"),
        Remark(1, "on my way", "pm"),
    ),
    (
        Remark(0, "Careful, two wolves behind the fence", "party"),
        Remark(1, "seen them, I pull the left one", "party"),
        Remark(0, "Heal please", "party"),
        Remark(1, "out of mana, drink", "party"),
    ),
    (
        Remark(0, "Does the Ember Drake drop anything good?", "global"),
        Remark(1, "Dragon Scales mostly, a helm if you are lucky", "global"),
    ),
    (
        Remark(0, "Is the bank in Silverlake closed?"),
        Remark(1, "No, the door is on the other side :)"),
        Remark(0, "thanks"),
    ),
    (
        Remark(0, "gg, that was close", "party"),
        Remark(1, "same time tomorrow?", "party"),
    ),
    (
        Remark(0, "Can you lend me 500 gold until Saturday?", "pm"),
        Remark(1, "sure, but the last time it was Saturday in March", "pm"),
    ),
    (
        Remark(0, "Lag on Ravenmoor again?", "global"),
        Remark(1, "fine here", "global"),
    ),
)

GUILD_TALKS: tuple[tuple[Remark, ...], ...] = (
    (
        Remark(0, "Raid on Saturday at eight, who is in?", "guild"),
        Remark(1, "me, and I bring potions for everyone", "guild"),
        Remark(0, "Take six from the bank, they are for that", "guild"),
    ),
    (
        Remark(0, "Put my spare silk into the bank, help yourselves", "guild"),
        Remark(1, "you are the best", "guild"),
    ),
    (
        Remark(0, "Did anyone take the Dragon Scales?", "guild"),
        Remark(1, "not me, look at the log of the bank", "guild"),
    ),
)

QUARREL: tuple[tuple[str, str, Channel], ...] = (
    (HERO.name, "Nyra, that chest was mine, we agreed on it", "local"),
    (LOUD.name, "you agreed with yourself, as always", "local"),
    (HERO.name, "Please just give the token back", "local"),
    (LOUD.name, "cry about it, you worthless clown", "global"),
    (LUCKY.name, "Can we keep that out of global?", "global"),
    (LOUD.name, "you were not asked either, idiot", "global"),
    (VICTIMS[0].name, "reported.", "global"),
    (LOUD.name, "report me again and I will hunt you every evening", "pm"),
)
"""Who says what where; the last one to the hero."""

INSULTS = (3, 5)
"""The places in it that are the evidence."""


def quarrel_id(seed: int, place: int) -> UUID:
    return UUID(bytes=dice.guid(seed, "quarrel", place))


async def quarrel(reader: Queryable, seed: int, at: datetime) -> ChatReport:
    """The report of the quarrel, which ended at this time."""
    names = sorted({name for name, _, _ in QUARREL})
    rows = await players(reader, names)
    ids = {row["name"]: row["id"] for row in rows}
    said = [
        SaidMessage(
            id=quarrel_id(seed, place),
            player_id=ids[name],
            channel=channel,
            message=message,
            target_id=ids[HERO.name] if channel == "pm" else None,
            said_at=at - timedelta(seconds=23 * (len(QUARREL) - place)),
        )
        for place, (name, message, channel) in enumerate(QUARREL)
    ]
    return ChatReport(by=COMMAND_LINE, holder=await _holder(reader), messages=said)


class Circle(Struct, frozen=True):
    """People who talk to each other every evening."""

    kind: str
    """Of its random numbers and ids."""
    talkers: Sequence[UUID]
    """The first one talks most: the example's page shall have something to read."""
    talks: Sequence[Sequence[Remark]]
    talks_an_evening: int
    guild: UUID | None = None


async def store(database: Database, *, now: datetime, days: int, seed: int, example: str) -> None:
    """Report what the characters of the story, and `example`, said every evening."""
    people = [example] if example else []
    people += [role.name for role in (HERO, LUCKY, DUPER, FENCE, LOUD, *VICTIMS)]
    rows = await players(database.reader, people)
    circles = [Circle("chat", [row["id"] for row in rows], TALKS, TALKS_AN_EVENING)]
    circles += await _court(database.reader)
    span = min(timedelta(days=days), KEPT)
    said = [line for circle in circles for line in _evenings(circle, seed, now, span)]
    holder = await _holder(database.reader)
    reports = [
        ChatReport(by=COMMAND_LINE, holder=holder, messages=said[start : start + BATCH])
        for start in range(0, len(said), BATCH)
    ]
    await messages.report(database, reports)


async def _court(reader: Queryable) -> list[Circle]:
    """The story's first guild, if it has been founded."""
    rows = await reader.rows(
        """
        SELECT player_id, guild_id FROM guild_members
         WHERE guild_id = (SELECT id FROM guilds WHERE name = $1) ORDER BY player_id
        """,
        COURT,
    )
    if len(rows) < 2:
        return []
    members = [row["player_id"] for row in rows]
    return [Circle("guild chat", members, GUILD_TALKS, GUILD_TALKS_AN_EVENING, rows[0]["guild_id"])]


async def _holder(reader: Queryable) -> LeaseHolder:
    [row] = await reader.rows("SELECT id, fence FROM servers WHERE name = $1", SERVER)
    return LeaseHolder(row["id"], row["fence"])


def _evenings(circle: Circle, seed: int, now: datetime, span: timedelta) -> Iterator[SaidMessage]:
    roll, talkers = Dice(seed, circle.kind), circle.talkers
    number = 0
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for day in range(span.days, -1, -1):
        for _ in range(circle.talks_an_evening):
            at = midnight - timedelta(days=day) + timedelta(hours=18, minutes=roll.below(150))
            one = talkers[0] if roll.chance(0.4) else roll.pick(talkers)
            other = roll.pick([talker for talker in talkers if talker != one])
            for remark in roll.pick(circle.talks):
                at += timedelta(seconds=roll.between(4, 40))
                if now - span < at < now:
                    pair = (one, other) if remark.who == 0 else (other, one)
                    yield SaidMessage(
                        id=UUID(bytes=dice.guid(seed, circle.kind, number)),
                        player_id=pair[0],
                        channel=remark.channel,
                        message=remark.message,
                        target_id=pair[1] if remark.channel == "pm" else circle.guild,
                        said_at=at,
                    )
                number += 1
