"""Links that sign a staff member in once, made on the command line."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import credentials, login_throttle
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.users.staff import sign_in_links
from gamekeeper.users.staff.sign_in import BegunSession
from gamekeeper.users.staff.sign_in_links import LinkRefused, LinkUse, NewLink, NoRoleToSignInWith
from tests.make import BY, make_user
from tests.own_server import database, settings
from tests.staff.make import make_staff
from tests.staff.signed_in import OURS, Person

__all__ = ["database", "settings"]

LINK = "/api/v1/session/link"
READ = "/api/v1/players"


@pytest.fixture(scope="module")
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    app = App(settings)
    await app.start()
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
        yield client
    await app.stop()


@pytest.fixture
async def ana(client: httpx2.AsyncClient, database: Database) -> Person:
    # The tests share an address, and some guess.
    await run(database, "DELETE FROM guess_budgets")
    return await Person.make(client, database, "owner")


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


async def ban(database: Database, user: UUID) -> None:
    await sanctions.impose.one(database, Imposition(by=BY, user=str(user), kind="ban"))


async def link_for(database: Database, person: Person) -> str:
    made = await sign_in_links.make.one(database, NewLink(user_id=person.user_id, by=BY))
    return str(made.code)


async def assert_refused(person: Person, database: Database, code: str) -> None:
    """The same answer whatever the reason, no cookie, no session."""
    answer = await person.call("POST", LINK, code=code)
    told = answer.json()
    assert (answer.status_code, told["Code"]) == (403, "link_refused")
    assert told["Message"] == LinkRefused.__doc__
    assert "set-cookie" not in answer.headers
    sql = "SELECT count(*) FROM browser_sessions WHERE user_id = $1 AND method = 'link'"
    assert await database.reader.value(sql, person.user_id) == 0


async def test_a_link_signs_in_once(ana, database):
    code = await link_for(database, ana)

    answer = await ana.call("POST", LINK, code=code)

    assert answer.status_code == 200, answer.text
    assert (answer.json()["State"], answer.json()["Methods"]) == ("signed_in", [])
    assert (await ana.call("GET", READ)).status_code == 200
    # It counts as a second factor that was just verified.
    assert (await ana.enrol()).status_code == 200
    other = structs.replace(BY, address="192.0.2.77")
    with pytest.raises(LinkRefused):
        await sign_in_links.sign_in(database, code, user_agent="", by=other)
    rows = await database.reader.rows(
        "SELECT kind, actor, after FROM actions WHERE user_id = $1 ORDER BY at, id", ana.user_id
    )
    itself = f"user:{ana.user_id}"
    assert [(row["kind"], row["actor"]) for row in rows] == [
        ("sessions.link", BY.actor),
        ("sessions.start", itself),
        ("factors.add", itself),
    ]
    assert rows[1]["after"]["method"] == "link"


async def test_what_is_stored_opens_nothing(ana, database):
    code = await link_for(database, ana)
    sql = "SELECT * FROM sign_in_links WHERE user_id = $1"
    [row] = await database.reader.rows(sql, ana.user_id)
    assert row["hash"] == credentials.digest(code)
    assert row["expires_at"] - row["made_at"] == timedelta(minutes=10)
    assert len(credentials.decode(code) or b"") == 32
    after = "SELECT after::text FROM actions WHERE user_id = $1"
    assert code not in await database.reader.value(after, ana.user_id)
    assert code not in repr(LinkUse(hash=row["hash"], user_agent="", by=BY))


async def test_of_twenty_uses_of_a_link_at_once_one_is_good(client, database, ana):
    """At once and from twenty addresses, so that no budget refuses any."""
    code = await link_for(database, ana)

    outcomes = await asyncio.gather(
        *(
            sign_in_links.sign_in(
                database, code, user_agent="", by=structs.replace(BY, address=f"192.0.2.{number}")
            )
            for number in range(20)
        ),
        return_exceptions=True,
    )

    assert (
        sorted(type(outcome).__name__ for outcome in outcomes)
        == ["BegunSession"] + ["LinkRefused"] * 19
    )
    sql = "SELECT count(*) FROM browser_sessions WHERE user_id = $1"
    assert await database.reader.value(sql, ana.user_id) == 1


async def test_in_one_batch_a_refused_link_takes_nothing_from_its_neighbours(database, ana, client):
    bo = await Person.make(client, database, "support")
    codes = [await link_for(database, ana), await link_for(database, bo)]
    first, second = [LinkUse(hash=credentials.digest(code), user_agent="", by=BY) for code in codes]
    unknown = LinkUse(hash=b"unknown", user_agent="", by=BY)

    outcomes = await sign_in_links.use(database, [first, unknown, first, second])

    assert [isinstance(outcome, BegunSession) for outcome in outcomes] == [True, False, False, True]
    users = [outcome.account.id for outcome in outcomes if isinstance(outcome, BegunSession)]
    assert users == [ana.user_id, bo.user_id]


@pytest.mark.parametrize(
    "since",
    [
        """
        UPDATE sign_in_links
           SET made_at = made_at - interval '10 min', expires_at = expires_at - interval '10 min'
         WHERE user_id = $1
        """,
        "UPDATE sign_in_links SET used_at = now() WHERE user_id = $1",
        "DELETE FROM sign_in_links WHERE user_id = $1",
        "DELETE FROM staff_roles WHERE user_id = $1",
        "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'support')",
        "UPDATE passwords SET changed_at = clock_timestamp() WHERE user_id = $1",
    ],
    ids=["expired", "used", "unknown", "no role", "another role", "another password"],
)
async def test_what_ends_a_session_ends_a_link(ana, database, since):
    code = await link_for(database, ana)
    await run(database, since, ana.user_id)
    await assert_refused(ana, database, code)


async def test_a_banned_member_is_refused(ana, database):
    code = await link_for(database, ana)
    await ban(database, ana.user_id)
    await assert_refused(ana, database, code)


@pytest.mark.parametrize("code", ["", "gkl_", "ü" * 50, "x" * 60_000, "gks_" + "A" * 49])
async def test_an_odd_code_is_refused_as_an_unknown_one(ana, database, code):
    await assert_refused(ana, database, code)


async def test_a_code_is_no_other_credential(ana, client, database):
    code = await link_for(database, ana)
    for headers in (
        {"Authorization": f"Bearer {code}"},
        {"Cookie": f"__Host-gamekeeper={code}"} | OURS,
    ):
        assert (await client.get(READ, headers=headers)).status_code == 401


@pytest.mark.parametrize(
    "sent",
    [
        {"X-Gamekeeper": "1", "Sec-Fetch-Site": "cross-site"},
        {"X-Gamekeeper": "1", "Origin": "https://evil.example"},
        {"X-Gamekeeper": "1"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
    ids=["cross-site", "origin", "no origin", "no header"],
)
async def test_nobody_is_signed_in_by_a_link_of_another_site(ana, client, database, sent):
    """Login CSRF: the victim would work in a session of the attacker. The link stays good."""
    code = await link_for(database, ana)

    answer = await client.post(LINK, json={"code": code}, headers=sent)

    assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")
    assert "set-cookie" not in answer.headers
    assert (await ana.call("POST", LINK, code=code)).status_code == 200


async def test_guesses_are_throttled_and_a_right_code_is_refunded(ana, database):
    for _ in range(7):
        assert (await ana.call("POST", LINK, code=await link_for(database, ana))).status_code == 200

    statuses = [(await ana.call("POST", LINK, code="wrong")).status_code for _ in range(6)]

    assert statuses == [403] * 5 + [429]
    waiting = await ana.call("POST", LINK, code=await link_for(database, ana))
    assert waiting.status_code == 429
    assert int(waiting.headers["Retry-After"]) >= 1
    assert login_throttle.POLICIES["link"] == login_throttle.POLICIES["code"]


async def test_who_may_not_sign_in_gets_no_link(database, client):
    player = await make_user(database, "player")
    banned = await make_staff(database, "owner")
    await ban(database, banned)
    for user in (player, banned):
        with pytest.raises(NoRoleToSignInWith):
            await sign_in_links.make.one(database, NewLink(user_id=user, by=BY))
        sql = "SELECT count(*) FROM sign_in_links WHERE user_id = $1"
        assert await database.reader.value(sql, user) == 0
