"""One action undone: each kind, what may be in the way, and undone again."""

import asyncio
import random
import time
from uuid import UUID

import pytest

from gamekeeper.core import ids
from gamekeeper.core.errors import Problem
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import AlreadyUndone, UndoConflict, Undoing, Undone
from gamekeeper.ledger import losses, undoable
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from tests.history.ledgers import check_ledger, row_counts
from tests.make import (
    BY,
    fill_slot,
    make_bag_item,
    make_item,
    make_player,
    make_spell,
    make_user,
    make_variable,
    sha,
)


async def last(database):
    [row] = await database.reader.rows("SELECT * FROM actions ORDER BY at DESC LIMIT 1")
    return row


async def give(database, player, item, quantity, **about):
    """Give, and return the action's id."""
    gift = Gift(by=BY, player=str(player), item_id=item, quantity=quantity, **about)
    await items.give.one(database, gift)
    return (await last(database))["id"]


async def take(database, player, item, quantity):
    taking = Taking(by=BY, player=str(player), item_id=item, quantity=quantity)
    await items.take.one(database, taking)
    return (await last(database))["id"]


async def undo(database, action, **about) -> Undone | Problem:
    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=action, **about)])
    await check_ledger(database)
    return outcome


async def carried(database, player) -> dict[tuple[str, int], tuple[object, int]]:
    rows = await database.reader.rows(
        "SELECT place::text, slot, item_id, quantity FROM slots WHERE player_id = $1", player
    )
    return {(row["place"], row["slot"]): (row["item_id"], row["quantity"]) for row in rows}


async def whole(database) -> list[tuple[object, ...]]:
    """Every filled slot, with all that is known of it."""
    rows = await database.reader.rows(
        """
        SELECT player_id, place, slot, item_id, quantity, stat_buffs, bag_id
          FROM slots ORDER BY player_id, place, slot
        """
    )
    return [tuple(row) for row in rows]


def obstacles(outcome) -> list[tuple[object, ...]]:
    found = outcome.details["in_the_way"] if isinstance(outcome, Problem) else outcome.not_done
    return [(one.reason, one.id, one.place, one.wanted, one.possible) for one in found]


# ── Items ──


