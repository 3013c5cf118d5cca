"""
Generator of the demo world's accounts, characters and presences, in batches (`crowd`).

A batch has a fixed size and depends only on the seed and its number: the next can be
generated while PostgreSQL stores this one, and a small world is a prefix of a larger
one. The code that runs for each of millions of players is optimized for speed.
"""

import struct
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog.facts import CatalogObject
from gamekeeper.demo import builds, dice, rows, world
from gamekeeper.demo.builds import BAGS, CHARACTER_COLUMNS, PLAYER, Build, Room
from gamekeeper.demo.names import name_generator
from gamekeeper.demo.rows import LENGTHS
from gamekeeper.sanctions import codes

CROWD = 4_000
WITH_PASSWORD = 100
"""The number of accounts, from the first on, that get a password."""

NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The present of a world without a story: the clock would make every world differ."""

_DAY = 86_400
_LONGEST_AGE = 3 * 365 * _DAY
_LONGEST_SESSION = 6 * 3600


class CopyTarget(Struct, frozen=True, eq=False):
    """The target of a COPY: a table and the columns of the rows."""

    # Compared by identity, for speed: each player's rows use a dozen of them as dict keys.

    table: str
    columns: tuple[str, ...]


USERS = CopyTarget(
    "users",
    (
        "id",
        "name",
        "name_key",
        "email",
        "created_at",
        "ban",
        "kick",
        "mute",
    ),
)
SANCTIONS = CopyTarget(
    "sanctions",
    (
        *("id", "user_id", "code", "message", "starts_at", "imposed_at"),
        *("kind", "imposed_by", "imposed_by_name"),
    ),
)
USER_NAMES = CopyTarget("user_names", ("name_key", "user_id"))
USER_EMAILS = CopyTarget("user_emails", ("email_key", "user_id"))
PLAYERS = CopyTarget(
    "players",
    (
        "id",
        "user_id",
        "name",
        "name_key",
        *CHARACTER_COLUMNS,
        "map_id",
        "map_name",
        "x",
        "y",
        "dir",
        "exp",
        "last_online",
        "created_at",
        "play_time_seconds",
    ),
)
PLAYER_NAMES = CopyTarget("player_names", ("name_key", "player_id"))
PLAIN_SLOTS = CopyTarget("slots", ("player_id", "place", "slot", "item_id", "quantity"))
SPECIAL_SLOTS = CopyTarget("slots", (*PLAIN_SLOTS.columns, "stat_buffs", "bag_id"))
SPELLS = CopyTarget("player_spells", ("player_id", "slot", "spell_id"))
VARIABLES = CopyTarget("player_variables", ("player_id", "variable_id", "value"))
BAG_ROWS = CopyTarget("bags", ("player_id", "id", "slot_count"))
BAG_OWNERS = CopyTarget("bag_owners", ("bag_id", "player_id"))
BAG_SLOTS = CopyTarget("bag_slots", ("player_id", "bag_id", "slot", "item_id", "quantity"))
PRESENCES = CopyTarget("presences", ("player_id", "server_id", "list_key", "in_bank", "joined_at"))

Sheets = dict[CopyTarget, list[bytes]]
"""The encoded rows of a batch, by target, in pieces."""

SHEETS = (USERS, USER_NAMES, USER_EMAILS, SANCTIONS, PLAYERS, PLAYER_NAMES, PLAIN_SLOTS)
SHEETS += (SPECIAL_SLOTS, SPELLS, VARIABLES, BAG_ROWS, BAG_OWNERS, BAG_SLOTS, PRESENCES)
TABLES = tuple(dict.fromkeys(sheet.table for sheet in SHEETS))

# The random values of a player: two GUIDs, and numbers for what its build does not decide.
_DRAW = struct.Struct(">16s16sIIHHHHHHBB")
Draw = tuple[bytes, bytes, int, int, int, int, int, int, int, int, int, int]

_USER_START = rows.start(len(USERS.columns)) + rows.GUID
_PLAYER_START = rows.start(len(PLAYERS.columns)) + rows.GUID
_NAME_START = rows.start(2)
_NUMBERS = struct.Struct(">iqiqiqiq").pack
_TIME = struct.Struct(">iq").pack

# All combinations of x, y and dir, encoded.
_POSITIONS = [
    rows.int4(number & 31) + rows.int4(number >> 5 & 31) + rows.int4(number >> 10)
    for number in range(4096)
]

# How many of 256 accounts have one, two or three characters.
_CHARACTERS = bytes([1] * 110 + [2] * 88 + [3] * 58)

_YES, _NO = rows.boolean(True), rows.boolean(False)  # noqa: FBT003
_USUAL_STANDING = _NO * 3
_SANCTION_START = rows.start(len(SANCTIONS.columns))
_SCATTER = 0x9E37_79B1
"""Odd, so each number has a code of its own, and they look like those of a real game."""
_MUTED = rows.text("mute") + rows.text("system") + rows.text("demo")


class Population(Struct):
    players: int
    users: int
    online: int
    accounts: list[tuple[UUID, str]]
    """The ids and names of the accounts that get a password."""
    sheets: list[tuple[CopyTarget, bytes]]
    """The data to COPY, by target."""


def crowd(seed: int, room: Room, now: datetime, number: int, players: int) -> Population:
    """Generate one batch; a module function, so that another process can run it."""
    return _people(seed, room, now).crowd(number, players)


class People:
    """The generator of all accounts and characters of one seed."""

    def __init__(self, seed: int, room: Room, now: datetime = NOW) -> None:
        self.seed, self.room, self.now = seed, room, now
        since = now - datetime(2000, 1, 1, tzinfo=UTC)
        self._microseconds = round(since.total_seconds()) * 1_000_000
        self.names = name_generator(seed)
        self.servers = [
            (UUID(bytes=dice.guid(seed, "server", number)), name)
            for number, name in enumerate(world.SERVERS)
        ]
        self._builds: list[Build | None] = [None] * builds.COUNT
        ids = [dice.guid(seed, "map", number) for number in range(len(world.MAPS))]
        self.maps = [
            CatalogObject(type="map", id=UUID(bytes=map_id), name=name)
            for map_id, (name, _) in zip(ids, world.MAPS, strict=True)
        ]
        self._maps = [
            (rows.guid(map_id) + rows.text(name), least)
            for map_id, (name, least) in zip(ids, world.MAPS, strict=True)
        ]
        # The maps within reach of each level, precomputed.
        self._reached = [[at for at, least in self._maps if least <= level] for level in range(101)]

    def crowd(self, number: int, players: int) -> Population:
        """The `number`-th batch of a world of `players` players."""
        first = number * CROWD
        count = min(CROWD, players - first)
        noise = dice.noise(self.seed, "crowd", number, count * _DRAW.size)
        draws: list[Draw] = list(_DRAW.iter_unpack(dice.marked(noise, _DRAW.size, 0, 16)))
        sheets: Sheets = {sheet: [] for sheet in SHEETS}
        accounts: list[tuple[bytes, bytes]] = []
        begin = 0
        while begin < count:
            end = min(begin + _CHARACTERS[draws[begin][-1]], count)
            accounts.append(self._account(sheets, first + begin, draws[begin:end]))
            begin = end
        return Population(
            count,
            len(accounts),
            len(sheets[PRESENCES]),
            [
                (UUID(bytes=user), name.decode())
                for user, name in accounts[: WITH_PASSWORD if first == 0 else 0]
            ],
            [(sheet, rows.sheet(pieces)) for sheet, pieces in sheets.items() if pieces],
        )

    def _account(self, sheets: Sheets, number: int, draws: list[Draw]) -> tuple[bytes, bytes]:
        """
        Write an account, as old as its oldest character, one per draw; returns id and name.

        One in 250 is muted; one in 1000 may mute others, but no account with a password.
        """
        user, luck = draws[0][1], draws[0][4]
        age = max(
            [self._player(sheets, user, number + nth, draw) for nth, draw in enumerate(draws)]
        )
        name, key = self.names.account(number)
        email = key + b"@example.com"
        long, email_long = LENGTHS[len(key)], LENGTHS[len(email)]
        sheets[USERS] += (
            *(_USER_START, user, LENGTHS[len(name)], name, long, key, email_long, email),
            _TIME(8, self._microseconds - age * 1_000_000),
            _YES * 3 if luck % 1000 == 1 and number >= 3 * WITH_PASSWORD else _USUAL_STANDING,
        )
        if luck % 250 == 0:
            sheets[SANCTIONS].append(_mute(self._microseconds, user, number, luck))
        sheets[USER_NAMES] += (_NAME_START, long, key, rows.GUID, user)
        sheets[USER_EMAILS] += (_NAME_START, email_long, email, rows.GUID, user)
        return user, name

    def _player(self, sheets: Sheets, user: bytes, number: int, draw: Draw) -> int:
        """Write a character; returns its age in seconds."""
        player, _, much, old, _, which, at, recent, played, online, _, _ = draw
        build = self._builds[which % builds.COUNT] or self._build(which % builds.COUNT)
        name, key = self.names.character(number)
        play = build.play_seconds * (32768 + played) >> 16
        # Half of the characters are less than a quarter as old as the oldest; the play
        # time never exceeds the time between creation and last online.
        age = _DAY + 3 * play + (_LONGEST_AGE * old * old >> 64)
        seen = (age - play) * recent * recent >> 32
        if online % 50 == 0:
            seen = self._presence(sheets, player, key, online, recent)
        long, maps = LENGTHS[len(key)], self._reached[build.level]
        sheets[PLAYERS] += (
            *(_PLAYER_START, player, rows.GUID, user, LENGTHS[len(name)], name, long, key),
            *(build.character, maps[at % len(maps)], _POSITIONS[at & 4095]),
            _numbers(self._microseconds, build.exp_to_next * much >> 32, seen, age, play),
        )
        sheets[PLAYER_NAMES] += (_NAME_START, long, key, rows.GUID, player)
        self._belongings(sheets, player, build)
        return age

    def _presence(self, sheets: Sheets, player: bytes, key: bytes, online: int, recent: int) -> int:
        """Write a presence; returns how many seconds ago the player joined."""
        server, _ = self.servers[online // 50 % len(self.servers)]
        joined = _LONGEST_SESSION * recent >> 16
        sheets[PRESENCES].append(
            rows.row(
                rows.guid(player),
                rows.guid(server.bytes),
                rows.value(key + b"\0" + player),
                rows.boolean(online // 50 % 10 == 0),
                _TIME(8, self._microseconds - joined * 1_000_000),
            )
        )
        return joined

    def _belongings(self, sheets: Sheets, player: bytes, build: Build) -> None:
        if build.bags:
            self._bags(sheets, player, build)
        elif build.special_slots:
            sheets[SPECIAL_SLOTS].append(build.special_slots.replace(PLAYER, player))
        sheets[PLAIN_SLOTS].append(build.slots.replace(PLAYER, player))
        if build.spells:
            sheets[SPELLS].append(build.spells.replace(PLAYER, player))
        if build.variables:
            sheets[VARIABLES].append(build.variables.replace(PLAYER, player))

    def _bags(self, sheets: Sheets, player: bytes, build: Build) -> None:
        slots = build.special_slots.replace(PLAYER, player)
        owner = rows.guid(player)
        for mark, count, inside in build.bags:
            bag = dice.guid(self.seed, player.hex(), BAGS.index(mark))
            slots = slots.replace(mark, bag)
            sheets[BAG_ROWS].append(rows.row(owner, rows.guid(bag), rows.int4(count)))
            sheets[BAG_OWNERS].append(rows.row(rows.guid(bag), owner))
            sheets[BAG_SLOTS].append(inside.replace(PLAYER, player).replace(mark, bag))
        sheets[SPECIAL_SLOTS].append(slots)

    def _build(self, number: int) -> Build:
        build = self._builds[number] = builds.build(self.seed, number, self.room)
        return build


def _numbers(now: int, exp: int, seen: int, age: int, play: int) -> bytes:
    last_online, created_at = now - seen * 1_000_000, now - age * 1_000_000
    return _NUMBERS(8, exp, 8, last_online, 8, created_at, 8, play)


_people = cache(People)


def _mute(now: int, user: bytes, number: int, luck: int) -> bytes:
    """The row of an account's mute, which has the account's own id and a code by its number."""
    reason = world.MUTE_REASONS[luck // 250 % len(world.MUTE_REASONS)]
    guid, at = rows.guid(user), _TIME(8, now)
    code = rows.text(codes.spelled(number * _SCATTER))
    return b"".join((_SANCTION_START, guid, guid, code, rows.text(reason), at, at, _MUTED))
