"""A game comes in: what is added, changed and left alone, and that all of it is accounted for."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

import msgspec
import pytest
from msgspec import structs

from gamekeeper.auth.secrets import Vault
from gamekeeper.catalog import importer as catalogs
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.demo import loader, world
from gamekeeper.ledger import verify_chain
from gamekeeper.players import characters, items
from gamekeeper.players.characters import Deletion
from gamekeeper.players.items import Gift
from gamekeeper.transfer import files
from gamekeeper.transfer import importer as transfer
from gamekeeper.transfer.importer import ImportRunning
from gamekeeper.users import passwords
from gamekeeper.users.passwords import InvalidCredentials
from tests.cheap_passwords import cheap_passwords
from tests.databases import cloned
from tests.ledger.chains import link
from tests.make import BY, join, make_server, sha
from tests.transfer.worlds import (
    BAG,
    BLINK,
    DONE,
    KARMA,
    KNIGHT,
    LETTER,
    POTION,
    POUCH,
    RATE,
    SPARK,
    SQUIRE,
    SWORD,
    TITLE,
    assert_whole,
    bring,
    counts,
    exported,
    held,
    make_catalog,
    named,
    player,
    rich_player,
    user,
    write,
)

EVERYTHING = """
    SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM players)
         + (SELECT count(*) FROM slots) + (SELECT count(*) FROM user_names)
         + (SELECT count(*) FROM player_names) + (SELECT count(*) FROM postings)
         + (SELECT count(*) FROM list_deltas)
