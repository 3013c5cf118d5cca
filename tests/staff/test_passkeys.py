"""Passkeys: whom they belong to, and that a challenge is good once; in a browser: tests/pages."""

import asyncio

import pytest
from msgspec import structs
from webauthn.helpers import bytes_to_base64url

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.users.staff import challenges, passkeys
from gamekeeper.users.staff.challenges import ChallengeExpired
from gamekeeper.users.staff.passkeys import (
    Assertion,
    Attestation,
    PasskeyRefused,
    PasskeysUnavailable,
    RelyingParty,
)
from gamekeeper.users.staff.verification import SessionContext
from tests.make import BY
from tests.staff.make import make_staff
from tests.staff.signed_in import open_session

ODD = ["", "a", "====", "\0", "é", "A" * 60_000, "e30", "null", "oWNmbXRkbm9uZQ"]


@pytest.fixture
async def context(database) -> SessionContext:
    session = await open_session(database, await make_staff(database, "support"))
    return SessionContext(
        user_id=session.user_id,
        session_id=session.session_id,
        by=BY,
        origin="http://localhost:8000",
    )


def party(public_url: str, origin: str = "") -> RelyingParty:
    settings = Settings(database_url=Hidden(""), public_url=public_url)
    return RelyingParty.of(settings, origin)


def test_passkeys_belong_to_the_host_of_the_public_url():
    ours = party("https://play.example.org:8443/game", "https://evil.example")
    assert (ours.id, ours.origins) == ("play.example.org", ["https://play.example.org:8443"])


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://[::1]:8000", "http://localhost"])
def test_on_ones_own_machine_they_belong_to_localhost_at_any_port(url: str):
    ours = party(url, "http://localhost:5173")
    assert (ours.id, ours.origins) == ("localhost", ["http://localhost:5173"])
    for other in ("https://evil.example", "http://localhost.evil.example", "null", "", "http://["):
        assert party(url, other).origins == []


@pytest.mark.parametrize("url", ["http://192.0.2.7:8000", "https://[2001:db8::1]"])
def test_an_address_has_no_passkeys(url: str):
    with pytest.raises(PasskeysUnavailable):
        party(url)


async def test_a_challenge_is_good_once_also_at_once(database, context):
    await challenges.store(database, context, "authentication", b"c" * 32)
    taken = await asyncio.gather(
        *(challenges.take(database, context, "authentication") for _ in range(20)),
        return_exceptions=True,
    )
    assert [one for one in taken if not isinstance(one, ChallengeExpired)] == [b"c" * 32]


async def test_a_challenge_is_good_for_its_own_purpose_session_and_five_minutes(database, context):
    other = structs.replace(context, user_id=await make_staff(database, "support"))
    for asks, purpose in ((context, "registration"), (other, "authentication")):
        await challenges.store(database, context, "authentication", b"c" * 32)
        with pytest.raises(ChallengeExpired):
            await challenges.take(database, asks, purpose)
    await challenges.store(database, context, "authentication", b"c" * 32)
    await database.write(
        lambda writer: writer.run("UPDATE browser_sessions SET challenge_until = now()")
    )
    with pytest.raises(ChallengeExpired):
        await challenges.take(database, context, "authentication")


@pytest.mark.parametrize("odd", ODD, ids=[str(number) for number in range(len(ODD))])
async def test_what_is_no_passkey_is_refused(database, context, odd):
    """Bytes of strangers go through a library; none of them is a fault of ours."""
    await passkeys.registration_options(database, context, "ana")
    attestation = Attestation(id=odd, client_data_json=odd, attestation_object=odd)
    with pytest.raises(PasskeyRefused):
        await passkeys.register(database, context, attestation, "Laptop")
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, credential_id,
                                        public_key)
            VALUES ($1, gen_random_uuid(), 'passkey', 'Laptop', now(), 'known', $2)
            """,
            context.user_id,
            odd.encode(),
        )
    )
    for known in (odd, bytes_to_base64url(b"known")):
        await passkeys.authentication_options(database, context)
        assertion = Assertion(id=known, client_data_json=odd, authenticator_data=odd, signature=odd)
        with pytest.raises(PasskeyRefused):
            await passkeys.verify(database, context, assertion)
