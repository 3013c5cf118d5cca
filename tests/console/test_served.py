"""How the service serves the console: one page, hashed files, a strict policy."""

import json
import os

import httpx2
import pytest
from msgspec import structs

from gamekeeper.api import console
from gamekeeper.app import App

pytestmark = pytest.mark.skipif(
    not (console.BUILT / "index.html").is_file() and "CI" not in os.environ,
    reason="the console is not built: just console",
)

BUDGET = 250_000
"""Bytes of JavaScript, compressed by gzip, before the first screen can be shown."""


def chunks(name: str, manifest: dict) -> set[str]:
    """The files that must be there before `name` runs."""
    entry = manifest[name]
    found = {entry["file"]}
    for imported in entry.get("imports", []):
        found |= chunks(imported, manifest)
    return found


@pytest.mark.parametrize("screen", ["overview/Overview", "players/Players", "sign-in/SignIn"])
def test_the_first_screen_is_light(screen: str):
    manifest = json.loads((console.BUILT / "manifest.json").read_text())
    needed = chunks("index.html", manifest) | chunks(f"src/screens/{screen}.tsx", manifest)
    sizes = {name: (console.BUILT / f"{name}.gz").stat().st_size for name in needed}
    assert sum(sizes.values()) <= BUDGET, sizes


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
    name = next(file.name for file in (console.BUILT / "assets").glob("*.js"))
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
