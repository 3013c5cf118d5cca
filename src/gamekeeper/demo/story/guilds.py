"""The guilds of the story: who founded and joined them, and what passed through their banks."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command
from gamekeeper.demo import world
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.story.cast import HERO, LOUD, LUCKY, VICTIMS, Cast
from gamekeeper.demo.story.play import Regular, because
from gamekeeper.demo.story.schedule import Late, Schedule
from gamekeeper.guilds import bank, lifecycle, members
from gamekeeper.guilds.bank import BankMove
from gamekeeper.guilds.lifecycle import GuildFounding
from gamekeeper.guilds.members import GuildJoin, GuildPromotion
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact

COURT = "Sunfall Company"
PLACES = ("Ashen Vale", "Tin Lanterns", "Ironpeak Miners", "The Old Guard", "Harbor Watch")
PEOPLE_OF_A_GUILD = 8
FOUNDED_AFTER = timedelta(hours=8)
"""After the characters of the story are created, in a story of one day too."""
TREASURED_AFTER = timedelta(hours=10)
RAIDS_UNTIL = timedelta(hours=9)
"""Before now: the theft of last night is the last that happened, at any hour of the day."""
RAIDS = (
    (("Dragon Scale", 2), ("Gold Coin", 4_000)),
    (("Rough Ruby", 5), ("Greater Health Potion", 6)),
    (("Silk Cloth", 20), ("Gold Coin", 2_500)),
    (("Moonpetal", 12), ("Iron Ore", 30)),
)
TREASURE = (("Gold Coin", 6_000), ("Dragon Scale", 3))
"""What the court began with, and what was stolen last night: nobody takes more than was brought."""


class Band(Struct, frozen=True):
    """A guild and its people, the owner first."""

    name: str
    people: Sequence[str]
    by: AuditContext
    """The game server that reports what they do."""


def draw(schedule: Schedule, cast: Cast, began: datetime, regulars: Sequence[Regular]) -> None:
    """Schedule all of it; a small world has few guilds besides the court."""
    friends = [persona.name for persona in (HERO, LUCKY, LOUD, *VICTIMS)]
    named = [Band(COURT, friends, cast.servers["Ravenmoor"])]
    for number, name in enumerate(PLACES):
        some = regulars[number * PEOPLE_OF_A_GUILD : (number + 1) * PEOPLE_OF_A_GUILD]
        if len(some) == PEOPLE_OF_A_GUILD:
            by = cast.servers[some[0].server]
            named.append(Band(name, [one.name for one in some], by))
    for number, band in enumerate(named):
        _found(schedule, band, began + FOUNDED_AFTER + timedelta(minutes=11 * number))
        _raids(schedule, band, Dice(schedule.seed, f"guild {number}"))
    _bring(schedule, named[0], HERO.name, TREASURE, began + TREASURED_AFTER)
    _theft(schedule, named[0])


def _found(schedule: Schedule, band: Band, at: datetime) -> None:
    founding = GuildFounding(by=band.by, name=band.name, owner=band.people[0])
    schedule.add(at, lifecycle.found, founding)
    for number, player in enumerate(band.people[1:]):
        at += timedelta(minutes=3)
        join = _about(
            band, lambda guild, player=player: GuildJoin(by=band.by, guild_id=guild, player=player)
        )
        schedule.add(at, members.change_members, join)
        if number < 2:
            rank = _about(
                band,
                lambda guild, player=player, rank=number + 1: GuildPromotion(
                    by=band.by, guild_id=guild, player=player, rank=rank
                ),
            )
            schedule.add(at + timedelta(minutes=1), members.change_members, rank)


def _raids(schedule: Schedule, band: Band, roll: Dice) -> None:
    """Every evening somebody brings the loot of a raid, and every third somebody takes a part."""
    midnight = schedule.now.replace(hour=0, minute=0, second=0, microsecond=0)
    days = (schedule.now - schedule.began).days
    for day in range(days - 1, 0, -1):
        at = midnight - timedelta(days=day) + timedelta(hours=20, minutes=roll.below(90))
        if at > schedule.now - RAIDS_UNTIL:
            continue
        finder, loot = roll.pick(tuple(band.people)), RAIDS[roll.below(len(RAIDS))]
        at = _bring(schedule, band, finder, loot, at)
        if day % 3 == 0:
            item, many = loot[0]
            taker = roll.pick(tuple(band.people))
            at += timedelta(minutes=roll.between(5, 30))
            schedule.add(at, bank.withdraw, _move(band, taker, item, max(1, many // 2)))


def _bring(
    schedule: Schedule, band: Band, finder: str, loot: Sequence[tuple[str, int]], at: datetime
) -> datetime:
    """Find something and put it into the bank; when that was done."""
    moves = [
        MoveItems(
            item_id=world.items()[item].id,
            quantity=many,
            source=None,
            target=Endpoint(player=finder),
        )
        for item, many in loot
    ]
    by = because(band.by, "loot: guild raid")
    schedule.add(at, transact, Transaction(by=by, holder=None, expected=(), moves=moves))
    for item, many in loot:
        at += timedelta(minutes=1)
        schedule.add(at, bank.deposit, _move(band, finder, item, many))
    return at


def _theft(schedule: Schedule, band: Band) -> None:
    """Last night a member took the best of the court's bank."""
    at = schedule.now - timedelta(hours=6, minutes=12)
    for item, many in TREASURE:
        schedule.add(at, bank.withdraw, _move(band, LOUD.name, item, many))
        at += timedelta(seconds=40)


def _move(band: Band, player: str, item: str, many: int) -> Late:
    return _about(
        band,
        lambda guild: BankMove(
            by=band.by,
            guild_id=guild,
            player=player,
            item_id=world.items()[item].id,
            quantity=many,
        ),
    )


def _about(band: Band, command: Callable[[UUID], Command]) -> Late:
    """A command about the guild, whose id is known once it is founded."""

    async def late(writer: Writer) -> Command:
        guild = await writer.value("SELECT id FROM guilds WHERE name = $1", band.name)
        return command(guild or UUID(int=0))

    return late
