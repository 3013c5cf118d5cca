"""
A person at the console: one who uses the keyboard alone, or one with a thumb on a phone.

Both do the same things by the same names, so a journey is written once. Neither has a mouse.
"""

import re
from typing import Protocol

from playwright.async_api import Locator, Page, expect

MOST_STEPS = 250
"""Presses of Tab or of an arrow after which something counts as out of reach."""

Name = str | re.Pattern[str]

HAS_FOCUS = "those => those.includes(document.activeElement)"
NEXT_KEY = """
(those) => {
    const { activeElement: here } = document;
    if (those.includes(here)) return "";
    const isBefore = (one) => here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING;
    return here !== document.body && those.length && those.every(isBefore) ? "Shift+Tab" : "Tab";
}
"""
IN_GROUP = """
([wanted]) => {
    const { activeElement: here } = document;
    return wanted !== undefined && here.type === "radio" && here.name === wanted.name;
}
"""
SELECTED = "those => those.some((one) => one.hasAttribute('data-combobox-selected'))"


class Hand(Protocol):
    """What people do, whatever they do it with. Names are those a screen reader says."""

    page: Page

    async def find(self, words: str, option: Name) -> None:
        """Open something by the search for everything."""
        ...

    async def press(self, role: str, name: Name, within: Locator | None = None) -> None:
        """A button or a link."""
        ...

    async def tab(self, name: Name) -> None: ...

    async def tick(self, name: Name) -> None: ...

    async def write(self, name: Name, words: str) -> None: ...

    async def choose(self, name: Name) -> None:
        """One of a few that are side by side."""
        ...

    async def pick(self, label: Name, option: Name) -> None:
        """One of a list that opens."""
        ...

    async def menu(self, button: Name, item: Name) -> None:
        """A command behind a button."""
        ...


def located(page: Page | Locator, role: str, name: Name) -> Locator:
    return page.get_by_role(role, name=name, exact=isinstance(name, str))  # pyright: ignore[reportArgumentType]


def field_of(page: Page, name: Name) -> Locator:
    """A field by its accessible name; one for passwords has no role."""
    secret = page.get_by_label(name).and_(page.locator("input[type=password]"))
    return located(page, "textbox", name).or_(located(page, "combobox", name)).or_(secret)


class Keyboard:
    """Tab, arrows, Enter, Space, and the console's own keys."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def keys(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)

    async def find(self, words: str, option: Name) -> None:
        await self.keys("/")
        await (
            located(self.page, "textbox", "Search")
            .or_(located(self.page, "combobox", "Search"))
            .wait_for()
        )
        await self.page.keyboard.type(words)
        await self._walk_to(located(self.page, "option", option), "ArrowDown")
        await self.keys("Enter")

    async def press(self, role: str, name: Name, within: Locator | None = None) -> None:
        await self.focus(located(within or self.page, role, name))
        await self.keys("Enter")

    async def tab(self, name: Name) -> None:
        wanted = located(self.page, "tab", name)
        await self._tab_to(self.page.get_by_role("tab"))
        await self._arrow_to(wanted)
        await expect(wanted).to_have_attribute("aria-selected", "true")

    async def tick(self, name: Name) -> None:
        box = located(self.page, "checkbox", name)
        await self.focus(box)
        await self.keys("Space")
        await expect(box.first).to_be_checked()

    async def write(self, name: Name, words: str) -> None:
        field = field_of(self.page, name)
        await self.focus(field)
        await self.keys("Control+a")
        await self.page.keyboard.type(words)

    async def choose(self, name: Name) -> None:
        wanted = located(self.page, "radio", name)
        await wanted.first.wait_for(state="attached")
        for _ in range(MOST_STEPS):
            if await wanted.evaluate_all(IN_GROUP):
                break
            await self.keys("Tab")
        else:
            raise AssertionError(f"no Tab reaches the group of {name}")
        await self._arrow_to(wanted)
        if not await wanted.is_checked():
            await self.keys("Space")
        await expect(wanted).to_be_checked()

    async def pick(self, label: Name, option: Name) -> None:
        field = field_of(self.page, label)
        await self.focus(field)
        await self.keys("ArrowDown")
        await self._walk_to(located(self.page, "option", option), "ArrowDown")
        await self.keys("Enter")

    async def menu(self, button: Name, item: Name) -> None:
        await self.press("button", button)
        wanted = located(self.page, "menuitem", item)
        await wanted.wait_for()
        await self._arrow_to(wanted, "ArrowDown")
        await self.keys("Enter")

    async def focus(self, wanted: Locator) -> None:
        """Press Tab, or back, until it has the focus, as all without a mouse must be able to."""
        await wanted.first.wait_for()
        await expect(wanted.first).to_be_enabled()
        await self._tab_to(wanted)

    async def _tab_to(self, wanted: Locator) -> None:
        await wanted.first.wait_for()
        for _ in range(MOST_STEPS):
            key = await wanted.evaluate_all(NEXT_KEY)
            if not key:
                return
            await self.keys(key)
        raise AssertionError(f"no Tab reaches {wanted}")

    async def _arrow_to(self, wanted: Locator, key: str = "ArrowRight") -> None:
        for _ in range(MOST_STEPS):
            if await wanted.evaluate_all(HAS_FOCUS):
                return
            await self.keys(key)
        raise AssertionError(f"no arrow reaches {wanted}")

    async def _walk_to(self, option: Locator, key: str) -> None:
        """Along the options of an open list, while the focus stays in the field."""
        await option.first.wait_for()
        for _ in range(MOST_STEPS):
            if await option.evaluate_all(SELECTED):
                return
            await self.keys(key)
        raise AssertionError(f"no arrow reaches {option}")


class Thumb:
    """Taps on a touch screen."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def find(self, words: str, option: Name) -> None:
        await located(self.page, "button", "Search").tap()
        await self.page.get_by_role("dialog").get_by_label("Search").first.fill(words)
        await located(self.page, "option", option).first.tap()

    async def press(self, role: str, name: Name, within: Locator | None = None) -> None:
        await located(within or self.page, role, name).first.tap()

    async def tab(self, name: Name) -> None:
        await located(self.page, "tab", name).tap()

    async def tick(self, name: Name) -> None:
        box = located(self.page, "checkbox", name).first
        await box.tap()
        await expect(box).to_be_checked()

    async def write(self, name: Name, words: str) -> None:
        field = field_of(self.page, name)
        await field.first.tap()
        await field.first.fill(words)

    async def choose(self, name: Name) -> None:
        radio = located(self.page, "radio", name)
        await self.page.locator(f"label[for='{await radio.get_attribute('id')}']").tap()
        await expect(radio).to_be_checked()

    async def pick(self, label: Name, option: Name) -> None:
        # A sheet comes after the page below it, which may have a field of that name too.
        await field_of(self.page, label).last.tap()
        await located(self.page, "option", option).first.tap()

    async def menu(self, button: Name, item: Name) -> None:
        await self.press("button", button)
        await self.press("menuitem", item)
