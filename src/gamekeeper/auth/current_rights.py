"""
The current rights of an actor of the past: the author of a schedule, the requester of an approval.

Their credential is not at hand, only their id in the audit log. So the rights are read again, as
they are now: a revoked key and a former staff member have none.
"""

from uuid import UUID

from gamekeeper.auth import limits, roles
from gamekeeper.auth.keys import LIVE
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Queryable
from gamekeeper.sanctions.in_force import IN_FORCE


async def find_principal(reader: Queryable, actor: str, name: str) -> Principal | None:
    """The actor with the scopes and limits that it has now; None if its credential is gone."""
    kind, id_ = actor_parts(actor)
    if id_ is None:
        return None
    if kind == "key":
        return await _key(reader, id_, actor, name)
    return await _staff(reader, id_, actor, name) if kind == "user" else None


def actor_parts(actor: str) -> tuple[str, UUID | None]:
    """The kind and the id of an actor: `key:` or `user:` and an id."""
    kind, _, text = actor.partition(":")
    return kind, parse_guid(text)


async def _key(reader: Queryable, key: UUID, actor: str, name: str) -> Principal | None:
    rows = await reader.rows(f"SELECT scopes, limits FROM api_keys WHERE id = $1 AND {LIVE}", key)
    if not rows:
        return None
    scopes = rows[0]["scopes"]
    return Principal(
        id=actor,
        name=name,
        scopes=None if scopes is None else frozenset(scopes),
        limits=limits.of_json(rows[0]["limits"]),
    )


async def _staff(reader: Queryable, user: UUID, actor: str, name: str) -> Principal | None:
    """A staff member: the limits are those of roles, and roles act in browser sessions only."""
    banned = await reader.value(
        f"""
        SELECT true FROM sanctions
         WHERE user_id = $1 AND player_id IS NULL AND kind = 'ban' AND {IN_FORCE}
        """,
        user,
    )
    held = (await roles.held(reader, [user])).get(user)
    if banned or held is None:
        return None
    session = BrowserSession(id=UUID(int=0), verified_at=None)
    return Principal(
        id=actor, name=name, scopes=held.scopes, limits=held.limits, user_id=user, session=session
    )
