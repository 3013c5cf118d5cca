"""
Second factors: authenticator apps (TOTP) and passkeys, added, verified, removed and reset.

A verification is good once. What proves it only grows, the time step of a code and the sign
count of a passkey, so the same proof is refused the next time, also at the same moment:
the account is locked while it is compared.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import browser_sessions, login_throttle, openid_sessions, roles
from gamekeeper.auth.browser_sessions import SessionEnd, SessionNotFound
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Forbidden, NotFound, Problem
from gamekeeper.core.observability import loggers
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import ranks
from gamekeeper.users.lookup import lock
from gamekeeper.users.ranks import Management, Outranked
from gamekeeper.users.staff import verification
from gamekeeper.users.staff.verification import Method, SessionContext, VerifiedSession

MOST_FACTORS = 10

log = loggers.get_logger()

Kind = Literal["totp", "passkey"]


class WrongCode(Forbidden):
    """The code is wrong, expired or already used. Enter the next code."""

    cacheable = False


class FactorNotFound(NotFound):
    """The account has no second factor with this id."""


class LastFactor(Conflict):
    """The last second factor cannot be removed, because one is required. Add another first."""

    cacheable = False


class OwnFactors(Conflict):
    """To remove your own second factors, use /api/v1/me/factors."""


class Factor(Struct, frozen=True, kw_only=True):
    id: UUID
    kind: Kind
    name: str
    created_at: datetime
    used_at: datetime | None


class FactorProof(Command, frozen=True, kw_only=True):
    """What was verified: a factor and its counter, or the possible hashes of a recovery code."""

    user_id: UUID
    session_id: UUID
    method: Method
    factor_id: UUID | None = None
    counter: int = 0
    hashes: tuple[bytes, ...] = ()


class FactorRemoval(Command, frozen=True, kw_only=True):
    user_id: UUID
    factor_id: UUID


class FactorReset(Command, frozen=True, kw_only=True):
    """All second factors of an account whose owner lost them."""

    user_id: UUID
    manager: Principal | None = None
    """None: the command line."""


async def factors_of(reader: Queryable, user: UUID) -> list[Factor]:
    """The second factors of an account, oldest first."""
    return await reader.all(
        Factor,
        """
        SELECT id, kind, name, created_at, used_at FROM second_factors
         WHERE user_id = $1 AND confirmed_at IS NOT NULL
         ORDER BY created_at, id
        """,
        user,
    )


async def methods_of(reader: Reader, user: UUID) -> list[Method]:
    """The ways in which an account can verify a session."""
    rows = await reader.rows(
        """
        SELECT kind AS method FROM second_factors
         WHERE user_id = $1 AND confirmed_at IS NOT NULL
        UNION SELECT 'recovery' FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL
        ORDER BY method
        """,
        user,
    )
    return [row["method"] for row in rows]


# ── Verified ──


@asynccontextmanager
async def attempt(
    database: Database, context: SessionContext, *, is_short: bool = True
) -> AsyncIterator[None]:
    """One attempt at a code: charged before it is checked, refunded if right, logged if wrong."""
    budgets = await _budgets(database.reader, context, is_short=is_short)
    await database.write(lambda writer: login_throttle.charge_all(writer, budgets))
    try:
        yield
    except WrongCode:
        log.warning(
            "second_factor_refused",
            user_id=str(context.user_id),
            session_id=str(context.session_id),
            address=context.by.address,
        )
        raise

    async def refund(writer: Writer) -> None:
        for budget in budgets:
            await login_throttle.refund(writer, budget)

    await database.write(refund)


async def _budgets(reader: Reader, context: SessionContext, *, is_short: bool) -> list[str]:
    """
    The budgets of an attempt: the session's and, of an unfinished sign-in, the account's.

    Whoever knows the password begins any number of sign-ins. Their guesses must not block the
    owner, who is signed in, has a recovery code, which is too long to be guessed, or signs in
    from a place where a second factor was right within 30 days.
    """
    own = f"codes-in:{context.session_id}"
    if not is_short or await _is_finished(reader, context):
        return [own]
    source = login_throttle.from_address(context.by.address)
    if source in await _known_places(reader, context.user_id):
        return [own, f"code-at:{context.user_id}:{source}"]
    return [own, f"code:{context.user_id}"]


async def _is_finished(reader: Reader, context: SessionContext) -> bool:
    sql = (
        "SELECT true FROM browser_sessions WHERE id = $1 AND user_id = $2 AND method <> 'password'"
    )
    return bool(await reader.value(sql, context.session_id, context.user_id))


async def _known_places(reader: Reader, user: UUID) -> set[str]:
    """By the log: the sources of a login throttle are known by the password alone."""
    rows = await reader.rows(
        """
        SELECT DISTINCT address FROM actions
         WHERE user_id = $1 AND kind = 'sessions.start' AND after->>'method' <> 'password'
           AND at > statement_timestamp() - make_interval(days => $2)
        """,
        user,
        login_throttle.KNOWN_DAYS,
    )
    return {login_throttle.from_address(row["address"]) for row in rows}


@operation
async def verify(writer: Writer, commands: Sequence[FactorProof]) -> list[Hidden | Problem]:
    """Verify sessions, each proof once; the outcome is the session's new cookie."""
    live = await verification.lock(
        writer, [(command.user_id, command.session_id) for command in commands]
    )
    known = [command for command in commands if (command.user_id, command.session_id) in live]
    proved = [*await _count(writer, known), *await _spend(writer, known)]
    cookies = await verification.renew(
        writer,
        [
            VerifiedSession(
                session=live[command.user_id, command.session_id],
                method=command.method,
                by=command.by,
            )
            for command in proved
        ],
    )
    # By identity: another proof in the same session is another's, and gets no cookie by this one.
    right, found = {id(command) for command in proved}, {id(command) for command in known}
    return [
        cookies[command.session_id]
        if id(command) in right
        else WrongCode()
        if id(command) in found
        else SessionNotFound()
        for command in commands
    ]


