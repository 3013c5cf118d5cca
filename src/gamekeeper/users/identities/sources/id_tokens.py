"""
ID tokens of OpenID Connect: their signature and every claim that must be checked.

joserfc, which is imported when the first token comes, verifies the signature. The key is chosen
here: by the `kid`, from the key set of the issuer, never from the header of the token.
"""

from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from hmac import compare_digest
from time import time
from typing import Any

import msgspec
from msgspec import Struct

from gamekeeper.core.sign_in_sources import TENANT
from gamekeeper.users.identities.records import SUBJECT

SKEW_SECONDS = 60
MAX_TOKEN_LENGTH = 16 * 1024
KEY_TYPES = {"RS": "RSA", "PS": "RSA", "ES": "EC"}


class BadToken(Exception):
    """The token is not valid; the text is for the log."""


class UnknownKey(BadToken):
    """The key set has no key for the token: perhaps the keys were rotated."""


class ExpectedClaims(Struct, frozen=True, kw_only=True):
    issuer: str
    client_id: str
    nonce: str
    algorithms: Sequence[str]


def verify(
    token: str, keys: Sequence[Mapping[str, Any]], expected: ExpectedClaims
) -> dict[str, Any]:
    """The claims of a valid ID token; raises BadToken."""
    header = _header(token)
    algorithm = header.get("alg")
    if algorithm not in expected.algorithms:
        raise BadToken("algorithm")
    claims = _verified(token, _key(keys, header.get("kid"), str(algorithm)), str(algorithm))
    _check(claims, expected, time())
    return claims


def _header(token: str) -> dict[str, Any]:
    if len(token) > MAX_TOKEN_LENGTH:
        raise BadToken("length")
    first = token.partition(".")[0]
    try:
        found = msgspec.json.decode(urlsafe_b64decode(first + "=" * (-len(first) % 4)))
    except (ValueError, msgspec.DecodeError):
        raise BadToken("form") from None
    if not isinstance(found, dict):
        raise BadToken("form")
    return found


def _key(keys: Sequence[Mapping[str, Any]], kid: object, algorithm: str) -> dict[str, Any]:
    """The only key of the issuer that fits; a token without `kid` needs a set of one key."""
    fit = [
        key
        for key in keys
        if key.get("kty") == KEY_TYPES[algorithm[:2]]
        and key.get("use", "sig") == "sig"
        and key.get("alg", algorithm) == algorithm
        and (kid is None or key.get("kid") == kid)
    ]
    if len(fit) != 1:
        raise UnknownKey("key")
    return dict(fit[0])


def _verified(token: str, key: dict[str, Any], algorithm: str) -> dict[str, Any]:
    from joserfc import jwk, jwt
    from joserfc.errors import JoseError

    try:
        return dict(jwt.decode(token, jwk.import_key(key), algorithms=[algorithm]).claims)
    except (JoseError, ValueError, TypeError):
        raise BadToken("signature") from None


def _check(claims: Mapping[str, Any], expected: ExpectedClaims, now: float) -> None:
    audience = claims.get("aud")
    audiences = audience if isinstance(audience, list) else [audience]
    party = claims.get("azp")
    nonce, subject = claims.get("nonce"), claims.get("sub")
    issuer = _issuer(claims, expected)
    right = {
        "iss": issuer is not None and claims.get("iss") == issuer,
        "aud": expected.client_id in audiences,
        "azp": party == expected.client_id or (party is None and len(audiences) == 1),
        "nonce": isinstance(nonce, str) and compare_digest(nonce.encode(), expected.nonce.encode()),
        "exp": _is_number(claims.get("exp")) and claims["exp"] > now - SKEW_SECONDS,
        "iat": _is_number(claims.get("iat")) and claims["iat"] < now + SKEW_SECONDS,
        "nbf": "nbf" not in claims
        or (_is_number(claims["nbf"]) and claims["nbf"] < now + SKEW_SECONDS),
        "sub": isinstance(subject, str) and SUBJECT.fullmatch(subject) is not None,
    }
    if wrong := [name for name, is_right in right.items() if not is_right]:
        raise BadToken(", ".join(wrong))


def _issuer(claims: Mapping[str, Any], expected: ExpectedClaims) -> str | None:
    """The issuer, for Microsoft with the tenant that the token names; None: it names none."""
    tenant = claims.get("tid")
    if TENANT not in expected.issuer:
        return expected.issuer
    return expected.issuer.replace(TENANT, tenant) if isinstance(tenant, str) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
