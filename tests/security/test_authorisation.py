"""
The authorisation matrix: every route, called by everybody.

Strangers, whose credential is missing or not good (any more), keys with one scope each, and
accounts with different powers. The table of `rights.py` says what each of them is answered.
"""

import logging
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from uuid import UUID

import pytest
import structlog
from msgspec import structs

from gamekeeper.app import ROUTES, App
from gamekeeper.auth import credentials, keys, tokens
from gamekeeper.auth.principal import SCOPES
from gamekeeper.auth.tokens import Tokens
from gamekeeper.core.observability import exposition
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.contract.endpoints import label
from tests.make import BY, make_user, proved
from tests.own_server import database, settings
from tests.security import direct
from tests.security.rights import OF_ACCOUNTS, ROWS, Row

__all__ = ["database", "settings"]

DENIED, LACKING = 401, 403
PLAYERS = {"players.read", "players.items", "players.variables", "players.spells"}
ACCOUNTS: dict[str, tuple[dict[str, bool], set[str]]] = {
    "no more than Api": ({}, set()),
    "personal information": ({"personal_information": True}, {"users.personal"}),
    "users.query": ({"user_query": True}, {"users.query", "logs.read"}),
    "users.manage": ({"user_management": True}, {"users.manage"}),
    "both": (
        {"user_query": True, "user_management": True},
        {"users.query", "users.manage", "logs.read"},
    ),
    "all the powers of the game": (
        dict.fromkeys(("editor", "ban", "kick", "mute"), True),
        {"commands"},
    ),
}
"""The powers of an account that may sign in, and the scopes that they give besides `PLAYERS`."""


