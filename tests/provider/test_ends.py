"""The end of sign-ins: sign-outs, bans, new passwords and erasures, and the notices of them."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl

import httpx2
import msgspec
import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition, Pardon
from gamekeeper.provider import clients, logout
from gamekeeper.provider.clients import ClientRemoval, SignInsEnd
from gamekeeper.users import erasure, passwords
from gamekeeper.users.erasure import Erasure
from gamekeeper.users.passwords import NewPassword
from tests.make import BY, make_user
from tests.moderation.rows import make_sanction
from tests.provider.conftest import notified
from tests.provider.relying_party import (
    CALLBACK,
    ISSUER,
    PASSWORD,
    Browser,
    RelyingParty,
    answer_in,
    register,
)
from tests.provider.sign_outs import GOODBYE, ban, is_signed_out, notices, over
from tests.webhooks.receivers import Receiver, answer


@pytest.fixture
async def party(http: httpx2.AsyncClient, database: Database, receiver: Receiver) -> RelyingParty:
    return await notified(http, database, receiver)


@pytest.fixture
async def tokens(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    signed_in = await browser.sign_in(party.query(scope="openid profile offline_access"))
    return (await party.exchange(signed_in["code"])).json()


# ── What ends a sign-in ──


async def test_a_ban_ends_it_and_the_client_is_told(
    browser: Browser,
    party: RelyingParty,
    tokens: dict[str, Any],
    database: Database,
    receiver: Receiver,
    provider_settings: Settings,
):
    await ban(database, browser.user)

    assert await is_signed_out(browser, party, tokens)
    [notice] = await notices(database)
    async with over(provider_settings) as (own, vault):
        assert await logout.Notifier(own, vault).send_or_retry(notice, 0) is None
    [got] = receiver.received
    assert got.headers["content-type"] == "application/x-www-form-urlencoded"
    [(name, token)] = parse_qsl(got.body.decode())
    claims = await party.claims(token)
    before = await party.claims(tokens["id_token"])
    assert name == "logout_token"
    assert claims == {
        "iss": ISSUER,
        "aud": party.id,
        "sub": str(browser.user),
        "sid": before["sid"],
        "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        "iat": claims["iat"],
        "exp": claims["iat"] + 120,
        "jti": claims["jti"],
    }


async def test_a_banned_account_cannot_sign_in_again(
    browser: Browser, party: RelyingParty, database: Database
):
    await ban(database, browser.user)

    entered = await browser.enter_password(party.query())
    page = await browser.get(entered.json()["next"])
    silent = await browser.authorize(party.query(prompt="none"))
    forced = await browser.decide(party.query())

    assert (page.status_code, "Your account is banned" in page.text) == (200, True)
    assert "error=access_denied" in page.text
    assert answer_in(silent.headers["location"])["error"] == "access_denied"
    assert forced.json()["Code"] == "stale_request"
    await sanctions.pardon.one(database, Pardon(by=BY, user="Ana", kind="ban"))
    assert "code" in await browser.sign_in(party.query())


async def test_a_site_of_appeals_admits_banned_accounts(
    browser: Browser, http: httpx2.AsyncClient, database: Database
):
    appeals = RelyingParty(http, await register(database, admits_banned=True))
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(days=3)
    await ban(database, browser.user, ends_at=end)

    signed_in = await browser.sign_in(appeals.query())
    token = (await appeals.exchange(signed_in["code"])).json()["access_token"]

    info = (await appeals.user_info(token)).json()
    assert (info["banned"], info["banned_until"]) == (True, int(end.timestamp()))


async def test_a_ban_between_the_code_and_its_exchange(
    browser: Browser, party: RelyingParty, database: Database
):
    code = (await browser.sign_in(party.query()))["code"]
    await ban(database, browser.user)

    assert (await party.exchange(code)).json()["error"] == "invalid_grant"
    assert len(await notices(database)) == 1


async def test_a_ban_that_begins_later_ends_it_when_it_begins(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    past = datetime.now(UTC) + timedelta(milliseconds=1)
    await make_sanction(database, user_id=browser.user, starts_at=past)
    assert await notices(database) == []

    await logout.end_banned(database)

    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1
    await logout.end_banned(database)
    assert len(await notices(database)) == 1


async def test_bans_of_the_next_minute_end_it_when_they_begin(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    soon = datetime.now(UTC) + timedelta(seconds=1)
    await make_sanction(database, user_id=browser.user, starts_at=soon)
    later = datetime.now(UTC) + timedelta(minutes=2)
    await make_sanction(
        database, code="B1B2-C3D4", user_id=await make_user(database), starts_at=later
    )

    await logout.follow_bans(database, asyncio.Event())

    assert datetime.now(UTC) - soon < timedelta(seconds=5)
    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1


async def test_a_worker_that_ends_does_not_wait_for_bans(database: Database):
    soon = datetime.now(UTC) + timedelta(seconds=50)
    await make_sanction(database, user_id=await make_user(database), starts_at=soon)
    stop = asyncio.Event()
    waiting = asyncio.create_task(logout.follow_bans(database, stop))
    await asyncio.sleep(0.1)
    stop.set()
    await asyncio.wait_for(waiting, 5)


async def test_a_new_password_ends_it(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    order = NewPassword(by=BY, user_id=browser.user, sealed="v1$new")
    await passwords.replace.one(database, order)

    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1


async def test_a_password_that_changed_meanwhile_opens_no_session(
    browser: Browser, database: Database
):
    from gamekeeper.auth import credentials
    from gamekeeper.provider import sessions
    from gamekeeper.users.passwords import InvalidCredentials

    order = sessions.NewPlayerSession(
        user_id=browser.user,
        sealed="v1$the one before",
        address="192.0.2.1",
        cookie=credentials.new_credential("gkos"),
    )
    with pytest.raises(InvalidCredentials):
        await sessions.start.one(database, order)
    assert await database.reader.value("SELECT count(*) FROM openid_sessions") == 0


async def test_an_erasure_ends_it_and_leaves_nothing(
    browser: Browser,
    party: RelyingParty,
    tokens: dict[str, Any],
    database: Database,
    provider_settings: Settings,
):
    await erasure.erase(Vault(provider_settings)).one(database, Erasure(by=BY, user="Ana"))

    assert await is_signed_out(browser, party, tokens)
    assert [notice.user_id for notice in await notices(database)] == [browser.user]
    for table in ("sessions", "sign_ins", "tokens", "consents"):
        sql: Any = f"SELECT count(*) FROM openid_{table}"
        assert await database.reader.value(sql) == 0


async def test_staff_end_all_sign_ins_at_a_client(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await clients.end_sign_ins(database, SignInsEnd(by=BY, client=party.id))

    assert (await party.user_info(tokens["access_token"])).status_code == 401
    assert len(await notices(database)) == 1


async def test_a_deleted_client_has_no_tokens(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await clients.remove(database, ClientRemoval(by=BY, client=party.id))

    assert (await party.user_info(tokens["access_token"])).status_code == 401
    assert (await party.refresh(tokens["refresh_token"])).json()["error"] == "invalid_client"
    assert (await browser.authorize(party.query())).status_code == 400


# ── Sign-outs ──


async def test_a_client_signs_the_player_out(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    query = f"id_token_hint={tokens['id_token']}&post_logout_redirect_uri={GOODBYE}&state=a%26b"

    out = await browser.get(f"/openid/logout?{query}")

    assert (out.status_code, out.headers["location"]) == (303, f"{GOODBYE}?state=a%26b")
    assert browser.cookie == ""
    assert len(await notices(database)) == 1
    # The player allowed the client to go on without the browser.
    assert (await party.refresh(tokens["refresh_token"])).is_success


async def test_a_link_alone_signs_nobody_out(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    asked = await browser.get(f"/openid/logout?client_id={party.id}")

    assert asked.status_code == 200
    assert "Sign out?" in asked.text
    assert "code" in answer_in((await browser.authorize(party.query())).headers["location"])
    out = await browser.send("/openid/sign-out", request=f"client_id={party.id}")
    assert out.json()["next"] == f"{ISSUER}/openid/logout"
    assert "You are signed out" in (await browser.get("/openid/logout")).text


@pytest.mark.parametrize(
    "query",
    [
        "client_id={client}&post_logout_redirect_uri=https://evil.example.org/",
        "client_id={client}&post_logout_redirect_uri=" + CALLBACK.partition("?")[0],
        "post_logout_redirect_uri=" + GOODBYE,
        "id_token_hint={token}x&post_logout_redirect_uri=" + GOODBYE,
        "id_token_hint={token}&client_id=other&post_logout_redirect_uri=" + GOODBYE,
    ],
)
async def test_a_sign_out_leads_to_no_other_address(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], query: str
):
    refused = await browser.get(
        "/openid/logout?" + query.format(client=party.id, token=tokens["id_token"])
    )

    assert refused.status_code == 400
    assert "location" not in refused.headers


async def test_the_token_of_another_player_does_not_sign_out(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    other = Browser(browser.http, "Bo", await make_user(database, "Bo", password=PASSWORD))
    await other.sign_in(party.query())

    asked = await other.get(f"/openid/logout?id_token_hint={tokens['id_token']}")

    assert (asked.status_code, other.cookie != "") == (200, True)


async def test_another_player_signs_in_with_the_same_browser(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    other = Browser(browser.http, "Bo", await make_user(database, "Bo", password=PASSWORD))
    other.cookie = browser.cookie

    await other.sign_in(party.query())

    assert [notice.user_id for notice in await notices(database)] == [browser.user]
    page = await browser.authorize(party.query(prompt="none"))
    assert answer_in(page.headers["location"])["error"] == "login_required"


# ── Notices ──


@pytest.mark.parametrize(
    ("status", "attempt", "seconds"),
    [(500, 0, 5), (500, 4, 1800), (500, 5, None), (400, 0, None), (302, 0, 5)],
)
async def test_a_notice_that_fails_is_sent_again(
    tokens: dict[str, Any],
    browser: Browser,
    database: Database,
    receiver: Receiver,
    provider_settings: Settings,
    status: int,
    attempt: int,
    seconds: int | None,
):
    await ban(database, browser.user)
    [notice] = await notices(database)
    receiver.answer = lambda _: answer(status)

    async with over(provider_settings) as (own, vault):
        delay = await logout.Notifier(own, vault).send_or_retry(notice, attempt)

    assert delay == (None if seconds is None else timedelta(seconds=seconds))
    assert len(receiver.received) == 1


async def test_a_notice_reaches_no_private_address(
    tokens: dict[str, Any],
    browser: Browser,
    database: Database,
    receiver: Receiver,
    provider_settings: Settings,
):
    await ban(database, browser.user)
    [notice] = await notices(database)
    narrow = msgspec.structs.replace(provider_settings, webhook_hosts="")

    async with over(narrow) as (own, vault):
        outcome = await logout.send(own, vault, notice)

    assert outcome is not None
    assert outcome.fault == "invalid_webhook_url"
    assert receiver.received == []


async def test_a_logout_token_is_no_id_token(
    tokens: dict[str, Any], browser: Browser, database: Database, provider_settings: Settings
):
    from gamekeeper.provider import tokens as made

    await ban(database, browser.user)
    [notice] = await notices(database)
    async with over(provider_settings) as (own, vault):
        token = await made.logout_token(own, vault, notice)

    refused = await browser.get(f"/openid/logout?id_token_hint={token}")
    assert refused.status_code == 400


async def test_many_bans_take_a_notice_each(
    party: RelyingParty, http: httpx2.AsyncClient, database: Database
):
    players = [
        Browser(http, f"P{n}", await make_user(database, f"P{n}", password=PASSWORD))
        for n in range(5)
    ]
    for player in players:
        await player.sign_in(party.query())
    wanted = [Imposition(by=BY, user=str(p.user), kind="ban", reason="x") for p in players]

    await sanctions.impose(database, wanted)

    assert {notice.user_id for notice in await notices(database)} == {p.user for p in players}
