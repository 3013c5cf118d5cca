"""OpenID client commands: list, create, change and delete the websites that players sign in at."""

from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import structs

from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database

if TYPE_CHECKING:
    from gamekeeper.provider.client_records import OpenIdClient

ClientId = Annotated[str, typer.Argument(metavar="ID", help="The client's id (client_id).")]
ClientName = Annotated[
    str, typer.Argument(metavar="NAME", help="The name that players read, such as: Forum.")
]
RedirectUris = Annotated[
    list[str],
    typer.Option(
        "--redirect-uri",
        metavar="URI",
        help="Where the client gets the answer; exact, repeatable. A launcher has "
        "http://127.0.0.1/PATH, with any port.",
    ),
]
LogoutUris = Annotated[
    list[str] | None,
    typer.Option(
        "--logout-uri", metavar="URI", help="Where browsers may go after a sign-out; repeatable."
    ),
]
Backchannel = Annotated[
    str | None,
    typer.Option(
        "--backchannel", metavar="URL", help="Where sign-outs are reported (back-channel logout)."
    ),
]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="Data that the client may ask for; repeatable: profile, email, characters, roles, "
        "offline_access. Default: profile and email.",
    ),
]
Public = Annotated[
    bool, typer.Option("--public", help="A launcher or other program that can keep no secret.")
]
WithoutPkce = Annotated[
    bool,
    typer.Option("--without-pkce", help="Allow sign-ins without PKCE, for software that has none."),
]
Trusted = Annotated[
    bool,
    typer.Option("--trusted", help="Your own website: players are not asked for consent."),
]
Discourse = Annotated[
    bool,
    typer.Option(
        "--discourse",
        help="A forum with DiscourseConnect; its redirect URI ends in /session/sso_login.",
    ),
]
AdmitsBanned = Annotated[
    bool,
    typer.Option("--admits-banned", help="Let banned accounts sign in, for a site of appeals."),
]

NewName = Annotated[str | None, typer.Option("--name", help="The name that players read.")]
NewRedirectUris = Annotated[
    list[str] | None,
    typer.Option("--redirect-uri", metavar="URI", help="Where the client gets the answer."),
]
NewBackchannel = Annotated[
    str | None,
    typer.Option(
        "--backchannel", metavar="URL", help="Where sign-outs are reported; '' removes it."
    ),
]
NewScopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="SCOPE", help="Data that the client may ask for."),
]
RequiresPkce = Annotated[
    bool | None, typer.Option("--pkce/--without-pkce", help="Whether sign-ins need PKCE.")
]
AsksConsent = Annotated[
    bool | None,
    typer.Option("--asks-consent/--trusted", help="Whether players are asked for consent."),
]
NewAdmitsBanned = Annotated[
    bool | None,
    typer.Option("--admits-banned/--refuses-banned", help="Whether banned accounts sign in."),
]


@command
async def list_(database: Database) -> Output:
    """Show all OpenID clients and when they were used."""
    from gamekeeper.provider import client_records

    found = await client_records.list_clients(database.reader, database.settings)
    rows = [
        [
            client.name,
            "public" if client.is_public else "confidential",
            " ".join(client.scopes),
            f"{client.used_at:%Y-%m-%d %H:%M}" if client.used_at else "never",
            str(client.sign_ins),
            client.id,
        ]
        for client in found.values
    ]
    columns = ["name", "kind", "scopes", "last used", "sign-ins today", "id"]
    return Output(found, TextTable(columns, rows))


