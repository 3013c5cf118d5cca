"""Bulk undo by character and by account: what left it, to whom, and what comes back."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from gamekeeper.core import ids
from gamekeeper.db.operations import AuditContext
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.restore_rules import HeldSlot
from gamekeeper.history.undo import bulk, selection
from gamekeeper.history.undo.bulk import Sweep, Swept
from gamekeeper.history.undo.selection import What
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import items, spells
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import AssignVariable, Endpoint, MoveItems
from gamekeeper.players.spells import Lesson
from gamekeeper.servers.transactions import Transaction, transact
from tests.guilds.halls import Hall
from tests.history.ledgers import check_ledger, row_counts
from tests.make import BY, make_item, make_player, make_spell, make_user, make_variable

SERVER = AuditContext(actor="key:1", name="Ravenmoor")
KEEPER = AuditContext(actor="user:2", name="keeper", reason="a stolen account")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
PATH = "/api/v1/actions/undo"


class World:
    """Ana and Anet are of one account; the others are strangers."""

    def __init__(self, database, user: UUID, players: dict[str, UUID]) -> None:
        self.database = database
        self.user = user
        self.players = players
        self.since = LONG_AGO

    @classmethod
    async def make(cls, database) -> "World":
        user = await make_user(database, "ana")
        players = {name: await make_player(database, name, user=user) for name in ("Ana", "Anet")}
        players |= {name: await make_player(database, name) for name in ("Bo", "Cy", "Di", "Ed")}
        return cls(database, user, players)

    async def now(self) -> datetime:
        return await self.database.reader.value("SELECT clock_timestamp()")

    async def give(self, player: str, item: UUID, quantity: int, by=BY) -> None:
        await items.give.one(
            self.database, Gift(by=by, player=player, item_id=item, quantity=quantity)
        )

    async def take(self, player: str, item: UUID, quantity: int) -> None:
        await items.take.one(
            self.database, Taking(by=SERVER, player=player, item_id=item, quantity=quantity)
        )

    async def trade(self, *moves: Any) -> None:
        await transact.one(self.database, transaction(*moves))

    async def held(self, player: str) -> Counter[UUID]:
        rows = await self.database.reader.rows(
            "SELECT item_id, quantity FROM slots WHERE player_id = $1", self.players[player]
        )
        held: Counter[UUID] = Counter()
        for row in rows:
            held[row["item_id"]] += row["quantity"]
        return held

    async def undo(self, *, dry_run: bool = False, **about: Any) -> Swept:
        until = await self.now()
        order = Sweep(**{"by": KEEPER, "since": self.since, "until": until} | about)
        return await bulk.sweep(self.database, order, dry_run=dry_run)


def move(item: UUID, quantity: int, source: str | None, target: str | None) -> MoveItems:
    return MoveItems(
        item_id=item,
        quantity=quantity,
        source=Endpoint(player=source) if source else None,
        target=Endpoint(player=target) if target else None,
    )


def transaction(*moves: Any) -> Transaction:
    return Transaction(by=SERVER, holder=None, expected=(), moves=moves)


def tally(swept: Swept, kind: str) -> tuple[int, ...]:
    [one] = [one for one in swept.kinds if one.kind == kind]
    return (one.found, one.undone, one.partly, one.already_undone, one.left)


def received(swept: Swept) -> dict[str | None, tuple[int, ...]]:
    return {
        recipient.name: (
            recipient.found,
            recipient.undone,
            recipient.already_undone,
            recipient.left,
        )
        for recipient in swept.recipients
    }


def returned(swept: Swept, name: str | None) -> dict[str, tuple[int, int]]:
    [one] = [recipient for recipient in swept.recipients if recipient.name == name]
    return {item.item_name: (item.quantity, item.returned) for item in one.items}


@pytest.fixture
async def world(database) -> World:
    return await World.make(database)


class Theft(World):
    """Forty things leave Ana; one recipient passes a sword on, one loses a sword."""

    sword: UUID
    potion: UUID
    coin: UUID
    ring: UUID
    until: datetime

    async def happen(self) -> None:
        database = self.database
        self.sword = await make_item(database, "Sword", type="equipment")
        self.ring = await make_item(database, "Ring", type="equipment")
        self.potion = await make_item(database)
        self.coin = await make_item(database, "Coin", inventory_stack=1000)
        fire = await make_spell(database)
        await self.give("Ana", self.sword, 20)
        await self.give("Ana", self.potion, 30)
        await self.give("Ana", self.coin, 500)
        await self.give("Bo", self.ring, 1)
        await self.give("Di", self.coin, 3)
        await spells.teach.one(database, Lesson(by=BY, player="Ana", spell_id=fire))
        self.since = await self.now()
        for name in ("Bo", "Cy") * 10:
            await self.trade(move(self.sword, 1, "Ana", name))
        for _ in range(15):
            await self.trade(move(self.potion, 1, "Ana", "Di"))
        await self.trade(move(self.coin, 100, "Ana", "Bo"), move(self.ring, 1, "Bo", "Ana"))
        for _ in range(3):
            await self.take("Ana", self.potion, 1)
        await spells.forget.one(database, Lesson(by=SERVER, player="Ana", spell_id=fire))
        await self.trade(move(self.sword, 1, "Bo", "Ed"))
        await self.take("Cy", self.sword, 1)
        self.until = await self.now()
        await self.give("Ana", self.potion, 5)
        await self.trade(move(self.coin, 3, "Di", "Ana"))


@pytest.fixture
async def theft(database) -> Theft:
    made = await Theft.make(database)
    assert isinstance(made, Theft)
    await made.happen()
    return made


async def check_theft_undone(theft: Theft, swept: Swept) -> None:
    ana = {theft.sword: 18, theft.potion: 35, theft.coin: 503}
    assert await theft.held("Ana") == ana, "later gifts are kept"
    assert await theft.held("Bo") == {theft.ring: 1}, "the trade is undone on both sides"
    assert await theft.held("Cy") == await theft.held("Di") == {}
    assert await theft.held("Ed") == {theft.sword: 1}, "what was passed on stays"
    assert tally(swept, "items.move") == (36, 34, 0, 0, 2)
    assert tally(swept, "items.take") == (3, 3, 0, 0, 0)
    assert tally(swept, "spells.forget") == (1, 1, 0, 0, 0)
    assert received(swept) == {
        "Di": (15, 15, 0, 0),
        "Bo": (11, 10, 0, 1),
        "Cy": (10, 9, 0, 1),
        None: (4, 4, 0, 0),
    }
    assert returned(swept, "Bo") == {"Coin": (100, 100), "Sword": (10, 9)}
    assert returned(swept, "Cy") == {"Sword": (10, 9)}
    assert returned(swept, None) == {"Potion": (3, 3)}
    await check_ledger(theft.database)


@pytest.mark.parametrize("by", ["player_id", "user_id"])
async def test_what_left_comes_back_and_the_preview_says_so_before(theft, settings, by):
    whose = {by: theft.user if by == "user_id" else theft.players["Ana"]}
    before = await row_counts(theft.database)

    previewed = await theft.undo(**whose, until=theft.until, dry_run=True)
    assert await row_counts(theft.database) == before, "a dry run writes nothing"
    swept = await theft.undo(**whose, until=theft.until)

    await check_theft_undone(theft, swept)
    assert previewed == replace(swept, dry_run=True)
    assert (await verify(settings)).breach is None


async def test_conflicts_name_the_recipient_and_the_reason(theft):
    swept = await theft.undo(player_id=theft.players["Ana"], until=theft.until)

    conflicts = {
        recipient.name: recipient.conflicts for recipient in swept.recipients if recipient.conflicts
    }
    left = {one.id: one for one in swept.left}
    assert conflicts.keys() == {"Bo", "Cy"}
    for name, [action] in conflicts.items():
        [obstacle] = left[action].in_the_way
        assert (left[action].code, obstacle.reason) == ("undo_conflict", "gone")
        assert (obstacle.player_name, obstacle.wanted, obstacle.possible) == (name, 1, 0)


async def test_a_second_run_changes_nothing_even_over_the_undos_of_the_first(theft):
    """The undo of the trade took the ring from Ana; that is not what left the account."""
    ana = theft.players["Ana"]
    await theft.undo(player_id=ana, until=theft.until)
    held, counts = await theft.held("Ana"), await row_counts(theft.database)

    again = await theft.undo(player_id=ana)

    assert (await theft.held("Ana"), await row_counts(theft.database)) == (held, counts)
    assert sum(kind.undone for kind in again.kinds) == 0
    assert received(again)["Bo"] == (11, 0, 10, 1)
    assert returned(again, "Bo") == {"Coin": (100, 0), "Sword": (10, 0)}


async def test_three_at_once_undo_everything_once(theft):
    ana = theft.players["Ana"]

    results = await asyncio.gather(
        *(theft.undo(player_id=ana, until=theft.until) for _ in range(3))
    )

    assert sum(kind.undone for swept in results for kind in swept.kinds) == 38
    assert (await theft.held("Ana"))[theft.sword] == 18
    await check_ledger(theft.database)


async def test_the_first_instant_counts_and_the_last_does_not(world):
    potion = await make_item(world.database)
    await world.give("Ana", potion, 9)
    for quantity in (1, 2, 4):
        await world.trade(move(potion, quantity, "Ana", "Bo"))
    ana = world.players["Ana"]
    rows = await world.database.reader.rows(
        "SELECT at FROM actions WHERE player_id = $1 AND kind = 'items.move' ORDER BY at", ana
    )
    _, second, third = (row["at"] for row in rows)

    await world.undo(player_id=ana, since=second, until=second)
    assert await world.held("Bo") == {potion: 7}
    await world.undo(player_id=ana, since=second, until=third)
    assert await world.held("Bo") == {potion: 5}
    await world.undo(player_id=ana, since=second, until=third + timedelta(microseconds=1))
    assert await world.held("Bo") == {potion: 1}


async def test_a_trade_that_cannot_be_undone_whole_is_left_on_both_sides(world):
    """Ana has spent the price already, so she keeps nothing and Bo keeps the sword."""
    sword = await make_item(world.database, "Sword", type="equipment")
    coin = await make_item(world.database, "Coin", inventory_stack=1000)
    await world.give("Ana", sword, 1)
    await world.give("Bo", coin, 5)
    await world.trade(move(sword, 1, "Ana", "Bo"), move(coin, 5, "Bo", "Ana"))
    traded = await world.now()
    await world.take("Ana", coin, 5)

    swept = await world.undo(player_id=world.players["Ana"], until=traded, partial=True)

    assert (await world.held("Ana"), await world.held("Bo")) == ({}, {sword: 1})
    [left] = swept.left
    assert [(one.player_name, one.reason) for one in left.in_the_way] == [("Ana", "gone")]
    assert received(swept) == {"Bo": (1, 0, 0, 1)}


async def test_what_one_character_gives_to_another_stays_in_the_account(world):
    """In one batch with a transaction in which it leaves: only that is undone."""
    potion = await make_item(world.database)
    await world.give("Ana", potion, 9)
    inside, outside = move(potion, 4, "Ana", "Anet"), move(potion, 2, "Ana", "Bo")
    await transact(world.database, [transaction(inside), transaction(outside)])
    await world.trade(move(potion, 1, "Anet", "Cy"))

    by_player = await world.undo(player_id=world.players["Ana"], dry_run=True)
    swept = await world.undo(user_id=world.user)

    assert received(by_player) == {"Anet": (1, 0, 0, 1), "Bo": (1, 1, 0, 0)}
    assert received(swept) == {"Bo": (1, 1, 0, 0), "Cy": (1, 1, 0, 0)}
    assert await world.held("Ana") == {potion: 5}
    assert await world.held("Anet") == {potion: 4}
    await check_ledger(world.database)


async def test_one_transaction_inside_and_outside_of_the_account_is_undone_whole(world):
    potion, coin = await make_item(world.database), await make_item(world.database, "Coin")
    await world.give("Ana", potion, 3)
    await world.give("Anet", coin, 2)
    await world.trade(move(potion, 3, "Ana", "Anet"), move(coin, 2, "Anet", "Bo"))

    swept = await world.undo(user_id=world.user)

    assert tally(swept, "items.move") == (2, 2, 0, 0, 0)
    assert returned(swept, "Bo") == {"Coin": (2, 2)}
    assert await world.held("Ana") == {potion: 3}
    assert await world.held("Anet") == {coin: 2}


async def test_several_recipients_of_one_transaction_share_what_left(world):
    potion = await make_item(world.database)
    await world.give("Ana", potion, 5)
    await world.trade(move(potion, 3, "Ana", "Bo"), move(potion, 2, "Ana", "Cy"))

    swept = await world.undo(player_id=world.players["Ana"])

    assert returned(swept, "Bo") == {"Potion": (3, 3)}
    assert returned(swept, "Cy") == {"Potion": (2, 2)}


@pytest.mark.parametrize(("what", "kept"), [("left", 5), ("all", 0)])
async def test_what_came_in_is_kept_or_undone_as_chosen(world, what, kept):
    potion, coin = await make_item(world.database), await make_item(world.database, "Coin")
    await world.give("Ana", coin, 4)
    world.since = await world.now()
    await world.trade(move(coin, 4, "Ana", "Bo"))
    await world.give("Ana", potion, 5)

    swept = await world.undo(player_id=world.players["Ana"], what=what)

    assert await world.held("Ana") == {coin: 4} | ({potion: kept} if kept else {})
    assert received(swept) == {"Bo": (1, 1, 0, 0)}


async def test_goods_paid_to_the_game_and_what_they_bought_belong_together(world):
    """A quest took potions and set a variable, without any moves between characters."""
    potion, karma = await make_item(world.database), await make_variable(world.database)
    await world.give("Ana", potion, 5)
    await world.trade(
        move(potion, 5, "Ana", None), AssignVariable(player="Ana", variable_id=karma, value=1)
    )

    swept = await world.undo(player_id=world.players["Ana"])

    assert await world.held("Ana") == {potion: 5}
    value = await world.database.reader.value("SELECT value FROM player_variables")
    assert value in (None, 0)
    assert returned(swept, None) == {"Potion": (5, 5)}


async def test_of_a_removal_undone_in_part_that_part_is_counted(world):
    """Staff have given one of three swords back already, by a restore."""
    sword = await make_item(world.database, "Sword", type="equipment")
    await world.give("Ana", sword, 3)
    held = await world.now()
    await world.take("Ana", sword, 3)
    spots = frozenset({HeldSlot("inventory", 0)})
    order = Restoration(by=BY, player="Ana", at=held, spots=spots)
    await restore.restore.one(world.database, order)

    swept = await world.undo(player_id=world.players["Ana"], partial=True)

    assert await world.held("Ana") == {sword: 3}
    assert tally(swept, "items.take") == (1, 0, 1, 0, 0)
    assert returned(swept, None) == {"Sword": (3, 2)}


async def test_a_deposit_in_a_guild_bank_comes_back_and_one_that_was_withdrawn_is_listed(
    client, database
):
    hall: Any = await Hall.make(client, database)
    await hall.give("Bo", hall.potion, 3)
    for quantity in (1, 2):
        assert (await hall.deposit("Bo", quantity)).status_code == 200
    assert (await hall.withdraw("Ana", 2)).status_code == 200
    until = datetime.now(UTC) + timedelta(days=1)

    order = Sweep(by=KEEPER, player_id=hall.bo, since=LONG_AGO, until=until)
    swept = await bulk.sweep(database, order)

    [left] = swept.left
    assert (left.kind, left.code) == ("guilds.deposit", "undo_conflict")
    [obstacle] = left.in_the_way
    assert (obstacle.reason, obstacle.guild_id, obstacle.player_id) == ("gone", hall.id, None)
    [handed] = obstacle.handed_on
    assert [to.player_id for to in handed.to] == [hall.ana]
    assert received(swept) == {None: (2, 1, 0, 1)}


async def test_dropped_months_refuse_a_time_before_them(world):
    await world.database.write(
        lambda writer: writer.run("INSERT INTO ledger_beginning (at) VALUES (now())")
    )
    for what in ("left", "all"):
        with pytest.raises(AtTooOld):
            await world.undo(player_id=world.players["Ana"], what=what)


async def test_nothing_is_found_of_an_account_without_characters(world):
    user = await make_user(world.database, "nobody")

    swept = await world.undo(user_id=user)

    assert (swept.kinds, swept.left, swept.recipients) == ([], [], [])


async def test_a_long_theft_is_undone_call_by_call(world, monkeypatch):
    monkeypatch.setattr(bulk, "MAX_ACTIONS", 10)
    potion = await make_item(world.database, "Coin", inventory_stack=1000)
    await world.give("Ana", potion, 25)
    for _ in range(25):
        await world.trade(move(potion, 1, "Ana", "Bo"))
    until, calls, cursor = await world.now(), list[Swept](), None
    while not calls or cursor:
        swept = await world.undo(player_id=world.players["Ana"], until=until, cursor=cursor)
        calls.append(swept)
        cursor = swept.next

    assert [received(swept)["Bo"] for swept in calls] == [
        (10, 10, 0, 0),
        (10, 10, 0, 0),
        (5, 5, 0, 0),
    ]
    assert {tally(swept, "items.move")[0] for swept in calls} == {25}
    assert await world.held("Ana") == {potion: 25}


async def test_what_left_is_found_by_indexes(world):
    """Among postings and actions of many others, in one month."""
    potion, database = await make_item(world.database), world.database
    ana = world.players["Ana"]
    await world.give("Ana", potion, 1)
    await world.trade(move(potion, 1, "Ana", "Bo"))

    async def fill(writer) -> None:
        await writer.run(
            """
            INSERT INTO postings (player_id, seq, at, action_id, place, slot, item_id, quantity,
                                  against, held_before, held_after, stat_buffs)
            SELECT gen_random_uuid(), 1, now(), gen_random_uuid(), 'bank', 0, $1, 1, 'grant', 0, 1,
                   '{0,0,0,0,0}'
              FROM generate_series(1, 5000)
            """,
            potion,
        )
        await writer.run(
            """
            INSERT INTO actions (id, kind, actor, actor_name, player_id, request_id, address)
            SELECT id, 'items.move', 'key:1', 'Ravenmoor', gen_random_uuid(), '', ''
              FROM unnest($1::uuid[]) AS id
            """,
            [ids.new_id() for _ in range(5000)],
        )
        await writer.run("ANALYZE postings")
        await writer.run("ANALYZE actions")

    await database.write(fill)
    now = await world.now()
    hour = now - timedelta(hours=1)
    month = await database.reader.value("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM')")
    gone = await _plan(database, selection.GONE, [ana], hour, now)
    assert f"postings_{month}_pkey" in gone, gone
    wanted: list[tuple[What, str]] = [("left", "pkey"), ("all", "player_id_id_idx")]
    for what, index in wanted:
        chosen = await selection.of_characters(database.reader, [ana], hour, now, what)
        sql = f"SELECT id FROM actions WHERE {chosen.condition}"
        plan = await _plan(database, sql, *chosen.arguments)
        assert f"actions_{month}_{index}" in plan, plan


async def _plan(database, sql: Any, *arguments: object) -> str:
    rows = await database.reader.rows(f"EXPLAIN {sql}", *arguments)
    return "\n".join(row[0] for row in rows)


# ── Over HTTP ──


def body(theft: Theft, **about: Any) -> dict[str, Any]:
    return {"from": theft.since.isoformat(), "to": theft.until.isoformat(), **about}


@pytest.mark.parametrize("whose", [{"player": "ana"}, {"user": "ANA"}])
async def test_over_http_it_is_answered_once_under_its_key(client, theft, whose):
    headers = {"Idempotency-Key": "k", "X-Reason": "stolen"}

    first = await client.post(PATH, json=body(theft, **whose), headers=headers)
    second = await client.post(PATH, json=body(theft, **whose), headers=headers)

    assert first.status_code == 200, first.text
    assert second.content == first.content
    assert second.headers["Idempotency-Replayed"] == "true"
    answer = first.json()
    key, expected = (
        ("PlayerId", theft.players["Ana"]) if "player" in whose else ("UserId", theft.user)
    )
    assert (answer["Actor"], answer[key]) == (None, str(expected))
    assert answer["Recipients"][0] == {
        "PlayerId": str(theft.players["Di"]),
        "Name": "Di",
        "Items": [
            {"ItemId": str(theft.potion), "ItemName": "Potion", "Quantity": 15, "Returned": 15}
        ],
        "Conflicts": [],
        "Found": 15,
        "Undone": 15,
        "Partly": 0,
        "AlreadyUndone": 0,
        "Left": 0,
    }
    assert (await theft.held("Ana"))[theft.sword] == 18
    await check_ledger(theft.database)


@pytest.mark.parametrize(
    ("about", "status", "code", "field"),
    [
        ({}, 400, "invalid_body", "actor"),
        ({"actor": "", "user": ""}, 400, "invalid_body", "actor"),
        ({"player": ""}, 404, "player_not_found", None),
        ({"player": "ana", "user": "ana"}, 400, "invalid_body", "actor"),
        ({"actor": "system", "player": "ana"}, 400, "invalid_body", "actor"),
        ({"actor": "system", "what": "left"}, 400, "invalid_body", "what"),
        ({"player": "ana", "what": "some"}, 400, "invalid_body", "what"),
        ({"player": "nemo"}, 404, "player_not_found", None),
        ({"user": "nemo"}, 404, "user_not_found", None),
    ],
)
async def test_it_needs_exactly_one_of_actor_player_and_user(
    client, database, about, status, code, field
):
    await make_player(database, "ana", user=await make_user(database, "ana"))
    span = {"from": "2020-01-01T00:00:00Z", "to": "2020-01-02T00:00:00Z"}

    answer = await client.post(PATH, json=span | about)

    assert (answer.status_code, answer.json()["Code"]) == (status, code)
    assert (answer.json().get("Details") or {}).get("Field") == field
