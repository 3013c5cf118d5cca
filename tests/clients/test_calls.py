"""Calls: answered, refused, and tried again without anything happening twice."""

import asyncio
import time
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from gamekeeper_client import (
    APIError,
    AsyncGamekeeper,
    Gamekeeper,
    RateLimited,
    RetryPolicy,
    Unreachable,
)
from gamekeeper_client import password_hash as hashed
from gamekeeper_client.players import Players
from gamekeeper_client.staff import role_limits
from gamekeeper_client.webhooks import Webhooks

from gamekeeper.auth import keys
from tests.clients import shared_server as shared
from tests.clients.proxies import proxying
from tests.make import BY, make_item, make_player, make_spell, make_user, make_variable
from tests.moderation.rows import CODE, make_sanction

shared_url, settings, database = shared.shared_url, shared.settings, shared.database
url, key = shared.url, shared.key


async def test_a_lost_answer_is_asked_for_again_and_nothing_is_given_twice(client, proxy, database):
    ana, potion = await make_player(database), await make_item(database)
    proxy.swallow = 2

    given = await client.players.give(ana, potion, 5)

    assert given["quantity"]["total"] == 5
    assert proxy.connections == 3
    assert await gifts(client, ana) == 1


async def test_so_it_is_without_async(sync, proxy, database):
    ana, potion = await make_player(database), await make_item(database)
    proxy.swallow = 2

    given = await asyncio.to_thread(sync.players.give, ana, potion, 5)

    assert given["quantity"]["total"] == 5
    assert len(await asyncio.to_thread(lambda: list(sync.players.history(ana)))) == 1


async def test_a_key_of_ones_own_holds_between_processes(url, key, client, database):
    ana, potion = await make_player(database), await make_item(database)
    first = await client.players.give(ana, potion, 5, idempotency_key="order-17")
    async with AsyncGamekeeper(url, key) as another:
        again = await another.players.give(ana, potion, 5, idempotency_key="order-17")
        with pytest.raises(APIError) as refused:
            await another.players.give(ana, potion, 6, idempotency_key="order-17")
    assert again == first
    assert refused.value.code == "idempotency_key_reused"
    assert await gifts(client, ana) == 1


def test_what_is_off_unless_given_is_not_sent():
    """So that a later version, with more such arguments, sends the same for the same order."""
    give, change = vars(Players)["give"], vars(Webhooks)["change"]
    assert give.call("Ana", "x", 5).body == {"itemid": "x", "quantity": 5}
    assert give.call("Ana", "x", 5, bank_overflow=True).body["bankoverflow"] is True
    assert change.call("x", enabled=False).body == {"enabled": False}


async def gifts(client: AsyncGamekeeper, player: object) -> int:
    return len([one async for one in client.players.history(str(player))])


async def test_what_no_key_protects_is_not_sent_twice(client, proxy, database):
    """A refresh token that is used twice would end the sign-in."""
    await make_user(database, "Mira", password="secret", api=True)
    tokens = await client.tokens.issue("password", username="Mira", password=hashed("secret"))
    proxy.swallow = 1
    with pytest.raises(Unreachable):
        await client.tokens.issue("refresh_token", refresh_token=tokens["refresh_token"])
    assert proxy.connections == 1


async def test_a_service_that_is_away_is_waited_for(url, key, database):
    ana = await make_player(database, "Waited")
    async with proxying("http://127.0.0.1:1") as proxy, AsyncGamekeeper(proxy.url, key) as client:
        asked = asyncio.create_task(client.players.get(ana))
        while proxy.connections < 2:
            await asyncio.sleep(0.01)
        proxy.target = url
        assert (await asked)["Name"] == "Waited"


async def test_patience_ends(key):
    little = RetryPolicy(attempts=3, first_pause=0.01)
    async with (
        proxying("http://127.0.0.1:1") as proxy,
        AsyncGamekeeper(proxy.url, key, retries=little) as client,
    ):
        with pytest.raises(Unreachable) as away:
            await client.players.online_count()
        assert (away.value.attempts, proxy.connections) == (3, 3)


async def test_who_is_told_to_wait_too_long_hears_of_it_at_once(client, database):
    """After ten wrong passwords a website waits longer than our patience."""
    user = await make_user(database, "Guessed", password="right")
    impatient = RetryPolicy(seconds=0.5)
    async with client.with_options(retries=impatient) as guesser:
        codes, began = [], time.monotonic()
        for _ in range(12):
            with pytest.raises(APIError) as refused:
                await guesser.users.validate_password(user, hashed("wrong"))
            codes.append(refused.value.code)
    assert codes[:10] == ["invalid_credentials"] * 10
    assert codes[-1] == "too_many_requests"
    assert isinstance(refused.value, RateLimited)
    assert refused.value.retry_after
    assert time.monotonic() - began < 15


