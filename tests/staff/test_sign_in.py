"""Signing in with a browser, first step: the password."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import browser_sessions, credentials
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users.staff import sign_in, verification
from gamekeeper.users.staff.sign_in import BegunSession, NewSession, SignInRefused
from tests.in_process import in_process
from tests.make import BY, make_user, proved, sha
from tests.own_server import database, settings
from tests.staff.make import make_staff
from tests.staff.signed_in import OURS, PASSWORD, Person

__all__ = ["database", "settings"]

SESSION = "/api/v1/session"


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
    return await Person.make(client, database, "support")


async def sessions(database: Database, user: UUID) -> int:
    sql = "SELECT count(*) FROM browser_sessions WHERE user_id = $1 AND ended_at IS NULL"
    return await database.reader.value(sql, user)


async def recorded(database: Database, user: UUID) -> list[tuple[str, str]]:
    rows = await database.reader.rows(
        "SELECT kind, actor FROM actions WHERE user_id = $1 ORDER BY at, id", user
    )
    return [(row["kind"], row["actor"]) for row in rows]


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


async def test_the_first_sign_in_asks_to_enrol_and_then_lets_in(ana, database):
    begun = await ana.enter_password()
    assert begun.status_code == 200, begun.text
    assert begun.json()["State"] == "enrolment_required"
    assert begun.json()["Methods"] == []
    refused = await ana.call("GET", "/api/v1/players")
    assert (refused.status_code, refused.json()["Code"]) == (403, "enrolment_required")
    assert await recorded(database, ana.user_id) == []

    enrolled = await ana.enrol()

    assert enrolled.status_code == 200, enrolled.text
    assert (await ana.call("GET", "/api/v1/players")).status_code == 200
    itself = f"user:{ana.user_id}"
    assert await recorded(database, ana.user_id) == [
        ("factors.add", itself),
        ("sessions.start", itself),
    ]


async def test_where_a_password_is_enough_the_sign_in_is_recorded_too(settings, database):
    plain = structs.replace(settings, staff_second_factor="optional")
    async with in_process(plain) as client:
        ana = await Person.make(client, database, "support")
        begun = await ana.enter_password()
        assert (begun.status_code, begun.json()["State"]) == (200, "signed_in")
        assert (await ana.call("GET", "/api/v1/players")).status_code == 200
    assert await recorded(database, ana.user_id) == [("sessions.start", f"user:{ana.user_id}")]


async def test_the_next_sign_in_asks_for_the_code(ana, database):
    await ana.sign_in()
    assert (await ana.call("DELETE", SESSION)).status_code == 200
    assert (await ana.call("GET", "/api/v1/players")).status_code == 401

    begun = await ana.enter_password()
    assert begun.json()["State"] == "second_factor_required"
    assert begun.json()["Methods"] == ["totp"]
    refused = await ana.call("GET", "/api/v1/players")
    assert (refused.status_code, refused.json()["Code"]) == (403, "second_factor_required")

    verified = await ana.enter_code()

    assert verified.status_code == 200, verified.text
    assert verified.json()["State"] == "signed_in"
    assert (await ana.call("GET", "/api/v1/players")).status_code == 200
    assert [kind for kind, _ in await recorded(database, ana.user_id)] == [
        "factors.add",
        "sessions.start",
        "sessions.end",
        "sessions.start",
    ]


async def test_who_am_i_says_what_the_sign_in_still_needs(ana):
    """For a page that was opened anew; an unfinished session has no rights to show."""
    await ana.enter_password()
    unfinished = (await ana.call("GET", "/api/v1/me")).json()
    assert unfinished["Session"]["State"] == "enrolment_required"
    assert (unfinished["Roles"], unfinished["Scopes"]) == ([], [])

    await ana.enrol()

    finished = (await ana.call("GET", "/api/v1/me")).json()
    assert (finished["Kind"], finished["Session"]["State"]) == ("session", "signed_in")
    assert finished["Roles"] == ["support"]


async def test_a_signed_in_session_may_do_what_its_roles_may_and_no_more(ana):
    await ana.sign_in()
    assert (await ana.call("GET", "/api/v1/players")).status_code == 200
    refused = await ana.call("GET", "/api/v1/webhooks")
    assert refused.status_code == 403
    assert refused.json()["Code"] == "role_required"


async def test_who_has_no_role_is_answered_as_with_a_wrong_password(client, database, ana):
    """Nobody learns by it whether the password was right, and nothing is left behind."""
    await make_user(database, "player", password=PASSWORD)
    tried = [(ana.name, "wrong"), ("player", PASSWORD), ("player", "wrong"), ("nobody", PASSWORD)]
    answers = [
        await client.post(SESSION, json={"username": name, "password": sha(said)}, headers=OURS)
        for name, said in tried
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert {answer.json()["Code"] for answer in answers} == {"sign_in_refused"}
    assert len({answer.json()["Message"] for answer in answers}) == 1
    assert not [answer for answer in answers if "set-cookie" in answer.headers]
    assert await sessions(database, ana.user_id) == 0
    await run(database, "DELETE FROM guess_budgets")


async def test_who_has_no_role_is_throttled_although_the_password_is_right(client, database):
    """Else the sixth attempt would tell."""
    await make_user(database, "careful", password=PASSWORD)
    said = {"username": "careful", "password": sha(PASSWORD)}
    statuses = [(await client.post(SESSION, json=said, headers=OURS)).status_code for _ in range(6)]
    await run(database, "DELETE FROM guess_budgets")
    assert statuses == [403] * 5 + [429]


async def test_a_banned_member_is_refused(ana, database):
    await run(
        database,
        """
        INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name)
        VALUES ('AAAA-BBBB', 'ban', $1, 'system', 'tests')
        """,
        ana.user_id,
    )
    answer = await ana.enter_password()
    assert (answer.status_code, answer.json()["Code"]) == (403, "sign_in_refused")


async def test_an_unfinished_sign_in_ends_after_ten_minutes(ana, database):
    await ana.enter_password()
    life = "SELECT expires_at - created_at FROM browser_sessions WHERE user_id = $1"
    assert (await database.reader.value(life, ana.user_id)).total_seconds() == 600
    await run(
        database, "UPDATE browser_sessions SET expires_at = now() WHERE user_id = $1", ana.user_id
    )
    assert (await ana.call("GET", "/api/v1/me/factors")).status_code == 401


async def test_what_the_browser_says_of_itself_is_one_short_line(client, database, ana):
    said = {"username": ana.name, "password": sha(PASSWORD)}
    headers = OURS | {"User-Agent": "Lynx\t" + "x" * 5000}
    assert (await client.post(SESSION, json=said, headers=headers)).status_code == 200
    kept = await database.reader.value(
        "SELECT user_agent FROM browser_sessions WHERE user_id = $1", ana.user_id
    )
    assert kept == "Lynx " + "x" * 195


async def test_the_oldest_of_many_sign_ins_end(ana, database):
    proof = await proved(database, ana.user_id)
    command = NewSession(user_id=ana.user_id, sealed=proof.sealed, user_agent="tests", by=BY)
    for _ in range(verification.MOST_SESSIONS + 2):
        await sign_in.begin.one(database, command)
    assert await sessions(database, ana.user_id) == verification.MOST_SESSIONS


async def test_twenty_sign_ins_at_once_are_twenty_sessions(ana, database):
    proof = await proved(database, ana.user_id)
    command = NewSession(user_id=ana.user_id, sealed=proof.sealed, user_agent="tests", by=BY)
    begun = await asyncio.gather(*(sign_in.begin.one(database, command) for _ in range(20)))
    assert len({one.session_id for one in begun}) == 20
    assert len({one.cookie for one in begun}) == 20
    assert await sessions(database, ana.user_id) == 20


async def test_a_refused_sign_in_does_not_keep_its_neighbour_out(ana, database):
    """Its password was changed after it was verified."""
    other = await make_staff(database, "support")
    right = NewSession(
        user_id=ana.user_id,
        sealed=(await proved(database, ana.user_id)).sealed,
        user_agent="tests",
        by=BY,
    )
    wrong = structs.replace(right, user_id=other, sealed="another")
    refused, begun = await sign_in.begin(database, [wrong, right])
    assert isinstance(refused, SignInRefused)
    assert isinstance(begun, BegunSession)
    assert begun.state == "enrolment_required"
    assert await sessions(database, other) == 0


async def test_where_a_second_factor_is_optional_the_password_is_enough(ana, database):
    """Until the setting is changed: then the same session must enrol."""
    lenient = structs.replace(database.settings, staff_second_factor="optional")
    async with Database.open(lenient) as other:
        proof = await proved(database, ana.user_id)
        command = NewSession(user_id=ana.user_id, sealed=proof.sealed, user_agent="", by=BY)
        begun = await sign_in.begin.one(other, command)
        found = await browser_sessions.callers(other.reader, [credentials.digest(begun.cookie)])
    assert begun.state == "signed_in"
    [session] = found.values()
    assert session.principal.roles == ("support",)
    ana.cookie = begun.cookie
    refused = await ana.call("GET", "/api/v1/players")
    assert (refused.status_code, refused.json()["Code"]) == (403, "enrolment_required")
