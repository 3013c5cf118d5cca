"""Everything one actor did between two instants, undone."""

from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.auth import keys
from gamekeeper.core.errors import Problem
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import bulk, execute
from gamekeeper.history.undo import transactions as whole
from gamekeeper.history.undo.bulk import Sweep
from gamekeeper.history.undo.execute import Undoing, UndoingTransaction
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from tests.history.ledgers import check_ledger, row_counts
from tests.make import BY, make_item, make_player, make_spell, make_user, make_variable

THIEF = AuditContext(actor="user:1", name="thief")
KEEPER = AuditContext(actor="user:2", name="keeper", reason="a stolen account")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def late() -> datetime:
    return datetime.now(UTC) + timedelta(days=1)


def order(**about) -> Sweep:
    return Sweep(**{"by": KEEPER, "actor": "user:1", "since": LONG_AGO, "until": late()} | about)


def gift(player, item, quantity, by=THIEF) -> Gift:
    return Gift(by=by, player=str(player), item_id=item, quantity=quantity)


def taking(player, item, quantity, by=THIEF) -> Taking:
    return Taking(by=by, player=str(player), item_id=item, quantity=quantity)


def tally(swept, kind: str) -> tuple[int, ...]:
    [one] = [one for one in swept.kinds if one.kind == kind]
    return (one.found, one.undone, one.partly, one.already_undone, one.covered, one.left)


async def state(database) -> dict[str, list[tuple[object, ...]]]:
    """All that a staff account can change."""
    tables = {
        "slots": "player_id, place, slot, item_id, quantity, stat_buffs, bag_id",
        "player_spells": "player_id, slot, spell_id",
        "player_variables": "player_id, variable_id, value",
        "users": "id, email, api, ban, kick, mute",
        "user_emails": "email_key, user_id",
    }
    return {
        table: sorted(map(tuple, await database.reader.rows(f"SELECT {columns} FROM {table}")))
        for table, columns in tables.items()
    }


@pytest.fixture
async def spree(database):
    """A player with something, and then what a stolen account does to it."""
    user = await make_user(database, "ana", email="ana@example.com")
    ana = await make_player(database, "ana", user=user)
    potion, fire = await make_item(database), await make_spell(database)
    ice, karma = await make_spell(database, "Ice"), await make_variable(database)
    await items.give(database, [gift(ana, potion, 14, BY)])
    await spells.teach.one(database, Lesson(by=BY, player="ana", spell_id=fire))
    before = await state(database)
    await items.give(database, [gift(ana, potion, 30), gift(ana, potion, 3)])
    await items.take(database, [taking(ana, potion, 40)])
    await spells.forget.one(database, Lesson(by=THIEF, player="ana", spell_id=fire))
    await spells.teach.one(database, Lesson(by=THIEF, player="ana", spell_id=ice))
    for value in (5, 6):
        setting = Setting(by=THIEF, player="ana", variable_id=karma, value=value)
        await variables.assign.one(database, setting)
    for email in ("x@example.org", "y@example.org"):
        await emails.change.one(database, NewEmail(by=THIEF, user="ana", email=email))
    await accounts.empower.one(database, PowersChange(by=THIEF, user="ana", api=True, ban=True))
    await keys.create.one(database, keys.NewKey(by=THIEF, name="back door"))
    return before


async def test_a_spree_is_undone_newest_first_and_the_key_is_listed(database, spree):
    swept = await bulk.sweep(database, order())

    assert await state(database) == spree
    await check_ledger(database)
    assert tally(swept, "items.give") == (2, 2, 0, 0, 0, 0)
    assert tally(swept, "variables.set") == (2, 2, 0, 0, 0, 0)
    assert tally(swept, "keys.create") == (1, 0, 0, 0, 0, 1)
    assert sum(kind.undone for kind in swept.kinds) == 10
    assert [(left.kind, left.code) for left in swept.left] == [("keys.create", "not_undoable")]
    assert swept.next is None
    undos = await database.reader.rows(
        "SELECT actor, reason FROM actions WHERE kind = 'undo' GROUP BY actor, reason"
    )
    assert [tuple(row) for row in undos] == [("user:2", "a stolen account")]


async def test_a_dry_run_counts_and_writes_nothing(database, spree):
    counts, before = await row_counts(database), await state(database)

    previewed = await bulk.sweep(database, order(), dry_run=True)

    assert (await row_counts(database), await state(database)) == (counts, before)
    assert previewed.dry_run
    swept = await bulk.sweep(database, order())
    assert (previewed.kinds, previewed.left) == (swept.kinds, swept.left)


