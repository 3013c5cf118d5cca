"""Endpoints of passwords: validated, changed, set by staff, and reset by mail."""

from gamekeeper.api.path_parameters import UserKey
from gamekeeper.api.v1.users import source
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.languages.negotiation import preferred
from gamekeeper.core.schemas import Body, Message, Record
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.users import passwords, resets
from gamekeeper.users.common_passwords import GuessablePassword
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import InvalidPasswordHash, PasswordHash
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/users", roles=["users.query"])
public = Routes("/api/v1/users", roles=None)


class ValidatePassword(Body, frozen=True):
    password: PasswordHash
    """SHA-256 of the password: 64 hexadecimal digits, no hyphens, in any letter case."""


@routes.post(
    "/{key}/password/validate",
    raises=(UserNotFound, InvalidPasswordHash, passwords.InvalidCredentials, TooManyRequests),
)
async def validate_password(
    database: Database,
    vault: Vault,
    caller: Principal,
    request: Request,
    key: UserKey,
    body: ValidatePassword,
) -> Message:
    """Whether this is the account's password."""
    secret = passwords.parse("password", body.password)
    await passwords.authenticate(database, vault, key, secret, source=source(caller, request))
    return Message(message="Password Correct")


class ChangePassword(Body, frozen=True):
    new: PasswordHash
    """SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case."""
    authorization: PasswordHash
    """SHA-256 of the current password: 64 hexadecimal digits, no hyphens, in any letter case."""


@routes.post(
    "/{key}/password/change",
    raises=(
        UserNotFound,
        InvalidPasswordHash,
        GuessablePassword,
        passwords.WrongPassword,
        passwords.PasswordChangedMeanwhile,
        TooManyRequests,
    ),
)
async def change_password(
    database: Database,
    vault: Vault,
    caller: Principal,
    request: Request,
    by: AuditContext,
    key: UserKey,
    body: ChangePassword,
) -> Message:
    """Change an account's password, with the current one. Ends its tokens."""
    current = passwords.parse("authorization", body.authorization)
    new = passwords.parse_new("new", body.new)
    return await passwords.change(
        database,
        vault,
        key,
        current=current,
        new=new,
        source=source(caller, request),
        by=by,
        shape=lambda _: Message(message="Password Updated"),
    )


class ResetAsked(Record, frozen=True):
    message: str
    delivery: resets.Delivery
    """
    Whether an email is queued, was sent less than 5 minutes ago, or cannot be sent because
    the server has no mail settings.
    """


@routes.get("/{key}/password/reset", raises=(UserNotFound,), head=False, rate="reset")
async def request_password_reset(database: Database, request: Request, key: UserKey) -> ResetAsked:
    """
    Send the account's owner an email with a link and a code for a new password.

    In the account's language, otherwise in that of the header Accept-Language.
    """
    language = preferred(request.headers.get("accept-language", ""))
    return ResetAsked(
        message="Password reset email sent.", delivery=await resets.ask(database, key, language)
    )


class ManagePassword(Body, frozen=True):
    new: PasswordHash
    """SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case."""


@routes.post(
    "/{key}/manage/password/change",
    "users.manage",
    raises=(UserNotFound, Outranked, InvalidPasswordHash, GuessablePassword),
    step_up=True,
)
async def manage_password(
    database: Database,
    vault: Vault,
    caller: Principal,
    by: AuditContext,
    key: UserKey,
    body: ManagePassword,
) -> Message:
    """
    Set an account's password without the current one. Ends its tokens.

    The account must have no power that the caller lacks.
    """
    new = passwords.parse_new("new", body.new)
    return await passwords.set_by_manager(
        database,
        vault,
        key,
        new,
        manager=caller,
        by=by,
        shape=lambda _: Message(message="Password Correct"),
    )


class CompleteReset(Body, frozen=True):
    new: PasswordHash
    """SHA-256 of the new password: 64 hexadecimal digits, no hyphens, in any letter case."""
    token: str | None = None
    """The token from the link in the email; replaces username and code."""
    username: str | None = None
    """The account, together with `code`."""
    code: str | None = None
    """The code from the email, with or without its hyphen, case-insensitive."""


@public.post(
    "/password/reset/complete",
    raises=(InvalidPasswordHash, GuessablePassword, resets.InvalidReset, TooManyRequests),
)
async def complete_password_reset(
    database: Database, vault: Vault, by: AuditContext, body: CompleteReset
) -> Message:
    """Choose a new password, with the mailed token, or with a username and the mailed code."""
    new = passwords.parse_new("new", body.new)
    if body.token is not None:
        await resets.complete_by_link(database, vault, body.token, new, by)
    elif body.code is not None and body.username is not None:
        await resets.complete_by_code(database, vault, body.username, body.code, new, by)
    else:
        raise resets.InvalidReset
    return Message(message="Password Updated")
