"""A forgotten password: from the mail to the new password."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import LiteralString

import httpx2
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.cheap_passwords import cheap_passwords
from tests.contract.account import Account
from tests.contract.mailbox import Letter, Mailbox, mailing, receiving, working
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import ask, bearer, sign_in
from tests.databases import ServedDatabase
from tests.in_process import in_process
from tests.make import sha

COMPLETE = "/api/v1/users/password/reset/complete"
UPDATED = (200, {"Message": "Password Updated"})
INVALID = refusal(
    400, "invalid_reset", "The link or code is wrong, used or expired. Request a new email."
)


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


@pytest.fixture(scope="module", autouse=True)
def _cheap() -> Iterator[None]:
    """How long a password takes is not the point of these tests."""
    with cheap_passwords():
        yield


@pytest.fixture(scope="module")
async def anonymous(
    settings: Settings, served_database: ServedDatabase
) -> AsyncIterator[httpx2.AsyncClient]:
    """Whoever completes a reset has no credential."""
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
    """All tests try codes from one address, and its budget is not the point of them."""
    await database.write(
        lambda writer: writer.run("DELETE FROM guess_budgets WHERE subject LIKE 'reset:%'")
    )


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


async def opens(client: httpx2.AsyncClient, account: Account, password: str) -> bool:
    answer = await client.post(account.path("/password/validate"), json={"password": sha(password)})
    return answer.status_code == 200


async def test_the_link_gives_a_new_password_once_and_ends_the_old_tokens(
    client, anonymous, database, mailbox
):
    account = await Account.make(database, api=True)
    issued = await sign_in(client, account.name)
    letter = await mailed(client, mailbox, account)
    sent = {"token": letter.token, "new": sha("better").upper()}

    assert outcome(await anonymous.post(COMPLETE, data=sent)) == UPDATED

    assert await opens(client, account, "better")
    assert not await opens(client, account, "secret")
    denied = await anonymous.get("/api/v1/players", headers=bearer(issued["access_token"]))
    assert denied.status_code == 401
    again = await ask(client, grant_type="refresh_token", refresh_token=issued["refresh_token"])
    assert again.json()["error"] == "invalid_grant"
    assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID
    code = {"username": account.name, "code": letter.code, "new": sha("worse")}
    assert outcome(await anonymous.post(COMPLETE, json=code)) == INVALID


@pytest.mark.parametrize("spelled", ["{0}-{1}", "{0}{1}", "{0} {1}", " {0} - {1}\t"])
@pytest.mark.parametrize("case", [str.upper, str.lower])
async def test_the_code_is_read_as_people_type_it(
    client, anonymous, database, mailbox, spelled, case
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    typed = case(spelled.format(*letter.code.split("-")))

    sent = {"username": account.name.upper(), "code": typed, "new": sha("better")}

    assert outcome(await anonymous.post(COMPLETE, json=sent)) == UPDATED
    assert await opens(client, account, "better")
    assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID


async def test_after_five_wrong_codes_the_right_one_is_void(client, anonymous, database, mailbox):
    """But not the link: whoever knows a name could otherwise keep its owner from ever resetting."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    sent = {"username": account.name, "code": "2222-2222", "new": sha("better")}
    for _ in range(5):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID

    right = await anonymous.post(COMPLETE, json=sent | {"code": letter.code})

    assert outcome(right) == INVALID
    assert await opens(client, account, "secret")
    link = await anonymous.post(COMPLETE, json={"token": letter.token, "new": sha("better")})
    assert outcome(link) == UPDATED