async def test_a_gift_is_taken_back_and_the_undo_is_an_action(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await give(database, ana, potion, 4)
    gift = await give(database, ana, potion, 18)

    outcome = await undo(database, gift)

    assert await carried(database, ana) == {("inventory", 0): (potion, 4)}
    assert outcome.complete
    moved = {(change.place, change.slot): change.quantity for change in outcome.done}
    assert moved == {("inventory", 0): -6, ("inventory", 1): -10, ("inventory", 2): -2}
    action = await last(database)
    assert (action["kind"], action["undoes"], action["id"]) == ("undo", gift, outcome.id)
    assert (action["player_id"], action["item_id"]) == (ana, potion)
    assert action["before"] == {"total": 22, "bank": 0, "inventory": 22}
    assert action["after"] == {"total": 4, "bank": 0, "inventory": 4}
    against = await database.reader.rows(
        "SELECT DISTINCT against FROM postings WHERE action_id = $1", outcome.id
    )
    assert [row["against"] for row in against] == ["undo"]


async def test_what_was_taken_comes_back_into_its_slots(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    potion = await make_item(database)
    await give(database, ana, potion, 1)
    await give(database, ana, sword, 3)
    before = await carried(database, ana)
    taking = await take(database, ana, sword, 2)

    outcome = await undo(database, taking)

    assert outcome.complete
    assert await carried(database, ana) == before


async def test_an_undo_can_be_undone_and_that_too(database):
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 12)
    given = await carried(database, ana)

    first = await undo(database, gift)
    assert await carried(database, ana) == {}
    second = await undo(database, first.id)
    assert await carried(database, ana) == given
    third = await undo(database, second.id)
    assert await carried(database, ana) == {}
    assert third.kind == "undo"


async def test_an_action_is_undone_once_until_its_undo_is_undone(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await give(database, ana, potion, 5)
    gift = await give(database, ana, potion, 3)

    first = await undo(database, gift)
    again = await undo(database, gift)
    assert isinstance(again, AlreadyUndone)
    assert again.details == {"by": first.id}
    redo = await undo(database, first.id)
    assert isinstance(await undo(database, first.id), AlreadyUndone)
    assert (await undo(database, gift)).complete
    assert isinstance(await undo(database, redo.id), AlreadyUndone)


async def test_what_is_no_longer_there_is_in_the_way(database):
    """Three of the five swords are gone: nothing is done, and the refusal says so."""
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    gift = await give(database, ana, sword, 5)
    await take(database, ana, sword, 3)
    before = await carried(database, ana)
    counts = await row_counts(database)

    outcome = await undo(database, gift)

    assert outcome.code == "undo_conflict"
    assert obstacles(outcome) == [("gone", sword, "inventory", 5, 2)]
    assert await carried(database, ana) == before
    assert await row_counts(database) == counts


async def test_with_partial_what_can_be_done_is_done_and_the_rest_named(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    gift = await give(database, ana, sword, 5)
    await take(database, ana, sword, 3)

    outcome = await undo(database, gift, partial=True)

    assert not outcome.complete
    assert obstacles(outcome) == [("gone", sword, "inventory", 5, 2)]
    assert await carried(database, ana) == {}
    redo = await undo(database, outcome.id)
    assert sum(change.quantity for change in redo.done) == 2


async def test_partial_does_not_make_an_undo_of_nothing(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    gift = await give(database, ana, sword, 1)
    await take(database, ana, sword, 1)

    outcome = await undo(database, gift, partial=True)

    assert outcome.code == "undo_conflict"
    assert (await last(database))["kind"] == "items.take"


async def test_what_moved_elsewhere_is_found_in_other_slots_and_in_the_bank(database):
    """Same slot first, then the others of the place, then the bank."""
    ana = await make_player(database)
    coin = await make_item(database, inventory_stack=10, bank_stack=10)
    filler = await make_item(database, "Sword", type="equipment")
    gift = await give(database, ana, coin, 8)
    await give(database, ana, coin, 6)
    await give(database, ana, filler, 33)
    await give(database, ana, coin, 9, overflow_to_bank=True)
    await take(database, ana, coin, 13)

    outcome = await undo(database, gift)

    assert isinstance(outcome, Undone)
    moved = [(change.place, change.slot, change.quantity) for change in outcome.done]
    assert moved == [("inventory", 1, -7), ("bank", 0, -1)]


async def test_what_went_comes_back_elsewhere_if_its_slot_is_in_use(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    shield = await make_item(database, "Shield", type="equipment")
    await give(database, ana, sword, 34)
    taking = await take(database, ana, sword, 2)
    await give(database, ana, shield, 2)

    outcome = await undo(database, taking)

    moved = {(change.place, change.slot) for change in outcome.done}
    assert moved == {("inventory", 34), ("bank", 0)}


async def test_without_room_anywhere_nothing_comes_back(database):
    ana = await make_player(database)
    chain = await make_item(database, "Chain", type="equipment", bankable=False)
    rock = await make_item(database, "Rock", type="equipment")
    await give(database, ana, chain, 35)
    taking = await take(database, ana, chain, 2)
    await give(database, ana, rock, 1)

    outcome = await undo(database, taking)
    assert obstacles(outcome) == [("no_room", chain, "inventory", 2, 1)]

    outcome = await undo(database, taking, partial=True)
    assert [change.quantity for change in outcome.done] == [1]


async def test_only_things_with_the_same_buffs_are_taken(database):
    """A sword that was made better is not the sword that was given."""
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    gift = await give(database, ana, sword, 1)
    await take(database, ana, sword, 1)
    await fill_slot(database, ana, "inventory", 0, sword, 1, (9, 0, 0, 0, 0))

    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=gift)])

    assert obstacles(outcome) == [("gone", sword, "inventory", 1, 0)]


async def test_what_comes_back_has_the_buffs_it_had(database):
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    await fill_slot(database, ana, "inventory", 3, sword, 1, (1, 2, 3, 4, 5))
    taking = await take(database, ana, sword, 1)

    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=taking)])

    assert outcome.complete
    [slot] = await database.reader.rows("SELECT slot, stat_buffs FROM slots")
    assert tuple(slot) == (3, [1, 2, 3, 4, 5])


async def test_a_bag_comes_back_as_the_bag_it_was(database):
    ana = await make_player(database)
    satchel = await make_bag_item(database, slots=7)
    await give(database, ana, satchel, 2)
    rows = "SELECT slot, bag_id, slot_count FROM slots JOIN bags ON bags.id = bag_id ORDER BY slot"
    before = await database.reader.rows(rows)
    taking = await take(database, ana, satchel, 2)

    back = await undo(database, taking)
    assert await database.reader.rows(rows) == before
    await undo(database, back.id)
    assert await database.reader.value("SELECT count(*) FROM bags") == 0


