"""
OpenID clients: the websites and programs at which players sign in with their account.

Each is registered by staff. A confidential client has a secret, shown once and stored as a hash;
a public one, such as a launcher, has none and must use PKCE.
"""

from collections.abc import Sequence
from typing import Any, LiteralString

from gamekeeper.auth import credentials
from gamekeeper.auth.openid_sessions import end_some
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.provider import client_records
from gamekeeper.provider.client_commands import (
    ClientChange,
    NewClient,
    change_refusal,
    refusal_of,
)
from gamekeeper.provider.client_records import SCOPES, OpenIdClient, OpenidClientNotFound

MAX_CLIENTS = 1000
LOCK = 0x6F696463  # Of the keys too: both change rarely.


class TooManyOpenidClients(Conflict):
    """There are already 1000 OpenID clients. Delete one first."""


class ClientRemoval(Command, frozen=True, kw_only=True):
    client: str


class SignInsEnd(Command, frozen=True, kw_only=True):
    """End all sign-ins at a client."""

    client: str


@operation
async def create(writer: Writer, commands: Sequence[NewClient]) -> list[OpenIdClient | Problem]:
    """Register clients."""
    # One at a time, so that the number of clients is exact.
    await writer.rows("SELECT pg_advisory_xact_lock($1)", LOCK)
    free = MAX_CLIENTS - await writer.value("SELECT count(*) FROM openid_clients")
    outcomes: list[OpenIdClient | Problem] = []
    for command in commands:
        refusal = refusal_of(command) or (TooManyOpenidClients() if free <= 0 else None)
        outcomes.append(refusal or await _created(writer, command))
        free -= refusal is None
    return outcomes


async def _created(writer: Writer, command: NewClient) -> OpenIdClient:
    await writer.run(
        """
        INSERT INTO openid_clients (id, name, secret_hash, redirect_uris, logout_uris,
                                    backchannel_uri, scopes, requires_pkce, asks_consent,
                                    admits_banned, discourse_sealed)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """,
        command.id,
        command.name,
        credentials.digest(command.secret) if command.secret else None,
        command.redirect_uris,
        command.logout_uris,
        command.backchannel_uri,
        _scopes(command.scopes),
        command.requires_pkce,
        command.asks_consent,
        command.admits_banned,
        command.discourse_sealed,
    )
    made = await client_records.find_client(writer, command.id)
    await _record(writer, "openid.create", command, None, _described(made))
    return made


@operation
async def change(writer: Writer, commands: Sequence[ClientChange]) -> list[OpenIdClient | Problem]:
    """Change clients, or rotate their secrets."""
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: ClientChange) -> OpenIdClient | Problem:
    before = await _locked(writer, command.client)
    if before is None:
        return OpenidClientNotFound()
    if refusal := change_refusal(command, before):
        return refusal
    await writer.run(
        """
        UPDATE openid_clients
           SET name = coalesce($2, name), redirect_uris = coalesce($3, redirect_uris),
               logout_uris = coalesce($4, logout_uris),
               backchannel_uri = CASE WHEN $5::text IS NULL THEN backchannel_uri
                                      ELSE nullif($5, '') END,
               scopes = coalesce($6, scopes), requires_pkce = coalesce($7, requires_pkce),
               asks_consent = coalesce($8, asks_consent),
               admits_banned = coalesce($9, admits_banned),
               secret_hash = coalesce($10, secret_hash),
               discourse_sealed = coalesce($11, discourse_sealed)
         WHERE id = $1
        """,
        command.client,
        command.name,
        command.redirect_uris,
        command.logout_uris,
        command.backchannel_uri,
        None if command.scopes is None else _scopes(command.scopes),
        command.requires_pkce,
        command.asks_consent,
        command.admits_banned,
        credentials.digest(command.secret) if command.secret else None,
        command.discourse_sealed,
    )
    after = await client_records.find_client(writer, command.client)
    if command.secret or _described(before) != _described(after):
        secret = {"secret": "renewed"} if command.secret else {}
        await _record(
            writer, "openid.change", command, _described(before), _described(after) | secret
        )
    return after


