"""Passwords: authentication, change by the owner, and reset by an account manager."""

import re
from collections.abc import Sequence
from typing import Annotated, Any, LiteralString
from uuid import UUID

from msgspec import Meta, Struct, structs

from gamekeeper.auth import login_throttle
from gamekeeper.auth.client_traces import NOWHERE, ClientTrace
from gamekeeper.auth.login_throttle import Attempt
from gamekeeper.auth.principal import Principal
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, Problem, TooManyRequests
from gamekeeper.db.batching import Batcher
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.idempotency import Shape, identity
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions.in_force import BANNED
from gamekeeper.users import common_passwords, ranks, replaced_passwords
from gamekeeper.users.lookup import UserNotFound, find_user_id, find_user_ids, lock
from gamekeeper.users.ranks import Management

HASH = re.compile(r"[0-9a-fA-F]{64}")
PasswordHash = Annotated[str, Meta(pattern=f"^{HASH.pattern}$")]
"""A field of a request with the SHA-256 of a password."""

IMPOSSIBLE = "?"
"""Stands in the login throttle for every key that is not a valid name or id."""
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class InvalidPasswordHash(Invalid):
    """A password must be sent as its SHA-256 hash: 64 hexadecimal digits."""


class InvalidCredentials(Invalid):
    """Invalid credentials."""


class WrongPassword(Forbidden):
    """Invalid credentials."""

    # Where the password only authorises a change, Intersect answers 403; the code is one.
    code = "invalid_credentials"


class PasswordChangedMeanwhile(Conflict):
    """This password was changed at the same time. Try again."""


class Account(Struct, frozen=True, kw_only=True):
    """An account and its password record. Never sent to clients, hence not a Record."""

    id: UUID
    name_key: str
    api: bool
    is_staff: bool
    banned: bool
    sealed: str | None

    def __repr__(self) -> str:
        return f"Account({self.id})"


class NewPassword(Command, frozen=True, kw_only=True):
    user_id: UUID
    sealed: str
    replaces: str | None = None
    """The record that was verified (optimistic locking); None: replace any."""
    manager: Principal | None = None
    """The caller that sets it without the current one; None: the owner, or the command line."""

    def __repr__(self) -> str:
        return f"NewPassword({self.user_id})"


def parse(field: str, sent: str) -> bytes:
    """Decode 64 hex digits of any letter case to 32 bytes."""
    if not HASH.fullmatch(sent):
        raise InvalidPasswordHash(f"'{field}' must be 64 hexadecimal digits.", field=field)
    return bytes.fromhex(sent)


def parse_new(field: str, sent: str) -> bytes:
    """Decode a password to be set: neither empty nor common."""
    secret = parse(field, sent)
    if sent.lower() == EMPTY:
        raise InvalidPasswordHash(f"'{field}' is the hash of an empty password.", field=field)
    common_passwords.check(field, secret)
    return secret


async def check_new(database: Database, user: UUID, secret: bytes) -> None:
    """Refuse a new password that is made of the names of its account or of the game."""
    sql: LiteralString = (
        "SELECT name, split_part(email, '@', 1) AS mailbox FROM users WHERE id = $1"
    )
    words = [word for row in await database.reader.rows(sql, user) for word in row.values()]
    common_passwords.check("new", secret, database.settings.game_name, *words)


async def authenticate(
    database: Database,
    vault: Vault,
    key: str,
    secret: bytes,
    *,
    source: str,
    api: bool = False,
    staff: bool = False,
    trace: ClientTrace = NOWHERE,
) -> Account:
    """
    Verify a password and return its account.

    With `api` it must have the Api power, with `staff` a role, and with either no ban. A
    missing account, a wrong password, a throttled attempt, a missing power or role and a ban
    take the same time and the same charge, so timing reveals none of them.
    """
    account = await _account(database.reader, key)
    attempt = Attempt(
        account=account.name_key if account else str(names.parse(key) or IMPOSSIBLE),
        user_id=account.id if account else None,
        source=source,
        trace=trace,
    )
    try:
        await login_throttle.charge(database, attempt)
    except TooManyRequests:
        await vault.dummy_delay()
        raise
    if account is None or account.sealed is None:
        await vault.dummy_verify(secret)
        raise InvalidCredentials if account else UserNotFound(names.missing("user", key))
    right = await vault.verify(account.id, account.sealed, secret)
    lacks = (api and not account.api) or (staff and not account.is_staff)
    if not right or lacks or (account.banned and (api or staff)):
        raise InvalidCredentials
    await login_throttle.reset_failures(database, attempt)
    return await _renewed(database, vault, account, secret)


async def authenticate_for_token(
    database: Database,
    vault: Vault,
    key: str,
    secret: bytes,
    *,
    source: str,
    trace: ClientTrace = NOWHERE,
) -> Account:
    """
    `authenticate` with `api`, as a single flight: equal attempts that wait share one check.

    A website that signs in before every call makes many of them at once, with one account from
    one address. Each check costs a tenth of a second of a processor, and their charges would lock
    each other out. To repeat a guess tells an attacker nothing, so one charge is enough for it.
    """

    async def check(calls: list[None]) -> list[Account | Problem]:
        try:
            outcome = await authenticate(
                database, vault, key, secret, source=source, api=True, trace=trace
            )
        except Problem as refusal:
            outcome = refusal
        return [outcome] * len(calls)

    wanted = (authenticate_for_token, key, secret, source, trace)
    batcher = database.reader.batcher(
        wanted,
        lambda: Batcher(check, concurrency=1, at_rest=lambda: database.reader.forget(wanted)),
    )
    return await batcher.submit(None)