@operation
async def spend(writer: Writer, commands: Sequence[FactorProof]) -> list[Problem | None]:
    """Use up proofs of a sign-in that is no session of the console, each once."""
    await lock(writer, [command.user_id for command in commands])
    proved = [*await _count(writer, commands), *await _spend(writer, commands)]
    right = {id(command) for command in proved}
    return [None if id(command) in right else WrongCode() for command in commands]


async def _count(writer: Writer, proofs: Sequence[FactorProof]) -> list[FactorProof]:
    """Raise the counters of factors; return the proofs that were new, of each factor one."""
    first = {command.factor_id: command for command in reversed(proofs) if command.factor_id}
    rows = await writer.rows(
        """
        UPDATE second_factors SET counter = new.counter, used_at = now()
          FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS new (owner, factor, counter)
         WHERE user_id = owner AND id = factor AND confirmed_at IS NOT NULL
           AND (second_factors.counter < new.counter
                -- Some passkeys do not count.
                OR kind = 'passkey' AND second_factors.counter = 0 AND new.counter = 0)
        RETURNING id
        """,
        [command.user_id for command in first.values()],
        list(first),
        [command.counter for command in first.values()],
    )
    return [first[row["id"]] for row in rows]


async def _spend(writer: Writer, proofs: Sequence[FactorProof]) -> list[FactorProof]:
    """Use up recovery codes; return the proofs whose code was unused."""
    spent = []
    for proof in (proof for proof in proofs if proof.hashes):
        rows = await writer.rows(
            """
            UPDATE recovery_codes SET used_at = now()
             WHERE user_id = $1 AND hash = ANY($2) AND used_at IS NULL
            RETURNING hash
            """,
            proof.user_id,
            list(proof.hashes),
        )
        spent += [proof] if rows else []
    return spent


# ── Removed ──


@operation
async def remove(writer: Writer, commands: Sequence[FactorRemoval]) -> list[Factor | Problem]:
    """Remove second factors, except the last one of an account that must have one."""
    await lock(writer, [command.user_id for command in commands])
    return [await _remove(writer, command) for command in commands]


async def _remove(writer: Writer, command: FactorRemoval) -> Factor | Problem:
    factors = await factors_of(writer, command.user_id)
    found = [factor for factor in factors if factor.id == command.factor_id]
    if not found:
        return FactorNotFound()
    if len(factors) == 1 and writer.settings.staff_second_factor == "required":
        return LastFactor()
    await writer.run(
        "DELETE FROM second_factors WHERE user_id = $1 AND id = $2",
        command.user_id,
        command.factor_id,
    )
    if len(factors) == 1:
        await writer.run("DELETE FROM recovery_codes WHERE user_id = $1", command.user_id)
    about = described(found[0].id, found[0].kind, found[0].name)
    await actions.record(
        writer,
        [Action(kind="factors.remove", by=command.by, user_id=command.user_id, before=about)],
    )
    return found[0]


@operation
async def reset(writer: Writer, commands: Sequence[FactorReset]) -> list[int | Problem]:
    """Remove all second factors and recovery codes of accounts; end sessions, also at websites."""
    await lock(writer, [command.user_id for command in commands])
    outranked = await ranks.refusals(
        writer,
        [Management(command.manager, command.user_id, takes_over=True) for command in commands],
    )
    return [
        above or await _reset(writer, command)
        for command, above in zip(commands, outranked, strict=True)
    ]


async def _reset(writer: Writer, command: FactorReset) -> int | Problem:
    user, manager = command.user_id, command.manager
    if manager and manager.user_id == user:
        return OwnFactors()
    held = (await roles.held(writer, [user])).get(user, roles.NO_ROLES)
    # A key could also set the password, sign in, and be the owner that no key makes.
    if manager and not manager.session and roles.OWNER in held.roles:
        return Outranked()
    gone = await writer.rows(
        "DELETE FROM second_factors WHERE user_id = $1 RETURNING id, kind, name, confirmed_at", user
    )
    await writer.run("DELETE FROM recovery_codes WHERE user_id = $1", user)
    await login_throttle.clear_codes(writer, user)
    await browser_sessions.end(writer, [SessionEnd(user_id=user, by=command.by)])
    await openid_sessions.end_all(writer, [user])
    factors = [
        described(row["id"], row["kind"], row["name"]) for row in gone if row["confirmed_at"]
    ]
    await actions.record(
        writer,
        [Action(kind="factors.reset", by=command.by, user_id=user, before={"factors": factors})],
    )
    return len(factors)


def described(factor: UUID, kind: str, name: str) -> dict[str, object]:
    """What the audit log says of a factor; never its secret."""
    return {"factor": factor, "kind": kind, "name": name}
