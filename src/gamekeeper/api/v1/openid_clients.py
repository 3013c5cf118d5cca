"""Endpoints of OpenID clients: the websites and programs at which players sign in."""

from typing import Annotated

from msgspec import Meta, structs

from gamekeeper.api.path_parameters import OpenIdClientId
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import ids
from gamekeeper.core.schemas import Body
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.egress.targets import ForbiddenTarget, InvalidWebhookUrl
from gamekeeper.http.routing import Routes
from gamekeeper.provider import client_commands, client_records, clients, discourse
from gamekeeper.provider.client_commands import (
    MAX_URIS,
    ClientExceedsCaller,
    InvalidClientName,
    InvalidClientScope,
    PublicClient,
    TooManyRedirectUris,
)
from gamekeeper.provider.client_records import OpenIdClient, OpenidClientNotFound, OpenIdClients
from gamekeeper.provider.clients import TooManyOpenidClients
from gamekeeper.provider.redirects import InvalidRedirectUri

routes = Routes("/api/v1/openid-clients", roles=["keys.manage"])

INVALID = (
    *(InvalidClientName, InvalidClientScope, InvalidRedirectUri, TooManyRedirectUris),
    *(InvalidWebhookUrl, ForbiddenTarget, PublicClient, ClientExceedsCaller),
)

Uris = Annotated[list[str], Meta(max_length=MAX_URIS)]
Scopes = Annotated[list[str], Meta(max_length=len(client_records.SCOPES))]


class CreatedOpenIdClient(OpenIdClient, frozen=True):
    """An OpenID client, with its new secret for the first and only time."""

    secret: str | None
    """
    The `client_secret`, shown only once. Null for a public client, and if the request was already
    executed under its `Idempotency-Key`; then renew the secret.
    """


class CreateOpenIdClient(Body, frozen=True):
    name: str
    """The name that players read, 1 to 64 characters."""
    redirect_uris: Uris
    """
    Where browsers are sent after a sign-in, compared as exact strings; 1 to 20. A launcher has
    `http://127.0.0.1/…`, with any port.
    """
    logout_uris: Uris | None = None
    """Where browsers may be sent after a sign-out; at most 20."""
    backchannel_uri: str | None = None
    """Where sign-outs are reported (back-channel logout); the same rules as for webhooks."""
    scopes: Scopes | None = None
    """
    The data that it may ask for: `profile`, `email`, `characters`, `roles`, `offline_access`; by
    default `profile` and `email`. `email` needs `users.personal`, `roles` needs `staff.read`.
    """
    public: bool = False
    """Whether it can keep no secret, as a launcher; then it needs PKCE and asks for consent."""
    requires_pkce: bool = True
    """Whether sign-ins need PKCE."""
    asks_consent: bool = True
    """Whether players are asked before their data is shared the first time."""
    admits_banned: bool = False
    """Whether banned accounts may sign in, for a site with appeals."""
    discourse: bool = False
    """Whether it is a forum with DiscourseConnect."""


class ChangeOpenIdClient(Body, frozen=True):
    name: str | None = None
    """The new name."""
    redirect_uris: Uris | None = None
    """The new redirect URIs; they replace all of the old ones."""
    logout_uris: Uris | None = None
    """The new addresses for after a sign-out; they replace all of the old ones."""
    backchannel_uri: str | None = None
    """Where sign-outs are reported; an empty text removes it."""
    scopes: Scopes | None = None
    """The new scopes. Sign-ins keep those that they have."""
    requires_pkce: bool | None = None
    """Whether sign-ins need PKCE."""
    asks_consent: bool | None = None
    """Whether players are asked before their data is shared the first time."""
    admits_banned: bool | None = None
    """Whether banned accounts may sign in."""


@routes.get("")
async def list_openid_clients(reader: Reader, settings: Settings) -> OpenIdClients:
    """All OpenID clients, oldest first, with their use and without their secrets; at most 1000."""
    return await client_records.list_clients(reader, settings)


@routes.get("/{client_id}", raises=(OpenidClientNotFound,))
async def get_openid_client(reader: Reader, client_id: OpenIdClientId) -> OpenIdClient:
    """One OpenID client, by its id."""
    return await client_records.find_client(reader, client_id)


