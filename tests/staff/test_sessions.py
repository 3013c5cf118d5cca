"""Browser sessions: where a cookie counts, how long, and what ends it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from uuid import UUID, uuid4

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import App
from gamekeeper.auth import authenticator, browser_sessions, credentials
from gamekeeper.auth.browser_sessions import SessionEnd, SessionNotFound
from gamekeeper.core.errors import Unauthorized
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.users.staff import sessions
from gamekeeper.users.staff.sessions import ManagedEnd
from tests.cheap_passwords import cheap_passwords
from tests.make import BY, make_player, make_user, sha
from tests.own_server import database, settings
from tests.security.callers import key_with
from tests.staff.make import make_staff
from tests.staff.signed_in import OURS, PASSWORD, Person, open_session, staff_session

__all__ = ["database", "settings"]

READ = "/api/v1/players"
LIST = "/api/v1/me/sessions"


@pytest.fixture(scope="module", autouse=True)
def cheap() -> Iterator[None]:
    with cheap_passwords():
        yield


@pytest.fixture(scope="module")
async def client(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    # Nothing is remembered, so that nobody has to wait.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(authenticator, "REMEMBERED_SECONDS", 0.0)
        app = App(settings)
        await app.start()
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
            yield client
        await app.stop()


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


async def is_good(client: httpx2.AsyncClient, headers: dict[str, str]) -> bool:
    status = (await client.get(READ, headers=headers)).status_code
    assert status in (200, 401)
    return status == 200


# ── Where a cookie counts ──


async def test_an_authorization_header_wins_over_the_cookie(client, database):
    session = await staff_session(database, "owner")
    weak = await key_with(database, "users.query")
    answer = await client.get(READ, headers=session | weak)
    assert answer.status_code == 403
    bad = await client.get(READ, headers=session | {"Authorization": "Basic abc"})
    assert bad.status_code == 401


async def test_a_key_is_no_cookie_and_a_cookie_no_bearer_token(client, database):
    session = await open_session(database, await make_staff(database, "owner"))
    key = (await key_with(database, "players.read"))["Authorization"].removeprefix("Bearer ")
    as_bearer = {"Authorization": f"Bearer {session.cookie}"}
    as_cookie = {"Cookie": f"__Host-gamekeeper={key}"} | OURS
    assert not await is_good(client, as_bearer)
    assert not await is_good(client, as_cookie)


async def test_a_cookie_never_counts_for_oauth(client, database):
    session = await staff_session(database, "owner")
    for path in ("/api/oauth/tokens/ana", "/%61pi/OAUTH/tokens/ana"):
        assert (await client.delete(path, headers=session)).status_code == 401


@pytest.mark.parametrize(
    ("sent", "allowed"),
    [
        ({"Sec-Fetch-Site": "same-origin", "X-Gamekeeper": "1"}, True),
        ({"Origin": "http://gamekeeper", "X-Gamekeeper": "1"}, True),
        ({"Origin": "http://127.0.0.1:8000", "X-Gamekeeper": "1"}, True),
        ({"Sec-Fetch-Site": "same-origin"}, False),
        ({"Sec-Fetch-Site": "same-origin", "X-Gamekeeper": "0"}, False),
        ({"X-Gamekeeper": "1"}, False),
        ({"Sec-Fetch-Site": "same-site", "X-Gamekeeper": "1"}, False),
        ({"Sec-Fetch-Site": "none", "X-Gamekeeper": "1"}, False),
        (
            {
                "Sec-Fetch-Site": "cross-site",
                "Origin": "http://gamekeeper",
                "X-Gamekeeper": "1",
            },
            False,
        ),
        ({"Origin": "https://evil.example", "X-Gamekeeper": "1"}, False),
        ({"Origin": "null", "X-Gamekeeper": "1"}, False),
        ({"Origin": "gamekeeper", "X-Gamekeeper": "1"}, False),
        ({"Origin": "ftp://gamekeeper", "X-Gamekeeper": "1"}, False),
        ({"Origin": "http://gamekeeper.evil.example", "X-Gamekeeper": "1"}, False),
        ({}, False),
    ],
    ids=lambda value: (
        ",".join(f"{k}={v}" for k, v in value.items()) or "nothing"
        if isinstance(value, dict)
        else str(value)
    ),
)
async def test_a_change_by_cookie_must_come_from_our_own_pages(client, database, sent, allowed):
    session = await open_session(database, await make_staff(database, "owner"))
    headers = {"Cookie": f"__Host-gamekeeper={session.cookie}"} | sent
    answer = await client.delete(LIST, headers=headers)
    assert answer.status_code == (200 if allowed else 403)
    if not allowed:
        assert answer.json()["Code"] == "cross_site_request"


async def test_a_sign_in_must_come_from_our_own_pages(client, database):
    person = await Person.make(client, database)
    said = {"username": person.name, "password": sha(PASSWORD)}
    answer = await client.post("/api/v1/session", json=said, headers={"X-Gamekeeper": "1"})
    assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")


@pytest.mark.parametrize(
    ("site", "status"),
    [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)],
)
async def test_a_page_of_another_site_reads_nothing_by_cookie(client, database, site, status):
    session = await open_session(database, await make_staff(database, "owner"))
    headers = {"Cookie": f"__Host-gamekeeper={session.cookie}", "Sec-Fetch-Site": site}
    assert (await client.get(READ, headers=headers)).status_code == status


async def test_a_get_that_changes_something_is_a_change(client, database):
    """Intersect's reset mail is asked for by GET."""
    session = await open_session(database, await make_staff(database, "owner"))
    headers = {"Cookie": f"__Host-gamekeeper={session.cookie}"}
    answer = await client.get("/api/v1/users/ana/password/reset", headers=headers)
    assert (answer.status_code, answer.json()["Code"]) == (403, "cross_site_request")


