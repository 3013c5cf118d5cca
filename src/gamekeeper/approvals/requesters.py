"""Requesters of approvals: what they may do by now, and whether somebody is the same person."""

from uuid import UUID

from gamekeeper.auth import roles
from gamekeeper.auth.keys import LIVE
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Queryable
from gamekeeper.sanctions.in_force import IN_FORCE

LONGEST_CHAIN = 10
"""Keys that made keys that made keys: more than anybody has."""


async def current(reader: Queryable, actor: str, name: str) -> Principal | None:
    """The requester with the scopes that it has now; None if its credential is gone."""
    kind, id_ = _parts(actor)
    if id_ is None:
        return None
    if kind == "key":
        return await _key(reader, id_, actor, name)
    return await _staff(reader, id_, actor, name) if kind == "user" else None


async def _key(reader: Queryable, key: UUID, actor: str, name: str) -> Principal | None:
    rows = await reader.rows(f"SELECT scopes FROM api_keys WHERE id = $1 AND {LIVE}", key)
    if not rows:
        return None
    scopes = rows[0]["scopes"]
    return Principal(id=actor, name=name, scopes=None if scopes is None else frozenset(scopes))


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
    return Principal(id=actor, name=name, scopes=held.scopes, user_id=user, session=session)


async def is_same_person(reader: Queryable, one: str, other: str) -> bool:
    """Whether two actors are one, or one made the other's key, or somebody made both's."""
    return bool(await _makers(reader, one) & await _makers(reader, other))


async def _makers(reader: Queryable, actor: str) -> set[str]:
    """The actor and, if it is a key, who made it, and so on; the command line is nobody."""
    found: set[str] = set()
    for _ in range(LONGEST_CHAIN):
        kind, id_ = _parts(actor)
        if actor in found or kind not in ("key", "user"):
            break
        found.add(actor)
        if kind == "user" or id_ is None:
            break
        actor = await reader.value("SELECT created_by FROM api_keys WHERE id = $1", id_) or ""
    return found


def _parts(actor: str) -> tuple[str, UUID | None]:
    kind, _, text = actor.partition(":")
    return kind, parse_guid(text)