@routes.post("", raises=(*INVALID, TooManyOpenidClients), step_up=True)
async def create_openid_client(
    database: Database,
    vault: Vault,
    settings: Settings,
    caller: Principal,
    by: AuditContext,
    body: CreateOpenIdClient,
) -> CreatedOpenIdClient:
    """Register a website or program at which players sign in; its secret is only shown here."""
    if body.public and body.discourse:
        raise PublicClient
    await client_commands.check_backchannel(settings, body.backchannel_uri)
    id_, secret = ids.new_id().hex, client_commands.new_secret()
    order = client_commands.NewClient(
        by=by,
        caller=caller,
        id=id_,
        name=body.name,
        redirect_uris=tuple(body.redirect_uris),
        logout_uris=tuple(body.logout_uris or ()),
        backchannel_uri=body.backchannel_uri or None,
        scopes=client_commands.DEFAULT_SCOPES if body.scopes is None else tuple(body.scopes),
        requires_pkce=body.requires_pkce,
        asks_consent=body.asks_consent,
        admits_banned=body.admits_banned,
        secret=None if body.public else secret,
        discourse_sealed=discourse.seal(vault, id_, secret) if body.discourse else None,
    )
    # The reply is stored under its idempotency key without the secret: never in plaintext.
    made = await clients.create.one(database, order, _without_secret)
    return _with_secret(made, order.secret)


@routes.patch("/{client_id}", raises=(OpenidClientNotFound, *INVALID), step_up=True)
async def change_openid_client(
    database: Database,
    settings: Settings,
    caller: Principal,
    by: AuditContext,
    client_id: OpenIdClientId,
    body: ChangeOpenIdClient,
) -> OpenIdClient:
    """Change an OpenID client; omitted fields do not change."""
    await client_commands.check_backchannel(settings, body.backchannel_uri)
    order = client_commands.ClientChange(
        by=by,
        caller=caller,
        client=client_id,
        name=body.name,
        redirect_uris=_tuple(body.redirect_uris),
        logout_uris=_tuple(body.logout_uris),
        backchannel_uri=body.backchannel_uri,
        scopes=_tuple(body.scopes),
        requires_pkce=body.requires_pkce,
        asks_consent=body.asks_consent,
        admits_banned=body.admits_banned,
    )
    return await clients.change.one(database, order)


@routes.post(
    "/{client_id}/secret",
    raises=(OpenidClientNotFound, PublicClient, ClientExceedsCaller),
    step_up=True,
)
async def renew_openid_client_secret(
    database: Database,
    vault: Vault,
    caller: Principal,
    by: AuditContext,
    client_id: OpenIdClientId,
) -> CreatedOpenIdClient:
    """Replace the secret of an OpenID client; the old one is void at once."""
    secret = client_commands.new_secret()
    client = await client_records.find_client(database.reader, client_id)
    sealed = discourse.seal(vault, client.id, secret) if client.is_discourse else None
    order = client_commands.ClientChange(
        by=by, caller=caller, client=client_id, secret=secret, discourse_sealed=sealed
    )
    renewed = await clients.change.one(database, order, _without_secret)
    return _with_secret(renewed, secret)


# A repetition ends what is left, so a stored reply would hide sign-ins that a kill spared.
@routes.post("/{client_id}/sign-out", raises=(OpenidClientNotFound,), takes_key=False)
async def end_openid_sign_ins(
    database: Database, by: AuditContext, client_id: OpenIdClientId
) -> OpenIdClient:
    """End all sign-ins at an OpenID client, and notify it if it has an address for that."""
    order = clients.SignInsEnd(by=structs.replace(by, key=None), client=client_id)
    return await clients.end_sign_ins(database, order)


@routes.delete("/{client_id}", raises=(OpenidClientNotFound,), step_up=True)
async def remove_openid_client(
    database: Database, by: AuditContext, client_id: OpenIdClientId
) -> OpenIdClient:
    """Delete an OpenID client, and end all sign-ins there."""
    return await clients.remove(database, clients.ClientRemoval(by=by, client=client_id))


def _without_secret(client: OpenIdClient) -> CreatedOpenIdClient:
    return CreatedOpenIdClient(**structs.asdict(client), secret=None)


def _with_secret(client: CreatedOpenIdClient, secret: Hidden | None) -> CreatedOpenIdClient:
    return structs.replace(client, secret=str(secret) if secret else None)


def _tuple(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)
