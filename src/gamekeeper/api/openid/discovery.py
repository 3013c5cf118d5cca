"""Discovery: the metadata of the provider, its public keys, and the files of its pages."""

from typing import Any

import msgspec

from gamekeeper.api import pages
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.provider import (
    authorization,
    client_records,
    keys,
)

routes = Routes("", roles=None)


KEYS_SECONDS = 300
"""How long clients may cache the keys: less than a new key is published before it signs."""

PAGE_FILES = {
    "openid.js": "openid.js",
    "openid.css": "openid.css",
    "sha256.js": "sha256.js",
    "texts.js": "texts.js",
    "card.css": "card.css",
    "fonts.css": "fonts.css",
    "mark.svg": "mark.svg",
}
FONTS = ("inter-latin", "inter-latin-ext", "inter-cyrillic")

for path, file in PAGE_FILES.items():
    routes.get(f"/openid/{path}")(pages.static_file(file))
for font in FONTS:
    routes.get(f"/openid/{font}.woff2")(pages.font_file(font))


@routes.get("/.well-known/openid-configuration")
async def discovery(settings: Settings) -> Response:
    """The features and endpoints of this provider (OpenID Connect Discovery)."""
    issuer = settings.openid_issuer
    return _cached(
        {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/openid/authorize",
            "token_endpoint": f"{issuer}/openid/token",
            "userinfo_endpoint": f"{issuer}/openid/userinfo",
            "jwks_uri": f"{issuer}/openid/keys",
            "revocation_endpoint": f"{issuer}/openid/revoke",
            "end_session_endpoint": f"{issuer}/openid/logout",
            "scopes_supported": list(client_records.SCOPES),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [keys.ALGORITHM],
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic",
                "client_secret_post",
                "none",
            ],
            "revocation_endpoint_auth_methods_supported": [
                "client_secret_basic",
                "client_secret_post",
                "none",
            ],
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                *("iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "sid", "at_hash"),
                *("name", "preferred_username", "banned", "banned_until", "email"),
                *("email_verified", "characters", "roles"),
            ],
            "prompt_values_supported": sorted(authorization.PROMPTS),
            "claims_parameter_supported": False,
            "request_parameter_supported": False,
            "request_uri_parameter_supported": False,
            "authorization_response_iss_parameter_supported": True,
            "backchannel_logout_supported": True,
            "backchannel_logout_session_supported": True,
        }
    )


@routes.get("/openid/keys")
async def signing_keys(database: Database, vault: Vault) -> Response:
    """The public keys that ID tokens and logout tokens are checked with (JWKS)."""
    await keys.ensure(database, vault)
    return _cached({"keys": await keys.published(database.reader)})


def _cached(document: dict[str, Any]) -> Response:
    return Response(
        body=msgspec.json.encode(document),
        cache_control=f"public, max-age={KEYS_SECONDS}".encode(),
        headers=[("Access-Control-Allow-Origin", "*")],
    )
