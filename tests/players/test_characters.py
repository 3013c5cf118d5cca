"""Characters created, given a class or level, and deleted: in batches, and at once."""

from uuid import UUID, uuid4

import pytest
from msgspec import structs

from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.history.undo import execute as undo
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import attributes, characters, items, lookup, spells, variables
from gamekeeper.players.attributes import ClassChange, Promotion
from gamekeeper.players.characters import (
    Creation,
    Deletion,
    PlayerOnline,
    TooManyCharacters,
    UserNotFound,
)
from gamekeeper.players.items import Gift
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.names import InvalidName, NameTaken
from gamekeeper.players.progress import InvalidProgress
from gamekeeper.players.records import Player
from gamekeeper.players.sheet import InvalidSheet, LevelAboveClass, SheetChange
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.servers import deletion
from gamekeeper.servers import transactions as execute
from gamekeeper.servers.deletion import ServersDeletion
from gamekeeper.servers.leases import Fenced, LeaseHolder
from tests.databases import SharedDatabase
from tests.history.ledgers import row_counts
from tests.make import (
    BY,
    KNIGHT,
    MAGE,
    join,
    make_bag_item,
    make_class,
    make_item,
    make_mage,
    make_player,
    make_server,
    make_spell,
    make_user,
    make_variable,
)
from tests.players.proofs import at_once, prove, total


@pytest.fixture
async def roomy(settings: Settings, shared_database: SharedDatabase) -> Database:
    """A database in which an account may have three characters."""
    database = shared_database.database(structs.replace(settings, characters_per_user=3))
    await make_class(database)
    return database


def creation(user: UUID, name: str, **about: object) -> Creation:
    return Creation(by=BY, user_id=user, name=name, **({"class_id": KNIGHT} | about))  # pyright: ignore


# ── Creating ──


async def test_a_character_begins_with_what_its_class_gives(roomy):
    await make_mage(roomy)
    user = await make_user(roomy)
    begins = SheetChange(gender=1, map_id=KNIGHT, map_name="Meadow", x=3, y=-4, sprite="mage.png")

    made = await characters.create.one(
        roomy, creation(user, "Ana Lyra", class_id=MAGE, begins=begins)
    )

    assert isinstance(made, Player)
    assert made == await lookup.find_player(roomy.reader, "ana lyra")
    assert (made.user_id, made.class_id, made.level, made.exp) == (user, MAGE, 1, 0)
    assert made.vitals == made.max_vitals == [60, 200]
    assert made.base_stats == [5, 20, 5, 15, 9]
    assert (made.stat_points, made.stat_point_allocations) == (0, [0] * 5)
    assert (made.gender, made.map_name, made.x, made.y, made.sprite) == (
        1,
        "Meadow",
        3,
        -4,
        "mage.png",
    )
    action = await last(roomy)
    assert (action["kind"], action["player_id"], action["before"]) == (
        "players.create",
        made.id,
        None,
    )
    assert action["after"]["character"]["name"] == "Ana Lyra"
    await prove(roomy, chain=True)


async def last(database):
    [row] = await database.reader.rows("SELECT * FROM actions ORDER BY at DESC, id DESC LIMIT 1")
    return row


@pytest.mark.parametrize(
    ("about", "refusal"),
    [
        ({"name": "x"}, InvalidName),
        ({"name": "rank"}, InvalidName),
        ({"name": "Moderator"}, InvalidName),
        ({"name": "Аna"}, InvalidName),
        ({"name": "BO"}, NameTaken),
        ({"name": "B0"}, NameTaken),  # looks like it
        ({"class_id": uuid4()}, UnknownClass),
        ({"begins": SheetChange(gender=300)}, InvalidSheet),
        ({"user_id": uuid4()}, UserNotFound),
    ],
)
async def test_what_is_refused_leaves_nothing(roomy, about, refusal):
    user = await make_user(roomy)
    await characters.create.one(roomy, creation(user, "Bo"))
    before = await row_counts(roomy)
    order = structs.replace(creation(user, "Cy"), **about)

    [outcome] = await characters.create(roomy, [order])

    assert isinstance(outcome, refusal)
    assert await row_counts(roomy) == before


