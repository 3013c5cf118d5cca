"""
Jobs that ask for the second factor again, eleven minutes after it was verified.

Each is walked from its own drawer, by keyboard and with a thumb. They run on a server with the
settings of an installation: that of `gamekeeper try` does not ask.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import pyotp
import pytest
from msgspec import Struct
from playwright.async_api import Browser, Locator, StorageState, expect

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.demo.story.cast import LUCKY
from tests.console.conftest import World
from tests.console.game import LATEST, Game
from tests.console.keyboard import Hand, Keyboard, Thumb, field_of
from tests.console.visit import DESK, PHONE, ConsoleVisit
from tests.deadlines import PATIENCE
from tests.make import sha
from tests.server import free_port, serving
from tests.staff.signed_in import OURS, open_session

pytestmark = pytest.mark.browser

CODE = "6-digit code"
ASKED = "Enter the code from your authenticator app."
ON_PHONE = pytest.mark.parametrize("on_phone", [False, True], ids=["keyboard", "thumb"])
IS_ON_TOP = """
(field) => {
    const { x, y, width, height } = field.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === field;
}
"""


@pytest.fixture(scope="session")
async def database(world: World) -> AsyncIterator[Database]:
    async with Database.open(Settings(database_url=Hidden(world.database_url))) as database:
        yield database


@pytest.fixture(scope="session")
def installation(world: World, database: Database, tmp_path_factory) -> Iterator[World]:
    """Another server of the same world, which asks for the second factor again."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("installation") / "log"
    env = {"GAMEKEEPER_PUBLIC_URL": url, "GAMEKEEPER_WEBHOOK_HOSTS": "127.0.0.1:*"}
    with serving(database.settings, log, port=port, **env):
        yield World(
            {
                "url": url,
                "owner": world.owner,
                "key": world.key,
                "databaseUrl": world.database_url,
            }
        )


class Owner(Struct):
    """An owner, who is signed in by a link."""

    name: str
    user_id: UUID
    state: StorageState
    secret: str = ""

    @property
    def code(self) -> str:
        return pyotp.TOTP(self.secret).now()


async def make_owner(browser: Browser, installation: World, game: Game) -> Owner:
    name = f"olga-{uuid4().hex[:6]}"
    about = {"username": name, "email": f"{name}@example.com", "password": sha("a lantern")}
    await game.post("/users/register", **about)
    installation.run("staff", "add", name, "owner")
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(installation.link(name))
    await page.get_by_role("navigation").first.wait_for()
    me = await (await context.request.get(f"{installation.url}/api/v1/me")).json()
    state = await context.storage_state()
    await context.close()
    return Owner(name, UUID(me["UserId"]), state)


async def enrol_app(browser: Browser, installation: World, owner: Owner) -> None:
    """Give them an authenticator app and a recovery code, which nobody should be asked for."""
    context = await browser.new_context(storage_state=owner.state, extra_http_headers=OURS)
    factors = f"{installation.url}/api/v1/me/factors"
    begun = await (await context.request.post(f"{factors}/totp", data={})).json()
    owner.secret = begun["Secret"]
    body = {"id": begun["Id"], "code": owner.code}
    answer = await context.request.post(f"{factors}/totp/confirm", data=body)
    assert answer.ok, await answer.text()
    answer = await context.request.post(f"{installation.url}/api/v1/me/recovery-codes")
    assert answer.ok, await answer.text()
    owner.state = await context.storage_state()
    await context.close()


@pytest.fixture(scope="session")
async def owner(browser: Browser, installation: World) -> Owner:
    """One for all jobs; each verifies the session anew."""
    async with game_of(installation) as game:
        owner = await make_owner(browser, installation, game)
    await enrol_app(browser, installation, owner)
    return owner


@asynccontextmanager
async def game_of(world: World) -> AsyncIterator[Game]:
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        yield Game(client, f"{world.url}/api/v1", world.key)


