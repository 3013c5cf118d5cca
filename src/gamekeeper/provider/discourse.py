"""
DiscourseConnect: sign-in at a Discourse forum by its own protocol, older than its OpenID support.

The forum signs a request with a secret that both sides have, and gets the account in a signed
answer. It is trusted with addresses that are not verified: `require_activation` makes it confirm
the address first, and join no account that has it.
"""

import binascii
import hashlib
import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping
from secrets import compare_digest
from urllib.parse import urlencode
from uuid import UUID

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.provider import client_records
from gamekeeper.provider.authorization import (
    MAX_TEXT,
    AuthorizationRequest,
    RequestMalformed,
    UnknownClient,
    UnknownRedirectUri,
    fields_of,
    with_parameters,
)
from gamekeeper.provider.client_records import SCOPES
from gamekeeper.users.verified_emails import IS_VERIFIED


class DiscourseRequest(AuthorizationRequest, frozen=True, kw_only=True):
    """A request of a forum; its answers are signed."""

    secret: Hidden

    def answer(self, **about: str) -> str:
        """The address to which the browser is sent, with an answer."""
        fields = {"failed": "true"} if "error" in about else about
        text = urlencode({"nonce": self.nonce or ""} | fields)
        sso = b64encode(text.encode()).decode()
        return with_parameters(self.redirect_uri, {"sso": sso, "sig": _signature(self.secret, sso)})


def about(client: str) -> str:
    """What the encrypted secret of a forum is bound to."""
    return f"openid discourse {client}"


def seal(vault: Vault, client: str, secret: Hidden) -> str:
    """Encrypt the secret of a forum: the service needs it to sign its answers."""
    return vault.encrypt(about(client), str(secret))


async def read(
    reader: Reader, settings: Settings, vault: Vault, fields: Mapping[str, str]
) -> DiscourseRequest:
    """The request of a forum, or raise what is wrong with it."""
    client = await client_records.registered(reader, fields.get("client_id", ""))
    if client is None or client.discourse_sealed is None:
        raise UnknownClient
    secret = Hidden(vault.decrypt(about(client.id), client.discourse_sealed))
    sso = fields.get("sso", "")
    # Before anything in it is read.
    if not compare_digest(_signature(secret, sso).encode(), fields.get("sig", "").encode()):
        raise RequestMalformed
    try:
        asked = fields_of(b64decode(sso).decode())
    except (binascii.Error, UnicodeDecodeError):
        raise RequestMalformed from None
    if not 1 <= len(asked.get("nonce", "")) <= MAX_TEXT:
        raise RequestMalformed
    # Exact, as it is registered: not even the port of a loopback address differs.
    if asked.get("return_sso_url") not in client.redirect_uris:
        raise UnknownRedirectUri
    return DiscourseRequest(
        client=client,
        redirect_uri=asked["return_sso_url"],
        issuer=settings.openid_issuer,
        state=None,
        nonce=asked["nonce"],
        scopes=[scope for scope in SCOPES if scope in client.scopes],
        challenge=None,
        prompts=frozenset({"none"} & {asked.get("prompt", "")}),
        max_age=None,
        login_hint="",
        subject=None,
        secret=secret,
    )


def _signature(secret: str, text: str) -> str:
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


async def account_of(reader: Reader, user: UUID, scopes: list[str]) -> dict[str, str] | None:
    """The fields of an account in an answer; None if it is gone."""
    rows = await reader.rows(
        f"""
        SELECT name, email, {IS_VERIFIED} AS is_verified,
               ARRAY(SELECT role FROM staff_roles WHERE user_id = users.id ORDER BY role) AS roles
          FROM users WHERE id = $1
        """,
        user,
    )
    if not rows:
        return None
    account = rows[0]
    fields = {
        "external_id": str(user),
        "username": account["name"],
        "name": account["name"],
        "email": account["email"],
        "require_activation": "false" if account["is_verified"] else "true",
    }
    return fields | ({"groups": ",".join(account["roles"])} if "roles" in scopes else {})


async def reseal(database: Database, vault: Vault) -> None:
    """Encrypt the secrets of forums with the current password key."""

    async def work(writer: Writer) -> None:
        rows = await writer.rows(
            "SELECT id, discourse_sealed FROM openid_clients WHERE discourse_sealed IS NOT NULL"
            " FOR UPDATE"
        )
        for row in rows:
            sealed = row["discourse_sealed"]
            if not vault.is_current(sealed):
                secret = vault.decrypt(about(row["id"]), sealed)
                await writer.run(
                    "UPDATE openid_clients SET discourse_sealed = $2 WHERE id = $1",
                    row["id"],
                    vault.encrypt(about(row["id"]), secret),
                )

    await database.write(work)