"""


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.torture
async def test_a_demo_world_goes_out_and_comes_in_equal(settings, template, tmp_path, monkeypatch):
    """With processes and in several chunks; a second import finds nothing to do."""
    monkeypatch.setattr(files, "LINES", 150)
    await loader.fill(settings, players=600, seed=3)
    there = await exported(settings)
    async with cloned(template) as other:
        async with Database.open(other) as database:
            await catalogs.bring(database, world.catalog(), BY)
        first = await bring(other, tmp_path, *there)
        again = await bring(other, tmp_path, *there)

        assert await exported(other) == there
        users = sum(line["kind"] == "user" for line in there)
        assert counts(first) == ((users, 0, 0), (600, 0, 0))
        assert counts(again) == ((0, 0, users), (0, 0, 600))
        assert any(
            slot.get("bag") for line in there[users : users + 600] for slot in line["inventory"]
        )
        await assert_whole(other)


async def test_everything_a_character_has_is_imported_under_one_action(
    settings, database, tmp_path
):
    await make_catalog(database)
    report = await bring(settings, tmp_path, user(powers=["mute", "api"]), rich_player())

    [ana, hero] = await exported(settings)
    assert counts(report) == ((1, 0, 0), (1, 0, 0))
    assert ana["powers"] == ["api", "mute"]
    assert hero["name_color"] == "#FFFF8800"
    assert hero["created_at"] == "2020-01-02T01:04:05Z"
    assert hero["last_online"] == "2026-01-02T03:04:05.678901Z"
    assert [slot["slot"] for slot in hero["inventory"]] == [0, 1, 3]
    assert hero["inventory"][1]["bag"] == {
        "id": BAG,
        "slot_count": 4,
        "slots": [held(0, SWORD), held(2, POTION, 9)],
    }
    assert hero["variables"] == {KARMA: -5, TITLE: "the Ünready", RATE: 1e300, DONE: True}
    await assert_whole(settings)
    rows = await database.reader.rows(
        "SELECT DISTINCT kind, against, after FROM postings JOIN actions ON id = action_id"
    )
    [(kind, against, after)] = rows
    assert (kind, against) == ("players.import", "import")
    assert after["sha256"] == report.sha256
    assert after["players"] == {"added": 1, "changed": 0}
    await link(database)
    assert (await verify_chain.find(settings)).total == 0


async def test_what_is_left_out_has_its_default(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(), player(level=3), player("Bo", vitals=[900, 1]))

    by_name = {line["name"]: line for line in await exported(settings)}
    assert by_name["Ana"]["max_vitals"] == by_name["Ana"]["vitals"] == [120, 120]
    assert by_name["Bo"]["max_vitals"] == [900, 100]
    assert by_name["Ana"]["last_online"] is None
    assert (by_name["ana"]["variables"], by_name["ana"]["powers"]) == ({}, [])
    assert "password" not in by_name["ana"]


async def test_a_line_changes_what_differs_and_the_ledger_knows_it(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(), rich_player(), player("Bo"))
    changed = rich_player(
        name="Ana the Second",
        level=2,
        exp=0,
        x=-7,
        equipment=[1, 0],
        inventory=[
            # The sword left slot 0 to another; the bag moved with half of what was in it.
            held(0, SWORD),
            held(1, POTION, 2),
            held(2, POUCH, bag={"id": BAG, "slots": [held(2, POTION, 3)]}),
        ],
        bank=[held(5, POUCH, bag={"slots": [held(3, SWORD)]}), held(99, POTION, 1)],
        spells=[{"slot": 0, "spell_id": SPARK}, {"slot": 4, "spell_id": BLINK}],
        variables={KARMA: 1, DONE: False},
        play_time_seconds=100,
    )
    report = await bring(
        settings, tmp_path, user(), changed, {"kind": "player", "id": named("player Bo")}
    )

    hero = next(line for line in await exported(settings) if line["name"] == "Ana the Second")
    assert counts(report) == ((0, 0, 1), (0, 1, 1))
    assert (hero["level"], hero["exp"], hero["x"]) == (2, 0, -7)
    assert hero["equipment"] == [1, 0]
    assert hero["inventory"][2]["bag"]["slots"] == [held(2, POTION, 3)]
    assert hero["bank"][0]["bag"]["slots"] == [held(3, SWORD)]
    assert hero["spells"] == changed["spells"]
    assert hero["variables"] == changed["variables"]
    await assert_whole(settings)
    again = await bring(settings, tmp_path, user(), changed)
    assert counts(again) == ((0, 0, 1), (0, 0, 1))
    kinds = await database.reader.rows("SELECT kind FROM actions WHERE player_id IS NOT NULL")
    assert {row["kind"] for row in kinds} == {
        *("items.import", "players.sheet", "players.progress", "players.rename"),
        *("spells.teach", "spells.forget", "variables.set"),
    }
    await link(database)
    assert (await verify_chain.find(settings)).total == 0


async def test_places_that_a_line_leaves_out_stay(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(), rich_player())
    before = (await exported(settings))[1]

    await bring(settings, tmp_path, {"kind": "player", "id": before["id"], "bank": []})

    # Two slots were emptied, by a posting each.
    now = before | {"bank": [], "position": before["position"] + 2}
    assert (await exported(settings))[1] == now
    await assert_whole(settings)


async def test_accounts_are_changed_too(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(powers=["api"]), user("bo"))
    line = user(powers=["ban"], email="Anna@Example.com", is_muted=True)
    line |= {"name": "anna", "mute_reason": "Spam."}

    report = await bring(settings, tmp_path, line, user("bo"))
    again = await bring(settings, tmp_path, line)

    assert counts(report)[0] == (0, 1, 1)
    assert counts(again)[0] == (0, 0, 1)
    lines = await exported(settings)
    anna = next(line for line in lines if line.get("name") == "anna")
    mute = next(line for line in lines if line.get("user_id") == anna["id"])
    assert anna["email"] == "Anna@example.com"
    assert (anna["powers"], mute["type"], mute["message"]) == (["ban"], "mute", "Spam.")
    await assert_whole(settings)
    # The former name and address are free again.
    await bring(settings, tmp_path, user(id=named("another")))
    await assert_whole(settings)


async def test_an_import_mails_nobody_though_it_changes_all_addresses(settings, database, tmp_path):
    with_mail = structs.replace(settings, smtp_url=Hidden("smtp://127.0.0.1:1"))
    await make_catalog(database)
    await bring(with_mail, tmp_path, user("bo"))
    await bring(with_mail, tmp_path, user("bo", email="new@example.com"))
    assert await database.reader.value("SELECT email FROM users") == "new@example.com"
    assert await database.reader.value("SELECT count(*) FROM pgqueuer") == 0
    assert await database.reader.value("SELECT count(*) FROM email_verifications") == 0


async def test_the_language_of_an_account_comes_changes_and_goes(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(language="pt-br"), user("bo"), user("cy", language=None))

    async def languages() -> dict[str, str]:
        lines = await exported(settings)
        return {one["name"]: one.get("language", "absent") for one in lines if "email" in one}

    assert await languages() == {"ana": "pt-BR", "bo": "absent", "cy": "absent"}
    again = await bring(settings, tmp_path, user(language="pt-BR"), user("bo"), user("cy"))
    assert counts(again)[0] == (0, 0, 3)
    # Absent, it stays; null or empty, it goes.
    await bring(settings, tmp_path, user(), user("bo", language="ru-RU"), user("cy", language="de"))
    assert await languages() == {"ana": "pt-BR", "bo": "ru", "cy": "de"}
    report = await bring(settings, tmp_path, user(language=None), user("bo", language=""))
    assert counts(report)[0] == (0, 2, 0)
    assert await languages() == {"ana": "absent", "bo": "absent", "cy": "de"}
    rows = await database.reader.rows(
        "SELECT before, after FROM actions WHERE kind = 'users.import' ORDER BY id DESC LIMIT 2"
    )
    assert {row["before"]["language"] for row in rows} == {"pt-BR", "ru"}
    assert {row["after"]["language"] for row in rows} == {None}
    # Nobody needs to know it who may not know the address.
    assert "language" not in str(await exported(settings, private=False))
    await assert_whole(settings)


SALT = "C0FFEE" * 5


def intersect_password(password: str) -> dict[str, str]:
    salted = hashlib.sha256((sha(password).upper() + SALT).encode()).hexdigest()
    return {"sha256": salted.upper(), "salt": SALT}


@pytest.fixture
def cheap() -> Iterator[None]:
    with cheap_passwords():
        yield


@pytest.mark.usefixtures("cheap")
@pytest.mark.parametrize("form", [intersect_password("secret"), {"sha256": sha("secret")}])
async def test_an_imported_password_opens_its_account_and_is_hashed_anew(
    form, settings, database, tmp_path
):
    await bring(settings, tmp_path, user(password=form), user("bo"))
    vault = Vault(settings)
    sealed = "SELECT sealed FROM passwords"
    before = await database.reader.value(sealed)

    for wrong in ("Secret", form["sha256"]):
        with pytest.raises(InvalidCredentials):
            await sign_in(database, vault, wrong)
    await sign_in(database, vault, "secret")
    await sign_in(database, vault, "secret")

    assert before.startswith("sha256$")
    assert form["sha256"].lower() not in before.lower()
    assert (await database.reader.value(sealed)).startswith("v1$")
    with pytest.raises(InvalidCredentials):
        await sign_in(database, vault, "secret", key="bo")
    # From now on the account has a password of its own, which no import replaces.
    report = await bring(settings, tmp_path, user(password=intersect_password("other")))
    assert counts(report)[0] == (0, 0, 1)
    await assert_whole(settings)


async def sign_in(database, vault, password: str, key: str = "ana"):
    secret = bytes.fromhex(sha(password))
    return await passwords.authenticate(database, vault, key, secret, source="address:127.0.0.1")


@pytest.mark.usefixtures("cheap")
async def test_a_password_that_nobody_used_follows_the_file(settings, database, tmp_path):
    await bring(settings, tmp_path, user(password=intersect_password("old")))
    same = await bring(settings, tmp_path, user(password=intersect_password("old")))
    new = await bring(settings, tmp_path, user(password=intersect_password("new")))

    await sign_in(database, Vault(settings), "new")

    assert (counts(same)[0], counts(new)[0]) == ((0, 0, 1), (0, 1, 0))
    await assert_whole(settings)


@pytest.mark.usefixtures("cheap")
async def test_an_imported_password_ends_what_the_former_one_opened(settings, database, tmp_path):
    await bring(settings, tmp_path, user(password=intersect_password("old")))
    ana = await database.reader.value("SELECT id FROM users")
    opened = [
        "INSERT INTO password_resets (user_id, id, expires_at) VALUES ($1, $2, $3)",
        "INSERT INTO link_codes (hash, user_id, expires_at) VALUES (uuid_send($2), $1, $3)",
    ]
    later = datetime.now(UTC) + timedelta(hours=1)
    for sql in opened:
        await database.write(lambda writer, sql=sql: writer.run(sql, ana, uuid4(), later))

    await bring(settings, tmp_path, user(password=intersect_password("new")))

    still_open = """
        SELECT (SELECT count(*) FROM link_codes)
             + (SELECT count(*) FROM password_resets WHERE used_at IS NULL)
    """
    assert await database.reader.value(still_open) == 0
    await assert_whole(settings)


async def test_names_that_look_alike_are_imported_as_they_are(settings, database, tmp_path):
    """They were there before our rule; also such as we would not let anybody register."""
    await make_catalog(database)
    twins = [player("Bob"), player("B0b"), player("Bоb"), player("admin"), player("x")]

    report = await bring(settings, tmp_path, user("admin"), user("x"), user(), *twins)

    assert counts(report) == ((3, 0, 0), (5, 0, 0))
    await assert_whole(settings)


async def test_a_character_may_stand_before_its_account(settings, database, tmp_path):
    await make_catalog(database)
    report = await bring(settings, tmp_path, player(), user())
    assert counts(report) == ((1, 0, 0), (1, 0, 0))


async def test_csv_holds_the_flat_part(settings, database, tmp_path):
    await make_catalog(database)
    file = tmp_path / "game.csv"
    ana, hero = named("user ana"), named("player Ana")
    file.write_bytes(
        "\ufeffkind,id,name,email,powers,user_id,class_id,level,vitals,map_name\r\n"
        f"user,{ana},ana,ana@example.com,api ban,,,,,\r\n"
        f'player,{hero},"Ana, the Great",,,{ana},{KNIGHT},4,7 8,"The ""Inn"""\r\n'.encode()
    )
    report = await transfer.bring(settings, file, BY)

    [account, character] = await exported(settings)
    assert counts(report) == ((1, 0, 0), (1, 0, 0))
    assert account["powers"] == ["api", "ban"]
    assert (character["name"], character["map_name"]) == ("Ana, the Great", 'The "Inn"')
    assert (character["level"], character["vitals"]) == (4, [7, 8])

    file.write_text(f"kind,id,level\nplayer,{hero},x\nplayer,{hero}\nking,{hero},1\n")
    wrong = await transfer.bring(settings, file, BY)
    assert [(fault.line, fault.field) for fault in wrong.faults] == [
        (2, "level"),
        (3, ""),
        (4, "kind"),
    ]
    file.write_text("kind,id,levle\n")
    with pytest.raises(Problem, match="'levle' is not one of them"):
        await transfer.bring(settings, file, BY)


