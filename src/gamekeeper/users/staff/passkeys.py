"""
Passkeys (WebAuthn): registered by a browser, and verified by a signature.

The user must be verified by the device, by finger, face or PIN. A passkey belongs to the
host of GAMEKEEPER_PUBLIC_URL; browsers offer it nowhere else, so it cannot be phished.
"""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import origins
from gamekeeper.core.errors import Conflict, Forbidden
from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.users.staff import challenges, enrolment, second_factors
from gamekeeper.users.staff.enrolment import EnrolledFactor, NewFactor
from gamekeeper.users.staff.second_factors import FactorProof
from gamekeeper.users.staff.verification import SessionContext

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

CHALLENGE_BYTES = 32
LOCAL = "localhost"

MAX_TRANSPORTS = 10

log = loggers.get_logger()


class PasskeyRefused(Forbidden):
    """The passkey could not be verified. Try again, or use another second factor."""

    cacheable = False


class PasskeysUnavailable(Conflict):
    """Passkeys need a host name. Open this service by a name, as in GAMEKEEPER_PUBLIC_URL."""

    cacheable = False


class Attestation(Struct, frozen=True, kw_only=True):
    """What a browser says of a new passkey, in base64url."""

    id: str
    client_data_json: str
    attestation_object: str
    transports: Sequence[str] = ()


class Assertion(Struct, frozen=True, kw_only=True):
    """What a browser answers with a passkey, in base64url."""

    id: str
    client_data_json: str
    authenticator_data: str
    signature: str


class RelyingParty(Struct, frozen=True, kw_only=True):
    """Us, as browsers know us."""

    id: str
    name: str
    origins: list[str]

    @classmethod
    def of(cls, settings: Settings, origin: str) -> "RelyingParty":
        """
        By the public URL; on one's own machine it is `localhost`, at any port.

        Browsers make no passkeys for addresses, and take `localhost` without HTTPS.
        """
        host, name = origins.host_of(settings.public_url), settings.game_name
        if origins.is_for_development(settings.public_url):
            local = [origin] if origins.host_of(origin) == LOCAL else []
            return cls(id=LOCAL, name=name, origins=local)
        if origins.is_address(host):
            raise PasskeysUnavailable
        return cls(id=host, name=name, origins=[origins.origin_of(settings.public_url)])


class StoredPasskey(Struct, frozen=True, kw_only=True):
    id: UUID
    credential_id: bytes
    public_key: bytes
    counter: int
    transports: list[str]

    @property
    def descriptor(self) -> "PublicKeyCredentialDescriptor":
        from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

        known = {transport.value for transport in AuthenticatorTransport}
        transports = [
            AuthenticatorTransport(transport) for transport in self.transports if transport in known
        ]
        return PublicKeyCredentialDescriptor(id=self.credential_id, transports=transports)


# ── Registered ──


async def registration_options(
    database: Database, context: SessionContext, account: str
) -> dict[str, Any]:
    """What `navigator.credentials.create` takes, as JSON; its challenge is kept."""
    await _load_library()
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    party = RelyingParty.of(database.settings, context.origin)
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=party.name,
        user_id=context.user_id.bytes,
        user_name=account,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            passkey.descriptor for passkey in await _stored(database.reader, context.user_id)
        ],
    )
    await challenges.store(database, context, "registration", challenge)
    return webauthn.helpers.options_to_json_dict(options)


async def register(
    database: Database, context: SessionContext, attestation: Attestation, name: str
) -> EnrolledFactor:
    """Add a passkey that answers to the challenge of its session."""
    await _load_library()
    import webauthn
    from webauthn.helpers.structs import AuthenticatorTransport

    name = enrolment.named(name)
    party = RelyingParty.of(database.settings, context.origin)
    challenge = await challenges.take(database, context, "registration")
    with _strangers_bytes():
        verified = webauthn.verify_registration_response(
            credential={
                "id": attestation.id,
                "rawId": attestation.id,
                "type": "public-key",
                "response": {
                    "clientDataJSON": attestation.client_data_json,
                    "attestationObject": attestation.attestation_object,
                },
            },
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
            require_user_verification=True,
        )
    known = {transport.value for transport in AuthenticatorTransport}
    added = NewFactor(
        user_id=context.user_id,
        session_id=context.session_id,
        is_fresh=context.is_fresh,
        kind="passkey",
        name=name,
        counter=verified.sign_count,
        credential_id=verified.credential_id,
        public_key=verified.credential_public_key,
        transports=tuple(transport for transport in attestation.transports if transport in known)[
            :MAX_TRANSPORTS
        ],
        by=context.by,
    )
    return await enrolment.add.one(database, added)


# ── Verified ──


async def authentication_options(database: Database, context: SessionContext) -> dict[str, Any]:
    """What `navigator.credentials.get` takes, as JSON; its challenge is kept."""
    await _load_library()
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    party = RelyingParty.of(database.settings, context.origin)
    stored = await _stored(database.reader, context.user_id)
    challenge = secrets.token_bytes(CHALLENGE_BYTES)
    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        allow_credentials=[passkey.descriptor for passkey in stored],
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    await challenges.store(database, context, "authentication", challenge)
    return webauthn.helpers.options_to_json_dict(options)


async def verify(database: Database, context: SessionContext, assertion: Assertion) -> Hidden:
    """Verify a session by a passkey of its account; its new cookie."""
    await _load_library()
    import webauthn

    party = RelyingParty.of(database.settings, context.origin)
    challenge = await challenges.take(database, context, "authentication")
    stored = await _stored(database.reader, context.user_id)
    by_id = {webauthn.helpers.bytes_to_base64url(each.credential_id): each for each in stored}
    passkey = by_id.get(assertion.id)
    if passkey is None:
        raise PasskeyRefused
    with _strangers_bytes():
        verified = webauthn.verify_authentication_response(
            credential={
                "id": assertion.id,
                "rawId": assertion.id,
                "type": "public-key",
                "response": {
                    "clientDataJSON": assertion.client_data_json,
                    "authenticatorData": assertion.authenticator_data,
                    "signature": assertion.signature,
                },
            },
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=party.origins,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.counter,
            require_user_verification=True,
        )
    proof = FactorProof(
        user_id=context.user_id,
        session_id=context.session_id,
        method="passkey",
        factor_id=passkey.id,
        counter=verified.new_sign_count,
        by=context.by,
    )
    return await second_factors.verify.one(database, proof)


async def _load_library() -> None:
    """
    Import `webauthn` when it is first needed: with X.509 it takes a seventh of the start-up.

    In a thread, so that requests of others are not delayed.
    """
    await asyncio.to_thread(import_module, "webauthn")


@contextmanager
def _strangers_bytes() -> Iterator[None]:
    """Whatever the libraries raise about bytes of strangers, the passkey is refused."""
    try:
        yield
    except Exception as fault:
        # Not only the library's own exceptions: those of CBOR, base64 and keys come through.
        log.info("passkey_refused", fault=f"{type(fault).__name__}: {fault}"[:200])
        raise PasskeyRefused from None


async def _stored(reader: Reader, user: UUID) -> list[StoredPasskey]:
    return await reader.all(
        StoredPasskey,
        """
        SELECT id, credential_id, public_key, counter, transports FROM second_factors
         WHERE user_id = $1 AND kind = 'passkey' AND confirmed_at IS NOT NULL
         ORDER BY created_at, id
        """,
        user,
    )
