"""A mail server that is away, hangs, trickles, or refuses for now or for good."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from email.message import EmailMessage

import pytest
from msgspec import structs
from pgqueuer import RetryRequested
from structlog.testing import capture_logs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.operations import mails
from gamekeeper.users.mail import smtp
from tests.server import free_port

SECONDS = 0.5
"""How long a mail server may take for an answer, in these tests."""

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(autouse=True)
def impatience(monkeypatch):
    monkeypatch.setattr(smtp, "SECONDS", SECONDS)


async def never(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def by_the_byte(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    for byte in b"220 " + b"welcome " * 100:
        writer.write(bytes([byte]))
        await asyncio.sleep(SECONDS / 5)


END = b".\r\n"
"""Of the text of a mail."""


def answering(command: bytes, answer: bytes | None) -> Behaviour:
    """Take all commands but this one, which gets this answer, or none."""

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 here\r\n")
        while line := await reader.readline():
            if line.upper().startswith(command):
                if answer is None:
                    await never(reader, writer)
                writer.write(b"%s\r\n" % answer)
            elif line == b"DATA\r\n":
                writer.write(b"354 go on\r\n")
                text = await reader.readuntil(b"\r\n" + END)
                assert b"Hello" in text
                if command == END:
                    await never(reader, writer)
                writer.write(b"250 taken\r\n")
            else:
                writer.write(b"250 fine\r\n")

    return converse


@asynccontextmanager
async def mail_server(behaviour: Behaviour) -> AsyncIterator[int]:
    conversations: set[asyncio.Task[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        conversations.add(task)
        with suppress(OSError, asyncio.CancelledError):
            await behaviour(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in conversations:
            task.cancel()
        await asyncio.gather(*conversations, return_exceptions=True)


def letter() -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "keeper@example.org", "ana@example.org"
    message.set_content("Hello")
    return message


async def outcome(settings: Settings, port: int, attempt: int = 0) -> str:
    """The log event of one attempt."""
    settings = structs.replace(settings, smtp_url=Hidden(f"smtp://127.0.0.1:{port}"))
    with capture_logs() as lines, suppress(RetryRequested):
        # Private, but all mails take this way.
        await mails._send(settings, letter, attempt)
    return lines[-1]["event"]


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(never, id="no greeting"),
        pytest.param(by_the_byte, id="a byte at a time"),
        pytest.param(answering(b"MAIL", None), id="no answer to MAIL"),
        pytest.param(answering(END, None), id="no answer after the text"),
    ],
)
async def test_a_mail_server_that_hangs_gets_the_mail_later(settings, behaviour: Behaviour):
    async with mail_server(behaviour) as port, asyncio.timeout(20 * SECONDS):
        assert await outcome(settings, port) == "mail_delayed"


async def test_a_mail_server_that_is_away_gets_the_mail_later(settings):
    assert await outcome(settings, free_port()) == "mail_delayed"


@pytest.mark.parametrize("command", [b"MAIL", b"RCPT", b"DATA"])
@pytest.mark.parametrize(
    ("answer", "event"), [(b"451 later", "mail_delayed"), (b"550 never", "mail_given_up")]
)
async def test_only_what_is_refused_for_good_is_given_up(settings, command, answer, event):
    async with mail_server(answering(command, answer)) as port:
        assert await outcome(settings, port) == event


async def test_after_the_last_retry_it_is_given_up(settings):
    async with mail_server(answering(b"RCPT", b"451 later")) as port:
        last = len(mails.RETRY_DELAYS)
        assert await outcome(settings, port, last - 1) == "mail_delayed"
        assert await outcome(settings, port, last) == "mail_given_up"