async def test_a_bag_with_something_in_it_is_in_the_way(database):
    ana = await make_player(database)
    satchel, potion = await make_bag_item(database), await make_item(database)
    gift = await give(database, ana, satchel, 1)

    async def put(writer) -> None:
        await writer.run(
            """
            INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity)
            SELECT player_id, id, 0, $1, 1 FROM bags
            """,
            potion,
        )

    await database.write(put)
    outcome = await undo(database, gift)

    assert obstacles(outcome) == [("bag_not_empty", satchel, "inventory", 1, 0)]


async def test_one_list_may_go_back_and_forth_over_the_same_bag(database):
    """The taking is undone, so the bag is back; then the gift is, so it is gone."""
    ana = await make_player(database)
    satchel = await make_bag_item(database)
    gift = await give(database, ana, satchel, 1)
    taking = await take(database, ana, satchel, 1)

    orders = [Undoing(by=BY, action_id=action) for action in (gift, taking, gift, taking)]
    outcomes = await execute.undo(database, orders)

    codes = [getattr(outcome, "code", "done") for outcome in outcomes]
    assert codes == ["undo_conflict", "done", "done", "already_undone"]
    await check_ledger(database)
    assert await carried(database, ana) == {}


@pytest.mark.parametrize("seed", range(3))
async def test_undone_newest_first_every_state_comes_back_and_redone_every_one_again(
    database, seed
):
    """Sixty random gifts and takings of all sorts, slot by slot the same on the way back."""
    dice = random.Random(seed)
    ana = await make_player(database, "ana")
    things = [
        await make_item(database),
        await make_item(database, "Coin", inventory_stack=50, bank_stack=7),
        await make_item(database, "Sword", type="equipment"),
        await make_item(database, "Chain", type="equipment", bankable=False),
        await make_bag_item(database),
    ]
    states, actions = [await whole(database)], []
    while len(actions) < 60:
        about = {"by": BY, "player": "ana", "item_id": dice.choice(things)}
        if dice.random() < 0.6:
            gift = Gift(**about, quantity=dice.randint(1, 25), overflow_to_bank=dice.random() < 0.5)
            [outcome] = await items.give(database, [gift])
        else:
            [outcome] = await items.take(database, [Taking(**about, quantity=dice.randint(1, 9))])
        if not isinstance(outcome, Problem):
            states.append(await whole(database))
            actions.append((await last(database))["id"])

    undos = []
    for action, before in zip(reversed(actions), reversed(states[:-1]), strict=True):
        [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=action)])
        undos.append(outcome.id)
        assert await whole(database) == before
    orders = [Undoing(by=BY, action_id=action) for action in reversed(undos)]
    assert all(outcome.complete for outcome in await execute.undo(database, orders))
    assert await whole(database) == states[-1]
    await check_ledger(database)
    assert ana


async def test_a_restore_can_be_undone_and_that_too(client, database):
    await make_player(database, "ana")
    sword = await make_item(database, "Sword", type="equipment")
    potion = await make_item(database)
    for item, quantity in ((sword, 3), (potion, 15)):
        await give(database, "ana", item, quantity)
    full = await whole(database)
    then = await database.reader.value("SELECT clock_timestamp()")
    await take(database, "ana", sword, 2)
    await take(database, "ana", potion, 15)
    bare = await whole(database)
    answer = await client.post(
        "/api/v1/players/ana/items/restore", json={"at": then.isoformat(), "reason": "lost"}
    )
    assert answer.status_code == 200, answer.text
    assert await whole(database) == full

    first = await undo(database, (await last(database))["id"])
    assert first.kind == "items.restore"
    assert await whole(database) == bare
    held = {"total": 1, "bank": 0, "inventory": 1}
    assert {"item_id": str(sword)} | held in (await last(database))["after"]["items"]
    await undo(database, first.id)
    assert await whole(database) == full


# ── Spells and variables ──


