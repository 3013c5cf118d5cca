"""Endpoints of identities: a player's own, those of accounts, and link codes of bots."""

from uuid import UUID

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import IdentityId, UserKey
from gamekeeper.auth import login_throttle
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import sign_in_sources
from gamekeeper.core.errors import Forbidden, TooManyRequests
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.users import passwords
from gamekeeper.users.identities import codes, links, records
from gamekeeper.users.identities.codes import CodeOwner, CodeUse, LinkCode, UnknownLinkCode
from gamekeeper.users.identities.links import Unlink
from gamekeeper.users.identities.records import (
    AccountIdentities,
    IdentityNotFound,
    IdentityOfBannedAccount,
    IdentityTaken,
    InvalidIdentity,
    IssuerAlreadyLinked,
    LastSignInMethod,
    LinkedIdentity,
    OwnIdentities,
)
from gamekeeper.users.lookup import UserNotFound, find_user_id
from gamekeeper.users.passwords import Account, InvalidPasswordHash, PasswordHash
from gamekeeper.users.ranks import Outranked

own = Routes("/api/v1/me/identities")
routes = Routes("/api/v1/users", roles=["users.query", "identities.manage"])
bots = Routes("/api/v1/identities", roles=["identities.link"])

LINK_REFUSED = (
    *(UnknownLinkCode, IdentityTaken, IssuerAlreadyLinked, IdentityOfBannedAccount),
    TooManyRequests,
)


class IdentitiesNeedAccount(Forbidden):
    """An API key has no account. Use /api/v1/users/{key}/identities."""

    cacheable = False


class ProvenByPassword(Body, frozen=True):
    password: PasswordHash
    """SHA-256 of the account's password: 64 hexadecimal digits, no hyphens, in any letter case."""


class LinkByCode(Body, frozen=True):
    code: str
    """The code of a Discord bot, in any letter case, with or without hyphens."""


class LinkMine(Body, frozen=True):
    code: str
    """The code of a Discord bot, in any letter case, with or without hyphens."""
    password: PasswordHash
    """SHA-256 of the account's password: 64 hexadecimal digits, no hyphens, in any letter case."""


class NamedIdentity(Body, frozen=True):
    issuer: str
    """`discord`, `steam`, or the https URL of an OpenID issuer."""
    subject: str
    """The id of the person there: for Discord the user id, for Steam the SteamID64."""
    display_name: str | None = None
    """The name of the person there, to be shown; cut to 100 characters."""


class LinkIdentity(Body, frozen=True):
    code: str
    """The code that the account asked for, in any letter case, with or without hyphens."""
    issuer: str
    """`discord`, `steam`, or the https URL of an OpenID issuer."""
    subject: str
    """The id of the person there: for Discord the user id, for Steam the SteamID64."""
    display_name: str | None = None
    """The name of the person there, to be shown; cut to 100 characters."""


@own.get("")
async def list_my_identities(reader: Reader, caller: Principal) -> OwnIdentities:
    """
    Your identities at Discord, Steam and OpenID issuers.

    An API key has no account, and so no identities.
    """
    if caller.user_id is None:
        return OwnIdentities(values=[])
    return await links.list_own(reader, caller.user_id)


@own.post(
    "/codes",
    raises=(
        *(IdentitiesNeedAccount, passwords.WrongPassword, InvalidPasswordHash),
        TooManyRequests,
    ),
    step_up=True,
    takes_key=False,
)
async def create_my_link_code(
    database: Database, vault: Vault, caller: Principal, request: Request, body: ProvenByPassword
) -> LinkCode:
    """
    A one-time code that links your account with the identity that uses it, at a Discord bot.

    It is valid for 10 minutes and replaces the previous one.
    """
    me = owner(caller)
    proven = await prove(database, vault, me, request, body.password)
    by = audit_context.by_request(request)
    return await codes.create(database, vault, by, CodeOwner(user_id=me), proven=proven)


@own.post(
    "/link",
    raises=(
        *(*LINK_REFUSED, IdentitiesNeedAccount, passwords.WrongPassword),
        InvalidPasswordHash,
    ),
    step_up=True,
)
async def link_my_identity(
    database: Database,
    vault: Vault,
    caller: Principal,
    request: Request,
    by: AuditContext,
    body: LinkMine,
) -> LinkedIdentity:
    """Link the identity that a code of a Discord bot stands for with your account."""
    me = owner(caller)
    proven = await prove(database, vault, me, request, body.password)
    use = CodeUse(by=by, hashes=(), used_for=CodeOwner(user_id=me), proven=proven)
    return await codes.use(database, vault, body.code, codes.source_address(by.address), use)


