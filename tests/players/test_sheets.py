"""Sheets: their bounds, what is recorded of a change, what an undo puts back, and the past."""

from uuid import UUID, uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.catalog.files import Class
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import attributes, characters, items, sheet, sheets
from gamekeeper.players.attributes import SheetSaving
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.sheet import InvalidSheet, LevelAboveClass, Sheet, SheetChange
from tests.history.ledgers import row_counts
from tests.history.test_as_of import clock
from tests.make import BY, MAGE, make_class, make_item, make_mage, make_player, make_user
from tests.players.proofs import at_once, prove, total
from tests.players.test_characters import creation

BLANK = sheet.blank(Class(id=MAGE, name="Mage"))
SLOTS = 35


def merged(before: Sheet = BLANK, **about: object) -> Sheet:
    return sheet.merged(before, SheetChange(**about), inventory_slots=SLOTS)  # pyright: ignore


def saving(player: str, **about: object) -> SheetSaving:
    return SheetSaving(by=BY, player=player, change=SheetChange(**about))  # pyright: ignore


# ── Rules ──


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("gender", -1),
        ("gender", 256),
        ("stat_points", -1),
        ("dir", 256),
        ("vitals", [1]),
        ("vitals", [-1, 1]),
        ("vitals", [101, 1]),
        ("vitals", [1, 101]),
        ("max_vitals", [1, 2, 3]),
        ("max_vitals", [1, -1]),
        ("base_stats", [1, 2, 3, 4]),
        ("stat_point_allocations", [1, 2, 3, 4, -5]),
        ("equipment", [SLOTS]),
        ("equipment", [-2]),
        ("equipment", [-1] * 33),
        ("map_name", "x" * 256),
        ("sprite", "a\nb"),
        ("face", "a\x7f"),
        ("name_color", "red"),
        ("name_color", "#12345"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_name(field, value):
    with pytest.raises(InvalidSheet) as refused:
        merged(**{field: value})
    assert refused.value.details == {"field": field.replace("_", "")}


def test_what_is_on_the_bounds_is_taken():
    after = merged(
        gender=255,
        vitals=[100, 0],
        base_stats=[0, 2**31 - 1, 1, 1, 1],
        equipment=[SLOTS - 1, -1],
        x=-(2**31),
        y=2**31 - 1,
        sprite="x" * 255,
        name_color="#1a2B3c",
    )
    assert after.equipment == [SLOTS - 1, -1]
    assert after.name_color == "#FF1A2B3C"
    assert merged(after, name_color="").name_color == ""


def test_vitals_fall_with_their_most_unless_they_are_given():
    assert merged(max_vitals=[50, 200]).vitals == [50, 100]
    assert merged(max_vitals=[50, 200], vitals=[7, 200]).vitals == [7, 200]
    with pytest.raises(InvalidSheet):
        merged(max_vitals=[50, 200], vitals=[51, 200])


def test_old_values_out_of_bounds_hinder_nobody():
    odd = structs.replace(BLANK, equipment=[99], vitals=[900, 900])
    assert merged(odd, x=1).x == 1


def test_a_class_must_exist_and_allow_the_level():
    kind = Class(id=MAGE, name="Mage", max_level=5)
    assert sheet.checked_class(kind, 5) is kind
    with pytest.raises(LevelAboveClass):
        sheet.checked_class(kind, 6)
    with pytest.raises(UnknownClass):
        sheet.checked_class(None, 1)


CHANGES = st.builds(
    SheetChange,
    gender=st.none() | st.integers(0, 255),
    x=st.none() | st.integers(-9, 9),
    stat_points=st.none() | st.integers(0, 9),
    max_vitals=st.none() | st.lists(st.integers(0, 200), min_size=2, max_size=2),
    map_id=st.none() | st.uuids(),
    sprite=st.none() | st.sampled_from(["", "a.png"]),
    name_color=st.none() | st.sampled_from(["", "#010203", "#0a010203"]),
)


@given(CHANGES, CHANGES)
@settings(max_examples=200, deadline=None)
def test_an_inverse_puts_back_what_nobody_changed_since(first, second):
    one = sheet.merged(BLANK, first, inventory_slots=SLOTS)
    two = sheet.merged(one, second, inventory_slots=SLOTS)
    before, after = sheet.differences(BLANK, one)
    assert sheet.inverse(one, before, after, filled=()) == (BLANK, {})

    back, since = sheet.inverse(two, before, after, filled=())

    for name in sheet.FIELDS:
        if name not in before:
            assert getattr(back, name) == getattr(two, name)
        elif name in since:
            assert since[name] == getattr(two, name) != getattr(one, name)
            assert getattr(back, name) == getattr(two, name)
        else:
            assert getattr(back, name) == getattr(BLANK, name)


def test_equipment_comes_back_only_where_something_lies_and_nothing_came_off_since():
    before, after = {"equipment": [3, 4, -1]}, {"equipment": [5, 6, 7]}
    now = structs.replace(BLANK, equipment=[5, -1, 7])
    back, since = sheet.inverse(now, before, after, filled={3, 4})
    assert (back.equipment, since) == ([3, -1, -1], {})
    other = structs.replace(BLANK, equipment=[5, 8, 7])
    assert sheet.inverse(other, before, after, filled={3, 4}) == (other, {"equipment": [5, 8, 7]})
    longer = structs.replace(BLANK, equipment=[5])
    back, _ = sheet.inverse(longer, {"equipment": [3, 4]}, {"equipment": [5]}, filled={3, 4})
    assert back.equipment == [3, 4]


# ── Saved ──


async def test_a_sheet_is_saved_and_only_what_changed_is_recorded(database):
    await make_player(database, "ana", map_name="Meadow")

    saved = await attributes.save_sheets.one(
        database, saving("ana", map_name="Meadow", x=7, vitals=[50, 60], name_color="#aabbcc")
    )

    assert saved == await sheets.current(database.reader, "ana")
    assert (saved.x, saved.vitals, saved.name_color) == (7, [50, 60], "#FFAABBCC")
    [action] = await database.reader.rows("SELECT kind, before, after FROM actions")
    assert action["kind"] == "players.sheet"
    assert action["before"] == {"sheet": {"vitals": [100, 100], "x": 0, "name_color": ""}}
    assert action["after"] == {"sheet": {"vitals": [50, 60], "x": 7, "name_color": "#FFAABBCC"}}
    await prove(database, chain=True)


async def test_what_is_refused_leaves_nothing(database):
    await make_player(database, "ana")
    before = await row_counts(database)
    for order, refusal in (
        (saving("ana", x=1, dir=999), InvalidSheet),
        (saving("ana", x=1, class_id=uuid4()), UnknownClass),
        (saving("nobody", x=1), PlayerNotFound),
    ):
        [outcome] = await attributes.save_sheets(database, [order])
        assert isinstance(outcome, refusal)
    assert await row_counts(database) == before
    assert (await sheets.current(database.reader, "ana")).x == 0


async def test_many_are_saved_with_as_many_statements_as_one(database, statements):
    names = [f"player {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]
    for name in names:
        await make_player(database, name)
    with statements() as one:
        await attributes.save_sheets(database, [saving(names[0], x=1)])
    with statements() as many:
        outcomes = await attributes.save_sheets(
            database, [saving(name, x=2, y=3) for name in names]
        )
    assert all(isinstance(outcome, Sheet) for outcome in outcomes)
    assert len(many) == len(one)
    await prove(database)


async def test_a_refused_sheet_does_not_harm_its_neighbours(database):
    await make_mage(database)
    await make_player(database, "ana")
    await make_player(database, "bo")

    outcomes = await attributes.save_sheets(
        database,
        [
            saving("ana", x=1),
            saving("ana", x=2, vitals=[101, 1]),
            saving("bo", class_id=MAGE),
            saving("ana", y=3),
            saving("ana", y=3),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [Sheet, InvalidSheet, Sheet, Sheet, Sheet]
    assert (outcomes[3].x, outcomes[3].y) == (1, 3)
    assert await total(database, "actions") == 3
    await prove(database)


async def test_twenty_at_once_each_change_what_they_say(database):
    await make_player(database, "ana")
    fields = ("x", "y", "z", "dir", "stat_points")

    await at_once(
        database,
        (
            attributes.save_sheets(database, [saving("ana", **{fields[n % 5]: n + 1})])
            for n in range(20)
        ),
    )

    now = await sheets.current(database.reader, "ana")
    assert all(
        getattr(now, name) % 5 == number + 1 or getattr(now, name) % 5 == 0
        for number, name in enumerate(fields)
    )
    assert await total(database, "actions") == 20
    await prove(database)


async def test_a_sheet_is_read_as_it_was_at_any_instant(database):
    await make_player(database, "ana")
    history = [(await clock(database), await sheets.current(database.reader, "ana"))]
    for change in (
        {"x": 1, "map_id": uuid4()},
        {"vitals": [1, 2]},
        {"x": 2, "sprite": "a.png", "base_stats": [1, 2, 3, 4, 5]},
        {"x": 1, "name_color": "#010203"},
    ):
        await attributes.save_sheets.one(database, saving("ana", **change))
        history.append((await clock(database), await sheets.current(database.reader, "ana")))

    for at, then in history:
        assert await sheets.as_of(database.reader, "ana", at) == then


async def test_what_is_no_longer_there_is_no_longer_worn_and_the_proof_knows(database):
    """Equipment comes off with its item, which is no action about the sheet."""
    await make_class(database)
    ana = str(await make_player(database, "ana"))
    sword = await make_item(database, "Sword", type="equipment")
    for _ in range(2):
        await items.give.one(database, Gift(by=BY, player=ana, item_id=sword, quantity=1))
    await attributes.save_sheets.one(database, saving(ana, equipment=[1, 0, -1]))
    await items.take.one(database, Taking(by=BY, player=ana, item_id=sword, quantity=1))

    assert (await sheets.current(database.reader, ana)).equipment == [1, -1, -1]
    await prove(database)


@pytest.mark.parametrize(
    ("sql", "law"),
    [
        ("UPDATE players SET x = 8", "sheets"),
        ("UPDATE players SET equipment = '{1,0,-1}'", "sheets"),
        ("UPDATE players SET name = 'eve', name_key = 'eve'", "names"),
        (
            """
            INSERT INTO deleted_players SELECT id, user_id, name, now(), id, '{}' FROM players;
            SELECT remove_archived_players(ARRAY(SELECT id FROM players))
            """,
            "characters",
        ),
    ],
)
async def test_what_was_changed_beside_the_log_is_found(roomy_ana, sql, law):
    database, _ = roomy_ana
    await database.write(lambda writer: writer.run(sql))
    breach = (await verify(database.settings)).breach
    assert breach is not None
    assert breach.law == law


@pytest.fixture
async def roomy_ana(database) -> tuple[object, UUID]:
    """A character that was created by the API, with a saved sheet."""
    await make_class(database)
    ana = await characters.create.one(database, creation(await make_user(database), "Ana"))
    await attributes.save_sheets.one(database, saving("Ana", x=7, equipment=[-1, 0, -1]))
    await prove(database)
    return database, ana.id