async def test_a_rate_limited_call_waits_as_long_as_it_is_asked_to(url, database):
    order = keys.NewKey(by=BY, name="slow", rates="read 1/second")
    async with AsyncGamekeeper(url, str(await keys.create.one(database, order))) as client:
        began = time.monotonic()
        for _ in range(3):
            await client.players.online_count()
    assert time.monotonic() - began >= 2


async def test_a_refusal_says_everything_and_is_not_asked_for_again(client, proxy, database):
    ana, potion = await make_player(database), await make_item(database)
    with pytest.raises(APIError) as refused:
        await client.players.take(ana, potion, 3)
    assert (refused.value.status, refused.value.code) == (409, "not_enough_items")
    assert refused.value.details == {"Held": 0}
    assert refused.value.request_id
    assert refused.value.message in str(refused.value)
    assert proxy.asked == 1


async def test_a_refusal_of_the_token_endpoint_has_its_words(client):
    with pytest.raises(APIError) as refused:
        await client.tokens.issue("password", username="nobody", password=hashed("x"))
    assert (refused.value.status, refused.value.code) == (400, "invalid_grant")


async def test_scopes_are_refused_by_name(proxy, database):
    order = keys.NewKey(by=BY, name="narrow", scopes=frozenset({"players.read"}))
    async with AsyncGamekeeper(proxy.url, str(await keys.create.one(database, order))) as narrow:
        with pytest.raises(APIError) as refused:
            await narrow.users.get("anybody")
    assert (refused.value.status, refused.value.details) == (403, {"Role": "users.query"})
    assert proxy.asked == 1


@pytest.mark.parametrize("name", ["A/B", "..", "A B?", "ä%2F", "#1"])
async def test_any_name_is_one_segment_of_a_path(client, database, name):
    await make_player(database, name)
    assert (await client.players.get(name))["Name"] == name


async def test_nobody_is_called_nothing(client):
    with pytest.raises(ValueError, match="empty"):
        await client.players.get("")


async def test_pages_are_read_to_their_end(client, sync, database):
    names = {f"Paged {number}" for number in range(7)}
    for name in names:
        await make_player(database, name)
    found = [player["Name"] async for player in client.players.all(search="Paged", page_size=3)]
    assert found == sorted(names)
    ranked = await asyncio.to_thread(lambda: [one["Id"] for one in sync.players.ranked()])
    assert len(ranked) == len(set(ranked)) == (await client.players.page())["Total"]


async def test_cursors_are_read_to_their_end(client, database):
    ana, potion = await make_player(database), await make_item(database)
    await asyncio.gather(*(client.players.give(ana, potion) for _ in range(210)))
    seen = [action async for action in client.actions.all(player=str(ana))]
    assert [one["After"]["total"] for one in seen] == list(range(210, 0, -1))
    some = [action async for action in client.actions.all(player=str(ana), limit=150)]
    assert some == seen[:150]


async def test_a_limit_of_an_iterator_is_of_all_entries(client, sync, proxy, database):
    ana, potion = await make_player(database), await make_item(database)
    for number in range(5):
        await make_player(database, f"Limited {number}")
        await client.players.give(ana, potion)
    asked = proxy.asked
    names = [player["Name"] async for player in client.players.all(search="Limited", limit=3)]
    assert names == [f"Limited {number}" for number in range(3)]
    assert proxy.asked == asked + 1
    paged = client.players.all(search="Limited", page_size=2, limit=3)
    assert [one["Name"] async for one in paged] == names
    assert len([one async for one in client.players.history(ana, limit=2)]) == 2
    assert len([one async for one in client.players.history(ana, limit=999)]) == 5
    ranked = await asyncio.to_thread(lambda: list(sync.players.ranked(page_size=2, limit=3)))
    assert len(ranked) == 3
    with pytest.raises(ValueError, match="limit"):
        client.players.all(limit=0)


def test_an_iterator_has_a_name_and_words_of_its_own(sync):
    assert sync.players.ranked.__name__ == "ranked"
    assert sync.players.ranked.__qualname__ == "Players.ranked"
    assert sync.players.ranked.__doc__.startswith("Iterate over the ranking, by level")
    assert sync.players.rank_page.__doc__.startswith("A page of the ranking")


