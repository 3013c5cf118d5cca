"""The documentation site: it builds, nothing in it is broken, and it calls no other host."""

import functools
import re
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from gamekeeper.app import ROUTES
from gamekeeper.cli.commands import COMMANDS
from tests import processes
from tests.deadlines import PATIENCE
from tests.pages.conftest import browser
from tools.documentation import api_reference, error_reference
from tools.documentation.__main__ import SITE
from tools.documentation.pages import ROOT, BrokenLink, rewritten

__all__ = ["browser"]

pytestmark = pytest.mark.browser

HTML, PAGES = SITE / "html", SITE / "pages"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser fetches without being asked."""
MAX_WORDS = 2500
"""A page that takes longer than ten minutes is not read to its end."""


class Parsed(HTMLParser):
    """Links, anchors and loaded files of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.loaded: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if LOADED.get(tag) in given and given.get("rel") not in ("canonical", "prev", "next"):
            self.loaded.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def built() -> str:
    """What the builder said."""
    command = [sys.executable, "-m", "tools.documentation"]
    done = processes.run(command, cwd=ROOT, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(built: str) -> dict[Path, Parsed]:
    return {file: Parsed(file) for file in HTML.rglob("*.html")}


def test_links_anchors_and_pictures_lead_somewhere(site):
    broken = []
    for file, page in site.items():
        # The page for a missing page is shown at any address.
        if file.name == "404.html":
            continue
        for link in [*page.links, *page.loaded]:
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (file.parent / unquote(address.path)).resolve() if address.path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                broken.append(f"{file.relative_to(HTML)}: {link}")
                continue
            there = site[target].anchors if target in site else set()
            if address.fragment and unquote(address.fragment) not in there:
                broken.append(f"{file.relative_to(HTML)}: {link} has no such anchor")
    assert len(site) > 100
    assert broken == []


def test_the_builder_refuses_a_broken_anchor(tmp_path):
    """The walk above sees only what was built; whoever writes sees this first."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# One\n\n[two](#two)\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: x\ntheme:\n  font: false\n")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]

    refused = processes.run(command, cwd=tmp_path)
    (tmp_path / "docs" / "index.md").write_text("# One\n\n[one](#one)\n")
    taken = processes.run(command, cwd=tmp_path)

    assert (refused.returncode != 0, taken.returncode) == (True, 0)


def test_a_link_to_a_file_that_is_not_there_fails():
    source = Path("docs/index.md")
    with pytest.raises(BrokenLink, match=r"docs/index.md: there is no docs/nowhere.md"):
        rewritten("[x](nowhere.md)", source, Path("index.md"))
    assert rewritten("`[x](nowhere.md)`", source, Path("index.md")) == "`[x](nowhere.md)`"


def test_nothing_is_loaded_from_another_host(site):
    outside = re.compile(r"(https?:)?//")
    loaded = {link for page in site.values() for link in page.loaded if outside.match(link)}
    styles = {
        found
        for file in HTML.rglob("*.css")
        for found in re.findall(
            r"(?:url\(|@import\s*)[\"']?((?:https?:)?//[^\"')]+)", file.read_text()
        )
    }
    assert (loaded, styles) == (set(), set())


@pytest.fixture
def address(built: str) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        """Serves the built site, without a log."""

        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(HTML))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


async def test_a_reader_finds_an_error_by_its_code_and_meets_no_other_host(address, browser):
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    page = await context.new_page()
    asked: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))

    for path in ("index.html", "concepts/ledger.html", "reference/api/players.html"):
        await page.goto(f"{address}/{path}")
        assert await page.locator("h1").first.is_visible()
    await page.keyboard.press("/")
    await page.keyboard.type("inventory_full")
    await page.get_by_role("link", name="inventory_full").first.wait_for()

    await context.close()
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert faults == []


# ── What must be there ──


def test_every_page_is_in_the_navigation(built):
    """But decisions, which their list has, and files that another page shows."""
    listed = set(re.findall(r"[\w./-]+\.md", (ROOT / "mkdocs.yml").read_text().split("\nnav:")[1]))
    written = {file.relative_to(PAGES).as_posix() for file in PAGES.rglob("*.md")}
    apart = re.compile(r"decisions/\d{4}-|source/")
    assert {name for name in written if not apart.match(name)} == listed


def test_every_operation_command_and_error_is_in_the_reference(site):
    """Each has a place that can be linked to."""
    operations = {
        anchor
        for file, page in site.items()
        if file.parent.name == "api"
        for anchor in page.anchors
    }
    described = {route.handler.__name__ for route in ROUTES if route.path.startswith("/api/v1/")}
    assert described - operations == set()
    commands = site[HTML / "reference/cli.html"].anchors
    assert COMMANDS.keys() - commands == set()
    assert {"players-give", "keys-create", "webhooks-replay"} <= commands
    errors = site[HTML / "reference/errors.html"].anchors
    assert {"inventory_full", "fenced", "approval_required", "internal_error"} <= errors
    conflicts = site[HTML / "reference/errors/conflicts.html"].anchors
    assert {"inventory_full", "fenced", "approval_required"} <= conflicts


def test_every_error_has_a_row_that_says_when_it_is_returned():
    about = api_reference.document()["components"]["schemas"]["ErrorCode"]["description"]
    errors = set(re.findall(r"^\| (\d{3}) \| `(\w+)`", about, re.MULTILINE))
    assert len(errors) > 200
    assert errors - error_reference.described().keys() == set()


def test_pages_are_short(built):
    """But lists that are looked up and not read: operations, commands, the changelog, ASVS."""
    looked_up = re.compile(r"reference/(api/|cli\.md)|source/|changelog|contributing|asvs|clients/")
    long = {
        name: words
        for file in PAGES.rglob("*.md")
        if not looked_up.match(name := file.relative_to(PAGES).as_posix())
        and (words := len(file.read_text("utf-8").split())) > MAX_WORDS
    }
    assert long == {}


def test_drawings_are_a_part_of_their_page():
    """So they have the colours of the theme; as pictures they would have those of the system."""
    for name in ("players", "ledger", "undo", "history", "idempotency", "events", "game-servers"):
        page = (HTML / "concepts" / f"{name}.html").read_text()
        [drawing] = re.findall(r'<figure class="drawing [a-z]+">(.*?)</figure>', page, re.DOTALL)
        assert "<svg" in drawing
        assert "<title" in drawing
        assert "<style" not in drawing
