"""Characters renamed: in batches, at once, while they play; and looks entered afterwards."""

import pytest

from gamekeeper.players import lookup, name_changes, names
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.name_changes import Renaming
from gamekeeper.players.names import InvalidName, NameTaken
from gamekeeper.players.records import Player
from tests.history.ledgers import row_counts
from tests.make import BY, join, make_player, make_server
from tests.players.proofs import at_once, prove, total


def renaming(player: object, name: str, **about: object) -> Renaming:
    return Renaming(by=BY, player=str(player), name=name, **about)  # pyright: ignore


async def test_a_character_is_found_by_its_new_name_only(database):
    ana = await make_player(database, "ana")
    server = await make_server(database)
    await join(database, ana, server)

    shown = await name_changes.rename.one(database, renaming("ana", "Éowyn d'Or"))

    assert shown == await lookup.find_player(database.reader, "éowyn d'or")
    assert (shown.id, shown.name, shown.online) == (ana, "Éowyn d'Or", True)
    with pytest.raises(PlayerNotFound):
        await lookup.find_player(database.reader, "ana")
    [action] = await database.reader.rows("SELECT kind, before, after FROM actions")
    assert tuple(action) == ("players.rename", {"name": "ana"}, {"name": "Éowyn d'Or"})
    await prove(database, chain=True)


async def test_letter_case_may_change_and_the_same_name_is_no_change(database):
    await make_player(database, "ana")
    assert (await name_changes.rename.one(database, renaming("ana", "ANA"))).name == "ANA"
    assert (await name_changes.rename.one(database, renaming("ana", "ANA"))).name == "ANA"
    assert await total(database, "actions") == 1
    await prove(database)


@pytest.mark.parametrize(
    ("key", "name", "refusal"),
    [
        ("ana", "bo", NameTaken),
        ("ana", "B0", NameTaken),
        ("ana", "online", InvalidName),
        ("ana", "Gamemaster", InvalidName),
        ("ana", "two  spaces", InvalidName),
        ("nobody", "cy", PlayerNotFound),
    ],
)
async def test_what_is_refused_leaves_nothing(database, key, name, refusal):
    await make_player(database, "ana")
    await make_player(database, "Bo")
    await names.backfill(database)
    before = await row_counts(database)

    [outcome] = await name_changes.rename(database, [renaming(key, name)])

    assert isinstance(outcome, refusal)
    assert await row_counts(database) == before
    await prove(database)


async def test_staff_may_use_the_words_for_staff(database):
    await make_player(database, "ana")
    shown = await name_changes.rename.one(database, renaming("ana", "Gamemaster", staff=True))
    assert shown.name == "Gamemaster"


async def test_twenty_who_want_one_name_at_once_are_not_two(database):
    players = [await make_player(database) for _ in range(20)]

    outcomes = await at_once(
        database, (name_changes.rename(database, [renaming(player, "Ana")]) for player in players)
    )

    kinds = sorted(type(outcome).__name__ for [outcome] in outcomes)
    assert kinds == ["NameTaken"] * 19 + ["Player"]
    await prove(database)


async def test_orders_of_one_list_follow_each_other(database):
    """A name that one gives up is free for the next; who is refused changes nothing."""
    ana, bo = await make_player(database, "ana"), await make_player(database, "bo")

    outcomes = await name_changes.rename(
        database,
        [
            renaming(ana, "bo"),
            renaming(bo, "cy"),
            renaming(ana, "bo"),
            renaming(ana, "x"),
            renaming(bo, "ana"),
        ],
    )

    assert [type(outcome) for outcome in outcomes] == [
        NameTaken,
        Player,
        Player,
        InvalidName,
        Player,
    ]
    stored = await database.reader.rows("SELECT id, name FROM players")
    assert dict(map(tuple, stored)) == {ana: "bo", bo: "ana"}
    assert await total(database, "actions") == 3
    await prove(database)


async def test_looks_are_entered_once_and_alike_ones_of_before_remain(database):
    await make_player(database, "alan")
    await make_player(database, "a1an")
    await make_player(database, "bo")

    assert await names.backfill(database) == 2
    assert await names.backfill(database) == 0
    assert await total(database, "player_skeletons") == 2
    await prove(database)
    shown = await name_changes.rename.one(database, renaming("a1an", "A1AN"))
    assert shown.name == "A1AN"
    await prove(database)
