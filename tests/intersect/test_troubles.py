"""What a real population, an old file or an enemy does to our rules: nothing is lost unsaid."""

import sqlite3
from datetime import UTC, datetime
from uuid import UUID

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.transfer.intersect import sources
from gamekeeper.transfer.intersect.importer import TooFewSlots
from gamekeeper.transfer.intersect.sources import UnreadableSource
from gamekeeper.transfer.intersect.values import UnreadableValue, guid, guid_bytes, moment
from gamekeeper.users.erasure import Erasure, erase
from tests.intersect.games import Game, named
from tests.intersect.worlds import bring, dry, make_game
from tests.make import BY
from tests.transfer.worlds import assert_whole, exported


async def lines(settings) -> dict[str, dict]:
    return {line["id"]: line for line in await exported(settings)}


def notes(report, kind) -> list[str]:
    return [f"{note.about}: {note.detail}" for note in report.notes if note.kind == kind]


async def test_equal_names_and_addresses_are_settled_by_who_played_last(settings, tmp_path):
    game = Game(tmp_path / "game")
    game.catalog()
    old = game.user("bob", Email="b@example.com")
    new = game.user("BOB", Email="B@example.com")
    game.player("Zed", old, LastOnline="2020-01-01 00:00:00")
    game.player("ZED", new, LastOnline="2026-01-01 00:00:00")
    admin = game.user("admin", Email="")
    number = game.user("42", Email="nonsense")
    report = await bring(settings, game.close())

    found = await lines(settings)
    assert (found[str(new)]["name"], found[str(old)]["name"]) == ("BOB", "bob2")
    assert (found[str(admin)]["name"], found[str(number)]["name"]) == ("admin", "42")
    assert found[str(new)]["email"] == "B@example.com"
    for user in (old, admin, number):
        assert found[str(user)]["email"] == f"{user.hex}@no-address.invalid"
    assert found[str(named("player Zed"))]["name"] == "Zed2"
    assert len(notes(report, "account_renamed")) == len(notes(report, "character_renamed")) == 1
    assert len(notes(report, "address_replaced")) == 3


async def test_a_name_that_somebody_has_here_is_numbered_each_time_the_same(
    settings, database, tmp_path
):
    first = Game(tmp_path / "first")
    first.catalog()
    first.user("Ana", own=named("other"), Email="other@example.com")
    await bring(settings, first.close())
    game = make_game(tmp_path / "game", "0.8b")
    game.user("ana2", Email="x@example.com")

    await bring(settings, game.close())
    again = await bring(settings, game.folder)

    assert (await lines(settings))[str(named("user Ana"))]["name"] == "Ana3"
    assert not again.is_change


async def test_what_the_game_no_longer_has_gets_a_placeholder(settings, tmp_path):
    game = make_game(tmp_path / "game", "0.7.1")
    hero = named("player Hero")
    game.held("Player_Items", hero, 20, "lost item", 30)
    game.spell(hero, 20, "lost spell")
    game.variable(hero, "lost variable", 2, 7)
    game.variable(hero, "rate", 3, "no number")
    game.add("Player_Variables", PlayerId=game.id(named("player Mage")), VariableId=game.id("done"))
    game.player("Nobody", named("user Bo"), ClassId=game.id("lost class"))
    game.player("Nothing", named("user Bo"), ClassId=game.id(UUID(int=0)), Level=-4)
    report = await bring(settings, game.close())

    assert report.faults == []
    hero_line = (await lines(settings))[str(hero)]
    assert hero_line["inventory"][-1]["item_id"] == str(named("lost item"))
    assert hero_line["spells"][-1]["spell_id"] == str(named("lost spell"))
    assert set(hero_line["extras"]["variables"]) == {
        str(named("lost variable")),
        str(named("rate")),
    }
    for kind in ("item_placeholder", "spell_placeholder", "variable_unknown"):
        assert len(notes(report, kind)) == 1, kind
    assert len(notes(report, "class_placeholder")) == len(notes(report, "variable_value")) == 2
    await assert_whole(settings)