@own.delete(
    "/{identity_id}",
    raises=(IdentityNotFound, LastSignInMethod),
    step_up=True,
)
async def unlink_my_identity(
    database: Database, caller: Principal, by: AuditContext, identity_id: IdentityId
) -> LinkedIdentity:
    """Unlink one of your identities, and end the sign-ins that began with it."""
    if caller.user_id is None:
        raise IdentityNotFound
    order = Unlink(by=by, user_id=caller.user_id, identity_id=identity_id)
    return await links.unlink.one(database, order)


@routes.get("/{key}/identities", raises=(UserNotFound,))
async def list_identities(reader: Reader, key: UserKey) -> AccountIdentities:
    """The identities of an account at Discord, Steam and OpenID issuers, and the former ones."""
    return await links.list_all(reader, await find_user_id(reader, key))


@routes.post(
    "/{key}/identities/codes",
    raises=(UserNotFound, Outranked, TooManyRequests),
    step_up=True,
    takes_key=False,
)
async def create_link_code(
    database: Database, vault: Vault, caller: Principal, request: Request, key: UserKey
) -> LinkCode:
    """
    A one-time code that links an account with the identity that uses it, at a Discord bot.

    For game servers, which show it to the player. It is valid for 10 minutes and replaces the
    previous one.
    """
    account = CodeOwner(user_id=await find_user_id(database.reader, key))
    by = audit_context.by_request(request)
    return await codes.create(database, vault, by, account, manager=caller)


@routes.post(
    "/{key}/identities/link", raises=(*LINK_REFUSED, UserNotFound, Outranked), step_up=True
)
async def link_identity(
    database: Database,
    vault: Vault,
    caller: Principal,
    by: AuditContext,
    key: UserKey,
    body: LinkByCode,
) -> LinkedIdentity:
    """
    Link the identity that a code stands for with an account.

    For game servers, where the player typed the code of a Discord bot, and for staff.
    """
    account = CodeOwner(user_id=await find_user_id(database.reader, key))
    use = CodeUse(by=by, hashes=(), used_for=account, manager=caller)
    return await codes.use(database, vault, body.code, codes.source_client(by.actor), use)


@routes.delete(
    "/{key}/identities/{identity_id}",
    raises=(UserNotFound, Outranked, IdentityNotFound, LastSignInMethod),
)
async def unlink_identity(
    database: Database, caller: Principal, by: AuditContext, key: UserKey, identity_id: IdentityId
) -> LinkedIdentity:
    """Unlink an identity of an account, and end the sign-ins that began with it."""
    user = await find_user_id(database.reader, key)
    order = Unlink(by=by, user_id=user, identity_id=identity_id, manager=caller)
    return await links.unlink.one(database, order)


@bots.post("/codes", raises=(InvalidIdentity, TooManyRequests), takes_key=False)
async def create_identity_code(
    database: Database, vault: Vault, settings: Settings, request: Request, body: NamedIdentity
) -> LinkCode:
    """
    A one-time code that links an identity with the account that uses it, in the game.

    For a Discord bot, which knows the identity. It is valid for 10 minutes and replaces the
    previous one.
    """
    by = audit_context.by_request(request)
    return await codes.create(database, vault, by, _identity(settings, body))


@bots.post("/link", raises=(*LINK_REFUSED, InvalidIdentity))
async def link_identity_by_code(
    database: Database, vault: Vault, settings: Settings, by: AuditContext, body: LinkIdentity
) -> LinkedIdentity:
    """
    Link an identity with the account that a code stands for.

    For a Discord bot, where the player typed the code of the game or of a website.
    """
    use = CodeUse(by=by, hashes=(), used_for=_identity(settings, body))
    return await codes.use(database, vault, body.code, codes.source_client(by.actor), use)


def _identity(settings: Settings, body: NamedIdentity | LinkIdentity) -> CodeOwner:
    """The identity that a bot names; raises InvalidIdentity."""
    records.check(body.issuer, body.subject)
    # A stolen key of a bot must not link identities that the bot cannot know.
    if body.issuer not in sign_in_sources.split(settings.link_code_issuers):
        message = "'issuer' is not in GAMEKEEPER_LINK_CODE_ISSUERS."
        raise InvalidIdentity(message, field="issuer")
    return CodeOwner(issuer=body.issuer, subject=body.subject, display_name=body.display_name)


def owner(caller: Principal) -> UUID:
    """The account of the caller, or raise IdentitiesNeedAccount."""
    if caller.user_id is None:
        raise IdentitiesNeedAccount
    return caller.user_id


async def prove(
    database: Database, vault: Vault, me: UUID, request: Request, password: str
) -> Account:
    """The account, if this is its password: a stolen token must not add a way in."""
    secret = passwords.parse("password", password)
    source = login_throttle.from_address(request.address)
    return await passwords.prove_or_refuse(database, vault, str(me), secret, source=source)
