"""
Actors of the audit log by name: accounts, API keys, and people at the command line.

`key:<id>` and `user:<id>` come from a credential. `cli:<name>` is claimed by --as or
GAMEKEEPER_ACTOR and not authenticated; `system` is the command line without such a name,
and then the actor's name has the login name of the operating system.
"""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import keys
from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.core.names import fold, nearest, parse_guid
from gamekeeper.db.database import Reader
from gamekeeper.db.operations import CLAIMED, COMMAND_LINE, login_name
from gamekeeper.ledger.findings.discoveries import WORKER
from gamekeeper.users.lookup import find_user_ids

MAX_ACTOR_LENGTH = 200
MOST_SIMILAR = 1000
"""The accounts with similar names that are compared to suggest the nearest."""

PREFIXES = ("key:", "user:", CLAIMED)
FORMS = f"key:<id or name>, user:<id or name>, {CLAIMED}<name>, {COMMAND_LINE.actor}, or a name"

# A loose index scan: as many steps as there are such names, not as there are actions.
CLAIMED_ACTORS: LiteralString = """
    WITH RECURSIVE found (actor) AS (
        SELECT min(actor) FROM actions WHERE actor >= 'cli:' AND actor < 'cli;'
        UNION ALL
        SELECT (SELECT min(actor) FROM actions
                 WHERE actor > found.actor AND actor < 'cli;')
          FROM found WHERE found.actor IS NOT NULL
    )
    SELECT actor FROM found WHERE actor IS NOT NULL
"""


class UnknownActor(Invalid):
    """No actor has that name or id."""


class AmbiguousActor(Conflict):
    """The name is ambiguous: several actors have it."""


class Actor(Struct, frozen=True):
    """An actor of actions; `name` only if it tells people apart who share the actor."""

    actor: str
    name: str | None = None


async def find_actors(reader: Reader, text: str, *, names_users: bool) -> list[Actor]:
    """
    The actors that a text means: one by its id, or all with that name.

    Otherwise a refusal with the nearest names; accounts are among them if `names_users`.
    """
    text = text.strip()
    prefix = next((known for known in PREFIXES if text.lower().startswith(known)), "")
    name = text[len(prefix) :]
    found = (
        []
        if not name or len(text) > MAX_ACTOR_LENGTH or "\0" in text
        else [
            *(await _exact(reader, text) if prefix or text in STANDING else []),
            *(await _keys(reader, name) if prefix in ("", "key:") else []),
            *(await _users(reader, name) if prefix in ("", "user:") else []),
            *(await _claimed(reader, name) if prefix in ("", CLAIMED) else []),
            *(await _logins(reader, name) if not prefix else []),
        ]
    )
    if not found:
        raise await _unknown(reader, text, name, names_users=names_users)
    return list(dict.fromkeys(found))


STANDING = (COMMAND_LINE.actor, WORKER.actor, "anonymous")


async def find_only_actor(reader: Reader, text: str) -> str:
    """The one actor that a text means, for what must not hit a namesake."""
    found = await find_actors(reader, text, names_users=True)
    if len(found) > 1 or found[0].name:
        which = ", ".join(actor.actor for actor in found)
        raise AmbiguousActor(f"'{text}' is ambiguous. It matches: {which}.")
    return found[0].actor


async def _exact(reader: Reader, text: str) -> list[Actor]:
    """An actor as the log spells it: it may have been removed since, but not what it did."""
    if text in STANDING:
        return [Actor(text)]
    there = await reader.lookups.value("SELECT EXISTS (SELECT FROM actions WHERE actor = $1)", text)
    return [Actor(text)] if there else []


async def _keys(reader: Reader, name: str) -> list[Actor]:
    guid, folded = parse_guid(name), fold(name)
    return [
        Actor(f"key:{key.id}")
        for key in await keys.list_keys(reader)
        if key.id == guid or fold(key.name) == folded
    ]


async def _users(reader: Reader, name: str) -> list[Actor]:
    [user] = await find_user_ids(reader, [name])
    return [Actor(f"user:{user}")] if isinstance(user, UUID) else []


async def _claimed(reader: Reader, name: str) -> list[Actor]:
    return await _exact(reader, CLAIMED + fold(name))


async def _logins(reader: Reader, name: str) -> list[Actor]:
    """What was done at the command line under a login name, without a claimed name."""
    # Login names have letter case, but are mostly in lower case, and people forget.
    wanted = [login_name(name), login_name(name.lower())]
    rows = await reader.lookups.rows(LOGINS, list(dict.fromkeys(wanted)))
    return [Actor(COMMAND_LINE.actor, row["name"]) for row in rows]


# The expression of actions_login_idx: with `actor = 'system'` a plan may take the index of actors,
# and read all actions of the command line. LATERAL with LIMIT: EXISTS may become a join.
LOGINS: LiteralString = """
    SELECT name
      FROM unnest($1::text[]) AS wanted (name)
     CROSS JOIN LATERAL (
               SELECT FROM actions
                WHERE CASE WHEN actor = 'system' THEN actor_name END = wanted.name LIMIT 1
           ) AS found
"""


async def _unknown(reader: Reader, text: str, name: str, *, names_users: bool) -> UnknownActor:
    known = [key.name for key in await keys.list_keys(reader)]
    known += [
        row["actor"].removeprefix(CLAIMED) for row in await reader.lookups.rows(CLAIMED_ACTORS)
    ]
    if names_users:
        known += await _similar_users(reader, name)
    near = nearest(name, known)
    hint = f" Closest matches: {', '.join(near)}." if near else ""
    message = f"There is no actor '{text[:MAX_ACTOR_LENGTH]}'.{hint} Give {FORMS}."
    return UnknownActor(message, nearest=near)


async def _similar_users(reader: Reader, name: str) -> Sequence[str]:
    rows = await reader.lookups.rows(SIMILAR_USERS, fold(name)[:64], MOST_SIMILAR)
    return [row["name"] for row in rows]


# MATERIALIZED: with the order and the limit in one query, PostgreSQL may walk all names in their
# order, and a typo that resembles few of them reads them all.
SIMILAR_USERS: LiteralString = """
    WITH similar_names AS MATERIALIZED (
        SELECT user_id, name_key FROM user_names WHERE name_key % $1 LIMIT $2
    )
    SELECT users.name FROM similar_names JOIN users ON users.id = user_id
     ORDER BY similarity(similar_names.name_key, $1) DESC, similar_names.name_key LIMIT 10
"""