@pytest.mark.parametrize(
    "cookie",
    ["", "gks_", "gks_" + "A" * 49, "x" * 60_000, "gks_\xff", "'; DROP TABLE users", "=", "a=b"],
    ids=["empty", "prefix", "checksum", "huge", "latin", "sql", "equals", "pair"],
)
async def test_an_odd_cookie_is_a_stranger(client, cookie):
    headers = [("Cookie", f"__Host-gamekeeper={cookie}".encode("latin-1"))]
    assert (await client.get(READ, headers=headers)).status_code == 401


# ── Step-up ──


async def test_what_matters_most_asks_for_a_recent_second_factor(client, database):
    fresh = await staff_session(database, "owner", verified_minutes_ago=9)
    stale = await staff_session(database, "owner", verified_minutes_ago=11)
    body = {"actor": "nobody", "from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"}
    refused = await client.post("/api/v1/actions/undo", json=body, headers=stale)
    assert (refused.status_code, refused.json()["Code"]) == (403, "step_up_required")
    answer = await client.post("/api/v1/actions/undo", json=body, headers=fresh)
    assert answer.status_code == 200, answer.text
    assert await is_good(client, stale)


async def test_a_verification_gives_a_new_cookie_and_the_old_one_fades(client, database):
    """For ten seconds it is good for other tabs, and never counts as verified again."""
    person = await Person.make(client, database, "owner")
    await person.sign_in()
    old = {"Cookie": f"__Host-gamekeeper={person.cookie}"} | OURS
    assert (await person.enter_code()).status_code == 200

    assert await is_good(client, old)
    refused = await client.post("/api/v1/me/recovery-codes", headers=old)
    assert (refused.status_code, refused.json()["Code"]) == (403, "step_up_required")
    assert (await person.call("POST", "/api/v1/me/recovery-codes")).status_code == 200
    await run(
        database,
        "UPDATE browser_sessions SET rotated_at = now() - interval '11 s' WHERE user_id = $1",
        person.user_id,
    )
    assert not await is_good(client, old)
    assert (await person.call("GET", READ)).status_code == 200


