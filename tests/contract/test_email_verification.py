"""An email address: from the mail to the verified address, and what an attacker tries."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import LiteralString
from uuid import UUID

import httpx2
import pytest

from gamekeeper.core.languages.texts import texts_in
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users import emails, verified_emails
from gamekeeper.users.emails import NewEmail
from tests.cheap_passwords import cheap_passwords
from tests.contract.account import Account
from tests.contract.mailbox import Letter, Mailbox, mailing, receiving, working
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import bearer, sign_in
from tests.databases import ServedDatabase
from tests.deadlines import until
from tests.in_process import in_process
from tests.make import BY, sha

COMPLETE = "/api/v1/users/email/verification/complete"
VERIFIED = (200, {"Message": "Email Verified"})
INVALID = refusal(
    400,
    "invalid_verification",
    "The link or code is wrong, used or expired. Request a new email.",
)


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


@pytest.fixture(scope="module", autouse=True)
def _cheap() -> Iterator[None]:
    with cheap_passwords():
        yield


@pytest.fixture(scope="module")
async def anonymous(
    settings: Settings, served_database: ServedDatabase
) -> AsyncIterator[httpx2.AsyncClient]:
    """Whoever has the mail needs no credential."""
    async with in_process(settings, served_database.database(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def client(anonymous: httpx2.AsyncClient, key: str) -> httpx2.AsyncClient:
    """The same application, called with a key that may do everything."""
    return httpx2.AsyncClient(
        transport=anonymous._transport, base_url=anonymous.base_url, headers=bearer(key)
    )


@pytest.fixture(autouse=True)
async def _forgiven(database: Database) -> None:
    """All tests try codes from one address, and its budget is not the point of most."""
    await database.write(
        lambda writer: writer.run("DELETE FROM guess_budgets WHERE subject LIKE 'verify:%'")
    )


async def ask(client: httpx2.AsyncClient, account: Account) -> str:
    answer = await client.post(account.path("/email/verification"))
    assert answer.status_code == 200, answer.text
    return answer.json()["Delivery"]


async def mailed(client: httpx2.AsyncClient, mailbox: Mailbox, account: Account) -> Letter:
    assert await ask(client, account) == "queued"
    return await mailbox.wait_for(account.email)


async def is_verified(database: Database, user: UUID) -> bool:
    return await verified_emails.is_verified(database.reader, user)


async def change(database: Database, account: Account, email: str) -> None:
    await emails.change.one(database, NewEmail(by=BY, user=str(account.id), email=email))


async def set_back(database: Database, account: Account, column: LiteralString, hours: int) -> None:
    """Let an account's verifications be older than they are."""
    sql: LiteralString = f"""
        UPDATE email_verifications SET {column} = {column} - make_interval(hours => $2)
         WHERE user_id = $1
    """
    await database.write(lambda writer: writer.run(sql, account.id, hours))


# ── Link and code ──


async def test_the_link_verifies_the_address_once(client, anonymous, database, mailbox):
    account = await Account.make(database)
    before = (await client.get(account.path("/email"))).json()
    letter = await mailed(client, mailbox, account)

    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == VERIFIED

    assert before == {
        "Email": account.email,
        "IsVerified": False,
        "IsRequired": False,
        "VerifiedAt": None,
        "Method": None,
    }
    after = (await client.get(account.path("/email"))).json()
    assert after.pop("VerifiedAt") is not None
    assert after == {
        "Email": account.email,
        "IsVerified": True,
        "IsRequired": False,
        "Method": "mail",
    }
    sql = "SELECT actor, after FROM actions WHERE kind = 'users.verify' AND user_id = $1"
    [action] = await database.reader.rows(sql, account.id)
    assert action["after"] == {"method": "mail"}, "the log of actions has no address"
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == INVALID
    code = {"username": account.name, "code": letter.code}
    assert outcome(await anonymous.post(COMPLETE, json=code)) == INVALID
    assert await ask(client, account) == "verified"


