"""A whole game goes out and comes in: guilds, variables and sanctions too, and no item twice."""

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest

from gamekeeper.auth import keys
from gamekeeper.catalog import game_variables
from gamekeeper.catalog.game_variables import GameVariableSetting
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.guilds import bank, lifecycle, members
from gamekeeper.guilds import variables as guild_variables
from gamekeeper.guilds.bank import BankMove
from gamekeeper.guilds.lifecycle import GuildFounding
from gamekeeper.guilds.members import GuildJoin, GuildLeave
from gamekeeper.guilds.variables import GuildSetting
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition, Lifting
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.transfer import exporter, files
from gamekeeper.transfer import importer as transfer
from gamekeeper.transfer.importer import ImportReport
from gamekeeper.users import variables as user_variables
from gamekeeper.users.variables import UserVariableSetting
from tests.databases import cloned
from tests.in_process import in_process
from tests.ledger.chains import link
from tests.make import BY
from tests.transfer.worlds import (
    BAG,
    EVENT,
    HALL,
    LETTER,
    POTION,
    POUCH,
    RENOWN,
    SEASON,
    SWORD,
    VOTES,
    assert_whole,
    bring,
    exported,
    held,
    make_catalog,
    named,
    player,
    rich_player,
    user,
    write,
)


class World(NamedTuple):
    settings: Settings
    database: Database


@asynccontextmanager
async def another(template: str) -> AsyncIterator[World]:
    """An empty game with the catalog."""
    async with cloned(template) as settings, Database.open(settings) as database:
        await make_catalog(database)
        yield World(settings, database)


@pytest.fixture
async def world(settings: Settings, database: Database, tmp_path: Path) -> World:
    """Ana, Bo and Cy; Ana and Bo are in a guild, whose bank holds 7 of Ana's 10 potions."""
    await make_catalog(database)
    lines = [user(), user("bo"), rich_player(), player("Bo", "bo"), player("Cy", "bo")]
    await bring(settings, tmp_path, *lines)
    guild = await lifecycle.found.one(database, GuildFounding(by=BY, name="The Owls", owner="Ana"))
    join = GuildJoin(by=BY, guild_id=guild.id, player="Bo", rank=2)
    await members.change_members.one(database, join)
    await _deposit(database, guild.id, 7)
    return World(settings, database)


async def _deposit(database: Database, guild: UUID, quantity: int, who: str = "Ana") -> None:
    move = BankMove(by=BY, guild_id=guild, player=who, item_id=UUID(POTION), quantity=quantity)
    await bank.deposit.one(database, move)


async def _guild(database: Database) -> UUID:
    return await database.reader.value("SELECT id FROM guilds")


async def _live(database: Database) -> None:
    """Variables of all kinds, and sanctions of all kinds, some of them lifted or over."""
    setting = GuildSetting(by=BY, guild_id=await _guild(database), variable_id=UUID(HALL), value=2)
    await guild_variables.assign.one(database, setting)
    for variable, value in ((VOTES, "12"), (RENOWN, 1e300)):
        order = UserVariableSetting(by=BY, user="ana", variable_id=UUID(variable), value=value)
        await user_variables.assign.one(database, order)
    for variable, value in ((SEASON, "Spring\n"), (EVENT, True)):
        order = GameVariableSetting(by=BY, variable_id=UUID(variable), value=value)
        await game_variables.assign.one(database, order)
    for kind in ("ban", "mute", "trade_lock", "warning", "note"):
        wanted = Imposition(
            by=BY,
            user="bo",
            kind=kind,
            reason=f"A {kind}.",
            message="" if kind == "note" else "Line 1\nLine 2",
            evidence=["https://example.com/1"],
        )
        await sanctions.impose.one(database, wanted)
    late = Imposition(
        by=BY, player="Ana", kind="mute", ends_at=datetime(2099, 1, 1, tzinfo=UTC), reason="Spam."
    )
    lifted = await sanctions.impose.one(database, late)
    await sanctions.lift.one(database, Lifting(by=BY, sanction=lifted.code, reason="Appealed."))


