"""A small world with a bit of everything that conditions compare, and the same in Python."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.db.database import Database, Writer
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from tests.make import (
    KNIGHT,
    MAGE,
    fill_slot,
    join,
    make_item,
    make_mage,
    make_player,
    make_server,
    make_user,
    make_variable,
)

NOW = datetime.now(UTC).replace(microsecond=0)
DAY = timedelta(days=1)
KINDS = ("ban", "mute", "trade_lock")


class Person(Struct, kw_only=True):
    """A character as Python knows it."""

    id: UUID
    user: UUID
    name: str
    level: int
    class_id: UUID
    created: datetime
    account_created: datetime
    last_online: datetime | None
    seconds: int
    items: dict[UUID, int]
    variables: dict[UUID, Any]
    user_variables: dict[UUID, Any]
    sanctions: set[str]
    guild: UUID | None = None
    online: bool = False
    joined: datetime | None = None
    """On a server whose lease has ended, if not online."""
    lists: set[str] = set()


class SmallWorld(Struct, kw_only=True):
    people: list[Person]
    items: list[UUID]
    guilds: list[UUID]
    variables: dict[UUID, str]
    user_variables: dict[UUID, str]
    lists: list[str]


DEFAULTS = {"integer": 0, "number": 0.0, "boolean": False, "string": ""}
VALUES: dict[str, list[Any]] = {
    "integer": [-3, 0, 1, 7, 2**62],
    "number": [-0.5, 0.0, 1.5, 7.0, 1e300],
    "boolean": [False, True],
    "string": ["", "a", "Ä'; DROP TABLE players; --", "$1", "\\", '"'],
}


async def make_world(database: Database, random: Random, size: int = 40) -> SmallWorld:
    await make_mage(database)
    world = SmallWorld(
        people=[],
        items=[await make_item(database, name) for name in ("Potion", "Key", "Rare")],
        guilds=[uuid4(), uuid4()],
        variables={await make_variable(database, kind, kind): kind for kind in VALUES},
        user_variables={
            await make_variable(database, kind, f"u{kind}", owner="user"): kind for kind in VALUES
        },
        lists=["some", "none"],
    )
    users = [await _make_user(database, random, world) for _ in range(size * 2 // 3)]
    for number in range(size):
        world.people.append(await _make_person(database, random, world, users, number))
    await _make_guilds(database, world)
    await _make_presences(database, random, world)
    await _make_lists(database, world)
    return world


class _User(Struct):
    id: UUID
    created: datetime
    variables: dict[UUID, Any]
    sanctions: set[str]


async def _make_user(database: Database, random: Random, world: SmallWorld) -> _User:
    created = NOW - random.randrange(1, 60) * DAY - timedelta(hours=1)
    user = _User(await make_user(database, created_at=created), created, {}, set())
    user.variables = _values(random, world.user_variables)
    await _set_variables(database, "user_variables", "user_id", user.id, user.variables)
    if random.random() < 0.3:
        user.sanctions = await _sanction(database, random, user.id, None)
    return user


async def _make_person(
    database: Database, random: Random, world: SmallWorld, users: list[_User], number: int
) -> Person:
    user = random.choice(users)
    created = NOW - random.randrange(1, 60) * DAY - timedelta(hours=1)
    last = random.choice([None, created + random.randrange(0, 59) * DAY])
    about = {
        "level": random.choice([1, 2, 20, 60]),
        "class_id": random.choice([KNIGHT, MAGE]),
        "created_at": created,
        "last_online": last,
        "play_time_seconds": random.choice([0, 3599, 3600, 7200, 36000, 36001]),
    }
    player = await make_player(database, f"Person {number:02}", user=user.id, **about)
    person = Person(
        id=player,
        user=user.id,
        name=f"Person {number:02}",
        level=about["level"],
        class_id=about["class_id"],
        created=created,
        account_created=user.created,
        last_online=last,
        seconds=about["play_time_seconds"],
        items={},
        variables=_values(random, world.variables),
        user_variables=user.variables,
        sanctions=set(user.sanctions),
    )
    await _set_variables(database, "player_variables", "player_id", player, person.variables)
    if random.random() < 0.2:
        person.sanctions |= await _sanction(database, random, user.id, player)
    await _fill(database, random, world, person)
    return person


def _values(random: Random, variables: dict[UUID, str]) -> dict[UUID, Any]:
    return {
        variable: random.choice(VALUES[kind])
        for variable, kind in variables.items()
        if random.random() < 0.5
    }


async def _set_variables(
    database: Database, table: str, column: str, owner: UUID, values: dict[UUID, Any]
) -> None:
    import msgspec

    sql = f"INSERT INTO {table} ({column}, variable_id, value) VALUES ($1, $2, $3::text::jsonb)"
    for variable, value in values.items():
        text = msgspec.json.encode(value).decode()
        await database.write(
            lambda writer, variable=variable, text=text: writer.run(sql, owner, variable, text)
        )


async def _sanction(
    database: Database, random: Random, user: UUID, player: UUID | None
) -> set[str]:
    """A sanction that is in force, over, lifted, or yet to begin; returns the kinds in force."""
    kind = random.choice([*KINDS, "warning", "note"])
    state = random.choice(["in force", "in force", "over", "lifted", "later"])
    starts = NOW + DAY if state == "later" else NOW - 2 * DAY
    ends = NOW - DAY if state == "over" else NOW + 5 * DAY
    code = "".join(random.choices("ABCDEFGHJK", k=4)) + "-" + "".join(random.choices("123456", k=4))
    lifted = ("system", "system") if state == "lifted" else (None, None)
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO sanctions (code, kind, user_id, player_id, starts_at, ends_at, imposed_by,
                                   imposed_by_name, lifted_at, lifted_by, lifted_by_name)
            VALUES ($1, $2, $3, $4, $5, $6, 'system', 'tests',
                    CASE WHEN $7::text IS NOT NULL THEN now() END, $7, $8)
            """,
            *(code, kind, user, player, starts, ends, *lifted),
        )
    )
    return {kind} if state == "in force" and kind in KINDS else set()


