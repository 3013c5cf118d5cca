"""Refresh tokens: rotation with a grace period, reuse, revocation and expiry."""

import asyncio
from typing import Any

import pytest

from gamekeeper.db.database import Database
from gamekeeper.provider import refreshes
from tests.provider.relying_party import Browser, RelyingParty, register


@pytest.fixture
async def tokens(browser: Browser, party: RelyingParty) -> dict[str, Any]:
    answer = await browser.sign_in(party.query(scope="openid profile offline_access"))
    return (await party.exchange(answer["code"])).json()


async def later(database: Database, seconds: int) -> None:
    """As if the used tokens had been used so much earlier."""
    await database.write(
        lambda writer: writer.run(
            "UPDATE openid_tokens SET used_at = used_at - make_interval(secs => $1)", seconds
        )
    )


async def test_a_refresh_token_gives_new_tokens(
    browser: Browser, party: RelyingParty, tokens: dict[str, Any]
):
    got = await party.refresh(tokens["refresh_token"])

    new = got.json()
    assert got.status_code == 200, got.text
    assert not {new["access_token"], new["refresh_token"]} & set(tokens.values())
    claims = await party.claims(new["id_token"])
    before = await party.claims(tokens["id_token"])
    assert "nonce" not in claims
    same = ("iss", "sub", "aud", "auth_time", "sid")
    assert [claims[name] for name in same] == [before[name] for name in same]
    assert (await party.user_info(new["access_token"])).json()["name"] == "Ana"


async def test_a_repetition_within_the_grace_period_gets_the_same(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    first = (await party.refresh(tokens["refresh_token"])).json()
    await later(database, 13)

    again = (await party.refresh(tokens["refresh_token"])).json()

    assert [again[n] for n in ("access_token", "refresh_token")] == [
        first[n] for n in ("access_token", "refresh_token")
    ]
    count = await database.reader.value(
        "SELECT count(*) FROM openid_tokens WHERE kind = 'refresh' AND used_at IS NULL"
    )
    assert count == 1


async def test_twenty_tabs_refresh_at_once(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    answers = await asyncio.gather(*(party.refresh(tokens["refresh_token"]) for _ in range(20)))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1


async def test_a_reuse_after_the_grace_period_ends_the_sign_in(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    new = (await party.refresh(tokens["refresh_token"])).json()
    await later(database, 16)

    reused = await party.refresh(tokens["refresh_token"])

    assert reused.json()["error"] == "invalid_grant"
    assert (await party.refresh(new["refresh_token"])).json()["error"] == "invalid_grant"
    assert (await party.user_info(new["access_token"])).status_code == 401


async def test_a_refresh_token_belongs_to_its_client(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    other = RelyingParty(party.http, await register(database, name="Wiki"))

    stolen = await other.refresh(tokens["refresh_token"])
    await other.http.post(
        "/openid/revoke",
        data={
            "token": tokens["refresh_token"],
            "client_id": other.id,
            "client_secret": str(other.secret),
        },
    )

    assert stolen.json()["error"] == "invalid_grant"
    assert (await party.refresh(tokens["refresh_token"])).status_code == 200


async def test_a_scope_that_was_not_granted_is_refused(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    more = await party.refresh(tokens["refresh_token"], scope="openid email")

    assert more.json()["error"] == "invalid_scope"
    # The refusal does not use the token up: a late correction is no reuse.
    await later(database, 16)
    less = await party.refresh(tokens["refresh_token"], scope="openid profile")
    assert less.status_code == 200


async def test_a_repetition_gets_the_same_although_its_successor_was_used(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    """A slow tab sends the first token after another tab used the second."""
    second = (await party.refresh(tokens["refresh_token"])).json()
    third = (await party.refresh(second["refresh_token"])).json()

    again = (await party.refresh(tokens["refresh_token"])).json()

    assert again["refresh_token"] == second["refresh_token"]
    unused = await database.reader.value(
        "SELECT count(*) FROM openid_tokens WHERE kind = 'refresh' AND used_at IS NULL"
    )
    assert unused == 1
    assert (await party.refresh(third["refresh_token"])).status_code == 200


async def test_the_refreshes_of_a_sign_in_are_bounded(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await used_before(database, refreshes.MAX_REFRESHES_PER_HOUR - 2)

    last = await party.refresh(tokens["refresh_token"])
    refused = await party.refresh(last.json()["refresh_token"])

    assert (last.status_code, refused.status_code) == (200, 429)
    assert refused.headers["retry-after"] == "60"
    await database.write(
        lambda writer: writer.run(
            "UPDATE openid_tokens SET created_at = created_at - interval '1 hour'"
        )
    )
    assert (await party.refresh(last.json()["refresh_token"])).status_code == 200


async def test_a_refresh_deletes_expired_access_tokens(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    await database.write(
        lambda writer: writer.run(
            "UPDATE openid_tokens SET expires_at = now() - interval '1 s' WHERE kind = 'access'"
        )
    )
    await party.refresh(tokens["refresh_token"])

    left = await database.reader.value("SELECT count(*) FROM openid_tokens WHERE kind = 'access'")
    assert left == 1


async def used_before(database: Database, count: int) -> None:
    """As if the sign-in had been refreshed so often before."""
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO openid_tokens (hash, sign_in_id, kind, expires_at, used_at)
            SELECT sha256(n::text::bytea), id, 'refresh', now() + interval '14 days', now()
              FROM openid_sign_ins, generate_series(1, $1::int) AS n
            """,
            count,
        )
    )


@pytest.mark.parametrize(
    ("kind", "is_refreshed"), [("access_token", True), ("refresh_token", False)]
)
async def test_tokens_are_revoked(
    party: RelyingParty, tokens: dict[str, Any], kind: str, is_refreshed: bool
):
    own = {"client_id": party.id, "client_secret": str(party.secret)}
    refused = await party.http.post("/openid/revoke", data={"token": tokens[kind]})
    revoked = await party.http.post("/openid/revoke", data=own | {"token": tokens[kind]})
    unknown = await party.http.post("/openid/revoke", data=own | {"token": "nonsense"})

    assert (refused.status_code, revoked.status_code, unknown.status_code) == (401, 200, 200)
    assert (await party.user_info(tokens["access_token"])).status_code == 401
    assert (await party.refresh(tokens["refresh_token"])).is_success is is_refreshed


async def test_tokens_expire_by_the_clock_of_the_database(
    party: RelyingParty, tokens: dict[str, Any], database: Database
):
    async def move(table: str, interval: str) -> None:
        sql: Any = f"UPDATE {table} SET expires_at = expires_at - $1::text::interval"
        await database.write(lambda writer: writer.run(sql, interval))

    await move("openid_tokens", "601 seconds")
    assert (await party.user_info(tokens["access_token"])).status_code == 401
    new = (await party.refresh(tokens["refresh_token"])).json()
    await move("openid_sign_ins", "61 days")

    assert (await party.user_info(new["access_token"])).status_code == 401
    assert (await party.refresh(new["refresh_token"])).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"grant_type": None}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code"}, "invalid_request"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "refresh_token", "refresh_token": "nonsense"}, "invalid_grant"),
    ],
)
async def test_the_errors_are_those_of_the_standard(
    party: RelyingParty, fields: dict[str, str | None], error: str
):
    answer = await party.token(**fields)
    assert (answer.status_code, answer.json()["error"]) == (400, error)
