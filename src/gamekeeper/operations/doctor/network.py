"""Checks of what is beside the database: TLS in front, the mail server, the replica."""

import asyncio
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import SplitResult, unquote, urlsplit

import aiosmtplib
import asyncpg

from gamekeeper.core.settings import DEVELOPMENT_URL
from gamekeeper.db import outages
from gamekeeper.operations.doctor.findings import (
    CheckResult,
    Installation,
    counted,
    ok,
    unknown,
    warning,
    without_secrets,
    wrong,
)
from gamekeeper.users.mail.smtp import PORTS

SECONDS = 4.0
CERTIFICATE_DAYS = 14
LAG_SECONDS = 30.0


# ── The address that browsers use ──


async def public_address(installation: Installation) -> list[CheckResult]:
    """Whether the public address answers, by TLS, with a certificate that lasts."""
    url = urlsplit(installation.settings.public_url)
    if installation.settings.public_url == DEVELOPMENT_URL:
        return unknown("tls", "GAMEKEEPER_PUBLIC_URL is not set, so there is no URL to check.")
    if url.scheme != "https":
        return wrong(
            "tls",
            f"GAMEKEEPER_PUBLIC_URL is {installation.settings.public_url}: passwords would be "
            "sent unencrypted.",
            "Put a proxy with TLS in front (docs/operations.md, TLS and the proxy).",
        )
    try:
        async with asyncio.timeout(SECONDS):
            status, ends = await _call(url)
    except ssl.SSLCertVerificationError as fault:
        said = f"The certificate of {url.hostname} is not valid: {fault.verify_message}."
        return wrong("tls", said, "Renew the certificate, or give the proxy the right one.")
    except (OSError, TimeoutError, ssl.SSLError, asyncio.IncompleteReadError) as fault:
        reason = str(fault) or "no answer in time"
        said = f"{installation.settings.public_url} cannot be reached from here: {reason}."
        return wrong("tls", said, "Start the proxy, or correct GAMEKEEPER_PUBLIC_URL.")
    return _of_answer(url, status, ends)


async def _call(url: SplitResult) -> tuple[int, datetime]:
    """GET /livez there: its status, and when the certificate ends."""
    context = ssl.create_default_context()
    reader, writer = await asyncio.open_connection(url.hostname, url.port or 443, ssl=context)
    try:
        certificate = writer.get_extra_info("ssl_object").getpeercert()
        ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
        path = f"{url.path.rstrip('/')}/livez"
        head = f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
        words = (await reader.readline()).split()
        return (int(words[1]) if len(words) > 1 and words[1].isdigit() else 0), ends
    finally:
        writer.close()
        with suppress(OSError, ssl.SSLError):
            await writer.wait_closed()


def _of_answer(url: SplitResult, status: int, ends: datetime) -> list[CheckResult]:
    days = (ends - datetime.now(UTC)).total_seconds() / 86_400
    if not 200 <= status < 500:
        said = f"The proxy at {url.hostname} answers {status}: it does not reach serve."
        return wrong("tls", said, "Start serve, or correct the proxy's configuration.")
    said = f"{url.hostname} answers over TLS; its certificate expires in {counted(days, 'day')}."
    if days < CERTIFICATE_DAYS:
        return warning("tls", said, "Renew the certificate, and make its renewal automatic.")
    return ok("tls", said)


# ── Mail ──


async def mail_server(installation: Installation) -> list[CheckResult]:
    """Whether the mail server lets us in, and by TLS. Nothing is sent."""
    if installation.settings.smtp_url is None:
        return warning(
            "mail_server",
            "GAMEKEEPER_SMTP_URL is not set, so no mail is sent: players cannot reset a forgotten "
            "password, and invitations of staff are links that you send yourself.",
            "Set it, and GAMEKEEPER_MAIL_FROM, for serve and worker.",
        )
    url = urlsplit(installation.settings.smtp_url)
    port = url.port or PORTS[url.scheme]
    try:
        has_tls = await _greet(url, port)
    except (OSError, aiosmtplib.SMTPException) as fault:
        reason = without_secrets(fault or "no answer", installation.settings.smtp_url)
        said = f"The mail server {url.hostname}:{port} cannot be used: {reason}."
        return wrong("mail_server", said, "Correct GAMEKEEPER_SMTP_URL, or start that server.")
    if not has_tls:
        return warning(
            "mail_server",
            f"The mail server {url.hostname}:{port} offers no TLS: links to reset passwords, "
            "invitations and outcomes of reports are sent unencrypted.",
            "Use smtps://, or a server with STARTTLS.",
        )
    return ok("mail_server", f"The mail server {url.hostname}:{port} can be used, over TLS.")


async def _greet(url: SplitResult, port: int) -> bool:
    """Connect and log in; whether by TLS."""
    client = aiosmtplib.SMTP(
        hostname=url.hostname,
        port=port,
        use_tls=url.scheme == "smtps",
        start_tls=False,
        timeout=SECONDS,
    )
    async with client:
        await client.ehlo()
        offered = client.supports_extension("starttls")
        if url.scheme == "smtp" and offered:
            await client.starttls()
        if url.password and (offered or url.scheme == "smtps"):
            await client.login(unquote(url.username or ""), unquote(url.password))
        return offered or url.scheme == "smtps"


# ── The replica ──


async def replica(installation: Installation) -> list[CheckResult]:
    url = installation.settings.replica_url
    if url is None:
        return ok("replica", "No replica is configured.")
    level = await installation.reader.value("SHOW wal_level")
    if level == "minimal":
        remedy = "Set wal_level = replica in postgresql.conf, and restart PostgreSQL."
        return wrong("replica", "wal_level is minimal: no replica can follow.", remedy)
    try:
        connection = await asyncpg.connect(url, timeout=installation.settings.connect_seconds)
    except (OSError, TimeoutError, asyncpg.PostgresError) as fault:
        said, _, advice = without_secrets(outages.explain(fault, url), url).partition("\n")
        return warning("replica", said, advice.replace(outages.URL, "GAMEKEEPER_REPLICA_URL"))
    try:
        return await _of_replica(connection)
    finally:
        await connection.close()


async def _of_replica(connection: asyncpg.Connection) -> list[CheckResult]:
    if not await connection.fetchval("SELECT pg_is_in_recovery()"):
        said = "GAMEKEEPER_REPLICA_URL points to a primary, so it is not used."
        return warning("replica", said, "Set up the replica again, or correct the URL.")
    lag = await connection.fetchval(
        """
        SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
                    ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp()) END::float8
        """
    )
    said = f"The replica is {lag or 0:.1f} seconds behind."
    if (lag or 0) > LAG_SECONDS:
        return warning("replica", said, "See its load, and pg_stat_replication on the primary.")
    return ok("replica", said)
