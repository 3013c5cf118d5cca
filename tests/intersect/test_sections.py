"""Guilds, variables of accounts and of the game, and objects of the editor move in too."""

import pytest

from gamekeeper.db import migrate
from tests.intersect.games import Game, js, named
from tests.intersect.worlds import bring, dry, make_game
from tests.transfer.worlds import assert_whole

MIGRATIONS = " ".join(name for name, _ in migrate.numbered())


def needs(number: str):
    """Tables of other parts; until they are there, the section is reported as left out."""
    return pytest.mark.skipif(number not in MIGRATIONS, reason=f"migration {number} is not there")


def add_guild(game: Game) -> None:
    guild, hero, mage = named("guild"), named("player Hero"), named("player Mage")
    game.add(
        "Guilds",
        Id=game.id(guild),
        Name="Owls",
        FoundingDate="2021-01-01 00:00:00",
        BankSlotsCount=10,
        GuildInstanceId=game.id("instance"),
    )
    column = "GuildId" if game.version == "0.8b" else "DbGuildId"
    sql = f"UPDATE Players SET {column} = ?, GuildRank = ?, GuildJoinDate = ? WHERE Id = ?"
    game.players.execute(sql, (game.id(guild), 0, "2021-01-02 00:00:00", game.id(hero)))
    game.players.execute(sql, (game.id(guild), 0, "2021-01-03 00:00:00", game.id(mage)))
    game.held("Guild_Bank", guild, 3, "coin", 500)
    game.held("Guild_Bank", guild, 12, "pouch", bag=game.bag("guild's bag"))
    game.held("Bag_Items", named("guild's bag"), 0, "potion", 6)
    variable = {"VariableId": game.id("fame"), "Value": js({"Type": 2, "Value": 9})}
    game.add("Guild_Variables", GuildId=game.id(guild), **variable)


@needs("0041")
@pytest.mark.parametrize("version", ["0.7.1", "0.8b", "mixed"])
async def test_a_guild_comes_with_its_members_its_bank_and_its_ledger(
    settings, database, tmp_path, version
):
    game = make_game(tmp_path / "game", version)
    add_guild(game)
    game.save()
    tried = await bring(settings, game.folder, dry())
    report = await bring(settings, game.folder)

    assert tried.sections["guilds"] == report.sections["guilds"]
    [guild] = await database.reader.rows("SELECT * FROM guilds")
    assert (guild["id"], guild["name"], guild["bank_slots"]) == (named("guild"), "Owls", 13)
    assert guild["instance_id"] == named("instance")
    members = await database.reader.rows("SELECT player_id, rank FROM guild_members ORDER BY rank")
    assert [tuple(member) for member in members] == [
        (named("player Hero"), 0),
        (named("player Mage"), 1),
    ]
    held = await database.reader.rows("SELECT slot, item_id, quantity FROM guild_slots ORDER BY 1")
    assert [tuple(one) for one in held] == [
        (0, named("potion"), 6),
        (3, named("coin"), 500),
        (12, named("pouch"), 1),
    ]
    assert await database.reader.value("SELECT value FROM guild_variables") == 9
    assert "bag_lost" not in report.counts
    sql = "SELECT count(*) FROM postings WHERE place = 'guild' AND against = 'import'"
    assert await database.reader.value(sql) == 3
    again = await bring(settings, game.folder)
    assert (again.is_change, again.sections["guilds"].unchanged) == (False, 1)
    game.held("Guild_Bank", named("guild"), 5, "coin", 1)
    changed = await bring(settings, game.close())
    assert changed.counts["guild_kept"] == 1
    await assert_whole(settings)


@needs("0042")
async def test_variables_of_accounts_and_of_the_game_come_unless_newer_here(
    settings, database, tmp_path
):
    game = make_game(tmp_path / "game", "0.8b")
    row = {"UserId": game.id("user Ana"), "VariableId": game.id("premium")}
    game.add("User_Variables", Value=js({"Type": 1, "Value": True}), **row)
    game.add("User_Variables", UserId=game.id("user Bo"), VariableId=game.id("gone"), Value="{}")
    await bring(settings, game.save())

    assert await database.reader.value("SELECT value FROM user_variables") is True
    assert await database.reader.value("SELECT value FROM game_variables") == 4
    assert not (await bring(settings, game.folder)).is_change
    game.game.execute("UPDATE ServerVariables SET Value = ?", (js({"Type": 2, "Value": 5}),))
    game.save()
    report = await bring(settings, game.folder)
    assert report.sections["game variables"].changed == 1
    assert await database.reader.value("SELECT value FROM game_variables") == 5
    await database.write(lambda writer: writer.run("UPDATE game_variables SET value = '6'"))
    game.game.execute("UPDATE ServerVariables SET Value = ?", (js({"Type": 2, "Value": 7}),))
    report = await bring(settings, game.close())
    assert report.newer_here == ["game_variables of the game"]
    assert await database.reader.value("SELECT value FROM game_variables") == 6


@needs("0040")
@pytest.mark.parametrize("version", ["0.6", "0.8b"])
async def test_all_columns_of_an_object_are_kept(settings, database, tmp_path, version):
    folder = make_game(tmp_path / "game", version).close()
    report = await bring(settings, folder)

    assert report.sections["objects"].added > 10
    sql = "SELECT facts FROM catalog_objects WHERE type = 'item' AND id = $1"
    facts = await database.reader.value(sql, named("sword"))
    assert facts["StatsGiven"] == [0, 0, 0, 0, 0]
    assert (facts["Stackable"], facts["Description"]) == (False, "What it is.")
    # The column Bound was 0: it meant that it can be dropped, and means the opposite now.
    assert facts["CanDrop"] is (version == "0.6")
    assert await database.reader.value("SELECT name FROM catalog_objects WHERE type = 'map'") == (
        "Meadow"
    )
    assert not (await bring(settings, folder)).is_change


@pytest.mark.usefixtures("schema_changes")
async def test_a_section_without_a_table_is_said_to_be_left_out(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    add_guild(game)
    await database.write(lambda writer: writer.run("DROP TABLE IF EXISTS guilds CASCADE"))
    report = await bring(settings, game.close())
    assert "guilds" in {note.about for note in report.notes if note.kind == "section_left_out"}
