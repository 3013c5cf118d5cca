"""
Flows: sign-ins and links by a source, from their start at a client to their end there.

A flow binds three places together, so that nobody can finish a flow of another person:

    the client    starts it and gets a secret, which it needs to finish
    the browser   opens it once and gets a cookie, which the answer of the source needs
    the page      to which the browser returns gets a result, which the client needs to finish

So an attacker who sends a link to somebody gets no result, and an answer that is planted in
another browser is refused. All secrets are random, and only their digests are stored.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import LiteralString
from urllib.parse import urlencode
from uuid import UUID, uuid4

import asyncpg
from msgspec import Struct

from gamekeeper.auth.client_traces import ClientTrace
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import sign_in_sources
from gamekeeper.core.errors import Invalid, NotFound, Problem
from gamekeeper.core.schemas import Instant
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.users import passwords
from gamekeeper.users.identities import links, records, sign_ins
from gamekeeper.users.identities.links import IdentityLink
from gamekeeper.users.identities.records import LinkedIdentity
from gamekeeper.users.identities.sign_ins import SignedInAccount
from gamekeeper.users.identities.sources.proofs import Person, ProofRefused
from gamekeeper.users.lookup import lock
from gamekeeper.users.passwords import Account, WrongPassword

MINUTES = 10


class UnknownFlow(NotFound):
    """The sign-in is unknown, expired or already finished. Start again."""

    cacheable = False


class InvalidReturnAddress(Invalid):
    """'returnto' is not one of the addresses in GAMEKEEPER_SIGN_IN_RETURNS."""


class StartedFlow(Struct, frozen=True, kw_only=True):
    id: UUID
    secret: str
    ticket: str
    expires_at: Instant

    def __repr__(self) -> str:
        return f"StartedFlow({self.id})"


class VisitedFlow(Struct, frozen=True, kw_only=True):
    """A flow whose browser is here, and the page to which it returns in the end."""

    id: UUID
    return_to: str


class OpenedFlow(Struct, frozen=True, kw_only=True):
    state: str
    browser: str
    visit: VisitedFlow

    def __repr__(self) -> str:
        return "OpenedFlow(…)"


class Finish(Command, frozen=True, kw_only=True):
    flow: UUID
    secret: str
    result: str
    user_id: UUID | None = None
    """The account that links; None: a sign-in."""
    trace: ClientTrace | None = None
    wants_tokens: bool = False

    def __repr__(self) -> str:
        return f"Finish({self.flow})"


async def start(
    database: Database, source: str, return_to: str, account: Account | None = None
) -> StartedFlow:
    """Begin a flow of a client: a sign-in, or a link with an account that proved its password."""
    if return_to not in sign_in_sources.returns(database.settings.sign_in_returns):
        raise InvalidReturnAddress(None, field="returnto")
    flow, secret, ticket = uuid4(), secrets.token_urlsafe(32), secrets.token_urlsafe(32)

    async def work(writer: Writer) -> Instant:
        if account is not None:
            # A new password deletes the flows of the account, under the same lock.
            await lock(writer, [account.id])
            if not await passwords.is_current(writer, account.id, account.sealed):
                raise WrongPassword
        return await writer.value(
            """
            INSERT INTO identity_flows
                   (id, source, user_id, return_to, secret_hash, ticket_hash, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))
            RETURNING expires_at
            """,
            flow,
            source,
            account and account.id,
            return_to,
            _digest(secret),
            _digest(ticket),
            MINUTES,
        )

    expires_at = await database.write(work)
    return StartedFlow(id=flow, secret=secret, ticket=ticket, expires_at=expires_at)


async def open_flow(database: Database, source: str, ticket: str, browser: str) -> OpenedFlow:
    """Bind a flow to the browser that opens it, once."""
    state, browser = secrets.token_urlsafe(32), browser or secrets.token_urlsafe(32)
    rows = await database.write(
        lambda writer: writer.rows(
            """
            UPDATE identity_flows
               SET state_hash = $3, browser_hash = $4, opened_at = now(), ticket_hash = NULL
             WHERE ticket_hash = $1 AND source = $2 AND expires_at > statement_timestamp()
            RETURNING id, return_to
            """,
            _digest(ticket),
            source,
            _digest(state),
            _digest(browser),
        )
    )
    if not rows:
        raise UnknownFlow
    return OpenedFlow(state=state, browser=browser, visit=VisitedFlow(**rows[0]))


async def claim(database: Database, source: str, state: str, browser: str) -> VisitedFlow:
    """The flow of an answer, for which its state is used up; only for the browser that opened."""
    rows = await database.write(
        lambda writer: writer.rows(
            """
            UPDATE identity_flows SET state_hash = NULL
             WHERE state_hash = $1 AND source = $2 AND browser_hash = $3
               AND expires_at > statement_timestamp()
            RETURNING id, return_to
            """,
            _digest(state),
            source,
            _digest(browser),
        )
    )
    if not rows:
        raise UnknownFlow
    return VisitedFlow(**rows[0])


async def prove(database: Database, vault: Vault, flow: VisitedFlow, person: Person) -> str:
    """Store who was proven; the address to which the browser returns, with the result."""
    result = secrets.token_urlsafe(32)
    about = (
        *(flow.id, person.issuer, person.subject, records.shown_name(person.display_name)),
        *(_digest(result), person.replay_key),
        records.tags(vault, person.issuer, person.subject),
    )
    try:
        done = await database.write(lambda writer: writer.run(PROVE, *about))
    except asyncpg.UniqueViolationError:
        # The replay key: another flow has the same proof.
        raise ProofRefused from None
    if not done:
        raise ProofRefused
    return returned(flow, result=result)


PROVE: LiteralString = """
    UPDATE identity_flows
       SET issuer = $2, subject = $3, display_name = $4, result_hash = $5, replay_key = $6,
           tags = $7
     WHERE id = $1 AND issuer IS NULL AND expires_at > statement_timestamp()