async def test_lessons_are_undone_both_ways_and_again(database):
    ana = await make_player(database, "ana")
    fire, ice = await make_spell(database), await make_spell(database, "Ice")
    for spell in (fire, ice):
        await spells.teach.one(database, Lesson(by=BY, player="ana", spell_id=spell))
    await spells.forget.one(database, Lesson(by=BY, player="ana", spell_id=fire))
    forgotten = await last(database)

    async def known() -> list[tuple[object, ...]]:
        rows = await database.reader.rows(
            "SELECT slot, spell_id FROM player_spells WHERE player_id = $1 ORDER BY slot", ana
        )
        return [tuple(row) for row in rows]

    first = await undo(database, forgotten["id"])
    assert await known() == [(0, fire), (1, ice)]
    assert (await last(database))["after"] == {"spell_id": str(fire), "slot": 0}
    second = await undo(database, first.id)
    assert await known() == [(1, ice)]
    assert (await last(database))["before"] == {"spell_id": str(fire), "slot": 0}
    await undo(database, second.id)
    assert await known() == [(0, fire), (1, ice)]


async def test_what_is_in_the_way_of_a_lesson_is_named(database, settings):
    ana = await make_player(database, "ana")
    fire, bound = await make_spell(database), await make_spell(database, "Oath", bound=True)

    async def lesson(operation, spell):
        await operation.one(database, Lesson(by=BY, player="ana", spell_id=spell))
        return (await last(database))["id"]

    taught = await lesson(spells.teach, fire)
    forgotten = await lesson(spells.forget, fire)
    assert obstacles(await undo(database, taught))[0][0] == "spell_not_known"
    oath = await lesson(spells.teach, bound)
    assert obstacles(await undo(database, oath))[0][0] == "spell_bound"
    await lesson(spells.teach, fire)
    assert obstacles(await undo(database, forgotten))[0][0] == "spell_already_known"
    await lesson(spells.forget, fire)
    for _ in range(database.settings.spell_slots - 1):
        await lesson(spells.teach, await make_spell(database, "Other"))
    assert obstacles(await undo(database, forgotten))[0][0] == "spellbook_full"
    assert await database.reader.value(
        "SELECT count(*) FROM player_spells WHERE player_id = $1", ana
    ) == (database.settings.spell_slots)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("integer", (1, 2)),
        ("boolean", (True, False)),
        ("string", ("a", "")),
        ("number", (0.1, 1e300)),
    ],
)
async def test_a_variable_is_put_back_to_what_it_was_even_to_nothing(database, kind, values):
    await make_player(database, "ana")
    karma = await make_variable(database, kind)
    actions = []
    for value in values:
        setting = Setting(by=BY, player="ana", variable_id=karma, value=value)
        await variables.assign.one(database, setting)
        actions.append((await last(database))["id"])

    async def stored() -> object:
        found = await variables.all_set(database.reader, "ana")
        return found[0].value if found else None

    second = await undo(database, actions[1])
    assert await stored() == values[0]
    first = await undo(database, actions[0])
    assert await stored() is None
    assert [change.after for change in first.done] == [None]
    await undo(database, first.id)
    assert await stored() == values[0]
    await undo(database, second.id)
    assert await stored() == values[1]


async def test_a_variable_that_was_set_since_is_in_the_way(database):
    await make_player(database, "ana")
    karma = await make_variable(database)
    for value in (1, 2):
        await variables.assign.one(
            database, Setting(by=BY, player="ana", variable_id=karma, value=value)
        )
        if value == 1:
            first = (await last(database))["id"]

    outcome = await undo(database, first, partial=True)

    [obstacle] = outcome.details["in_the_way"]
    assert (obstacle.reason, obstacle.expected, obstacle.found) == ("changed_since", 1, 2)
    assert await database.reader.value("SELECT value FROM player_variables") == 2


# ── Accounts ──


async def test_an_email_is_put_back_and_the_other_is_free_again(database):
    await make_user(database, "ana", email="ana@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="thief@example.org"))

    outcome = await undo(database, (await last(database))["id"])

    assert outcome.complete
    assert (await last(database))["after"] == {"email": "ana@example.com"}
    rows = await database.reader.rows("SELECT email_key FROM user_emails")
    assert [row["email_key"] for row in rows] == ["ana@example.com"]
    assert "thief@example.org" not in str(outcome)
    again = await undo(database, outcome.id)
    assert again.complete
    assert await database.reader.value("SELECT email FROM users") == "thief@example.org"


async def test_an_email_that_is_somebody_elses_now_or_changed_since_is_in_the_way(database):
    await make_user(database, "ana", email="ana@example.com")
    await make_user(database, "bob", email="bob@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="a@example.org"))
    change = (await last(database))["id"]
    await emails.change.one(database, NewEmail(by=BY, user="bob", email="ana@example.com"))
    bobs = (await last(database))["id"]

    assert obstacles(await undo(database, change))[0][0] == "email_taken"
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="b@example.org"))
    latest = (await last(database))["id"]
    assert obstacles(await undo(database, change))[0][0] == "changed_since"
    keys = await database.reader.rows("SELECT email_key FROM user_emails ORDER BY 1")
    assert [row["email_key"] for row in keys] == ["ana@example.com", "b@example.org"]

    orders = [Undoing(by=BY, action_id=action) for action in (latest, bobs, change)]
    outcomes = await execute.undo(database, orders)
    assert [outcome.complete for outcome in outcomes] == [True] * 3
    keys = await database.reader.rows("SELECT email_key FROM user_emails ORDER BY 1")
    assert [row["email_key"] for row in keys] == ["ana@example.com", "bob@example.com"]


