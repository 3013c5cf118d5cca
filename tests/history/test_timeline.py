"""A character's timeline, and what changed between two instants."""

from datetime import UTC, datetime
from time import perf_counter

import msgspec
import pytest

from gamekeeper.auth import keys
from gamekeeper.players import items, spells
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.spells import Lesson
from tests.history.test_as_of import clock
from tests.make import BY, make_item, make_player, make_spell, make_user

WHO = msgspec.structs.replace(BY, reason="a prize", request_id="r-1", address="10.1.2.3")


async def test_a_timeline_shows_each_action_with_every_slot_it_changed(client, database):
    ana, other = await make_player(database), await make_player(database)
    potion, fire = await make_item(database), await make_spell(database)
    for player in (ana, other):
        gift = Gift(by=WHO, player=str(player), item_id=potion, quantity=13)
        await items.give.one(database, gift)
    await spells.teach.one(database, Lesson(by=BY, player=str(ana), spell_id=fire))
    await items.take.one(database, Taking(by=BY, player=str(ana), item_id=potion, quantity=11))

    answer = (await client.get(f"/api/v1/players/{ana}/history")).json()

    assert answer["Next"] is None
    took, taught, gave = answer["Values"]
    assert (took["Kind"], taught["Kind"], gave["Kind"]) == (
        "items.take",
        "spells.teach",
        "items.give",
    )
    assert {name: gave[name] for name in ("Actor", "ActorName", "Reason", "RequestId")} == {
        "Actor": "system",
        "ActorName": "tests",
        "Reason": "a prize",
        "RequestId": "r-1",
    }
    assert (taught["Before"], taught["After"]) == (None, {"spell_id": str(fire), "slot": 0})
    assert taught["Postings"] == []
    assert [moved(posting) for posting in gave["Postings"]] == [
        (1, "inventory", 0, 10, 0, 10, "grant"),
        (2, "inventory", 1, 3, 0, 3, "grant"),
    ]
    assert [moved(posting) for posting in took["Postings"]] == [
        (3, "inventory", 0, -10, 10, 0, "removal"),
        (4, "inventory", 1, -1, 3, 2, "removal"),
    ]


def moved(posting: dict) -> tuple:
    names = ("Seq", "Place", "Slot", "Quantity", "HeldBefore", "HeldAfter", "Against")
    return tuple(posting[name] for name in names)


async def test_pages_join_without_a_gap_or_a_repeat_while_more_is_done(client, database):
    ana, coin = await make_player(database), await make_item(database, inventory_stack=1000)
    gift = Gift(by=BY, player=str(ana), item_id=coin, quantity=1)
    await items.give(database, [gift] * 25)

    seen, cursor = [], ""
    while cursor is not None:
        params = {"limit": 4, "cursor": cursor}
        page = (await client.get(f"/api/v1/players/{ana}/history", params=params)).json()
        seen += [event["Id"] for event in page["Values"]]
        cursor = page["Next"]
        await items.give.one(database, gift)

    assert len(seen) == 25
    assert seen == sorted(set(seen), reverse=True)


@pytest.mark.parametrize(
    "query", ["cursor=nonsense", "cursor=AAAA", "limit=many", "cursor=%F0%9F%99%82"]
)
async def test_what_is_no_cursor_or_number_is_refused(client, database, query):
    await make_player(database, "ana")
    answer = await client.get(f"/api/v1/players/ana/history?{query}")
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")


async def test_a_timeline_needs_the_right_to_read_the_log(client, database):
    """It names those who did things, and where they called from."""
    await make_player(database, "ana")
    key = await keys.create.one(
        database, keys.NewKey(by=BY, name="website", scopes=("players.read",))
    )
    answer = await client.get(
        "/api/v1/players/ana/history", headers={"Authorization": f"Bearer {key}"}
    )
    assert (answer.status_code, answer.json()["Details"]) == (403, {"Role": "actions.read"})


async def test_an_unknown_character_has_no_timeline(client, database):
    await make_user(database, "ana")
    for path in ("history", "items/changes?from=2026-01-01T00:00:00Z"):
        answer = await client.get(f"/api/v1/players/ana/{path}")
        assert (answer.status_code, answer.json()["Code"]) == (404, "player_not_found")