@pytest.fixture(scope="module", autouse=True)
def quick_answers() -> Iterator[None]:
    """Render the metrics once, and write no line for each call: thousands are made here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exposition, "FRESH_SECONDS", inf)
        with quiet():
            yield


@contextmanager
def quiet() -> Iterator[None]:
    """The log as `GAMEKEEPER_LOG_LEVEL=warning` has it."""
    before = structlog.get_config()["wrapper_class"]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.configure(wrapper_class=before)


@pytest.fixture(scope="module")
async def app(settings: Settings) -> AsyncIterator[App]:
    # Rates have tests of their own; all these calls come from one address, within a minute.
    app = App(structs.replace(settings, anonymous_rate=1_000_000, rate_limits="off"))
    await app.start()
    yield app
    await app.stop()


def test_every_route_has_a_row():
    """Whoever adds a route says here who may call it."""
    assert {label(route) for route in ROUTES} == ROWS.keys()
    assert {scope for row in ROWS.values() for scope in row.scopes or ()} <= SCOPES.keys()


async def called(app: App, **headers: str) -> dict[str, int]:
    """What each route answers; the calls are about nothing, and change nothing."""
    return {name: (await call_route(app, name, headers)).status for name in ROWS}


async def call_route(app: App, name: str, headers: Mapping[str, str]) -> direct.Answer:
    method, path = name.split()
    path = re.sub(r"{\w+}", str(UUID(int=0)), path)
    body = b"{}" if method in ("POST", "PATCH", "PUT") else None
    return await direct.call(app, method, path, headers, body)


def expected(row: Row, scopes: set[str] | None) -> int:
    """Of a caller with these scopes; None: whoever it is, it is not believed."""
    if row.scopes is None:
        return row.let_in
    if scopes is None:
        return DENIED
    return row.let_in if row.scopes <= scopes else LACKING


def table(scopes: set[str] | None) -> dict[str, int]:
    return {name: expected(row, scopes) for name, row in ROWS.items()}


def bearer(credential: str) -> str:
    return f"Bearer {credential}"


async def key(database: Database, name: str, *scopes: str, days: int | None = None) -> str:
    order = keys.NewKey(by=BY, name=name, scopes=scopes or None, days=days)
    return str(await keys.create.one(database, order))


async def signed_in(database: Database, **powers: bool) -> tuple[UUID, Tokens]:
    user = await make_user(database, password="right", api=True, **powers)
    return user, await tokens.issue.one(database, await proved(database, user))


async def run(database: Database, sql: str, *given: object) -> None:
    await database.write(lambda writer: writer.run(sql, *given))


# ── Strangers ──


def forged(credential: str) -> str:
    """With another checksum."""
    return credential[:-1] + ("0" if credential[-1] != "0" else "1")


async def revoked_key(database: Database) -> str:
    made = await key(database, "revoked")
    await keys.revoke.one(database, keys.Revocation(by=BY, key="revoked"))
    return made


async def expired_key(database: Database) -> str:
    made = await key(database, "expired", days=1)
    sql = "UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE hash = $1"
    await run(database, sql, credentials.digest(made))
    return made


async def expired_token(database: Database) -> str:
    _, issued = await signed_in(database)
    sql = "UPDATE access_tokens SET expires_at = now() - interval '1 second' WHERE hash = $1"
    await run(database, sql, credentials.digest(issued.access))
    return str(issued.access)


async def ended_sign_in(database: Database) -> str:
    user, issued = await signed_in(database)
    await tokens.end_all.one(database, user)
    return str(issued.access)


async def token_of_one_without_the_api_power(database: Database) -> str:
    user, issued = await signed_in(database, user_query=True, user_management=True)
    await run(database, "UPDATE users SET api = false WHERE id = $1", user)
    return str(issued.access)


async def refresh_token(database: Database) -> str:
    _, issued = await signed_in(database, user_query=True, user_management=True)
    return str(issued.refresh)


async def forged_key(database: Database) -> str:
    return forged(await key(database, "forged"))


async def forged_token(database: Database) -> str:
    return forged(str((await signed_in(database))[1].access))


async def never_issued(database: Database) -> str:
    return str(credentials.new_credential("gk"))


async def garbage(database: Database) -> str:
    return "' OR 1=1 --"


@pytest.mark.parametrize(
    "made",
    [
        garbage,
        never_issued,
        forged_key,
        forged_token,
        refresh_token,
        expired_token,
        ended_sign_in,
        token_of_one_without_the_api_power,
        revoked_key,
        expired_key,
    ],
)
async def test_a_credential_that_is_not_good_lets_nobody_in(app, database, made):
    credential = await made(database)
    assert await called(app, authorization=bearer(credential)) == table(None)


async def test_without_a_credential_only_what_is_public_answers(app, database):
    good = await key(database, "in another scheme")
    assert await called(app) == table(None)
    assert await called(app, authorization="") == table(None)
    assert await called(app, authorization=f"Basic {good}") == table(None)
    assert await called(app, authorization=good) == table(None)


# ── Keys and accounts ──


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_scope_alone_opens_what_it_says_and_nothing_else(app, database, scope):
    credential = await key(database, f"only {scope}", scope)
    assert await called(app, authorization=bearer(credential)) == table({scope})


async def test_two_scopes_open_what_needs_both(app, database):
    for scopes in ({"users.query", "users.manage"}, {"players.read", "actions.read"}):
        credential = await key(database, " and ".join(sorted(scopes)), *scopes)
        assert await called(app, authorization=bearer(credential)) == table(scopes)


async def test_a_key_without_scopes_opens_everything(app, database):
    credential = await key(database, "everything")
    assert await called(app, authorization=bearer(credential)) == table(set(SCOPES))


@pytest.mark.parametrize("powers", ACCOUNTS)
async def test_an_account_has_what_its_powers_give(app, database, powers):
    columns, scopes = ACCOUNTS[powers]
    _, issued = await signed_in(database, **columns)
    wanted = table(PLAYERS | scopes) | OF_ACCOUNTS
    assert await called(app, authorization=bearer(issued.access)) == wanted