async def test_powers_are_put_back_each_for_itself(database):
    await make_user(database, "ana", kick=True)
    await accounts.empower.one(
        database, PowersChange(by=BY, user="ana", api=True, ban=True, kick=False)
    )
    granted = (await last(database))["id"]
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", ban=False))

    refused = await undo(database, granted)
    [obstacle] = refused.details["in_the_way"]
    assert (obstacle.name, obstacle.expected, obstacle.found) == ("ban", True, False)

    outcome = await undo(database, granted, partial=True)
    changed = {change.name: change.after for change in outcome.done}
    assert changed == {"api": False, "kick": True}
    [row] = await database.reader.rows("SELECT api, ban, kick, mute FROM users")
    assert tuple(row) == (False, False, True, False)
    assert (await undo(database, outcome.id)).complete
    [row] = await database.reader.rows("SELECT api, ban, kick, mute FROM users")
    assert tuple(row) == (True, False, False, False)


async def test_passwords_keys_and_accounts_are_not_undone_and_say_so(client, database):
    await client.post(
        "/api/v1/users/register",
        json={"username": "bob", "email": "b@example.com", "password": sha("x")},
    )
    await client.post("/api/v1/users/bob/manage/password/change", json={"new": sha("c")})
    rows = await database.reader.rows("SELECT id, kind FROM actions ORDER BY at")

    for row in rows:
        answer = await client.post(f"/api/v1/actions/{row['id']}/undo")
        assert (answer.status_code, answer.json()["Code"]) == (409, "not_undoable")
        assert answer.json()["Details"] == {"Kind": row["kind"]}
    assert [row["kind"] for row in rows] == ["keys.create", "users.register", "users.password"]


async def test_what_was_about_somebody_who_is_gone_cannot_be_undone(database):
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 1)
    await database.write(lambda writer: writer.run("DELETE FROM slots"))
    await database.write(lambda writer: writer.run("DELETE FROM players"))

    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=gift, partial=True)])

    assert obstacles(outcome)[0][:2] == ("player_gone", ana)


async def test_what_is_no_longer_kept_cannot_be_undone(database):
    """The months of the ledger may be dropped; then nobody knows what to take back."""
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 1)
    await database.write(lambda writer: writer.run("TRUNCATE postings"))

    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=gift, partial=True)])

    assert obstacles(outcome)[0][:2] == ("no_longer_kept", potion)


async def test_a_hundred_times_back_and_forth_is_still_known(database):
    """Each undo undoes the one before it."""
    ana = await make_player(database)
    potion = await make_item(database)
    gift = action = await give(database, ana, potion, 1)
    for _ in range(100):
        [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=action)])
        action = outcome.id

    assert len(await carried(database, ana)) == 1
    assert (await undo(database, gift)).complete
    assert await carried(database, ana) == {}


# ── Over HTTP ──


async def test_undo_over_http_says_what_it_did(client, database):
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 3)

    answer = await client.post(f"/api/v1/actions/{gift}/undo", json={"reason": "a mistake"})

    assert answer.status_code == 200, answer.text
    action = await last(database)
    assert action["reason"] == "a mistake"
    change = {"What": "item", "Id": str(potion), "Name": None, "Place": "inventory", "Slot": 0}
    assert answer.json() == {
        "Id": str(action["id"]),
        "Undoes": str(gift),
        "Kind": "items.give",
        "PlayerId": str(ana),
        "UserId": None,
        "DryRun": False,
        "Complete": True,
        "Done": [change | {"Quantity": -3, "Before": None, "After": None}],
        "NotDone": [],
    }