async def test_the_cookie_before_the_second_factor_is_worth_nothing_after_it(client, database):
    """Session fixation: who planted it does not get in with its owner."""
    person = await Person.make(client, database, "owner")
    await person.enter_password()
    planted = {"Cookie": f"__Host-gamekeeper={person.cookie}"} | OURS
    await person.enrol()
    assert not await is_good(client, planted)


# ── Deadlines ──


async def test_a_session_ends_when_idle_and_after_half_a_day(client, database):
    person = await Person.make(client, database, "owner")
    await person.sign_in()
    life = "SELECT expires_at - verified_at FROM browser_sessions WHERE user_id = $1"
    assert await database.reader.value(life, person.user_id) == timedelta(hours=12)
    headers = {"Cookie": f"__Host-gamekeeper={person.cookie}"} | OURS
    for column, before, after in (
        ("seen_at", "now() - interval '29 minutes'", "now() - interval '30 minutes'"),
        ("expires_at", "now() + interval '1 minute'", "now()"),
    ):
        sql = f"UPDATE browser_sessions SET seen_at = now(), {column} = {{}} WHERE user_id = $1"
        sql = sql.replace("seen_at = now(), seen_at", "seen_at")
        await run(database, sql.format(before), person.user_id)
        assert await is_good(client, headers)
        await run(database, sql.format(after), person.user_id)
        assert not await is_good(client, headers)


async def test_a_request_keeps_the_session_awake_and_is_noted_once_a_minute(settings, database):
    session = await open_session(database, await make_staff(database, "owner"))
    long_ago = "UPDATE browser_sessions SET seen_at = now() - interval '5 minutes' WHERE id = $1"
    await run(database, long_ago, session.session_id)
    guard = authenticator.Authenticator(database)
    await guard.authenticate_session(session.cookie)
    await guard.close()
    age = "SELECT now() - seen_at FROM browser_sessions WHERE id = $1"
    assert await database.reader.value(age, session.session_id) < timedelta(minutes=1)


async def test_step_up_does_not_prolong_the_session(client, database):
    person = await Person.make(client, database, "owner")
    await person.sign_in()
    ends = "SELECT expires_at FROM browser_sessions WHERE user_id = $1"
    before = await database.reader.value(ends, person.user_id)
    assert (await person.enter_code()).status_code == 200
    assert await database.reader.value(ends, person.user_id) == before


# ── What ends it ──


async def ended_by(client: httpx2.AsyncClient, database: Database, sql: str) -> tuple[UUID, bool]:
    member = await make_staff(database, "support", "moderator")
    headers = await staff_session(database, user=member)
    assert await is_good(client, headers)
    await run(database, sql, member)
    return member, not await is_good(client, headers)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM staff_roles WHERE user_id = $1",
        "DELETE FROM staff_roles WHERE user_id = $1 AND role = 'support'",
        "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'analyst')",
        """
        INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name)
        VALUES ('BAND-0001', 'ban', $1, 'system', 'tests')
        """,
    ],
    ids=["no role left", "a role withdrawn", "a role granted", "banned"],
)
async def test_a_change_of_rights_ends_the_session(client, database, sql):
    _, ended = await ended_by(client, database, sql)
    assert ended


async def test_a_role_that_comes_back_does_not_revive_the_session(client, database):
    member = await make_staff(database, "support")
    headers = await staff_session(database, user=member)
    await run(database, "DELETE FROM staff_roles WHERE user_id = $1", member)
    await run(database, "INSERT INTO staff_roles (user_id, role) VALUES ($1, 'support')", member)
    assert not await is_good(client, headers)


