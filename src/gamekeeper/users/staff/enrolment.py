"""
Enrolment of second factors: the first one verifies the session, later ones need step-up.

The first factor can be enrolled with the password alone, or by a session whose verification is
too old for anything else that needs step-up: until then there is no factor to verify. Later ones
cannot. That is checked while the account is locked, so of two who enrol at the same moment one
is refused.
"""

from collections.abc import Sequence
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth.authorisation import SecondFactorRequired, StepUpRequired
from gamekeeper.auth.browser_sessions import SessionNotFound
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.staff import verification
from gamekeeper.users.staff.second_factors import MOST_FACTORS, Kind, described
from gamekeeper.users.staff.verification import LiveSession, VerifiedSession

LONGEST_NAME = 64
MINUTES = 10
"""How long an authenticator app may take to show its first code."""


class TooManyFactors(Conflict):
    """An account has at most ten second factors. Remove one first."""

    cacheable = False


class EnrolmentExpired(Conflict):
    """The enrolment has expired, or a newer one was started. Start again."""


class FactorKnown(Conflict):
    """This passkey is already enrolled."""


class InvalidFactorName(Invalid):
    """The name of a second factor must have 1 to 64 visible characters."""


class NewFactor(Command, frozen=True, kw_only=True):
    """A second factor that was proved once; of TOTP the id of what was proposed."""

    user_id: UUID
    session_id: UUID
    is_fresh: bool = False
    """Whether the session was verified within ten minutes; else only a first factor is added."""
    kind: Kind
    name: str = ""
    counter: int
    factor_id: UUID | None = None
    credential_id: bytes = b""
    public_key: bytes = b""
    transports: tuple[str, ...] = ()


class EnrolledFactor(Struct, frozen=True, kw_only=True):
    id: UUID
    kind: Kind
    name: str
    cookie: Hidden | None = None
    """The new cookie of the session, which a first factor verifies; None: of a later factor."""


def named(name: str) -> str:
    """A name for a factor as its owner gave it, or raise InvalidFactorName."""
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise InvalidFactorName
    return name


class TotpProposal(Command, frozen=True, kw_only=True):
    """An encrypted secret that an authenticator app is to confirm."""

    user_id: UUID
    session_id: UUID
    is_fresh: bool = False
    factor_id: UUID
    name: str
    sealed: str

    def __repr__(self) -> str:
        return f"TotpProposal({self.factor_id})"


@operation
async def propose(writer: Writer, commands: Sequence[TotpProposal]) -> list[Problem | None]:
    """Store secrets that count for nothing until they are confirmed; of an account the last."""
    live = await verification.lock(
        writer, [(command.user_id, command.session_id) for command in commands]
    )
    outcomes = [await _refusal(writer, command, live) for command in commands]
    for command, refusal in zip(commands, outcomes, strict=True):
        if refusal is None:
            await writer.run(
                "DELETE FROM second_factors WHERE user_id = $1 AND confirmed_at IS NULL",
                command.user_id,
            )
            await writer.run(
                """
                INSERT INTO second_factors (user_id, id, kind, name, secret)
                VALUES ($1, $2, 'totp', $3, $4)
                """,
                command.user_id,
                command.factor_id,
                command.name,
                command.sealed,
            )
    return outcomes


@operation
async def add(writer: Writer, commands: Sequence[NewFactor]) -> list[EnrolledFactor | Problem]:
    """Add second factors; the first one of an account verifies its session."""
    live = await verification.lock(
        writer, [(command.user_id, command.session_id) for command in commands]
    )
    return [
        await _refusal(writer, command, live) or await _add(writer, command, live)
        for command in commands
    ]


Live = dict[tuple[UUID, UUID], LiveSession]


async def _refusal(writer: Writer, command: NewFactor | TotpProposal, live: Live) -> Problem | None:
    session = live.get((command.user_id, command.session_id))
    if session is None:
        return SessionNotFound()
    enrolled = await _enrolled(writer, command.user_id)
    if enrolled and not session.is_finished:
        return SecondFactorRequired()
    # As the request saw it: a process may remember for two seconds that there was no factor,
    # and the row of the session may be verified meanwhile by another cookie.
    steps_up = writer.settings.staff_step_up == "required"
    if enrolled and steps_up and not command.is_fresh:
        return StepUpRequired()
    return TooManyFactors() if enrolled >= MOST_FACTORS else None


async def _enrolled(writer: Writer, user: UUID) -> int:
    return await writer.value(
        "SELECT count(*) FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL", user
    )


async def _add(writer: Writer, command: NewFactor, live: Live) -> EnrolledFactor | Problem:
    is_first = await _enrolled(writer, command.user_id) == 0
    stored = await (_confirm if command.kind == "totp" else _insert)(writer, command)
    if isinstance(stored, Problem):
        return stored
    about = described(stored.id, stored.kind, stored.name)
    await actions.record(
        writer, [Action(kind="factors.add", by=command.by, user_id=command.user_id, after=about)]
    )
    if not is_first:
        return stored
    session = live[command.user_id, command.session_id]
    verified = VerifiedSession(session=session, method=command.kind, by=command.by)
    cookies = await verification.renew(writer, [verified])
    return EnrolledFactor(
        id=stored.id, kind=stored.kind, name=stored.name, cookie=cookies[session.id]
    )


async def _confirm(writer: Writer, command: NewFactor) -> EnrolledFactor | Problem:
    rows = await writer.rows(
        """
        UPDATE second_factors SET confirmed_at = now(), used_at = now(), counter = $3
         WHERE user_id = $1 AND id = $2 AND kind = 'totp' AND confirmed_at IS NULL
           AND created_at > statement_timestamp() - make_interval(mins => $4)
        RETURNING id, name
        """,
        command.user_id,
        command.factor_id,
        command.counter,
        MINUTES,
    )
    if not rows:
        return EnrolmentExpired()
    return EnrolledFactor(id=rows[0]["id"], kind="totp", name=rows[0]["name"])


async def _insert(writer: Writer, command: NewFactor) -> EnrolledFactor | Problem:
    rows = await writer.rows(
        """
        INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, used_at, counter,
                                    credential_id, public_key, transports)
        VALUES ($1, $2, 'passkey', $3, now(), now(), $4, $5, $6, $7)
        ON CONFLICT (user_id, credential_id) DO NOTHING
        RETURNING id, name
        """,
        command.user_id,
        command.factor_id or uuid4(),
        command.name,
        command.counter,
        command.credential_id,
        command.public_key,
        list(command.transports),
    )
    if not rows:
        return FactorKnown()
    return EnrolledFactor(id=rows[0]["id"], kind="passkey", name=rows[0]["name"])
