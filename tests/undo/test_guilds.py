"""Guild actions undone: banks, members, owners, names, variables, and whole guilds."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from gamekeeper.auth import keys
from gamekeeper.core.errors import Problem
from gamekeeper.db import retention
from gamekeeper.history.undo import bulk, execute
from gamekeeper.history.undo.bulk import Sweep
from gamekeeper.history.undo.execute import AlreadyUndone, Undoing, Undone
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.players import characters
from gamekeeper.players.characters import Creation, Deletion
from tests.guilds.halls import Hall, good
from tests.make import (
    BY,
    make_bag_item,
    make_class,
    make_item,
    make_player,
    make_user,
    make_variable,
)
from tests.transactions.test_transactions import bag_of, codes, items, send


class Court:
    """A hall whose actions are undone; the ledger is verified after each."""

    def __init__(self, hall: Any, database: Any, settings: Any) -> None:
        self.hall, self.database, self.settings = hall, database, settings

    async def last(self) -> UUID:
        read = self.database.reader.value
        return await read("SELECT id FROM actions ORDER BY at DESC, id DESC LIMIT 1")

    async def undo(self, action: UUID | None = None, **about: Any) -> Any:
        order = Undoing(by=BY, action_id=action or await self.last(), **about)
        [outcome] = await execute.undo(self.database, [order])
        assert (await verify(self.settings)).breaches == []
        return outcome

    async def deposit(self, player: str, quantity: int, **about: Any) -> UUID:
        good(await self.hall.deposit(player, quantity, **about))
        return await self.last()

    async def withdraw(self, player: str, quantity: int, **about: Any) -> UUID:
        good(await self.hall.withdraw(player, quantity, **about))
        return await self.last()

    async def held(self, player: UUID) -> int:
        read = self.database.reader.value
        return await read(
            "SELECT coalesce(sum(quantity), 0) FROM slots WHERE player_id = $1", player
        )

    async def banked(self) -> dict[int, int]:
        rows = await self.database.reader.rows(
            "SELECT slot, quantity FROM guild_slots WHERE guild_id = $1 ORDER BY slot", self.hall.id
        )
        return {row["slot"]: row["quantity"] for row in rows}

    async def disband(self) -> UUID:
        good(await self.hall.delete("?force=true"))
        return await self.last()

    async def snapshot(self) -> dict[str, list[Any]]:
        """Everything that is stored of the guild."""
        of = {"guilds": "id", **dict.fromkeys(("guild_members", "guild_slots"), "guild_id")}
        of["guild_variables"] = "guild_id"
        return {
            table: [
                dict(row)
                for row in await self.database.reader.rows(
                    f"SELECT * FROM {table} WHERE {column} = $1 ORDER BY to_jsonb({table})::text",
                    self.hall.id,
                )
            ]
            for table, column in of.items()
        }


@pytest.fixture
async def court(client, database, settings) -> Court:
    return Court(await Hall.make(client, database), database, settings)


def reasons(outcome: Any) -> list[tuple[str, str]]:
    found = outcome.details["in_the_way"] if isinstance(outcome, Problem) else outcome.not_done
    return [(obstacle.reason, obstacle.what) for obstacle in found]


# ── The bank ──


async def test_a_withdrawal_goes_back_into_its_slot_and_forth_again(court):
    await court.hall.give("Ana", court.hall.potion, 8)
    await court.deposit("Ana", 8)
    taken = await court.withdraw("Bo", 5)

    undone = await court.undo(taken)

    assert (await court.held(court.hall.bo), await court.banked()) == (0, {0: 8})
    assert {(one.place, one.quantity) for one in undone.done} == {("guild", 5), ("inventory", -5)}
    assert isinstance(await court.undo(taken), AlreadyUndone)
    redone = await court.undo(undone.id)
    assert (await court.held(court.hall.bo), await court.banked()) == (5, {0: 3})
    await court.undo(redone.id)
    assert (await court.held(court.hall.bo), await court.banked()) == (0, {0: 8})


async def test_an_undo_of_the_bank_is_an_action_of_the_guild_like_a_deposit(court):
    await court.hall.give("Bo", court.hall.potion, 4)
    deposit = await court.deposit("Bo", 3)

    undone = await court.undo(deposit)

    history = good(await court.hall.get("/history"))["Values"]
    assert history[0]["Id"] == str(undone.id)
    assert history[0]["Before"] == {
        "guild_id": str(court.hall.id),
        "guild": "Larkspur Court",
        "quantity": 3,
        "inventory": 1,
        "bank": 3,
    }
    assert (history[0]["After"]["inventory"], history[0]["After"]["bank"]) == (4, 0)


async def test_a_dry_run_changes_nothing(court):
    await court.hall.give("Bo", court.hall.potion, 4)
    deposit = await court.deposit("Bo", 3)
    disbanded = await court.disband()
    before = await court.snapshot()

    [foreseen] = await execute.undo.preview(court.database, [Undoing(by=BY, action_id=disbanded)])
    [blocked] = await execute.undo.preview(court.database, [Undoing(by=BY, action_id=deposit)])

    assert (foreseen.dry_run, foreseen.id, foreseen.complete) == (True, None, True)
    assert reasons(blocked) == [("guild_gone", "guild")]
    assert await court.snapshot() == before
    assert await court.last() == disbanded


async def test_what_others_took_out_since_is_in_the_way_and_with_partial_the_rest_comes_back(court):
    await court.hall.give("Ana", court.hall.potion, 6)
    deposit = await court.deposit("Ana", 6)
    await court.withdraw("Bo", 4)

    refused = await court.undo(deposit)

    [obstacle] = refused.details["in_the_way"]
    assert (obstacle.reason, obstacle.place) == ("gone", "guild")
    assert (obstacle.wanted, obstacle.possible) == (6, 2)
    assert (await court.held(court.hall.ana), await court.banked()) == (0, {0: 2})
    partly = await court.undo(deposit, partial=True)
    assert not partly.complete
    assert (await court.held(court.hall.ana), await court.banked()) == (2, {})
    # The redo moves what the undo moved, not all of the deposit.
    await court.undo(partly.id)
    assert (await court.held(court.hall.ana), await court.banked()) == (0, {0: 2})


async def test_a_full_inventory_takes_back_what_fits(court):
    shield = await make_item(court.database, "Shield", type="equipment")
    await court.hall.give("Ana", shield, 2)
    deposit = await court.deposit("Ana", 2, itemid=str(shield))
    slots = court.settings.inventory_slots + court.settings.bank_slots
    await court.hall.give("Ana", shield, court.settings.inventory_slots)
    body = {"itemid": str(shield), "quantity": court.settings.bank_slots - 1, "bankoverflow": True}
    good(await court.hall.client.post("/api/v1/players/Ana/items/give", json=body))

    refused = await court.undo(deposit)

    assert reasons(refused) == [("no_room", "item")]
    partly = await court.undo(deposit, partial=True)
    assert (partly.not_done[0].wanted, partly.not_done[0].possible) == (2, 1)
    assert (await court.held(court.hall.ana), await court.banked()) == (slots, {1: 1})


async def test_a_full_guild_bank_is_in_the_way_of_a_withdrawals_undo(court):
    shield = await make_item(court.database, "Shield", type="equipment")
    for player in ("Ana", "Bo"):
        await court.hall.give(player, shield, 4)
    await court.deposit("Ana", 4, itemid=str(shield))
    taken = await court.withdraw("Ana", 2, itemid=str(shield))
    await court.deposit("Bo", 1, itemid=str(shield))

    refused = await court.undo(taken)

    assert [(one.reason, one.place) for one in refused.details["in_the_way"]] == [
        ("no_room", "guild")
    ]
    await court.undo(taken, partial=True)
    assert sum((await court.banked()).values()) == 4
    assert await court.held(court.hall.ana) + await court.held(court.hall.bo) == 4


async def test_a_deposit_of_a_former_member_comes_back(court):
    await court.hall.give("Bo", court.hall.potion, 3)
    deposit = await court.deposit("Bo", 3)
    good(await court.hall.post("kick/Bo"))

    assert (await court.undo(deposit)).complete

    assert (await court.held(court.hall.bo), await court.banked()) == (3, {})


async def test_buffs_and_bags_stay_what_they_are(court):
    bag = await make_bag_item(court.database)
    await court.hall.give("Ana", bag, 1)
    deposit = await court.deposit("Ana", 1, itemid=str(bag))
    taken = await court.withdraw("Bo", 1, itemid=str(bag))
    await court.hall.give("Bo", court.hall.potion, 1)
    inside = await bag_of(court.hall.client, court.hall.bo, 0)
    put = items(court.hall.potion, 1, **{"from": "Bo", "to": "Bo"}, to_place="bag", to_bag=inside)
    assert codes(await send(court.hall.client, [put])) == ["done"]
    filled = await court.undo(taken)
    out = items(
        court.hall.potion, 1, **{"from": "Bo", "to": "Bo"}, from_place="bag", from_bag=inside
    )
    assert codes(await send(court.hall.client, [out])) == ["done"]

    assert reasons(filled) == [("bag_not_empty", "item")]
    assert (await court.undo(taken)).complete
    assert (await court.undo(deposit)).complete
    assert (await court.held(court.hall.ana), await court.banked()) == (1, {})


async def test_two_undos_of_one_deposit_at_once_move_it_once(court):
    await court.hall.give("Bo", court.hall.potion, 4)
    deposit = await court.deposit("Bo", 2)
    await court.hall.give("Ana", court.hall.potion, 5)
    await court.deposit("Ana", 5)

    outcomes = await asyncio.gather(*(court.undo(deposit) for _ in range(4)))

    assert sum(isinstance(one, Undone) for one in outcomes) == 1
    assert (await court.held(court.hall.bo), await court.banked()) == (4, {0: 5})


# ── Members and owners ──


async def test_a_kick_undone_brings_back_the_rank_and_the_date(court):
    good(await court.hall.post("rank/Bo", rank=2))
    before = await court.snapshot()
    good(await court.hall.post("kick/Bo"))

    undone = await court.undo()

    assert await court.snapshot() == before
    await court.undo(undone.id)
    assert await court.hall.ranks() == {"Ana": 0}


async def test_leaving_and_joining_are_undone(court):
    before = await court.snapshot()
    good(await court.hall.delete("/members/Bo"))
    assert (await court.undo()).complete
    assert await court.snapshot() == before

    good(await court.hall.post("members/Cyd"))
    joined = await court.last()
    undone = await court.undo(joined)
    assert await court.snapshot() == before
    await court.undo(undone.id)
    assert set(await court.hall.ranks()) == {"Ana", "Bo", "Cyd"}


async def test_a_kicked_member_of_another_guild_stays_there(court):
    good(await court.hall.post("kick/Bo"))
    kick = await court.last()
    body = {"name": "Owls", "owner": "Bo"}
    good(await court.hall.client.post("/api/v1/guilds/create", json=body))

    assert reasons(await court.undo(kick)) == [("in_another_guild", "member")]
    assert await court.hall.ranks() == {"Ana": 0}


async def test_a_rank_that_changed_since_is_in_the_way(court):
    good(await court.hall.post("rank/Bo", rank=2))
    first = await court.last()
    good(await court.hall.post("rank/Bo", rank=1))
    second = await court.last()

    assert reasons(await court.undo(first)) == [("changed_since", "rank")]
    await court.undo(second)
    assert (await court.hall.ranks())["Bo"] == 2
    good(await court.hall.post("transfer/Bo"))
    assert reasons(await court.undo(first)) == [("changed_since", "rank")]


async def test_a_transfer_undone_gives_both_their_ranks_back(court):
    good(await court.hall.post("rank/Bo", rank=2))
    good(await court.hall.post("transfer/Bo"))
    transfer = await court.last()

    undone = await court.undo(transfer)

    assert await court.hall.ranks() == {"Ana": 0, "Bo": 2}
    redone = await court.undo(undone.id)
    assert await court.hall.ranks() == {"Ana": 1, "Bo": 0}
    good(await court.hall.post("kick/Ana"))
    assert reasons(await court.undo(redone.id)) == [("not_a_member", "member")]
    assert await court.hall.ranks() == {"Bo": 0}


async def test_one_list_cannot_make_a_character_the_owner_and_delete_it(court):
    """Neither in this order nor in the other is a guild left without its owner."""
    new = Creation(
        by=BY,
        user_id=await make_user(court.database, "dan"),
        name="Dan",
        class_id=await make_class(court.database),
    )
    await characters.create.one(court.database, new)
    creation = await court.last()
    good(await court.hall.post("members/Dan"))
    good(await court.hall.post("transfer/Dan"))
    good(await court.hall.post("transfer/Bo"))
    back = await court.last()

    for order in ([back, creation], [creation, back]):
        orders = [Undoing(by=BY, action_id=action) for action in order]
        outcomes = await execute.undo.preview(court.database, orders)
        assert [isinstance(one, Undone) for one in outcomes] == [True, False]


# ── Names and variables ──


async def test_a_name_comes_back_unless_it_is_taken_or_changed(court):
    good(await court.hall.post("name", name="Owls"))
    rename = await court.last()

    undone = await court.undo(rename)
    assert good(await court.hall.get())["Name"] == "Larkspur Court"
    await court.undo(undone.id)
    body = {"name": "larkspur court", "owner": "Cyd"}
    good(await court.hall.client.post("/api/v1/guilds/create", json=body))
    assert reasons(await court.undo(rename)) == [("name_taken", "name")]
    good(await court.hall.post("name", name="Herons"))
    assert reasons(await court.undo(rename)) == [("changed_since", "name")]


async def test_two_guilds_exchange_their_names_in_one_list(court):
    body = {"name": "Owls", "owner": "Cyd"}
    other = good(await court.hall.client.post("/api/v1/guilds/create", json=body))["Id"]
    done = []
    for guild, name in (
        (court.hall.id, "Herons"),
        (other, "Larkspur Court"),
        (court.hall.id, "Owls"),
    ):
        good(await court.hall.client.post(f"/api/v1/guilds/{guild}/name", json={"name": name}))
        done.append(await court.last())

    orders = [Undoing(by=BY, action_id=action) for action in reversed(done)]
    outcomes = await execute.undo(court.database, orders)

    assert all(isinstance(one, Undone) for one in outcomes), outcomes
    assert good(await court.hall.get())["Name"] == "Larkspur Court"
    assert good(await court.hall.client.get(f"/api/v1/guilds/{other}"))["Name"] == "Owls"


async def test_a_variable_gets_its_former_value(court):
    score = await make_variable(court.database, name="Score", owner="guild")
    for value in (3, 7):
        good(await court.hall.post(f"variables/{score}", value=value))

    undone = await court.undo()

    assert good(await court.hall.get(f"/variables/{score}"))["Value"] == 3
    await court.undo(undone.id)
    assert good(await court.hall.get(f"/variables/{score}"))["Value"] == 7


# ── Whole guilds ──


async def furnish(court: Court) -> None:
    """Members with ranks, two kinds in the bank, a variable."""
    score = await make_variable(court.database, name="Score", owner="guild")
    good(await court.hall.post(f"variables/{score}", value=12))
    good(await court.hall.post("members/Cyd"))
    good(await court.hall.post("rank/Cyd", rank=2))
    sword = await make_item(court.database, "Sword", type="equipment")
    await court.hall.give("Ana", court.hall.potion, 7)
    await court.hall.give("Ana", sword, 1, statbuffs=[1, 2, 3, 4, 5])
    await court.deposit("Ana", 7)
    await court.deposit("Ana", 1, itemid=str(sword))


async def test_a_disbanded_guild_comes_back_whole_and_goes_again(court):
    await furnish(court)
    before = await court.snapshot()
    disbanded = await court.disband()

    undone = await court.undo(disbanded)

    assert undone.complete
    assert await court.snapshot() == before
    assert [(one.what, one.quantity) for one in undone.done[:2]] == [("guild", 1), ("member", 3)]
    redone = await court.undo(undone.id)
    assert await court.snapshot() == {table: [] for table in before}
    # What deposits and kicks did is undone after the guild is back, not before.
    await court.undo(redone.id)
    assert await court.snapshot() == before
    assert isinstance(await court.undo(disbanded), AlreadyUndone)


async def test_a_disbanded_guild_comes_back_without_those_who_cannot(court):
    await furnish(court)
    disbanded = await court.disband()
    body = {"name": "Larkspur Court", "owner": "Bo"}
    good(await court.hall.client.post("/api/v1/guilds/create", json=body))
    await characters.delete.one(court.database, Deletion(by=BY, player="Cyd"))

    refused = await court.undo(disbanded)

    assert sorted(reasons(refused)) == [
        ("in_another_guild", "member"),
        ("name_taken", "name"),
        ("player_gone", "member"),
    ]
    partly = await court.undo(disbanded, partial=True)
    assert len(partly.not_done) == 3
    assert await court.hall.ranks() == {"Ana": 0}
    assert good(await court.hall.get())["Name"] == f"Larkspur Co {court.hall.id.hex[:8]}"
    assert sum((await court.banked()).values()) == 8


@pytest.mark.parametrize("fate", ["another guild", "deleted"])
async def test_without_its_owner_it_does_not_come_back(court, fate):
    disbanded = await court.disband()
    deletion = None
    if fate == "deleted":
        await characters.delete.one(court.database, Deletion(by=BY, player="Ana"))
        deletion = await court.last()
    else:
        body = {"name": "Owls", "owner": "Ana"}
        good(await court.hall.client.post("/api/v1/guilds/create", json=body))

    refused = await court.undo(disbanded, partial=True)

    assert len(reasons(refused)) == 1
    assert (await court.hall.get()).status_code == 400
    if deletion:
        await court.undo(deletion)
        assert (await court.undo(disbanded)).complete
        assert await court.hall.ranks() == {"Ana": 0, "Bo": 3}


async def test_a_member_deleted_before_the_disbanding_is_one_again_after_both_undos(court):
    await characters.delete.one(court.database, Deletion(by=BY, player="Bo"))
    deletion = await court.last()
    disbanded = await court.disband()

    assert (await court.undo(disbanded)).complete
    assert await court.hall.ranks() == {"Ana": 0}
    await court.undo(deletion)
    assert await court.hall.ranks() == {"Ana": 0, "Bo": 3}


async def test_deposits_since_are_in_the_way_of_disbanding_it_again(court):
    await court.hall.give("Ana", court.hall.potion, 5)
    await court.deposit("Ana", 2)
    undone = await court.undo(await court.disband())
    await court.deposit("Ana", 1)

    refused = await court.undo(undone.id)

    assert reasons(refused) == [("holds_items", "guild")]
    await court.withdraw("Bo", 3)
    assert (await court.undo(undone.id)).complete
    assert (await court.hall.get()).status_code == 400
    assert await court.held(court.hall.ana) + await court.held(court.hall.bo) == 5


async def test_undos_and_redos_at_once_leave_one_guild_and_all_items(court):
    await furnish(court)
    before = await court.snapshot()
    disbanded = await court.disband()

    outcomes = await asyncio.gather(*(court.undo(disbanded) for _ in range(4)))

    assert sum(isinstance(one, Undone) for one in outcomes) == 1
    assert await court.snapshot() == before


async def test_an_expired_guild_does_not_come_back(court):
    await court.hall.give("Ana", court.hall.potion, 5)
    await court.deposit("Ana", 2)
    disbanded = await court.disband()
    days = court.settings.deleted_player_days + 1
    await court.database.write(
        lambda writer: writer.run(
            "UPDATE deleted_guilds SET deleted_at = now() - $1 * interval '1 day'", days
        )
    )
    await retention.sweep(court.database, asyncio.Event())

    assert reasons(await court.undo(disbanded)) == [("no_longer_kept", "guild")]


# ── Rights, limits, bulk ──


@pytest.mark.parametrize(
    ("kind", "scope"), [("guilds.kick", "guilds.manage"), ("guilds.variable", "players.variables")]
)
async def test_the_right_to_undo_is_not_the_right_to_change(court, kind, scope):
    score = await make_variable(court.database, name="Score", owner="guild")
    good(await court.hall.post(f"variables/{score}", value=1))
    good(await court.hall.post("kick/Bo"))
    sql = "SELECT id FROM actions WHERE kind = $1"
    action = await court.database.reader.value(sql, kind)
    for scopes, status in ((["actions.undo"], 403), (["actions.undo", scope], 200)):
        key = await keys.create.one(
            court.database, keys.NewKey(by=BY, name=scope + str(status), scopes=tuple(scopes))
        )
        answer = await court.hall.client.post(
            f"/api/v1/actions/{action}/undo",
            json={"dryrun": True},
            headers={"Authorization": f"Bearer {key}"},
        )
        assert answer.status_code == status, answer.text


async def test_what_left_an_account_comes_back_from_the_guild_bank(court):
    await court.hall.give("Bo", court.hall.potion, 3)
    await court.deposit("Bo", 2)
    until = datetime.now(UTC) + timedelta(days=1)
    since = until - timedelta(days=2)

    order = Sweep(by=BY, player_id=court.hall.bo, since=since, until=until)
    swept = await bulk.sweep(court.database, order)

    assert swept.left == []
    assert (await court.held(court.hall.bo), await court.banked()) == (3, {})
    [nobody] = swept.recipients
    assert [(item.quantity, item.returned) for item in nobody.items] == [(2, 2)]


async def test_all_that_an_actor_did_to_a_guild_is_undone_newest_first(court):
    await furnish(court)
    before = await court.snapshot()
    since = await court.database.reader.value("SELECT clock_timestamp()")
    key = await keys.create.one(court.database, keys.NewKey(by=BY, name="thief"))
    headers = {"Authorization": f"Bearer {key}"}
    for path, body in (
        ("rank/Bo", {"rank": 1}),
        ("transfer/Bo", {}),
        ("kick/Ana", {}),
        ("name", {"name": "Looters"}),
        ("bank/withdraw", {"player": "Bo", "itemid": str(court.hall.potion), "quantity": 7}),
    ):
        good(await court.hall.post(path, headers=headers, **body))
    good(
        await court.hall.client.delete(
            f"/api/v1/guilds/{court.hall.id}?force=true", headers=headers
        )
    )
    sql = "SELECT actor FROM actions WHERE kind = 'guilds.delete'"
    actor = await court.database.reader.value(sql)
    until = datetime.now(UTC) + timedelta(days=1)

    swept = await bulk.sweep(court.database, Sweep(by=BY, actor=actor, since=since, until=until))

    assert swept.left == []
    assert await court.snapshot() == before
    assert (await verify(court.settings)).breaches == []


async def test_a_join_of_somebody_who_was_kicked_since_has_nothing_to_undo(court):
    await make_player(court.database, "Dan")
    good(await court.hall.post("members/Dan"))
    join = await court.last()
    good(await court.hall.post("kick/Dan"))

    assert reasons(await court.undo(join)) == [("not_a_member", "member")]
