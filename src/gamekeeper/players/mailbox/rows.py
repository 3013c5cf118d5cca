"""The rows of letters: find, load and save them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.players.mailbox.records import LISTED, Letter, LetterItem, LetterKey, LetterSender

COLUMNS: LiteralString = """
    letters.player_id, letters.id, letters.state, letters.sender_kind, letters.sender_id,
    letters.sender_name, letters.subject, letters.text, letters.attached, letters.sent_at,
    letters.expires_at, letters.on_expiry, letters.read_at, letters.ended_at,
    letters.sender_kind = 'shop' AND EXISTS (
        SELECT FROM order_lines JOIN orders ON orders.id = order_lines.order_id
         WHERE order_lines.letter_id = letters.id AND orders.dispute = 'open') AS is_held
"""


def letter_of(row: Any) -> Letter:
    """The letter of a row with `COLUMNS`."""
    return Letter(
        player_id=row["player_id"],
        id=row["id"],
        state=row["state"],
        sender=LetterSender(kind=row["sender_kind"], id=row["sender_id"], name=row["sender_name"]),
        subject=row["subject"],
        text=row["text"],
        attached=attached_items(row["attached"]),
        sent_at=row["sent_at"],
        expires_at=row["expires_at"],
        on_expiry=row["on_expiry"],
        read_at=row["read_at"],
        ended_at=row["ended_at"],
        is_held=row["is_held"],
    )


def attached_items(stored: Any) -> tuple[LetterItem, ...]:
    return tuple(
        LetterItem(
            item_id=UUID(item["item_id"]),
            quantity=item["quantity"],
            stat_buffs=tuple(item["stat_buffs"]),
        )
        for item in stored
    )


def stored_items(attached: Sequence[LetterItem]) -> list[dict[str, Any]]:
    """The items in the form of the column `attached`, and of actions."""
    return [
        {"item_id": item.item_id, "quantity": item.quantity, "stat_buffs": item.stat_buffs}
        for item in attached
    ]


async def load(writer: Queryable, players: Sequence[UUID], ids: Sequence[UUID]) -> list[Letter]:
    """The letters with these ids in the mailboxes of `players`, whose rows must be locked."""
    rows = await writer.rows(
        f"SELECT {COLUMNS} FROM letters WHERE player_id = ANY($1) AND id = ANY($2)",
        list(players),
        list(ids),
    )
    return [letter_of(row) for row in rows]


class MailboxSizes(Struct, frozen=True):
    now: datetime
    """The time of the database, which decides what has expired."""
    letters: Mapping[UUID, int]
    """How many letters each mailbox shows."""


async def sizes(writer: Queryable, players: Sequence[UUID]) -> MailboxSizes:
    rows = await writer.rows(
        """
        SELECT NULL::uuid AS player_id, 0::bigint AS letters, statement_timestamp() AS now
        UNION ALL
        SELECT player_id, count(*), statement_timestamp()
          FROM letters
         WHERE player_id = ANY($1) AND state = ANY($2)
         GROUP BY player_id
        """,
        list(players),
        list(LISTED),
    )
    return MailboxSizes(
        now=rows[0]["now"],
        letters={row["player_id"]: row["letters"] for row in rows if row["player_id"]},
    )


async def save(writer: Writer, changed: Mapping[LetterKey, Letter | None]) -> None:
    """Insert new letters, and write the states of the others."""
    letters = [letter for letter in changed.values() if letter]
    await writer.run(
        SAVE,
        *columns(
            [
                (
                    *(letter.player_id, letter.id, letter.state),
                    *(letter.sender.kind, letter.sender.id, letter.sender.name),
                    *(letter.subject, letter.text),
                    msgspec.json.encode(stored_items(letter.attached)).decode(),
                    *(letter.sent_at, letter.expires_at, letter.on_expiry),
                    *(letter.read_at, letter.ended_at),
                )
                for letter in letters
            ]
        ),
    )


SAVE: LiteralString = """
    INSERT INTO letters AS old (player_id, id, state, sender_kind, sender_id, sender_name, subject,
                                text, attached, sent_at, expires_at, on_expiry, read_at, ended_at)
    SELECT player_id, id, state, sender_kind, sender_id, sender_name, subject, text,
           attached::jsonb, sent_at, expires_at, on_expiry, read_at, ended_at
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[],
                  $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[],
                  $12::text[], $13::timestamptz[], $14::timestamptz[])
           AS new (player_id, id, state, sender_kind, sender_id, sender_name, subject, text,
                   attached, sent_at, expires_at, on_expiry, read_at, ended_at)
    ON CONFLICT (player_id, id) DO UPDATE
       SET state = excluded.state, read_at = excluded.read_at, ended_at = excluded.ended_at,
           attached = excluded.attached
"""