async def test_slots_that_break_our_rules_are_moved_or_said_to_be_lost(settings, tmp_path):
    game = make_game(tmp_path / "game", "mixed")
    hero, mage = named("player Hero"), named("player Mage")
    game.held("Player_Items", hero, 7, "sword", 0)
    game.held("Player_Items", hero, 8, "potion", 0)
    game.held("Player_Items", hero, 9, "potion", -3)
    game.held("Player_Items", hero, 10, "potion", 999)
    game.held("Player_Items", hero, 3, "coin", 7, twice=True)
    game.held("Player_Items", hero, 10**9, "coin", 8)
    game.held("Player_Items", hero, "x", "coin", 9)
    game.held("Player_Items", hero, 11, "pouch", 3, bag=game.bag("three", 1))
    game.held("Bag_Items", named("three"), 3, "coin", 5)
    # A circle of bags, a bag in two slots, one that nobody has, and contents of what is no bag.
    game.held("Player_Bank", hero, 0, "pouch", bag=game.bag("outer"))
    game.held("Bag_Items", named("outer"), 0, "pouch", bag=game.bag("inner"))
    game.held("Bag_Items", named("inner"), 0, "pouch", bag=named("outer"))
    game.held("Bag_Items", named("inner"), 1, "coin", 77)
    game.held("Player_Items", mage, 5, "pouch", bag=named("bag of Hero"))
    game.held("Bag_Items", game.bag("nobody's"), 0, "coin", 1)
    game.held("Player_Items", mage, 6, "sword", bag=game.bag("sheath"))
    game.held("Bag_Items", named("sheath"), 0, "coin", 55)
    game.held("Player_Bank", mage, 1, "coin", 2**31 - 1)
    game.spell(hero, 9, "spark")
    game.held("Player_Items", named("no player"), 1, "coin")
    report = await bring(settings, game.close())

    assert report.faults == []
    found = await lines(settings)
    held = {one["slot"]: one for one in found[str(hero)]["inventory"]}
    assert (held[7]["quantity"], held[10]["quantity"]) == (1, 999)
    assert 8 not in held
    assert 9 not in held
    assert held[11]["bag"]["slot_count"] == 4
    coins = sum(
        one["quantity"]
        for place in ("inventory", "bank")
        for slot in found[str(hero)][place]
        for one in (slot, *slot.get("bag", {}).get("slots", ()))
        if one["item_id"] == str(named("coin"))
    )
    assert coins == 1_000_000 + 7 + 8 + 9 + 5 + 77
    bags = [one for one in found[str(hero)]["bank"] if one.get("bag")]
    assert {bag["bag"]["id"] for bag in bags} >= {str(named("outer")), str(named("inner"))}
    assert sum(one["quantity"] for one in found[str(mage)]["bank"]) == 2**31 - 1 - 5
    expected = {"bag_emptied", "bag_lost", "item_lost", "orphan", "quantity_corrected"}
    assert set(report.counts) >= expected | {"quantity_lost", "slot_moved", "spell_twice"}
    await assert_whole(settings)
    assert not (await bring(settings, game.folder)).is_change


