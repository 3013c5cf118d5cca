"""Which key verifies an ID token, and which issuer it may name."""

import time
from typing import Any

import pytest
from joserfc import jwk, jwt

from gamekeeper.core.sign_in_sources import TENANT
from gamekeeper.users.identities.sources import id_tokens
from gamekeeper.users.identities.sources.id_tokens import BadToken, ExpectedClaims, UnknownKey

ISSUER = "https://accounts.example"
MICROSOFT = f"https://login.microsoftonline.com/{TENANT}/v2.0"
OURS = "9188040d-6c67-4c5b-b112-36a304b66dad"
KEY = jwk.RSAKey.generate_key(2048, {"kid": "one"}, private=True)
OTHER = jwk.RSAKey.generate_key(2048, {"kid": "two"}, private=True)


def verified(
    keys: list[dict[str, Any]],
    *,
    header: dict[str, Any] | None = None,
    issuer: str = ISSUER,
    **claims: Any,
) -> dict[str, Any]:
    now = int(time.time())
    said = {"iss": ISSUER, "sub": "1", "aud": "us", "nonce": "n", "iat": now, "exp": now + 60}
    head = {"alg": "RS256", "kid": "one"} if header is None else header
    token = jwt.encode(head, said | claims, KEY, algorithms=["RS256"])
    expected = ExpectedClaims(issuer=issuer, client_id="us", nonce="n", algorithms=["RS256"])
    return id_tokens.verify(token, keys, expected)


def public(key: jwk.RSAKey, **about: str) -> dict[str, Any]:
    return key.as_dict(private=False) | about


PARAMETERS = {
    "nothing said": ({}, True),
    "for signatures": ({"use": "sig"}, True),
    "for encryption": ({"use": "enc"}, False),
    "the algorithm": ({"alg": "RS256"}, True),
    "another algorithm": ({"alg": "RS512"}, False),
    "another key": ({"kid": "two"}, False),
    "another type": ({"kty": "EC"}, False),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_only_a_key_that_fits_verifies(name):
    about, fits = PARAMETERS[name]
    if fits:
        assert verified([public(KEY, **about)])["sub"] == "1"
    else:
        with pytest.raises(UnknownKey):
            verified([public(KEY, **about)])


def test_a_token_that_names_no_key_needs_a_set_of_one():
    header = {"alg": "RS256"}
    assert verified([public(KEY)], header=header)["sub"] == "1"
    with pytest.raises(UnknownKey):
        verified([public(KEY), public(OTHER)], header=header)
    # Keys for something else do not count.
    assert verified([public(KEY), public(OTHER, use="enc")], header=header)["sub"] == "1"


def test_a_token_of_microsoft_names_its_tenant_in_both_claims():
    mine, other = MICROSOFT.replace(TENANT, OURS), MICROSOFT.replace(TENANT, "another")
    claims = verified([public(KEY)], issuer=MICROSOFT, iss=mine, tid=OURS)
    assert claims["iss"] == mine
    wrong: list[dict[str, Any]] = [
        *({"iss": other, "tid": OURS}, {"iss": mine, "tid": "another"}, {"iss": mine}),
        *({"iss": MICROSOFT, "tid": None}, {"iss": "", "tid": None}, {"iss": mine, "tid": [OURS]}),
    ]
    for claims in wrong:
        with pytest.raises(BadToken, match="iss"):
            verified([public(KEY)], issuer=MICROSOFT, **claims)