async def test_a_refusal_over_http_names_what_is_in_the_way(client, database):
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 5)
    await take(database, ana, potion, 3)

    answer = await client.post(f"/api/v1/actions/{gift}/undo")

    assert (answer.status_code, answer.json()["Code"]) == (409, "undo_conflict")
    [obstacle] = answer.json()["Details"]["InTheWay"]
    assert obstacle["Reason"] == "gone"
    assert (obstacle["Id"], obstacle["Place"]) == (str(potion), "inventory")
    assert (obstacle["Wanted"], obstacle["Possible"]) == (5, 2)


@pytest.mark.parametrize("action", ["nonsense", "019cede2-6fc8-7a31-9c5e-2b7d9f1a3c08"])
async def test_an_unknown_action_is_not_found(client, action):
    answer = await client.post(f"/api/v1/actions/{action}/undo")
    assert (answer.status_code, answer.json()["Code"]) == (404, "action_not_found")


async def test_undoing_needs_its_scope(client, database):
    from gamekeeper.auth import keys

    key = await keys.create.one(
        database, keys.NewKey(by=BY, name="reader", scopes=("actions.read", "players.items"))
    )
    client.headers["Authorization"] = f"Bearer {key}"
    for path in ("019cede2-6fc8-7a31-9c5e-2b7d9f1a3c08/undo", "undo"):
        answer = await client.post(f"/api/v1/actions/{path}")
        assert (answer.status_code, answer.json()["Code"]) == (403, "role_required")


async def test_a_dry_run_answers_the_same_and_writes_nothing(client, database):
    """Each kind, done or refused: but for its own id, what would be answered is answered."""
    await make_user(database, "ana", email="ana@example.com")
    await make_player(database, "ana")
    potion, fire = await make_item(database), await make_spell(database)
    karma = await make_variable(database)
    path = "/api/v1/players/ana"
    calls = [
        (f"{path}/items/give", {"itemid": str(potion), "quantity": 5}),
        (f"{path}/items/take", {"itemid": str(potion), "quantity": 2}),
        (f"{path}/spells/teach", {"spellid": str(fire)}),
        (f"{path}/variables/{karma}", {"value": 7}),
        ("/api/v1/users/ana/manage/email/change", {"new": "a@example.org"}),
    ]
    for call, body in calls:
        assert (await client.post(call, json=body)).status_code == 200
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", mute=True))
    counts = await row_counts(database)
    rows = await database.reader.rows("SELECT id FROM actions WHERE kind <> 'keys.create'")
    asked = [(row["id"], partial) for row in rows for partial in (False, True)]

    for action, partial in asked:
        dry = {"dryRun": True, "partial": partial}
        previewed = await client.post(f"/api/v1/actions/{action}/undo", json=dry)
        assert await row_counts(database) == counts
        if previewed.status_code == 200:
            assert (previewed.json()["DryRun"], previewed.json()["Id"]) == (True, None)
        done = await client.post(f"/api/v1/actions/{action}/undo", json={"partial": partial})
        own = {"Id", "DryRun", "RequestId"}
        assert previewed.status_code == done.status_code
        assert {name: fact for name, fact in previewed.json().items() if name not in own} == {
            name: fact for name, fact in done.json().items() if name not in own
        }
        counts = await row_counts(database)
    assert len(asked) == 12
    await check_ledger(database)


async def test_an_undo_under_a_key_is_done_once_and_answered_the_same(client, database):
    ana = await make_player(database)
    potion = await make_item(database)
    gift = await give(database, ana, potion, 3)
    headers = {"Idempotency-Key": "k"}

    first = await client.post(f"/api/v1/actions/{gift}/undo", headers=headers)
    second = await client.post(f"/api/v1/actions/{gift}/undo", headers=headers)
    other = await client.post(
        f"/api/v1/actions/{gift}/undo", headers=headers, json={"partial": True}
    )

    assert (first.status_code, second.content) == (200, first.content)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert other.status_code == 422
    assert await database.reader.value("SELECT count(*) FROM actions WHERE kind = 'undo'") == 1


# ── At once ──


async def test_of_twenty_undos_at_once_exactly_one_wins(database):
    ana = await make_player(database)
    potion = await make_item(database)
    await give(database, ana, potion, 100)
    gift = await give(database, ana, potion, 3)
    gate = asyncio.Semaphore(8)

    async def one() -> Undone | Problem:
        async with gate:
            [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=gift)])
            return outcome

    outcomes = await asyncio.gather(*(one() for _ in range(20)))

    assert sum(isinstance(outcome, Undone) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, AlreadyUndone) for outcome in outcomes) == 19
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 100
    await check_ledger(database)


