"""Settings → Health: the checks, the last backup, and a verification of the ledger."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest
from playwright.async_api import expect

from tests.console.conftest import Visits, World
from tests.console.game import Game
from tests.console.test_journeys import ON_PHONE, hand_of
from tests.console.test_limits import make_supporter
from tests.console.test_screens import MOST_CALLS, PICTURES
from tests.console.visit import ConsoleVisit

pytestmark = pytest.mark.browser

HEALTH = "/settings?tab=health"


@pytest.fixture
async def tables(world: World) -> AsyncIterator[asyncpg.Connection]:
    """The database of the world; without verifications before and after."""
    connection = await asyncpg.connect(world.database_url)
    await connection.execute("DELETE FROM ledger_verifications")
    yield connection
    await connection.execute("DELETE FROM ledger_verifications")
    await connection.close()


async def picture(visit: ConsoleVisit, name: str) -> None:
    if PICTURES:
        await visit.page.screenshot(path=Path(PICTURES) / f"health-{name}.png", full_page=True)


@ON_PHONE
async def test_the_ledger_is_verified_and_the_checks_are_read(
    visits: Visits, world: World, game: Game, tables, on_phone: bool
):
    visit = await visits.by(world.owner, on_phone=on_phone)
    hand, page = hand_of(visit, on_phone=on_phone), visit.page
    await visit.open(HEALTH)
    assert len(visit.api_calls) <= MOST_CALLS, visit.api_calls
    checks = page.get_by_role("region", name="Checks")
    await expect(checks.get_by_role("list", name="Needs attention")).to_contain_text("settings")
    await hand.press("button", re.compile(r"^Show \d+ passed check"))
    passed = checks.get_by_role("list", name=re.compile("passed"))
    await expect(passed).to_contain_text("The tables match this version")
    await expect(page.get_by_role("region", name="Backup")).to_contain_text("No backup is recorded")

    ledger = page.get_by_role("region", name="Ledger")
    await expect(ledger).to_contain_text("No verification was started here.")
    await hand.press("button", "Verify")
    await expect(ledger.get_by_role("status")).to_have_text("The ledger is correct: no faults.")
    await expect(ledger).to_contain_text(re.compile(r"[\d,]+ postings"))
    await expect(ledger.get_by_role("button", name="Verify again")).to_be_enabled()
    assert await visit.violations() == []
    assert await visit.too_wide() <= 0
    await picture(visit, f"verified-{'phone' if on_phone else 'desk'}")

    found = await game.get("/ledger/verification")
    assert (found["State"], found["RequestedByName"]) == ("clean", world.owner)
    action = await game.get(f"/actions/{found['Id']}")
    assert (action["Kind"], action["ActorName"]) == ("ledger.verify", world.owner)


@ON_PHONE
async def test_each_state_is_said_in_words(visits: Visits, world: World, tables, on_phone: bool):
    """Whoever started it, and without a worker that takes it."""
    await tables.execute(
        """
        INSERT INTO ledger_verifications (id, requested_by_name)
        VALUES (gen_random_uuid(), 'a colleague')
        """
    )
    visit = await visits.by(world.owner, on_phone=on_phone)
    await visit.open(HEALTH)
    ledger = visit.page.get_by_role("region", name="Ledger")
    state, button = ledger.get_by_role("status"), ledger.get_by_role("button", name="Verify again")
    await expect(ledger).to_contain_text("a colleague")
    await expect(button).to_be_disabled()
    await expect(state).to_contain_text("Check that a worker is running")
    assert await visit.violations() == []
    await picture(visit, f"waiting-{'phone' if on_phone else 'desk'}")

    await tables.execute(
        """
        UPDATE ledger_verifications
           SET state = 'running', begun_at = now(), heartbeat_at = now(), done = 400, total = 1000
        """
    )
    await expect(ledger.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "40")
    await expect(state).to_contain_text("400 of 1,000 postings")
    assert await visit.violations() == []
    await picture(visit, f"running-{'phone' if on_phone else 'desk'}")

    await tables.execute("UPDATE ledger_verifications SET heartbeat_at = now() - interval '1 hour'")
    await expect(state).to_contain_text("The verification did not finish.")
    await expect(button).to_be_enabled()

    faults = [
        {"law": "slots", "count": 2, "truncated": False},
        {"law": "numbers", "count": 100, "truncated": True},
    ]
    await tables.execute(
        """
        UPDATE ledger_verifications
           SET state = 'faults', ended_at = now(), done = total, faults = $1::jsonb
        """,
        json.dumps(faults),
    )
    await visit.open(HEALTH)
    await expect(state).to_contain_text("gamekeeper ledger verify")
    table = ledger.get_by_role("table", name="Faults by law")
    await expect(table).to_contain_text("more than 100")
    assert await visit.violations() == []
    assert await visit.too_wide() <= 0
    await picture(visit, f"faults-{'phone' if on_phone else 'desk'}")


async def test_others_are_told_which_permission_they_need(visits: Visits, game: Game):
    visit = await visits.by(await make_supporter(game))
    await visit.open(HEALTH)

    await expect(visit.page.get_by_role("main")).to_contain_text("staff.manage")
    assert not [call for call in visit.api_calls if "/health" in call or "/ledger" in call]
