"""
The authorisation matrix of browser sessions: every route, in every state of a session.

Each built-in role, a role without scopes, a cookie without the headers of our own pages, a
cookie from a foreign origin, a sign-in that is not finished, a second factor that was
verified too long ago, and sessions that are over.
"""

from uuid import UUID

import pytest

from gamekeeper.app import ROUTES, App
from gamekeeper.auth.principal import SCOPES
from gamekeeper.auth.roles import BUILT_IN
from gamekeeper.db.database import Database
from tests.contract.endpoints import label
from tests.own_server import database, settings
from tests.security import cookie_rights
from tests.security.rights import ROWS
from tests.security.test_authorisation import app, call_route, quick_answers
from tests.staff.make import make_role, make_staff
from tests.staff.signed_in import OURS, open_session

__all__ = ["app", "database", "quick_answers", "settings"]

SIGN_OUT = "DELETE /api/v1/session"
FOREIGN = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example", "X-Gamekeeper": "1"}
CROSS_SITE, STEP_UP = "403 cross_site_request", "403 step_up_required"
DENIED = "401 unauthorized"


def is_safe(name: str) -> bool:
    return name.startswith("GET ") and name not in cookie_rights.UNSAFE_GETS


def test_the_table_says_of_every_route_what_the_route_says():
    """Whoever adds a route that steps up, or may be called before, says so here too."""
    routes = {label(route): route for route in ROUTES}
    assert {name for name, route in routes.items() if route.step_up} == cookie_rights.STEP_UP
    for state, names in (
        ("second_factor_required", cookie_rights.UNFINISHED),
        ("enrolment_required", cookie_rights.ENROLMENT),
    ):
        assert {name for name in routes if state in routes[name].before_sign_in} == names
    assert {name for name, route in routes.items() if route.is_safe != is_safe(name)} == set()


def let_in(name: str) -> str:
    return cookie_rights.LET_IN.get(name, str(ROWS[name].let_in))


def expected(name: str, scopes: frozenset[str]) -> str:
    """What a signed-in session with these scopes is answered, from our own pages."""
    row = ROWS[name]
    if row.scopes is None:
        return str(row.let_in)
    if cookie_rights.BY_BEARER_ONLY in name:
        return DENIED
    return let_in(name) if row.scopes <= scopes else "403 role_required"


def table(scopes: frozenset[str]) -> dict[str, str]:
    return {name: expected(name, scopes) for name in ROWS}


def refused(answers: dict[str, str], but: set[str], code: str) -> dict[str, str]:
    """The same table, with everything refused that is not public and not named."""
    return {
        name: answer if ROWS[name].scopes is None or name in but or answer == DENIED else code
        for name, answer in answers.items()
    }


async def called(
    app: App, database: Database, user: UUID, headers: dict[str, str], sql: str
) -> dict[str, str]:
    """What each route answers to a session of this user, put into its state by `sql`."""

    async def session() -> str:
        made = await open_session(database, user)
        if sql:
            await database.write(lambda writer: writer.run(sql, made.session_id))
        return made.headers["Cookie"]

    cookie, answers = await session(), {}
    for name in ROWS:
        # A session that signs out, or ends others, is another one.
        own = await session() if name == SIGN_OUT else cookie
        answers[name] = await _answer(app, name, headers | {"Cookie": own})
    return answers


async def _answer(app: App, name: str, headers: dict[str, str]) -> str:
    answer = await call_route(app, name, headers)
    coded = name in cookie_rights.LET_IN or answer.status in (401, 403)
    code = answer.json().get("Code", "") if answer.status >= 400 and coded else ""
    return f"{answer.status} {code}".strip()


async def staff(database: Database, *roles: str) -> UUID:
    return await make_staff(database, *roles)


@pytest.mark.parametrize("role", BUILT_IN)
async def test_each_role_opens_what_its_scopes_say_and_nothing_else(app, database, role):
    user = await staff(database, role)
    assert await called(app, database, user, OURS, "") == table(BUILT_IN[role])


async def test_a_role_without_scopes_opens_only_what_is_its_own(app, database):
    user = await staff(database, await make_role(database, "nobody", []))
    assert await called(app, database, user, OURS, "") == table(frozenset())


async def test_a_cookie_without_the_headers_of_our_pages_changes_nothing(app, database):
    answers = await called(app, database, await staff(database, "owner"), {}, "")
    safe = {name for name in ROWS if is_safe(name)}
    assert answers == refused(table(frozenset(SCOPES)), safe, CROSS_SITE)


async def test_a_cookie_from_a_foreign_origin_opens_nothing(app, database):
    answers = await called(app, database, await staff(database, "owner"), FOREIGN, "")
    assert answers == refused(table(frozenset(SCOPES)), set(), CROSS_SITE)


async def test_a_second_factor_that_is_old_opens_all_but_what_matters_most(app, database):
    user = await staff(database, "owner")
    await enrol(database, user)
    answers = await called(app, database, user, OURS, OLD)
    others = ROWS.keys() - cookie_rights.STEP_UP
    assert answers == refused(table(frozenset(SCOPES)), others, STEP_UP)


async def test_an_old_sign_in_without_a_second_factor_may_also_enrol_one(app, database):
    answers = await called(app, database, await staff(database, "owner"), OURS, OLD)
    others = (ROWS.keys() - cookie_rights.STEP_UP) | cookie_rights.ENROLMENT
    assert answers == refused(table(frozenset(SCOPES)), others, STEP_UP)


async def enrol(database: Database, user: UUID) -> None:
    sql = """
        INSERT INTO second_factors (user_id, id, kind, name, secret, confirmed_at)
        VALUES ($1, gen_random_uuid(), 'totp', 'app', 'sealed', now())
    """
    await database.write(lambda writer: writer.run(sql, user))


OLD = "UPDATE browser_sessions SET verified_at = now() - interval '601 seconds' WHERE id = $1"
UNFINISHED = "UPDATE browser_sessions SET verified_at = NULL, method = NULL WHERE id = $1"


async def test_a_password_alone_opens_the_way_to_the_second_factor(app, database):
    user = await staff(database, "owner")
    await enrol(database, user)
    answers = await called(app, database, user, OURS, UNFINISHED)
    code = "403 second_factor_required"
    assert answers == refused(table(frozenset(SCOPES)), cookie_rights.UNFINISHED, code)


async def test_a_password_alone_opens_enrolment_if_there_is_no_factor(app, database):
    answers = await called(app, database, await staff(database, "owner"), OURS, UNFINISHED)
    code = "403 enrolment_required"
    assert answers == refused(table(frozenset(SCOPES)), cookie_rights.ENROLMENT, code)


@pytest.mark.parametrize(
    "change",
    [
        "ended_at = now()",
        "expires_at = now()",
        "seen_at = now() - interval '1801 seconds'",
        "roles = '{owner,support}'",
        "created_at = now() - interval '1 day'",
        "hash = sha256(id::text::bytea), previous_hash = NULL",
    ],
    ids=["ended", "too old", "idle", "other roles now", "a new password since", "rotated"],
)
async def test_a_session_that_is_over_opens_nothing(app, database, change):
    user = await staff(database, "owner")
    sql = "INSERT INTO passwords (user_id, sealed) VALUES ($1, 'sealed')"
    await database.write(lambda writer: writer.run(sql, user))
    sql = f"UPDATE browser_sessions SET {change} WHERE id = $1"
    answers = await called(app, database, user, OURS, sql)
    assert answers == refused(table(frozenset(SCOPES)), set(), DENIED)
