"""
Recovery codes: ten, shown once, each good for one verification when all devices are lost.

A code has 120 random bits, too many to be guessed, so its stored hash needs no stretching.
It is a keyed hash (HMAC) all the same: a copy of the tables alone cannot even test a code.
"""

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from gamekeeper.auth.browser_sessions import SessionNotFound
from gamekeeper.core import typed_codes
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.staff import second_factors, verification
from gamekeeper.users.staff.second_factors import FactorProof, WrongCode
from gamekeeper.users.staff.verification import SessionContext

if TYPE_CHECKING:
    from gamekeeper.auth.secrets import Vault

CODES = 10
LENGTH = 24
LONGEST_TYPED = 64


class NoSecondFactor(Conflict):
    """Recovery codes replace a lost second factor. Enrol a second factor first."""

    cacheable = False


class NewCodes(Command, frozen=True, kw_only=True):
    user_id: UUID
    session_id: UUID
    hashes: tuple[bytes, ...]


def new_code() -> Hidden:
    symbols = "".join(secrets.choice(typed_codes.ALPHABET) for _ in range(LENGTH))
    return Hidden(typed_codes.hyphenated(symbols))


def normalised(typed: str) -> str | None:
    """A code as it was made, however it was typed; None if it is no code."""
    code = typed_codes.read(typed[:LONGEST_TYPED], LONGEST_TYPED)
    return code if len(code) == LENGTH else None


async def unused(reader: Reader, user: UUID) -> int:
    """How many codes an account has left."""
    sql = "SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL"
    return await reader.value(sql, user)


async def make(database: Database, vault: "Vault", context: SessionContext) -> list[Hidden]:
    """Make ten codes, and drop those that were made before."""
    codes = [new_code() for _ in range(CODES)]
    command = NewCodes(
        user_id=context.user_id,
        session_id=context.session_id,
        hashes=tuple(vault.hmac(_about(context.user_id, code)) for code in codes),
        by=context.by,
    )
    await replace.one(database, command)
    return codes


@operation
async def replace(writer: Writer, commands: Sequence[NewCodes]) -> list[Problem | None]:
    """Replace the recovery codes of accounts that have a second factor."""
    live = await verification.lock(
        writer, [(command.user_id, command.session_id) for command in commands]
    )
    return [
        await _replace(writer, command)
        if (command.user_id, command.session_id) in live
        else SessionNotFound()
        for command in commands
    ]


async def _replace(writer: Writer, command: NewCodes) -> Problem | None:
    if not await second_factors.factors_of(writer, command.user_id):
        return NoSecondFactor()
    await writer.run("DELETE FROM recovery_codes WHERE user_id = $1", command.user_id)
    await writer.run(
        "INSERT INTO recovery_codes (user_id, hash) SELECT $1, unnest($2::bytea[])",
        command.user_id,
        list(command.hashes),
    )
    about = {"kind": "recovery", "codes": len(command.hashes)}
    await actions.record(
        writer, [Action(kind="factors.add", by=command.by, user_id=command.user_id, after=about)]
    )
    return None


async def verify(database: Database, vault: "Vault", context: SessionContext, typed: str) -> Hidden:
    """Verify a session by an unused recovery code; its new cookie."""
    async with second_factors.attempt(database, context, is_short=False):
        return await second_factors.verify.one(database, proof_of(vault, context, typed))


def proof_of(vault: "Vault", context: SessionContext, typed: str) -> FactorProof:
    """What a recovery code proves, or raise WrongCode."""
    code = normalised(typed)
    if code is None:
        raise WrongCode
    return FactorProof(
        user_id=context.user_id,
        session_id=context.session_id,
        method="recovery",
        hashes=tuple(vault.hmacs(_about(context.user_id, code))),
        by=context.by,
    )


def _about(user: UUID, code: str) -> str:
    return f"recovery code;{user};{code.replace('-', '')}"
