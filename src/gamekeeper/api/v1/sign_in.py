"""Endpoints of sign-in by other services, started and finished by a client; Steam tickets."""

from uuid import UUID

from gamekeeper.api import audit_context
from gamekeeper.api.oauth import TokenAnswer, token_answer
from gamekeeper.api.v1.identities import IdentitiesNeedAccount, owner, prove
from gamekeeper.auth import client_traces
from gamekeeper.auth.client_traces import DeviceIdText, InvalidDeviceId
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.auth.tokens import InvalidGrant
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.schemas import Body, Instant, Record
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.sanctions.access_bans import AccessBanned
from gamekeeper.users import passwords
from gamekeeper.users.identities import flows, sign_ins
from gamekeeper.users.identities.flows import Finish, InvalidReturnAddress, StartedFlow, UnknownFlow
from gamekeeper.users.identities.records import (
    IdentityOfBannedAccount,
    IdentityTaken,
    IssuerAlreadyLinked,
    LinkedIdentity,
)
from gamekeeper.users.identities.sign_ins import (
    AccountBanned,
    IdentityNotLinked,
    Proven,
    SignedInAccount,
)
from gamekeeper.users.identities.sources.proofs import (
    InvalidTicket,
    ProofRefused,
    SourceNotFound,
    SourceUnavailable,
)
from gamekeeper.users.identities.sources.registry import Sources
from gamekeeper.users.lookup import names_of_users
from gamekeeper.users.passwords import InvalidPasswordHash, PasswordHash

public = Routes("/api/v1/sign-in", roles=None)
websites = Routes("/api/v1/sign-in", roles=["users.query"])
own = Routes("/api/v1/me/identities")


class SignInSource(Record, frozen=True):
    name: str
    """For `source` of a start: `discord`, `steam`, or the name of an OpenID issuer."""
    label: str
    """For people."""


class SignInSources(Record, frozen=True):
    values: list[SignInSource]
    """Empty if the operator configured none."""


class StartSignIn(Body, frozen=True):
    source: str
    """The name of a source."""
    return_to: str
    """Where the browser returns: exactly one of the addresses in GAMEKEEPER_SIGN_IN_RETURNS."""


class StartMyLink(Body, frozen=True):
    source: str
    """The name of a source."""
    return_to: str
    """Where the browser returns: exactly one of the addresses in GAMEKEEPER_SIGN_IN_RETURNS."""
    password: PasswordHash
    """SHA-256 of the account's password: 64 hexadecimal digits, no hyphens, in any letter case."""


class BegunSignIn(Record, frozen=True):
    """A flow: send the browser to `Url`, and keep `Secret` where only your page reads it."""

    flow: UUID
    secret: str
    """Needed to finish. Never put it into an address."""
    url: str
    """Works once, in one browser."""
    expires_at: Instant


class FinishFlow(Body, frozen=True):
    flow: UUID
    """The flow, as the start returned it."""
    secret: str
    """The secret of the start."""
    result: str
    """The parameter `result` of the address that the browser was sent to."""


class FinishMyLink(FinishFlow, frozen=True):
    """The same; a link is recorded, and may have a reason."""


class FinishSignIn(Body, frozen=True):
    flow: UUID
    """The flow, as the start returned it."""
    secret: str
    """The secret of the start."""
    result: str
    """The parameter `result` of the address that the browser was sent to."""
    device_id: DeviceIdText | None = None
    """An id of the device, 1 to 128 characters; only a keyed hash of it is stored."""


class SteamTicket(Body, frozen=True):
    ticket: str
    """The ticket of GetAuthTicketForWebApi, in hexadecimal digits."""


class SignedIn(Record, frozen=True):
    """The account that a person proved to be the owner of."""

    user_id: UUID
    username: str


STARTED = (SourceNotFound, InvalidReturnAddress)
FINISHED = (UnknownFlow, IdentityNotLinked, AccountBanned)


@public.get("")
async def list_sign_in_sources(sources: Sources) -> SignInSources:
    """The services that players can sign in with."""
    return SignInSources(
        values=[SignInSource(name=name, label=sources.source(name).label) for name in sources.names]
    )


