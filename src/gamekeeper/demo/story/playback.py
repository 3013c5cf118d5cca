"""The whole story, told into a demo world that has staff: the same seed tells the same."""

from datetime import datetime, timedelta
from uuid import UUID

from gamekeeper.core.progress import ProgressCallback
from gamekeeper.db.database import Database, Reader
from gamekeeper.demo import dice, world
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.names import name_generator
from gamekeeper.demo.story import cast as roles
from gamekeeper.demo.story import chatter, devices, guilds, online, play
from gamekeeper.demo.story.cast import HERO, PERSONAS, Cast
from gamekeeper.demo.story.incidents import Incidents
from gamekeeper.demo.story.play import Play, Regular, Stay
from gamekeeper.demo.story.schedule import Schedule
from gamekeeper.players import characters
from gamekeeper.players.characters import Creation
from gamekeeper.players.moves import ChangeSpell, Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.users import accounts

NEWCOMERS_A_DAY = 3
FIRST_NEWCOMER = 1_000_000
"""The numbers of newcomers' names: beyond those of the world's."""


async def play_story(
    database: Database,
    *,
    now: datetime,
    days: int,
    seed: int,
    example: str = "",
    on_progress: ProgressCallback = lambda step, done, total: None,
) -> int:
    """Play `days` days up to now; `example` is a character that plays too. The commands told."""
    began = now - timedelta(days=days)
    cast = await roles.hire(database, began)
    schedule = Schedule(seed, began, now)
    regulars = await play.regulars(database.reader, seed, example)
    roles.enter(schedule, cast, began)
    Incidents(schedule, cast, began).draw(regulars)
    guilds.draw(schedule, cast, began, regulars)
    _newcomers(schedule, cast, days)
    if example:
        _example(schedule, cast, example, days)
    drawn = Play(schedule, cast, regulars, began)
    drawn.draw(days)
    told = await schedule.play(database, on_progress)
    evenings = await _evenings(database.reader, schedule, example, days)
    await play.store_sessions(database, drawn.stays + evenings)
    await online.store(database, now=now, days=days, seed=seed)
    await devices.store(database, now=now)
    await chatter.store(database, now=now, days=days, seed=seed, example=example)
    return told


async def _evenings(reader: Reader, schedule: Schedule, example: str, days: int) -> list[Stay]:
    """The characters that have a part in the story are online when it happens, every evening."""
    rows = await roles.players(reader, sorted([example, *(role.name for role in PERSONAS)]))
    roll = Dice(schedule.seed, "evenings")
    midnight = schedule.now.replace(hour=0, minute=0, second=0, microsecond=0)
    stays: list[Stay] = []
    for row in rows:
        player = Regular(**dict(row), calling="", server="Ravenmoor")
        for day in range(days - 1, -1, -1):
            begins = midnight - timedelta(days=day) + timedelta(hours=18, minutes=roll.below(45))
            ends = begins + timedelta(minutes=roll.between(100, 160))
            if ends < schedule.now:
                stays.append(Stay(player=player, begins=begins, ends=ends))
    return stays


def _newcomers(schedule: Schedule, cast: Cast, days: int) -> None:
    """Every day a few people register, and make a character."""
    roll, names = Dice(schedule.seed, "newcomers"), name_generator(schedule.seed)
    for number in range(NEWCOMERS_A_DAY * days):
        minutes = 1440 * number // NEWCOMERS_A_DAY + roll.below(480)
        at = schedule.now - timedelta(minutes=minutes, seconds=roll.between(20, 59))
        user = UUID(bytes=dice.guid(schedule.seed, "newcomer", number))
        account, _ = names.account(FIRST_NEWCOMER + number)
        character, _ = names.character(FIRST_NEWCOMER + number)
        schedule.add(at, accounts.register, cast.registration(user, account.decode()), early=True)
        creation = Creation(
            by=cast.website,
            user_id=user,
            name=character.decode(),
            class_id=world.classes()[roll.pick(world.CALLINGS).name].id,
        )
        schedule.add(at + timedelta(seconds=15), characters.create, creation, early=True)


def _example(schedule: Schedule, cast: Cast, player: str, days: int) -> None:
    """The character of the documentation hunts every evening, and trades with the hero."""
    roll, me = Dice(schedule.seed, "example"), Endpoint(player=player)
    pelt, ore, gold = (world.items()[name].id for name in ("Wolf Pelt", "Iron Ore", "Gold Coin"))

    def add(at: datetime, reason: str, *moves: MoveItems | ChangeSpell) -> None:
        by = play.because(cast.servers["Ravenmoor"], reason)
        schedule.add(at, transact, Transaction(by=by, holder=None, expected=(), moves=moves))

    midnight = schedule.now.replace(hour=0, minute=0, second=0, microsecond=0)
    for day in range(days - 1, -1, -1):
        at = midnight - timedelta(days=day) + timedelta(hours=19, minutes=roll.below(30))
        many, coins = roll.between(2, 6), roll.between(20, 60)
        hunted = MoveItems(item_id=pelt, quantity=many, source=None, target=me)
        paid = MoveItems(item_id=gold, quantity=coins, source=None, target=me)
        add(at, "loot: Grey Wolf", hunted, paid)
        mined = MoveItems(item_id=ore, quantity=roll.between(1, 9), source=None, target=me)
        add(at + timedelta(minutes=21), "mined: Ironpeak Mines", mined)
        if day % 3 == 1:
            sold = MoveItems(item_id=pelt, quantity=2, source=me, target=Endpoint(player=HERO.name))
            add(at + timedelta(minutes=40), "trade", sold)
        if day == days // 2:
            spell = ChangeSpell(player=player, spell_id=world.spells()["Cleave"].id, teach=True)
            add(at + timedelta(minutes=50), "taught by a trainer", spell)
