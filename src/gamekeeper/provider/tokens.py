"""ID tokens and logout tokens: what they say, and for how long."""

import hashlib
from base64 import urlsafe_b64encode
from time import time
from typing import Any
from uuid import uuid4

from gamekeeper.auth.openid_sessions import LogoutNotice
from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database
from gamekeeper.provider import claims, keys
from gamekeeper.provider.sign_ins import Issued

ID_SECONDS = 600
LOGOUT_SECONDS = 120
LOGOUT_TYPE = "logout+jwt"
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


async def id_token(
    database: Database, vault: Vault, client: str, issued: Issued, *, refreshed: bool
) -> str | None:
    """The ID token of a sign-in; None if the account is gone."""
    account = await claims.of_account(database.reader, issued.user_id, issued.scopes)
    if account is None:
        return None
    now = int(time())
    about: dict[str, Any] = {
        "iss": database.settings.openid_issuer,
        "aud": client,
        "azp": client,
        "iat": now,
        "exp": now + ID_SECONDS,
        "auth_time": int(issued.authenticated_at.timestamp()),
        "sid": str(issued.session_id),
        "at_hash": _half_hash(issued.access),
    }
    # OpenID Connect Core, 12.2: a refreshed one should have none.
    if issued.nonce is not None and not refreshed:
        about["nonce"] = issued.nonce
    return await keys.sign(database, vault, account | about)


async def logout_token(database: Database, vault: Vault, notice: LogoutNotice) -> str:
    """The logout token of a notice (OpenID Connect Back-Channel Logout, 2.4)."""
    now = int(time())
    about = {
        "iss": database.settings.openid_issuer,
        "aud": notice.client_id,
        "iat": now,
        "exp": now + LOGOUT_SECONDS,
        "jti": str(uuid4()),
        "sub": str(notice.user_id),
        "sid": str(notice.session_id),
        "events": {LOGOUT_EVENT: {}},
    }
    return await keys.sign(database, vault, about, LOGOUT_TYPE)


def _half_hash(token: str) -> str:
    """`at_hash`: the left half of the hash of the access token."""
    return urlsafe_b64encode(hashlib.sha256(token.encode()).digest()[:16]).decode().rstrip("=")
