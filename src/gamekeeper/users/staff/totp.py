"""
TOTP (RFC 6238): the six digits of an authenticator app.

Codes of the step before and of the one after are good too, because clocks differ. The secret
is encrypted with a key that is not in the database: a copy of the tables makes no codes.
"""

import io
from hmac import compare_digest
from time import time
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import pyotp
import segno
from msgspec import Struct

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.users.staff import enrolment, second_factors
from gamekeeper.users.staff.enrolment import (
    EnrolledFactor,
    EnrolmentExpired,
    NewFactor,
    TotpProposal,
)
from gamekeeper.users.staff.second_factors import FactorProof, WrongCode
from gamekeeper.users.staff.verification import SessionContext

if TYPE_CHECKING:
    from gamekeeper.auth.secrets import Vault

STEP_SECONDS = 30
DIGITS = 6
CLOCK_DRIFT = (0, -1, 1)
"""The time steps whose codes are accepted, counted from now."""


class Enrolment(Struct, frozen=True, kw_only=True):
    """What an authenticator app needs to know."""

    factor_id: UUID
    secret: Hidden
    uri: Hidden
    qr_code: Hidden
    """The URI as an SVG image."""


class StoredSecret(Struct, frozen=True, kw_only=True):
    id: UUID
    secret: str

    def __repr__(self) -> str:
        return f"StoredSecret({self.id})"


def matching_step(secret: Hidden, code: str, now: float) -> int | None:
    """The time step that a code belongs to, or None if it is the code of no step near now."""
    if len(code) != DIGITS or not code.isascii() or not code.isdigit():
        return None
    generator = pyotp.TOTP(secret, digits=DIGITS, interval=STEP_SECONDS)
    step = int(now // STEP_SECONDS)
    matches = [
        step + drift
        for drift in CLOCK_DRIFT
        if compare_digest(generator.generate_otp(step + drift), code)
    ]
    return matches[0] if matches else None


async def begin_enrolment(
    database: Database, vault: "Vault", context: SessionContext, *, account: str, name: str
) -> Enrolment:
    """Make a secret for an authenticator app; it counts once its first code is confirmed."""
    secret, factor = Hidden(pyotp.random_base32()), uuid4()
    proposal = TotpProposal(
        user_id=context.user_id,
        session_id=context.session_id,
        is_fresh=context.is_fresh,
        factor_id=factor,
        name=enrolment.named(name),
        sealed=vault.encrypt(_about(context.user_id, factor), secret),
        by=context.by,
    )
    await enrolment.propose.one(database, proposal)
    uri = pyotp.TOTP(secret).provisioning_uri(account, issuer_name=_issuer(database.settings))
    return Enrolment(factor_id=factor, secret=secret, uri=Hidden(uri), qr_code=_qr_code(uri))


def _issuer(settings: Settings) -> str:
    # A colon would separate the issuer from the account.
    return settings.game_name.replace(":", " ")


def _qr_code(uri: str) -> Hidden:
    image = io.BytesIO()
    segno.make(uri, micro=False).save(image, kind="svg", scale=4, xmldecl=False)
    return Hidden(image.getvalue().decode())


async def confirm_enrolment(
    database: Database, vault: "Vault", context: SessionContext, factor: UUID, code: str
) -> EnrolledFactor:
    """Add an authenticator app that shows the right code for its secret."""
    stored = await _secrets(database.reader, context.user_id, is_confirmed=False)
    proposed = next((secret for secret in stored if secret.id == factor), None)
    if proposed is None:
        raise EnrolmentExpired
    async with second_factors.attempt(database, context):
        step = matching_step(_opened(vault, context.user_id, proposed), code, time())
        if step is None:
            raise WrongCode
        added = NewFactor(
            user_id=context.user_id,
            session_id=context.session_id,
            is_fresh=context.is_fresh,
            kind="totp",
            factor_id=factor,
            counter=step,
            by=context.by,
        )
        return await enrolment.add.one(database, added)


async def verify(database: Database, vault: "Vault", context: SessionContext, code: str) -> Hidden:
    """Verify a session by the code of any authenticator app of the account; its new cookie."""
    async with second_factors.attempt(database, context):
        return await second_factors.verify.one(
            database, await proof_of(database, vault, context, code)
        )


async def proof_of(
    database: Database, vault: "Vault", context: SessionContext, code: str
) -> FactorProof:
    """What a code of any authenticator app of the account proves, or raise WrongCode."""
    for stored in await _secrets(database.reader, context.user_id, is_confirmed=True):
        step = matching_step(_opened(vault, context.user_id, stored), code, time())
        if step is not None:
            return FactorProof(
                user_id=context.user_id,
                session_id=context.session_id,
                method="totp",
                factor_id=stored.id,
                counter=step,
                by=context.by,
            )
    raise WrongCode


async def _secrets(reader: Reader, user: UUID, *, is_confirmed: bool) -> list[StoredSecret]:
    return await reader.all(
        StoredSecret,
        """
        SELECT id, secret FROM second_factors
         WHERE user_id = $1 AND kind = 'totp' AND (confirmed_at IS NOT NULL) = $2
         ORDER BY created_at, id
        """,
        user,
        is_confirmed,
    )


def _opened(vault: "Vault", user: UUID, stored: StoredSecret) -> Hidden:
    return Hidden(vault.decrypt(_about(user, stored.id), stored.secret))


def _about(user: UUID, factor: UUID) -> str:
    """Binds an encrypted secret to its account and factor, so that none can be exchanged."""
    return f"totp;{user};{factor}"
