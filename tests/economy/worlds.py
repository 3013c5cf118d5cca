"""A small world in which items come and go, and a count of everything to compare with."""

import asyncio
import random
from typing import Any
from uuid import UUID

from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action, LedgerPosting
from gamekeeper.ledger.economy import maintenance, supply
from gamekeeper.ledger.economy.aggregates import IS_PENDING
from gamekeeper.ledger.economy.supply import ItemEconomy
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.state import lock_all
from tests.deadlines import PATIENCE
from tests.make import BY, make_bag_item, make_item, make_player

PLACES = {"inventory": "inventories", "bank": "banks", "bag": "bags"}


class World:
    """A few players who are given and lose things at random."""

    def __init__(self, database: Database, seed: int) -> None:
        self.database = database
        self.dice = random.Random(seed)
        self.players: list[UUID] = []
        self.items: list[UUID] = []

    async def make(self, players: int = 6) -> "World":
        self.players = [await make_player(self.database) for _ in range(players)]
        self.items = [await make_item(self.database, f"Potion {number}") for number in range(3)]
        satchel = await make_bag_item(self.database)
        await self.give(self.players[0], satchel, 1)
        return self

    async def give(self, player: UUID, item: UUID, quantity: int) -> None:
        gift = Gift(
            by=BY, player=str(player), item_id=item, quantity=quantity, overflow_to_bank=True
        )
        await items.give(self.database, [gift])

    async def take(self, player: UUID, item: UUID, quantity: int) -> None:
        await items.take(
            self.database, [Taking(by=BY, player=str(player), item_id=item, quantity=quantity)]
        )

    async def step(self) -> None:
        player, item = self.dice.choice(self.players), self.dice.choice(self.items)
        match self.dice.randrange(5):
            case 0 | 1 | 2:
                await self.give(player, item, self.dice.randint(1, 120))
            case 3:
                await self.take(player, item, self.dice.randint(1, 20))
            case _:
                await self.put_into_bag(item, self.dice.randint(1, 9))

    async def put_into_bag(self, item: UUID, quantity: int) -> None:
        """As an import will do it; no door of ours puts anything into bags yet."""
        player = self.players[0]

        async def work(writer: Writer) -> None:
            await lock_all(writer, [str(player)])
            bag = await writer.value("SELECT id FROM bags WHERE player_id = $1", player)
            taken = await writer.value("SELECT count(*) FROM bag_slots WHERE bag_id = $1", bag)
            await writer.run(
                "INSERT INTO bag_slots (player_id, bag_id, slot, item_id, quantity) "
                "VALUES ($1, $2, $3, $4, $5)",
                *(player, bag, taken, item, quantity),
            )
            action = Action(kind="ledger.open", by=BY)
            posting = LedgerPosting(
                player_id=player,
                action_id=action.id,
                place="bag",
                inside=bag,
                slot=taken,
                item_id=item,
                held_before=0,
                held_after=quantity,
                stat_buffs=(0, 0, 0, 0, 0),
                bag_id=None,
                against="import",
            )
            await actions.post(writer, [posting])
            await actions.record(writer, [action])

        await self.database.write(work)


HELD = """
    SELECT player_id, place::text AS place, quantity FROM slots WHERE item_id = $1
    UNION ALL SELECT player_id, 'bag', quantity FROM bag_slots WHERE item_id = $1
"""


async def recount(reader: Reader, item: UUID) -> dict[str, Any]:
    held = await reader.rows(HELD, item)
    flows = await reader.rows(
        """
        SELECT (at AT TIME ZONE 'UTC')::date AS day, against,
               sum(quantity) FILTER (WHERE quantity > 0) AS came,
               -sum(quantity) FILTER (WHERE quantity < 0) AS went
          FROM postings WHERE item_id = $1 GROUP BY 1, 2
        """,
        item,
    )
    by_player: dict[UUID, int] = {}
    for row in held:
        by_player[row["player_id"]] = by_player.get(row["player_id"], 0) + row["quantity"]
    most = sorted(by_player.items(), key=lambda pair: (-pair[1], pair[0]))[:10]
    return {
        "total": sum(by_player.values()),
        **{
            shown: sum(row["quantity"] for row in held if row["place"] == place)
            for place, shown in PLACES.items()
        },
        "flows": {
            (row["day"], row["against"]): (row["came"] or 0, row["went"] or 0) for row in flows
        },
        "holders": most,
    }


def told(economy: ItemEconomy) -> dict[str, Any]:
    return {
        "total": economy.total,
        **{shown: getattr(economy, shown) for shown in PLACES.values()},
        "flows": {(flow.day, flow.source): (flow.came, flow.went) for flow in economy.flows},
        "holders": [(holder.player_id, holder.quantity) for holder in economy.holders],
    }


async def compare(reader: Reader, world: World) -> None:
    for item in world.items:
        assert told(await supply.find_item_economy(reader, item, 30)) == await recount(reader, item)
    page = await supply.list_supply(reader, Window.of(0, 100))
    counts = {
        entry.id: (entry.total, entry.inventories, entry.banks, entry.bags) for entry in page.values
    }
    for item in world.items:
        again = await recount(reader, item)
        assert counts[item] == (again["total"], *(again[shown] for shown in PLACES.values()))
    assert [entry.total for entry in page.values] == sorted(
        (entry.total for entry in page.values), reverse=True
    )


async def fold_all(database: Database, most: int = maintenance.MOST_AT_ONCE) -> int:
    """Fold until nothing is beyond; who writes elsewhere on the same server holds it up."""
    total = 0
    async with asyncio.timeout(PATIENCE):
        while await beyond(database):
            total += await database.write(lambda writer: maintenance.fold(writer, most))
            await asyncio.sleep(0)
    return total


async def beyond(database: Database) -> int:
    horizon = await database.reader.value("SELECT xid::text FROM economy_horizon")
    return await database.reader.value(f"SELECT count(*) FROM postings WHERE {IS_PENDING}", horizon)
