"""Endpoint 26: a mail is asked for, and the mail that comes."""

import asyncio
import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import LiteralString

import httpx2
import msgspec
import pytest

from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.users.emails import normal
from gamekeeper.users.mail import messages, smtp
from gamekeeper.users.mailed_proofs import CODE_ALPHABET
from tests.contract.account import Account
from tests.contract.mailbox import Letter, Mailbox, mailing, receiving, working
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import bearer
from tests.deadlines import until
from tests.in_process import in_process
from tests.make import make_user, sha

COMPLETE = "/api/v1/users/password/reset/complete"


def asked(delivery: str) -> tuple[int, dict[str, str]]:
    return 200, {"Message": "Password reset email sent.", "Delivery": delivery}


@pytest.fixture(scope="module")
def mailbox() -> Iterator[Mailbox]:
    with receiving() as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def settings(settings: Settings, mailbox: Mailbox) -> Settings:
    return mailing(settings, mailbox)


@pytest.fixture(scope="module", autouse=True)
def worker(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A worker, by its log."""
    log = tmp_path_factory.mktemp("worker") / "log"
    with working(settings, log):
        yield log


async def request(client: httpx2.AsyncClient, account: Account) -> httpx2.Response:
    return await client.get(account.path("/password/reset"))


async def mailed(client: httpx2.AsyncClient, mailbox: Mailbox, account: Account) -> Letter:
    """Ask for a mail, and the mail."""
    assert outcome(await request(client, account)) == asked("queued")
    return await mailbox.wait_for(account.email)


async def set_back(
    database: Database, account: Account, column: LiteralString, minutes: int
) -> None:
    """Let an account's resets be older than they are."""
    await database.write(
        lambda writer: writer.run(
            f"""
            UPDATE password_resets SET {column} = {column} - make_interval(mins => $2)
             WHERE user_id = $1
            """,
            account.id,
            minutes,
        )
    )


async def test_a_mail_with_a_link_and_a_code_comes_to_the_stored_address(client, database, mailbox):
    """Once, and to nobody else, whatever the asker adds."""
    account = await Account.make(database)

    answer = await client.get(account.path("/password/reset"), params={"email": "eve@example.org"})

    assert outcome(answer) == asked("queued")
    letter = await mailbox.wait_for(account.email)
    assert letter.recipients == [account.email]
    message = letter.message
    assert message["To"] == account.email
    assert message["From"] == "The Keeper <keeper@example.org>"
    assert message["Subject"] == "Choose a new password for Lyra"
    greeting, _, sentence = letter.text.splitlines()[:3]
    assert greeting == f"Hello {account.name},"
    assert sentence == "We received a request to set a new password for your account in Lyra."
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Cc"] is None
    assert message["Bcc"] is None
    link = f"https://play.example.org/reset?language=en#token={letter.token}"
    for body in (letter.text, letter.html):
        assert link in body
        assert letter.code in body
        assert account.name in body
        assert "30 minutes" in body
    assert not mailbox.to("eve@example.org")
    await mailed(client, mailbox, await Account.make(database))
    assert len(mailbox.to(account.email)) == 1


async def test_a_second_mail_must_be_waited_for_and_voids_nothing(client, database, mailbox):
    """Within five minutes there is one; after them another, and both links work."""
    account = await Account.make(database)
    first = await mailed(client, mailbox, account)

    assert outcome(await request(client, account)) == asked("throttled")
    await set_back(database, account, "created_at", 6)
    mailbox.letters.remove(first)
    second = await mailed(client, mailbox, account)

    assert first.token != second.token
    assert first.code != second.code
    done = await client.post(COMPLETE, json={"token": first.token, "new": sha("better")})
    assert outcome(done) == (200, {"Message": "Password Updated"})


async def test_of_twenty_requests_at_once_one_is_mailed(client, database, mailbox):
    account = await Account.make(database)

    answers = await asyncio.gather(*(request(client, account) for _ in range(20)))

    deliveries = sorted(answer.json()["Delivery"] for answer in answers)
    assert deliveries == ["queued"] + ["throttled"] * 19
    await mailbox.wait_for(account.email)
    # A second one would have come before a later one.
    await mailed(client, mailbox, await Account.make(database))
    assert len(mailbox.to(account.email)) == 1


async def test_without_a_mail_server_the_answer_is_the_same_and_says_so(
    settings, database, served_database, key
):
    account = await Account.make(database)
    plain = msgspec.structs.replace(settings, smtp_url=None)
    async with in_process(plain, served_database.database(plain), bearer(key)) as client:
        for _ in range(2):
            assert outcome(await request(client, account)) == asked("not_configured")
    sql = "SELECT count(*) FROM password_resets WHERE user_id = $1"
    assert await database.reader.value(sql, account.id) == 0


async def test_looking_at_the_headers_sends_no_mail(client, database):
    """A browser or a link checker that asks with HEAD must change nothing."""
    account = await Account.make(database)

    answer = await client.head(account.path("/password/reset"))

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"
    assert outcome(await request(client, account)) == asked("queued")


async def test_an_unknown_account_gets_no_mail(client):
    answer = await client.get("/api/v1/users/nobody/password/reset")

    assert outcome(answer) == refusal(404, "user_not_found", "No user with name 'nobody'.")


@pytest.mark.parametrize(
    "address",
    ["jürgen@example.org", "ana@bücher.example", "o'brien+x@example.org", "用户@例子.example"],
)
async def test_an_address_of_any_script_gets_its_mail(client, database, mailbox, address):
    """Whatever address an account may be registered with, it can be reset with."""
    user = await make_user(database, email=address)
    account = Account(user, str(user), address)

    letter = await mailed(client, mailbox, account)

    assert [normal(recipient) for recipient in letter.recipients] == [address]
    assert normal(str(letter.message["To"])) == address


async def test_an_internationalised_domain_needs_no_internationalised_mail_server(settings):
    """Only the part before the @ does; a domain has an older spelling that all servers know."""
    with receiving(internationalised=False) as older:
        theirs = msgspec.structs.replace(settings, smtp_url=Hidden(older.url))
        await smtp.send(theirs, written(theirs, name="bo", email="bo@bücher.example"))

    [letter] = older.letters
    assert letter.recipients == ["bo@xn--bcher-kva.example"]


def test_no_name_and_no_setting_puts_a_line_into_the_head_of_a_mail(settings):
    """A username cannot hold a line break; even if one did, it would stay in the text."""
    named = msgspec.structs.replace(settings, game_name="Lyra")
    letter = written(named, name="ana\r\nBcc: eve@example.org", email="ana@example.org")

    again = Letter([], letter)
    assert letter["Bcc"] is None
    assert letter["To"] == "ana@example.org"
    assert "eve@example.org" in again.text
    with pytest.raises(ValueError):
        written(
            msgspec.structs.replace(settings, game_name="Lyra\r\nBcc: eve@example.org"),
            name="ana",
            email="ana@example.org",
        )
    with pytest.raises(Exception):  # noqa: B017  whatever the library calls it
        written(settings, name="ana", email="ana@example.org\r\nBcc: eve@example.org")


def test_a_name_is_text_in_the_html_too(settings):
    letter = Letter([], written(settings, name="<b onclick=x>ana</b>", email="ana@example.org"))

    assert "<b onclick" not in letter.html
    assert "&lt;b onclick=x&gt;ana&lt;/b&gt;" in letter.html


def test_a_mail_that_is_sent_again_is_the_same_mail(settings):
    """Its Message-ID too, so that a mailbox that got the first shows one."""
    one, two = (written(settings, name="ana", email="ana@example.org") for _ in range(2))

    assert one["Message-ID"] == two["Message-ID"]
    assert Letter([], one).text == Letter([], two).text


def written(settings: Settings, *, name: str, email: str) -> EmailMessage:
    return messages.password_reset(
        settings,
        texts=texts_in("en"),
        name=name,
        email=email,
        token="token",
        code="ABCDEFGH",
        minutes=30,
        reference="0" * 32,
    )


def test_a_code_has_no_letters_that_people_mistake_for_each_other():
    assert not set("01OIZ") & set(CODE_ALPHABET)
    assert len(set(CODE_ALPHABET)) == len(CODE_ALPHABET)


async def test_neither_the_job_nor_the_log_holds_what_was_mailed(
    client, database, mailbox, worker, log
):
    """The link and the code are made when the mail is written, and stored nowhere."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    rows = await database.reader.rows(
        """
        SELECT convert_from(payload, 'UTF8') AS text FROM pgqueuer WHERE payload IS NOT NULL
        UNION ALL SELECT pgqueuer_log::text FROM pgqueuer_log
        UNION ALL SELECT password_resets::text FROM password_resets
        """
    )
    everything = "\n".join([*(row["text"] for row in rows), worker.read_text(), log.read_text()])
    assert str(account.id) in everything
    for secret in (letter.token, letter.code, letter.code.replace("-", "")):
        assert secret not in everything


@pytest.mark.torture
async def test_a_mail_server_that_is_away_gets_the_mail_later(client, database, mailbox, worker):
    """The request is answered at once all the same."""
    account = await Account.make(database)
    mailbox.close()
    try:
        assert outcome(await request(client, account)) == asked("queued")
        await said(worker, "mail_delayed")
    finally:
        mailbox.open()

    letter = await mailbox.wait_for(account.email)

    sent = {"token": letter.token, "new": sha("better")}
    assert (await client.post(COMPLETE, json=sent)).status_code == 200


async def said(log: Path, words: str) -> None:
    """Wait until a log says something."""

    async def heard() -> bool:
        return re.search(words, log.read_text()) is not None

    await until(heard, f"the worker says: {words}")
