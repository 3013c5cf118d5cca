"""The page behind a verification mail, in a real browser, against a real server."""

import json
from collections.abc import Awaitable, Callable

import pytest
from msgspec import structs
from playwright.async_api import expect

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Database
from gamekeeper.users import email_proofs, email_verification, verified_emails
from gamekeeper.users.email_verification import EmailVerificationRequest, MailedVerification
from tests.make import BY, make_user
from tests.pages.conftest import Visit

pytestmark = pytest.mark.browser

Ask = Callable[[str], Awaitable[MailedVerification]]


@pytest.fixture
def ask(database: Database) -> Ask:
    """Make an account whose owner has just been sent a mail."""

    async def ask(name: str) -> MailedVerification:
        user = await make_user(database, name)
        mailing = structs.replace(database.settings, smtp_url=Hidden("smtp://127.0.0.1:9"))
        async with Database.open(mailing) as sending:
            order = EmailVerificationRequest(by=BY, user_id=user)
            assert await email_verification.request.one(sending, order) == "queued"
        sql = "SELECT id FROM email_verifications WHERE user_id = $1"
        return MailedVerification(user_id=user, id=await database.reader.value(sql, user))

    return ask


def link(url: str, database: Database, verification: MailedVerification) -> str:
    token = email_proofs.link_token(Vault(database.settings), verification)
    return f"{url}/verify#token={token}"


def done(visit: Visit):
    return visit.page.get_by_role("heading", name="Your email address is verified")


async def test_a_link_verifies_after_a_click_and_not_before(
    visit: Visit, url: str, database: Database, ask: Ask
):
    verification = await ask("ana")
    await visit.page.goto(link(url, database, verification))
    button = visit.page.get_by_role("button", name="Verify the address")
    await expect(button).to_be_focused()
    assert visit.page.url == f"{url}/verify"
    assert visit.posts == []
    assert not await verified_emails.is_verified(database.reader, verification.user_id)

    await button.click()

    await expect(done(visit)).to_be_focused()
    assert await verified_emails.is_verified(database.reader, verification.user_id)
    [post] = visit.posts
    token = email_proofs.link_token(Vault(database.settings), verification)
    assert json.loads(post.post_data or "") == {"token": token}
    assert all(token not in request.url for request in visit.requests)
    assert visit.faults == []


async def test_without_a_link_the_code_is_asked_for(
    visit: Visit, url: str, database: Database, ask: Ask
):
    verification = await ask("bo")
    code = email_proofs.code(Vault(database.settings), verification)
    await visit.page.goto(f"{url}/verify")
    await visit.page.get_by_role("button", name="Verify the address").click()
    await expect(visit.page.get_by_text("Enter your username.")).to_be_visible()
    await expect(visit.page.get_by_text("The code has 8 letters and digits.")).to_be_visible()
    await visit.page.get_by_label("Username").fill("BO")
    await visit.page.get_by_label("Code from the email").fill(code.lower())

    await visit.page.keyboard.press("Enter")

    await expect(done(visit)).to_be_visible()
    assert visit.faults == []


async def test_a_link_that_is_void_says_what_to_do(
    visit: Visit, url: str, database: Database, ask: Ask
):
    verification = await ask("cara")
    await database.write(
        lambda writer: writer.run("UPDATE email_verifications SET used_at = now()")
    )
    await visit.page.goto(link(url, database, verification))

    await visit.page.get_by_role("button", name="Verify the address").click()

    await expect(visit.page.get_by_text("Ask for a new email.")).to_be_visible()
