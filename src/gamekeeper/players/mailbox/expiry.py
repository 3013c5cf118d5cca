"""Expiry of letters: a background job that ends letters whose time has passed."""

import asyncio
from typing import LiteralString

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players.mailbox import changes
from gamekeeper.players.mailbox.changes import LetterCommand

AT_A_TIME = 100
"""Letters ended per transaction, which locks their characters and their senders."""

BY = AuditContext(actor="system", name="mailbox")


async def sweep(database: Database, stop: asyncio.Event) -> int:
    """End all letters that have expired, until done or `stop` is set; returns how many."""
    total = 0
    while not stop.is_set():
        rows = await database.reader.rows(DUE, AT_A_TIME)
        orders = [
            LetterCommand(by=BY, player=str(row["player_id"]), letter_id=row["id"]) for row in rows
        ]
        outcomes = await changes.expire(database, orders) if orders else []
        ended = sum(not isinstance(outcome, Problem) for outcome in outcomes)
        total += ended
        # Without progress the same letters would be found again.
        if not ended or len(rows) < AT_A_TIME:
            break
    return total


DUE: LiteralString = """
    SELECT player_id, id FROM letters
     WHERE state = 'open' AND expires_at <= statement_timestamp()
     ORDER BY expires_at
     LIMIT $1
"""
