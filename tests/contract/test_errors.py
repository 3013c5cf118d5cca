"""Refusals: the one shape they have, and who is let in at all."""

import asyncio
import re
from collections.abc import AsyncIterator
from time import monotonic

import pytest
from httpx2 import Response

from gamekeeper.api.v1.session import NoSession
from gamekeeper.app import ROUTES
from gamekeeper.auth import credentials, keys, tokens
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.principal import SCOPES
from tests.contract.endpoints import Stage, body_of, changes, label
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_player, make_user, proved

DENIED = refusal(401, "unauthorized", "Authorization has been denied for this request.")
GUARDED = [route for route in ROUTES if route.roles is not None]
NEEDING = [(route, role) for route in GUARDED for role in sorted(route.roles or ())]


def bearer(credential: object) -> dict[str, str]:
    return {"Authorization": f"Bearer {credential}"}


def role_required(role: str):
    return refusal(403, "role_required", f"This needs the role '{role}'.", Role=role)


async def key_with(database, *scopes: str, name: str = "narrow") -> str:
    return str(await keys.create.one(database, NewKey(by=BY, name=name, scopes=scopes)))


@pytest.fixture(scope="module")
async def stage(database) -> Stage:
    return await Stage.make(database)


@pytest.fixture(scope="module")
async def lacking(database) -> dict[str, str]:
    """For each scope, a key that has every other one."""
    return {scope: await key_with(database, *(SCOPES.keys() - {scope})) for scope in SCOPES}


@pytest.fixture(scope="module")
async def exact(database) -> dict[frozenset[str], str]:
    """For each set of roles that a route needs, a key that has just those."""
    return {
        roles: await key_with(database, *roles) for roles in {r.roles for r in GUARDED} if roles
    }


@pytest.fixture(scope="module", autouse=True)
async def revoking(client, database) -> AsyncIterator[asyncio.Task[Response]]:
    """It takes two seconds until a key is denied, so it goes on while other tests run."""
    task = asyncio.create_task(denied_after_revocation(client, database))
    yield task
    task.cancel()
    await asyncio.wait([task])


# --- the shape ----------------------------------------------------------------


async def test_a_refusal_has_a_message_a_code_and_the_request_id(client):
    answer = await client.get("/api/v1/players/nobody")

    assert answer.status_code == 404
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
    assert list(answer.json().items()) == [
        ("Message", "No player with name 'nobody'."),
        ("Code", "player_not_found"),
        ("RequestId", answer.headers["x-request-id"]),
    ]


async def test_a_refusal_has_details_where_they_help_a_program(client):
    answer = await client.get("/api/v1/servers?page=x", headers={"X-Request-Id": "mine"})

    assert list(answer.json().items()) == [
        ("Message", "'page' must be an integer."),
        ("Code", "invalid_query"),
        ("RequestId", "mine"),
        ("Details", {"Field": "page"}),
    ]


async def test_what_a_client_sent_comes_back_as_text_not_as_markup_of_json(client):
    answer = await client.get("/api/v1/players/%22%7D%5C%3Cb%3E")

    expected = refusal(404, "player_not_found", "No player with name '\"}\\<b>'.")
    assert outcome(answer) == expected


# --- 401 ----------------------------------------------------------------------


@pytest.mark.parametrize("route", GUARDED, ids=label)
async def test_nobody_is_let_in_without_a_credential(client, stage, route):
    """Before anything else about the call is looked at: path, query and body do not matter."""
    answer = await client.request(
        route.method,
        stage.path(route) + "?page=x",
        content=b"not json",
        headers={"Authorization": "", "Content-Type": "text/plain"},
    )

    assert outcome(answer) == DENIED
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_of_the_first_version_only_resets_appeals_and_sign_in_are_open_to_all():
    """Whoever completes a reset or appeals holds a code, and has no other credential."""
    public = [label(r) for r in ROUTES if r.path.startswith("/api/v1") and r.roles is None]

    assert sorted(public) == [
        "GET /api/v1/sign-in",
        "POST /api/v1/appeals",
        "POST /api/v1/appeals/status",
        "POST /api/v1/session",
        "POST /api/v1/session/invitation",
        "POST /api/v1/session/link",
        "POST /api/v1/shops/{shop}/events",
        "POST /api/v1/sign-in/finish",
        "POST /api/v1/sign-in/start",
        "POST /api/v1/users/email/verification/complete",
        "POST /api/v1/users/password/reset/complete",
    ]


