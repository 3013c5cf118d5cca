"""Sessions and sign-ins end with what they rest on, also while no worker runs; and in races."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx2
import pytest
from msgspec import structs

from gamekeeper.auth import credentials
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.operations.backup import safety
from gamekeeper.provider import clients, logout, sessions, sign_ins
from gamekeeper.provider.client_commands import ClientChange
from gamekeeper.provider.sessions import NewPlayerSession, PlayerSessionEnd
from gamekeeper.provider.sign_ins import Exchange, Grant, InvalidGrant, Issued, SessionEnded
from gamekeeper.sanctions import access_bans
from gamekeeper.sanctions.access_bans import AccessRelease, NewAccessBan
from gamekeeper.transfer import account_changes
from gamekeeper.users import passwords
from gamekeeper.users.passwords import InvalidCredentials, NewPassword
from gamekeeper.users.staff import second_factors
from gamekeeper.users.staff.second_factors import FactorReset
from tests.in_process import in_process
from tests.make import BY, make_user
from tests.moderation.rows import make_sanction
from tests.provider.conftest import notified
from tests.provider.relying_party import (
    CALLBACK,
    PASSWORD,
    Browser,
    RelyingParty,
    answer_in,
    register,
)
from tests.provider.sign_outs import ban, is_signed_out, notices, while_open
from tests.staff.make import make_staff
from tests.webhooks.receivers import Receiver


@pytest.fixture
async def party(http: httpx2.AsyncClient, database: Database, receiver: Receiver) -> RelyingParty:
    return await notified(http, database, receiver)


@pytest.fixture
async def tokens(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    signed_in = await browser.sign_in(party.query(scope="openid profile offline_access"))
    return (await party.exchange(signed_in["code"])).json()


async def run(database: Database, sql: Any) -> None:
    await database.write(lambda writer: writer.run(sql))


async def earlier(database: Database, interval: str) -> None:
    """As if all sign-ins and passwords were so much older."""
    for table, column in (
        ("passwords", "changed_at"),
        ("openid_sessions", "authenticated_at"),
        ("openid_sign_ins", "authenticated_at"),
    ):
        sql: Any = f"UPDATE {table} SET {column} = {column} - interval '{interval}'"
        await run(database, sql)


# ── Passwords and bans ──


async def test_an_imported_password_ends_them(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    sealed = {browser.user: "v1$imported"}
    await database.write(lambda writer: account_changes._set_passwords(writer, sealed, BY))

    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1


async def test_a_password_that_an_older_version_replaced_ends_them(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    """It does not know the tables of the provider."""
    await run(database, "UPDATE passwords SET changed_at = now()")
    assert await is_signed_out(browser, party, tokens)


async def test_a_password_changed_before_a_code_is_exchanged(
    browser: Browser, party: RelyingParty, database: Database
):
    code = (await browser.sign_in(party.query()))["code"]
    await run(database, "UPDATE passwords SET changed_at = now()")
    assert (await party.exchange(code)).json()["error"] == "invalid_grant"


async def test_a_ban_that_is_over_ended_what_began_before_it(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    """It was to begin later, and no worker ran from its beginning to its end."""
    await earlier(database, "3 days")
    ban_id = await make_sanction(database, user_id=browser.user)
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE sanctions SET imposed_at = now() - interval '4 days',
                                 starts_at = now() - interval '2 days',
                                 ends_at = now() - interval '1 day' WHERE id = $1
            """,
            ban_id,
        )
    )

    assert await is_signed_out(browser, party, tokens)
    assert "code" in await browser.sign_in(party.query())