async def eleven_minutes_later(database: Database, owner: Owner, visit: ConsoleVisit) -> None:
    """Move the session's verification back, and forget which codes of the app were used."""

    async def work(writer) -> None:
        back = "verified_at = verified_at - interval '11 minutes'"
        await writer.run(
            f"UPDATE browser_sessions SET {back} WHERE user_id = $1 AND ended_at IS NULL",
            owner.user_id,
        )
        await writer.run("UPDATE second_factors SET counter = 0 WHERE user_id = $1", owner.user_id)

    await database.write(work)
    # A server keeps for two seconds what it knows of a session.
    began = time.monotonic()
    while True:
        answer = await visit.context.request.get(f"{visit.url}/api/v1/me")
        until = (await answer.json())["Session"]["StepUpUntil"]
        if datetime.fromisoformat(until) < datetime.now(UTC):
            return
        assert time.monotonic() - began < LATEST
        await asyncio.sleep(0.1)


@asynccontextmanager
async def visiting(
    browser: Browser, world: World, owner: Owner, *, on_phone: bool
) -> AsyncIterator[ConsoleVisit]:
    about = {"is_mobile": True, "has_touch": True} if on_phone else {}
    context = await browser.new_context(
        storage_state=owner.state,
        viewport=PHONE if on_phone else DESK,
        reduced_motion="reduce",
        **about,
    )
    context.set_default_timeout(PATIENCE * 1000)
    visit = ConsoleVisit(context, await context.new_page(), world.url)
    try:
        yield visit
    finally:
        # A verification gives the session another cookie.
        owner.state = await context.storage_state()
        await context.close()
    visit.check()


class Walk(Struct):
    """One walk through a job, and what it needs."""

    visit: ConsoleVisit
    hand: Hand
    game: Game
    database: Database
    owner: Owner
    mark: str
    """A name that nothing else has."""

    @property
    def asked(self) -> Locator:
        return self.hand.page.get_by_role("dialog", name="Confirm it's you")

    async def confirm(self) -> None:
        """Answer the dialog, which lies above the drawer and has the focus in its field."""
        await self.asked.get_by_text(ASKED).wait_for()
        field = field_of(self.hand.page, CODE)
        await expect(field).to_be_focused()
        assert await field.evaluate(IS_ON_TOP)
        assert await self.asked.get_by_label("Recovery code").count() == 0
        await self.hand.write(CODE, self.owner.code)
        await self.hand.press("button", "Continue", within=self.asked)
        await expect(self.asked).to_be_hidden()

    async def told(self, words: str | re.Pattern[str]) -> None:
        await self.hand.page.get_by_role("alert").filter(has_text=words).first.wait_for()

    async def once(self) -> None:
        """A secret is shown, this once."""
        await self.hand.press("button", "I've saved it")

    async def key(self, **limits: int) -> dict:
        scopes = ["players.read", "players.items"]
        return await self.game.post("/keys", name=self.mark, scopes=scopes, **limits)

    async def give(self, key: str, quantity: int):
        item = (await self.game.get("/search?q=Health+Potion"))["Items"][0]["Id"]
        path = f"/players/{quote(LUCKY.name)}/items/give"
        about = {"itemid": item, "quantity": quantity, "reason": f"event {self.mark}"}
        return await self.game.send("POST", path, key=key, **about)

    async def colleague(self) -> str:
        about = {"username": self.mark, "email": f"{self.mark}@example.com", "password": sha("x")}
        await self.game.post("/users/register", **about)
        answer = await self.game.send("PUT", f"/staff/{self.mark}/roles/support")
        assert answer.is_success, answer.text
        return self.mark

    async def role(self) -> str:
        await self.game.post("/roles", name=self.mark, scopes=["players.read"])
        return self.mark

    async def client(self) -> str:
        uris = ["https://forum.example.com/callback"]
        return (await self.game.post("/openid-clients", name=self.mark, redirecturis=uris))["Id"]

    async def request(self) -> str:
        """A gift beyond a limit, which waits for approval."""
        key = await self.key(largestgift=1)
        refused = await self.give(key["Key"], 2)
        assert refused.json()["Code"] == "approval_required", refused.text
        [wanted] = [
            entry
            for entry in (await self.game.get("/approvals?state=pending"))["Values"]
            if entry["RequestedByName"] == self.mark
        ]
        return wanted["Id"]


