"""The token endpoint: a password, or a refresh token, for tokens."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import LiteralString

import httpx2
import pytest

from gamekeeper.auth import credentials
from gamekeeper.db.database import Database
from tests.contract.outcomes import outcome, refusal
from tests.contract.sign_in import (
    TOKEN,
    ask,
    bearer,
    from_anywhere,
    make_signer,
    sign_in,
)
from tests.deadlines import PATIENCE
from tests.make import sha

DENIED = refusal(401, "unauthorized", "Authorization has been denied for this request.")
WRONG = (
    400,
    {"error": "invalid_grant", "error_description": "The username or password is wrong."},
)
USED = (
    400,
    {
        "error": "invalid_grant",
        "error_description": "The credentials are wrong, expired or already used.",
    },
)


@pytest.fixture(scope="module")
def url(server_behind_a_proxy: tuple[str, Path]) -> str:
    return server_behind_a_proxy[0]


@pytest.fixture(scope="module")
async def anonymous(url: str):
    """A client without any credential."""
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
async def signer(database: Database) -> str:
    """An account that may sign in and has no other power."""
    return await make_signer(database)


async def set_back(database: Database, table: LiteralString, credential: str) -> None:
    """Let a credential have run out a second ago."""
    digest = credentials.digest(credential)
    await database.write(
        lambda writer: writer.run(
            f"UPDATE {table} SET expires_at = now() - interval '1 second' WHERE hash = $1", digest
        )
    )


@pytest.mark.parametrize(
    "sending",
    [
        "application/json",
        "application/json; charset=utf-8",
        'APPLICATION/JSON;Charset="UTF-8"',
        "application/x-www-form-urlencoded",
    ],
)
async def test_a_password_is_exchanged_for_tokens(anonymous, signer, sending):
    """In any encoding that existing clients send, with keys in any letter case."""
    fields = {"Grant_Type": "password", "USERNAME": signer.upper(), "password": sha("secret")}
    form = "form" in sending
    body = httpx2.QueryParams(fields) if form else httpx2.Request("POST", "/", json=fields).content
    begun = datetime.now(UTC).replace(microsecond=0)

    answer = await anonymous.post(
        TOKEN,
        content=str(body).encode() if form else body,
        headers={"Content-Type": sending} | from_anywhere(),
    )

    status, shown = outcome(answer)
    issued = parsedate_to_datetime(shown[".issued"])
    assert begun - timedelta(seconds=1) <= issued <= datetime.now(UTC)
    assert (status, shown) == (
        200,
        {
            "access_token": shown["access_token"],
            "token_type": "bearer",
            "expires_in": 604_800,
            "refresh_token": shown["refresh_token"],
            ".issued": format_datetime(issued, usegmt=True),
            ".expires": format_datetime(issued + timedelta(days=7), usegmt=True),
            "token_id": shown["token_id"],
        },
    )
    assert credentials.kind_of(shown["access_token"]) == "gka"
    assert credentials.kind_of(shown["refresh_token"]) == "gkr"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("fields", "error", "description"),
    [
        ({}, "invalid_request", "'grant_type' is required."),
        (
            {"grant_type": "client_credentials"},
            "unsupported_grant_type",
            "Use password or refresh_token.",
        ),
        ({"grant_type": "PASSWORD"}, "unsupported_grant_type", "Use password or refresh_token."),
        (
            {"grant_type": "password", "username": "ana"},
            "invalid_request",
            "'username' and 'password' are required.",
        ),
        (
            {"grant_type": "password", "password": "0" * 64},
            "invalid_request",
            "'username' and 'password' are required.",
        ),
        (
            {"grant_type": "password", "username": "ana", "password": "secret"},
            "invalid_request",
            "'password' must be 64 hexadecimal digits.",
        ),
        ({"grant_type": "refresh_token"}, "invalid_request", "'refresh_token' is required."),
    ],
)
async def test_a_request_that_makes_no_sense_is_told_so(anonymous, fields, error, description):
    answer = await ask(anonymous, **fields)

    assert outcome(answer) == (400, {"error": error, "error_description": description})


@pytest.mark.parametrize(
    ("sent", "description"),
    [
        ({"json": {"grant_type": 5}}, "'grant_type' must be a string without NUL."),
        (
            {"json": {"grant_type": "password", "username": ["ana"], "password": "0" * 64}},
            "'username' must be a string without NUL.",
        ),
        (
            {"content": b"{", "headers": {"Content-Type": "application/json"}},
            "The body is not valid JSON.",
        ),
    ],
)
async def test_an_unreadable_body_is_an_invalid_request_too(anonymous, sent, description):
    """A library for RFC 6749 looks for `error` whatever was wrong."""
    answer = await anonymous.post(TOKEN, **sent)

    expected = {"error": "invalid_request", "error_description": description}
    assert outcome(answer) == (400, expected)


async def test_a_wrong_password_and_an_unknown_account_are_told_the_same(anonymous, signer):
    for name in (signer, "nobody", "x" * 500, "a\x01b", "00000000-0000-4000-8000-000000000000"):
        answer = await ask(
            anonymous, grant_type="password", username=name, password=sha("not the password")
        )

        assert outcome(answer) == WRONG, name


async def test_an_account_without_the_api_power_gets_no_token(anonymous, client, database):
    """
    So whoever has registered is not yet allowed to call this service.

    The answer is that of a wrong password, or anybody could check passwords here (attack 26).
    """
    form = {"username": "Registered", "password": sha("secret"), "email": "r@example.org"}
    assert (await client.post("/api/v1/users/register", json=form)).status_code == 200

    answer = await ask(
        anonymous, grant_type="password", username="registered", password=sha("secret")
    )

    assert outcome(answer) == WRONG
    sql = """
        SELECT count(*) FROM token_families JOIN users ON users.id = user_id
         WHERE name = 'Registered'
    """
    assert await database.reader.value(sql) == 0


async def test_a_refresh_token_is_exchanged_once_and_then_ends_the_family(
    anonymous, database, signer
):
    """Whoever shows a used one may have stolen it, or been stolen from: both must sign in."""
    first, other = await sign_in(anonymous, signer), await sign_in(anonymous, signer)

    answer = await ask(anonymous, grant_type="refresh_token", refresh_token=first["refresh_token"])

    second = answer.json()
    assert answer.status_code == 200
    assert second.keys() == first.keys()
    assert second["token_id"] == first["token_id"] != other["token_id"]
    secrets = [one[key] for one in (first, second) for key in ("access_token", "refresh_token")]
    assert len(set(secrets)) == 4
    again = await ask(anonymous, grant_type="refresh_token", refresh_token=first["refresh_token"])
    assert outcome(again) == USED
    late = await ask(anonymous, grant_type="refresh_token", refresh_token=second["refresh_token"])
    assert outcome(late) == USED
    for access in (first["access_token"], second["access_token"]):
        denied = await anonymous.get("/api/v1/players", headers=bearer(access))
        assert outcome(denied) == DENIED
    alive = await anonymous.get("/api/v1/players", headers=bearer(other["access_token"]))
    assert alive.status_code == 200


async def test_a_refresh_token_used_by_twenty_at_once_is_exchanged_at_most_once(anonymous, signer):
    first = await sign_in(anonymous, signer)

    answers = await asyncio.gather(
        *(
            ask(anonymous, grant_type="refresh_token", refresh_token=first["refresh_token"])
            for _ in range(20)
        )
    )

    good = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(good) <= 1
    assert [outcome(answer) for answer in answers].count(USED) == 20 - len(good)
    for issued in (first, *good):
        denied = await anonymous.get("/api/v1/players", headers=bearer(issued["access_token"]))
        assert outcome(denied) == DENIED


async def test_what_is_no_live_refresh_token_is_refused(anonymous, database, key, signer):
    """Garbage, other kinds of credential, and one that has run out."""
    issued = await sign_in(anonymous, signer)
    await set_back(database, "refresh_tokens", issued["refresh_token"])
    fresh = str(credentials.new_credential("gkr"))
    for token in ("", "garbage", "gkr_é", fresh, key, issued["access_token"]):
        answer = await ask(anonymous, grant_type="refresh_token", refresh_token=token)
        assert outcome(answer) == USED, token

    late = await ask(anonymous, grant_type="refresh_token", refresh_token=issued["refresh_token"])

    assert outcome(late) == USED


async def test_a_sign_in_ends_however_often_it_is_refreshed(anonymous, database, signer):
    issued = await sign_in(anonymous, signer)
    await database.write(
        lambda writer: writer.run(
            "UPDATE token_families SET expires_at = now() WHERE id = $1", issued["token_id"]
        )
    )

    answer = await ask(anonymous, grant_type="refresh_token", refresh_token=issued["refresh_token"])

    assert outcome(answer) == USED
    denied = await anonymous.get("/api/v1/players", headers=bearer(issued["access_token"]))
    assert outcome(denied) == DENIED


async def test_tokens_are_only_had_by_post(anonymous):
    answer = await anonymous.get(TOKEN)

    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
