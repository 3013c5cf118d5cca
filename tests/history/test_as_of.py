"""The past, asked for again, is what was seen when it was the present."""

import asyncio
from datetime import UTC, datetime, timedelta
from random import Random
from time import perf_counter
from uuid import UUID, uuid4

import pytest

from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from tests.make import (
    BY,
    make_bag_item,
    make_item,
    make_player,
    make_spell,
    make_variable,
)

VALUES = {
    "integer": [0, 7, -(2**63)],
    "boolean": [True, False],
    "number": [0.5, 1e300],
    "string": ["", "né"],
}


async def clock(database) -> datetime:
    return await database.reader.value("SELECT clock_timestamp()")


async def seen(client, player: UUID, bags: set[str], at: datetime | None = None) -> dict:
    """Every answer about a character that may be asked for as of an instant, byte for byte."""
    one = f"/api/v1/players/{player}"
    paths = [f"{one}/items", f"{one}/items/inventory", f"{one}/items/bank", f"{one}/spells"]
    paths += [f"/api/v1/players/bag/{bag}" for bag in sorted(bags)]
    params = {"at": at.isoformat()} if at else {}
    variables, *others = await asyncio.gather(
        *(client.get(path, params=params) for path in (f"{one}/variables", *paths))
    )
    answers = {f"{one}/variables": (variables.status_code, variables.content)}
    for path, answer in zip(paths, others, strict=True):
        answers[path] = (answer.status_code, answer.content if answer.is_success else b"")
    return answers


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.torture
async def test_every_remembered_instant_is_shown_again_as_it_was(client, database, seed):
    """Random work on two characters; after each step the present and the clock are noted."""
    dice = Random(seed)
    players = [await make_player(database), await make_player(database)]
    work = await Work.on(client, database, dice)
    notes: list[tuple[datetime, UUID, dict]] = []
    bags: set[str] = set()
    for _ in range(30):
        player = dice.choice(players)
        await work.step(player)
        inventory = (await client.get(f"/api/v1/players/{player}/items/inventory")).json()
        bags |= {slot["BagId"] for slot in inventory if slot["BagId"]}
        notes.append((await clock(database), player, await seen(client, player, bags)))

    assert work.done > 15
    for at, player, then in notes:
        again = await seen(client, player, bags, at)
        assert {path: again[path] for path in then} == then
        # Bags that were made later were not there then.
        assert {again[path] for path in again.keys() - then.keys()} <= {(404, b"")}


class Work:
    """Steps that change a character, chosen by dice; some are refused, as in life."""

    @classmethod
    async def on(cls, client, database, dice: Random) -> "Work":
        work = cls()
        work.client, work.dice, work.done = client, dice, 0
        work.items = [
            await make_item(database),
            await make_item(database, "Sword", type="equipment"),
            await make_bag_item(database),
        ]
        work.spells = [await make_spell(database, f"Spell {number}") for number in range(4)]
        work.variables = {await make_variable(database, kind): VALUES[kind] for kind in VALUES}
        return work

    async def step(self, player: UUID) -> None:
        dice = self.dice
        item = {"itemid": str(dice.choice(self.items)), "quantity": dice.randint(1, 30)}
        variable = dice.choice(list(self.variables))
        spell = {"spellid": str(dice.choice(self.spells))}
        path, body = dice.choice(
            [
                ("items/give", item | {"bankoverflow": dice.random() < 0.5}),
                ("items/take", item | {"quantity": dice.randint(1, 12)}),
                ("spells/teach", spell),
                ("spells/forget", spell),
                (f"variables/{variable}", {"value": dice.choice(self.variables[variable])}),
            ]
        )
        answer = await self.client.post(f"/api/v1/players/{player}/{path}", json=body)
        assert answer.status_code in (200, 409), answer.text
        self.done += answer.is_success


