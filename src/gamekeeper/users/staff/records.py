"""Roles as they are stored and shown, with how many accounts have each."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from gamekeeper.auth import limits
from gamekeeper.auth.limits import LimitsRecord
from gamekeeper.auth.roles import BUILT_IN, DESCRIPTIONS, Role, role_of
from gamekeeper.core import names
from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Page, Record, Window
from gamekeeper.db.database import Queryable, Reader, Writer

NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")


class RoleNotFound(NotFound):
    """The role does not exist."""


class RoleRecord(Record, frozen=True):
    """A role, and how many accounts have it."""

    name: str
    description: str
    built_in: bool
    """Whether it is always there, with scopes that only an upgrade changes."""
    scopes: list[str]
    limits: LimitsRecord
    members: int
    """The number of accounts with the role; for a deleted role, before the deletion."""
    created_at: Instant


class StoredRole(Struct, frozen=True, kw_only=True):
    role: Role
    description: str
    is_built_in: bool
    created_at: Instant

    @property
    def described(self) -> dict[str, Any]:
        """The role in the audit log."""
        return {
            "name": self.role.name,
            "description": self.description,
            "scopes": sorted(self.role.scopes),
            "limits": limits.as_json(self.role.limits),
        }


async def list_roles(reader: Reader, window: Window) -> Page[RoleRecord]:
    """All roles: the built-in ones as they are listed in the code, then the others by name."""
    stored = await stored_roles(reader, None)
    order = [name for name in BUILT_IN if name in stored]
    order += sorted(stored.keys() - BUILT_IN.keys())
    shown = order[window.offset : window.offset + window.shown]
    members = await _all_members(reader, shown)
    return Page.of(
        [record_of(stored[name], members.get(name, 0)) for name in shown], len(order), window
    )


async def find_role(reader: Reader, name: str) -> RoleRecord:
    """One role, by its name."""
    found = (await stored_roles(reader, [name])).get(name)
    if found is None:
        raise missing(name)
    return record_of(found, await members_of(reader, name))


async def find_roles(reader: Queryable, names: Sequence[str]) -> dict[str, Role]:
    """The scopes and limits of these roles; one that does not exist is not in the answer."""
    return {name: stored.role for name, stored in (await stored_roles(reader, names)).items()}


async def lock_roles(writer: Writer, names: Sequence[str]) -> None:
    """Lock these roles until the transaction ends; before accounts, and in order of names."""
    await writer.run(
        "SELECT FROM roles WHERE name = ANY($1) ORDER BY name FOR NO KEY UPDATE",
        [name for name in names if NAME.fullmatch(name)],
    )


def missing(name: str) -> RoleNotFound:
    return RoleNotFound(names.missing("role", name))


async def stored_roles(reader: Queryable, names: Sequence[str] | None) -> dict[str, StoredRole]:
    rows = await reader.rows(
        """
        SELECT name, description, scopes, limits, created_at
          FROM roles WHERE $1::text[] IS NULL OR name = ANY($1)
        """,
        None if names is None else [name for name in names if NAME.fullmatch(name)],
    )
    return {
        row["name"]: StoredRole(
            role=role_of(row),
            description=DESCRIPTIONS.get(row["name"], row["description"]),
            is_built_in=row["scopes"] is None,
            created_at=row["created_at"],
        )
        for row in rows
    }


async def members_of(reader: Queryable, role: str) -> int:
    return (await _all_members(reader, [role])).get(role, 0)


async def _all_members(reader: Queryable, names: Sequence[str]) -> dict[str, int]:
    """How many accounts have each of these roles."""
    rows = await reader.rows(
        "SELECT role, count(*) AS members FROM staff_roles WHERE role = ANY($1) GROUP BY role",
        list(names),
    )
    return {row["role"]: row["members"] for row in rows}


def record_of(stored: StoredRole, members: int) -> RoleRecord:
    return RoleRecord(
        name=stored.role.name,
        description=stored.description,
        built_in=stored.is_built_in,
        scopes=sorted(stored.role.scopes),
        limits=LimitsRecord.of(stored.role.limits),
        members=members,
        created_at=stored.created_at,
    )