async def undo_everything(walk: Walk) -> None:
    key = await walk.key()
    assert (await walk.give(key["Key"], 2)).is_success
    await walk.visit.open(f"/actions?actor=key:{key['Id']}")
    await walk.hand.press("button", f"Undo everything by {walk.mark}")
    await walk.confirm()
    await walk.hand.press("button", "Undo 1 action")
    await walk.told("Undid 1 action")


async def make_key(walk: Walk) -> None:
    await walk.visit.open("/integrations")
    await walk.hand.press("button", "New API key")
    await walk.hand.write("Name", walk.mark)
    await walk.hand.tick("See characters")
    await walk.hand.press("button", "Create key")
    await walk.confirm()
    await walk.once()


async def revoke_key(walk: Walk) -> None:
    key = await walk.key()
    await walk.visit.open(f"/integrations?key={key['Id']}")
    await walk.hand.press("button", "Revoke")
    await walk.hand.press("button", "Revoke key")
    await walk.confirm()
    await walk.told("revoked")


async def make_webhook(walk: Walk) -> None:
    await walk.visit.open("/integrations?tab=webhooks")
    await walk.hand.press("button", "New webhook")
    await walk.hand.write("URL", f"http://127.0.0.1:9/{walk.mark}")
    await walk.hand.press("button", "Create webhook")
    await walk.confirm()
    await walk.once()


async def renew_secret(walk: Walk) -> None:
    hook = await walk.game.post("/webhooks", url=f"http://127.0.0.1:9/{walk.mark}")
    await walk.visit.open(f"/integrations?tab=webhooks&webhook={hook['Id']}")
    await walk.hand.menu("More actions", "New secret")
    await walk.hand.press("button", "Create secret")
    await walk.confirm()
    await walk.once()


async def make_client(walk: Walk) -> None:
    await walk.visit.open("/integrations?tab=sign-in")
    await walk.hand.press("button", "New client")
    await walk.hand.write("Name", walk.mark)
    await walk.hand.write("Redirect addresses", "https://forum.example.com/callback")
    await walk.hand.press("button", "Create client")
    await walk.confirm()
    await walk.once()


async def change_client(walk: Walk) -> None:
    await walk.visit.open(f"/integrations?tab=sign-in&client={await walk.client()}")
    await walk.hand.press("button", "Edit")
    await walk.hand.write("Name", f"{walk.mark}-2")
    await walk.hand.press("button", "Save")
    await walk.confirm()
    await walk.told("changed")


async def renew_client_secret(walk: Walk) -> None:
    await walk.visit.open(f"/integrations?tab=sign-in&client={await walk.client()}")
    await walk.hand.press("button", "New secret")
    await walk.hand.press("button", "Create secret")
    await walk.confirm()
    await walk.once()


async def remove_client(walk: Walk) -> None:
    await walk.visit.open(f"/integrations?tab=sign-in&client={await walk.client()}")
    await walk.hand.press("button", "Delete")
    await walk.hand.press("button", "Delete client")
    await walk.confirm()
    await walk.told("deleted")


