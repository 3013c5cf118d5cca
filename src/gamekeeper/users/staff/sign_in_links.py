"""
Sign-in links: an address that signs a staff member in once, made on the command line.

Whoever makes one has the database, and so could give themselves any role and any password
(docs/decisions/0042-sign-in-links.md). The service itself cannot make one. The code has 256
random bits, and only its hash is stored. It stands for both factors, so step-up counts from it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.auth import browser_sessions, client_traces, credentials, login_throttle
from gamekeeper.auth.browser_sessions import StaffAccount
from gamekeeper.auth.client_traces import ClientTrace
from gamekeeper.core.errors import Conflict, Forbidden, Problem
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext, Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users.staff import verification
from gamekeeper.users.staff.sign_in import BegunSession, readable

MINUTES = 10
LONGEST_MINUTES = 60


class NoRoleToSignInWith(Conflict):
    """The account has no role, or is banned. Add a role: gamekeeper staff add NAME ROLE"""


class LinkRefused(Forbidden):
    """The link is wrong, used or expired. Create a new one: gamekeeper staff link NAME"""

    cacheable = False


class NewLink(Command, frozen=True, kw_only=True):
    user_id: UUID
    minutes: int = MINUTES


class MadeLink(Struct, frozen=True, kw_only=True):
    code: Hidden
    name: str
    expires_at: datetime


class LinkUse(Command, frozen=True, kw_only=True):
    """The use of a link, by whoever has its code."""

    hash: bytes
    user_agent: str

    def __repr__(self) -> str:
        return "LinkUse()"


@operation
async def make(writer: Writer, commands: Sequence[NewLink]) -> list[MadeLink | Problem]:
    """Make links for accounts that may sign in."""
    accounts = await browser_sessions.accounts(writer, [command.user_id for command in commands])
    return [await _made(writer, command, accounts.get(command.user_id)) for command in commands]


async def _made(
    writer: Writer, command: NewLink, account: StaffAccount | None
) -> MadeLink | Problem:
    if account is None or not _may_sign_in(account):
        return NoRoleToSignInWith()
    code = credentials.new_credential("gkl")
    expires_at = await writer.value(
        """
        INSERT INTO sign_in_links (hash, user_id, expires_at)
        VALUES ($1, $2, now() + make_interval(mins => $3))
        RETURNING expires_at
        """,
        credentials.digest(code),
        account.id,
        command.minutes,
    )
    about = {"expires_at": expires_at}
    await actions.record(
        writer, [Action(kind="sessions.link", by=command.by, user_id=account.id, after=about)]
    )
    return MadeLink(code=code, name=account.name, expires_at=expires_at)


def address(settings: Settings, code: Hidden) -> str:
    """The address that a browser opens; the code is in the fragment, which is sent nowhere."""
    return f"{settings.public_url.rstrip('/')}/console/sign-in#link={code}"


async def sign_in(
    database: Database, code: str, *, user_agent: str, by: AuditContext
) -> BegunSession:
    """A signed-in session for whoever has the code of a link, or raise LinkRefused."""
    trace = ClientTrace(client_traces.canonical_address(by.address))
    await client_traces.check(database.reader, trace)
    budget = "link:" + login_throttle.from_address(by.address).partition(":")[2]
    await database.write(lambda writer: login_throttle.charge_all(writer, [budget]))
    digest = credentials.digest(code) if credentials.kind_of(code) == "gkl" else b""
    command = LinkUse(hash=digest, user_agent=readable(user_agent), by=by)
    begun = await use.one(database, command)
    await database.write(lambda writer: login_throttle.refund(writer, budget))
    return begun


@operation
async def use(writer: Writer, commands: Sequence[LinkUse]) -> list[BegunSession | Problem]:
    """Use links up, each once, and begin their sessions; a refusal uses nothing up."""
    hashes = [command.hash for command in commands]
    found = await writer.rows("SELECT user_id FROM sign_in_links WHERE hash = ANY($1)", hashes)
    users = [row["user_id"] for row in found]
    # As a sign-in by password does: a concurrent end of all sessions would miss the new one.
    await writer.rows("SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR SHARE", users)
    accounts = await browser_sessions.accounts(writer, users)
    good = await _use_up(writer, hashes, accounts)
    begun: list[BegunSession | Problem] = [
        # Popped: of two with the same code in one batch the first.
        _begun(accounts[user]) if (user := good.pop(command.hash, None)) else LinkRefused()
        for command in commands
    ]
    await _begin(writer, commands, begun)
    return begun


async def _use_up(
    writer: Writer, hashes: Sequence[bytes], accounts: Mapping[UUID, StaffAccount]
) -> dict[bytes, UUID]:
    """The accounts of links that were good until now, by hash."""
    willing = [account for account in accounts.values() if _may_sign_in(account)]
    rows = await writer.rows(
        """
        UPDATE sign_in_links SET used_at = now()
          FROM unnest($2::uuid[], $3::timestamptz[]) AS account (id, changed_at)
         WHERE hash = ANY($1) AND user_id = account.id
           AND used_at IS NULL AND expires_at > statement_timestamp()
           -- What ends sessions ends links: another password, another role, a ban.
           AND made_at >= coalesce(changed_at, made_at)
        RETURNING hash, user_id
        """,
        list(hashes),
        [account.id for account in willing],
        [account.changed_at for account in willing],
    )
    return {row["hash"]: row["user_id"] for row in rows}


def _may_sign_in(account: StaffAccount) -> bool:
    return bool(account.held.roles) and not account.is_banned


def _begun(account: StaffAccount) -> BegunSession:
    return BegunSession(
        cookie=credentials.new_credential("gks"),
        session_id=uuid4(),
        account=account,
        state="signed_in",
    )


async def _begin(
    writer: Writer, commands: Sequence[LinkUse], begun: Sequence[BegunSession | Problem]
) -> None:
    made = [
        (command, session)
        for command, session in zip(commands, begun, strict=True)
        if isinstance(session, BegunSession)
    ]
    await writer.run(
        """
        INSERT INTO browser_sessions (id, user_id, hash, roles, address, user_agent, expires_at,
                                      verified_at, method, source)
        SELECT id, user_id, hash, string_to_array(roles, ' '), address, user_agent,
               now() + make_interval(secs => $7), now(), 'link', source::inet
          FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[], $5::text[], $6::text[],
                      $8::text[])
               AS new (id, user_id, hash, roles, address, user_agent, source)
        """,
        [session.session_id for _, session in made],
        [session.account.id for _, session in made],
        [credentials.digest(session.cookie) for _, session in made],
        [" ".join(session.account.held.roles) for _, session in made],
        [command.by.address for command, _ in made],
        [command.user_agent for command, _ in made],
        writer.settings.browser_session_seconds,
        [client_traces.canonical_address(command.by.address) for command, _ in made],
    )
    await verification.trim(writer, [session.account.id for _, session in made])
    await verification.record_starts(
        writer,
        [
            (command.by, session.account, session.session_id, "link", command.user_agent)
            for command, session in made
        ],
    )