# ── Refused ──

BAD = {
    "no json": (b"{", "", "not valid JSON"),
    "another kind": ({"kind": "party"}, "kind", "invalid value 'party'"),
    "a misspelled field": (player(levle=1), "", "unknown field 'levle'"),
    "a string for a number": (player(level="7"), "level", "expected 'int'"),
    "level 0": (player(level=0), "level", ">= 1"),
    "a level above the class": (player(class_id=SQUIRE, level=6), "level", "highest"),
    "no such class": (player(class_id=named("?")), "class_id", "no class"),
    "an unknown item": (player(bank=[held(0, named("?"))]), "bank[0].item_id", "no item"),
    "too many": (player(inventory=[held(0, POTION, 11)]), "inventory[0].quantity", "stacks to 10"),
    "two swords in a slot": (player(inventory=[held(0, SWORD, 2)]), "inventory[0].quantity", "1"),
    "quantity 0": (player(inventory=[held(0, POTION, 0)]), "inventory[0].quantity", ">= 1"),
    "a slot twice": (
        player(inventory=[held(1, POTION), held(1, SWORD)]),
        "inventory[1].slot",
        "slot 1 is there twice",
    ),
    "a slot beyond the last": (player(bank=[held(100, SWORD)]), "bank[0].slot", "only 100"),
    "what no bank takes": (player(bank=[held(0, LETTER)]), "bank[0].item_id", "bank"),
    "a sword with contents": (player(bank=[held(0, SWORD, bag={})]), "bank[0].bag", "not a bag"),
    "a bag in a bag": (
        player(bank=[held(0, POUCH, bag={"slots": [held(0, POUCH)]})]),
        "bank[0].bag.slots[0].item_id",
        "cannot be in a bag",
    ),
    "a bag in a bag with contents": (
        player(bank=[held(0, POUCH, bag={"slots": [held(0, POUCH, bag={})]})]),
        "bank[0].bag.slots[0]",
        "unknown field 'bag'",
    ),
    "one bag in two slots": (
        player(bank=[held(0, POUCH, bag={"id": BAG}), held(1, POUCH, bag={"id": BAG})]),
        "bank[1].bag.id",
        "another slot",
    ),
    "a bag that is too full": (
        player(bank=[held(0, POUCH, bag={"slots": [held(4, SWORD)]})]),
        "bank[0].bag.slots[0].slot",
        "only 4",
    ),
    "an unknown spell": (
        player(spells=[{"slot": 0, "spell_id": named("?")}]),
        "spells[0].spell_id",
        "no spell",
    ),
    "a spell twice": (
        player(spells=[{"slot": 0, "spell_id": SPARK}, {"slot": 1, "spell_id": SPARK}]),
        "spells[1].spell_id",
        "twice",
    ),
    "a variable of another type": (player(variables={KARMA: "x"}), f"variables.{KARMA}", "integer"),
    "an unknown variable": (
        player(variables={POTION: 1}),
        f"variables.{POTION}",
        "does not have this variable",
    ),
    "a list as a variable": (player(variables={KARMA: [1]}), "variables[...]", "expected"),
    "vitals above the highest": (player(vitals=[2, 2], max_vitals=[1, 9]), "vitals", "above"),
    "a slot to wear that there is not": (player(equipment=[35]), "equipment", "0 to 34"),
    "a line break in a name": (player("A\nB"), "name", "control"),
    "NUL in a variable": (player(variables={TITLE: "\0"}), f"variables.{TITLE}", "NUL"),
    "no id": (player() | {"id": str(UUID(int=0))}, "id", "zeros"),
    "a blank name": (player(" "), "name", "blank"),
    "a time before all time": (
        player(created_at="0001-01-01T00:00:00+14:00"),
        "created_at",
        "before the year 1",
    ),
    "an id as a name": (player(named("x")), "name", "looks like an id"),
    "a name too long": (player("x" * 65), "name", "<= 64"),
    "a time without offset": (player(created_at="2026-01-01T00:00:00"), "created_at", "timezone"),
    "no address": (user("bo", email="nobody"), "email", "Malformed"),
    "an unknown language": (user("bo", language="nl"), "language", "no texts in 'nl'"),
    "an unknown power": (user("bo", powers=["king"]), "powers[0]", "king"),
    "two passwords": (user("bo", password={}), "password", "either"),
    "an empty password": (user("bo", password={"sha256": sha("")}), "password.sha256", "empty"),
    "a record that is none": (
        user("bo", password={"sealed": "v1$m=1,t=1,p=1$a$k$a$a"}),
        "password.sealed",
        "not a record",
    ),
}


