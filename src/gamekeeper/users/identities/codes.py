"""
Link codes: one-time codes that link an identity with an account, in ten minutes.

A code stands for an account, and is used for an identity: a player asks for it in the
game and types it at a Discord bot. Or it stands for an identity, and is used for an account: a
bot hands it out, and the player types it in the game. Only keyed hashes of codes are stored.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID, uuid5

from msgspec import Struct, structs

from gamekeeper.auth import login_throttle
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import typed_codes
from gamekeeper.core.errors import NotFound, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.core.typed_codes import BITS
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import passwords, ranks
from gamekeeper.users.identities import links, records
from gamekeeper.users.identities.links import IdentityLink
from gamekeeper.users.identities.records import LinkedIdentity
from gamekeeper.users.lookup import UserNotFound, lock
from gamekeeper.users.passwords import Account, WrongPassword
from gamekeeper.users.ranks import Management

LENGTH = 10
"""Symbols: 50 bits, of which few are valid at a time."""
MINUTES = 10
MAX_TYPED_LENGTH = 40
SUBJECTS = UUID("7d0a4a3e-6a53-4a0e-9f0e-2b8b9f1f6c11")
"""The namespace in which the budget of an identity is named."""


class UnknownLinkCode(NotFound):
    """The code is wrong, used or expired. Ask for a new code."""

    cacheable = False


class LinkCode(Record, frozen=True):
    code: str
    """The code, shown only once; it can be typed in any letter case, with or without hyphens."""
    expires_at: Instant


class CodeOwner(Struct, frozen=True, kw_only=True):
    """What a code stands for: an account or an identity."""

    user_id: UUID | None = None
    issuer: str | None = None
    subject: str | None = None
    display_name: str | None = None
    tags: Sequence[bytes] | None = None
    """The keyed hashes of the identity; None for an account."""

    def with_tags(self, vault: Vault) -> "CodeOwner":
        if self.issuer is None or self.subject is None:
            return self
        return structs.replace(self, tags=records.tags(vault, self.issuer, self.subject))


class NewCode(Command, frozen=True, kw_only=True):
    owner: CodeOwner
    hash: bytes
    proven: Account | None = None
    """The account whose password was verified; None: the caller is another."""
    manager: Principal | None = None
    """The caller that asks for an account; None: its owner, or a bot for an identity."""

    def __repr__(self) -> str:
        return f"NewCode({self.owner.user_id})"


class CodeUse(Command, frozen=True, kw_only=True):
    """A typed code, and the account or the identity that it is used for."""

    hashes: tuple[bytes, ...]
    used_for: CodeOwner
    proven: Account | None = None
    """The account whose password was verified; None: the caller is another."""
    manager: Principal | None = None
    """The caller that uses it for an account; None: the owner, or a bot for an identity."""

    def __repr__(self) -> str:
        return f"CodeUse({self.used_for.user_id})"


async def create(
    database: Database,
    vault: Vault,
    by: AuditContext,
    owner: CodeOwner,
    *,
    proven: Account | None = None,
    manager: Principal | None = None,
) -> LinkCode:
    """A new code; it replaces the previous one of the same account or identity."""
    subjects = sorted([f"identity_code:{_about(owner)}", f"identity_codes:{by.actor}"])
    await database.write(lambda writer: login_throttle.charge_all(writer, subjects))
    symbols = typed_codes.spell(secrets.randbits(BITS * LENGTH), LENGTH)
    new = NewCode(
        by=by,
        owner=owner.with_tags(vault),
        hash=_hashes(vault, symbols)[0],
        proven=proven,
        manager=manager,
    )
    expires_at = await issue.one(database, new)
    return LinkCode(code=typed_codes.hyphenated(symbols), expires_at=expires_at)


@operation
async def issue(writer: Writer, commands: Sequence[NewCode]) -> list[datetime | Problem]:
    """Store codes instead of the previous ones."""
    users = [command.owner.user_id for command in commands if command.owner.user_id]
    there = await lock(writer, users)
    outranked = await ranks.refusals(
        writer,
        [Management(each.manager, each.owner.user_id, takes_over=True) for each in commands],
    )
    return [
        above or await _issue(writer, command, there)
        for command, above in zip(commands, outranked, strict=True)
    ]


async def _issue(writer: Writer, command: NewCode, there: set[UUID]) -> datetime | Problem:
    owner = command.owner
    if owner.user_id is not None and owner.user_id not in there:
        return UserNotFound()
    if not await _is_proven(writer, command):
        return WrongPassword()
    expires_at: datetime = await writer.value(
        REPLACE_OF_ACCOUNT if owner.user_id else REPLACE_OF_IDENTITY,
        command.hash,
        owner.user_id,
        owner.issuer,
        owner.subject,
        records.shown_name(owner.display_name),
        MINUTES,
        owner.tags,
    )
    after = {"issuer": owner.issuer} if owner.issuer else None
    action = Action(kind="identities.code", by=command.by, user_id=owner.user_id, after=after)
    await actions.record(writer, [action])
    return expires_at


STORED: LiteralString = """
    INSERT INTO link_codes (hash, user_id, issuer, subject, display_name, expires_at, tags)
    VALUES ($1, $2, $3, $4, $5, now() + make_interval(mins => $6), $7)
