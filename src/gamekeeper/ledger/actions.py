"""
Actions: who did what, to whom, when and why.

Written by the operation itself, in its transaction: there is no change without
its action and no action without its change. Secrets never stand in one.
"""

from collections.abc import Sequence
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper import ids
from gamekeeper.database import Writer
from gamekeeper.operations import By

Kind = Literal[
    "items.give",
    "items.take",
    "items.restore",
    "items.exchange",
    "items.move",
    "spells.teach",
    "spells.forget",
    "variables.set",
    "players.progress",
    "servers.register",
    "servers.stop",
    "users.register",
    "users.email",
    "users.password",
    "users.powers",
    "keys.create",
    "keys.revoke",
    "webhooks.create",
    "webhooks.change",
    "webhooks.remove",
    "catalog.import",
    "demo.fill",
    "ledger.open",
    "ledger.drop",
    "undo",
]


class Action(Struct, frozen=True, kw_only=True):
    id: UUID = msgspec.field(default_factory=ids.fresh)
    kind: Kind
    by: By
    player_id: UUID | None = None
    user_id: UUID | None = None
    item_id: UUID | None = None
    before: Any = None
    after: Any = None
    undoes: UUID | None = None


async def record(writer: Writer, actions: Sequence[Action]) -> None:
    """Write actions down, all in one statement."""
    if not actions:
        return
    await writer.run(
        """
        INSERT INTO actions (id, kind, actor, actor_name, player_id, user_id, item_id,
                             before, after, reason, request_id, address, undoes)
        SELECT id, kind, actor, actor_name, player_id, user_id, item_id,
               before::jsonb, after::jsonb, reason, request_id, address, undoes
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::uuid[],
                      $7::uuid[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
                      $13::uuid[])
               AS new (id, kind, actor, actor_name, player_id, user_id, item_id,
                       before, after, reason, request_id, address, undoes)
        """,
        [action.id for action in actions],
        [action.kind for action in actions],
        [action.by.actor for action in actions],
        [action.by.name for action in actions],
        [action.player_id for action in actions],
        [action.user_id for action in actions],
        [action.item_id for action in actions],
        [_json(action.before) for action in actions],
        [_json(action.after) for action in actions],
        [action.by.reason for action in actions],
        [action.by.request_id for action in actions],
        [action.by.address for action in actions],
        [action.undoes for action in actions],
    )


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