async def test_what_happened_at_exactly_the_instant_counts_as_done(client, database):
    ana, potion = await make_player(database), await make_item(database)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=potion, quantity=3))
    at: datetime = await database.reader.value("SELECT at FROM postings")

    async def held(instant: datetime) -> int:
        path = f"/api/v1/players/{ana}/items/inventory"
        answer = await client.get(path, params={"at": instant.isoformat()})
        return answer.json()[0]["Quantity"]

    assert await held(at) == 3
    assert await held(at - timedelta(microseconds=1)) == 0
    assert await held(at + timedelta(days=365 * 900)) == 3


async def test_a_spell_comes_back_in_the_slot_it_had(client, database):
    """Forgotten and learned again it stands elsewhere; then, it stood where it stood."""
    await make_player(database, "ana")
    fire, ice = await make_spell(database), await make_spell(database, "Ice")

    async def lesson(what: str, spell: UUID) -> datetime:
        path = f"/api/v1/players/ana/spells/{what}"
        assert (await client.post(path, json={"spellid": str(spell)})).is_success
        return await clock(database)

    await lesson("teach", fire)
    both = await lesson("teach", ice)
    await lesson("forget", fire)
    await lesson("forget", ice)
    await lesson("teach", ice)

    answer = await client.get("/api/v1/players/ana/spells", params={"at": both.isoformat()})
    assert answer.json() == [
        {"Slot": 0, "SpellId": str(fire)},
        {"Slot": 1, "SpellId": str(ice)},
    ]


async def test_one_variable_is_shown_as_it_was_and_its_default_before_it_was_set(client, database):
    await make_player(database, "ana")
    karma = await make_variable(database)
    path = f"/api/v1/players/ana/variables/{karma}"
    before = await clock(database)
    await client.post(path, json={"value": 7})
    then = await clock(database)
    await client.post(path, json={"value": 9})

    for at, value in ((before, 0), (then, 7), (None, 9)):
        params = {"at": at.isoformat()} if at else {}
        assert (await client.get(path, params=params)).json() == {
            "VariableId": str(karma),
            "Value": value,
        }
        assert (await client.get(f"{path}/value", params=params)).json() == {"value": value}
    unknown = await client.get(
        f"/api/v1/players/ana/variables/{uuid4()}", params={"at": then.isoformat()}
    )
    assert (unknown.status_code, unknown.json()["Code"]) == (404, "variable_not_found")


async def test_several_changes_of_one_thing_in_one_batch_are_undone_to_the_first(client, database):
    """All of a batch's postings have one time; their numbers say which came first."""
    ana, coin = await make_player(database), await make_item(database, inventory_stack=1000)
    before = await clock(database)
    gift = Gift(by=BY, player=str(ana), item_id=coin, quantity=5)
    await items.give(database, [gift, gift, gift])

    path = f"/api/v1/players/{ana}/items/inventory"
    then = (await client.get(path, params={"at": before.isoformat()})).json()
    assert [slot["Quantity"] for slot in then] == [0] * 35


async def test_what_was_in_a_bag_is_shown_though_the_bag_is_no_more(client, database):
    """Nothing of ours moves things into bags yet, so the postings are written by hand."""
    ana, potion = await make_player(database), await make_item(database)
    satchel = await make_bag_item(database, slots=2)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=satchel, quantity=1))
    bag = await database.reader.value("SELECT id FROM bags")
    await move_into(database, ana, bag, potion, 0, 4)
    filled = await clock(database)
    await move_into(database, ana, bag, potion, 4, 1)
    less = await clock(database)
    await move_into(database, ana, bag, potion, 1, 0)
    await items.take.one(database, Taking(by=BY, player=str(ana), item_id=satchel, quantity=1))
    gone = await clock(database)

    async def ask(at: datetime):
        answer = await client.get(f"/api/v1/players/bag/{bag}", params={"at": at.isoformat()})
        if answer.status_code != 200:
            return answer.json()["Code"]
        assert answer.json()["SlotCount"] == 2
        return [slot["Quantity"] for slot in answer.json()["Slots"]]

    assert await ask(filled) == [4, 0]
    assert await ask(less) == [1, 0]
    assert await ask(gone) == "bag_not_found"
    assert await ask(datetime(2026, 1, 1, tzinfo=UTC)) == "bag_not_found"