async def test_a_lifted_ban_does_not_revive_the_session(client, database):
    ban = """
        INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name, lifted_at,
                               lifted_by)
        VALUES ('LIFT-0001', 'ban', $1, 'system', 'tests', now(), 'system')
    """
    _, ended = await ended_by(client, database, ban)
    assert ended


async def test_a_withdrawn_role_ends_the_session_in_every_process_within_five_seconds(
    database, monkeypatch
):
    """Two authenticators, as in two processes, that remember what they looked up."""
    now = 1000.0
    monkeypatch.setattr(authenticator, "monotonic", lambda: now)
    monkeypatch.setattr(authenticator, "REMEMBERED_SECONDS", 2.0)
    session = await open_session(database, await make_staff(database, "support"))
    guards = [authenticator.Authenticator(database) for _ in range(2)]
    for guard in guards:
        assert (await guard.authenticate_session(session.cookie)).roles == ("support",)
    await run(database, "DELETE FROM staff_roles WHERE user_id = $1", session.user_id)

    now += 4.9
    for guard in guards:
        with pytest.raises(Unauthorized):
            await guard.authenticate_session(session.cookie)
        await guard.close()


async def test_other_sanctions_leave_the_session_alone(client, database):
    mute = """
        INSERT INTO sanctions (code, kind, user_id, imposed_by, imposed_by_name)
        VALUES ('MUTE-0001', 'mute', $1, 'system', 'tests')
    """
    _, ended = await ended_by(client, database, mute)
    assert not ended


async def test_a_new_password_ends_all_sessions_in_its_own_transaction(client, database):
    person = await Person.make(client, database, "support")
    await person.sign_in()
    manager = await key_with(database, "users.query", "users.manage")
    manager = {"Authorization": str(manager["Authorization"])}
    changed = await client.post(
        f"/api/v1/users/{person.name}/password/change",
        json={"new": sha("another one"), "authorization": sha(PASSWORD)},
        headers=manager,
    )
    assert changed.status_code == 200, changed.text
    left = "SELECT count(*) FROM browser_sessions WHERE user_id = $1 AND ended_at IS NULL"
    assert await database.reader.value(left, person.user_id) == 0
    assert (await person.call("GET", READ)).status_code == 401
    ends = "SELECT count(*) FROM actions WHERE user_id = $1 AND kind = 'sessions.end'"
    assert await database.reader.value(ends, person.user_id) == 1


async def test_a_running_stream_ends_with_its_session(client, database, monkeypatch):
    session = await open_session(database, await make_staff(database, "owner"))
    headers = {"Cookie": f"__Host-gamekeeper={session.cookie}"} | OURS
    waiting = asyncio.create_task(
        client.get("/api/v1/events?after=latest&wait=20", headers=headers)
    )
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await browser_sessions.end.one(
        database, SessionEnd(user_id=session.user_id, only=session.session_id, by=BY)
    )
    async with asyncio.timeout(5):
        assert (await waiting).status_code == 401


async def test_a_command_can_be_waited_for_by_cookie(client, database):
    """It is held back although it came without an Authorization header."""
    headers = await staff_session(database, "moderator")
    player = await make_player(database)
    sent = await client.post(
        f"/api/v1/players/{player}/commands",
        json={"kind": "message", "text": "hello", "when": "next_join"},
        headers=headers,
    )
    assert sent.status_code == 200, sent.text
    waited = await client.get(f"/api/v1/commands/{sent.json()['Id']}?wait=1", headers=headers)
    assert (waited.status_code, waited.json()["State"]) == (200, "waiting")


# ── Listed and ended ──