async def _sent(settings: Settings, *, private: bool = True) -> bytes:
    out = io.BytesIO()
    await exporter.send(settings, out, private=private)
    return out.getvalue()


async def _brought(
    settings: Settings, folder: Path, raw: bytes, *, dry_run: bool = False, overwrite: bool = False
) -> ImportReport:
    file = folder / "export.jsonl"
    file.write_bytes(raw)
    return await transfer.bring(settings, file, BY, dry_run=dry_run, overwrite=overwrite)


async def _potions(database: Database) -> int:
    """How many there are, wherever."""
    return await database.reader.value(
        """
        SELECT sum(quantity)::int
          FROM (SELECT item_id, quantity FROM slots UNION ALL
                SELECT item_id, quantity FROM bag_slots UNION ALL
                SELECT item_id, quantity FROM guild_slots) AS held
         WHERE item_id = $1
        """,
        UUID(POTION),
    )


# ── The same game ──


async def test_a_second_export_from_a_copy_is_identical(world, template, tmp_path):
    settings, database = world
    await _live(database)
    first = await _sent(settings)
    async with another(template) as (other, copy):
        report = await _brought(other, tmp_path, first)
        assert report.faults == []
        counts = [report.guilds.added, report.sanctions.added, report.game_variables.added]
        assert counts == [1, 6, 2]
        assert await _sent(other) == first
        await assert_whole(other)
        await link(copy)
        again = await _brought(other, tmp_path, first)
        assert (again.faults, again.players.changed, again.guilds.changed) == ([], 0, 0)
        assert (again.sanctions.unchanged, again.game_variables.unchanged) == (6, 2)
        assert await _sent(other) == first


async def test_a_copy_goes_on_from_the_position_of_its_file(world, template, tmp_path):
    """A deposit in the copy is one step there too, and an old file is refused there too."""
    settings, database = world
    guild = await _guild(database)
    first = await _sent(settings)
    async with another(template) as (other, copy):
        await _brought(other, tmp_path, first)
        await _deposit(copy, guild, 2)
        await _deposit(database, guild, 2)
        assert await _sent(other) == await _sent(settings)
        report = await _brought(other, tmp_path, first)
        assert {fault.field for fault in report.faults} == {"position"}
        await assert_whole(other)


async def test_an_export_in_several_chunks_and_windows_is_whole(
    world, template, tmp_path, monkeypatch
):
    settings, database = world
    await _live(database)
    monkeypatch.setattr(exporter, "WINDOW", 2)
    monkeypatch.setattr(files, "LINES", 8)
    first = await _sent(settings)
    async with another(template) as (other, _):
        report = await _brought(other, tmp_path, first)
        assert report.faults == []
        assert await _sent(other) == first


async def test_an_interrupted_import_is_continued(world, template, tmp_path):
    """Each transaction keeps the positions of what it wrote, so the rest is not refused."""
    settings, database = world
    await _live(database)
    first = await _sent(settings)
    lines = first.splitlines(keepends=True)
    async with another(template) as (other, _):
        for written in (4, 6, len(lines)):
            report = await _brought(other, tmp_path, b"".join(lines[:written]))
            assert report.faults == []
        assert await _sent(other) == first
        await assert_whole(other)


async def test_reasons_of_sanctions_are_private(world):
    settings, database = world
    await _live(database)
    plain = (await _sent(settings, private=False)).decode()
    assert '"kind":"sanction"' in plain
    assert "A ban." not in plain
    assert "Appealed." not in plain
    assert "https://example.com/1" not in plain


async def test_the_api_answers_the_same_from_a_copy(world, template, tmp_path):
    settings, database = world
    await _live(database)
    first = await _sent(settings)
    original = await _answers(settings, database)
    async with another(template) as (other, copy):
        await _brought(other, tmp_path, first)
        answers = await _answers(other, copy)
    assert answers.keys() == original.keys()
    assert {path: answers[path] for path in answers if answers[path] != original[path]} == {}


