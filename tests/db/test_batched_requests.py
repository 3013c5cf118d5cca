"""Requests in flight, merged: what is done and answered is what each alone would have had."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec import structs

from gamekeeper.core.errors import Conflict, Problem, StoredReply, Unavailable
from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Database, DatabaseUnavailable, Reader, Writer
from gamekeeper.db.idempotency import IdempotencyKey
from gamekeeper.db.operations import AuditContext, batched_operation
from gamekeeper.db.queries import single_flight
from gamekeeper.players import items, lookup, roster, spells, variables
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.rules import NotEnoughItems
from gamekeeper.players.state import lock_all
from tests.make import BY, make_item, make_player, make_spell, make_variable

TWENTY = range(20)


class Refused(Conflict):
    """No."""


@batched_operation
async def note(writer: Writer, orders: list[str]) -> list[str | Problem]:
    """Write words into the migrations table: refuse one, choke on another, lose the third."""
    for order in orders:
        if order == "poison":
            raise RuntimeError(order)
        if order != "refused":
            await writer.run("INSERT INTO migrations (name) VALUES ($1)", order)
        if order == "lost":
            async with Database.open(writer.settings) as other:
                pid = writer.connection.get_server_pid()
                await other.reader.value("SELECT pg_terminate_backend($1)", pid)
    return [Refused() if order == "refused" else order for order in orders]


async def noted(database: Database) -> set[str]:
    rows = await database.reader.rows("SELECT name FROM migrations WHERE name !~ '^0'")
    return {row["name"] for row in rows}


async def outcomes_of(*calls) -> list[object]:
    return await asyncio.gather(*calls, return_exceptions=True)


@asynccontextmanager
async def locked(database: Database, player: str) -> AsyncIterator[None]:
    """Somebody else holds a player."""
    holding, release = asyncio.Event(), asyncio.Event()

    async def hold(writer: Writer) -> None:
        await lock_all(writer, [player])
        holding.set()
        await release.wait()

    holder = asyncio.create_task(database.write(hold))
    await holding.wait()
    try:
        yield
    finally:
        release.set()
        await holder


def gift(player: object, item: object, *, key: str | None = None) -> Gift:
    by = AuditContext(
        actor="key:1", name="shop", key=IdempotencyKey("key:1", key, b"f") if key else None
    )
    return Gift(by=by, player=str(player), item_id=item, quantity=1)


async def test_twenty_gifts_at_once_are_two_transactions_and_each_has_its_own_answer(
    database, statements
):
    """The first that comes and, while it is under way, all others."""
    await make_player(database, "ana")
    potion = await make_item(database, inventory_stack=1000)
    await items.give.one(database, gift("ana", potion))
    with statements() as sent:
        held = await asyncio.gather(
            *(items.give.one(database, gift("ana", potion)) for _ in TWENTY)
        )

    assert [answer.total for answer in held] == list(range(2, 22))
    assert sent.count("COMMIT") <= 2
    sequence = await database.reader.rows("SELECT seq, held_after FROM postings ORDER BY seq")
    assert [tuple(row) for row in sequence] == [(number, number) for number in range(1, 22)]
    assert await database.reader.value("SELECT count(*) FROM actions") == 21


async def test_twenty_of_each_other_operation_at_once(database, statements):
    players = [await make_player(database) for _ in TWENTY]
    potion, spell = await make_item(database), await make_spell(database)
    karma = await make_variable(database)
    await items.give(database, [gift(player, potion) for player in players])

    def taking(player: object) -> Taking:
        return Taking(by=BY, player=str(player), item_id=potion, quantity=1)

    def lesson(player: object) -> spells.Lesson:
        return spells.Lesson(by=BY, player=str(player), spell_id=spell)

    def setting(player: object, value: int) -> variables.Setting:
        return variables.Setting(by=BY, player=str(player), variable_id=karma, value=value)

    with statements() as sent:
        taken = await outcomes_of(*(items.take.one(database, taking(one)) for one in players * 2))
        taught = await outcomes_of(
            *(spells.teach.one(database, lesson(player)) for player in players)
        )
        known = await outcomes_of(
            *(spells.known_spells(database.reader, str(player)) for player in players)
        )
        forgot = await outcomes_of(
            *(spells.forget.one(database, lesson(player)) for player in players)
        )
        values = await outcomes_of(
            *(variables.assign.one(database, setting(one, n)) for n, one in enumerate(players))
        )

    assert [type(one) for one in taken] == [Taking] * 20 + [NotEnoughItems] * 20
    assert [one.player for one in taught] == [str(player) for player in players]
    assert [[spells.KnownSpell(0, spell)]] * 20 == known
    assert [type(one) for one in forgot] == [spells.Lesson] * 20
    assert [entry.value for entry in values] == list(TWENTY)
    assert sent.count("COMMIT") <= 8
    stored = await outcomes_of(
        *(variables.find_variable(database.reader, str(player), karma) for player in players)
    )
    assert [one.value for one in stored] == list(TWENTY)


async def test_lookups_in_flight_are_one_list_and_equal_ones_share_a_row(database, statements):
    ana, ben = await make_player(database, "ana"), await make_player(database, "ben")
    asked = ["ana", str(ana), "ben", "nobody", "ANA", "ana", str(ben), "ben"]
    with statements() as sent:
        found = await outcomes_of(*(lookup.find_player(database.reader, key) for key in asked))

    assert len(sent) == 2, "whose the names are, and then who that is"
    assert [getattr(one, "name", type(one)) for one in found] == [
        *("ana", "ana", "ben"),
        PlayerNotFound,
        *("ana", "ana", "ben", "ben"),
    ]
    assert found[0] is found[5]
    assert str(found[3]) == "No player with name 'nobody'."


async def test_each_asks_for_things_of_their_own(database):
    """In one list: other players, other places, bags, variables that are set and that are not."""
    players = [await make_player(database) for _ in range(5)]
    potion, karma = await make_item(database), await make_variable(database)
    for number, player in enumerate(players[1:], 1):
        await items.give(database, [gift(player, potion)] * number)
    reader = database.reader
    found = await asyncio.gather(
        *(items.slots(reader, str(player), "inventory") for player in players),
        *(items.carried(reader, str(player)) for player in players),
        *(variables.find_variable(reader, str(player), karma) for player in players),
    )

    assert [slots[0].quantity for slots in found[:5]] == list(range(5))
    assert [carried.inventory[0].quantity for carried in found[5:10]] == list(range(5))
    assert {(len(one.inventory), len(one.bank)) for one in found[5:10]} == {(35, 100)}
    assert [variable.value for variable in found[10:]] == [0] * 5


async def test_equal_pages_are_read_once_and_shared(database, statements):
    for name in ("ana", "ben", "cleo"):
        await make_player(database, name)
    with statements() as sent:
        pages = await asyncio.gather(
            *(roster.list_players(database.reader, Window(0, 2, 2), None) for _ in TWENTY),
            *(roster.list_players(database.reader, Window(1, 2, 2), None) for _ in TWENTY),
        )

    assert [[entry.name for entry in page.values] for page in pages] == (
        [["ana", "ben"]] * 20 + [["cleo"]] * 20
    )
    assert len([sql for sql in sent if "LIMIT" in sql]) == 2


async def test_a_read_sees_what_was_committed_before_it_was_asked_for(database):
    """It does not join one that has begun, however slow that is."""

    @single_flight
    async def slow(reader: Reader) -> set[str]:
        await reader.value("SELECT pg_sleep(0.2)")
        found = await noted(database)
        await reader.value("SELECT pg_sleep(0.2)")
        return found

    begun = asyncio.create_task(slow(database.reader))
    await asyncio.sleep(0.3)
    await note.one(database, "news")
    later = await asyncio.gather(slow(database.reader), slow(database.reader))

    assert await begun == set()
    assert later == [{"news"}, {"news"}]


async def test_cancelled_reads_leave_nothing_behind(database):
    """Whether they were waiting, being read, or shared with somebody who stays."""
    reader = database.reader

    @single_flight
    async def slow(reader: Reader, number: int) -> int:
        await reader.value("SELECT pg_sleep(0.05)")
        return number

    asked = [asyncio.create_task(slow(reader, number // 2)) for number in range(200)]
    await asyncio.sleep(0.02)
    for number, task in enumerate(asked):
        if number != 7:
            task.cancel()
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    async with asyncio.timeout(20):
        while reader._batchers:
            await asyncio.sleep(0.01)

    assert outcomes[7] == 3
    assert sum(isinstance(outcome, asyncio.CancelledError) for outcome in outcomes) == 199


async def test_refused_and_poisoned_orders_fail_alone(database):
    words = ["a", "refused", "b", "poison", "c"]
    outcomes = await outcomes_of(*(note.one(database, word) for word in words))

    assert [outcome if isinstance(outcome, str) else type(outcome) for outcome in outcomes] == [
        *("a", Refused, "b"),
        *(RuntimeError, "c"),
    ]
    assert await noted(database) == {"a", "b", "c"}


async def test_when_it_is_not_known_whether_it_was_committed_all_hear_so(database):
    words = ["a", "lost", "b"]
    outcomes = await outcomes_of(*(note.one(database, word) for word in words))

    assert [type(outcome) for outcome in outcomes] == [DatabaseUnavailable] * 3
    assert await note.one(database, "after") == "after"
    assert await noted(database) == {"after"}


async def test_a_caller_who_hangs_up_does_not_undo_the_others(database):
    await make_player(database, "ana")
    potion = await make_item(database, inventory_stack=1000)
    async with locked(database, "ana"):
        calls = [asyncio.create_task(items.give.one(database, gift("ana", potion))) for _ in TWENTY]
        await asyncio.sleep(0.2)
        for call in calls[::2]:
            call.cancel()
        await asyncio.sleep(0)
    answers = await asyncio.gather(*calls, return_exceptions=True)

    assert [type(answer) for answer in answers] == [asyncio.CancelledError, items.Holding] * 10
    # Their orders were under way when they left, so they may have been carried out.
    assert await database.reader.value("SELECT sum(quantity) FROM slots") in range(10, 21)


async def test_a_player_in_other_hands_holds_up_nobody_else(database):
    ana, ben = await make_player(database, "ana"), await make_player(database, "ben")
    potion = await make_item(database, inventory_stack=1000)
    async with locked(database, "ana"):
        waiting = asyncio.gather(
            *(items.give.one(database, gift(ana, potion)) for _ in range(3)),
            *(items.take.one(database, Taking(by=BY, player="ana", item_id=potion, quantity=1)),),
            return_exceptions=True,
        )
        for _ in range(5):
            await asyncio.gather(*(items.give.one(database, gift(ben, potion)) for _ in range(4)))
        assert not waiting.done()
    outcomes = await waiting

    assert [outcome.total for outcome in outcomes[:3]] in ([1, 2, 3], [0, 1, 2])
    assert await database.reader.value("SELECT sum(quantity) FROM slots") in (22, 23)


async def test_a_player_in_other_hands_for_too_long_is_not_now(database, settings):
    await make_player(database, "ana")
    potion = await make_item(database)
    brief = structs.replace(settings, statement_seconds=1)
    async with locked(database, "ana"), Database.open(brief) as hasty:
        begun = time.monotonic()
        [outcome] = await outcomes_of(items.give.one(hasty, gift("ana", potion)))
        # A lock is waited for 0.8 times as long as a statement may take.
        assert 0.6 < time.monotonic() - begun < 2.3

    assert isinstance(outcome, Unavailable)
    assert await items.give.one(database, gift("ana", potion)) == items.Holding(
        total=1, bank=0, inventory=1
    )


async def test_a_key_in_other_hands_holds_up_nobody_else(database, settings):
    """Another process works under the key, and waits; our neighbours do not. It is done once."""
    await make_player(database, "ana")
    await make_player(database, "ben")
    potion = await make_item(database, inventory_stack=1000)
    async with Database.open(settings) as other:
        async with locked(database, "ana"):
            first = asyncio.create_task(items.give.one(other, gift("ana", potion, key="k")))
            await asyncio.sleep(0.2)
            again = asyncio.create_task(items.give.one(database, gift("ana", potion, key="k")))
            await asyncio.gather(
                *(items.give.one(database, gift("ben", potion, key=f"b{n}")) for n in TWENTY)
            )
            assert not again.done()
        assert (await first).total == 1
        with pytest.raises(StoredReply):
            await again

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 21


async def test_two_processes_with_the_same_players_in_opposite_order_never_deadlock(
    database, settings, database_statistics
):
    players = [str(await make_player(database)) for _ in range(10)]
    potion = await make_item(database, inventory_stack=1000)
    async with Database.open(settings) as other:
        for _ in range(10):
            await asyncio.gather(
                *(items.give.one(database, gift(player, potion)) for player in players),
                *(items.give.one(other, gift(player, potion)) for player in reversed(players)),
                items.give(database, [gift(player, potion) for player in reversed(players)]),
            )

    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 300
    assert (
        await database.reader.value(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        )
        == 0
    )


async def test_replays_in_a_merged_list_have_the_same_bytes(client, database):
    await make_player(database, "ana")
    potion = await make_item(database, inventory_stack=1000)

    async def give(number: int):
        return await client.post(
            "/api/v1/players/ana/items/give",
            json={"itemid": str(potion), "quantity": 1},
            headers={"Idempotency-Key": f"k-{number}"},
        )

    answers = await asyncio.gather(*(give(number % 10) for number in range(30)))
    again = await asyncio.gather(*(give(number) for number in range(10)))

    assert {answer.status_code for answer in [*answers, *again]} == {200}
    for number in range(10):
        same = {answer.content for answer in [*answers[number::10], again[number]]}
        assert len(same) == 1
        replayed = [answer.headers.get("Idempotency-Replayed") for answer in answers[number::10]]
        assert replayed.count(None) == 1
    assert {answer.json()["quantity"]["total"] for answer in again} == set(range(1, 11))
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 10
    assert await database.reader.value("SELECT count(*) FROM replies") == 10
