"""
A sketch: a character moves from one realm to another, and is in exactly one of them.

Two services, two databases, no transaction over both. Three transactions, each in one realm:

1. depart (source): the character is deleted, and an escrow row has what it was. The row is
   also the message to the other realm: an outbox.
2. arrive (target): a receipt, and the character with what it had; or a receipt that refuses.
3. settle (source): the escrow row is closed; after a refusal the character comes back.

A process may die before or after each commit. Any process continues with the escrow rows that are
open: the receipt, whose key is the id of the move, makes the second transaction happen once.
"""

from typing import Any, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.core import ids
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.players import characters, items
from gamekeeper.players.characters import Creation, Deletion
from gamekeeper.players.items import Gift

BY = AuditContext(actor="system", name="realms")

TABLES: LiteralString = """
    CREATE SCHEMA realms;
    CREATE TABLE realms.escrow (
        id uuid PRIMARY KEY,
        player_id uuid NOT NULL,
        content text NOT NULL,
        deletion uuid NOT NULL,
        state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'moved', 'returned'))
    );
    CREATE UNIQUE INDEX ON realms.escrow (player_id) WHERE state = 'open';
    CREATE TABLE realms.receipts (
        id uuid PRIMARY KEY,
        player_id uuid,
        refusal text,
        CHECK ((player_id IS NULL) <> (refusal IS NULL))
    );
"""


class Content(msgspec.Struct, frozen=True):
    """What crosses the border. A real move carries the whole character line of an export."""

    account: str
    name: str
    class_id: UUID
    held: dict[UUID, int]


async def move(source: Database, target: Database, player: str) -> str:
    """Move a character; returns `moved`, or why it came back."""
    return await finish(source, target, await depart(source, player))


async def resume(source: Database, target: Database) -> None:
    """Continue all moves that are open: at the start of a process, and every few seconds."""
    for row in await source.reader.rows("SELECT id FROM realms.escrow WHERE state = 'open'"):
        await finish(source, target, row["id"])


async def finish(source: Database, target: Database, id: UUID) -> str:  # noqa: A002
    text = await source.reader.value("SELECT content FROM realms.escrow WHERE id = $1", id)
    refusal = await arrive(target, id, msgspec.json.decode(text, type=Content))
    await settle(source, id, refusal)
    return refusal or "moved"


# ── In the source ──


async def depart(source: Database, player: str) -> UUID:
    move = ids.new_id()

    async def work(writer: Writer) -> None:
        # The deletion locks the character, and refuses one that is online or owns a guild.
        [gone] = _good(await characters.delete(writer, [Deletion(by=BY, player=player)]))
        [row] = await writer.rows(DEPARTED, gone.id, gone.user_id)
        held = {UUID(item): many for item, many in msgspec.json.decode(row["held"]).items()}
        content = Content(row["account"], gone.name, gone.class_id, held)
        await writer.run(
            "INSERT INTO realms.escrow (id, player_id, content, deletion) VALUES ($1, $2, $3, $4)",
            move,
            gone.id,
            msgspec.json.encode(content).decode(),
            row["deletion"],
        )

    await source.write(work)
    return move


# What the deletion took, by its postings: so escrow and ledger cannot differ.
DEPARTED: LiteralString = """
    SELECT deletion.id AS deletion, (SELECT name FROM users WHERE id = $2) AS account,
           (SELECT coalesce(json_object_agg(item_id, -total), '{}')::text
              FROM (SELECT item_id, sum(quantity) AS total
                      FROM postings WHERE action_id = deletion.id GROUP BY item_id) AS taken
           ) AS held
      FROM actions AS deletion
     WHERE deletion.kind = 'players.delete' AND deletion.player_id = $1
     ORDER BY deletion.id DESC LIMIT 1
"""


async def settle(source: Database, id: UUID, refusal: str | None) -> None:  # noqa: A002
    async def work(writer: Writer) -> None:
        rows = await writer.rows(
            """
            UPDATE realms.escrow SET state = $2 WHERE id = $1 AND state = 'open'
            RETURNING deletion
            """,
            id,
            "returned" if refusal else "moved",
        )
        if rows and refusal:
            undoing = Undoing(by=BY, action_id=rows[0]["deletion"])
            _good(await execute.undo(writer, [undoing]))

    await source.write(work)


# ── In the target ──


async def arrive(target: Database, id: UUID, content: Content) -> str | None:  # noqa: A002
    """Take the character in, once; returns why not, if it was refused, each time the same."""

    async def work(writer: Writer) -> str | None:
        # Another process with the same move waits here until this one has committed.
        await writer.run("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))", str(id))
        if receipts := await writer.rows("SELECT refusal FROM realms.receipts WHERE id = $1", id):
            return receipts[0]["refusal"]
        made = await _received(writer, content)
        refusal = made.code if isinstance(made, Problem) else None
        await writer.run(
            "INSERT INTO realms.receipts VALUES ($1, $2, $3)",
            id,
            None if isinstance(made, Problem) else made,
            refusal,
        )
        return refusal

    return await target.write(work)


async def _received(writer: Writer, content: Content) -> UUID | Problem:
    user = await writer.value("SELECT id FROM users WHERE name = $1", content.account)
    creation = Creation(by=BY, user_id=user, name=content.name, class_id=content.class_id)
    [made] = await characters.create(writer, [creation])
    if isinstance(made, Problem):
        return made
    gifts = [
        Gift(by=BY, player=str(made.id), item_id=item, quantity=many, overflow_to_bank=True)
        for item, many in content.held.items()
    ]
    if gifts:
        _good(await items.give(writer, gifts))
    return made.id


def _good(outcomes: Any) -> Any:
    for outcome in outcomes:
        if isinstance(outcome, Problem):
            raise outcome
    return outcomes
