"""Makers of roles and of staff, past every rule."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import msgspec

from gamekeeper.auth import roles as held_roles
from gamekeeper.auth.principal import BrowserSession, Principal
from gamekeeper.db.database import Database
from tests.make import make_user


async def make_role(
    database: Database,
    name: str,
    scopes: Sequence[str] | None,
    limits: dict[str, int] | None = None,
) -> str:
    """A role; without scopes one that is built in."""
    await database.write(
        lambda writer: writer.run(
            "INSERT INTO roles (name, scopes, limits) VALUES ($1, $2, $3)",
            name,
            scopes,
            msgspec.json.encode(limits or {}).decode(),
        )
    )
    return name


async def make_staff(
    database: Database, *roles: str, name: str = "", password: str = "", user: UUID | None = None
) -> UUID:
    """An account, a new one unless told, that has these roles."""
    member = user or await make_user(database, name, password=password)
    await database.write(
        lambda writer: writer.run(
            "INSERT INTO staff_roles (user_id, role) SELECT $1, unnest($2::text[])",
            member,
            list(roles),
        )
    )
    return member


async def by_session(database: Database, user: UUID) -> Principal:
    """The caller that an account is with a browser session, as authentication makes it."""
    held = (await held_roles.held(database.reader, [user])).get(user, held_roles.NO_ROLES)
    return Principal(
        id=f"user:{user}",
        name=f"staff {user}",
        scopes=held.scopes,
        user_id=user,
        roles=held.roles,
        limits=held.limits,
        session=BrowserSession(id=uuid4(), verified_at=datetime.now(UTC)),
    )


async def staff_caller(database: Database, *roles: str) -> Principal:
    """The same of a new account that has these roles."""
    return await by_session(database, await make_staff(database, *roles))
