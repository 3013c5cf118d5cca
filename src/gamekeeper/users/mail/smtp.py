"""SMTP client: sends each message over a connection of its own."""

from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import aiosmtplib

from gamekeeper.core.settings import BadSettings, Settings

SECONDS = 30
PORTS = {"smtp": 25, "smtps": 465}


class MailNotConfigured(Exception):
    """GAMEKEEPER_SMTP_URL is not set for this worker, but it is for the serve that promised the
    mail. Set it for both, and restart the worker."""

    def __init__(self) -> None:
        super().__init__(" ".join((type(self).__doc__ or "").split()))


async def send(settings: Settings, letter: EmailMessage) -> None:
    """Send one message; raise MailNotConfigured, aiosmtplib.SMTPException or OSError if not."""
    if settings.smtp_url is None:
        raise MailNotConfigured
    server = urlsplit(settings.smtp_url)
    if server.scheme not in PORTS or not server.hostname:
        raise BadSettings("GAMEKEEPER_SMTP_URL must look like smtp://user:password@host:587.")
    await aiosmtplib.send(
        letter,
        hostname=server.hostname,
        port=server.port or PORTS[server.scheme],
        username=unquote(server.username) if server.username else None,
        password=unquote(server.password) if server.password else None,
        use_tls=server.scheme == "smtps",
        # None: STARTTLS if the server offers it. A password is never sent unencrypted.
        start_tls=True if server.scheme == "smtp" and server.password else None,
        timeout=SECONDS,
    )


def is_permanent(fault: Exception) -> bool:
    """Whether the server refused permanently (5xx), so that a retry is useless."""
    if isinstance(fault, aiosmtplib.SMTPRecipientsRefused):
        return all(500 <= each.code < 600 for each in fault.recipients)
    return isinstance(fault, aiosmtplib.SMTPResponseException) and 500 <= fault.code < 600
