"""A real SMTP server that keeps what it is given, and a real `gamekeeper worker`."""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import msgspec
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from msgspec import Struct

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.users import emails
from tests import processes
from tests.deadlines import PATIENCE, until
from tests.server import environment, free_port


class Letter(Struct, frozen=True):
    """One mail as the server got it: to whom it was handed over, and what it says."""

    recipients: list[str]
    message: EmailMessage

    @property
    def text(self) -> str:
        part = self.message.get_body(("plain",))
        assert part is not None
        return part.get_content()

    @property
    def html(self) -> str:
        part = self.message.get_body(("html",))
        assert part is not None
        return part.get_content()

    @property
    def token(self) -> str:
        """What the link carries."""
        [token] = re.findall(r"#token=(\S+)", self.text)
        return token

    @property
    def code(self) -> str:
        [code] = re.findall(r"\b[2-9A-Z]{4}-[2-9A-Z]{4}\b", self.text)
        return code


class Mailbox:
    """Everybody's mail."""

    def __init__(self, *, internationalised: bool = True) -> None:
        self.port = free_port()
        self.letters: list[Letter] = []
        self._internationalised = internationalised
        self._controller: Controller | None = None

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def open(self) -> None:
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            enable_SMTPUTF8=self._internationalised,
        )
        self._controller.start()

    def close(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802  aiosmtpd looks for this name
        assert isinstance(envelope.content, bytes)
        message = message_from_bytes(envelope.content, policy=policy.SMTPUTF8)
        assert isinstance(message, EmailMessage)
        self.letters.append(Letter(list(envelope.rcpt_tos), message))
        return "250 Thanks"

    def to(self, address: str) -> list[Letter]:
        """The letters to `address`, however its domain was spelled on the way."""
        return [
            letter for letter in self.letters if address in map(emails.normal, letter.recipients)
        ]

    async def wait_for(self, address: str, seconds: float = PATIENCE) -> Letter:
        """The only letter to `address`, which may take a while to come."""
        deadline = time.monotonic() + seconds
        while not self.to(address):
            assert time.monotonic() < deadline, f"no mail to {address} after {seconds} s"
            await asyncio.sleep(0.01)
        [letter] = self.to(address)
        return letter


@contextmanager
def receiving(*, internationalised: bool = True) -> Iterator[Mailbox]:
    mailbox = Mailbox(internationalised=internationalised)
    mailbox.open()
    try:
        yield mailbox
    finally:
        mailbox.close()


def mailing(settings: Settings, mailbox: Mailbox) -> Settings:
    """The same settings, with a mail server and something to write in mails."""
    return msgspec.structs.replace(
        settings,
        smtp_url=Hidden(mailbox.url),
        public_url="https://play.example.org/",
        mail_from="The Keeper <keeper@example.org>",
        game_name="Lyra",
    )


@contextmanager
def working(settings: Settings, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker; its log goes to `log`."""
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    with (
        log.open("wb") as stream,
        processes.running(command, env=environment(settings), stderr=stream) as process,
    ):
        yield process


async def sent(database: Database, kind: str) -> None:
    """Wait until no mail of a kind is queued."""

    async def is_empty() -> bool:
        sql = "SELECT count(*) FROM pgqueuer WHERE entrypoint = $1"
        return await database.reader.value(sql, kind) == 0

    await until(is_empty, "all mails are sent or dropped")


@asynccontextmanager
async def held(database: Database, kind: str) -> AsyncIterator[None]:
    """Mails of a kind wait until they are delivered, as behind a mail server that is away."""
    hold = f"""
        CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN new.execute_after := now() + interval '1 hour'; RETURN new; END $$;
        CREATE TRIGGER hold BEFORE INSERT ON pgqueuer FOR EACH ROW
            WHEN (new.entrypoint = '{kind}') EXECUTE FUNCTION hold()
    """
    await database.write(lambda writer: writer.connection.execute(hold))
    try:
        yield
    finally:
        await database.write(lambda writer: writer.connection.execute("DROP FUNCTION hold CASCADE"))


async def deliver(database: Database, kind: str) -> None:
    """Let the mails that are held be sent."""
    sql = "UPDATE pgqueuer SET execute_after = now() WHERE entrypoint = $1"
    await database.write(lambda writer: writer.run(sql, kind))
    # The trigger of the queue wakes workers at a delete, not at an update.
    await database.write(lambda writer: writer.run("DELETE FROM pgqueuer WHERE false"))
    await sent(database, kind)
