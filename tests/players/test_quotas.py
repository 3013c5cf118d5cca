"""Limits: what counts against them, and that no two changes at once overshoot them."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Allowance, AuditContext
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import bulk, execute
from gamekeeper.history.undo import transactions as whole
from gamekeeper.history.undo.bulk import Sweep, Swept
from gamekeeper.history.undo.execute import Undoing, UndoingTransaction
from gamekeeper.players import characters, items, quotas
from gamekeeper.players.characters import Deletion
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.players.quotas import LimitExceeded
from gamekeeper.players.records import Holding
from gamekeeper.servers.transactions import Transaction, transact
from tests.history.ledgers import check_ledger, row_counts
from tests.make import BY, make_item, make_player

ANA = "user:ana"
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def limited(actor: str = ANA, **limits: int) -> AuditContext:
    return AuditContext(actor=actor, name="ana", allowance=Allowance(actor, limits))


def gift(by: AuditContext, player: UUID, item: UUID, quantity: int = 1) -> Gift:
    return Gift(by=by, player=str(player), item_id=item, quantity=quantity, overflow_to_bank=True)


async def used(database: Database, actor: str = ANA) -> dict[str, int]:
    rows = await database.reader.rows(
        "SELECT subject, used FROM quota_usage WHERE actor = $1", actor
    )
    return {row["subject"]: row["used"] for row in rows}


async def last_action(database: Database) -> UUID:
    return await database.reader.value("SELECT id FROM actions ORDER BY id DESC LIMIT 1")


def exceeded(outcome: object) -> dict[str, object]:
    assert isinstance(outcome, LimitExceeded)
    return outcome.details


async def test_a_gift_within_the_limits_is_given_and_counted(database):
    player, potion = await make_player(database), await make_item(database, value=5)
    by = limited(pieces_per_day=10, value_per_day=100, largest_gift=8)

    held = await items.give.one(database, gift(by, player, potion, 8))

    assert held == Holding(total=8, bank=0, inventory=8)
    assert await used(database) == {str(potion): 8, "value": 40}


@pytest.mark.parametrize(
    ("limits", "beyond"),
    [
        ({"pieces_per_day": 9}, {"limit": "pieces_per_day", "allowed": 9, "used": 6, "wanted": 4}),
        (
            {"value_per_day": 49},
            {"limit": "value_per_day", "allowed": 49, "used": 30, "wanted": 20},
        ),
        ({"largest_gift": 3}, {"limit": "largest_gift", "allowed": 3, "used": 0, "wanted": 4}),
        ({"pieces_per_day": 0}, {"limit": "pieces_per_day", "allowed": 0, "used": 6, "wanted": 4}),
    ],
    ids=["pieces", "value", "largest", "none"],
)
async def test_a_gift_beyond_a_limit_leaves_nothing_behind(database, limits, beyond):
    player, potion = await make_player(database), await make_item(database, value=5)
    await items.give.one(database, gift(limited(undos_per_day=0), player, potion, 6))
    before = await row_counts(database), await used(database)

    [outcome] = await items.give(database, [gift(limited(**limits), player, potion, 4)])

    assert exceeded(outcome) == beyond
    assert (await row_counts(database), await used(database)) == before


async def test_pieces_are_counted_for_each_item_and_value_for_all(database):
    player = await make_player(database)
    potion, sword = await make_item(database, value=2), await make_item(database, "Rope", value=3)
    token = await make_item(database, "Token")
    by = limited(pieces_per_day=5, value_per_day=24)

    outcomes = await items.give(
        database, [gift(by, player, item, 5) for item in (potion, sword, token)]
    )

    assert [exceeded(outcome)["limit"] for outcome in outcomes if isinstance(outcome, Problem)] == [
        "value_per_day"
    ]
    # An item without a value is worth nothing here.
    assert await used(database) == {str(potion): 5, str(token): 5, "value": 10}


async def test_in_one_list_each_counts_and_a_refused_neighbour_does_not(database):
    player, potion = await make_player(database), await make_item(database)
    by, unlimited = limited(pieces_per_day=10), BY

    outcomes = await items.give(
        database,
        [
            gift(by, player, potion, 6),
            gift(by, player, potion, 5),
            gift(unlimited, player, potion, 20),
            gift(by, player, potion, 4),
            gift(limited("user:bob", pieces_per_day=3), player, potion, 3),
        ],
    )

    assert [isinstance(outcome, Problem) for outcome in outcomes] == [
        False,
        True,
        False,
        False,
        False,
    ]
    assert await used(database) == {str(potion): 10}
    assert await used(database, "user:bob") == {str(potion): 3}


async def test_fifty_at_once_in_two_processes_give_exactly_the_limit(database, settings):
    """Two databases are two pools, as of two processes: they share nothing but PostgreSQL."""
    players = [await make_player(database) for _ in range(5)]
    potion = await make_item(database)
    by = limited(pieces_per_day=20)

    async with Database.open(settings) as other:
        outcomes = await asyncio.gather(
            *(
                items.give.one((database, other)[n % 2], gift(by, players[n % 5], potion))
                for n in range(50)
            ),
            return_exceptions=True,
        )

    assert sum(isinstance(outcome, Holding) for outcome in outcomes) == 20
    assert sum(isinstance(outcome, LimitExceeded) for outcome in outcomes) == 30
    assert await used(database) == {str(potion): 20}
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 20
    await check_ledger(database)


async def test_a_change_waits_for_one_that_was_counted_and_not_committed(database):
    player, potion = await make_player(database), await make_item(database)
    by, counted, end = limited(pieces_per_day=10), asyncio.Event(), asyncio.Event()

    async def count(writer: Writer) -> None:
        await writer.rows(quotas.LOCK, [ANA])
        await writer.run(
            """
            INSERT INTO quota_usage (actor, day, subject, used)
            VALUES ($1, (now() AT TIME ZONE 'utc')::date, $2, 10)
            """,
            ANA,
            str(potion),
        )
        counted.set()
        await end.wait()

    first = asyncio.create_task(database.write(count))
    await counted.wait()
    # A call of its own is batched with others, and a batch first tries the lock without waiting.
    second = asyncio.create_task(items.give.one(database, gift(by, player, potion)))
    while not (second.done() or await database.reader.value(WAITING)):
        await asyncio.sleep(0.01)
    end.set()
    await first

    with pytest.raises(LimitExceeded):
        await second
    assert await used(database) == {str(potion): 10}


WAITING = """
    SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted)