async def test_a_second_sweep_finds_all_undone(database, spree):
    await bulk.sweep(database, order())
    counts = await row_counts(database)

    again = await bulk.sweep(database, order())

    assert await row_counts(database) == counts
    assert sum(kind.already_undone for kind in again.kinds) == 10
    assert sum(kind.undone for kind in again.kinds) == 0


async def test_only_the_actor_and_only_the_time_are_swept(database):
    ana = await make_player(database)
    coin = await make_item(database, inventory_stack=100_000)
    await items.give.one(database, gift(ana, coin, 1))
    await items.give.one(database, gift(ana, coin, 10, BY))
    await items.give.one(database, gift(ana, coin, 100))
    middle = await database.reader.value("SELECT max(at) FROM actions")
    await items.give.one(database, gift(ana, coin, 1000))

    async def held() -> int:
        return await database.reader.value("SELECT sum(quantity) FROM slots")

    await bulk.sweep(database, order(since=middle, until=middle))
    assert await held() == 1011
    await bulk.sweep(database, order(since=middle))
    assert await held() == 11
    await bulk.sweep(database, order(actor="user:3"))
    assert await held() == 11
    await bulk.sweep(database, order())
    assert await held() == 10


async def test_what_is_in_the_way_of_one_does_not_stop_the_others(database):
    ana, bob = await make_player(database), await make_player(database)
    sword = await make_item(database, "Sword", type="equipment")
    await items.give(database, [gift(ana, sword, 5), gift(bob, sword, 5)])
    await items.take.one(database, taking(ana, sword, 3, BY))

    swept = await bulk.sweep(database, order())
    assert tally(swept, "items.give") == (2, 1, 0, 0, 0, 1)
    [left] = swept.left
    assert left.code == "undo_conflict"
    assert [(one.wanted, one.possible) for one in left.in_the_way] == [(5, 2)]

    swept = await bulk.sweep(database, order(partial=True))
    assert tally(swept, "items.give") == (2, 0, 1, 1, 0, 0)
    assert [left.code for left in swept.left] == ["partly_undone"]
    assert await database.reader.value("SELECT count(*) FROM slots") == 0
    await check_ledger(database)


async def test_the_actors_own_undos_do_not_go_back_and_forth(database):
    """What the thief undid of others is done again; what of their own stays undone."""
    ana = await make_player(database)
    coin = await make_item(database, inventory_stack=1000)

    async def last():
        return await database.reader.value("SELECT id FROM actions ORDER BY at DESC LIMIT 1")

    async def undo(action):
        await execute.undo.one(database, Undoing(by=THIEF, action_id=action))
        return await last()

    await items.give.one(database, gift(ana, coin, 10, BY))
    await undo(await last())
    await items.give.one(database, gift(ana, coin, 3))
    await undo(await last())
    await items.give.one(database, gift(ana, coin, 5))
    await undo(await undo(await last()))

    swept = await bulk.sweep(database, order())

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 10
    assert tally(swept, "undo") == (4, 1, 0, 0, 3, 0)
    assert tally(swept, "items.give") == (2, 1, 0, 1, 0, 0)
    await check_ledger(database)


async def test_a_long_spree_is_swept_call_by_call(database):
    """Two and a half thousand gifts and takings, in three calls."""
    ana, bob = await make_player(database), await make_player(database)
    coin = await make_item(database, inventory_stack=100_000)
    for _ in range(25):
        await items.give(database, [gift(player, coin, 2) for player in (ana, bob) * 25])
        await items.take(database, [taking(player, coin, 1) for player in (ana, bob) * 25])

    calls, cursor = [], None
    while not calls or cursor:
        calls.append(await bulk.sweep(database, order(cursor=cursor)))
        cursor = calls[-1].next

    assert [sum(kind.undone for kind in swept.kinds) for swept in calls] == [1000, 1000, 500]
    assert {kind.found for swept in calls for kind in swept.kinds} == {1250}
    assert await database.reader.value("SELECT count(*) FROM slots") == 0
    await check_ledger(database)