async def _renewed(database: Database, vault: Vault, account: Account, secret: bytes) -> Account:
    """Rehash the password if its record has an older key or cost."""
    if account.sealed is None or not vault.needs_rehash(account.sealed):
        return account
    sealed = await vault.hash(account.id, secret)
    done = await database.write(
        lambda writer: writer.run(
            "UPDATE passwords SET sealed = $2 WHERE user_id = $1 AND sealed = $3",
            account.id,
            sealed,
            account.sealed,
        )
    )
    return structs.replace(account, sealed=sealed) if done else account


async def _account(reader: Reader, key: str) -> Account | None:
    """Return the account or None, in the same number of queries (timing attacks)."""
    [user] = await find_user_ids(reader, [key])
    return await reader.one(
        Account,
        f"""
        SELECT id, name_key, api, sealed, {BANNED} AS banned,
               EXISTS (SELECT FROM staff_roles WHERE user_id = users.id) AS is_staff
          FROM users LEFT JOIN passwords ON passwords.user_id = users.id
         WHERE id = $1
        """,
        user,
    )


async def change(
    database: Database,
    vault: Vault,
    key: str,
    *,
    current: bytes,
    new: bytes,
    source: str,
    by: AuditContext,
    shape: Shape[None] = identity,
) -> Any:
    """Replace a password, for a caller that knows the current one."""
    account = await prove_or_refuse(database, vault, key, current, source=source)
    await check_new(database, account.id, new)
    sealed = await vault.hash(account.id, new)
    command = NewPassword(user_id=account.id, sealed=sealed, replaces=account.sealed, by=by)
    return await replace.one(database, command, shape)


async def prove_or_refuse(
    database: Database, vault: Vault, key: str, secret: bytes, *, source: str
) -> Account:
    """As `authenticate`, but a wrong password raises WrongPassword (403): it forbids a change."""
    try:
        return await authenticate(database, vault, key, secret, source=source)
    except InvalidCredentials:
        raise WrongPassword from None


async def is_current(writer: Writer, user: UUID, sealed: str | None) -> bool:
    """
    Whether a record that was verified before this transaction is still that of the account.

    The account must be locked: a new password that comes later then waits, and its transaction
    deletes what this one stores.
    """
    sql: LiteralString = "SELECT sealed FROM passwords WHERE user_id = $1"
    return sealed is not None and await writer.value(sql, user) == sealed


async def set_by_manager(
    database: Database,
    vault: Vault,
    key: str,
    new: bytes,
    *,
    manager: Principal,
    by: AuditContext,
    shape: Shape[None] = identity,
) -> Any:
    """Replace a password, for a caller that manages accounts."""
    user = await find_user_id(database.reader, key)
    await check_new(database, user, new)
    sealed = await vault.hash(user, new)
    command = NewPassword(user_id=user, sealed=sealed, manager=manager, by=by)
    return await replace.one(database, command, shape)


@operation
async def replace(writer: Writer, commands: Sequence[NewPassword]) -> list[Problem | None]:
    """Store new passwords; revoke all tokens and end all sessions of their accounts."""
    outranked = await _outranked(writer, commands)
    allowed = [command for command, above in zip(commands, outranked, strict=True) if not above]
    done = await _store(writer, allowed)
    await actions.record(
        writer,
        [
            Action(
                kind="users.password",
                by=command.by,
                user_id=command.user_id,
                after=actions.MANAGED if command.manager else None,
            )
            for command in allowed
            if command.user_id in done
        ],
    )
    await replaced_passwords.end_access(
        writer,
        {command.user_id: command.by for command in allowed if command.user_id in done},
    )
    return [
        above or (None if command.user_id in done else PasswordChangedMeanwhile())
        for command, above in zip(commands, outranked, strict=True)
    ]


async def _outranked(writer: Writer, commands: Sequence[NewPassword]) -> list[Problem | None]:
    """Return a refusal for each command whose account outranks its manager; locks their powers."""
    if managed := [command.user_id for command in commands if command.manager]:
        await lock(writer, managed)
    wanted = [Management(command.manager, command.user_id, takes_over=True) for command in commands]
    return [*await ranks.refusals(writer, wanted)]


async def _store(writer: Writer, commands: Sequence[NewPassword]) -> set[UUID]:
    """Write passwords (optimistic locking on `replaces`); return whose were written."""
    rows = await writer.rows(
        """
        SELECT user_id, sealed FROM passwords
         WHERE user_id = ANY($1)
         ORDER BY user_id
           FOR UPDATE
        """,
        [command.user_id for command in commands],
    )
    sealed = {row["user_id"]: row["sealed"] for row in rows}
    good = [
        command for command in commands if command.replaces in (None, sealed.get(command.user_id))
    ]
    await writer.run(
        """
        INSERT INTO passwords (user_id, sealed)
        SELECT * FROM unnest($1::uuid[], $2::text[])
        ON CONFLICT (user_id) DO UPDATE
           SET sealed = excluded.sealed, changed_at = excluded.changed_at
        """,
        [command.user_id for command in good],
        [command.sealed for command in good],
    )
    return {command.user_id for command in good}
