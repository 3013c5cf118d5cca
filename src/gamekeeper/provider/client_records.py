"""Records of OpenID clients: as staff see them, and as a sign-in needs them."""

from secrets import compare_digest
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import credentials
from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Queryable, Reader

SCOPES = ("openid", "profile", "email", "characters", "roles", "offline_access")
"""All that a client may ask for; `openid` it must."""


class OpenidClientNotFound(NotFound):
    """No OpenID client has this id."""


class OpenIdClient(Record, frozen=True):
    """A website or program at which players sign in with their account."""

    id: str
    """The `client_id`."""
    name: str
    """The name that players read."""
    is_public: bool
    """Whether it has no secret, as a launcher."""
    is_discourse: bool
    """Whether it is a forum with DiscourseConnect."""
    redirect_uris: list[str]
    """Where browsers are sent after a sign-in: exact, except for the port of a loopback address."""
    logout_uris: list[str]
    """Where browsers may be sent after a sign-out."""
    backchannel_uri: str | None
    """Where sign-outs are reported (back-channel logout)."""
    scopes: list[str]
    """The data that it may ask for."""
    requires_pkce: bool
    """Whether it must use PKCE; a public client always must."""
    asks_consent: bool
    """Whether players are asked before their data is shared the first time."""
    admits_banned: bool
    """Whether banned accounts may sign in, for a site with appeals. It reads `banned`."""
    created_at: Instant
    used_at: Instant | None
    """The last sign-in of the last 60 days."""
    sign_ins: int
    """Sign-ins within the last 24 hours."""


class OpenIdClients(Record, frozen=True):
    issuer: str | None
    """The address that clients are configured with; null if the provider is off."""
    values: list[OpenIdClient]


COLUMNS: LiteralString = """
    id, name, secret_hash IS NULL AS is_public, discourse_sealed IS NOT NULL AS is_discourse,
    redirect_uris, logout_uris, backchannel_uri, scopes, requires_pkce, asks_consent, admits_banned,
    created_at,
    (SELECT max(created_at) FROM openid_sign_ins
      WHERE client_id = openid_clients.id AND code_used_at IS NOT NULL) AS used_at,
    (SELECT count(*) FROM openid_sign_ins
      WHERE client_id = openid_clients.id AND code_used_at IS NOT NULL
        AND created_at > statement_timestamp() - interval '1 day') AS sign_ins
"""


async def list_clients(reader: Reader, settings: Settings) -> OpenIdClients:
    """All clients, oldest first."""
    sql: LiteralString = f"SELECT {COLUMNS} FROM openid_clients ORDER BY created_at, id"
    return OpenIdClients(
        issuer=settings.openid_issuer or None, values=await reader.all(OpenIdClient, sql)
    )


async def find_client(reader: Queryable, client: str) -> OpenIdClient:
    """One client, or raise OpenidClientNotFound."""
    sql: LiteralString = f"SELECT {COLUMNS} FROM openid_clients WHERE id = $1"
    found = await reader.one(OpenIdClient, sql, client.replace("\0", ""))
    if found is None:
        raise OpenidClientNotFound
    return found


class RegisteredClient(Struct, frozen=True, kw_only=True):
    """What a sign-in needs to know of a client."""

    id: str
    name: str
    secret_hash: bytes | None
    discourse_sealed: str | None
    redirect_uris: list[str]
    logout_uris: list[str]
    scopes: list[str]
    requires_pkce: bool
    asks_consent: bool
    admits_banned: bool

    def __repr__(self) -> str:
        return f"RegisteredClient({self.id})"

    def knows(self, secret: str) -> bool:
        """Whether that is its secret."""
        return self.secret_hash is not None and compare_digest(
            self.secret_hash, credentials.digest(secret)
        )


async def registered(reader: Queryable, client: str) -> RegisteredClient | None:
    """A client by its id; None if there is none."""
    return await reader.one(
        RegisteredClient,
        """
        SELECT id, name, secret_hash, discourse_sealed, redirect_uris, logout_uris, scopes,
               requires_pkce, asks_consent, admits_banned
          FROM openid_clients WHERE id = $1
        """,
        client.replace("\0", ""),
    )


def subject_of(user: UUID) -> str:
    """The `sub` of an account: its id, which never changes and is never given to another."""
    return str(user)