async def test_every_endpoint_of_the_first_version_needs_a_role():
    """Endpoints 20 to 31 need users.query, and 29 and 30 users.manage besides."""
    roles = {label(r): r.roles for r in GUARDED if r.path.startswith("/api/v1")}

    # Whoever calls may ask who they are, and sees their own requests for approval; with a
    # browser session also what is theirs of that, and nobody else's.
    free = {name for name, needed in roles.items() if not needed}
    by_cookie = {label(route) for route in GUARDED if NoSession in route.raises}
    own = {
        *("GET /api/v1/me", "GET /api/v1/me/usage"),
        *("GET /api/v1/me/email", "POST /api/v1/me/email/verification"),
        *("GET /api/v1/approvals", "GET /api/v1/approvals/{id}"),
        *("GET /api/v1/me/reports", "POST /api/v1/me/reports", "POST /api/v1/me/orders/claim"),
        "POST /api/v1/me/codes",
        *("GET /api/v1/me/identities", "POST /api/v1/me/identities/codes"),
        *("POST /api/v1/me/identities/start", "POST /api/v1/me/identities/finish"),
        *("POST /api/v1/me/identities/link", "DELETE /api/v1/me/identities/{identity_id}"),
        *("GET /api/v1/me/mailbox", "GET /api/v1/me/mailbox/{letter_id}"),
        *("POST /api/v1/me/mailbox/{letter_id}/claim", "POST /api/v1/me/mailbox/{letter_id}/read"),
        *("DELETE /api/v1/me/mailbox/{letter_id}", "GET /api/v1/me/orders"),
    }
    assert free == own | by_cookie
    assert all(" /api/v1/me/" in name or " /api/v1/session" in name for name in by_cookie)
    assert roles.pop("POST /api/v1/users/{key}/players") == {"players.manage"}
    assert roles.pop("GET /api/v1/users/{key}/sanctions") == {"sanctions.read"}
    users = {name: needed for name, needed in roles.items() if "/api/v1/users" in name}
    assert all("users.query" in needed for needed in users.values() if needed)
    assert {name for name, needed in users.items() if needed and "users.manage" in needed} == {
        "POST /api/v1/users/{key}/manage/email/change",
        "POST /api/v1/users/{key}/manage/password/change",
        "POST /api/v1/users/{key}/name",
        "DELETE /api/v1/users/{key}",
    }


async def test_a_player_endpoint_needs_the_scope_of_what_it_does():
    """A key for a website that shows characters must not hand out swords."""
    changing = {
        "POST /api/v1/players/{key}/variables/{variable_id}": "players.variables",
        "POST /api/v1/players/{key}/items/give": "players.items",
        "POST /api/v1/players/{key}/items/take": "players.items",
        "POST /api/v1/players/{key}/items/restore": "players.items",
        "POST /api/v1/players/{key}/mailbox": "players.items",
        "POST /api/v1/players/{key}/mailbox/{letter_id}/claim": "players.items",
        "POST /api/v1/players/{key}/mailbox/{letter_id}/read": "players.items",
        "POST /api/v1/players/{key}/mailbox/{letter_id}/withdraw": "players.items",
        "DELETE /api/v1/players/{key}/mailbox/{letter_id}": "players.items",
        "POST /api/v1/players/{key}/spells/teach": "players.spells",
        "POST /api/v1/players/{key}/spells/forget": "players.spells",
        "DELETE /api/v1/players/{key}": "players.manage",
        "POST /api/v1/players/{key}/name": "players.manage",
        "POST /api/v1/players/{key}/class": "players.manage",
        "POST /api/v1/players/{key}/level": "players.manage",
        "POST /api/v1/players/{key}/sheet": "players.manage",
        "POST /api/v1/players/{key}/commands": "commands",
        # And, which the route cannot know, the scope or the power of the action.
        "POST /api/v1/players/{key}/admin/{action}": "players.read",
    }
    reading = {
        "GET /api/v1/players/{key}/commands": "commands",
        "GET /api/v1/players/{key}/sanctions": "sanctions.read",
    }
    players = [route for route in GUARDED if route.path.startswith("/api/v1/players")]

    assert {label(route) for route in players if changes(route)} == changing.keys()
    for route in players:
        # The timeline names those who did things, as the log does.
        log = {"actions.read"} if route.path.endswith(("{key}/history", "/trail")) else set()
        needed = (changing | reading).get(label(route), "players.read")
        assert route.roles == {needed} | log


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer nonsense",
        "Bearer gk_",
        "Bearer gk_" + "0" * 49,
        "Bearer " + "x" * 5000,
        "Bearer ünï".encode(),
        "Basic YW5hOnNlY3JldA==",
    ],
)
async def test_a_malformed_credential_is_denied(client, header):
    answer = await client.get("/api/v1/players", headers={"Authorization": header})

    assert outcome(answer) == DENIED
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("kind", ["gk", "gka", "gkr"])
async def test_a_well_formed_credential_that_nobody_was_given_is_denied(client, kind):
    answer = await client.get("/api/v1/players", headers=bearer(credentials.new_credential(kind)))

    assert outcome(answer) == DENIED
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_key_without_its_scheme_or_in_another_case_is_denied(client, key):
    for header in (key, f"Basic {key}", f"Bearer {key.upper()}", f"Bearer {key}x"):
        answer = await client.get("/api/v1/players", headers={"Authorization": header})
        assert outcome(answer) == DENIED


