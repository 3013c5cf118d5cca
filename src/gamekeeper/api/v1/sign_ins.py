"""The sign-in history of an account."""

from gamekeeper.api.path_parameters import UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Query
from gamekeeper.db.database import Reader
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.users import sign_ins
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.sign_ins import SignIns

# actions.read: like the audit log, it shows when somebody was there, and from where.
routes = Routes("/api/v1/users", roles=["users.query", "actions.read"])


class SignInPaging(Query, frozen=True):
    cursor: str | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("/{key}/sign-ins", raises=(UserNotFound,), priority=LOW)
async def list_sign_ins(
    reader: Reader, caller: Principal, key: UserKey, query: SignInPaging
) -> SignIns:
    """The sign-ins of an account, by browser and for tokens, newest first."""
    return await sign_ins.list_sign_ins(
        reader, key, query.cursor, query.limit, addresses=caller.sees_emails
    )
