"""gamekeeper actions undo, as a person or a script runs it."""

import msgspec
import pytest

from gamekeeper.auth import keys
from gamekeeper.db.operations import AuditContext
from gamekeeper.players import attributes, items
from gamekeeper.players.attributes import Promotion, SheetSaving
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.sheet import SheetChange
from gamekeeper.servers.transactions import Transaction, transact
from tests.cli.command import gamekeeper
from tests.make import BY, make_item, make_player

THIEF = AuditContext(actor="user:1", name="thief")
ALWAYS = ["--actor", "user:1", "--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"]


@pytest.fixture
def undo(settings):
    """Runs the command in a process of its own: its exit code, and what it said."""

    def run(*words: str) -> tuple[int, str, str]:
        done = gamekeeper(settings, "actions", "undo", *words)
        return done.returncode, done.stdout, done.stderr

    return run


async def give(database, item, quantity: int, by: AuditContext = BY) -> str:
    await items.give.one(database, Gift(by=by, player="ana", item_id=item, quantity=quantity))
    return str(await database.reader.value("SELECT id FROM actions ORDER BY at DESC LIMIT 1"))


@pytest.fixture
async def potion(database):
    await make_player(database, "ana")
    return await make_item(database, inventory_stack=1000)


async def held(database) -> int:
    return await database.reader.value("SELECT coalesce(sum(quantity), 0) FROM slots")


async def test_one_action_is_shown_first_and_undone_then(database, potion, undo):
    gift = await give(database, potion, 5)

    code, said, complained = undo(gift, "--dry-run")
    assert (code, await held(database)) == (0, 5), complained
    assert "Dry run" in said
    code, said, _ = undo(gift, "--json", "--reason", "a mistake")
    assert (code, await held(database)) == (0, 0)
    answer = msgspec.json.decode(said)
    assert (answer["Undoes"], answer["Complete"]) == (gift, True)
    assert await database.reader.value("SELECT reason FROM actions WHERE kind = 'undo'")
    code, said, _ = undo(answer["Id"])
    assert (code, await held(database)) == (0, 5)
    assert f"{potion}  inventory 0  +5" in said


async def test_what_is_in_the_way_is_shown_and_the_exit_code_says_so(database, potion, undo):
    gift = await give(database, potion, 5)
    await items.take.one(database, Taking(by=BY, player="ana", item_id=potion, quantity=3))

    code, said, complained = undo(gift)
    assert code == 1
    assert "gone" in said
    assert "2 of 5" in said
    assert "The state has changed since; nothing was undone." in complained
    code, said, _ = undo(gift, "--partial")
    assert (code, await held(database)) == (1, 0)
    assert "a part of it" in said


async def test_everything_of_one_actor_is_counted_first_and_undone_then(database, potion, undo):
    await give(database, potion, 1)
    for _ in range(3):
        await give(database, potion, 2, THIEF)
    await keys.create.one(database, keys.NewKey(by=THIEF, name="back door"))

    code, said, _ = undo(*ALWAYS, "--dry-run")
    assert (code, await held(database)) == (1, 7)
    assert "Creating a key cannot be undone" in said
    code, said, _ = undo(*ALWAYS, "--json")
    assert (code, await held(database)) == (1, 1)
    kinds = {tally["Kind"]: tally["Undone"] for tally in msgspec.json.decode(said)["Kinds"]}
    assert kinds == {"items.give": 3, "keys.create": 0}


@pytest.fixture
async def theft(database, potion):
    """A game server's key moves potions from ana to bo and cy; bo uses one up."""
    await items.give.one(database, Gift(by=BY, player="ana", item_id=potion, quantity=9))
    for name in ("bo", "cy"):
        await make_player(database, name)
        move = MoveItems(
            item_id=potion,
            quantity=3,
            source=Endpoint(player="ana"),
            target=Endpoint(player=name),
        )
        order = Transaction(by=THIEF, holder=None, expected=(), moves=[move])
        await transact.one(database, order)
    await items.take.one(database, Taking(by=THIEF, player="bo", item_id=potion, quantity=1))