async def test_the_scheme_is_read_in_any_letter_case(client, key):
    for scheme in ("bearer", "BEARER", "Bearer  "):
        answer = await client.get(
            "/api/v1/players/online/count", headers={"Authorization": f"{scheme} {key}"}
        )
        assert outcome(answer) == (200, {"onlineCount": 0})


async def test_an_expired_key_is_denied(client, database):
    expired = await key_with(database, "players.read", name="expired")
    await database.write(
        lambda writer: writer.run("UPDATE api_keys SET expires_at = now() WHERE name = 'expired'")
    )

    answer = await client.get("/api/v1/players/online/count", headers=bearer(expired))

    assert outcome(answer) == DENIED
    assert answer.headers["www-authenticate"] == "Bearer"


async def denied_after_revocation(client, database) -> Response:
    """The first answer that denies a key which was used and then revoked."""
    revoked = bearer(await key_with(database, "players.read", name="revoked"))
    path = "/api/v1/players/online/count"
    assert outcome(await client.get(path, headers=revoked)) == (200, {"onlineCount": 0})

    await keys.revoke.one(database, keys.Revocation(by=BY, key="revoked"))

    limit = monotonic() + 5
    while outcome(answer := await client.get(path, headers=revoked)) != DENIED:
        assert monotonic() < limit, "still let in"
        await asyncio.sleep(0.1)
    return answer


async def test_a_revoked_key_is_denied_within_five_seconds_of_its_last_use(revoking):
    answer = await revoking

    assert answer.headers["www-authenticate"] == "Bearer"


async def test_a_refresh_token_or_an_ended_access_token_is_denied(client, database):
    user = await make_user(database, api=True)
    granted = await tokens.issue.one(database, await proved(database, user))
    await tokens.end_all.one(database, user)

    for token in (granted.refresh, granted.access):
        answer = await client.get("/api/v1/players", headers=bearer(token))
        assert outcome(answer) == DENIED


# --- 403 ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("route", "role"), NEEDING, ids=[f"{label(route)} {role}" for route, role in NEEDING]
)
async def test_a_key_that_may_do_all_but_this_is_told_which_role_it_lacks(
    client, stage, lacking, route, role
):
    shape = body_of(route)
    answer = await client.request(
        route.method,
        stage.path(route),
        json=stage.fields(route, shape) if shape else None,
        headers=bearer(lacking[role]),
    )

    assert outcome(answer) == role_required(role)
    expected = f'Bearer error="insufficient_scope", scope="{role}"'
    assert answer.headers["www-authenticate"] == expected


@pytest.mark.parametrize("route", [r for r in GUARDED if r.roles], ids=label)
async def test_a_key_with_just_the_roles_of_a_route_is_let_in(client, exact, stage, route):
    """So far that its body is looked at, which has no content type; the stage stays as it was."""
    answer = await client.request(
        route.method, stage.path(route), content=b"{", headers=bearer(exact[route.roles])
    )

    if answer.status_code in (400, 403):
        # Let in, and refused for another reason: the account has a power that the key lacks, or
        # there is no such guild, in Intersect's words; or private messages need a reason.
        codes = ("outranked", "unknown_guild", "guild_not_found", "reason_required")
        assert answer.json()["Code"] in codes
    elif answer.status_code == 409:
        # The case of the stage is open; its letter has items, until another route ends it.
        codes = ("case_not_closed", "letter_holds_items", "letter_closed")
        assert answer.json()["Code"] in codes
    else:
        assert answer.status_code in ((415,) if body_of(route) else (200, 404))


async def test_a_role_is_missed_before_the_body_is_read(client, lacking):
    answer = await client.post(
        "/api/v1/players/nobody/items/give",
        content=b"{",
        headers=bearer(lacking["players.items"]),
    )

    assert outcome(answer) == role_required("players.items")


async def test_an_accounts_token_may_use_every_player_endpoint(client, database):
    user = await make_user(database, api=True)
    player = await make_player(database, user=user)
    token = bearer((await tokens.issue.one(database, await proved(database, user))).access)

    answer = await client.get(f"/api/v1/players/{player}/spells", headers=token)
    assert outcome(answer) == (200, [])
    answer = await client.get("/api/v1/users", headers=token)
    assert outcome(answer) == role_required("users.query")