async def test_twenty_of_one_name_at_once_make_one_character(roomy):
    users = [await make_user(roomy) for _ in range(20)]

    outcomes = await at_once(
        roomy, (characters.create(roomy, [creation(user, "Ana")]) for user in users)
    )

    kinds = sorted(type(outcome).__name__ for [outcome] in outcomes)
    assert kinds == ["NameTaken"] * 19 + ["Player"]
    await prove(roomy)


async def test_twenty_at_once_for_one_account_make_as_many_as_it_may_have(roomy):
    user = await make_user(roomy)

    outcomes = await at_once(
        roomy,
        (characters.create(roomy, [creation(user, f"Ana {chr(97 + n) * 3}")]) for n in range(20)),
    )

    kinds = sorted(type(outcome).__name__ for [outcome] in outcomes)
    assert kinds == ["Player"] * 3 + ["TooManyCharacters"] * 17
    assert await total(roomy, "players") == 3
    await prove(roomy)


async def test_a_refused_creation_does_not_harm_its_neighbours(roomy):
    """Its name is free for them, and it does not count."""
    ana, bo = await make_user(roomy), await make_user(roomy)

    outcomes = await characters.create(
        roomy,
        [
            creation(ana, "One", class_id=uuid4()),
            creation(ana, "One"),
            creation(ana, "ONE"),
            creation(ana, "Two"),
            creation(ana, "Three"),
            creation(ana, "Four"),
            creation(bo, "Four"),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [
        UnknownClass,
        Player,
        NameTaken,
        Player,
        Player,
        TooManyCharacters,
        Player,
    ]
    await prove(roomy)


async def test_an_account_has_one_character_unless_the_operator_says_otherwise(database):
    await make_class(database)
    user = await make_user(database)
    assert isinstance(await characters.create.one(database, creation(user, "Ana")), Player)
    with pytest.raises(TooManyCharacters):
        await characters.create.one(database, creation(user, "Bo"))


# ── Class and level ──


async def test_another_class_brings_its_stats_and_the_vitals_of_the_level(roomy):
    await make_mage(roomy, vital_increases=[2, 30])
    ana = await make_player(roomy, "ana", level=3, vitals=[90, 50])

    shown = await attributes.change_class.one(
        roomy, ClassChange(by=BY, player="ana", class_id=MAGE)
    )

    assert shown == await lookup.find_player(roomy.reader, str(ana))
    assert (shown.class_id, shown.class_name, shown.level) == (MAGE, "Mage", 3)
    assert shown.max_vitals == [64, 260]
    assert shown.vitals == [64, 50]
    assert shown.base_stats == [5, 20, 5, 15, 9]
    action = await last(roomy)
    assert action["kind"] == "players.class"
    assert action["before"]["sheet"]["vitals"] == [90, 50]
    assert "gender" not in action["after"]["sheet"]
    await prove(roomy, chain=True)


async def test_a_refused_class_leaves_nothing_and_harms_no_neighbour(roomy):
    await make_mage(roomy, max_level=5)
    await make_player(roomy, "ana", level=6)
    await make_player(roomy, "bo")

    outcomes = await attributes.change_class(
        roomy,
        [
            ClassChange(by=BY, player="ana", class_id=MAGE),
            ClassChange(by=BY, player="bo", class_id=uuid4()),
            ClassChange(by=BY, player="cy", class_id=MAGE),
            ClassChange(by=BY, player="bo", class_id=MAGE),
            ClassChange(by=BY, player="bo", class_id=MAGE),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [
        LevelAboveClass,
        UnknownClass,
        PlayerNotFound,
        Player,
        Player,
    ]
    assert await total(roomy, "actions") == 1, "the same class again is no change"
    await prove(roomy)


async def test_twenty_changes_of_class_at_once_end_with_one(roomy):
    await make_mage(roomy)
    await make_player(roomy, "ana")
    kinds = [MAGE, KNIGHT] * 10

    outcomes = await at_once(
        roomy,
        (
            attributes.change_class(roomy, [ClassChange(by=BY, player="ana", class_id=kind)])
            for kind in kinds
        ),
    )

    assert [outcome.class_id for [outcome] in outcomes] == kinds
    await prove(roomy)


async def test_a_level_is_given_without_experience_and_never_above_the_highest(database):
    await make_player(database, "ana", level=3, exp=50)
    await make_player(database, "bo")

    outcomes = await attributes.set_level(
        database,
        [
            Promotion(by=BY, player="ana", level=7),
            Promotion(by=BY, player="ana", level=0),
            Promotion(by=BY, player="nobody", level=1),
            Promotion(by=BY, player="bo", level=2**31 - 1),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [
        Player,
        InvalidProgress,
        PlayerNotFound,
        Player,
    ]
    assert [(outcomes[n].level, outcomes[n].exp) for n in (0, 3)] == [(7, 0), (100, 0)]
    assert await total(database, "actions") == 2
    await prove(database)


async def test_twenty_levels_at_once_end_with_one(database):
    await make_player(database, "ana")

    await at_once(
        database,
        (
            attributes.set_level(database, [Promotion(by=BY, player="ana", level=level)])
            for level in range(1, 21)
        ),
    )

    assert (await lookup.find_player(database.reader, "ana")).level in range(1, 21)
    await prove(database)


# ── Deleting ──


async def make_rich(database: Database, name: str = "ana") -> UUID:
    """A character with items, a bag with something in it, a spell and a variable."""
    player = await make_player(database, name, level=9, exp=4)
    potion, satchel = await make_item(database), await make_bag_item(database)
    karma, fire = await make_variable(database, "number"), await make_spell(database)
    gifts = [(potion, 25), (satchel, 1), (potion, 3)]
    for item, quantity in gifts:
        await items.give.one(
            database, Gift(by=BY, player=str(player), item_id=item, quantity=quantity)
        )
    await spells.teach.one(database, Lesson(by=BY, player=str(player), spell_id=fire))
    await variables.assign.one(
        database, Setting(by=BY, player=str(player), variable_id=karma, value=1e300)
    )
    await _put_into_bag(database, player)
    return player


async def _put_into_bag(database: Database, player: UUID) -> None:
    """Move what lies in the first slot into the bag, as a game server does it."""
    bag = await database.reader.value("SELECT id FROM bags WHERE player_id = $1", player)
    move = MoveItems(
        item_id=None,
        quantity=None,
        source=Endpoint(player=str(player), slot=0),
        target=Endpoint(player=str(player), place="bag", bag=bag),
    )
    order = execute.Transaction(by=BY, holder=None, expected=[], moves=[move])
    [done] = await execute.transact(database, [order])
    assert not isinstance(done, Problem), done


async def test_a_deleted_character_is_gone_with_all_it_had(database):
    ana = await make_rich(database)
    before = await lookup.find_player(database.reader, "ana")
    held = await database.reader.value("SELECT sum(quantity) FROM slots")
    held += await database.reader.value("SELECT sum(quantity) FROM bag_slots")

    shown = await characters.delete.one(database, Deletion(by=BY, player="ANA"))

    assert shown == before
    for key in ("ana", str(ana)):
        with pytest.raises(PlayerNotFound):
            await lookup.find_player(database.reader, key)
    for table in ("players", "player_names", "slots", "bags", "bag_owners", "bag_slots"):
        assert await total(database, table) == 0, table
    for table in ("player_spells", "player_variables", "player_skeletons"):
        assert await total(database, table) == 0, table
    action = await last(database)
    assert (action["kind"], action["after"]) == ("players.delete", None)
    removed = await database.reader.value(
        "SELECT -sum(quantity) FROM postings WHERE against = 'removal' AND action_id = $1",
        action["id"],
    )
    assert removed == held
    await prove(database, chain=True)


async def test_a_bag_that_lies_nowhere_goes_too_and_comes_back(database):
    """Older data may have one."""
    ana, bag = await make_player(database, "ana"), uuid4()

    async def work(writer: Writer) -> None:
        await writer.run("INSERT INTO bags VALUES ($1, $2, 4)", ana, bag)
        await writer.run("INSERT INTO bag_owners VALUES ($1, $2)", bag, ana)

    await database.write(work)
    await characters.delete.one(database, Deletion(by=BY, player="ana"))
    assert await total(database, "bags") == 0
    await undo.undo.one(database, Undoing(by=BY, action_id=(await last(database))["id"]))
    assert await database.reader.value("SELECT id FROM bags WHERE player_id = $1", ana) == bag
    await prove(database)


async def test_its_name_can_be_given_to_another(roomy):
    user = await make_user(roomy)
    await make_player(roomy, "ana", user=user)
    await characters.delete.one(roomy, Deletion(by=BY, player="ana"))
    assert isinstance(await characters.create.one(roomy, creation(user, "Ana")), Player)
    await prove(roomy)


async def test_who_plays_is_not_deleted_and_nothing_is_left_behind(database):
    ana = await make_rich(database)
    server = await make_server(database)
    await join(database, ana, server)
    before = await row_counts(database)

    [outcome] = await characters.delete(database, [Deletion(by=BY, player="ana")])

    assert isinstance(outcome, PlayerOnline)
    assert await row_counts(database) == before
    await prove(database)


async def test_who_was_on_a_server_that_died_is_deleted(database):
    ana = await make_player(database, "ana")
    await join(database, ana, await make_server(database, lease_seconds=-1))
    assert isinstance(await characters.delete.one(database, Deletion(by=BY, player="ana")), Player)
    assert await total(database, "presences") == 0
    assert await database.reader.value("SELECT sum(online) FROM crowds") == 0
    await prove(database)


async def test_its_server_deletes_it_with_its_lease_and_no_other(database):
    ana, bo = await make_player(database, "ana"), await make_player(database, "bo")
    here, there = await make_server(database, fence=7), await make_server(database, fence=8)
    await join(database, ana, here)
    await join(database, bo, there)

    outcomes = await deletion.delete(
        database,
        [
            ServersDeletion(by=BY, holder=LeaseHolder(here, 6), player="ana"),
            ServersDeletion(by=BY, holder=LeaseHolder(here, 7), player="bo"),
            ServersDeletion(by=BY, holder=LeaseHolder(here, 7), player="ana"),
            ServersDeletion(by=BY, holder=LeaseHolder(here, 7), player="ana"),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [
        Fenced,
        PlayerOnline,
        Player,
        PlayerNotFound,
    ]
    assert await database.reader.value("SELECT online FROM crowds WHERE server_id = $1", here) == 0
    await prove(database)


async def test_twenty_deletions_at_once_delete_it_once(database):
    await make_rich(database)

    outcomes = await at_once(
        database, (characters.delete(database, [Deletion(by=BY, player="ana")]) for _ in range(20))
    )

    kinds = sorted(type(outcome).__name__ for [outcome] in outcomes)
    assert kinds == ["Player"] + ["PlayerNotFound"] * 19
    assert await total(database, "deleted_players") == 1
    await prove(database)


async def test_gifts_to_who_is_being_deleted_are_refused_or_leave_with_it(database):
    await make_player(database, "ana")
    potion = await make_item(database)

    gifts = [
        items.give(database, [Gift(by=BY, player="ana", item_id=potion, quantity=1)])
        for _ in range(20)
    ]
    deleted = characters.delete(database, [Deletion(by=BY, player="ana")])
    done = await at_once(database, [*gifts, deleted])

    assert isinstance(done[-1][0], Player)
    assert all(isinstance(one, PlayerNotFound) or one.total for [one] in done[:-1])
    await prove(database)


async def test_many_are_created_and_deleted_with_as_many_statements_as_one(database, statements):
    await make_class(database)
    users = [await make_user(database) for _ in range(30)]
    names = [f"Ana {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(30)]
    orders = [creation(user, name) for user, name in zip(users, names, strict=True)]
    deletions = [Deletion(by=BY, player=name) for name in names]
    counts = []
    for some in (slice(0, 1), slice(1, 30)):
        with statements() as created:
            made = await characters.create(database, orders[some])
        with statements() as deleted:
            gone = await characters.delete(database, deletions[some])
        assert all(isinstance(one, Player) for one in [*made, *gone])
        counts.append((len(created), len(deleted)))
    assert counts[0] == counts[1]
    await prove(database)