async def test_a_ban_that_was_lifted_before_its_beginning_ends_nothing(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await earlier(database, "3 days")
    ban_id = await make_sanction(database, user_id=browser.user)
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE sanctions SET imposed_at = now() - interval '4 days',
                                 lifted_at = now() - interval '2 days', lifted_by = 'system',
                                 lifted_by_name = 'tests', lift_reason = 'mistake',
                                 starts_at = now() - interval '1 day' WHERE id = $1
            """,
            ban_id,
        )
    )

    page = await browser.authorize(party.query(prompt="none"))
    assert "code" in answer_in(page.headers["location"])
    assert (await party.refresh(tokens["refresh_token"])).is_success


async def test_the_client_is_told_of_a_ban_that_began_days_ago(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    """The worker comes back after a week."""
    await earlier(database, "8 days")
    ban_id = await make_sanction(database, user_id=browser.user)
    await database.write(
        lambda writer: writer.run(
            "UPDATE sanctions SET starts_at = now() - interval '7 days' WHERE id = $1", ban_id
        )
    )

    await logout.end_banned(database)

    assert len(await notices(database)) == 1


async def test_a_client_that_no_longer_admits_banned_accounts(
    browser: Browser, party: RelyingParty, database: Database
):
    """Its sign-ins began after the ban, so only the ban itself voids them."""
    appeals = RelyingParty(party.http, await register(database, admits_banned=True))
    await ban(database, browser.user)
    scope = "openid offline_access"
    code = (await browser.sign_in(appeals.query(scope=scope)))["code"]
    unused = answer_in((await browser.authorize(appeals.query(scope=scope))).headers["location"])
    tokens = (await appeals.exchange(code)).json()
    assert (await appeals.user_info(tokens["access_token"])).status_code == 200

    await clients.change.one(database, ClientChange(by=BY, client=appeals.id, admits_banned=False))

    assert (await appeals.user_info(tokens["access_token"])).status_code == 401
    assert (await appeals.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await appeals.exchange(unused["code"])).json()["error"] == "invalid_grant"


# ── Access bans ──


NETWORK = NewAccessBan(
    by=BY,
    device=None,
    network="127.0.0.1/32",
    ends_at=datetime.now(UTC) + timedelta(days=1),
    reason="bots",
    message="",
)
"""Where the browsers of the tests are."""


async def test_an_access_ban_stops_what_began_there(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    code = answer_in((await browser.authorize(party.query())).headers["location"])["code"]
    [found] = await database.write(lambda writer: access_bans.insert(writer, [NETWORK]))

    assert await is_signed_out(browser, party, tokens)
    assert (await party.exchange(code)).json()["error"] == "invalid_grant"
    entered = await browser.enter_password(party.query())
    assert entered.json()["Code"] == "access_refused"
    order = AccessRelease(by=BY, id=found.id, reason="mistake")
    await database.write(lambda writer: access_bans.mark_lifted(writer, [order]))
    assert (await party.user_info(tokens["access_token"])).status_code == 200


# ── Operations that end all ──


@pytest.mark.parametrize("path", ["/api/oauth/tokens/Ana", "/api/oauth/token/Ana"])
async def test_all_sign_ins_of_an_account_are_ended(
    browser: Browser,
    party: RelyingParty,
    tokens: dict[str, Any],
    database: Database,
    client: httpx2.AsyncClient,
    path: str,
):
    assert (await client.delete(path)).status_code == 200

    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1


async def test_a_reset_of_the_second_factor_ends_them(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await second_factors.reset.one(database, FactorReset(by=BY, user_id=browser.user))

    assert await is_signed_out(browser, party, tokens)
    assert len(await notices(database)) == 1


async def test_a_restore_ends_them(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    steps = await database.write(lambda writer: safety.apply(writer, {}, BY, keep=()))

    assert (steps.openid_sessions, steps.openid_sign_ins) == (1, 1)
    assert await is_signed_out(browser, party, tokens)


async def test_a_session_expires(browser: Browser, party: RelyingParty, database: Database):
    await browser.sign_in(party.query())
    await run(
        database,
        f"UPDATE openid_sessions SET expires_at = expires_at - interval '{sessions.DAYS} days'",
    )

    page = await browser.authorize(party.query(prompt="none"))
    assert answer_in(page.headers["location"])["error"] == "login_required"


# ── Staff ──


async def test_staff_without_a_second_factor_cannot_sign_in(
    browser: Browser, party: RelyingParty, database: Database, provider_settings: Settings
):
    await make_staff(database, "support", user=browser.user)

    refused = await browser.enter_password(party.query(scope="openid roles"))

    assert refused.json()["Code"] == "second_factor_missing"
    assert browser.cookie == ""
    optional = structs.replace(provider_settings, staff_second_factor="optional")
    async with in_process(optional) as http:
        elsewhere = Browser(http, "Ana", browser.user)
        assert (await elsewhere.enter_password(party.query())).status_code == 200


async def test_second_factors_are_throttled_and_recovery_codes_work_once(
    http: httpx2.AsyncClient, party: RelyingParty, database: Database
):
    from tests.staff.signed_in import PASSWORD as STAFF_PASSWORD
    from tests.staff.signed_in import Person

    person = await Person.make(http, database)
    await person.sign_in()
    made = await person.call("POST", "/api/v1/me/recovery-codes")
    recovery = made.json()["Codes"][0]
    browser = Browser(http, person.name, UUID(str(person.user_id)))

    first = await browser.enter_password(party.query(), STAFF_PASSWORD, code=recovery)
    again = await browser.enter_password(party.query(), STAFF_PASSWORD, code=recovery)
    guesses = [
        (await browser.enter_password(party.query(), STAFF_PASSWORD, code="000000")).json()["Code"]
        for _ in range(8)
    ]

    assert first.status_code == 200
    assert again.json()["Code"] == "wrong_code"
    assert guesses[0] == "wrong_code"
    assert "too_many_requests" in guesses


# ── Races ──


async def proved(database: Database, user: UUID, **about: Any) -> NewPlayerSession:
    """A sign-in whose password was just verified."""
    sealed = await database.reader.value("SELECT sealed FROM passwords WHERE user_id = $1", user)
    wanted: dict[str, Any] = {
        "user_id": user,
        "sealed": sealed,
        "address": "192.0.2.1",
        "cookie": credentials.new_credential("gkos"),
    }
    return NewPlayerSession(**(wanted | about))


async def granting(database: Database, browser: Browser, party: RelyingParty) -> Grant:
    session = await database.reader.value(
        "SELECT id FROM openid_sessions WHERE user_id = $1", browser.user
    )
    return Grant(
        user_id=browser.user,
        session_id=session,
        client_id=party.id,
        redirect_uri=CALLBACK,
        scopes=["openid"],
        nonce=None,
        challenge=None,
        consents=False,
        code=credentials.new_credential("gkoc"),
    )


async def test_no_code_is_granted_beside_a_ban(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    order = await granting(database, browser, party)

    async def banning(writer: Any) -> None:
        await ban(writer, browser.user)

    outcome = await while_open(database, banning, lambda: sign_ins.grant.one(database, order))

    assert isinstance(outcome, SessionEnded)


async def test_no_session_begins_beside_a_new_password(browser: Browser, database: Database):
    order = await proved(database, browser.user)
    new = NewPassword(by=BY, user_id=browser.user, sealed="v1$new")

    outcome = await while_open(
        database,
        lambda writer: passwords.replace.one(writer, new),
        lambda: sessions.start.one(database, order),
    )

    assert isinstance(outcome, InvalidCredentials)


async def test_no_code_is_granted_beside_the_sign_in_of_another_player(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database
):
    """It ends the session that the browser had, with its sign-ins."""
    other = await make_user(database, "Bo", password=PASSWORD)
    order = await proved(database, other, former=Hidden(browser.cookie))
    code = await granting(database, browser, party)

    outcome = await while_open(
        database,
        lambda writer: sessions.start.one(writer, order),
        lambda: sign_ins.grant.one(database, code),
    )

    assert isinstance(outcome, SessionEnded)


@pytest.mark.parametrize("prompt", [None, "none"])
async def test_a_session_that_ends_while_a_code_is_made(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any], database: Database, prompt: str
):
    session = await database.reader.value("SELECT id FROM openid_sessions")
    end = PlayerSessionEnd(user_id=browser.user, id=session)

    page = await while_open(
        database,
        lambda writer: sessions.end.one(writer, end),
        lambda: browser.authorize(party.query(prompt=prompt)),
    )

    if prompt is None:
        assert (page.status_code, 'id="sign-in"' in page.text) == (200, True)
    else:
        assert answer_in(page.headers["location"])["error"] == "login_required"


async def test_a_code_is_exchanged_once_by_two_at_the_same_time(
    browser: Browser, party: RelyingParty, database: Database
):
    code = (await browser.sign_in(party.query()))["code"]
    issued: list[Issued] = []

    def order() -> Exchange:
        return Exchange(
            code=Hidden(code),
            client_id=party.id,
            redirect_uri=CALLBACK,
            verifier=Hidden(party.verifier),
            access=credentials.new_credential("gkoa"),
            refresh=credentials.new_credential("gkor"),
        )

    async def first(writer: Any) -> None:
        issued.append(await sign_ins.exchange.one(writer, order()))

    second = await while_open(database, first, lambda: sign_ins.exchange.one(database, order()))

    assert isinstance(second, InvalidGrant)
    assert (await party.user_info(str(issued[0].access))).status_code == 401


async def test_many_codes_are_exchanged_at_once(
    browser: Browser, party: RelyingParty, database: Database
):
    """Each removes old sign-ins of the same account: none waits for another forever."""
    await party.http.get("/openid/keys")
    await browser.enter_password(party.query())
    pages = await asyncio.gather(*(browser.authorize(party.query()) for _ in range(15)))
    codes = [answer_in(page.headers["location"])["code"] for page in pages]

    answers = await asyncio.gather(*(party.exchange(code) for code in codes))

    assert {answer.status_code for answer in answers} == {200}
