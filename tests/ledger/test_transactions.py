"""Transactions in the ledger are found by their ids."""

from uuid import UUID, uuid4

from gamekeeper.ledger import transactions
from tests.make import make_item, make_player, make_user
from tests.transactions.test_transactions import items, send


async def trade(client, database) -> tuple[UUID, list[UUID]]:
    """A transaction between two characters, and its actions."""
    potion = await make_item(database)
    for name in ("Ana", "Bo"):
        await make_player(database, name, user=await make_user(database))
    await send(client, [items(potion, 5, to="Ana")])
    [outcome] = await send(client, [items(potion, 5, from_="Ana", to="Bo")])
    rows = await database.reader.rows(
        "SELECT id FROM actions WHERE kind = 'items.move' ORDER BY id"
    )
    return UUID(outcome["Done"]["Id"]), [row["id"] for row in rows]


async def test_all_actions_of_a_transaction_are_found(client, database):
    transaction, actions = await trade(client, database)

    found = await transactions.members(database.reader, [uuid4(), transaction])

    assert len(actions) == 2
    assert found == {transaction: actions}


async def test_a_transaction_is_found_however_long_its_actions_took(client, database):
    """The id of a transaction is older than those of its actions, by as much as may be."""
    transaction, actions = await trade(client, database)
    old = UUID("01000000-0000-7000-8000-000000000000")
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE actions
               SET before = jsonb_set(before, '{transaction}', to_jsonb($2::text)),
                   after = jsonb_set(after, '{transaction}', to_jsonb($2::text))
             WHERE id = ANY($1)
            """,
            actions,
            str(old),
        )
    )

    found = await transactions.members(database.reader, [transaction, old])

    assert found == {old: actions}


async def test_a_transaction_is_looked_up_in_the_index(database):
    """PostgreSQL scans a table against this setting only if no index serves."""

    async def plan(writer) -> list[str]:
        await writer.run("SET LOCAL enable_seqscan = off")
        await writer.run("SET LOCAL plan_cache_mode = force_generic_plan")
        rows = await writer.rows(f"EXPLAIN {transactions.MEMBERS}", [str(uuid4())])
        return [row["QUERY PLAN"] for row in rows]

    lines = await database.write(plan)

    assert any("Index Scan" in line for line in lines)
    assert [line for line in lines if "Seq Scan" in line] == []