async def test_what_changed_there_comes_and_what_changed_here_stays(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    await bring(settings, game.save())
    gift = Gift(player="Mage", item_id=named("coin"), quantity=3, by=BY)
    await items.give.one(database, gift)
    game.players.execute("UPDATE Players SET Level = 9, Exp = 1")
    game.players.execute("UPDATE Users SET Email = 'new@example.com' WHERE Name = 'Ana'")
    game.save()

    before = await bring(settings, game.folder, dry())
    report = await bring(settings, game.close())

    assert before.newer_here == report.newer_here == ["Mage"]
    assert (report.users.changed, report.players.changed) == (1, 1)
    found = await lines(settings)
    assert found[str(named("user Ana"))]["email"] == "new@example.com"
    assert found[str(named("player Hero"))]["level"] == 9
    assert found[str(named("player Mage"))]["level"] == 3
    assert found[str(named("player Mage"))]["inventory"][0]["quantity"] == 8
    await assert_whole(settings)


async def test_who_was_erased_here_does_not_come_back(settings, database, tmp_path):
    game = Game(tmp_path / "game")
    game.catalog()
    gone, other = game.user("ana", Email="ana@example.com"), game.user("bo", Email="bo@example.com")
    game.player("Ana", gone)
    folder = game.close()
    await bring(settings, folder)
    order = Erasure(by=BY, user="ana")
    assert (await erase(Vault(settings)).one(database, order)).user.name == "ana"

    report = await bring(settings, folder)

    found = await lines(settings)
    assert str(gone) not in found
    assert str(named("player Ana")) not in found
    assert str(other) in found
    assert notes(report, "erased_here") == [f"{gone}: "]


async def test_more_slots_than_the_settings_allow_are_refused_with_the_setting(settings, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    game.held("Player_Items", named("player Hero"), 39, "coin")
    with pytest.raises(TooFewSlots, match="GAMEKEEPER_INVENTORY_SLOTS=40"):
        await bring(settings, game.close())


# ── Files that are wrong, or hostile ──


async def test_wrong_types_huge_texts_and_nul_bytes_do_not_stop_it(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    bo = named("user Bo")
    game.user("a\x00b\x07" * 50, Email="x" * 100_000, Power="[" * 5000, Password=3.5)
    game.user("", Email=b"\xff", Password="00" * 32, Salt="", RegistrationDate="soon")
    game.user(str(named("guid")), Email=None)
    game.add("Users", Id="no id", Name="Lost")
    wrong = {"Level": "many", "Exp": -1, "Vitals": "{}", "BaseStats": "[1e99]", "Gender": 10**12}
    wrong |= {"Equipment": '[99999,"a"]', "LastOnline": "never", "Sprite": "s" * 100_000}
    wrong |= {"NameColor": "[]", "HeaderLabel": "\x00{", "X": 2**62, "StatPoints": None}
    game.player("Odd", bo, MapId=b"1", **wrong)
    game.player("Orphan", named("nobody"))
    game.variable(named("player Hero"), "rate", 4, 10**400)
    game.add("Bans", Id=None, PlayerId=game.id("nobody"), Reason="?", EndTime="?")
    game.players.execute("UPDATE Users SET Name = CAST(x'ff41' AS TEXT) WHERE Name = 'Bo'")
    report = await bring(settings, game.close())

    assert report.faults == []
    odd = (await lines(settings))[str(named("player Odd"))]
    assert (odd["level"], odd["exp"], odd["gender"], odd["equipment"]) == (1, 0, 255, [-1, -1])
    assert (odd["last_online"], len(odd["sprite"])) == (None, 255)
    assert report.counts["row_unreadable"] >= 1
    assert report.counts["password_missing"] == 2
    await assert_whole(settings)


def test_a_file_that_is_no_database_a_link_or_too_large_a_value_is_refused(tmp_path):
    folder = make_game(tmp_path / "game", "0.8b").close()
    (folder / "gamedata.db").rename(tmp_path / "elsewhere.db")
    with pytest.raises(UnreadableSource, match=r"no gamedata\.db"):
        sources.open_folder(folder)
    (folder / "gamedata.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(UnreadableSource, match="symbolic link"):
        sources.open_folder(folder)
    (folder / "gamedata.db").unlink()
    (folder / "gamedata.db").write_bytes(b"no database" * 1000)
    with pytest.raises(UnreadableSource, match="not a database"):
        sources.open_folder(folder)


async def test_a_value_of_megabytes_is_refused_and_nothing_is_written(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    game.players.execute("UPDATE Players SET HeaderLabel = zeroblob(17 * 1024 * 1024)")
    with pytest.raises(UnreadableSource, match="too big"):
        await bring(settings, game.close())
    assert await database.reader.value("SELECT count(*) FROM users") == 0


async def test_a_view_in_the_place_of_a_table_is_not_read(settings, tmp_path):
    """It could run for ever, or call what it likes."""
    game = make_game(tmp_path / "game", "0.8b")
    game.players.execute("DROP TABLE Player_Hotbar")
    game.players.execute(
        """
        CREATE VIEW Player_Hotbar AS
        WITH RECURSIVE n(PlayerId) AS (SELECT 1 UNION ALL SELECT PlayerId + 1 FROM n)
        SELECT PlayerId, 1 AS Slot, 'x' AS ItemOrSpellId FROM n
        """
    )
    assert (await bring(settings, game.close())).faults == []


async def test_the_log_of_a_running_server_is_read_and_said(settings, database, tmp_path):
    game = make_game(tmp_path / "game", "0.8b")
    game.save()
    game.players.execute("PRAGMA journal_mode = WAL")
    game.user("Late")
    game.save()
    before = sqlite3.connect(game.folder / "playerdata.db").execute("SELECT 1").fetchone()
    report = await bring(settings, game.folder)
    game.close()

    assert before == (1,)
    assert (report.users.added, len(report.warnings)) == (3, 1)
    assert "playerdata.db-wal" in report.warnings[0]


# ── Values ──


def test_ids_are_read_by_their_value():
    own = named("any")
    forms = (own.bytes_le, str(own), str(own).upper(), f"{{{own}}}", own.hex, str(own).encode())
    assert {guid(form) for form in forms} == {own}
    assert {guid(form) for form in (None, bytes(16), b"", "", str(UUID(int=0)))} == {None}
    assert guid_bytes("junk") is None
    for junk in ("junk", b"123", 5, "0" * 31 + "g"):
        with pytest.raises(UnreadableValue):
            guid(junk)


def test_dates_have_any_number_of_digits_and_no_zone():
    at = datetime(2021, 3, 4, 5, 6, 7, 123000, tzinfo=UTC)
    assert moment("2021-03-04 05:06:07.123") == moment("2021-03-04 05:06:07.1230000") == at
    assert moment("2021-03-04 05:06:07") == at.replace(microsecond=0)
    assert moment("0001-01-01 00:00:00") is moment(None) is None
    for junk in ("soon", "2021-13-04 05:06:07", 5, "9999-99-99 99:99:99"):
        with pytest.raises(UnreadableValue):
            moment(junk)