async def grant_role(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=staff&member={await walk.colleague()}")
    await walk.hand.press("button", "Grant role")
    await walk.hand.pick("Role", "moderator")
    await walk.hand.press("button", "Grant")
    await walk.confirm()
    await walk.told("the role moderator")


async def withdraw_role(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=staff&member={await walk.colleague()}")
    await walk.hand.press("button", "Remove role support")
    await walk.hand.press("button", "Remove role")
    await walk.confirm()
    await walk.told("Removed the role support")


async def reset_factors(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=staff&member={await walk.colleague()}")
    await walk.hand.press("button", "Reset second factors")
    await walk.hand.write("Reason", "lost the phone")
    await walk.hand.press("button", "Reset factors")
    await walk.confirm()
    await walk.told("sets up a new second factor")


async def make_role(walk: Walk) -> None:
    await walk.visit.open("/settings?tab=roles")
    await walk.hand.press("button", "New role")
    await walk.hand.write("Name", walk.mark)
    await walk.hand.tick("See characters")
    await walk.hand.press("button", "Create role")
    await walk.confirm()
    await walk.told("created")


async def change_role(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=roles&role={await walk.role()}")
    await walk.hand.press("button", "Edit")
    await walk.hand.write("Description", "events")
    await walk.hand.press("button", "Save role")
    await walk.confirm()
    await walk.told("changed")


async def delete_role(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=roles&role={await walk.role()}")
    await walk.hand.press("button", "Delete")
    await walk.hand.press("button", "Delete role")
    await walk.confirm()
    await walk.told("deleted")


async def approve(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=approvals&approval={await walk.request()}")
    await walk.hand.press("button", "Approve")
    await walk.confirm()
    await walk.told("Approved and applied")


async def reject(walk: Walk) -> None:
    await walk.visit.open(f"/settings?tab=approvals&approval={await walk.request()}")
    await walk.hand.press("button", "Reject")
    await walk.confirm()
    await walk.told("Rejected")


async def add_app(walk: Walk) -> None:
    await walk.visit.open("/profile")
    await walk.hand.press("button", "Add authenticator app")
    await walk.confirm()
    await walk.hand.page.get_by_role("img", name="QR code for your authenticator app").wait_for()


async def remove_factor(walk: Walk) -> None:
    sql = """
        INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, secret)
        VALUES ($1, gen_random_uuid(), 'totp', $2, now(), 'sealed')
    """
    await walk.database.write(lambda writer: writer.run(sql, walk.owner.user_id, walk.mark))
    await walk.visit.open("/profile")
    await walk.hand.press("button", f"Remove {walk.mark}")
    await walk.confirm()
    await walk.told("Removed")


async def make_codes(walk: Walk) -> None:
    await walk.visit.open("/profile")
    await walk.hand.press("button", "Generate new codes")
    await walk.confirm()
    await walk.hand.press("button", "I've saved them")


async def end_sessions(walk: Walk) -> None:
    await open_session(walk.database, walk.owner.user_id)
    await walk.visit.open("/profile")
    await walk.hand.press("button", "End all others")
    await walk.confirm()
    await walk.told("Session ended")


JOBS = (
    *(undo_everything, make_key, revoke_key, make_webhook, renew_secret),
    *(make_client, change_client, renew_client_secret, remove_client),
    *(grant_role, withdraw_role, reset_factors, make_role, change_role, delete_role),
    *(approve, reject, add_app, remove_factor, make_codes, end_sessions),
)


@ON_PHONE
@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
async def test_a_job_asks_for_the_code_of_the_app_and_goes_on(
    browser, installation, database, owner, job: Callable[[Walk], Awaitable[None]], on_phone: bool
):
    async with (
        visiting(browser, installation, owner, on_phone=on_phone) as visit,
        game_of(installation) as game,
    ):
        await eleven_minutes_later(database, owner, visit)
        hand = Thumb(visit.page) if on_phone else Keyboard(visit.page)
        mark = f"step-{uuid4().hex[:6]}"
        await job(
            Walk(visit=visit, hand=hand, game=game, database=database, owner=owner, mark=mark)
        )


async def test_escape_closes_the_question_and_not_the_drawer(
    browser, installation, database, owner
):
    async with visiting(browser, installation, owner, on_phone=False) as visit:
        await eleven_minutes_later(database, owner, visit)
        hand = Keyboard(visit.page)
        await visit.open("/integrations")
        await hand.press("button", "New API key")
        await hand.write("Name", "website")
        await hand.tick("See characters")
        await hand.press("button", "Create key")
        await expect(field_of(visit.page, CODE)).to_be_focused()

        await hand.keys("Escape")

        await expect(visit.page.get_by_role("dialog", name="Confirm it's you")).to_be_hidden()
        drawer = visit.page.get_by_role("dialog", name="New API key")
        await expect(drawer.get_by_role("alert")).to_contain_text("Verify the second factor again")
        await expect(field_of(visit.page, "Name")).to_have_value("website")


@ON_PHONE
async def test_without_a_second_factor_the_dialog_leads_to_the_first_one(
    browser, installation, database, on_phone: bool
):
    """Which is enrolled there, comes with recovery codes, and verifies the session."""
    async with game_of(installation) as game:
        newcomer = await make_owner(browser, installation, game)
    async with visiting(browser, installation, newcomer, on_phone=on_phone) as visit:
        await eleven_minutes_later(database, newcomer, visit)
        page, hand = visit.page, Thumb(visit.page) if on_phone else Keyboard(visit.page)
        await visit.open("/integrations")
        await start_key(hand)
        asked = page.get_by_role("dialog", name="Confirm it's you")
        await expect(asked).to_contain_text(f"gamekeeper staff link {newcomer.name}")
        await hand.press("link", "Add a second factor", within=asked)

        await hand.press("button", "Add authenticator app")
        secret = page.get_by_role("dialog").locator("code").first
        newcomer.secret = await secret.inner_text()
        await hand.write("6-digit code", newcomer.code)
        await hand.press("button", "Confirm")
        await page.get_by_role("heading", name="Your recovery codes").wait_for()
        assert await page.get_by_role("dialog").locator("code").count() == 10
        await hand.press("button", "I've saved them")

        await visit.open("/integrations")
        await start_key(hand)
        await hand.press("button", "I've saved it")


async def test_without_a_second_factor_the_link_has_the_focus(browser, installation, database):
    """The first time, when the factors load while the dialog is open, and when they are known."""
    async with game_of(installation) as game:
        newcomer = await make_owner(browser, installation, game)
    async with visiting(browser, installation, newcomer, on_phone=False) as visit:
        await eleven_minutes_later(database, newcomer, visit)
        page, hand = visit.page, Keyboard(visit.page)
        await visit.open("/integrations")
        await start_key(hand)
        asked = page.get_by_role("dialog", name="Confirm it's you")
        link = asked.get_by_role("link", name="Add a second factor")
        await expect(link).to_be_focused()

        await hand.keys("Escape")
        await expect(asked).to_be_hidden()
        await hand.press("button", "Create key")
        await expect(link).to_be_focused()

        await hand.keys("Enter")
        await page.get_by_role("button", name="Add authenticator app").wait_for()


async def start_key(hand: Hand) -> None:
    await hand.press("button", "New API key")
    await hand.write("Name", f"step-{uuid4().hex[:6]}")
    await hand.tick("See characters")
    await hand.press("button", "Create key")


async def test_a_passkey_is_asked_for_where_it_is_the_only_factor(browser, installation, database):
    # Browsers make no passkeys for addresses, only for names.
    named = World(
        {
            "url": installation.url.replace("127.0.0.1", "localhost"),
            "owner": installation.owner,
            "key": installation.key,
            "databaseUrl": installation.database_url,
        }
    )
    async with game_of(installation) as game:
        newcomer = await make_owner(browser, named, game)
    async with visiting(browser, named, newcomer, on_phone=False) as visit:
        await add_finger(visit)
        hand = Keyboard(visit.page)
        await visit.open("/profile")
        await hand.press("button", "Add passkey")
        await hand.press("button", "I've saved them")
        await eleven_minutes_later(database, newcomer, visit)
        await visit.open("/integrations")
        await start_key(hand)
        asked = visit.page.get_by_role("dialog", name="Confirm it's you")
        await asked.get_by_text("Use your passkey.").wait_for()
        assert await asked.get_by_role("textbox").count() == 0, "a recovery code is the last resort"
        await expect(asked.get_by_role("button", name="Use a passkey")).to_be_focused()
        await hand.keys("Enter")
        await hand.press("button", "I've saved it")


async def add_finger(visit: ConsoleVisit) -> None:
    """A device that makes passkeys."""
    devtools = await visit.context.new_cdp_session(visit.page)
    await devtools.send("WebAuthn.enable")
    finger = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
    }
    await devtools.send("WebAuthn.addVirtualAuthenticator", {"options": finger})


async def test_a_trial_never_asks(browser, world, database):
    async with game_of(world) as game:
        newcomer = await make_owner(browser, world, game)
    async with visiting(browser, world, newcomer, on_phone=False) as visit:
        await eleven_minutes_later(database, newcomer, visit)
        hand = Keyboard(visit.page)
        await visit.open("/integrations")
        await start_key(hand)
        await hand.press("button", "I've saved it")
