"""How the service serves the console: one page, hashed files, a strict policy."""

import json
import os
import re
from pathlib import Path

import httpx2
import pytest
from msgspec import structs

from gamekeeper.api import console, pages
from gamekeeper.app import App

pytestmark = pytest.mark.skipif(
    not (console.BUILT / "index.html").is_file() and "CI" not in os.environ,
    reason="the console is not built: just console",
)

BUDGET = 250_000
"""Bytes, compressed by gzip, before the first screen can be shown."""
CONSOLE = Path(__file__).parents[2] / "console"
LIBRARY = CONSOLE / "node_modules/@mantine/core"


def weight(name: str) -> int:
    """The bytes that a browser loads; fonts are compressed already."""
    packed = console.BUILT / f"{name}.gz"
    return (packed if packed.is_file() else console.BUILT / name).stat().st_size


def chunks(name: str, manifest: dict) -> set[str]:
    """The scripts and styles that must be there before `name` runs."""
    entry = manifest[name]
    found = {entry["file"], *entry.get("css", [])}
    for imported in entry.get("imports", []):
        found |= chunks(imported, manifest)
    return found


@pytest.mark.parametrize("screen", ["overview/Overview", "players/Players", "sign-in/SignIn"])
def test_the_first_screen_is_light(screen: str):
    manifest = json.loads((console.BUILT / "manifest.json").read_text())
    needed = chunks("index.html", manifest) | chunks(f"src/screens/{screen}.tsx", manifest)
    sizes = {name: weight(name) for name in needed}
    assert sum(sizes.values()) <= BUDGET, sizes


def test_what_the_page_preloads_is_light():
    page = (console.BUILT / "index.html").read_text()
    sizes = {name: weight(name) for name in re.findall(r'"\./(assets/[^"]+)"', page)}
    assert [name for name in sizes if name.endswith(".woff2")] == [
        name for name in sizes if "/inter-latin-wght-normal-" in name
    ], "other scripts have fonts that a browser loads when it meets a letter"
    assert sum(sizes.values()) <= BUDGET, sizes


def test_every_component_of_the_library_has_its_styles():
    """Of those that are in the build, also inside of other components: `console/src/library.ts`."""
    name = re.compile(r"\bm_[0-9a-f]{6,8}\b")
    files = list((console.BUILT / "assets").iterdir())
    used, styled = (
        {found for file in files if file.suffix == kind for found in name.findall(file.read_text())}
        for kind in (".js", ".css")
    )
    offered = {
        found: file.stem
        for file in (LIBRARY / "styles").glob("*.css")
        for found in name.findall(file.read_text())
    }
    assert len(used & offered.keys()) > 100
    assert {offered[one] for one in used & offered.keys() - styled} == set()


@pytest.mark.parametrize("path", pages.FONTS)
async def test_pages_of_players_have_the_font_of_the_console(client: httpx2.AsyncClient, path: str):
    answer = await client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "font/woff2")
    assert answer.content.startswith(b"wOF2")
    sheet = (await client.get(f"{path.rpartition('/')[0]}/fonts.css")).text
    assert f'url("{path.rpartition("/")[2]}")' in sheet
    [ranges, same] = [
        re.findall("unicode-range: (.*);", text)
        for text in (sheet, (CONSOLE / "src/fonts.css").read_text())
    ]
    assert ranges == same
    assert "SIL Open Font License" in (console.BUILT / "licenses/inter.txt").read_text()


@pytest.mark.parametrize("path", ["/console", "/console/", "/console/players/Ana%20Lyra"])
async def test_every_address_is_the_same_page(client: httpx2.AsyncClient, path: str):
    answer = await client.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert '<base href="/console/"' in answer.text


async def test_the_policy_lets_in_only_our_own_files(client: httpx2.AsyncClient):
    first, second = [await client.get("/console") for _ in range(2)]
    policy = first.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert policy != second.headers["content-security-policy"], "a nonce is used once"


async def test_a_file_is_kept_for_ever_and_compressed(client: httpx2.AsyncClient):
    # The largest: a file of a few bytes is no smaller as gzip.
    files = (console.BUILT / "assets").glob("*.js")
    name = max(files, key=lambda file: file.stat().st_size).name
    sizes = {}
    for encoding in ("br", "gzip", "identity"):
        answer = await client.get(f"/console/assets/{name}", headers={"Accept-Encoding": encoding})
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers.get("content-encoding", "identity") == encoding
        assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
        sizes[encoding] = int(answer.headers["content-length"])
    assert sizes["br"] < sizes["gzip"] < sizes["identity"]


@pytest.mark.parametrize(
    "name", ["nothing.js", "..%2Findex.html", "..%2F..%2Fmark.svg", "%2Fetc%2Fpasswd", "a%00.js"]
)
async def test_only_its_own_files_are_served(client: httpx2.AsyncClient, name: str):
    answer = await client.get(f"/console/assets/{name}")
    assert (answer.status_code, answer.json()["Code"]) == (404, "route_not_found")


async def test_it_works_behind_a_path_and_tells_where_it_is(settings):
    behind = structs.replace(
        settings,
        public_url="https://game.example/keeper",
        game_name='Larkspur & "Sons"',
        environment_name="production",
        environment_color="red",
    )
    app = App(behind)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        page = (await client.get("/console")).text
    await app.stop()
    assert '<base href="/keeper/console/"' in page
    assert "&#34;environment&#34;:&#34;production&#34;" in page
    assert "Larkspur &amp; \\&#34;Sons\\&#34;" in page


async def test_without_a_build_it_says_how_to_make_one(
    client: httpx2.AsyncClient, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(console, "BUILT", tmp_path)
    answer = await client.get("/console")
    assert answer.status_code == 503
    assert "just console" in answer.text