async def _fill(database: Database, random: Random, world: SmallWorld, person: Person) -> None:
    """Items in the inventory, the bank and a bag."""
    for place in ("inventory", "bank"):
        for slot in range(random.randrange(3)):
            item, quantity = random.choice(world.items), random.randrange(1, 6)
            await fill_slot(database, person.id, place, slot, item, quantity)
            person.items[item] = person.items.get(item, 0) + quantity
    if random.random() < 0.4:
        item, quantity = random.choice(world.items), random.randrange(1, 6)
        bag = uuid4()

        async def work(writer: Writer) -> None:
            await writer.run(
                "INSERT INTO bags (player_id, id, slot_count) VALUES ($1, $2, 4)", person.id, bag
            )
            await writer.run(
                """
                INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity)
                VALUES ($1, $2, 0, $3, $4)
                """,
                *(person.id, bag, item, quantity),
            )

        await database.write(work)
        person.items[item] = person.items.get(item, 0) + quantity


async def _make_guilds(database: Database, world: SmallWorld) -> None:
    for number, guild in enumerate(world.guilds):
        members = world.people[number * 8 : number * 8 + 8]
        await database.write(
            lambda writer, guild=guild: writer.run(
                "INSERT INTO guilds (id, name, name_key, bank_slots) VALUES ($1, $2, $2, 10)",
                guild,
                guild.hex,
            )
        )
        for rank, person in enumerate(members):
            person.guild = guild
            await database.write(
                lambda writer, person=person, rank=rank: writer.run(
                    "INSERT INTO guild_members (player_id, guild_id, rank) VALUES ($1, $2, $3)",
                    *(person.id, person.guild, rank),
                )
            )


async def _make_presences(database: Database, random: Random, world: SmallWorld) -> None:
    alive = await make_server(database)
    dead = await make_server(database, lease_seconds=-3 * 86400)
    for person in world.people:
        lot = random.random()
        if lot > 0.3:
            continue
        person.online = lot < 0.2
        joined = NOW - (timedelta(hours=2) if person.online else 5 * DAY)
        await join(database, person.id, alive if person.online else dead)
        person.joined = joined
        await database.write(
            lambda writer, person=person: writer.run(
                "UPDATE presences SET joined_at = $2 WHERE player_id = $1",
                *(person.id, person.joined),
            )
        )


async def _make_lists(database: Database, world: SmallWorld) -> None:
    from gamekeeper.segments import name_lists
    from gamekeeper.segments.name_lists import NameAddition
    from tests.make import BY

    listed = world.people[::3]
    for person in listed:
        person.lists = {"some"}
    names = [listed[0].name.upper(), str(listed[1].id), *(person.name for person in listed[2:])]
    await name_lists.add.one(database, NameAddition(by=BY, list="some", names=names))
    await name_lists.add.one(database, NameAddition(by=BY, list="none", names=["Nobody Here"]))


# ── The same conditions, by brute force ──


def expected(world: SmallWorld, definition: Definition) -> set[UUID]:
    return {person.id for person in world.people if is_member(world, person, definition)}


def is_member(world: SmallWorld, person: Person, definition: Definition) -> bool:
    how = {"all": all, "any": any}
    return how[definition.match](
        how[group.match](_meets(world, person, condition) for condition in group.conditions)
        for group in definition.groups
    )


def _meets(world: SmallWorld, person: Person, condition: Condition) -> bool:
    return _meets_rest(world, person, condition) != condition.negate