async def test_sessions_are_listed_and_ended_one_by_one_or_all(client, database):
    person = await Person.make(client, database, "support")
    await person.sign_in()
    other, third = [await open_session(database, person.user_id) for _ in range(2)]
    listed = (await person.call("GET", LIST)).json()
    assert listed["Total"] == 3
    assert [entry["IsCurrent"] for entry in listed["Values"]].count(True) == 1
    assert "tests" in [entry["UserAgent"] for entry in listed["Values"]]

    ended = await person.call("DELETE", f"{LIST}/{other.session_id}")
    assert ended.json() == {"SessionId": str(other.session_id)}
    assert not await is_good(client, other.headers)
    again = await person.call("DELETE", f"{LIST}/{other.session_id}")
    assert (again.status_code, again.json()["Code"]) == (404, "session_not_found")

    assert (await person.call("DELETE", LIST)).json() == {"Ended": 1}
    assert not await is_good(client, third.headers)
    assert (await person.call("GET", LIST)).json()["Total"] == 1


async def test_another_ones_session_is_not_found(client, database):
    theirs = await open_session(database, await make_staff(database, "support"))
    headers = await staff_session(database, "owner")
    answer = await client.delete(f"{LIST}/{theirs.session_id}", headers=headers)
    assert answer.status_code == 404
    assert await is_good(client, theirs.headers)


async def test_a_manager_ends_the_sessions_of_who_does_not_outrank_them(client, database):
    clerk = await staff_session(database, "administrator")
    member, owner = await make_staff(database, "support"), await make_staff(database, "owner")
    theirs = await open_session(database, member)
    above = await open_session(database, owner)

    listed = await client.get(f"/api/v1/staff/{member}/sessions", headers=clerk)
    assert [entry["Id"] for entry in listed.json()["Values"]] == [str(theirs.session_id)]
    path = f"/api/v1/staff/{member}/sessions/{theirs.session_id}"
    assert (await client.delete(path, headers=clerk)).status_code == 200
    assert (await client.delete(path, headers=clerk)).status_code == 404
    assert not await is_good(client, theirs.headers)
    await open_session(database, member)
    all_of_them = await client.delete(f"/api/v1/staff/{member}/sessions", headers=clerk)
    assert all_of_them.json() == {"Ended": 1}

    for method, rest in (("GET", ""), ("DELETE", ""), ("DELETE", f"/{above.session_id}")):
        path = f"/api/v1/staff/{owner}/sessions{rest}"
        refused = await client.request(method, path, headers=clerk)
        assert (refused.status_code, refused.json()["Code"]) == (403, "outranked")
    assert await is_good(client, above.headers)


async def test_of_twenty_ends_of_a_session_at_once_one_is_recorded(database):
    session = await open_session(database, await make_staff(database, "support"))
    end = SessionEnd(user_id=session.user_id, only=session.session_id, by=BY)
    outcomes = await asyncio.gather(
        *(browser_sessions.end.one(database, end) for _ in range(20)), return_exceptions=True
    )
    assert outcomes.count(1) == 1
    sql = "SELECT count(*) FROM actions WHERE user_id = $1 AND kind = 'sessions.end'"
    assert await database.reader.value(sql, session.user_id) == 1


async def test_a_refused_end_does_not_keep_its_neighbour_alive(database):
    session = await open_session(database, await make_staff(database, "support"))
    right = ManagedEnd(user_id=session.user_id, by=BY)
    wrong = structs.replace(right, only=uuid4())
    refused, ended = await sessions.end_by_manager(database, [wrong, right])
    assert isinstance(refused, SessionNotFound)
    assert ended == 1


async def test_only_the_hash_of_a_cookie_is_stored(database):
    session = await open_session(database, await make_staff(database, "support"))
    row = await database.reader.value(
        "SELECT to_jsonb(browser_sessions)::text FROM browser_sessions WHERE id = $1",
        session.session_id,
    )
    assert session.cookie not in row
    assert credentials.digest(session.cookie).hex() in row


async def test_an_account_that_never_had_a_role_has_no_session(client, database):
    member = await make_user(database)
    session = await open_session(database, await make_staff(database, "support"))
    await run(
        database,
        "UPDATE browser_sessions SET user_id = $2, roles = '{}' WHERE id = $1",
        session.session_id,
        member,
    )
    assert not await is_good(client, session.headers)