class World(NamedTuple):
    settings: Settings
    database: Database


@asynccontextmanager
async def opened(template: str) -> AsyncIterator[World]:
    """A database of its own with the catalog."""
    async with cloned(template) as settings, Database.open(settings) as database:
        await make_catalog(database)
        yield World(settings, database)


@pytest.fixture(scope="module")
async def deserted(template: str) -> AsyncIterator[World]:
    """A world without anybody; every file that a test brings is refused."""
    async with opened(template) as world:
        yield world


@pytest.mark.parametrize("what", BAD)
async def test_a_bad_line_is_named_and_nothing_is_imported(what, deserted, tmp_path):
    settings, database = deserted
    line, field, reason = BAD[what]
    raw = line if isinstance(line, bytes) else msgspec.json.encode(line)
    file = tmp_path / "game.jsonl"
    file.write_bytes(
        b"\n".join([msgspec.json.encode(user()), b"", raw, msgspec.json.encode(player("Good"))])
    )
    before = await database.reader.value(EVERYTHING)

    report = await transfer.bring(settings, file, BY)

    [fault] = report.faults
    assert (fault.line, fault.field) == (3, field)
    assert reason in fault.reason
    assert await database.reader.value(EVERYTHING) == before == 0


async def test_a_huge_line_is_refused_in_little_memory(settings, tmp_path):
    file = tmp_path / "game.jsonl"
    with file.open("wb") as out:
        out.write(msgspec.json.encode(user()) + b"\n" + b'{"kind": "')
        for _ in range(40):
            out.write(b"x" * 2**20)
    report = await transfer.bring(settings, file, BY)
    assert {fault.line for fault in report.faults} == {2}
    assert "longer than 4 MiB" in report.faults[0].reason