async def test_what_left_a_player_is_shown_by_recipient_and_undone_then(database, theft, undo):
    span = ["--player", "Ana", "--from", "1 hour ago"]

    code, said, _ = undo(*span, "--dry-run")
    assert (code, await held(database)) == (1, 8)
    assert "0 of 3 Potion" in said
    assert "3 of 3 Potion" in said
    assert "bo: gone, 2 of 3." in said
    assert "Dry run: nothing was undone." in said
    code, said, _ = undo(*span, "--json", "--reason", "stolen account")
    assert code == 1
    recipients = msgspec.json.decode(said)["Recipients"]
    assert {
        recipient["Name"]: (recipient["Undone"], recipient["Left"]) for recipient in recipients
    } == {
        "bo": (0, 1),
        "cy": (1, 0),
    }
    rows = await database.reader.rows(
        "SELECT name, sum(quantity)::int FROM slots JOIN players ON players.id = player_id "
        "GROUP BY name"
    )
    assert dict(map(tuple, rows)) == {"ana": 6, "bo": 2}


async def test_what_left_an_account_is_found_by_its_name(database, theft, undo):
    account = await database.reader.value(
        "SELECT users.name FROM users JOIN players ON user_id = users.id WHERE players.name = 'ana'"
    )

    code, said, _ = undo("--user", account, "--from", "1 hour ago", "--all", "--dry-run", "--json")

    assert code == 1
    kinds = {kind["Kind"]: kind["Found"] for kind in msgspec.json.decode(said)["Kinds"]}
    assert kinds == {"items.give": 1, "items.move": 2}


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--actor", "user:1"],
        ["nonsense"],
        ["--player", "ana"],
        ["--player", "ana", "--user", "ana", "--from", "today"],
        ["--actor", "user:1", "--from", "today", "--to", "now", "--all"],
    ],
)
async def test_half_a_command_undoes_nothing(database, undo, words):
    code, _, complained = undo(*words)

    assert code != 0
    assert complained


async def test_actions_of_one_batch_have_different_ids_in_the_lists(
    settings, database, potion, undo
):
    gifts = [Gift(by=BY, player="ana", item_id=potion, quantity=many) for many in (1, 2, 3)]
    await items.give(database, gifts)

    for listing in (("actions", "list"), ("players", "history", "ana")):
        lines = gamekeeper(settings, *listing).stdout.splitlines()
        [two] = [line for line in lines if "items.give" in line and "+2" in line]
        ids = {line.split()[-1] for line in lines if "items.give" in line}
        assert len(ids) == 3

    code, _, complained = undo(two.split()[-1])
    assert (code, await held(database)) == (0, 4), complained


async def test_an_ambiguous_id_says_what_each_action_is(database, potion, undo):
    gifts = [Gift(by=BY, player="ana", item_id=potion, quantity=1) for _ in range(12)]
    await items.give(database, gifts)
    rows = await database.reader.rows("SELECT id, at FROM actions ORDER BY id")

    code, _, complained = undo(str(rows[0]["id"])[:9])

    assert (code, await held(database)) == (1, 12)
    first, *matches, more = complained.rstrip().splitlines()
    assert "This id is ambiguous. It matches:" in first
    assert matches == [
        f"  {row['id']}  {row['at']:%Y-%m-%d %H:%M:%S} UTC  items.give  ana" for row in rows[:10]
    ]
    assert more.strip() == "… and more"


async def test_the_history_says_which_values_changed(settings, database, potion):
    await attributes.set_level.one(database, Promotion(by=BY, player="ana", level=7))
    change = SheetChange(map_name="Old Mill", x=4, vitals=[90, 40], max_vitals=[100, 50])
    await attributes.save_sheets.one(database, SheetSaving(by=BY, player="ana", change=change))

    lines = gamekeeper(settings, "players", "history", "ana").stdout.splitlines()

    [progress] = [line for line in lines if "level" in line]
    assert "level 1 → 7" in progress
    [sheet] = [line for line in lines if "players.sheet" in line]
    assert "x 0 → 4, vitals 100/100 → 90/40, map_name Old Mill, …" in sheet