async def test_a_sweep_over_http_is_answered_once_under_its_key(client, database, spree):
    body = {"actor": "user:1", "from": "2020-01-01T00:00:00Z", "to": late().isoformat()}
    headers = {"Idempotency-Key": "k", "X-Reason": "stolen"}

    first = await client.post("/api/v1/actions/undo", json=body, headers=headers)
    second = await client.post("/api/v1/actions/undo", json=body, headers=headers)

    assert first.status_code == 200, first.text
    assert second.content == first.content
    assert second.headers["Idempotency-Replayed"] == "true"
    assert (first.json()["Actor"], first.json()["Next"]) == ("user:1", None)
    given = {
        "Kind": "items.give",
        "Found": 2,
        "Undone": 2,
        "Partly": 0,
        "AlreadyUndone": 0,
        "Covered": 0,
        "Left": 0,
    }
    assert given in first.json()["Kinds"]
    assert await state(database) == spree


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"from": "2020-01-01T00:00:00Z", "to": "2020-01-01T00:00:00Z"}, "actor"),
        ({"actor": "system", "to": "2020-01-01T00:00:00Z"}, "from"),
        ({"actor": "system", "from": "yesterday", "to": "2020-01-01T00:00:00Z"}, "from"),
        ({"actor": "system", "from": "2020-01-01T00:00:00", "to": "2020-01-01T00:00:00Z"}, "from"),
    ],
)
async def test_a_sweep_needs_an_actor_and_two_instants(client, body, field):
    answer = await client.post("/api/v1/actions/undo", json=body)

    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_body")
    assert answer.json()["Details"] == {"Field": field}


async def test_two_sweeps_at_once_undo_everything_once(database, spree):
    import asyncio

    swept = await asyncio.gather(*(bulk.sweep(database, order()) for _ in range(3)))

    assert not [outcome for outcome in swept if isinstance(outcome, Problem)]
    assert sum(kind.undone for outcome in swept for kind in outcome.kinds) == 10
    assert await state(database) == spree
    await check_ledger(database)


def trade(item, one, other, quantity, by=THIEF) -> Transaction:
    move = MoveItems(
        item_id=item,
        quantity=quantity,
        source=Endpoint(player=str(one)),
        target=Endpoint(player=str(other)),
    )
    return Transaction(by=by, holder=None, expected=(), moves=[move])


async def test_trades_are_undone_whole_and_in_their_place(database):
    """Given, traded on, traded further: each undo needs the one before it, in a dry run too."""
    ana, bo, cy = [await make_player(database, name) for name in ("ana", "bo", "cy")]
    potion = await make_item(database)
    await items.give(database, [gift(ana, potion, 5)])
    await transact.one(database, trade(potion, ana, bo, 5))
    await transact(database, [trade(potion, bo, cy, 3), trade(potion, bo, ana, 1)])
    before = await row_counts(database)

    previewed = await bulk.sweep(database, order(), dry_run=True)
    assert await row_counts(database) == before
    swept = await bulk.sweep(database, order())

    assert (await state(database))["slots"] == []
    assert previewed.kinds == swept.kinds
    assert tally(swept, "items.move") == (6, 6, 0, 0, 0, 0)
    assert tally(swept, "items.give") == (1, 1, 0, 0, 0, 0)
    assert swept.left == []
    again = await bulk.sweep(database, order())
    assert tally(again, "items.move") == (6, 0, 0, 6, 0, 0)
    await check_ledger(database)


async def test_a_trade_in_whose_way_something_is_is_left_on_both_sides(database):
    ana, bo, cy = [await make_player(database, name) for name in ("ana", "bo", "cy")]
    potion = await make_item(database)
    await items.give(database, [gift(ana, potion, 5, BY)])
    await transact.one(database, trade(potion, ana, bo, 5))
    await transact.one(database, trade(potion, bo, cy, 3, BY))

    swept = await bulk.sweep(database, order(partial=True))
    assert tally(swept, "items.move") == (2, 0, 0, 0, 0, 2)
    assert {left.code for left in swept.left} == {"undo_conflict"}


async def test_undos_of_others_trades_are_undone_whole(database):
    """A stolen staff account undid a trade: that is taken back, on both sides."""
    ana, bo = [await make_player(database, name) for name in ("ana", "bo")]
    potion = await make_item(database)
    await items.give(database, [gift(ana, potion, 5, BY)])
    made = await transact.one(database, trade(potion, ana, bo, 5, BY))
    before = await state(database)
    undoing = UndoingTransaction(by=THIEF, transaction_id=made.id)
    await whole.undo.one(database, undoing)

    swept = await bulk.sweep(database, order())
    assert tally(swept, "undo") == (2, 2, 0, 0, 0, 0)
    assert await state(database) == before