CONFLICTS = {
    "an id twice": ([player("Bo"), player("Bo") | {"name": "Cy"}], [(3, "id", "line 2")]),
    "a name twice": ([player("Bo"), player("BO")], [(3, "name", "line 2")]),
    "an address twice": (
        [user("bo", email="a@example.com"), user("cy", email="A@example.com")],
        [(3, "email", "line 2")],
    ),
    "another's name": ([player("OLD", "ana")], [(2, "name", "has that name")]),
    "another account's name": (
        [user("OWNER", email="x@example.com")],
        [(2, "name", "has that name")],
    ),
    "another's address": (
        [user("bo", email="OWNER@example.com")],
        [(2, "email", "has that address")],
    ),
    "nobody's character": ([player("Bo", "nobody")], [(2, "user_id", "no account")]),
    "somebody else's character": ([player("Old", "ana")], [(2, "user_id", "belongs to")]),
    "half an account": ([{"kind": "user", "id": named("x")}], [(2, "", "needs a name")]),
    "half a character": ([{"kind": "player", "id": named("x")}], [(2, "", "needs a user_id")]),
    "a deleted character": ([player("Gone", "owner")], [(2, "id", "was deleted here")]),
    "another's bag": (
        [player("Bo", bank=[held(0, POUCH, bag={"id": BAG})])],
        [(2, "bag.id", "belongs to the character")],
    ),
    "one bag for two": (
        [player(name, bank=[held(0, POUCH, bag={"id": named("bag")})]) for name in ("Bo", "Cy")],
        [(3, "bag.id", "line 2")],
    ),
}


