"""A game of each version moves in: compared field by field, imported again, verified."""

import pytest

from gamekeeper.ledger import verify_chain
from tests.intersect.games import VERSIONS, named
from tests.intersect.worlds import bring, dry, make_game
from tests.ledger.chains import link
from tests.transfer.worlds import assert_whole, exported_people


def slot(number: int, item: str, quantity: int = 1, **about: object) -> dict[str, object]:
    return {"slot": number, "item_id": str(named(item)), "quantity": quantity} | about


QUICK_VERSIONS = {"0.6", "0.8b"}
"""Ids as blobs and ids as texts: those between them, which mix the forms, are for CI."""


def by_lane(version: str) -> object:
    return (
        version if version in QUICK_VERSIONS else pytest.param(version, marks=pytest.mark.torture)
    )


@pytest.mark.parametrize("version", [by_lane(version) for version in VERSIONS])
async def test_a_game_moves_in_with_everything(settings, database, tmp_path, version):
    folder = make_game(tmp_path / "game", version).close()

    before = await bring(settings, folder, dry())
    assert await database.reader.value("SELECT count(*) FROM users") == 0
    report = await bring(settings, folder)

    assert report.faults == before.faults == []
    assert (before.users, before.players) == (report.users, report.players)
    assert (report.users.added, report.players.added) == (2, 2)
    assert (report.sanctions.added, report.sanctions.unchanged) == (1, 0)
    # Variables of the game and objects have tables of other parts.
    assert set(report.counts) <= {"registration_unknown", "section_left_out"}
    by_name = {line["name"]: line for line in await exported_people(settings)}
    ana, bo, hero, mage = (by_name[name] for name in ("Ana", "Bo", "Hero", "Mage"))
    assert ana["id"] == str(named("user Ana"))
    assert ana["powers"] == ["api", "ban", "editor", "personal_information", "user_query"]
    assert bo["powers"] == ["api"]
    if version != "0.6":
        assert ana["created_at"] == "2021-03-04T05:06:07.123456Z"
        assert hero["created_at"] == "2021-03-05T00:00:00Z"
        assert hero["play_time_seconds"] == 99
    # LastOnline is local time: summer in Berlin.
    assert hero["last_online"] == "2026-07-01T10:00:00.500000Z"
    assert (hero["id"], hero["user_id"]) == (str(named("player Hero")), ana["id"])
    assert (hero["class_id"], hero["level"], hero["exp"]) == (str(named("knight")), 3, 42)
    assert (hero["vitals"], hero["max_vitals"]) == ([50, 60], [120, 60])
    assert (hero["base_stats"], hero["stat_points"]) == ([1, 2, 3, 4, 5], 2)
    assert (hero["equipment"], len(mage["equipment"])) == ([0, -1, -1, -1, -1], 7)
    assert (hero["map_id"], hero["map_name"]) == (str(named("map")), "Meadow")
    assert (hero["name_color"], mage["name_color"]) == ("#FF010203", "")
    assert hero["inventory"] == [
        slot(0, "sword", stat_buffs=[1, 2, 3, 0, -5]),
        slot(3, "potion", 9),
        slot(
            5,
            "pouch",
            bag={
                "id": str(named("bag of Hero")),
                "slot_count": 4,
                "slots": [slot(0, "sword"), slot(2, "potion", 4)],
            },
        ),
    ]
    assert hero["bank"] == [slot(99, "coin", 1_000_000)]
    assert mage["inventory"] == [slot(1, "coin", 5)]
    assert hero["spells"] == [
        {"slot": 0, "spell_id": str(named("spark"))},
        {"slot": 7, "spell_id": str(named("blink"))},
    ]
    assert hero["variables"] == {
        str(named("done")): True,
        str(named("karma")): -5,
        str(named("title")): "the Ünready",
    }
    assert mage["variables"] == {str(named("rate")): 0.5}
    kept = hero["extras"]
    assert kept["friends"] == [str(named("player Mage"))]
    assert kept["hotbar"] == [{"Slot": 1, "ItemOrSpellId": str(named("spark"))}]
    assert kept["quests"][0]["TaskProgress"] == 2
    assert kept["HeaderLabel"] == {"Label": "Hero", "Color": None}
    await assert_whole(settings)
    await link(database)
    assert (await verify_chain.find(settings)).total == 0

    again = await bring(settings, folder)

    assert not again.is_change
    assert again.faults == again.newer_here == []
    assert (again.users.unchanged, again.players.unchanged) == (2, 2)


async def test_bans_that_have_not_ended_are_sanctions_and_are_lifted_there_and_here(
    settings, database, tmp_path
):
    game = make_game(tmp_path / "game", "0.8b")
    await bring(settings, game.save())

    [row] = await database.reader.rows("SELECT * FROM sanctions")
    assert (row["kind"], row["user_id"], row["message"]) == ("ban", named("user Bo"), "Bots")
    assert (row["id"], row["ends_at"].year, row["lifted_at"]) == (named("ban"), 2099, None)
    assert row["reason"] == "Imported from Intersect: ban by Ana."
    game.players.execute("DELETE FROM Bans")
    report = await bring(settings, game.close())
    assert (report.sanctions.added, report.sanctions.lifted) == (0, 1)
    assert await database.reader.value("SELECT lifted_at IS NOT NULL FROM sanctions")