async def test_four_wrong_codes_are_forgiven(client, anonymous, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    sent = {"username": account.name, "code": "2222-2222", "new": sha("better")}
    for _ in range(4):
        assert outcome(await anonymous.post(COMPLETE, json=sent)) == INVALID

    assert outcome(await anonymous.post(COMPLETE, json=sent | {"code": letter.code})) == UPDATED


async def test_after_half_an_hour_link_and_code_are_void(client, anonymous, database, mailbox):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    sql = "SELECT expires_at - created_at FROM password_resets WHERE user_id = $1"
    assert (await database.reader.value(sql, account.id)).total_seconds() == 30 * 60
    await set_back(database, account, "expires_at", 30)

    for sent in ({"token": letter.token}, {"username": account.name, "code": letter.code}):
        answer = await anonymous.post(COMPLETE, json=sent | {"new": sha("better")})

        assert outcome(answer) == INVALID
    assert await opens(client, account, "secret")


async def test_only_what_was_mailed_completes_a_reset(client, anonymous, database, mailbox):
    """Not another account's code, not half a link, not nothing at all."""
    account, other = await Account.make(database), await Account.make(database)
    letter = await mailed(client, mailbox, account)
    token = letter.token
    flipped = token[:-5] + ("A" if token[-5] != "A" else "B") + token[-4:]
    for sent in (
        {},
        {"token": ""},
        {"token": "garbage"},
        {"token": "é"},
        {"token": token[:40]},
        {"token": flipped},
        {"token": token + "="},
        {"code": letter.code},
        {"username": account.name},
        {"username": account.name, "code": ""},
        {"username": account.name, "code": token},
        {"username": other.name, "code": letter.code},
        {"username": "nobody", "code": letter.code},
    ):
        answer = await anonymous.post(COMPLETE, json=sent | {"new": sha("better")})

        assert outcome(answer) == INVALID, sent
    assert await opens(client, account, "secret")
    assert await opens(client, other, "secret")


async def test_of_five_who_use_one_link_at_once_exactly_one_succeeds(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    news = [f"better {number}" for number in range(5)]

    answers = await asyncio.gather(
        *(anonymous.post(COMPLETE, json={"token": letter.token, "new": sha(n)}) for n in news)
    )

    good = [new for new, answer in zip(news, answers, strict=True) if answer.status_code == 200]
    assert len(good) == 1
    assert [outcome(answer) for answer in answers].count(INVALID) == 4
    assert await opens(client, account, good[0])


async def test_a_password_changed_otherwise_voids_the_mail(client, anonymous, database, mailbox):
    """Whoever has read an old mail must not undo what the owner has done since."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    changed = await client.post(
        account.path("/password/change"), json={"new": sha("mine"), "authorization": sha("secret")}
    )
    assert changed.status_code == 200

    answer = await anonymous.post(COMPLETE, json={"token": letter.token, "new": sha("theirs")})

    assert outcome(answer) == INVALID
    assert await opens(client, account, "mine")


async def test_an_address_changed_meanwhile_voids_the_mail(client, anonymous, database, mailbox):
    """Whoever still reads the old mailbox must not use what lies there."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)
    path, new = account.path("/manage/email/change"), {"new": f"new-{account.email}"}
    assert (await client.post(path, json=new)).status_code == 200

    answer = await anonymous.post(COMPLETE, json={"token": letter.token, "new": sha("theirs")})

    assert outcome(answer) == INVALID
    assert await opens(client, account, "secret")


async def test_a_reset_helps_after_a_hundred_wrong_passwords(client, anonymous, database, mailbox):
    """At the website where they were tried, and at the token endpoint."""
    account = await Account.make(database)
    assert not await opens(client, account, "no")
    await database.write(
        lambda writer: writer.run(
            """
            WITH website AS (
                UPDATE guess_budgets
                   SET failures = 100, streak = 100, blocked_until = now() + interval '15 minutes'
                 WHERE starts_with(subject, $2)
            )
            INSERT INTO guess_budgets (subject, failures, streak, blocked_until)
            VALUES ($1, 100, 100, now() + interval '1 hour')
            """,
            f"account:{account.name.lower()}",
            f"website:{account.id}:",
        )
    )
    assert not await opens(client, account, "secret")
    letter = await mailed(client, mailbox, account)

    await anonymous.post(COMPLETE, json={"token": letter.token, "new": sha("better")})

    assert await opens(client, account, "better")
    left = "SELECT count(*) FROM guess_budgets WHERE subject = $1"
    assert await database.reader.value(left, f"account:{account.name.lower()}") == 0


@pytest.mark.parametrize(
    "new", ["", "better", sha("")], ids=["nothing", "no hash", "hash of nothing"]
)
async def test_the_new_password_must_be_a_hash_of_something(
    client, anonymous, database, mailbox, new
):
    """And the link is still good afterwards."""
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    refused = await anonymous.post(COMPLETE, json={"token": letter.token, "new": new})

    assert refused.status_code == 400
    assert refused.json()["Code"] == "invalid_password_hash"
    sent = {"token": letter.token, "new": sha("better")}
    assert outcome(await anonymous.post(COMPLETE, json=sent)) == UPDATED


async def test_a_guessable_password_is_refused_and_the_link_stays_good(
    client, anonymous, database, mailbox
):
    account = await Account.make(database)
    letter = await mailed(client, mailbox, account)

    for chosen in ("password1", account.name, f"{account.name}123"):
        sent = {"token": letter.token, "new": sha(chosen)}
        refused = await anonymous.post(COMPLETE, json=sent)
        assert (refused.status_code, refused.json()["Code"]) == (400, "guessable_password")

    sent = {"token": letter.token, "new": sha("better")}
    assert outcome(await anonymous.post(COMPLETE, json=sent)) == UPDATED