@pytest.fixture(scope="module")
async def lived_in(template: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A world with somebody, and somebody deleted; every file that a test brings is refused."""
    old = player("Old", "owner", inventory=[held(0, POUCH, bag={"id": BAG})])
    lines = [user("owner"), old, player("Gone", "owner")]
    async with opened(template) as world:
        await bring(world.settings, tmp_path_factory.mktemp("game"), *lines)
        await characters.delete.one(world.database, Deletion(by=BY, player="gone"))
        yield world


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("what", CONFLICTS)
async def test_a_conflict_with_the_file_or_the_database_is_named(what, dry_run, lived_in, tmp_path):
    settings, database = lived_in
    lines, expected = CONFLICTS[what]
    before = await database.reader.value(EVERYTHING)

    report = await bring(settings, tmp_path, user(), *lines, dry_run=dry_run)

    assert [(fault.line, fault.field) for fault in report.faults] == [one[:2] for one in expected]
    assert expected[0][2] in report.faults[0].reason
    assert await database.reader.value(EVERYTHING) == before


async def test_a_dry_run_says_what_would_happen_and_does_nothing(settings, database, tmp_path):
    await make_catalog(database)
    await bring(settings, tmp_path, user(), player(), player("Same"))
    before = await database.reader.value(EVERYTHING)

    lines = [user(), user("bo"), player(level=9), player("Same"), player("New", "bo")]
    report = await bring(settings, tmp_path, *lines, dry_run=True)

    assert counts(report) == ((1, 0, 1), (1, 1, 1))
    assert await database.reader.value(EVERYTHING) == before
    done = await bring(settings, tmp_path, *lines)
    assert counts(done) == counts(report)


async def test_what_only_the_stored_character_shows_is_refused_too(settings, database, tmp_path):
    """Its class is not in the line; its vitals are, and its highest ones are not."""
    await make_catalog(database)
    await bring(settings, tmp_path, user(), player(class_id=SQUIRE), player("Bo"))
    high = {"kind": "player", "id": named("player Ana"), "level": 6}
    much = {"kind": "player", "id": named("player Bo"), "vitals": [101, 1]}
    before = await database.reader.value(EVERYTHING)

    for dry_run in (True, False):
        report = await bring(settings, tmp_path, high, much, dry_run=dry_run)
        assert [(fault.line, fault.field) for fault in report.faults] == [
            (1, "level"),
            (2, "vitals"),
        ]
    assert await database.reader.value(EVERYTHING) == before


async def test_a_character_that_plays_is_not_changed_under_its_game_server(
    settings, database, tmp_path
):
    await make_catalog(database)
    await bring(settings, tmp_path, user(), player())
    ana = named("player Ana")
    await join(database, ana, await make_server(database))

    same = await bring(settings, tmp_path, player())
    assert same.faults == []
    for dry_run in (True, False):
        changed = await bring(settings, tmp_path, player(level=2), dry_run=dry_run)
        [fault] = changed.faults
        assert (fault.line, fault.field) == (1, "id")
        assert "online" in fault.reason


async def test_two_imports_do_not_run_at_once(settings, database, tmp_path):
    await make_catalog(database)
    file = write(tmp_path / "game.jsonl", [user(), *(player(f"Ana {n}") for n in range(300))])

    done = await asyncio.gather(
        *(transfer.bring(settings, file, BY) for _ in range(3)), return_exceptions=True
    )

    assert sum(isinstance(one, ImportRunning) for one in done) >= 1
    assert not [
        one for one in done if isinstance(one, Exception) and type(one) is not ImportRunning
    ]
    assert await database.reader.value("SELECT count(*) FROM players") == 300
    await assert_whole(settings)


async def test_gifts_go_on_while_characters_are_imported_over(settings, database, tmp_path):
    """Each gift comes before or after the import of its character, never half."""
    await make_catalog(database)
    names = [f"Ana {number}" for number in range(40)]
    lines = [user(), *(player(name, inventory=[held(0, POTION, 5)]) for name in names)]
    await bring(settings, tmp_path, *lines)
    stop = asyncio.Event()

    async def give() -> None:
        while not stop.is_set():
            gifts = [
                Gift(by=BY, player=name, item_id=UUID(POTION), quantity=1, overflow_to_bank=True)
                for name in names[::3]
            ]
            await items.give(database, gifts)

    giving = asyncio.create_task(give())
    reports = [await bring(settings, tmp_path, *lines) for _ in range(4)]
    stop.set()
    await giving

    assert all(report.faults == [] for report in reports)
    assert sum(report.players.changed for report in reports) > 0
    await assert_whole(settings)


async def test_a_file_that_changes_meanwhile_is_noticed(settings, database, tmp_path, monkeypatch):
    await make_catalog(database)
    file = write(tmp_path / "game.jsonl", [user(), player()])
    checked = transfer.staged_keys.faults

    async def rewrite(connection):
        write(file, [user(), player("Eve")])
        return await checked(connection)

    monkeypatch.setattr(transfer.staged_keys, "faults", rewrite)
    with pytest.raises(files.FileChanged):
        await transfer.bring(settings, file, BY)
    assert await database.reader.value(EVERYTHING) == 0