async def test_the_code_verifies_the_address(client, anonymous, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    typed = {"username": account.name.upper(), "code": letter.code.lower().replace("-", " ")}

    assert outcome(await anonymous.post(COMPLETE, json=typed)) == VERIFIED

    assert await is_verified(database, account.id)


async def test_a_link_that_a_mail_scanner_opens_verifies_nothing(
    client, anonymous, database, mailbox
):
    """Scanners GET links, also with the part after `#` as a parameter, and HEAD them."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    for method, path in (
        ("GET", f"/verify?token={letter.token}"),
        ("GET", "/verify"),
        ("HEAD", "/verify"),
        ("GET", f"{COMPLETE}?token={letter.token}"),
        ("HEAD", f"{COMPLETE}?token={letter.token}"),
        ("OPTIONS", COMPLETE),
    ):
        await anonymous.request(method, path)

    assert not await is_verified(database, account.id)
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == VERIFIED


async def test_after_five_wrong_codes_only_the_link_is_valid(client, anonymous, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    guess = {"username": account.name, "code": "2222-2222"}
    for _ in range(5):
        assert outcome(await anonymous.post(COMPLETE, json=guess)) == INVALID

    right = await anonymous.post(COMPLETE, json=guess | {"code": letter.code})

    assert outcome(right) == INVALID
    assert not await is_verified(database, account.id)
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == VERIFIED


async def test_one_address_can_try_twenty_codes_and_then_waits(anonymous, database):
    answers = [
        await anonymous.post(COMPLETE, json={"username": "nobody", "code": "2222-2222"})
        for _ in range(21)
    ]

    assert [answer.status_code for answer in answers] == [400] * 20 + [429]
    assert {outcome(answer) == INVALID for answer in answers[:20]} == {True}


async def test_only_what_was_mailed_verifies(client, anonymous, database, mailbox):
    account, other = await Account.make(database), await Account.make(database)
    letter = await mailed(client, mailbox, account)
    await client.get(account.path("/password/reset"))
    token = letter.token
    flipped = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    for sent in (
        {},
        {"token": ""},
        {"token": "é"},
        {"token": token[:40]},
        {"token": flipped},
        {"code": letter.code},
        {"username": other.name, "code": letter.code},
        {"username": "nobody", "code": letter.code},
    ):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID, sent
    assert not await is_verified(database, account.id)
    assert not await is_verified(database, other.id)


async def test_a_mailed_password_reset_is_no_verification_and_the_other_way_round(
    client, anonymous, database, mailbox
):
    ana, bob = await Account.make(database), await Account.make(database)
    await client.get(bob.path("/password/reset"))
    reset = await mailbox.wait_for(bob.email)
    verification = await mailed(client, mailbox, ana)
    complete_reset = "/api/v1/users/password/reset/complete"

    crossed = await anonymous.post(COMPLETE, json={"token": reset.token})
    new = {"token": verification.token, "new": sha("stolen")}
    taken = await anonymous.post(complete_reset, json=new)

    assert outcome(crossed) == INVALID
    assert taken.status_code == 400
    assert taken.json()["Code"] == "invalid_reset"


async def test_after_a_day_link_and_code_are_void(client, anonymous, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    await set_back(database, account, "expires_at", 24)

    for sent in ({"token": letter.token}, {"username": account.name, "code": letter.code}):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID


async def test_of_five_who_use_one_link_at_once_exactly_one_succeeds(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    answers = await asyncio.gather(
        *(anonymous.post(COMPLETE, json={"token": letter.token}) for _ in range(5))
    )

    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400, 400]
    sql = "SELECT count(*) FROM actions WHERE kind = 'users.verify' AND user_id = $1"
    assert await database.reader.value(sql, account.id) == 1


# ── Changes of address ──


async def test_an_address_changed_between_mail_and_click_voids_link_and_code(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    await change(database, account, f"other-{account.email}")

    for sent in ({"token": letter.token}, {"username": account.name, "code": letter.code}):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID
    assert not await is_verified(database, account.id)


async def test_an_old_link_stays_void_when_the_account_gets_its_address_back(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    await change(database, account, f"other-{account.email}")
    await change(database, account, account.email)

    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == INVALID
    assert not await is_verified(database, account.id)


async def test_a_change_by_the_version_before_voids_the_link_too(
    client, anonymous, database, mailbox
):
    """It does not know the table of verifications: only the address says that they are void."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    sql = "UPDATE users SET email = 'x' || email WHERE id = $1"
    await database.write(lambda writer: writer.run(sql, account.id))

    for sent in ({"token": letter.token}, {"username": account.name, "code": letter.code}):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID


async def test_a_change_confirms_the_new_address_and_tells_the_old_one(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    new = f"new-{account.email}"

    changed = await client.post(
        account.path("/email/change"), json={"new": new, "authorization": sha("secret")}
    )

    assert changed.status_code == 200
    assert changed.json()["Email"] == emails.normal(new)
    notice = await mailbox.wait_for(account.email)
    assert notice.message["Subject"].startswith("Your email address in ")
    assert "#token=" not in notice.text
    assert new not in notice.text, "the old mailbox does not learn the whole new address"
    letter = await mailbox.wait_for(new)
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == VERIFIED
    assert await is_verified(database, account.id)


async def test_requests_cannot_use_up_the_notice_about_a_change(client, database, mailbox):
    """A thief asks for as many mails as a day has, then changes the address."""
    account = await Account.make(database)
    for _ in range(10):
        assert await ask(client, account) == "queued"
        await set_back(database, account, "created_at", 1)
    assert await ask(client, account) == "throttled"

    await change(database, account, f"thief-{account.email}")

    async def has_come() -> bool:
        return any("#token=" not in letter.text for letter in mailbox.to(account.email))

    await until(has_come, "the notice about the change")


async def test_two_accounts_never_verify_one_address(client, anonymous, database, mailbox):
    """The link of the former owner of an address verifies neither account."""
    ana, bob = await Account.make(database), await Account.make(database)
    letter = await mailed(client, mailbox, ana)
    taken = await client.post(
        bob.path("/email/change"), json={"new": ana.email, "authorization": sha("secret")}
    )
    await change(database, ana, f"other-{ana.email}")
    await change(database, bob, ana.email)

    assert taken.status_code == 409
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == INVALID
    code = {"username": bob.name, "code": letter.code}
    assert outcome(await anonymous.post(COMPLETE, json=code)) == INVALID
    assert not await is_verified(database, ana.id)
    assert not await is_verified(database, bob.id)


async def test_an_erased_account_gets_no_mail_and_its_link_is_void(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    assert (await client.delete(account.path())).status_code == 200

    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == INVALID
    sql = "SELECT count(*) FROM email_verifications WHERE user_id = $1"
    assert await database.reader.value(sql, account.id) == 0


# ── Mails ──


async def test_mails_are_throttled(client, database, mailbox):
    account = await Account.make(database)

    assert await ask(client, account) == "queued"
    assert await ask(client, account) == "throttled"
    await set_back(database, account, "created_at", 1)
    assert await ask(client, account) == "queued"


async def test_the_mail_is_in_the_language_of_the_account_and_opens_the_page_in_it(
    client, database, mailbox
):
    account = await Account.make(database, language="de")
    letter = await mailed(client, mailbox, account)

    texts = texts_in("de")
    game = "Lyra"
    assert letter.message["Subject"] == texts.plain("mail.verify.subject", game=game)
    link = f"https://play.example.org/verify?language=de#token={letter.token}"
    for body in (letter.text, letter.html):
        assert link in body
        assert letter.code in body
        assert texts.plain("mail.verify.expiry", count=24) in body


async def test_neither_the_job_nor_the_table_holds_what_was_mailed(client, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    rows = await database.reader.rows(
        """
        SELECT convert_from(payload, 'UTF8') AS text FROM pgqueuer WHERE payload IS NOT NULL
        UNION ALL SELECT pgqueuer_log::text FROM pgqueuer_log
        UNION ALL SELECT email_verifications::text FROM email_verifications
        """
    )

    everything = "\n".join(row["text"] for row in rows)
    assert str(account.id) in everything
    for secret in (letter.token, letter.code, letter.code.replace("-", "")):
        assert secret not in everything


# ── The player's own ──


async def test_players_read_and_verify_their_own_address(client, anonymous, database, mailbox):
    account = await Account.make(database, api=True)
    issued = await sign_in(client, account.name)
    own = {"headers": bearer(issued["access_token"])}

    state = await anonymous.get("/api/v1/me/email", **own)
    asked = await anonymous.post("/api/v1/me/email/verification", **own)

    assert state.json()["Email"] == account.email, "in full, without the power to see emails"
    assert asked.json() == {"Delivery": "queued"}
    letter = await mailbox.wait_for(account.email)
    assert outcome(await anonymous.post(COMPLETE, json={"token": letter.token})) == VERIFIED
    assert (await anonymous.get("/api/v1/me/email", **own)).json()["IsVerified"] is True


async def test_a_key_has_no_address_of_its_own(client):
    for answer in (
        await client.get("/api/v1/me/email"),
        await client.post("/api/v1/me/email/verification"),
    ):
        assert answer.status_code == 403
        assert answer.json()["Code"] == "no_account"


async def test_an_unknown_account_has_no_address(client):
    for answer in (
        await client.get("/api/v1/users/nobody/email"),
        await client.post("/api/v1/users/nobody/email/verification"),
    ):
        assert answer.status_code == 404
        assert answer.json()["Code"] == "user_not_found"
