"""Endpoints of email verification: the state of an address, the mail, and its link or code."""

from gamekeeper.api.path_parameters import UserKey
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, TooManyRequests
from gamekeeper.core.languages.negotiation import Language, preferred
from gamekeeper.core.schemas import Body, Message, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.users import email_proofs, email_verification
from gamekeeper.users.email_proofs import CodeProof, InvalidVerification, LinkProof
from gamekeeper.users.email_verification import EmailState, EmailVerificationRequest
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/users", roles=["users.query"])
own = Routes("/api/v1/me")
public = Routes("/api/v1/users", roles=None)


class NoAccount(Forbidden):
    """An API key has no email address. Use the token or session of an account."""

    cacheable = False


class VerificationAsked(Record, frozen=True):
    delivery: email_verification.Delivery
    """
    `queued`; or why no email is sent: the address is `verified` already, one was sent less than 5
    minutes ago or ten today (`throttled`), or the server has no mail settings (`not_configured`).
    """


@routes.get("/{key}/email", raises=(UserNotFound,))
async def get_email(reader: Reader, caller: Principal, key: UserKey) -> EmailState:
    """The email address of an account, and whether it is verified."""
    user = await find_user_id(reader, key)
    return await email_verification.state(reader, user, sees_email=caller.sees_emails)


@routes.post("/{key}/email/verification", raises=(UserNotFound,), rate="reset")
async def request_email_verification(
    database: Database, request: Request, by: AuditContext, key: UserKey
) -> VerificationAsked:
    """
    Send an account's owner an email with a link and a code that verify its address.

    In the account's language, otherwise in that of the header Accept-Language.
    """
    user = await find_user_id(database.reader, key)
    return await email_verification.request.one(
        database,
        EmailVerificationRequest(by=by, user_id=user, language=_language(request)),
        lambda delivery: VerificationAsked(delivery=delivery),
    )


@own.get("/email", raises=(NoAccount, UserNotFound))
async def get_my_email(reader: Reader, caller: Principal) -> EmailState:
    """Your email address, and whether it is verified."""
    if caller.user_id is None:
        raise NoAccount
    return await email_verification.state(reader, caller.user_id, sees_email=True)


@own.post("/email/verification", raises=(NoAccount, UserNotFound), rate="reset")
async def request_my_email_verification(
    database: Database, request: Request, caller: Principal, by: AuditContext
) -> VerificationAsked:
    """Send an email with a link and a code that verify your address."""
    if caller.user_id is None:
        raise NoAccount
    return await email_verification.request.one(
        database,
        EmailVerificationRequest(by=by, user_id=caller.user_id, language=_language(request)),
        lambda delivery: VerificationAsked(delivery=delivery),
    )


class CompleteVerification(Body, frozen=True):
    token: str | None = None
    """The token from the link in the email; replaces username and code."""
    username: str | None = None
    """The account, together with `code`."""
    code: str | None = None
    """The code from the email, with or without its hyphen, case-insensitive."""


@public.post("/email/verification/complete", raises=(InvalidVerification, TooManyRequests))
async def complete_email_verification(
    database: Database, vault: Vault, by: AuditContext, body: CompleteVerification
) -> Message:
    """
    Verify an email address, with the mailed token, or with a username and the mailed code.

    Opening the link changes nothing, because mail scanners open links: the page behind it calls
    this after a click.
    """
    if body.token is not None:
        proof = LinkProof(by=by, token=body.token)
        await email_proofs.complete_by_link(database, vault, proof)
    elif body.code is not None and body.username is not None:
        typed = CodeProof(by=by, user=body.username, code=body.code)
        await email_proofs.complete_by_code(database, vault, typed)
    else:
        raise InvalidVerification
    return Message(message="Email Verified")


def _language(request: Request) -> Language | None:
    return preferred(request.headers.get("accept-language", ""))