@change("keys.manage")
async def create(
    database: Database,
    settings: Settings,
    name: ClientName,
    *,
    redirect_uri: RedirectUris,
    logout_uri: LogoutUris = None,
    backchannel: Backchannel = None,
    scope: Scopes = None,
    public: Public = False,
    without_pkce: WithoutPkce = False,
    trusted: Trusted = False,
    admits_banned: AdmitsBanned = False,
    discourse: Discourse = False,
    by: By,
) -> Output:
    """
    Register a website or program at which players sign in; prints its id and secret.

    The secret is shown only once; Gamekeeper stores a hash.
    """
    from gamekeeper.provider import client_commands, clients

    if not settings.openid_issuer:
        raise Invalid("Set GAMEKEEPER_OPENID_ISSUER first: without it there is no provider.")
    await client_commands.check_backchannel(settings, backchannel)
    secret = None if public else client_commands.new_secret()
    order = client_commands.NewClient(
        by=by,
        name=name,
        redirect_uris=tuple(redirect_uri),
        logout_uris=tuple(logout_uri or ()),
        backchannel_uri=backchannel,
        scopes=tuple(scope) if scope else client_commands.DEFAULT_SCOPES,
        requires_pkce=not without_pkce,
        asks_consent=not trusted,
        admits_banned=admits_banned,
        secret=secret,
    )
    if discourse:
        order = structs.replace(order, discourse_sealed=_sealed(settings, order.id, secret))
    made = await clients.create.one(database, order)
    facts = _facts(settings, made) | ({"client_secret": str(secret)} if secret else {})
    return Output(facts, facts)


def _facts(settings: Settings, made: "OpenIdClient") -> dict[str, str]:
    """What the operator enters at the client."""
    facts = {"issuer": settings.openid_issuer, "client_id": made.id}
    if made.is_discourse:
        url = f"{settings.openid_issuer}/openid/authorize?client_id={made.id}"
        facts |= {"discourse_connect_url": url}
    return facts


@change("keys.manage")
async def change_(
    database: Database,
    settings: Settings,
    id_: ClientId,
    *,
    name: NewName = None,
    redirect_uri: NewRedirectUris = None,
    logout_uri: LogoutUris = None,
    backchannel: NewBackchannel = None,
    scope: NewScopes = None,
    pkce: RequiresPkce = None,
    consent: AsksConsent = None,
    banned: NewAdmitsBanned = None,
    by: By,
) -> Output:
    """
    Change an OpenID client. Options that are not given change nothing.

    A list of URIs or scopes replaces the list before. Sign-ins keep their scopes.
    """
    from gamekeeper.provider import client_commands, clients

    await client_commands.check_backchannel(settings, backchannel)
    order = client_commands.ClientChange(
        by=by,
        client=id_,
        name=name,
        redirect_uris=tuple(redirect_uri) if redirect_uri else None,
        logout_uris=tuple(logout_uri) if logout_uri else None,
        backchannel_uri=backchannel,
        scopes=tuple(scope) if scope else None,
        requires_pkce=pkce,
        asks_consent=consent,
        admits_banned=banned,
    )
    changed = await clients.change.one(database, order)
    return Output(changed, f"Changed {changed.name}, {changed.id}.")


@change("keys.manage")
async def rotate(database: Database, settings: Settings, id_: ClientId, *, by: By) -> Output:
    """Replace the secret of an OpenID client; the old one is void at once."""
    from gamekeeper.provider import client_commands, client_records, clients

    secret = client_commands.new_secret()
    client = await client_records.find_client(database.reader, id_)
    sealed = _sealed(settings, client.id, secret) if client.is_discourse else None
    order = client_commands.ClientChange(by=by, client=id_, secret=secret, discourse_sealed=sealed)
    made = await clients.change.one(database, order)
    facts = {"client_id": made.id, "client_secret": str(secret)}
    return Output(facts, facts)


@change("keys.manage")
async def sign_out(database: Database, id_: ClientId, *, by: By) -> Output:
    """End all sign-ins at an OpenID client, and notify it if it has a URL for that."""
    from gamekeeper.provider import clients

    client = await clients.end_sign_ins(database, clients.SignInsEnd(by=by, client=id_))
    return Output(client, f"All players are signed out of {client.name}.")


@change("keys.manage")
async def delete(database: Database, id_: ClientId, *, by: By) -> Output:
    """Delete an OpenID client, and end all sign-ins there."""
    from gamekeeper.provider import clients

    gone = await clients.remove(database, clients.ClientRemoval(by=by, client=id_))
    return Output(gone, f"Deleted {gone.name}, {gone.id}.")


def _sealed(settings: Settings, client: str, secret: Hidden | None) -> str:
    """The encrypted secret of a forum."""
    if secret is None:
        raise Invalid("A forum needs a secret: leave out --public.")
    from gamekeeper.auth.secrets import Vault
    from gamekeeper.provider import discourse

    return discourse.seal(Vault(settings), client, secret)
