"""
Sign-in with a browser, first step: the password.

It begins a session that may do nothing yet, for ten minutes: the second factor makes it a
signed-in one (`verification`). Where a second factor is optional and the account has none,
the password is all there is, and the session is signed in at once.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import browser_sessions, client_traces, credentials, login_throttle
from gamekeeper.auth.browser_sessions import StaffAccount
from gamekeeper.auth.client_traces import NOWHERE, ClientTrace
from gamekeeper.auth.principal import SessionState
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, Problem
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.users import passwords
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import InvalidCredentials
from gamekeeper.users.staff import verification

UNFINISHED_SECONDS = 600
LONGEST_USER_AGENT = 200


class SignInRefused(Forbidden):
    """The username or the password is wrong, or the account has no staff role."""

    cacheable = False


class NewSession(Command, frozen=True, kw_only=True):
    """A session of an account whose password was verified against the record `sealed`."""

    user_id: UUID
    sealed: str | None
    user_agent: str
    trace: ClientTrace = NOWHERE

    def __repr__(self) -> str:
        return f"NewSession({self.user_id})"


class BegunSession(Struct, frozen=True, kw_only=True):
    cookie: Hidden
    session_id: UUID
    account: StaffAccount
    state: SessionState


async def sign_in(
    database: Database,
    vault: Vault,
    username: str,
    secret: bytes,
    *,
    user_agent: str,
    by: AuditContext,
    trace: ClientTrace = NOWHERE,
) -> BegunSession:
    """Begin a session for whoever knows a staff member's password, or raise SignInRefused."""
    await client_traces.check(database.reader, trace)
    source = login_throttle.from_address(by.address)
    try:
        account = await passwords.authenticate(
            database, vault, username, secret, source=source, staff=True, trace=trace
        )
    except (InvalidCredentials, UserNotFound):
        raise SignInRefused from None
    command = NewSession(
        user_id=account.id,
        sealed=account.sealed,
        user_agent=readable(user_agent),
        trace=trace,
        by=by,
    )
    return await begin.one(database, command)


def readable(user_agent: str) -> str:
    """What a browser says of itself, as one short line."""
    line = "".join(char if char.isprintable() else " " for char in user_agent)
    return line[:LONGEST_USER_AGENT]


@operation
async def begin(writer: Writer, commands: Sequence[NewSession]) -> list[BegunSession | Problem]:
    """Begin sessions, unless password, roles or bans changed since verification."""
    users = [command.user_id for command in commands]
    # FOR SHARE blocks a concurrent end of all sessions, which would miss the new one.
    await writer.rows("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR SHARE", users)
    rows = await writer.rows(
        "SELECT user_id, sealed FROM passwords WHERE user_id = ANY($1) FOR SHARE", users
    )
    sealed = {row["user_id"]: row["sealed"] for row in rows}
    accounts = await browser_sessions.accounts(writer, users)
    begun: list[BegunSession | Problem] = [
        _begun(command, accounts, sealed, writer) for command in commands
    ]
    made = [
        (command, session)
        for command, session in zip(commands, begun, strict=True)
        if isinstance(session, BegunSession)
    ]
    await _insert(writer, made)
    await verification.trim(writer, [command.user_id for command, _ in made])
    await verification.record_starts(
        writer,
        [
            (command.by, session.account, session.session_id, "password", command.user_agent)
            for command, session in made
            if session.state == "signed_in"
        ],
    )
    return begun


def _begun(
    command: NewSession,
    accounts: Mapping[UUID, StaffAccount],
    sealed: Mapping[UUID, str],
    writer: Writer,
) -> BegunSession | Problem:
    account = accounts.get(command.user_id)
    if account is None or account.is_banned or not account.held.roles:
        return SignInRefused()
    if sealed.get(command.user_id) != command.sealed:
        return SignInRefused()
    return BegunSession(
        cookie=credentials.new_credential("gks"),
        session_id=uuid4(),
        account=account,
        state=browser_sessions.state_of(account, "password", writer.settings),
    )


async def _insert(writer: Writer, made: Sequence[tuple[NewSession, BegunSession]]) -> None:
    signed_in = [session.state == "signed_in" for _, session in made]
    await writer.run(
        """
        INSERT INTO browser_sessions (id, user_id, hash, roles, address, user_agent, expires_at,
                                      verified_at, method, source, device)
        SELECT id, user_id, hash, string_to_array(roles, ' '), address, user_agent,
               now() + make_interval(secs => CASE WHEN signed_in THEN $8::int ELSE $9::int END),
               CASE WHEN signed_in THEN now() END, CASE WHEN signed_in THEN 'password' END,
               source::inet, device
          FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[], $5::text[], $6::text[],
                      $7::boolean[], $10::text[], $11::uuid[])
               AS new (id, user_id, hash, roles, address, user_agent, signed_in, source, device)
        """,
        [session.session_id for _, session in made],
        [command.user_id for command, _ in made],
        [credentials.digest(session.cookie) for _, session in made],
        [" ".join(session.account.held.roles) for _, session in made],
        [command.by.address for command, _ in made],
        [command.user_agent for command, _ in made],
        signed_in,
        writer.settings.browser_session_seconds,
        UNFINISHED_SECONDS,
        [command.trace.address for command, _ in made],
        [command.trace.device for command, _ in made],
    )
