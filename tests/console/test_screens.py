"""Every screen: at both sizes, in both themes, nothing that axe finds, few calls."""

import os
import re
from pathlib import Path

import pytest

from tests.console.game import Game
from tests.console.visit import DESK, PHONE, ConsoleVisit

pytestmark = pytest.mark.browser

HERO = "Ana Lyra"
SCREENS = [
    "/",
    "/players",
    "/players?search=a",
    "/players?sort=seen",
    f"/players/{HERO}",
    "/players/Corin Pike",
    f"/players/{HERO}?tab=items",
    f"/players/{HERO}?tab=spells",
    f"/players/{HERO}?tab=variables",
    "/players/Lena Marlow?tab=mailbox",
    f"/players/{HERO}?tab=mailbox&ended=true",
    f"/players/{HERO}?tab=sessions",
    f"/players/{HERO}?tab=chat",
    f"/players/{HERO}?tab=sanctions",
    f"/players/{HERO}?tab=notes",
    "/accounts",
    "/accounts/ana",
    "/accounts/corin?tab=linked",
    "/accounts/bram?tab=orders",
    "/accounts/bram?tab=identities",
    "/guilds",
    "/guilds?search=sunf",
    "/guilds/{court}",
    "/guilds/{court}?tab=bank",
    "/guilds/{court}?tab=activity",
    "/guilds/{court}?tab=chat",
    "/guilds/{court}?tab=variables",
    "/actions",
    "/economy",
    "/economy?tab=findings",
    "/economy?tab=findings&state=all",
    "/economy?tab=rules",
    "/economy/957189e7-ca1b-4138-8d7a-fdbf695cbae1",
    "/moderation",
    "/moderation?show=closed",
    "/cases/{case}",
    "/moderation?tab=chat",
    "/moderation?tab=chat&said=worthless",
    "/moderation?tab=sanctions",
    "/moderation?tab=access",
    "/moderation?tab=appeals",
    "/moderation?tab=templates",
    "/moderation?tab=statistics",
    "/live-ops",
    "/live-ops?new=true",
    "/campaigns/{campaign}",
    "/live-ops?tab=segments",
    "/live-ops/new-segment",
    "/segments/{segment}",
    "/live-ops?tab=schedules",
    "/live-ops?tab=schedules&new=true",
    "/schedules/{schedule}",
    "/live-ops?tab=codes",
    "/live-ops?tab=codes&new=true",
    "/codes/{batch}",
    "/live-ops?tab=orders",
    "/live-ops?tab=orders&compare=true",
    "/orders/webshop~WS-2041",
    "/orders/webshop~WS-2044",
    "/servers",
    "/servers/Ravenmoor",
    "/servers/Ravenmoor?tab=chat",
    "/catalog",
    "/integrations",
    "/integrations?tab=webhooks",
    "/integrations?tab=sign-in",
    "/settings",
    "/settings?tab=roles",
    "/settings?tab=approvals",
    "/settings?tab=health",
    "/profile",
]
MOST_CALLS = 8
"""Of one screen at its first load, with those of the frame."""


PICTURES = os.environ.get("CONSOLE_PICTURES")
"""A folder for a picture of every screen, for people to look at."""


@pytest.mark.parametrize("path", SCREENS)
async def test_every_screen_is_in_order(visit: ConsoleVisit, game: Game, path: str):
    await visit.open(await game.address(path))
    calls = visit.api_calls

    for name, size in {"desk": DESK, "phone": PHONE}.items():
        # Only another size can load more: a theme is nothing but styles.
        if size != visit.page.viewport_size:
            await visit.page.set_viewport_size(size)
            await visit.settled()
        for theme in ("light", "dark"):
            await visit.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            await visit.drawn()
            if PICTURES:
                file = re.sub(r"\W+", "-", path).strip("-") or "overview"
                await visit.page.screenshot(path=Path(PICTURES) / f"{file}-{name}-{theme}.png")
            assert await visit.violations() == [], (theme, name)
            assert await visit.too_wide() <= 0, (theme, name)
    assert len(calls) <= MOST_CALLS, calls


async def test_somebody_unknown_is_said_to_be_unknown(visit: ConsoleVisit):
    await visit.open("/players/Nobody At All")
    said = visit.page.get_by_role("status").filter(has_text="player")
    await said.get_by_role("button", name="Search").click()
    await visit.page.get_by_role("dialog").get_by_role("textbox").wait_for()


async def test_an_unknown_address_is_said_to_be_empty(visit: ConsoleVisit):
    await visit.open("/nothing-here")
    await visit.page.get_by_text("Page not found").wait_for()