async def _answers(settings: Settings, database: Database) -> dict[str, Any]:
    """Everything that can be read of players, accounts, guilds, variables and sanctions."""
    key = await keys.create.one(database, keys.NewKey(by=BY, name="tests"))
    found: dict[str, Any] = {}
    async with in_process(settings, None, {"Authorization": f"Bearer {key}"}) as client:

        async def read(path: str) -> Any:
            answer = await client.get(f"/api/v1/{path}")
            assert answer.status_code == 200, (path, answer.text)
            found[path] = answer.json()
            return found[path]

        for entry in (await read("users"))["Values"]:
            for part in ("", "/players", "/variables", "/sanctions"):
                await read(f"users/{entry['Id']}{part}")
        for entry in (await read("players"))["Values"]:
            parts = ("", "/items", "/items/inventory", "/items/bank", "/spells", "/variables")
            for part in (*parts, "/sheet", "/sanctions"):
                await read(f"players/{entry['Id']}{part}")
        for entry in (await read("guilds"))["Values"]:
            for part in ("", "/members", "/bank", "/variables"):
                await read(f"guilds/{entry['Key']['Id']}{part}")
        for entry in (await read("sanctions"))["Values"]:
            await read(f"sanctions/{entry['Id']}")
        await read("players/rank")
        await read("variables/global")
        await read(f"players/bag/{BAG}")
    return found


# ── Over a living game ──


@pytest.mark.parametrize("dry_run", [True, False])
async def test_items_that_were_deposited_since_the_export_do_not_come_twice(
    world, tmp_path, dry_run
):
    settings, database = world
    before, first = await _potions(database), await _sent(settings)
    await _deposit(database, await _guild(database), 3)

    report = await _brought(settings, tmp_path, first, dry_run=dry_run)

    numbers = {
        line["id"]: number
        for number, line in enumerate(map(msgspec.json.decode, first.splitlines()), 1)
    }
    moved = {numbers[named("player Ana")], numbers[str(await _guild(database))]}
    assert {fault.line for fault in report.faults} == moved
    assert "moved since the export" in report.faults[0].reason
    assert await _potions(database) == before
    await assert_whole(settings)


async def test_a_deposit_into_a_guild_that_is_not_in_the_file_is_seen_too(world, tmp_path):
    """The guild was founded after the export: only the character's position shows the move."""
    settings, database = world
    await items.give.one(database, Gift(by=BY, player="Cy", item_id=UUID(POTION), quantity=5))
    before, first = await _potions(database), await _sent(settings)
    new = await lifecycle.found.one(database, GuildFounding(by=BY, name="Rooks", owner="Cy"))
    await _deposit(database, new.id, 5, "Cy")

    report = await _brought(settings, tmp_path, first)

    [fault] = report.faults
    assert msgspec.json.decode(first.splitlines()[fault.line - 1])["name"] == "Cy"
    assert await _potions(database) == before


async def test_an_older_file_without_positions_is_refused_after_a_deposit(world, tmp_path):
    settings, database = world
    older = [
        {key: value for key, value in line.items() if key != "position"}
        for line in await exported(settings)
        if line["kind"] in ("user", "player")
    ]
    before = await _potions(database)
    await _deposit(database, await _guild(database), 3)

    for dry_run in (True, False):
        report = await bring(settings, tmp_path, *older, dry_run=dry_run)
        [fault] = report.faults
        assert (older[fault.line - 1]["name"], fault.field) == ("Ana", "id")
        assert "since the last import" in fault.reason
        assert await _potions(database) == before


async def test_a_file_that_was_edited_is_imported_where_nothing_moved(world, tmp_path):
    settings, database = world
    await _deposit(database, await _guild(database), 1, "Ana")
    lines = await exported(settings)
    for line in lines:
        if line["kind"] == "guild":
            line["bank"] = [held(3, SWORD), held(4, POTION, 2)]
            line["name"] = "The Hawks"
        elif line.get("name") == "Bo":
            line["inventory"] = [held(0, POTION, 9)]

    report = await bring(settings, tmp_path, *lines)

    assert report.faults == []
    assert (report.players.changed, report.guilds.changed) == (1, 1)
    now = {line["id"]: line for line in await exported(settings)}
    assert [now[line["id"]] for line in lines] == lines
    await assert_whole(settings)