@pytest.mark.parametrize("about", ["player", "user"])
async def test_an_undo_waits_for_another_and_then_finds_it_done(database, about):
    """The first has undone the action but not committed yet when the second comes."""
    if about == "player":
        ana = await make_player(database)
        action = await give(database, ana, await make_item(database), 3)
    else:
        await make_user(database, "ana")
        await accounts.empower.one(database, PowersChange(by=BY, user="ana", mute=True))
        action = (await last(database))["id"]
    done, release = asyncio.Event(), asyncio.Event()

    async def first(writer) -> None:
        await execute.undo.one(writer, Undoing(by=BY, action_id=action))
        done.set()
        await release.wait()

    holder = asyncio.create_task(database.write(first))
    await done.wait()
    second = asyncio.create_task(execute.undo(database, [Undoing(by=BY, action_id=action)]))
    await asyncio.wait([second], timeout=0.3)
    waited = not second.done()
    release.set()
    await holder

    assert waited
    assert isinstance((await second)[0], AlreadyUndone)
    await check_ledger(database)


async def test_undos_of_an_account_at_once_are_one_too(database):
    await make_user(database, "ana")
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", mute=True))
    action = (await last(database))["id"]

    outcomes = await asyncio.gather(
        *(execute.undo(database, [Undoing(by=BY, action_id=action)]) for _ in range(5))
    )

    assert sum(isinstance(outcome, Undone) for [outcome] in outcomes) == 1
    assert await database.reader.value("SELECT count(*) FROM actions WHERE kind = 'undo'") == 1


