"""
Sign-outs: a client that asks for one (RP-initiated logout), and clients that are told of one.

The notice of a sign-out is a signed token, sent by the worker with the HTTP client of webhooks:
it reaches no private address, follows no redirect and waits for no slow target. Other clients must
not wait for a slow one: a notice has three seconds, and a client that did not answer in time gets
one notice at a time until it does.
"""

import asyncio
import time
from contextlib import suppress
from datetime import timedelta
from urllib.parse import urlencode

import structlog
from msgspec import Struct

from gamekeeper.auth import openid_sessions
from gamekeeper.auth.openid_sessions import LogoutNotice
from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.http_client import Outcome
from gamekeeper.provider import authorization, client_records, keys, tokens
from gamekeeper.sanctions.in_force import IN_FORCE

FORM = "application/x-www-form-urlencoded"
RETRY_DELAYS = (5, 30, 120, 600, 1800)
"""Seconds before each retry."""
SECONDS = 3
"""The deadline of one notice: others have to arrive within five seconds of a ban."""

log = structlog.get_logger()


class InvalidLogout(Problem):
    """The address for after the sign-out is not registered, or the request is malformed."""


class LogoutRequest(Struct, frozen=True, kw_only=True):
    subject: str | None
    """The account that the client says is signed in; None: it did not prove that it knows one."""
    client_name: str | None
    address: str | None
    """Where the browser is sent afterwards."""


async def read(reader: Reader, settings: Settings, query: str) -> LogoutRequest:
    """The request, or raise InvalidLogout; an address is used only if it is registered."""
    fields = authorization.fields_of(query)
    hint = fields.get("id_token_hint")
    claims = {}
    if hint is not None:
        try:
            claims = await keys.verified(reader, hint)
        except keys.InvalidToken:
            raise InvalidLogout from None
        if claims.get("iss") != settings.openid_issuer:
            raise InvalidLogout
    named = fields.get("client_id")
    if hint is not None and named is not None and claims.get("aud") != named:
        raise InvalidLogout
    client = await client_records.registered(reader, named or str(claims.get("aud", "")))
    address = fields.get("post_logout_redirect_uri")
    if address is not None:
        if client is None or address not in client.logout_uris:
            raise InvalidLogout
        if "state" in fields:
            address = authorization.with_parameters(address, {"state": fields["state"]})
    return LogoutRequest(
        subject=str(claims["sub"]) if hint is not None else None,
        client_name=client.name if client else None,
        address=address,
    )


async def send(database: Database, vault: Vault, notice: LogoutNotice) -> Outcome | None:
    """Send a notice; None if its client is gone or wants none."""
    address = await database.reader.value(
        "SELECT backchannel_uri FROM openid_clients WHERE id = $1", notice.client_id
    )
    if address is None or not database.settings.openid_issuer:
        return None
    try:
        target = targets.parse(database.settings, address)
    except Problem as problem:
        return Outcome(fault=problem.code)
    token = await tokens.logout_token(database, vault, notice)
    body = urlencode({"logout_token": token}).encode()
    return await http_client.send(target, [], body, content_type=FORM, seconds=SECONDS)


class Notifier:
    """Sends the notices of one worker."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._database, self._vault = database, vault
        self._slow: set[str] = set()
        """Clients that did not answer their last notice in time."""
        self._tried: set[str] = set()
        """Those of them to which a notice is on its way."""

    async def send_or_retry(self, notice: LogoutNotice, attempt: int) -> timedelta | None:
        """Send a notice; how long to wait before the next attempt, None if there is none."""
        client, is_last = notice.client_id, attempt >= len(RETRY_DELAYS)
        if client not in self._slow or is_last:
            return await self._sent(notice, attempt)
        if client in self._tried:
            log.info("openid_logout_deferred", **_about(notice, attempt))
            return timedelta(seconds=RETRY_DELAYS[attempt])
        self._tried.add(client)
        try:
            return await self._sent(notice, attempt)
        finally:
            self._tried.discard(client)

    async def _sent(self, notice: LogoutNotice, attempt: int) -> timedelta | None:
        try:
            outcome = await send(self._database, self._vault, notice)
        except Exception as fault:
            # The database fails over, for example. The queue repeats no job by itself.
            log.exception("openid_logout_fault", client=notice.client_id)
            outcome = Outcome(fault=type(fault).__name__)
        if outcome is None:
            log.info("openid_logout_dropped", **_about(notice, attempt))
            return None
        if outcome.fault == http_client.TIMEOUT:
            self._slow.add(notice.client_id)
        else:
            self._slow.discard(notice.client_id)
        return _delay(notice, outcome, attempt)


def _delay(notice: LogoutNotice, outcome: Outcome, attempt: int) -> timedelta | None:
    if outcome.is_success:
        log.info("openid_logout_sent", **_about(notice, attempt))
        return None
    # 400: the client understood, and has no such session or refuses for good.
    if outcome.status == http_client.BAD_REQUEST or attempt >= len(RETRY_DELAYS):
        log.warning("openid_logout_failed", reason=outcome.reason, **_about(notice, attempt))
        return None
    log.warning("openid_logout_delayed", reason=outcome.reason, **_about(notice, attempt))
    return timedelta(seconds=RETRY_DELAYS[attempt])


def _about(notice: LogoutNotice, attempt: int) -> dict[str, object]:
    return {"client": notice.client_id, "session": str(notice.session_id), "attempt": attempt}


async def follow_bans(database: Database, stop: asyncio.Event) -> None:
    """
    End the sign-ins of banned accounts: now, and when each ban of the next minute begins.

    A ban that is imposed meanwhile, and begins in this minute, waits for the next call.
    """
    await end_banned(database)
    # By the clock of PostgreSQL, which decides whether a ban has begun.
    rows = await database.reader.rows(
        """
        SELECT DISTINCT extract(epoch FROM starts_at - statement_timestamp())::float AS seconds
          FROM sanctions
         WHERE player_id IS NULL AND kind = 'ban' AND lifted_at IS NULL
           AND starts_at > statement_timestamp()
           AND starts_at <= statement_timestamp() + interval '1 minute'
         ORDER BY seconds
        """
    )
    # From the answer on, which is later than the clock was read: never before the ban begins.
    read = looked = time.monotonic()
    for begins in [read + row["seconds"] for row in rows]:
        if begins <= looked:
            continue  # The last look was later.
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), begins - time.monotonic())
        if stop.is_set():
            return
        looked = time.monotonic()
        await end_banned(database)


async def end_banned(database: Database) -> None:
    """End the sign-ins that began before a ban which has just begun; most bans do so themselves."""

    async def work(writer: Writer) -> None:
        rows = await writer.rows(
            f"""
            SELECT user_id FROM sanctions
             WHERE player_id IS NULL AND kind = 'ban' AND {IN_FORCE}
               AND starts_at > statement_timestamp() - interval '60 days'
               AND (EXISTS (SELECT FROM openid_sessions AS own
                             WHERE own.user_id = sanctions.user_id AND own.ended_at IS NULL
                               AND own.authenticated_at < starts_at)
                    OR EXISTS (SELECT FROM openid_sign_ins AS own
                                WHERE own.user_id = sanctions.user_id AND own.ended_at IS NULL
                                  AND own.authenticated_at < starts_at))
             ORDER BY user_id LIMIT 1000
            """
        )
        users = sorted({row["user_id"] for row in rows})
        if users:
            await writer.rows(
                "SELECT FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", users
            )
            await openid_sessions.end_all(writer, users)

    await database.write(work)