def _meets_rest(world: SmallWorld, person: Person, condition: Condition) -> bool:
    match condition.field:
        case "level":
            return _in_range(person.level, condition)
        case "class":
            return person.class_id == condition.id
        case "created":
            return _in_time(person.created, condition)
        case "account_created":
            return _in_time(person.account_created, condition)
        case "last_online":
            return _in_time(_last_seen(person), condition)
        case "hours_played":
            return _in_hours(person, condition)
        case "online":
            return person.online
        case "item":
            return person.items.get(condition.id, 0) >= (condition.at_least or 1)
        case "player_variable":
            kind = world.variables[condition.id]
            return _compares(person.variables.get(condition.id, DEFAULTS[kind]), condition)
        case "user_variable":
            kind = world.user_variables[condition.id]
            return _compares(person.user_variables.get(condition.id, DEFAULTS[kind]), condition)
        case "guild":
            return person.guild is not None and condition.id in (None, person.guild)
        case "sanction":
            return bool(person.sanctions & ({condition.kind} if condition.kind else set(KINDS)))
        case "list":
            return condition.list in person.lists


def _last_seen(person: Person) -> datetime:
    if person.online:
        return datetime.now(UTC)
    seen = person.last_online or person.created
    return max(seen, NOW - 3 * DAY) if person.joined else seen


def _in_hours(person: Person, condition: Condition) -> bool:
    seconds = person.seconds
    if person.joined:
        # And the seconds that the test has taken so far.
        seconds += 30 + (2 * 3600 if person.online else 2 * 86400)
    least, most = condition.at_least, condition.at_most
    return (least is None or seconds >= least * 3600) and (most is None or seconds <= most * 3600)


def _in_range(number: float, condition: Condition) -> bool:
    least, most = condition.at_least, condition.at_most
    return (least is None or number >= least) and (most is None or number <= most)


def _in_time(instant: datetime, condition: Condition) -> bool:
    days = condition.within_days
    return (
        (condition.since is None or instant >= condition.since)
        and (condition.before is None or instant < condition.before)
        and (days is None or instant >= datetime.now(UTC) - days * DAY)
    )


def _compares(value: Any, condition: Condition) -> bool:
    if condition.equals is not None:
        return value == condition.equals
    return _in_range(value, condition)


# ── Random conditions ──


def random_definition(random: Random, world: SmallWorld) -> Definition:
    groups = [
        ConditionGroup(
            match=random.choice(["all", "any"]),
            conditions=[random_condition(random, world) for _ in range(random.randrange(1, 4))],
        )
        for _ in range(random.randrange(1, 4))
    ]
    return Definition(match=random.choice(["all", "any"]), groups=groups)


def random_condition(random: Random, world: SmallWorld) -> Condition:
    about = random.choice(
        [_level, _hours, _created, _object, _item, _variable, _user_variable, _plain]
    )(random, world)
    return Condition(negate=random.random() < 0.3, **about)


def _bounds(random: Random, numbers: list[int]) -> dict[str, int]:
    chosen = {"at_least": random.choice(numbers), "at_most": random.choice(numbers)}
    kept = random.choice([["at_least"], ["at_most"], ["at_least", "at_most"]])
    return {name: chosen[name] for name in kept}


def _level(random: Random, _: SmallWorld) -> dict[str, Any]:
    return {"field": "level", **_bounds(random, [0, 1, 2, 20, 59, 60, 61])}


def _hours(random: Random, _: SmallWorld) -> dict[str, Any]:
    return {"field": "hours_played", **_bounds(random, [0, 1, 2, 10, 48, 100])}


def _created(random: Random, _: SmallWorld) -> dict[str, Any]:
    # Half an hour from all that happened, so that the seconds of the test change nothing.
    times = {
        "since": NOW - random.randrange(0, 60) * DAY - timedelta(minutes=30),
        "before": NOW - random.randrange(0, 60) * DAY - timedelta(minutes=30),
        "within_days": random.randrange(1, 60),
    }
    kept = random.choice([["since"], ["before"], ["within_days"], list(times)])
    field = random.choice(["created", "account_created", "last_online"])
    return {"field": field} | {name: times[name] for name in kept}


def _object(random: Random, world: SmallWorld) -> dict[str, Any]:
    if random.random() < 0.5:
        return {"field": "class", "id": random.choice([KNIGHT, MAGE])}
    return {"field": "guild", "id": random.choice([None, *world.guilds])}


def _item(random: Random, world: SmallWorld) -> dict[str, Any]:
    item = random.choice(world.items)
    return {"field": "item", "id": item, "at_least": random.choice([None, 1, 2, 5, 9])}


def _variable(random: Random, world: SmallWorld) -> dict[str, Any]:
    return {"field": "player_variable", **_comparison(random, world.variables)}


def _user_variable(random: Random, world: SmallWorld) -> dict[str, Any]:
    return {"field": "user_variable", **_comparison(random, world.user_variables)}


def _comparison(random: Random, variables: dict[UUID, str]) -> dict[str, Any]:
    variable, kind = random.choice(list(variables.items()))
    if kind in ("boolean", "string") or random.random() < 0.4:
        return {"id": variable, "equals": random.choice(VALUES[kind])}
    return {"id": variable, **_bounds(random, [-4, -3, 0, 1, 7, 8, 2**62])}


def _plain(random: Random, world: SmallWorld) -> dict[str, Any]:
    return random.choice(
        [
            {"field": "online"},
            {"field": "sanction", "kind": random.choice([None, *KINDS])},
            {"field": "list", "list": random.choice(world.lists)},
        ]
    )