async def test_undos_gifts_and_takings_at_once_lose_and_double_nothing(database):
    ana, bob = await make_player(database), await make_player(database)
    coin = await make_item(database, inventory_stack=1000)
    gifts = [await give(database, player, coin, 10) for player in (ana, bob) for _ in range(10)]
    gate = asyncio.Semaphore(4)

    async def at_once(turn: int) -> int:
        """One of three, and by how many it changed the sum."""
        async with gate:
            if turn % 3 == 0:
                pair = [gifts[turn // 3], gifts[-1 - turn // 3]]
                orders = [Undoing(by=BY, action_id=gift) for gift in pair]
                outcomes = await execute.undo(database, orders)
                return -10 * sum(isinstance(outcome, Undone) for outcome in outcomes)
            player = str((ana, bob)[turn % 2])
            if turn % 3 == 1:
                order = Gift(by=BY, player=player, item_id=coin, quantity=3)
                [outcome] = await items.give(database, [order])
                return 3
            order = Taking(by=BY, player=player, item_id=coin, quantity=4)
            [outcome] = await items.take(database, [order])
            return -4 if isinstance(outcome, Taking) else 0

    changes = await asyncio.gather(*(at_once(turn) for turn in range(30)))

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 200 + sum(changes)
    await check_ledger(database)


async def test_in_a_list_each_undo_is_for_itself(database):
    ana, bob = await make_player(database), await make_player(database)
    potion = await make_item(database)
    first = await give(database, ana, potion, 2)
    second = await give(database, bob, potion, 2)
    await take(database, ana, potion, 1)

    outcomes = await execute.undo(
        database, [Undoing(by=BY, action_id=action) for action in (first, second, second)]
    )

    codes = [getattr(outcome, "code", "done") for outcome in outcomes]
    assert codes == ["undo_conflict", "done", "already_undone"]
    assert await carried(database, ana) == {("inventory", 0): (potion, 1)}
    assert await carried(database, bob) == {}
    await check_ledger(database)


async def test_a_long_list_costs_no_more_statements_than_one(database, statements):
    ana = await make_player(database)
    coin = await make_item(database, inventory_stack=1000)
    await give(database, ana, coin, 1)
    gifts = [await give(database, ana, coin, 1) for _ in range(40)]

    with statements() as few:
        await execute.undo(database, [Undoing(by=BY, action_id=gifts[0])])
    with statements() as many:
        await execute.undo(database, [Undoing(by=BY, action_id=gift) for gift in gifts[1:]])

    assert len(many) == len(few) <= 16, many
    await check_ledger(database)


async def test_what_a_restore_gave_back_is_not_given_again(client, database):
    """Take 5, restore them, undo the taking: that would be ten."""
    ana = await make_player(database, "ana")
    potion = await make_item(database)
    body = {"itemid": str(potion), "quantity": 5}
    await client.post("/api/v1/players/ana/items/give", json=body)
    instant = await database.reader.value("SELECT clock_timestamp()::text")
    await client.post("/api/v1/players/ana/items/take", json=body)
    taken = await database.reader.value("SELECT id FROM actions ORDER BY id DESC LIMIT 1")
    restored = await client.post(
        "/api/v1/players/ana/items/restore", json={"at": instant.replace(" ", "T") + ":00"}
    )
    assert restored.status_code == 200, restored.text

    answer = await client.post(f"/api/v1/actions/{taken}/undo", json={})

    assert answer.status_code == 409
    assert answer.json()["Details"]["InTheWay"][0]["Reason"] == "restored"
    held = "SELECT sum(quantity) FROM slots WHERE player_id = $1"
    assert await database.reader.value(held, ana) == 5


async def test_a_process_whose_clock_is_ahead_doubles_nothing(client, database, monkeypatch):
    """The id of the taking is later than that of the restore; only the ledger's order counts."""
    ana = await make_player(database, "ana")
    potion = await make_item(database)
    await give(database, ana, potion, 5)
    instant = await database.reader.value("SELECT clock_timestamp()")
    now = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: now() + 30 * 10**9)
    monkeypatch.setattr(ids, "_clock", ids._Clock())
    taken = await take(database, ana, potion, 5)
    monkeypatch.undo()
    body = {"at": instant.isoformat()}
    restored = await client.post("/api/v1/players/ana/items/restore", json=body)
    assert UUID(restored.json()["ActionId"]) < taken

    outcome = await undo(database, taken)

    assert isinstance(outcome, UndoConflict)
    assert await carried(database, ana) == {("inventory", 0): (potion, 5)}


async def test_what_an_older_version_returned_counts_against_every_loss(client, database):
    """It named no loss, so it may have been any; refused is better than doubled."""
    ana = await make_player(database, "ana")
    potion = await make_item(database)
    await give(database, ana, potion, 5)
    instant = await database.reader.value("SELECT clock_timestamp()")
    taken = await take(database, ana, potion, 5)
    body = {"at": instant.isoformat()}
    await client.post("/api/v1/players/ana/items/restore", json=body)
    await database.write(lambda writer: writer.run("UPDATE postings SET loss_id = NULL"))

    assert isinstance(await undo(database, taken), UndoConflict)
    await take(database, ana, potion, 5)
    assert (await client.post("/api/v1/players/ana/items/restore", json=body)).json()["Values"]
    again = await client.post("/api/v1/players/ana/items/restore", json=body)
    assert again.json()["Values"] == []
    assert await carried(database, ana) == {("inventory", 0): (potion, 5)}


async def test_an_undo_does_not_read_the_whole_ledger(database):
    """Only what undos and restores gave back is read, by an index that holds nothing else."""
    ana = await make_player(database)
    potion = await make_item(database)
    taken = await give(database, ana, potion, 5)
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity,
                                  against, held_before, held_after, stat_buffs)
            SELECT $1, number, now(), gen_random_uuid(), 'bank', 0, $2, 1, 'grant', number - 1,
                   number, '{0,0,0,0,0}'
              FROM generate_series(10, 20000) AS number
            """,
            ana,
            potion,
        )
    )
    await database.write(lambda writer: writer.run("ANALYZE postings"))
    [deed] = (await undoable.read(database.reader, [taken])).values()
    rows = await database.reader.rows(
        f"EXPLAIN {losses.RETURNS}",
        [deed.player_id],
        [posting.item_id for posting in deed.postings],
    )

    plan = "\n".join(row[0] for row in rows)
    month = await database.reader.value("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')")
    assert f"Index Scan using postings_{month}_player_id_item_id_idx" in plan, plan


async def test_a_refused_undo_leaves_all_to_the_next_of_its_list(database):
    """What the first could not do whole, the second does in part: nothing was used up."""
    ana = await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    stone = await make_item(database, "Stone", type="equipment", bankable=False)
    await give(database, ana, stone, 3)
    taken = await take(database, ana, stone, 3)
    slots = database.settings.inventory_slots
    await give(database, ana, sword, slots - 1)

    outcomes = await execute.undo(
        database,
        [
            Undoing(by=BY, action_id=taken),
            Undoing(by=BY, action_id=taken, partial=True),
        ],
    )
    await check_ledger(database)

    assert isinstance(outcomes[0], UndoConflict)
    assert isinstance(outcomes[1], Undone)
    assert [change.quantity for change in outcomes[1].done] == [1]
    [obstacle] = outcomes[1].not_done
    assert (obstacle.reason, obstacle.wanted, obstacle.possible) == ("no_room", 3, 1)
