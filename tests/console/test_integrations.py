"""Those who connect programs: a key that works until it is revoked, a webhook that arrives."""

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.keyboard import Keyboard
from tests.console.test_cases import in_order
from tests.console.test_journeys import ON_PHONE, hand_of, told
from tests.console.visit import ConsoleVisit
from tests.webhooks.receivers import Received, Receiver, is_signed, receiver

pytestmark = pytest.mark.browser


async def shown_once(visit: ConsoleVisit) -> str:
    """The secret in the dialog."""
    secret = visit.page.get_by_role("dialog").locator("pre").first
    await secret.wait_for()
    return (await secret.inner_text()).strip()


async def told_of(program: Receiver, words: str, times: int) -> list[Received]:
    """What the program received that has these words, once it has so many."""
    for count in range(1, 100):
        got = [one for one in await program.got(count) if words in one.body.decode()]
        if len(got) == times:
            return got
    raise AssertionError(program.received)


async def test_a_key_works_until_it_is_revoked(visit: ConsoleVisit, game: Game):
    name = f"website-{uuid4().hex[:6]}"
    hand = Keyboard(visit.page)
    await visit.open("/")

    await hand.keys("g", "n")
    await hand.press("button", "New API key")
    await hand.write("Name", name)
    await hand.tick("See characters")
    await hand.press("button", "Create key")
    key = await shown_once(visit)
    await hand.press("button", "I've saved it")
    assert (await game.send("GET", "/players?pageSize=1", key=key)).status_code == 200
    assert (await game.send("GET", "/actions", key=key)).status_code == 403, "only what was ticked"

    await hand.press("row", re.compile(name))
    await hand.press("button", "Revoke")
    await hand.write("Reason", "the website is gone")
    await hand.press("button", "Revoke key")
    await visit.page.get_by_role("alert").filter(has_text=f"“{name}” revoked").wait_for()

    async def call() -> int:
        return (await game.send("GET", "/players?pageSize=1", key=key)).status_code

    assert await game.refuses(call)


@ON_PHONE
async def test_a_sign_in_client_is_registered_changed_and_deleted(
    visits: Visits, world: World, game: Game, on_phone: bool
):
    name, size = f"Forum {uuid4().hex[:6]}", "phone" if on_phone else "desk"
    visit = await visits.by(world.owner, on_phone=on_phone)
    page, hand = visit.page, hand_of(visit, on_phone=on_phone)

    async def stored() -> dict[str, Any]:
        values = (await game.get("/openid-clients"))["Values"]
        return next((one for one in values if one["Name"] == name), {})

    await visit.open("/integrations?tab=sign-in")
    await page.get_by_text("the OpenID provider is off").wait_for()
    await hand.press("button", "New client")
    await hand.write("Name", name)
    await hand.write("Redirect addresses", "https://forum.example.com/callback")
    await hand.tick("Characters")
    await in_order(visit, f"clients-new-{size}")
    await hand.press("button", "Create client")
    secret = await shown_once(visit)
    await in_order(visit, f"clients-secret-{size}")
    await hand.press("button", "I've saved it")
    made = await stored()
    assert secret.startswith("gkox_")
    assert made["Scopes"] == ["openid", "profile", "email", "characters"]
    assert made["RedirectUris"] == ["https://forum.example.com/callback"]

    await page.get_by_role("dialog", name=name).wait_for()
    await in_order(visit, f"clients-one-{size}")
    await hand.press("button", "Edit")
    await hand.write("Sign-out notices to", "https://1.1.1.1/signed-out")
    await hand.press("button", "Save")
    await told(hand, f"Client “{name}” changed")
    assert (await stored())["BackchannelUri"] == "https://1.1.1.1/signed-out"

    await hand.press("button", "New secret")
    await hand.press("button", "Create secret")
    assert await shown_once(visit) != secret
    await hand.press("button", "I've saved it")

    await hand.press("button", "Sign everyone out")
    await hand.press("button", "Sign everyone out")
    await told(hand, f"Everyone is signed out of “{name}”")

    await hand.press("button", "Delete")
    await hand.press("button", "Delete client")
    await told(hand, f"Client “{name}” deleted")
    assert await stored() == {}


async def test_a_webhook_is_tested_and_an_event_replayed(visit: ConsoleVisit, game: Game):
    hand = Keyboard(visit.page)
    async with receiver() as program:
        await visit.open("/")
        await hand.keys("g", "n")
        await hand.tab("Webhooks")
        await hand.press("button", "New webhook")
        await hand.write("URL", program.url)
        await hand.press("button", "Create webhook")
        secret = await shown_once(visit)
        await hand.press("button", "I've saved it")

        await hand.press("button", "Send test")
        [test, *_] = await program.got(1)
        assert is_signed(test, secret)
        deliveries = visit.page.get_by_role("table", name="Deliveries")
        await expect(deliveries.get_by_role("row").filter(has_text="Test")).to_contain_text(
            "Delivered"
        )

        reason = f"a gift to tell of, {uuid4().hex[:6]}"
        item = (await game.get("/search?q=Health+Potion"))["Items"][0]["Id"]
        await game.post("/players/Ana%20Lyra/items/give", itemid=item, quantity=1, reason=reason)
        [first] = await told_of(program, reason, 1)
        await visit.page.reload()
        await hand.press("row", re.compile("^Gave items"))
        await hand.press("button", "Resend")
        [_, again] = await told_of(program, reason, 2)
        assert is_signed(again, secret)
        assert again.headers["webhook-id"] == first.headers["webhook-id"], "the receiver knows it"
        [hook] = [
            entry
            for entry in (await game.get("/webhooks"))["Values"]
            if entry["Url"] == program.url
        ]
        answer = await game.send("DELETE", f"/webhooks/{hook['Id']}")
        assert answer.is_success, answer.text
