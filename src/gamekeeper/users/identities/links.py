"""
Links between identities and accounts, one to one.

The unique keys of the table decide who is first. An identity is never found, linked or merged by
an email address: only by its issuer and subject (docs/decisions/0076-identities.md).
"""

from collections.abc import Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core import ids, sign_in_sources
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Reader, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions.in_force import banned_accounts
from gamekeeper.users import ranks
from gamekeeper.users.identities import notices, records
from gamekeeper.users.identities.records import (
    COLUMNS,
    AccountIdentities,
    FormerIdentity,
    IdentityNotFound,
    IdentityOfBannedAccount,
    IdentityTaken,
    IssuerAlreadyLinked,
    LastSignInMethod,
    LinkedIdentity,
    OwnIdentities,
)
from gamekeeper.users.lookup import UserNotFound, lock
from gamekeeper.users.ranks import Management

MAX_FORMER = 100
ATTEMPTS = 3
"""An identity may be unlinked between the insert that meets it and the read of its owner."""


class IdentityLink(Command, frozen=True, kw_only=True):
    """An identity that was proven, and the account that gets it."""

    user_id: UUID
    issuer: str
    subject: str
    display_name: str | None = None
    tags: Sequence[bytes] = ()
    """The keyed hashes of `tag_text`, under all keys: an erased account may have had it."""
    manager: Principal | None = None
    """The caller that links it for the account; None: the owner."""

    def __repr__(self) -> str:
        return f"IdentityLink({self.user_id})"


class Unlink(Command, frozen=True, kw_only=True):
    user_id: UUID
    identity_id: UUID
    manager: Principal | None = None
    """The caller that unlinks it for the account; None: the owner."""


async def list_own(reader: Reader, user: UUID) -> OwnIdentities:
    """The identities of an account, in the order in which they were linked."""
    return OwnIdentities(values=await _linked(reader, user))


async def list_all(reader: Reader, user: UUID) -> AccountIdentities:
    """The identities of an account, and those that it had."""
    former = await reader.all(
        FormerIdentity,
        """
        SELECT issuer, subject, display_name, linked_at, unlinked_at
          FROM former_identities WHERE user_id = $1 ORDER BY unlinked_at DESC, id LIMIT $2
        """,
        user,
        MAX_FORMER,
    )
    return AccountIdentities(values=await _linked(reader, user), former=former)


async def _linked(reader: Reader, user: UUID) -> list[LinkedIdentity]:
    sql: LiteralString = f"SELECT {COLUMNS} FROM identities WHERE user_id = $1 ORDER BY linked_at"
    return await reader.all(LinkedIdentity, f"{sql}, id", user)


@operation
async def link(writer: Writer, commands: Sequence[IdentityLink]) -> list[LinkedIdentity | Problem]:
    """Link identities with accounts; one that the account has already stays as it is."""
    there = await lock(writer, [command.user_id for command in commands])
    outranked = await ranks.refusals(
        writer,
        [Management(command.manager, command.user_id, takes_over=True) for command in commands],
    )
    return [
        above or (await _link(writer, command) if command.user_id in there else UserNotFound())
        for command, above in zip(commands, outranked, strict=True)
    ]


async def _link(writer: Writer, command: IdentityLink) -> LinkedIdentity | Problem:
    if await _is_of_banned(writer, command):
        return IdentityOfBannedAccount()
    for _ in range(ATTEMPTS):
        if made := await _insert(writer, command):
            await actions.record(writer, [_action(command.by, command.user_id, made)])
            await notices.queue(writer, [(command.user_id, made.issuer)], is_linked=True)
            return made
        rows = await writer.rows(
            f"""
            SELECT user_id, {COLUMNS} FROM identities
             WHERE (issuer, subject) = ($1, $2) OR (user_id, issuer) = ($3, $1)
            """,
            command.issuer,
            command.subject,
            command.user_id,
        )
        for row in rows:
            known = dict(row)
            if known["subject"] != command.subject:
                return IssuerAlreadyLinked(None, issuer=command.issuer)
            if known.pop("user_id") == command.user_id:
                return LinkedIdentity(**known)
        if rows:
            return IdentityTaken(None, issuer=command.issuer)
    return IdentityTaken(None, issuer=command.issuer)


def _action(by: AuditContext, user: UUID, identity: LinkedIdentity) -> Action:
    # Without the subject and the name: an erasure cannot take them out of the log.
    return Action(kind="identities.link", by=by, user_id=user, after=_about(identity))


def _about(identity: LinkedIdentity | Mapping[str, object]) -> dict[str, object]:
    if isinstance(identity, LinkedIdentity):
        return {"identity": identity.id, "issuer": identity.issuer}
    return {"identity": identity["id"], "issuer": identity["issuer"]}


