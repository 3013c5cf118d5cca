"""Roles that were changed past the service are found, and named."""

import pytest

from gamekeeper.auth.limits import Limits
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.ledger.verify_ledger import verify
from gamekeeper.users.staff import members, roles
from gamekeeper.users.staff.members import RoleGrant, RoleWithdrawal
from gamekeeper.users.staff.roles import NewRole, RoleChange, RoleDeletion
from tests.make import BY, make_user


@pytest.fixture
async def staff(database: Database) -> None:
    """Ana is an owner and a herald, was support; herald was changed, brief made and deleted."""
    await make_user(database, "ana")
    about = {"by": BY, "caller": None}
    for name in ("herald", "brief"):
        await roles.create.one(database, NewRole(**about, name=name, scopes=("webhooks",)))
    limits = Limits(undos_per_day=3)
    await roles.change.one(database, RoleChange(**about, role="herald", limits=limits))
    await roles.change.one(database, RoleChange(**about, role="support", limits=limits))
    for role in ("owner", "herald", "support", "brief"):
        await members.grant.one(database, RoleGrant(**about, user="ana", role=role))
    await members.withdraw.one(database, RoleWithdrawal(**about, user="ana", role="support"))
    await roles.delete.one(database, RoleDeletion(**about, role="brief", withdraw=True))


async def found(settings: Settings) -> str | None:
    breach = (await verify(settings)).breach
    return breach and f"{breach.law}: {breach.message}"


PLANTED = {
    "INSERT INTO staff_roles SELECT id, 'analyst' FROM users": "has the role analyst, but no",
    "INSERT INTO staff_roles SELECT id, 'support' FROM users": "has the role support, but action",
    "DELETE FROM staff_roles WHERE role = 'owner'": "lacks the role owner, but action",
    "UPDATE roles SET limits = '{}' WHERE name = 'herald'": "the role herald is not as action",
    "UPDATE roles SET limits = '{}' WHERE name = 'support'": "the role support is not as action",
    "UPDATE roles SET limits = '{\"undos_per_day\": 9}' WHERE name = 'analyst'": "role analyst",
    "UPDATE roles SET scopes = '{webhooks,staff.manage}' WHERE name = 'herald'": "herald is not",
    "INSERT INTO roles (name, scopes) VALUES ('mine', '{}')": "made or changed the role mine",
    "INSERT INTO roles (name, scopes) VALUES ('brief', '{webhooks}')": "the role brief is not as",
}


REPAIRS = (
    "DELETE FROM staff_roles WHERE role IN ('analyst', 'support')",
    "INSERT INTO staff_roles SELECT id, 'owner' FROM users ON CONFLICT DO NOTHING",
    "UPDATE roles SET limits = '{\"undos_per_day\": 3}' WHERE name IN ('herald', 'support')",
    "UPDATE roles SET limits = '{}' WHERE name = 'analyst'",
    "UPDATE roles SET scopes = '{webhooks}' WHERE name = 'herald'",
    "DELETE FROM roles WHERE name IN ('mine', 'brief')",
)


async def test_what_was_changed_past_the_service_is_named(settings, database, staff):
    for sql, said in PLANTED.items():
        assert await found(settings) is None
        await database.write(lambda writer, sql=sql: writer.run(sql))
        assert said in (await found(settings) or ""), sql
        for repair in REPAIRS:
            await database.write(lambda writer, sql=repair: writer.run(sql))