async def test_overwrite_makes_everything_what_the_file_says(world, tmp_path):
    settings, database = world
    first = await _sent(settings)
    await _deposit(database, await _guild(database), 3)
    report = await _brought(settings, tmp_path, first, overwrite=True)
    assert report.faults == []
    assert await _sent(settings) == first
    await assert_whole(settings)


async def test_what_moved_but_is_the_same_is_not_refused(world, tmp_path):
    """The rest of a line may be changed while items come and go elsewhere."""
    settings, database = world
    await items.give.one(database, Gift(by=BY, player="Bo", item_id=UUID(POTION), quantity=1))
    lines = [line for line in await exported(settings) if line.get("name") == "Bo"]
    lines[0] |= {"level": 9, "position": 0}
    report = await bring(settings, tmp_path, *lines)
    assert (report.faults, report.players.changed) == ([], 1)


# ── Changes ──


async def test_members_change_with_an_action_each(world, tmp_path):
    settings, database = world
    guild = await _guild(database)
    lines = await exported(settings)
    line = next(line for line in lines if line["kind"] == "guild")
    ana, bo, cy = (named(f"player {name}") for name in ("Ana", "Bo", "Cy"))
    line["members"] = [{"player_id": bo, "rank": 0}, {"player_id": cy, "rank": 1}]

    report = await bring(settings, tmp_path, line)

    assert report.faults == []
    now = next(line for line in await exported(settings) if line["kind"] == "guild")
    assert {member["player_id"]: member["rank"] for member in now["members"]} == {bo: 0, cy: 1}
    rows = await database.reader.rows(
        """
        SELECT kind, player_id::text FROM actions JOIN guild_actions ON action_id = id
         WHERE guild_id = $1 AND kind IN ('guilds.join', 'guilds.kick', 'guilds.rank')
         ORDER BY actions.id DESC LIMIT 3
        """,
        guild,
    )
    assert {(row["kind"], row["player_id"]) for row in rows} == {
        ("guilds.kick", ana),
        ("guilds.rank", bo),
        ("guilds.join", cy),
    }
    assert (await bring(settings, tmp_path, line)).guilds.unchanged == 1
    await assert_whole(settings)


async def test_a_member_moves_between_two_guilds_of_the_file(world, tmp_path):
    settings, database = world
    leave = GuildLeave(by=BY, guild_id=await _guild(database), player="Bo")
    lines = await exported(settings)
    old = next(line for line in lines if line["kind"] == "guild")
    old["members"] = [member for member in old["members"] if member["rank"] == 0]
    member = {"player_id": named("player Bo"), "rank": 0}
    new = {"kind": "guild", "id": named("guild"), "name": "Rooks", "members": [member]}

    report = await bring(settings, tmp_path, new, old)

    assert report.faults == []
    assert (report.guilds.added, report.guilds.changed) == (1, 1)
    [refused] = await members.change_members(database, [leave])
    assert "not a member" in str(refused)
    await assert_whole(settings)


async def test_account_and_game_variables_are_changed_with_actions(world, tmp_path):
    settings, database = world
    await _live(database)
    ana = {"kind": "user", "id": named("user ana"), "variables": {VOTES: 13}}
    season = {"kind": "game_variable", "id": SEASON, "value": "Autumn"}

    report = await bring(settings, tmp_path, ana, season)

    assert (report.users.changed, report.game_variables.changed) == (1, 1)
    lines = await exported(settings)
    assert next(line for line in lines if line.get("name") == "ana")["variables"] == {VOTES: 13}
    assert season in lines
    await assert_whole(settings)


async def test_a_known_sanction_is_lifted_and_one_lifted_here_stays_lifted(world, tmp_path):
    settings, database = world
    await _live(database)
    lines = [line for line in await exported(settings) if line["kind"] == "sanction"]
    lift: dict[str, Any] = {"lifted_at": "2026-11-17T00:00:00Z", "lift_reason": "There."}
    ban = next(line for line in lines if line["type"] == "ban") | lift
    back = {
        key: value
        for key, value in next(line for line in lines if "lifted_at" in line).items()
        if not key.startswith("lift")
    }

    report = await bring(settings, tmp_path, ban, back)

    assert (report.sanctions.changed, report.sanctions.unchanged) == (1, 1)
    now = {line["id"]: line for line in await exported(settings)}
    assert (now[ban["id"]]["lift_reason"], now[back["id"]]["lift_reason"]) == (
        "There.",
        "Appealed.",
    )


