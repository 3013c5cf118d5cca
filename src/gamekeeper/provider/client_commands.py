"""The commands that create and change OpenID clients, and what a client can be."""

import re
from collections.abc import Collection, Sequence

from msgspec import field

from gamekeeper.auth import credentials
from gamekeeper.auth.principal import Principal
from gamekeeper.core import ids
from gamekeeper.core.errors import Forbidden, Invalid, Problem
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.operations import Command
from gamekeeper.egress import targets
from gamekeeper.provider import redirects
from gamekeeper.provider.client_records import SCOPES, OpenIdClient

DEFAULT_SCOPES = ("openid", "profile", "email")

MAX_URIS = 20
NAME = re.compile(r"[^\x00-\x1f\x7f]{1,64}")


class InvalidClientName(Invalid):
    """The name of an OpenID client must have 1 to 64 characters, without control characters."""


class InvalidClientScope(Invalid):
    """The scopes of an OpenID client are profile, email, characters, roles and offline_access."""


class TooManyRedirectUris(Invalid):
    """An OpenID client needs 1 to 20 redirect URIs, and can have 20 for after a sign-out."""


class PublicClient(Invalid):
    """A public client has no secret, needs PKCE, and always asks the player for consent."""


class ClientExceedsCaller(Forbidden):
    """You cannot manage an OpenID client that may ask for data which you cannot read."""

    cacheable = False


NEEDED = {"email": "users.personal", "roles": "staff.read"}
"""The permission that the caller needs to let a client ask for some data."""


def new_secret() -> Hidden:
    return credentials.new_credential("gkox")


class NewClient(Command, frozen=True, kw_only=True):
    id: str = field(default_factory=lambda: ids.new_id().hex)
    name: str
    redirect_uris: tuple[str, ...]
    logout_uris: tuple[str, ...] = ()
    backchannel_uri: str | None = None
    scopes: tuple[str, ...] = DEFAULT_SCOPES
    requires_pkce: bool = True
    asks_consent: bool = True
    admits_banned: bool = False
    secret: Hidden | None = field(default_factory=new_secret)
    """None: a public client."""
    discourse_sealed: str | None = None
    """The same secret, encrypted, of a forum with DiscourseConnect."""
    caller: Principal | None = None
    """None: the operator, at the command line."""


class ClientChange(Command, frozen=True, kw_only=True):
    """A field that is None stays unchanged."""

    client: str
    name: str | None = None
    redirect_uris: tuple[str, ...] | None = None
    logout_uris: tuple[str, ...] | None = None
    backchannel_uri: str | None = None
    """An empty text removes it."""
    scopes: tuple[str, ...] | None = None
    requires_pkce: bool | None = None
    asks_consent: bool | None = None
    admits_banned: bool | None = None
    secret: Hidden | None = None
    """A new secret; the old one is void at once."""
    discourse_sealed: str | None = None
    caller: Principal | None = None


# ── What a client can be ──


def refusal_of(command: NewClient) -> Problem | None:
    """Why a client cannot be created."""
    weakens = not (command.requires_pkce and command.asks_consent)
    if command.secret is None and (weakens or command.discourse_sealed):
        return PublicClient()
    if _exceeds(command.caller, command.scopes):
        return ClientExceedsCaller()
    return _invalid(command.name, command.redirect_uris, command.logout_uris, command.scopes)


def change_refusal(command: ClientChange, before: OpenIdClient) -> Problem | None:
    """Why a client cannot be changed."""
    weakens = command.requires_pkce is False or command.asks_consent is False
    if before.is_public and (weakens or command.secret):
        return PublicClient()
    if _exceeds(command.caller, {*before.scopes, *(command.scopes or ())}):
        return ClientExceedsCaller()
    return _invalid(
        before.name if command.name is None else command.name,
        before.redirect_uris if command.redirect_uris is None else command.redirect_uris,
        before.logout_uris if command.logout_uris is None else command.logout_uris,
        before.scopes if command.scopes is None else command.scopes,
    )


def _exceeds(caller: Principal | None, scopes: Collection[str]) -> bool:
    needed = {NEEDED[scope] for scope in scopes if scope in NEEDED}
    return caller is not None and not all(map(caller.may, needed))


async def check_backchannel(settings: Settings, uri: str | None) -> None:
    """Raise InvalidWebhookUrl or ForbiddenTarget unless sign-outs may be reported there."""
    if uri:
        await targets.check(targets.parse(settings, uri))


def _invalid(
    name: str, redirect_uris: Sequence[str], logout_uris: Sequence[str], scopes: Sequence[str]
) -> Problem | None:
    if not NAME.fullmatch(name) or not name.strip():
        return InvalidClientName()
    if not 1 <= len(redirect_uris) <= MAX_URIS or len(logout_uris) > MAX_URIS:
        return TooManyRedirectUris()
    if not set(scopes) <= set(SCOPES):
        return InvalidClientScope()
    try:
        for uri in (*redirect_uris, *logout_uris):
            redirects.check(uri)
    except redirects.InvalidRedirectUri as refusal:
        return refusal
    return None