async def test_all_kinds_of_values_cross_the_wire(client, database):
    ana, karma = await make_player(database), await make_variable(database)
    spell, potion = await make_spell(database), await make_item(database)
    await client.players.set_variable(ana, karma, 42, reason="größer")
    assert await client.players.variable_value(ana, karma) == {"value": 42}
    await client.players.teach(ana, spell)
    before = datetime.now(UTC)
    await client.players.give(ana, potion, 2)
    await client.players.take(ana, potion, 2)
    assert {one["Quantity"] for one in await client.players.inventory(ana, at=before)} == {0}
    assert (await client.players.item_changes(ana, before))["Values"] == []
    restored = await client.players.restore_items(
        ana, before, slots=[{"place": "inventory", "slot": 0}], dry_run=True
    )
    assert (restored["DryRun"], restored["Values"]) == (True, [])
    [taught] = [action async for action in client.actions.all(player=ana, kind="spells.teach")]
    assert (await client.actions.undo(taught["Id"], dry_run=True))["Complete"]
    actor = taught["Actor"]
    swept = await client.actions.undo_actor(actor, before, datetime.now(UTC), dry_run=True)
    assert swept["DryRun"]
    left = await client.actions.undo_actor(
        None, before, datetime.now(UTC), player=ana, what="all", dry_run=True
    )
    assert (left.actor, left.player_id is not None) == (None, True)
    [used_up] = left.recipients
    assert (used_up.player_id, [item.quantity for item in used_up.items_]) == (None, [2])
    with pytest.raises(ValueError, match="no time zone"):
        await client.players.items(ana, at=datetime(2026, 1, 1))


async def test_several_ids_are_a_list(client, database):
    wanted = [await make_item(database) for _ in range(3)][:2]
    found = [item["Id"] async for item in client.catalog.items(ids=wanted)]
    assert sorted(found) == sorted(map(str, wanted))


async def test_an_appeal_is_sent_found_and_decided(client, database):
    await make_sanction(database)
    assert (await client.appeals.submit(CODE, "It was not me."))["AppealsLeft"] == 2
    [waiting] = [appeal async for appeal in client.appeals.all(state="open")]
    decided = await client.appeals.decide(waiting["Id"], lift=True, answer="Yes.", reason="logs")
    assert (decided["State"], decided["Sanction"]["InForce"]) == ("lifted", False)
    assert await client.appeals.get(waiting["Id"]) == decided
    told = await client.appeals.status(CODE.lower())
    assert [appeal["Answer"] for appeal in told["Appeals"]] == ["Yes."]
    with pytest.raises(APIError) as refused:
        await client.appeals.submit(CODE, "Again.")
    assert refused.value.code == "sanction_over"


async def test_accounts_and_webhooks_are_called_by_the_same_way(client, database):
    await client.users.register("Newcomer", hashed("first"), "newcomer@example.org")
    await client.users.change_password("Newcomer", hashed("second"), hashed("first"))
    assert (await client.users.validate_password("Newcomer", hashed("second")))["Message"]
    assert (await client.users.get("newcomer"))["Email"] == "newcomer@example.org"
    made = await client.webhooks.create("https://8.8.8.8/hook", kinds=["items.give", "items.take"])
    assert made["Secret"]
    assert sorted(made["Kinds"]) == ["items.give", "items.take"]
    every = await client.webhooks.change(made["Id"], kinds=["*"])
    assert every["Kinds"] is None
    assert not (await client.webhooks.change(made["Id"], enabled=False))["Enabled"]
    await client.webhooks.remove(made["Id"])
    with pytest.raises(APIError) as refused:
        await client.webhooks.get(made["Id"])
    assert refused.value.code == "webhook_not_found"


async def test_roles_are_made_given_and_deleted(client, database):
    ana = await make_user(database, "ana")
    limits = role_limits(largest_gift=20)

    made = await client.roles.create("herald", ["webhooks", "players.items"], limits=limits)
    assert (made.limits.largest_gift, made.limits.pieces_per_day) == (20, None)
    assert (await client.roles.change("herald", limits={})).limits.largest_gift is None
    assert (await client.staff.grant(ana, "herald")).scopes == ["players.items", "webhooks"]
    assert [one.name async for one in client.staff.list(role="herald")] == ["ana"]
    with pytest.raises(APIError) as refused:
        await client.roles.delete("herald")
    assert refused.value.code == "role_in_use"
    assert (await client.roles.delete("herald", withdraw=True)).members == 1
    assert "herald" not in [role.name async for role in client.roles.list()]
    assert (await client.me.get()).kind == "key"


async def test_a_thread_each_may_share_a_client(sync, database):
    ana, potion = await make_player(database), await make_item(database)
    await asyncio.gather(*(asyncio.to_thread(sync.players.give, ana, potion) for _ in range(12)))
    inventory = await asyncio.to_thread(sync.players.inventory, ana)
    assert sum(slot["Quantity"] for slot in inventory) == 12


def test_an_address_that_is_none_is_not_tried_again():
    with Gamekeeper("ftp://example.org", "gk_x") as client, pytest.raises(Unreachable) as wrong:
        client.players.get(uuid4())
    assert wrong.value.attempts == 1