# ── Refused ──


def guild(name: str = "Owls", **about: Any) -> dict[str, Any]:
    return {"kind": "guild", "id": named(f"guild {name}"), "name": name} | about


def sanction(**about: Any) -> dict[str, Any]:
    plain = {"kind": "sanction", "id": named("sanction"), "type": "ban"}
    return plain | {"user_id": named("user ana")} | about


def member(name: str = "Ana", rank: int = 1) -> dict[str, Any]:
    return {"player_id": named(f"player {name}"), "rank": rank}


REFUSED = {
    "an unknown member": ([guild(members=[member("Nobody")])], "members", "no character"),
    "a member twice": ([guild(members=[member(), member()])], "members[1].player_id", "twice"),
    "two owners": ([guild(members=[member(rank=0), member("Bo", 0)])], "members", "one owner"),
    "a member of two": (
        [guild(members=[member()]), guild("Rooks", members=[member()])],
        "members",
        "also in line",
    ),
    "a name twice": ([guild(), guild("OWLS")], "name", "also in line"),
    "half a guild": ([{"kind": "guild", "id": named("x")}], "", "needs a name"),
    "a blank guild": ([guild(" ")], "name", "blank"),
    "a slot beyond": ([guild(bank_slots=2, bank=[held(2, SWORD)])], "bank[0].slot", "only 2"),
    "what no bank takes": ([guild(bank=[held(0, LETTER)])], "bank[0].item_id", "bank"),
    "a full bag": ([guild(bank=[held(0, POUCH, bag={})])], "bank[0]", "unknown field"),
    "a variable of another": ([guild(variables={VOTES: 1})], f"variables.{VOTES}", "does not have"),
    "nobody's sanction": ([sanction(user_id=named("x"))], "user_id", "no account"),
    "half a sanction": ([{"kind": "sanction", "id": named("x")}], "", "needs a type"),
    "another's character": ([sanction(player_id=named("player Bo"))], "player_id", "belongs"),
    "a code twice": (
        [sanction(code="ABCD-1234"), sanction(id=named("y"), code="ABCD-1234")],
        "code",
        "also in line",
    ),
    "an odd code": ([sanction(code="x")], "code", "wrong form"),
    "an end before the start": (
        [sanction(starts_at="2026-01-02T00:00:00Z", ends_at="2026-01-01T00:00:00Z")],
        "ends_at",
        "before",
    ),
    "lifted by, but never": ([sanction(lifted_by="x")], "lifted_at", "missing"),
    "an unknown game variable": (
        [{"kind": "game_variable", "id": VOTES, "value": 1}],
        "id",
        "does not have",
    ),
    "a value of another type": (
        [{"kind": "game_variable", "id": EVENT, "value": "x"}],
        "value",
        "takes",
    ),
}


@pytest.fixture(scope="module")
async def empty(template: str) -> AsyncIterator[World]:
    async with another(template) as world:
        yield world


@pytest.mark.parametrize("what", REFUSED)
async def test_a_bad_line_is_named_and_nothing_is_imported(what, empty, tmp_path):
    settings, database = empty
    lines, field, reason = REFUSED[what]
    people = [user(), user("bo"), player(), player("Bo", "bo")]

    report = await bring(settings, tmp_path, *people, *lines)

    [fault] = report.faults
    assert fault.field == field
    assert reason in fault.reason
    assert await database.reader.value("SELECT count(*) FROM users") == 0


async def test_a_guild_that_was_disbanded_here_is_not_brought_back(world, tmp_path):
    settings, database = world
    line = next(line for line in await exported(settings) if line["kind"] == "guild")
    doomed = lifecycle.GuildDisbanding(by=BY, guild_id=UUID(line["id"]), force=True)
    await lifecycle.disband.one(database, doomed)
    report = await transfer.bring(settings, write(tmp_path / "game.jsonl", [line]), BY)
    assert ["disbanded here" in fault.reason for fault in report.faults] == [True]