"""


async def test_who_has_no_limits_costs_no_statement_more(database, statements):
    player, potion = await make_player(database), await make_item(database)
    await items.give.one(database, gift(BY, player, potion))

    async def sent(by: AuditContext) -> list[str]:
        with statements() as block:
            await items.give(database, [gift(by, player, potion)])
        return block

    plain, counted = await sent(BY), await sent(limited(pieces_per_day=9))

    assert not [sql for sql in plain if "quota" in sql]
    # A lock, a read and a write, whatever the number of gifts.
    assert len(counted) == len(plain) + 3


async def test_each_day_begins_anew(database):
    player, potion = await make_player(database), await make_item(database)
    by = limited(pieces_per_day=5)
    await items.give.one(database, gift(by, player, potion, 5))
    await database.write(lambda writer: writer.run("UPDATE quota_usage SET day = day - 1"))

    await items.give.one(database, gift(by, player, potion, 5))

    with pytest.raises(LimitExceeded):
        await items.give.one(database, gift(by, player, potion, 1))


async def test_counters_stop_at_the_largest_number_and_do_not_overflow(database):
    player, gold = await make_player(database), await make_item(database, value=2**53)
    by = limited(pieces_per_day=1000)

    await items.give.one(database, gift(by, player, gold, 300))
    await items.give.one(database, gift(by, player, gold, 300))

    assert await used(database) == {str(gold): 600, "value": 2**53}


# ── All that creates items ──


async def test_a_transaction_counts_what_it_creates_and_not_what_it_moves(database):
    one, other = await make_player(database), await make_player(database)
    potion = await make_item(database)
    by = limited(pieces_per_day=10, largest_gift=9)

    def transaction(*moves: MoveItems) -> Transaction:
        return Transaction(by=by, holder=None, expected=[], moves=moves)

    def move(quantity: int, source: UUID | None, target: UUID | None) -> MoveItems:
        ends = [Endpoint(player=str(end)) if end else None for end in (source, target)]
        return MoveItems(item_id=potion, quantity=quantity, source=ends[0], target=ends[1])

    outcomes = await transact(
        database,
        [
            transaction(move(4, None, one), move(3, None, other)),
            transaction(move(4, one, other), move(7, other, one)),
            transaction(move(5, None, one), move(5, None, other)),
            transaction(move(4, None, one)),
            transaction(move(7, one, None), move(3, None, other)),
        ],
    )

    assert [
        outcome.details["limit"] if isinstance(outcome, Problem) else "" for outcome in outcomes
    ] == [*("", "", "largest_gift", "pieces_per_day", "")]
    assert await used(database) == {str(potion): 10}
    await check_ledger(database)


async def test_a_restore_counts_and_a_dry_run_of_it_does_not(database):
    player, potion = await make_player(database), await make_item(database)
    await items.give.one(database, gift(BY, player, potion, 8))
    then = await database.reader.value("SELECT clock_timestamp()")
    taking = Taking(by=BY, player=str(player), item_id=potion, quantity=8)
    await items.take.one(database, taking)

    async def restored(limit: int, *, dry_run: bool = False):
        by = limited(pieces_per_day=limit)
        command = Restoration(by=by, player=str(player), at=then, dry_run=dry_run)
        [outcome] = await restore.restore(database, [command])
        return outcome

    assert not isinstance(await restored(7, dry_run=True), Problem)
    assert exceeded(await restored(7))["wanted"] == 8
    assert await used(database) == {}
    assert not isinstance(await restored(8), Problem)
    assert await used(database) == {str(potion): 8}


async def test_an_undo_counts_and_so_does_what_it_brings_back(database):
    player, potion = await make_player(database), await make_item(database)
    await items.give.one(database, gift(BY, player, potion, 8))
    await items.take.one(database, Taking(by=BY, player=str(player), item_id=potion, quantity=5))
    taken = await last_action(database)

    async def undone(**limits: int):
        [outcome] = await execute.undo(database, [Undoing(by=limited(**limits), action_id=taken)])
        return outcome

    assert exceeded(await undone(undos_per_day=0))["limit"] == "undos_per_day"
    assert exceeded(await undone(pieces_per_day=4))["limit"] == "pieces_per_day"
    assert await used(database) == {}
    [previewed] = await execute.undo.preview(
        database, [Undoing(by=limited(undos_per_day=0), action_id=taken)]
    )
    assert not isinstance(previewed, Problem)
    assert not isinstance(await undone(undos_per_day=1, pieces_per_day=5), Problem)
    assert await used(database) == {"undos": 1, str(potion): 5}


async def test_to_undo_a_gift_does_not_give_the_budget_back(database):
    player, potion = await make_player(database), await make_item(database)
    by = limited(pieces_per_day=5)
    await items.give.one(database, gift(by, player, potion, 5))

    await execute.undo.one(database, Undoing(by=by, action_id=await last_action(database)))

    with pytest.raises(LimitExceeded):
        await items.give.one(database, gift(by, player, potion, 1))
    with pytest.raises(LimitExceeded):
        await execute.undo.one(database, Undoing(by=by, action_id=await last_action(database)))


async def test_a_deleted_character_that_comes_back_counts_with_all_it_had(database):
    player, potion = await make_player(database), await make_item(database, value=3)
    await items.give.one(database, gift(BY, player, potion, 360))
    await characters.delete.one(database, Deletion(by=BY, player=str(player)))
    deleted = await last_action(database)

    async def undone(**limits: int):
        [outcome] = await execute.undo(database, [Undoing(by=limited(**limits), action_id=deleted)])
        return outcome

    assert exceeded(await undone(pieces_per_day=359))["wanted"] == 360
    assert exceeded(await undone(value_per_day=1079))["wanted"] == 1080
    assert not isinstance(await undone(pieces_per_day=360), Problem)
    assert await used(database) == {"undos": 1, "value": 1080, str(potion): 360}


async def test_the_undo_of_a_transaction_counts_each_of_its_actions(database):
    one, other = await make_player(database), await make_player(database)
    potion = await make_item(database)
    await items.give.one(database, gift(BY, one, potion, 5))
    trade = MoveItems(
        item_id=potion,
        quantity=5,
        source=Endpoint(player=str(one)),
        target=Endpoint(player=str(other)),
    )
    done = await transact.one(database, Transaction(by=BY, holder=None, expected=[], moves=[trade]))

    async def undone(limit: int):
        by = limited(undos_per_day=limit)
        order = UndoingTransaction(by=by, transaction_id=done.id)
        [outcome] = await whole.undo(database, [order])
        return outcome

    assert exceeded(await undone(1))["wanted"] == 2
    assert not isinstance(await undone(2), Problem)
    # The items only moved.
    assert await used(database) == {"undos": 2}


async def test_a_bulk_undo_beyond_a_limit_undoes_nothing(database):
    player, potion = await make_player(database), await make_item(database)
    thief = AuditContext(actor="user:thief", name="thief")
    for _ in range(4):
        await items.give.one(database, gift(thief, player, potion, 2))

    async def swept(limit: int, *, dry_run: bool = False) -> Swept:
        until = datetime.now(UTC) + timedelta(days=1)
        by = limited(undos_per_day=limit)
        order = Sweep(by=by, actor="user:thief", since=LONG_AGO, until=until)
        return await bulk.sweep(database, order, dry_run=dry_run)

    before = await row_counts(database)
    with pytest.raises(LimitExceeded):
        await swept(3)
    assert await row_counts(database) == before
    [previewed] = (await swept(3, dry_run=True)).kinds
    [done] = (await swept(4)).kinds
    assert (previewed.undone, done.undone) == (4, 4)
    assert await used(database) == {"undos": 4}
    await check_ledger(database)
