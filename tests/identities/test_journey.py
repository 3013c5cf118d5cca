"""A player at a website in a real browser: links Discord, signs in with it, and unlinks it."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from html import escape
from urllib.parse import quote

import httpx2
import pytest
from msgspec import structs
from playwright.async_api import Browser, Page, expect

from gamekeeper.core.settings import Hidden
from gamekeeper.egress import connection_pool
from gamekeeper.users.identities.sources import discord
from tests.deadlines import PATIENCE
from tests.identities.fakes import CLIENT, SECRET, Asked, FakeDiscord, Head, Service, running
from tests.identities.people import PASSWORD
from tests.in_process import in_process
from tests.make import make_user, sha
from tests.pages.conftest import browser
from tests.webhooks.authorities import Authority

__all__ = ["browser"]

pytestmark = pytest.mark.browser

SECONDS = 5 + PATIENCE
"""A process remembers a token for up to five seconds; the machine may be busy."""
HOP_BY_HOP = {"content-length", "connection", "transfer-encoding", "host"}


class Gateway(Service):
    """The application, which runs in this process, on a socket that a browser reaches."""

    client: httpx2.AsyncClient

    async def respond(self, asked: Asked) -> tuple[int, bytes, Head]:
        sent = {name: value for name, value in asked.headers.items() if name not in HOP_BY_HOP}
        answer = await self.client.request(
            asked.method, asked.target, content=asked.body, headers=sent
        )
        head = [
            (name, value)
            for name, value in answer.headers.multi_items()
            if name.lower() not in HOP_BY_HOP
        ]
        return answer.status_code, answer.content, head


class Website(Service):
    """A website of one visitor, which keeps the tokens of that player."""

    client: httpx2.AsyncClient

    def __init__(self) -> None:
        super().__init__()
        self.token: str | None = None
        self.said = ""
        self.flows: dict[str, tuple[str, dict[str, str]]] = {}

    async def respond(self, asked: Asked) -> tuple[int, bytes, Head]:
        if asked.path == "/":
            page = f"<!doctype html><title>Website</title>{await self._home()}"
            return 200, page.encode(), [("Content-Type", "text/html")]
        if asked.path == "/favicon.ico":
            return 404, b"", []
        self.said = ""
        steps = {
            "/password": self._password,
            "/link": self._link,
            "/sign-in": self._sign_in,
            "/back": self._back,
            "/unlink": self._unlink,
            "/leave": self._leave,
        }
        return 303, b"", [("Location", await steps[asked.path](asked) or "/")]

    async def _call(self, method: str, path: str, **body: str) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return await self.client.request(method, path, json=body or None, headers=headers)

    async def _home(self) -> str:
        said = f"<p role=alert>{escape(self.said)}</p>" if self.said else ""
        me = await self._call("GET", "/api/v1/me")
        if me.status_code != 200:
            return f"""{said}<h1>Signed out</h1>
                <form method=post action=/password>
                <label>Username <input name=name></label>
                <label>Password <input name=password type=password></label>
                <button>Sign in</button></form>
                <form method=post action=/sign-in><button>Sign in with Discord</button></form>"""
        linked = (await self._call("GET", "/api/v1/me/identities")).json()["Values"]
        names = "".join(f"<li>{each['Issuer']}: {escape(each['DisplayName'])}" for each in linked)
        return f"""{said}<h1>Welcome, {escape(me.json()["Name"])}</h1><ul>{names}</ul>
            <form method=post action=/link>
            <label>Password <input name=password type=password></label>
            <button>Link Discord</button></form>
            <form method=post action=/unlink><button>Unlink Discord</button></form>
            <form method=post action=/leave><button>Sign out</button></form>"""

    async def _password(self, asked: Asked) -> None:
        form = {"grant_type": "password", "username": asked.form["name"]}
        form["password"] = sha(asked.form["password"])
        self.token = (await self._call("POST", "/api/oauth/token", **form)).json()["access_token"]

    async def _link(self, asked: Asked) -> str:
        return await self._begin("/api/v1/me/identities", password=sha(asked.form["password"]))

    async def _sign_in(self, asked: Asked) -> str:
        return await self._begin("/api/v1/sign-in")

    async def _begin(self, path: str, **proof: str) -> str:
        answer = await self._call(
            "POST", f"{path}/start", source="discord", returnto=f"{self.url}/back", **proof
        )
        begun = answer.json()
        self.flows[begun["Flow"]] = path, {"flow": begun["Flow"], "secret": begun["Secret"]}
        return begun["Url"]

    async def _back(self, asked: Asked) -> None:
        path, body = self.flows.pop(asked.query["flow"])
        if "error" in asked.query:
            self.said = asked.query["error"]
            return
        answer = await self._call("POST", f"{path}/finish", result=asked.query["result"], **body)
        found = answer.json()
        if answer.status_code != 200:
            self.said = found["Message"]
        elif "access_token" in found:
            self.token = found["access_token"]

    async def _unlink(self, asked: Asked) -> None:
        [linked] = (await self._call("GET", "/api/v1/me/identities")).json()["Values"]
        await self._call("DELETE", f"/api/v1/me/identities/{quote(linked['Id'])}")

    async def _leave(self, asked: Asked) -> None:
        self.token = None


@pytest.fixture
async def website(settings, tmp_path, monkeypatch) -> AsyncIterator[Website]:
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    connection_pool._trust.cache_clear()
    service, gateway, website = FakeDiscord(), Gateway(), Website()
    async with AsyncExitStack() as stack:
        for each in (service, gateway, website):
            await stack.enter_async_context(running(each, authority.server("127.0.0.1")))
        monkeypatch.setattr(discord, "API", f"{service.url}/api/v10")
        monkeypatch.setattr(discord, "AUTHORIZE", f"{service.url}/oauth2/authorize")
        source = {"kind": "discord", "client_id": CLIENT, "client_secret": SECRET}
        configured = structs.replace(
            settings,
            public_url=gateway.url,
            webhook_hosts="127.0.0.1:*",
            sign_in_sources=Hidden(json.dumps([source])),
            sign_in_returns=f"{website.url}/back",
        )
        client = await stack.enter_async_context(in_process(configured))
        gateway.client = website.client = client
        yield website
    connection_pool._trust.cache_clear()


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    # Its certificates are of an authority that the browser does not know.
    context = await browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(PATIENCE * 1000)
    yield await context.new_page()
    await context.close()


async def test_a_player_links_discord_signs_in_with_it_and_unlinks_it(website, page, database):
    await make_user(database, "Ana", password=PASSWORD, api=True)
    signed_in = page.get_by_role("heading", name="Welcome, Ana")
    with_discord = page.get_by_role("button", name="Sign in with Discord")
    agree = page.get_by_role("link", name="Authorize")
    await page.goto(website.url)

    # Nobody is found by the name or the address at Discord.
    await with_discord.click()
    await agree.click()
    await expect(page.get_by_role("alert")).to_contain_text("not linked with an account")

    await page.get_by_label("Username").fill("Ana")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(signed_in).to_be_visible()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Link Discord", exact=True).click()
    await page.get_by_role("link", name="Cancel").click()
    await expect(page.get_by_role("alert")).to_have_text("proof_refused")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Link Discord", exact=True).click()
    await agree.click()
    await expect(page.get_by_role("listitem")).to_have_text("discord: Ana")

    await page.get_by_role("button", name="Sign out").click()
    await with_discord.click()
    await agree.click()
    await expect(signed_in).to_be_visible()
    assert "result=" not in page.url

    # This sign-in ends with the identity that it began with, in every process within seconds.
    await page.get_by_role("button", name="Unlink Discord").click()
    await expect(page.get_by_role("listitem")).to_have_count(0)
    unlinked = time.monotonic()
    while await signed_in.count():
        assert time.monotonic() - unlinked < SECONDS
        await page.reload()
    await expect(page.get_by_role("heading", name="Signed out")).to_be_visible()
    await with_discord.click()
    await agree.click()
    await expect(page.get_by_role("alert")).to_contain_text("not linked with an account")
    assert await database.reader.value("SELECT count(*) FROM identities") == 0
    assert await database.reader.value("SELECT count(*) FROM former_identities") == 1
