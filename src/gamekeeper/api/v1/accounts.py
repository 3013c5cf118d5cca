"""Endpoints that rename and delete accounts, as clients of the Intersect Engine call them."""

from gamekeeper.api.path_parameters import UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.players.memberships import OwnsGuild
from gamekeeper.users import erasure, name_changes
from gamekeeper.users.accounts import InvalidUsername
from gamekeeper.users.erasure import AccountHasRoles, Erasure, UserOnline
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.name_changes import UsernameTaken, UserRenaming
from gamekeeper.users.ranks import Outranked
from gamekeeper.users.records import User

# In Intersect users.query is enough; here a key that registers visitors must not.
routes = Routes("/api/v1/users", roles=["users.query", "users.manage"])


class RenameUser(Body, frozen=True):
    name: str
    """By the rules of registration."""


@routes.post("/{key}/name", raises=(UserNotFound, Outranked, InvalidUsername, UsernameTaken))
async def rename_user(
    database: Database, caller: Principal, by: AuditContext, key: UserKey, body: RenameUser
) -> User:
    """Rename an account that has no power the caller lacks."""
    order = UserRenaming(
        by=by, user=key, name=body.name, manager=caller, sees_emails=caller.sees_emails
    )
    return await name_changes.rename.one(database, order)


@routes.delete(
    "/{key}",
    raises=(UserNotFound, Outranked, UserOnline, AccountHasRoles, OwnsGuild),
    step_up=True,
)
async def delete_user(
    database: Database, vault: Vault, caller: Principal, by: AuditContext, key: UserKey
) -> User:
    """
    Erase an offline account with its characters, and return its last state.

    This cannot be undone. Its sanctions are kept, and until the last of them has ended its
    email address cannot be registered.
    """
    command = Erasure(by=by, user=key, manager=caller, sees_emails=caller.sees_emails)
    return await erasure.erase(vault).one(database, command, lambda erased: erased.user)