"""
REPLACED: LiteralString = """
    DO UPDATE SET hash = excluded.hash, display_name = excluded.display_name,
                  expires_at = excluded.expires_at, tags = excluded.tags
    RETURNING expires_at
"""
REPLACE_OF_ACCOUNT: LiteralString = f"{STORED} ON CONFLICT (user_id) {REPLACED}"
REPLACE_OF_IDENTITY: LiteralString = f"{STORED} ON CONFLICT (issuer, subject) {REPLACED}"


async def use(
    database: Database, vault: Vault, typed: str, source: str, use: CodeUse
) -> LinkedIdentity:
    """Link by a code that was typed; a wrong one is charged to its user and to the `source`."""
    subjects = sorted([f"identity_account:{_about(use.used_for)}", source])
    await database.write(lambda writer: login_throttle.charge_all(writer, subjects))
    symbols = typed_codes.read(typed, MAX_TYPED_LENGTH)
    command = structs.replace(
        use, hashes=_hashes(vault, symbols), used_for=use.used_for.with_tags(vault)
    )
    try:
        return await redeem.one(database, command)
    except UnknownLinkCode:
        subjects = []
        raise
    finally:
        await database.write(lambda writer: _refund(writer, subjects))


async def _refund(writer: Writer, subjects: Sequence[str]) -> None:
    for subject in subjects:
        await login_throttle.refund(writer, subject)


def _about(owner: CodeOwner) -> UUID:
    """What the budgets of an account or an identity are named after."""
    return owner.user_id or uuid5(SUBJECTS, f"{owner.issuer} {owner.subject}")


def source_address(address: str) -> str:
    """The budget of an address from which players type codes."""
    return f"identity:{login_throttle.from_address(address)}"


def source_client(actor: str) -> str:
    """The budget of a bot, a game server or staff that use codes for others."""
    return f"identity_client:{actor}"


# Not batched: each needs the lock of its code and of an account.
@operation
async def redeem(writer: Writer, commands: Sequence[CodeUse]) -> list[LinkedIdentity | Problem]:
    """Use codes, each once; a code whose link is refused can be used again."""
    return [await _redeem(writer, command) for command in commands]


async def _redeem(writer: Writer, command: CodeUse) -> LinkedIdentity | Problem:
    wanted = command.used_for
    is_for_account = wanted.user_id is not None
    found = await writer.one(
        CodeOwner,
        """
        SELECT user_id, issuer, subject, display_name, tags FROM link_codes
         WHERE hash = ANY($1) AND expires_at > statement_timestamp()
           AND (user_id IS NULL) = $2
        """,
        list(command.hashes),
        is_for_account,
    )
    if found is None:
        return UnknownLinkCode()
    user, about = (wanted.user_id, found) if is_for_account else (found.user_id, wanted)
    assert user is not None
    assert about.issuer is not None
    assert about.subject is not None
    # The account is locked before the code, as where codes are made.
    await lock(writer, [user])
    if not await _is_proven(writer, command):
        return WrongPassword()
    hashes = list(command.hashes)
    if not await writer.rows("SELECT FROM link_codes WHERE hash = ANY($1) FOR UPDATE", hashes):
        return UnknownLinkCode()
    order = IdentityLink(
        by=command.by,
        user_id=user,
        issuer=about.issuer,
        subject=about.subject,
        display_name=about.display_name,
        tags=about.tags or (),
        manager=command.manager,
    )
    [outcome] = await links.link(writer, [order])
    if isinstance(outcome, LinkedIdentity):
        await writer.run("DELETE FROM link_codes WHERE hash = ANY($1)", hashes)
    return outcome


async def _is_proven(writer: Writer, command: NewCode | CodeUse) -> bool:
    """Whether the password that was verified is still that of the account, which is locked."""
    account = command.proven
    return account is None or await passwords.is_current(writer, account.id, account.sealed)


def _hashes(vault: Vault, symbols: str) -> tuple[bytes, ...]:
    return tuple(found[:16] for found in vault.hmacs(f"link code:{symbols}"))
