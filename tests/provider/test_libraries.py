"""Clients with libraries of other authors: Requests-OAuthlib in Python, openid-client in Node."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from requests_oauthlib import OAuth2Session

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.make import make_user
from tests.provider import websites
from tests.provider.relying_party import CALLBACK, PASSWORD, Browser, answer_in, register
from tests.server import free_port

pytestmark = pytest.mark.engines


@pytest.fixture
def issuer(settings: Settings, tmp_path: Path) -> Iterator[str]:
    with websites.provider(settings, tmp_path) as issuer:
        yield issuer


async def signed_in(browser: Browser, address: str) -> str:
    """The address to which a browser is sent that signs in and allows everything."""
    query = urlsplit(address).query
    assert (await browser.authorize(query)).status_code == 200
    assert (await browser.enter_password(query)).status_code == 200
    decided = await browser.decide(query)
    assert decided.status_code == 200, decided.text
    return decided.json()["next"]


async def test_requests_oauthlib_signs_in(
    issuer: str, database: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    client = await register(database)
    scope = ["openid", "profile", "offline_access"]
    session = OAuth2Session(client.id, redirect_uri=CALLBACK, scope=scope, pkce="S256")
    endpoint = f"{issuer}/openid/token"
    address, state = session.authorization_url(f"{issuer}/openid/authorize", nonce="a nonce")
    async with httpx2.AsyncClient(base_url=issuer) as http:
        browser = Browser(http, "Ana", await make_user(database, "Ana", password=PASSWORD))
        back = await signed_in(browser, address)

    tokens = await asyncio.to_thread(
        lambda: session.fetch_token(
            endpoint, authorization_response=back, client_secret=str(client.secret)
        )
    )
    player = (await asyncio.to_thread(session.get, f"{issuer}/openid/userinfo")).json()
    renewed = await asyncio.to_thread(
        lambda: session.refresh_token(
            endpoint, client_id=client.id, client_secret=str(client.secret)
        )
    )

    assert answer_in(back)["state"] == state
    assert player["name"] == "Ana"
    assert renewed["access_token"] != tokens["access_token"]
    assert renewed["refresh_token"] != tokens["refresh_token"]
    session.close()


async def test_openid_client_signs_in_refreshes_and_signs_out(
    issuer: str, database: Database, tmp_path: Path
):
    port = free_port()
    home = f"http://127.0.0.1:{port}"
    client = await register(
        database, redirect_uris=(f"{home}/callback",), logout_uris=(f"{home}/",)
    )
    scope = "openid profile email characters offline_access"
    with websites.website(port, issuer, client, scope, tmp_path):
        async with (
            httpx2.AsyncClient(base_url=issuer) as http,
            httpx2.AsyncClient(base_url=home) as site,
        ):
            user = await make_user(database, "Ana", password=PASSWORD)
            browser = Browser(http, "Ana", user)
            begun = await site.get("/login")
            back = await site.get(await signed_in(browser, begun.headers["location"]))
            assert back.status_code == 303, back.text

            shown = await site.get("/")
            refreshed = await site.get("/refresh")
            left = await site.get("/sign-out")
            out = await browser.get(left.headers["location"])

    assert "Welcome, Ana" in shown.text
    assert (refreshed.status_code, refreshed.json()["sub"]) == (200, str(user))
    assert out.headers["location"] == f"{home}/"
    assert browser.cookie == ""
