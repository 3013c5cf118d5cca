"""Second factors of the caller: enrolled, listed and removed; recovery codes."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from gamekeeper.api import audit_context
from gamekeeper.api.path_parameters import FactorId
from gamekeeper.api.v1.session import NoSession, PasskeyOptions, context_of, with_cookie
from gamekeeper.auth.authorisation import ENROLMENT, UNFINISHED, SecondFactorRequired
from gamekeeper.auth.browser_sessions import SessionNotFound
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.schemas import Body, Instant, Record
from gamekeeper.db.database import Database
from gamekeeper.http.cookies import SessionCookie
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.users.staff import passkeys, recovery_codes, second_factors, totp
from gamekeeper.users.staff.challenges import ChallengeExpired
from gamekeeper.users.staff.enrolment import (
    EnrolledFactor,
    EnrolmentExpired,
    FactorKnown,
    InvalidFactorName,
    TooManyFactors,
)
from gamekeeper.users.staff.passkeys import (
    MAX_TRANSPORTS,
    Attestation,
    PasskeyRefused,
    PasskeysUnavailable,
)
from gamekeeper.users.staff.recovery_codes import NoSecondFactor
from gamekeeper.users.staff.second_factors import (
    Factor,
    FactorNotFound,
    FactorRemoval,
    Kind,
    LastFactor,
    WrongCode,
)

routes = Routes("/api/v1/me")

ADDED = (NoSession, SecondFactorRequired, SessionNotFound, TooManyFactors)


class FactorRecord(Record, frozen=True):
    id: UUID
    kind: Kind
    name: str
    created_at: Instant
    used_at: Instant | None
    """The last verification with it; null: never used."""

    @classmethod
    def of(cls, factor: Factor) -> "FactorRecord":
        return cls(
            id=factor.id,
            kind=factor.kind,
            name=factor.name,
            created_at=factor.created_at,
            used_at=factor.used_at,
        )


class Factors(Record, frozen=True):
    values: list[FactorRecord]
    recovery_codes_left: int


class TotpBody(Body, frozen=True):
    name: str = "Authenticator app"
    """A name for the app, 1 to 64 characters."""


class TotpEnrolment(Record, frozen=True):
    id: UUID
    secret: str
    """Shown only once: base32, to enter into the app."""
    uri: str
    """The secret as an `otpauth` URI."""
    qr_code: str
    """The URI as a QR code, an SVG image."""

    def __repr__(self) -> str:
        return f"TotpEnrolment({self.id})"


class TotpConfirmation(Body, frozen=True):
    id: UUID
    """The id that came with the secret."""
    code: str
    """The current six digits of the app."""


class PasskeyBody(Body, frozen=True):
    id: str
    """The `id` of the credential, base64url."""
    client_data_json: str
    """The `response.clientDataJSON` of the credential, base64url."""
    attestation_object: str
    """Its `response.attestationObject`, base64url."""
    transports: Annotated[list[str], Meta(max_length=MAX_TRANSPORTS)]
    """Its `response.getTransports()`, at most ten; may be empty."""
    name: str = "Passkey"
    """A name for the passkey, 1 to 64 characters."""


class AddedFactor(Record, frozen=True):
    id: UUID
    kind: Kind
    name: str


class RecoveryCodes(Record, frozen=True):
    codes: list[str]
    """Shown only once; each works for one verification."""

    def __repr__(self) -> str:
        return f"RecoveryCodes({len(self.codes)})"


@routes.get("/factors", raises=(NoSession,), before_sign_in=UNFINISHED)
async def list_factors(database: Database, caller: Principal, request: Request) -> Factors:
    """Your second factors, oldest first, and the number of unused recovery codes."""
    user = context_of(caller, request).user_id
    known = await second_factors.factors_of(database.reader, user)
    return Factors(
        values=[FactorRecord.of(factor) for factor in known],
        recovery_codes_left=await recovery_codes.unused(database.reader, user),
    )


@routes.post(
    "/factors/totp", raises=(*ADDED, InvalidFactorName), step_up=True, before_sign_in=ENROLMENT
)
async def begin_totp_enrolment(
    database: Database, vault: Vault, caller: Principal, request: Request, body: TotpBody
) -> TotpEnrolment:
    """A secret for an authenticator app, also as a QR code; confirm it to enable it."""
    made = await totp.begin_enrolment(
        database, vault, context_of(caller, request), account=caller.name, name=body.name
    )
    return TotpEnrolment(
        id=made.factor_id, secret=str(made.secret), uri=str(made.uri), qr_code=str(made.qr_code)
    )


@routes.post(
    "/factors/totp/confirm",
    raises=(*ADDED, WrongCode, EnrolmentExpired, TooManyRequests),
    step_up=True,
    before_sign_in=ENROLMENT,
)
async def confirm_totp_enrolment(
    database: Database,
    vault: Vault,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
    body: TotpConfirmation,
) -> AddedFactor | Response:
    """Add the authenticator app that shows this code. The first factor completes the sign-in."""
    context = context_of(caller, request)
    added = await totp.confirm_enrolment(database, vault, context, body.id, body.code)
    return _added(added, cookie, request)


@routes.post(
    "/factors/passkeys/options",
    raises=(NoSession, PasskeysUnavailable),
    step_up=True,
    before_sign_in=ENROLMENT,
)
async def begin_passkey_enrolment(
    database: Database, caller: Principal, request: Request
) -> PasskeyOptions:
    """The options for creating a passkey in the browser; valid for five minutes."""
    context = context_of(caller, request)
    options = await passkeys.registration_options(database, context, caller.name)
    return PasskeyOptions(options=options)


@routes.post(
    "/factors/passkeys",
    raises=(
        *ADDED,
        PasskeyRefused,
        ChallengeExpired,
        PasskeysUnavailable,
        FactorKnown,
        InvalidFactorName,
    ),
    step_up=True,
    before_sign_in=ENROLMENT,
)
async def add_passkey(
    database: Database,
    cookie: SessionCookie,
    caller: Principal,
    request: Request,
    body: PasskeyBody,
) -> AddedFactor | Response:
    """Add the passkey that the browser created. The first factor completes the sign-in."""
    attestation = Attestation(
        id=body.id,
        client_data_json=body.client_data_json,
        attestation_object=body.attestation_object,
        transports=body.transports,
    )
    context = context_of(caller, request)
    added = await passkeys.register(database, context, attestation, body.name)
    return _added(added, cookie, request)


@routes.delete("/factors/{factor_id}", raises=(NoSession, FactorNotFound, LastFactor), step_up=True)
async def remove_factor(
    database: Database, caller: Principal, request: Request, factor_id: FactorId
) -> FactorRecord:
    """Remove a second factor; not the last one while one is required."""
    context = context_of(caller, request)
    command = FactorRemoval(
        user_id=context.user_id, factor_id=factor_id, by=audit_context.by_request(request)
    )
    return FactorRecord.of(await second_factors.remove.one(database, command))


@routes.post("/recovery-codes", raises=(NoSession, NoSecondFactor, SessionNotFound), step_up=True)
async def make_recovery_codes(
    database: Database, vault: Vault, caller: Principal, request: Request
) -> RecoveryCodes:
    """Ten new recovery codes, shown only once; the old ones stop working."""
    codes = await recovery_codes.make(database, vault, context_of(caller, request))
    return RecoveryCodes(codes=[str(code) for code in codes])


def _added(
    factor: EnrolledFactor, cookie: SessionCookie, request: Request
) -> AddedFactor | Response:
    answer = AddedFactor(id=factor.id, kind=factor.kind, name=factor.name)
    if factor.cookie is None:
        return answer
    return with_cookie(answer, cookie.issued(request, factor.cookie))