async def test_changes_are_what_differs_per_item_and_place(client, database):
    ana = await make_player(database)
    potion = await make_item(database, inventory_stack=1)
    sword = await make_item(database, "Sword", type="equipment")
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=sword, quantity=2))
    before = await clock(database)
    gift = Gift(by=BY, player=str(ana), item_id=potion, quantity=40, overflow_to_bank=True)
    await items.give.one(database, gift)
    between = await clock(database)
    await items.take.one(database, Taking(by=BY, player=str(ana), item_id=sword, quantity=1))
    await items.take.one(database, Taking(by=BY, player=str(ana), item_id=potion, quantity=33))

    async def changes(**params: datetime) -> set[tuple]:
        query = {name.strip("_"): at.isoformat() for name, at in params.items()}
        answer = await client.get(f"/api/v1/players/{ana}/items/changes", params=query)
        return {tuple(change.values()) for change in answer.json()["Values"]}

    assert await changes(from_=before, to=between) == {
        (str(potion), "inventory", 0, 33, 33),
        (str(potion), "bank", 0, 7, 7),
    }
    assert await changes(from_=before) == {
        (str(potion), "bank", 0, 7, 7),
        (str(sword), "inventory", 2, 1, -1),
    }
    assert await changes(from_=between, to=before) == {
        (str(potion), "inventory", 33, 0, -33),
        (str(potion), "bank", 7, 0, -7),
    }
    assert await changes(from_=before, to=before) == set()


async def test_changes_since_when_must_be_said(client, database):
    await make_player(database, "ana")
    answer = await client.get("/api/v1/players/ana/items/changes")
    assert (answer.status_code, answer.json()["Message"]) == (400, "'from' is required.")


MANY = 20_000


async def test_a_page_far_back_costs_what_the_first_one_does(client, database):
    """Of 20,000 actions. Analyzed, as the server does by itself; the bound is generous."""
    ana, coin = await make_player(database), await make_item(database, inventory_stack=10**6)
    await database.write(lambda writer: writer.run(FILL, ana, coin))
    await database.write(lambda writer: writer.run("ANALYZE actions, postings"))

    async def fastest(cursor: str | None) -> tuple[float, str]:
        times = []
        for _ in range(9):
            begun = perf_counter()
            params = {"limit": 20} | ({"cursor": cursor} if cursor else {})
            page = (await client.get(f"/api/v1/players/{ana}/history", params=params)).json()
            times.append((perf_counter() - begun) * 1000)
            assert len(page["Values"]) == 20
        return min(times), page["Next"]

    first, _ = await fastest(None)
    deep, _ = await fastest(await far_cursor(database))
    print(f"\nfirst page {first:.1f} ms, page {MANY // 20 - 2:,} of {MANY // 20:,} {deep:.1f} ms")
    assert deep < 5 * first + 20


FILL = """
    INSERT INTO actions (id, at, kind, actor, actor_name, player_id, item_id, request_id, address)
    SELECT (lpad(to_hex(1700000000000 + number), 12, '0') || '70008000'
            || lpad(to_hex(number), 12, '0'))::uuid,
           timestamptz '2026-11-02' + number * interval '1 second', 'items.give', 'key:1', 'shop',
           $1, $2, '', ''
      FROM generate_series(1, 20000) AS number
"""


async def far_cursor(database) -> str:
    import base64

    last = await database.reader.value("SELECT id FROM actions ORDER BY id OFFSET 40 LIMIT 1")
    return base64.urlsafe_b64encode(last.bytes).rstrip(b"=").decode()


async def test_time_in_a_timeline_is_rfc_3339(client, database):
    ana, coin = await make_player(database), await make_item(database)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=coin, quantity=1))
    [event] = (await client.get(f"/api/v1/players/{ana}/history")).json()["Values"]
    assert event["At"].endswith("Z")
    assert abs(datetime.now(UTC) - datetime.fromisoformat(event["At"])).total_seconds() < 60