@public.post("/start", raises=(*STARTED, TooManyRequests), rate="sign-in", takes_key=False)
async def start_sign_in(
    database: Database, settings: Settings, sources: Sources, body: StartSignIn
) -> BegunSignIn:
    """Begin a sign-in by another service, of a website or a launcher; valid for 10 minutes."""
    sources.source(body.source)
    started = await flows.start(database, body.source, body.return_to)
    return _begun(settings, body.source, started)


@public.post(
    "/finish",
    raises=(*FINISHED, InvalidGrant, AccessBanned, InvalidDeviceId, TooManyRequests),
    rate="sign-in",
    takes_key=False,
)
async def finish_sign_in(
    database: Database, vault: Vault, request: Request, body: FinishSignIn
) -> TokenAnswer:
    """Exchange the result of a sign-in for tokens; the account needs the power Api, as for any."""
    trace = client_traces.of_client(vault, request.address, body.device_id)
    await client_traces.check(database.reader, trace)
    order = Finish(
        by=audit_context.by_request(request),
        flow=body.flow,
        secret=body.secret,
        result=body.result,
        trace=trace,
        wants_tokens=True,
    )
    done = await flows.finish_sign_in.one(database, order)
    assert done.tokens is not None
    return token_answer(done.tokens)


@websites.post("/account", raises=FINISHED, takes_key=False)
async def finish_sign_in_of_website(
    database: Database, request: Request, body: FinishFlow
) -> SignedIn:
    """
    The account of a finished sign-in, for a website or a game server that keeps its own sessions.

    As with `/users/{key}/password/validate`, the account needs no power.
    """
    order = Finish(
        by=audit_context.by_request(request),
        flow=body.flow,
        secret=body.secret,
        result=body.result,
    )
    return await _shown(database, await flows.finish_sign_in.one(database, order))


@websites.post(
    "/steam-ticket",
    raises=(
        *(SourceNotFound, InvalidTicket, ProofRefused, SourceUnavailable),
        *(IdentityNotLinked, AccountBanned),
    ),
    takes_key=False,
    calls_out=True,
)
async def check_steam_ticket(
    database: Database, sources: Sources, request: Request, body: SteamTicket
) -> SignedIn:
    """
    The account of the player whose game client made a ticket, for a game server.

    Steam confirms the ticket. A ticket of a borrowed game (family sharing) is refused.
    """
    from gamekeeper.users.identities.sources.steam import Steam

    steam = sources.source("steam")
    assert isinstance(steam, Steam)
    person = await steam.prove_ticket(body.ticket)
    order = Proven(by=audit_context.by_request(request), person=person, trace=None)
    return await _shown(database, await sign_ins.sign_in.one(database, order))


@own.post(
    "/start",
    raises=(
        *(*STARTED, IdentitiesNeedAccount, passwords.WrongPassword, InvalidPasswordHash),
        TooManyRequests,
    ),
    step_up=True,
    takes_key=False,
)
async def start_my_link(
    database: Database,
    vault: Vault,
    settings: Settings,
    sources: Sources,
    caller: Principal,
    request: Request,
    body: StartMyLink,
) -> BegunSignIn:
    """Begin to link an identity with your account, by signing in to the other service."""
    me = owner(caller)
    sources.source(body.source)
    account = await prove(database, vault, me, request, body.password)
    started = await flows.start(database, body.source, body.return_to, account)
    return _begun(settings, body.source, started)


@own.post(
    "/finish",
    raises=(
        *(IdentitiesNeedAccount, UnknownFlow, IdentityTaken, IssuerAlreadyLinked),
        IdentityOfBannedAccount,
    ),
    step_up=True,
)
async def finish_my_link(
    database: Database, caller: Principal, by: AuditContext, body: FinishMyLink
) -> LinkedIdentity:
    """Link what a flow proved with your account, which must be the one that started the flow."""
    order = Finish(
        by=by, flow=body.flow, secret=body.secret, result=body.result, user_id=owner(caller)
    )
    return await flows.finish_link.one(database, order)


def _begun(settings: Settings, source: str, started: StartedFlow) -> BegunSignIn:
    root = settings.public_url.rstrip("/")
    return BegunSignIn(
        flow=started.id,
        secret=started.secret,
        url=f"{root}/sign-in/{source}?ticket={started.ticket}",
        expires_at=started.expires_at,
    )


async def _shown(database: Database, done: SignedInAccount) -> SignedIn:
    names = await names_of_users(database.reader, [done.user_id])
    return SignedIn(user_id=done.user_id, username=names[done.user_id])