async def move_into(database, player, bag, item, before: int, after: int) -> None:
    from gamekeeper.ledger import actions

    async def work(writer) -> None:
        posting = actions.LedgerPosting(
            player_id=player,
            action_id=uuid4(),
            place="bag",
            inside=bag,
            slot=0,
            item_id=item,
            held_before=before,
            held_after=after,
            stat_buffs=(0, 0, 0, 0, 0),
            bag_id=None,
            against="move",
        )
        await actions.post(writer, [posting])
        await writer.run("DELETE FROM bag_slots")
        if after:
            await writer.run(
                """
                INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity)
                VALUES ($1, $2, 0, $3, $4)
                """,
                player,
                bag,
                item,
                after,
            )

    await database.write(work)


@pytest.mark.parametrize(
    "at", ["yesterday", "2026-03-14", "2026-03-14T18:22:05", "2026-02-30T00:00:00Z", "17", "-"]
)
async def test_what_is_no_instant_is_refused(client, database, at):
    await make_player(database, "ana")
    for path in ("items", "items/inventory", "items/bank", "spells", "variables"):
        answer = await client.get(f"/api/v1/players/ana/{path}", params={"at": at})
        assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")
        assert answer.json()["Message"] == (
            "'at' must be an instant with its offset, such as 2026-03-14T18:22:05Z."
        )


async def test_an_instant_may_have_any_offset_even_a_plus_that_was_not_escaped(client, database):
    ana, potion = await make_player(database), await make_item(database)
    before = await clock(database)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=potion, quantity=3))

    local = (before + timedelta(hours=2)).replace(tzinfo=None).isoformat()
    for offset in ("%2B02:00", "+02:00"):
        path = f"/api/v1/players/{ana}/items/inventory?at={local}{offset}"
        assert (await client.get(path)).json()[0]["Quantity"] == 0


LATER = 10_000


async def test_ten_thousand_postings_ago_is_found_in_fifty_milliseconds(client, database):
    """Generously bounded, because the machine may be busy; the figure is printed."""
    ana, coin = await make_player(database), await make_item(database, inventory_stack=10**6)
    await items.give.one(database, Gift(by=BY, player=str(ana), item_id=coin, quantity=5))
    before = await clock(database)
    gift = Gift(by=BY, player=str(ana), item_id=coin, quantity=1)
    for _ in range(LATER // 1000):
        await items.give(database, [gift] * 1000)

    times = []
    for _ in range(11):
        begun = perf_counter()
        answer = await client.get(f"/api/v1/players/{ana}/items", params={"at": before.isoformat()})
        times.append((perf_counter() - begun) * 1000)
        assert answer.json()["inventory"][0]["Quantity"] == 5
    print(f"\n{LATER:,} postings ago: {sorted(times)[5]:.1f} ms (fastest {min(times):.1f})")
    assert min(times) < 200


async def test_spells_and_variables_do_not_wade_through_what_was_done_with_items(
    client, database, statements
):
    """Ten thousand gifts since the instant: they are not in the index that is asked."""
    ana, potion = await make_player(database, "ana"), await make_item(database)
    then = await clock(database)
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO actions (id, kind, actor, actor_name, player_id, item_id, after,
                                 request_id, address)
            SELECT gen_random_uuid(), 'items.give', 'system', 'tests', $1, $2,
                   '{"quantity": 1}', '', ''
              FROM generate_series(1, 10000)
            """,
            ana,
            potion,
        )
    )
    for path in ("spells", "variables"):
        with statements() as sent:
            await client.get(f"/api/v1/players/ana/{path}", params={"at": then.isoformat()})
        [sql] = [sql for sql in sent if "FROM actions" in sql]
        plan = await database.reader.rows(f"EXPLAIN {sql}", ana, then)  # pyright: ignore
        assert "player_id_at_id_idx" in "\n".join(row[0] for row in plan)