async def remove(database: Database, command: ClientRemoval) -> OpenIdClient:
    """Delete a client, with the sign-ins at it and what players agreed to share with it."""
    await client_records.find_client(database.reader, command.client)
    for statement in OWNED:
        while await database.write(
            lambda writer, statement=statement: writer.run(statement, command.client, DELETE_BATCH)
        ):
            pass
    return await _remove.one(database, command)


DELETE_BATCH = 2000

# In short transactions, before the client: to delete all with it could take minutes.
OWNED: tuple[LiteralString, ...] = (
    """
    DELETE FROM openid_tokens
     WHERE hash IN (SELECT hash
                      FROM openid_tokens JOIN openid_sign_ins ON openid_sign_ins.id = sign_in_id
                     WHERE client_id = $1 LIMIT $2)
    """,
    """
    DELETE FROM openid_sign_ins
     WHERE id IN (SELECT id FROM openid_sign_ins WHERE client_id = $1 LIMIT $2)
    """,
    """
    DELETE FROM openid_consents
     WHERE client_id = $1
       AND user_id IN (SELECT user_id FROM openid_consents WHERE client_id = $1 LIMIT $2)
    """,
)


@operation
async def _remove(
    writer: Writer, commands: Sequence[ClientRemoval]
) -> list[OpenIdClient | Problem]:
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: ClientRemoval) -> OpenIdClient | Problem:
    gone = await _locked(writer, command.client)
    if gone is None:
        return OpenidClientNotFound()
    await writer.run("DELETE FROM openid_clients WHERE id = $1", command.client)
    await _record(writer, "openid.remove", command, _described(gone), None)
    return gone


async def end_sign_ins(database: Database, command: SignInsEnd) -> OpenIdClient:
    """End all sign-ins at a client; it is informed, as after a ban."""
    client = await _begin_end.one(database, command)
    began_before = await database.write(lambda writer: writer.value("SELECT statement_timestamp()"))
    while await database.write(lambda writer: end_some(writer, client.id, began_before)):
        pass
    return client


@operation
async def _begin_end(
    writer: Writer, commands: Sequence[SignInsEnd]
) -> list[OpenIdClient | Problem]:
    """Write to the audit log that all sign-ins end, before the first of them does."""
    return [await _end_begun(writer, command) for command in commands]


async def _end_begun(writer: Writer, command: SignInsEnd) -> OpenIdClient | Problem:
    client = await _locked(writer, command.client)
    if client is None:
        return OpenidClientNotFound()
    about = {"id": client.id, "name": client.name, "sign_ins": "ended"}
    await _record(writer, "openid.change", command, None, about)
    return client


async def _locked(writer: Writer, client: str) -> OpenIdClient | None:
    await writer.rows("SELECT FROM openid_clients WHERE id = $1 FOR UPDATE", client)
    sql: LiteralString = f"SELECT {client_records.COLUMNS} FROM openid_clients WHERE id = $1"
    return await writer.one(OpenIdClient, sql, client)


def _scopes(wanted: Sequence[str]) -> list[str]:
    """In one order, and with `openid`, without which there is no sign-in."""
    return [scope for scope in SCOPES if scope == "openid" or scope in wanted]


def _described(client: OpenIdClient) -> dict[str, Any]:
    """The client in the audit log."""
    return {
        "id": client.id,
        "name": client.name,
        "is_public": client.is_public,
        "is_discourse": client.is_discourse,
        "redirect_uris": client.redirect_uris,
        "logout_uris": client.logout_uris,
        "backchannel_uri": client.backchannel_uri,
        "scopes": client.scopes,
        "requires_pkce": client.requires_pkce,
        "asks_consent": client.asks_consent,
        "admits_banned": client.admits_banned,
    }


async def _record(
    writer: Writer, kind: actions.Kind, command: Command, before: Any, after: Any
) -> None:
    await actions.record(writer, [Action(kind=kind, by=command.by, before=before, after=after)])
