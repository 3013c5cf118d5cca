"""
Everyday play: who was online when, what they found, used up, sold, traded and learned.

Some dozen regulars play most evenings, and others look in. What they do is told by their game
server, as transactions; that a character was online is a session.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct, field, structs

from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.demo import world
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.story.cast import Cast
from gamekeeper.demo.story.schedule import Schedule
from gamekeeper.players.moves import (
    Advance,
    AssignVariable,
    ChangeSpell,
    Endpoint,
    Move,
    MoveItems,
    SaveSheet,
)
from gamekeeper.players.sheet import SheetChange
from gamekeeper.servers.transactions import Transaction, transact

REGULARS = 40
VISITS_A_DAY = 60
MONSTERS = ("Grey Wolf", "Cave Spider", "Bog Troll", "Bandit", "Drowned Guard", "Ember Drake")
QUESTS = ("The Miller's Daughter", "Wolves at the Gate", "A Letter for Ravenmoor", "The Old King")
# Of a day's sessions, how many begin in each hour (UTC): an evening game.
HOURS = (3, 2, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 6, 6, 8, 10, 13, 16, 18, 17, 14, 9, 5)
CLOCK = [hour for hour, weight in enumerate(HOURS) for _ in range(weight)]
GOLD = "Gold Coin"


class Regular(Struct, kw_only=True):
    """A character, and what of its belongings the story knows."""

    id: UUID
    name: str
    level: int
    calling: str
    server: str
    quests: int = 0
    got: Counter[str] = field(default_factory=Counter)


class Stay(Struct, frozen=True, kw_only=True):
    """A session in the game."""

    player: Regular
    begins: datetime
    ends: datetime


async def regulars(reader: Reader, seed: int, extra: str) -> list[Regular]:
    """The best characters, some of all others, and `extra`; the first forty are the regulars."""
    rows = await reader.rows(
        """
        SELECT players.id, players.name, level, classes.name AS calling,
               coalesce((SELECT (value #>> '{}')::int FROM player_variables
                          WHERE player_id = players.id AND variable_id = $1), 0) AS quests
          FROM players JOIN classes ON classes.id = class_id
         WHERE players.name <> $2
         ORDER BY level DESC, players.id LIMIT 400
        """,
        world.variables()["Quests Completed"].id,
        extra,
    )
    roll = Dice(seed, "regulars")
    found = [Regular(**dict(row), server=roll.pick(world.SERVERS)) for row in rows]
    best, others = found[: REGULARS // 3], found[REGULARS // 3 :]
    others.sort(key=lambda _: roll.fraction())
    return best + others


class Play:
    """The play of all days, drawn and put into the schedule."""

    def __init__(
        self, schedule: Schedule, cast: Cast, players: list[Regular], began: datetime
    ) -> None:
        self.schedule, self.cast, self.players, self.began = schedule, cast, players, began
        self.stays: list[Stay] = []
        self._roll = Dice(schedule.seed, "play")

    def draw(self, days: int) -> None:
        """Have everybody play, day by day."""
        midnight = self.schedule.now.replace(hour=0, minute=0, second=0, microsecond=0)
        for day in range(days, -1, -1):
            stays = sorted(self._stays(midnight - timedelta(days=day)), key=lambda one: one.begins)
            self.stays += stays
            for stay in stays:
                self._spend(stay, stays)

    def _stays(self, day: datetime) -> Iterator[Stay]:
        weekend = day.weekday() >= 5
        for player in self.players[:REGULARS]:
            if self._roll.chance(0.9 if weekend else 0.7):
                yield from self._stay(player, day, 25, 170)
        for _ in range(VISITS_A_DAY if len(self.players) > REGULARS else 0):
            player = self.players[REGULARS + self._roll.below(len(self.players) - REGULARS)]
            yield from self._stay(player, day, 8, 45)

    def _stay(self, player: Regular, day: datetime, least: int, most: int) -> Iterator[Stay]:
        begins = day + timedelta(
            hours=self._roll.pick(CLOCK), minutes=self._roll.below(60), seconds=self._roll.below(60)
        )
        ends = begins + timedelta(minutes=self._roll.between(least, most))
        if self.began < begins and ends < self.schedule.now:
            yield Stay(player=player, begins=begins, ends=ends)

    def _spend(self, stay: Stay, others: list[Stay]) -> None:
        """Have something happen every quarter of an hour or so."""
        at = stay.begins + timedelta(minutes=2, seconds=self._roll.below(300))
        while at < stay.ends:
            reason, moves = self._event(stay, at, others)
            by = because(self.cast.servers[stay.player.server], reason)
            self._add(at, by, moves)
            at += timedelta(minutes=self._roll.between(9, 40), seconds=self._roll.below(60))

    def _add(self, at: datetime, by: AuditContext, moves: list[Move]) -> None:
        if moves:
            order = Transaction(by=by, holder=None, expected=(), moves=moves)
            self.schedule.add(at, transact, order)

    # ── What happens ──

    def _event(self, stay: Stay, at: datetime, others: list[Stay]) -> tuple[str, list[Move]]:
        luck, player = self._roll.fraction(), stay.player
        if luck < 0.12 and (partner := self._partner(stay, at, others)):
            return self._trade(player, partner)
        if luck < 0.24 and player.got:
            return self._sell(player)
        if luck < 0.36:
            return self._drink(player)
        if luck < 0.46:
            return self._quest(player)
        if luck < 0.53:
            return self._level_up(player)
        if luck < 0.57:
            return self._lesson(player)
        if luck < 0.61:
            return self._death(player)
        return self._loot(player)

    def _loot(self, player: Regular) -> tuple[str, list[Move]]:
        found = [(name, most) for name, least, most in world.LOOT if least <= player.level]
        name, most = self._roll.pick([thing for thing in found if thing[1] > 1])
        many = self._roll.between(1, min(most, 9))
        player.got[name] += many
        coins = self._roll.between(2, 4 + 3 * player.level)
        player.got[GOLD] += coins
        return f"loot: {self._roll.pick(MONSTERS)}", [
            _give(player, name, many),
            _give(player, GOLD, coins),
        ]

    def _partner(self, stay: Stay, at: datetime, others: list[Stay]) -> Regular | None:
        there = [
            other.player
            for other in others
            if other.begins < at < other.ends and other.player is not stay.player
            if other.player.server == stay.player.server and other.player.got[GOLD] > 20
        ]
        return self._roll.pick(there) if there and _goods(stay.player) else None

    def _trade(self, player: Regular, partner: Regular) -> tuple[str, list[Move]]:
        name = self._roll.pick(_goods(player))
        many = self._roll.between(1, player.got[name])
        price = min(partner.got[GOLD], many * self._roll.between(3, 30))
        player.got[name] -= many
        partner.got[name] += many
        partner.got[GOLD] -= price
        player.got[GOLD] += price
        return "trade", [_hand(player, partner, name, many), _hand(partner, player, GOLD, price)]

    def _sell(self, player: Regular) -> tuple[str, list[Move]]:
        if not (goods := _goods(player)):
            return self._loot(player)
        name = self._roll.pick(goods)
        many = player.got.pop(name)
        price = max(1, many * (world.items()[name].value or 1) // 3)
        player.got[GOLD] += price
        return "sold to a merchant", [_take(player, name, many), _give(player, GOLD, price)]

    def _drink(self, player: Regular) -> tuple[str, list[Move]]:
        used = [name for name in player.got if "Potion" in name or name == "Bread Loaf"]
        if not (there := [name for name in used if player.got[name] > 0]):
            return self._loot(player)
        name = self._roll.pick(there)
        many = self._roll.between(1, min(3, player.got[name]))
        player.got[name] -= many
        return "used up in a fight", [_take(player, name, many)]

    def _quest(self, player: Regular) -> tuple[str, list[Move]]:
        player.quests += 1
        player.got[GOLD] += 150
        done = AssignVariable(
            player=player.name,
            variable_id=world.variables()["Quests Completed"].id,
            value=player.quests,
        )
        return f"quest: {self._roll.pick(QUESTS)}", [done, _give(player, GOLD, 150)]

    def _level_up(self, player: Regular) -> tuple[str, list[Move]]:
        if player.level >= 95:
            return self._loot(player)
        player.level += 1
        return "level up", [Advance(player=player.name, level=player.level, exp=0, gain=None)]

    def _lesson(self, player: Regular) -> tuple[str, list[Move]]:
        [calling] = [calling for calling in world.CALLINGS if calling.name == player.calling]
        known = [spell for spell, least in calling.spells if least <= player.level + 15]
        spell = world.spells()[self._roll.pick(known or [calling.spells[0][0]])].id
        return "taught by a trainer", [ChangeSpell(player=player.name, spell_id=spell, teach=True)]

    def _death(self, player: Regular) -> tuple[str, list[Move]]:
        where, _ = self._roll.pick([place for place in world.MAPS if place[1] <= player.level])
        lost: list[Move] = []
        if goods := _goods(player):
            name = self._roll.pick(goods)
            lost = [_take(player, name, player.got.pop(name))]
        home = SheetChange(map_name="Willowbrook Inn", x=12, y=7)
        killer = self._roll.pick(MONSTERS)
        moved = SaveSheet(player=player.name, change=home)
        return f"killed by a {killer}, {where}", [moved, *lost]


def because(by: AuditContext, reason: str) -> AuditContext:
    """The actor, with a reason for the audit log."""
    return structs.replace(by, reason=reason)


def _goods(player: Regular) -> list[str]:
    return sorted(name for name, many in player.got.items() if many > 0 and name != GOLD)


def _give(player: Regular, name: str, many: int) -> MoveItems:
    to = Endpoint(player=player.name)
    item = world.items()[name].id
    return MoveItems(item_id=item, quantity=many, source=None, target=to, overflow_to_bank=True)


def _take(player: Regular, name: str, many: int) -> MoveItems:
    source, item = Endpoint(player=player.name), world.items()[name].id
    return MoveItems(item_id=item, quantity=many, source=source, target=None)


def _hand(giver: Regular, taker: Regular, name: str, many: int) -> MoveItems:
    return MoveItems(
        item_id=world.items()[name].id,
        quantity=many,
        source=Endpoint(player=giver.name),
        target=Endpoint(player=taker.name),
    )


async def store_sessions(database: Database, stays: list[Stay]) -> None:
    """Store who was online when; a character is in one place at a time."""
    kept: dict[UUID, list[Stay]] = {}
    for stay in stays:
        before = kept.setdefault(stay.player.id, [])
        if not before or before[-1].ends < stay.begins:
            before.append(stay)
    flat = [stay for each in kept.values() for stay in each]
    await database.write(
        lambda writer: writer.run(
            """
            WITH known AS (
                INSERT INTO sessions (player_id, joined_at, left_at, server_id)
                SELECT player, begins, ends, servers.id
                  FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[])
                       AS stay (player, begins, ends, server)
                  JOIN servers ON servers.name = stay.server
                 WHERE NOT EXISTS (SELECT FROM presences WHERE player_id = player
                                      AND joined_at < ends)
                RETURNING player_id, left_at, left_at - joined_at AS played
            )
            UPDATE players
               SET last_online = greatest(last_online, last),
                   play_time_seconds = play_time_seconds + seconds
              FROM (SELECT player_id, max(left_at) AS last,
                           floor(extract(epoch FROM sum(played)))::bigint AS seconds
                      FROM known GROUP BY player_id) AS sums
             WHERE players.id = player_id
            """,
            [stay.player.id for stay in flat],
            [stay.begins for stay in flat],
            [stay.ends for stay in flat],
            [stay.player.server for stay in flat],
        )
    )
