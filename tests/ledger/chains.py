"""A small log of actions, linked and anchored, to be tampered with."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
from msgspec import structs

from gamekeeper.core import ids
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions, anchors, chain
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.anchors import Head
from gamekeeper.ledger.links import COLUMNS, Linked, Seal, hashed
from tests.deadlines import PATIENCE
from tests.open_connections import open_connections

WHO = AuditContext(
    actor="key:1", name="shop", request_id="r-1", address="10.1.2.3", reason="a prize"
)


def anchored(settings: Settings, directory: Path) -> Settings:
    """The same settings, with a file for anchors and a key of its own."""
    return structs.replace(
        settings, anchor_file=str(directory / "anchors"), anchor_key=Hidden("5a" * 32)
    )


async def act(database: Database, count: int = 1) -> list[UUID]:
    """That many actions, each in a transaction of its own."""
    done = []
    for number in range(count):
        action = Action(
            kind="variables.set",
            by=WHO,
            player_id=uuid4(),
            user_id=uuid4(),
            item_id=uuid4(),
            before={"value": number},
            after={"value": number + 1, "big": 12345678901234567890, "name": "Änne \u2028"},
        )
        await database.write(lambda writer, action=action: actions.record(writer, [action]))
        done.append(action.id)
    return done


async def age_actions(database: Database, age: timedelta) -> None:
    """Make all actions that old, with their ids, which begin with the time."""
    at = datetime.now(UTC) - age
    for row in await database.reader.rows("SELECT id FROM actions"):
        arguments = (row["id"], ids.id_at(row["id"], at), at)
        await database.write(
            lambda writer, arguments=arguments: writer.run(
                "UPDATE actions SET id = $2, at = $3 WHERE id = $1", *arguments
            )
        )


async def link(database: Database) -> None:
    """Link everything; waits for transactions under way elsewhere on the server."""
    async with asyncio.timeout(PATIENCE):
        while await unlinked(database):
            with open_connections(database):
                linked = await chain.catch_up(database)
            if not linked:
                await asyncio.sleep(0.02)


async def unlinked(database: Database) -> int:
    return await database.reader.value(
        """
        SELECT count(*) FROM actions
         WHERE NOT EXISTS (SELECT FROM chain WHERE action_id = actions.id)
        """
    )


async def link_and_anchor(database: Database, settings: Settings) -> Head:
    await link(database)
    head = await database.reader.one(Head, chain.HEAD)
    assert head is not None
    anchors.keep(settings, head, at_once=True)
    return head


async def order(database: Database) -> list[UUID]:
    rows = await database.reader.rows("SELECT action_id FROM chain ORDER BY seq")
    return [row["action_id"] for row in rows]


async def tamper(settings: Settings, *statements: str, **values: object) -> None:
    """Do what only somebody with all rights on the database could do."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        for statement in statements:
            given = [value for name, value in values.items() if f"${name}" in statement]
            for number, name in enumerate([n for n in values if f"${n}" in statement], 1):
                statement = statement.replace(f"${name}", f"${number}")
            await connection.execute(statement, *given)
    finally:
        await connection.close()


async def rehash(settings: Settings) -> None:
    """Make a chain that fits again, numbers and hashes: nobody needs a key for that."""
    connection = await asyncpg.connect(settings.database_url)
    try:
        rows = await connection.fetch(
            f"SELECT form, postings, {COLUMNS} FROM chain JOIN actions ON id = action_id "
            "ORDER BY seq"
        )
        await connection.execute("DELETE FROM chain")
        last = bytes(32)
        for seq, (form, postings, *action) in enumerate(rows, 1):
            linked = Linked(*action)
            last = hashed(last, seq, linked, Seal(form, postings))
            await connection.execute(
                "INSERT INTO chain VALUES ($1, $2, $3, $4, $5, $6)",
                *(seq, linked.id, linked.at, last, form, postings),
            )
    finally:
        await connection.close()
