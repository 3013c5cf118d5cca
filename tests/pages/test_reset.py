"""The page behind the mailed link, in a real browser, against a real server."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from uuid import UUID

import httpx2
import pytest
from playwright.async_api import Page, expect

from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database
from gamekeeper.users import resets
from gamekeeper.users.resets import Reset, ResetRequest
from tests.deadlines import PATIENCE
from tests.make import make_user, sha
from tests.pages.conftest import GAME, Visit

pytestmark = pytest.mark.browser

OLD = "the old password"
NEW = "пароль нового дня ✓"

Ask = Callable[[str], Awaitable[Reset]]


@pytest.fixture
def ask(database: Database) -> Ask:
    """Make an account whose owner has just asked for a mail."""

    async def ask(name: str) -> Reset:
        user = await make_user(database, name, password=OLD)
        wanted = ResetRequest(user_id=user)
        assert await resets.request.one(database, wanted) == "queued"
        return Reset(user_id=user, id=await _newest(database, user))

    return ask


async def _newest(database: Database, user: UUID) -> UUID:
    return await database.reader.value("SELECT id FROM password_resets WHERE user_id = $1", user)


def link(url: str, database: Database, reset: Reset) -> str:
    return f"{url}/reset#token={resets.link_token(Vault(database.settings), reset)}"


async def is_password(url: str, key: str, name: str, password: str) -> bool:
    async with httpx2.AsyncClient(
        headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE
    ) as client:
        answer = await client.post(
            f"{url}/api/v1/users/{name}/password/validate", json={"password": sha(password)}
        )
    return answer.json()["Message"] == "Password Correct"


async def choose(page: Page, password: str, again: str | None = None) -> None:
    await page.get_by_label("New password").fill(password)
    await page.get_by_label("Repeat password").fill(password if again is None else again)
    await page.get_by_role("button", name="Set the new password").click()


def done(page: Page):
    return page.get_by_role("heading", name="Your password is changed")


async def test_a_link_leads_to_a_new_password(
    visit: Visit, url: str, key: str, database: Database, ask: Ask
):
    address = link(url, database, await ask("ana"))
    await visit.page.goto(address)
    await expect(visit.page.get_by_role("heading", name="Choose a new password")).to_be_visible()
    await expect(visit.page.get_by_text(f"for your account in {GAME}")).to_be_visible()
    await expect(visit.page.get_by_label("Username")).to_be_hidden()

    await choose(visit.page, NEW)

    await expect(done(visit.page)).to_be_focused()
    assert await is_password(url, key, "ana", NEW)
    assert not await is_password(url, key, "ana", OLD)
    assert visit.faults == []


async def test_the_token_leaves_the_address_bar_at_once(
    visit: Visit, url: str, database: Database, ask: Ask
):
    await visit.page.goto(link(url, database, await ask("bo")))
    await expect(visit.page.get_by_label("New password")).to_be_focused()
    assert visit.page.url == f"{url}/reset"
    assert await visit.page.evaluate("history.length") <= 2


async def test_nothing_but_one_hash_leaves_the_page(
    visit: Visit, url: str, database: Database, ask: Ask
):
    reset = await ask("cara")
    await visit.page.goto(link(url, database, reset))
    await choose(visit.page, NEW)
    await expect(done(visit.page)).to_be_visible()

    [post] = visit.posts
    token = resets.link_token(Vault(database.settings), reset)
    assert json.loads(post.post_data or "") == {"token": token, "new": sha(NEW)}
    assert post.url == f"{url}/api/v1/users/password/reset/complete"
    assert "referer" not in await post.all_headers()
    for request in visit.requests:
        assert request.url.startswith(f"{url}/")
        assert token not in request.url
    assert await visit.context.cookies() == []
    assert await visit.page.evaluate("localStorage.length + sessionStorage.length") == 0


async def test_without_a_link_the_code_of_the_mail_is_asked_for(
    visit: Visit, url: str, key: str, database: Database, ask: Ask
):
    code = resets.code(Vault(database.settings), await ask("dan"))
    await visit.page.goto(f"{url}/reset")
    await expect(visit.page.get_by_label("Username")).to_be_focused()
    await visit.page.keyboard.type("DAN")
    await visit.page.keyboard.press("Tab")
    await visit.page.keyboard.type(code.lower())
    await expect(visit.page.get_by_label("Code from the email")).to_have_value(
        f"{code[:4]}-{code[4:]}"
    )
    await visit.page.keyboard.press("Tab")
    await visit.page.keyboard.type(NEW)
    # The button that shows passwords stands between the two.
    await visit.page.keyboard.press("Tab")
    await visit.page.keyboard.press("Tab")
    await visit.page.keyboard.type(NEW)
    await visit.page.keyboard.press("Enter")

    await expect(done(visit.page)).to_be_visible()
    assert await is_password(url, key, "dan", NEW)
    assert visit.faults == []


async def test_what_is_wrong_is_said_and_nothing_is_sent(
    visit: Visit, url: str, database: Database, ask: Ask
):
    await visit.page.goto(link(url, database, await ask("eve")))
    password = visit.page.get_by_label("New password")

    await choose(visit.page, "short")
    await expect(visit.page.get_by_text("Use at least 8 characters.")).to_be_visible()
    await expect(password).to_be_focused()
    await expect(password).to_have_attribute("aria-invalid", "true")

    await choose(visit.page, "long enough", again="long enougj")
    await expect(password).to_have_attribute("aria-invalid", "false")
    await expect(visit.page.get_by_text("The two passwords differ.")).to_be_visible()
    await expect(visit.page.get_by_label("Repeat password")).to_be_focused()

    await visit.page.get_by_label("Repeat password").fill("long enough")
    await expect(visit.page.get_by_text("The two passwords differ.")).to_be_hidden()
    assert visit.posts == []
    assert visit.faults == []


async def test_a_click_counts_although_a_fault_moves_the_button(visit: Visit, url: str):
    """The fault of the field that loses the focus must not appear under the mouse."""
    await visit.page.goto(f"{url}/reset")
    await visit.page.get_by_label("Code from the email").fill("x")

    await visit.page.get_by_role("button", name="Set the new password").click()

    await expect(visit.page.get_by_text("Enter your username.")).to_be_visible()
    await expect(visit.page.get_by_text("The code has 8 letters and digits.")).to_be_visible()
    await expect(visit.page.get_by_label("Username")).to_be_focused()
    assert visit.posts == []


async def test_a_link_that_was_used_is_refused(
    visit: Visit, url: str, key: str, database: Database, ask: Ask
):
    address = link(url, database, await ask("fay"))
    await visit.page.goto(address)
    await choose(visit.page, NEW)
    await expect(done(visit.page)).to_be_visible()

    await visit.page.goto("about:blank")
    await visit.page.goto(address)
    await choose(visit.page, "another password")

    sentence = "The link or code is wrong, used or expired. Ask for a new email."
    await expect(visit.page.get_by_role("alert")).to_have_text(sentence)
    await expect(visit.page.get_by_role("button", name="Set the new password")).to_be_enabled()
    assert await is_password(url, key, "fay", NEW)


async def test_a_server_that_cannot_be_reached_is_said(
    visit: Visit, url: str, database: Database, ask: Ask
):
    await visit.page.goto(link(url, database, await ask("gus")))
    await visit.context.set_offline(True)
    await choose(visit.page, NEW)
    await expect(visit.page.get_by_role("alert")).to_contain_text("cannot be reached")


async def test_passwords_can_be_shown_and_hidden(visit: Visit, url: str):
    await visit.page.goto(f"{url}/reset")
    fields = [visit.page.get_by_label("New password"), visit.page.get_by_label("Repeat password")]
    for name, kind in [("Show passwords", "text"), ("Hide passwords", "password")]:
        await visit.page.get_by_role("button", name=name).click()
        for field in fields:
            await expect(field).to_have_attribute("type", kind)


async def test_a_password_can_be_pasted_and_kept_by_a_password_manager(visit: Visit, url: str):
    """Nothing intercepts the paste, and password managers know the fields by `autocomplete`."""
    await visit.page.goto(f"{url}/reset")
    pasted = "pasted: " + "long " * 20
    for name in ("New password", "Repeat password"):
        field = visit.page.get_by_label(name)
        await expect(field).to_have_attribute("autocomplete", "new-password")
        await field.focus()
        went_on = await field.evaluate(
            """field => field.dispatchEvent(new ClipboardEvent(
                "paste", {clipboardData: new DataTransfer(), cancelable: true, bubbles: true}
            ))"""
        )
        assert went_on
        await visit.page.keyboard.insert_text(pasted)
        await expect(field).to_have_value(pasted)
    await expect(visit.page.get_by_label("Username")).to_have_attribute("autocomplete", "username")


async def test_it_works_where_the_browser_does_not_trust_the_page(
    visit: Visit, url: str, key: str, database: Database, ask: Ask
):
    """Without HTTPS there is no crypto.subtle; then our own SHA-256 is used."""
    untrusted = url.replace("127.0.0.1", "gamekeeper.test")
    await visit.page.goto(link(untrusted, database, await ask("hal")))
    assert await visit.page.evaluate("window.isSecureContext") is False
    assert await visit.page.evaluate("typeof crypto.subtle") == "undefined"
    await choose(visit.page, NEW)
    await expect(done(visit.page)).to_be_visible()
    assert await is_password(url, key, "hal", NEW)


async def test_our_sha256_is_sha256(visit: Visit, url: str):
    """Around the lengths where a block is full, beyond ASCII, and one of many blocks."""
    texts = ["", "abc", "a b", "pässwörd", "пароль", "密码", "🗝️ key", "\u0000", "e\u0301"]
    texts += ["x" * length for length in (55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 5000)]
    await visit.page.goto(f"{url}/reset")
    hashes = await visit.page.evaluate(
        """async (texts) => {
            const { digest, hex } = await import("/reset/sha256.js");
            return texts.map((text) => hex(digest(new TextEncoder().encode(text))));
        }""",
        texts,
    )
    assert hashes == [hashlib.sha256(text.encode()).hexdigest() for text in texts]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_everything_fits_on_a_phone(visit: Visit, url: str, scheme: str):
    await visit.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    await visit.page.set_viewport_size({"width": 320, "height": 640})
    await visit.page.goto(f"{url}/reset")
    await expect(visit.page.get_by_label("Username")).to_be_visible()
    assert await visit.page.evaluate("document.documentElement.scrollWidth") == 320
