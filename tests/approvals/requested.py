"""Requests for approval that are there already."""

from typing import Any
from uuid import UUID

from gamekeeper.approvals.requests import ApprovalRequest, request
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.players.items import Gift
from gamekeeper.players.quotas import LimitExceeded


async def make_request(database: Database, player: str, item: UUID) -> UUID:
    """A request to give one piece of an item, by a key that may do everything."""
    asker = await database.write(
        lambda writer: writer.value(
            """
            INSERT INTO api_keys (hash, name)
            VALUES (sha256(gen_random_uuid()::text::bytea), 'asker') RETURNING id
            """
        )
    )
    by = AuditContext(actor=f"key:{asker}", name="asker")
    gift = Gift(by=by, player=player, item_id=item, quantity=1)
    exceeded = LimitExceeded(None, limit="pieces_per_day", allowed=0, used=0, wanted=1)
    order = ApprovalRequest(by=by, command=gift, exceeded=exceeded)
    [outcome] = await request(database, [order])
    approval: Any = outcome.details["approval_id"]
    return approval
