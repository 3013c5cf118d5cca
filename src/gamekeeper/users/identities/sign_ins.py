"""Sign-ins by a proven identity: which account it opens, and its tokens."""

from collections.abc import Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.auth import client_traces, tokens
from gamekeeper.auth.client_traces import ClientTrace
from gamekeeper.auth.credentials import Tokens
from gamekeeper.auth.tokens import InvalidGrant, SignIn
from gamekeeper.core.errors import Forbidden, NotFound, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.sanctions.in_force import banned_accounts
from gamekeeper.users.identities import records
from gamekeeper.users.identities.sources.proofs import Person

MAX_SIGN_INS = 32
"""Live sign-ins that began with one identity: one more ends the oldest."""


class IdentityNotLinked(NotFound):
    """This identity is not linked with an account. Sign in with the password and link it."""

    cacheable = False


class AccountBanned(Forbidden):
    """The account is banned. The code of the ban is in the mail or the message of the game."""

    cacheable = False


class SignedInAccount(Struct, frozen=True, kw_only=True):
    user_id: UUID
    tokens: Tokens | None


class Proven(Command, frozen=True, kw_only=True):
    """A person that was proven without a browser, such as by a ticket of a game client."""

    person: Person
    trace: ClientTrace | None
    """None: no tokens."""


@operation
async def sign_in(writer: Writer, commands: Sequence[Proven]) -> list[SignedInAccount | Problem]:
    """Sign in to the accounts of proven identities."""
    return [await enter(writer, command.person, command.trace) for command in commands]


async def enter(
    writer: Writer, person: Person, trace: ClientTrace | None
) -> SignedInAccount | Problem:
    """Sign in to the account of a proven identity; without a trace there are no tokens."""
    user = await writer.value(OWNER, person.issuer, person.subject)
    # The account before the identity: an unlink or a ban that this waits for is seen.
    await writer.rows("SELECT FROM users WHERE id = $1 FOR SHARE", user)
    rows = await writer.rows(
        """
        UPDATE identities
           SET last_used_at = now(), display_name = coalesce($4, display_name)
         WHERE issuer = $1 AND subject = $2 AND user_id = $3
        RETURNING id
        """,
        person.issuer,
        person.subject,
        user,
        records.shown_name(person.display_name),
    )
    if not rows:
        return IdentityNotLinked(None, issuer=person.issuer)
    if await banned_accounts(writer, [user]):
        return AccountBanned()
    if trace is None:
        return SignedInAccount(user_id=user, tokens=None)
    return await _with_tokens(writer, user, rows[0]["id"], trace)


async def _with_tokens(
    writer: Writer, user: UUID, identity: UUID, trace: ClientTrace
) -> SignedInAccount | Problem:
    await writer.run(END_OLDEST, user, identity, MAX_SIGN_INS - 1)
    sealed = await writer.value("SELECT sealed FROM passwords WHERE user_id = $1", user)
    [issued] = await tokens.issue(writer, [SignIn(user_id=user, sealed=sealed, trace=trace)])
    if isinstance(issued, Problem):
        return InvalidGrant("The account has no permission to use the API.")
    await writer.run(
        "UPDATE token_families SET identity_id = $3 WHERE user_id = $1 AND id = $2",
        user,
        issued.family_id,
        identity,
    )
    await client_traces.note(writer, [(user, trace)])
    return SignedInAccount(user_id=user, tokens=issued)


END_OLDEST: LiteralString = """
    UPDATE token_families SET revoked_at = now()
     WHERE user_id = $1
       AND id IN (SELECT id FROM token_families
                   WHERE user_id = $1 AND identity_id = $2 AND revoked_at IS NULL
                     AND expires_at > statement_timestamp()
                   ORDER BY created_at DESC, id OFFSET $3)
"""
OWNER: LiteralString = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2"