async def _insert(writer: Writer, command: IdentityLink) -> LinkedIdentity | None:
    rows = await writer.rows(
        f"""
        INSERT INTO identities (id, user_id, issuer, subject, display_name)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING
        RETURNING {COLUMNS}
        """,
        ids.new_id(),
        command.user_id,
        command.issuer,
        command.subject,
        records.shown_name(command.display_name),
    )
    return LinkedIdentity(**rows[0]) if rows else None


async def _is_of_banned(writer: Writer, command: IdentityLink) -> bool:
    """Whether another account that had the identity is banned, also if it was erased."""
    rows = await writer.rows(
        """
        SELECT user_id FROM former_identities WHERE issuer = $1 AND subject = $2
        UNION SELECT user_id FROM erased_identities WHERE tag = ANY($3)
        """,
        command.issuer,
        command.subject,
        list(command.tags),
    )
    others = [row["user_id"] for row in rows if row["user_id"] != command.user_id]
    return bool(others and await banned_accounts(writer, others))


@operation
async def unlink(writer: Writer, commands: Sequence[Unlink]) -> list[LinkedIdentity | Problem]:
    """Unlink identities, keep a record of them, and end the sign-ins that they began."""
    await lock(writer, [command.user_id for command in commands])
    outranked = await ranks.refusals(
        writer, [Management(command.manager, command.user_id) for command in commands]
    )
    return [
        above or await _unlink(writer, command)
        for command, above in zip(commands, outranked, strict=True)
    ]


async def _unlink(writer: Writer, command: Unlink) -> LinkedIdentity | Problem:
    user = command.user_id
    rows = await writer.rows(
        f"SELECT {COLUMNS} FROM identities WHERE user_id = $1 AND id = $2",
        user,
        command.identity_id,
    )
    if not rows:
        return IdentityNotFound()
    if not await _has_another_way_in(writer, command):
        return LastSignInMethod()
    await remove(writer, [command.identity_id])
    gone = LinkedIdentity(**rows[0])
    action = Action(kind="identities.unlink", by=command.by, user_id=user, before=_about(gone))
    await actions.record(writer, [action])
    await notices.queue(writer, [(user, gone.issuer)], is_linked=False)
    return gone


async def _has_another_way_in(writer: Writer, command: Unlink) -> bool:
    """Whether the account has a password, or another identity of a source that is configured."""
    if await writer.value(
        "SELECT EXISTS (SELECT FROM passwords WHERE user_id = $1)", command.user_id
    ):
        return True
    rows = await writer.rows(
        "SELECT issuer FROM identities WHERE user_id = $1 AND id <> $2",
        command.user_id,
        command.identity_id,
    )
    configured = sign_in_sources.parse(writer.settings.sign_in_sources)
    return any(sign_in_sources.has_issuer(configured, row["issuer"]) for row in rows)


async def remove_unproven(writer: Writer, by: Mapping[UUID, AuditContext]) -> None:
    """
    Unlink all identities of accounts whose password was just reset by mail for the first time.

    An attacker could have registered with the address of another person, linked an identity, and
    waited for that person to reset the password (a trojan identifier).
    """
    rows = await writer.rows(
        "SELECT id, issuer, user_id FROM identities WHERE user_id = ANY($1) ORDER BY id", list(by)
    )
    await remove(writer, [row["id"] for row in rows])
    await actions.record(
        writer,
        [
            Action(
                kind="identities.unlink",
                by=by[row["user_id"]],
                user_id=row["user_id"],
                before=_about(dict(row)),
            )
            for row in rows
        ],
    )
    await notices.queue(writer, [(row["user_id"], row["issuer"]) for row in rows], is_linked=False)


async def remove(writer: Writer, identities: Sequence[UUID]) -> None:
    """Delete links, keep a record of each, and end the sign-ins that began with them."""
    if not identities:
        return
    await writer.run(
        """
        WITH gone AS (
            DELETE FROM identities WHERE id = ANY($1)
            RETURNING id, user_id, issuer, subject, display_name, linked_at
        ), ended AS (
            UPDATE token_families SET revoked_at = now()
              FROM gone
             WHERE token_families.user_id = gone.user_id AND identity_id = gone.id
               AND revoked_at IS NULL AND expires_at > statement_timestamp()
        )
        INSERT INTO former_identities
               (id, user_id, issuer, subject, display_name, linked_at, unlinked_at)
        SELECT id, user_id, issuer, subject, display_name, linked_at, now() FROM gone
        -- One row however often it is linked and unlinked.
        ON CONFLICT (user_id, issuer, subject) DO UPDATE
           SET display_name = excluded.display_name, linked_at = excluded.linked_at,
               unlinked_at = excluded.unlinked_at
        """,
        list(identities),
    )