"""


def returned(flow: VisitedFlow, **about: str) -> str:
    """The address of the page where a flow ends."""
    return f"{flow.return_to}?{urlencode({'flow': str(flow.id)} | about)}"


class ProvenFlow(Struct, frozen=True, kw_only=True):
    """What a flow proved."""

    person: Person
    tags: Sequence[bytes]


# The row stays until it expires: its replay key must not be accepted again.
TAKE: LiteralString = """
    UPDATE identity_flows SET result_hash = NULL
     WHERE id = $1 AND secret_hash = $2 AND result_hash = $3
       AND user_id IS NOT DISTINCT FROM $4 AND expires_at > statement_timestamp()
    RETURNING issuer, subject, display_name, tags
"""


# Not batched: a flow is finished once, and waits for the locks of one account.
@operation
async def finish_link(writer: Writer, commands: Sequence[Finish]) -> list[LinkedIdentity | Problem]:
    """Link what flows proved with the accounts that started them."""
    return [await _finish_link(writer, command) for command in commands]


async def _finish_link(writer: Writer, command: Finish) -> LinkedIdentity | Problem:
    if command.user_id is None:
        return UnknownFlow()
    # The account is locked before the flow, as where a new password deletes flows.
    await lock(writer, [command.user_id])
    proven = await _take(writer, command)
    if proven is None:
        return UnknownFlow()
    order = IdentityLink(
        by=command.by,
        user_id=command.user_id,
        issuer=proven.person.issuer,
        subject=proven.person.subject,
        display_name=proven.person.display_name,
        tags=proven.tags,
    )
    [outcome] = await links.link(writer, [order])
    return outcome


@operation
async def finish_sign_in(
    writer: Writer, commands: Sequence[Finish]
) -> list[SignedInAccount | Problem]:
    """Sign in to the accounts of the identities that flows proved."""
    return [await _finish_sign_in(writer, command) for command in commands]


async def _finish_sign_in(writer: Writer, command: Finish) -> SignedInAccount | Problem:
    proven = await _take(writer, command)
    if proven is None:
        return UnknownFlow()
    trace = command.trace if command.wants_tokens else None
    return await sign_ins.enter(writer, proven.person, trace)


async def _take(writer: Writer, command: Finish) -> ProvenFlow | None:
    rows = await writer.rows(
        TAKE,
        command.flow,
        _digest(command.secret),
        _digest(command.result),
        command.user_id,
    )
    if not rows:
        return None
    issuer, subject, name, tags = rows[0].values()
    person = Person(issuer=issuer, subject=subject, display_name=name)
    return ProvenFlow(person=person, tags=tags)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode()).digest()
