"""The wire: headers, paths and methods."""

import re
from urllib.parse import quote
from uuid import UUID

import pytest

from gamekeeper.app import ROUTES
from tests.contract.endpoints import Stage, body_of, label
from tests.contract.outcomes import JSON, outcome, refusal
from tests.make import make_player, make_user, make_variable, shown_player

NO_ROUTE = refusal(404, "route_not_found", "No operation has that path.")


def guid_spellings(guid: UUID) -> list[str]:
    plain = [str(guid), guid.hex]
    return [
        spelled
        for text in plain
        for braced in (text, f"{{{text}}}")
        for spelled in (braced, braced.upper())
    ]


@pytest.fixture(scope="module")
async def stage(database) -> Stage:
    """For calls that change nothing on it."""
    return await Stage.make(database)


# --- what every answer carries ------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v1/players", 200),
        ("POST", "/api/v1/players/online", 200),
        ("GET", "/livez", 200),
        ("GET", "/api/v1/players?search=x", 400),
        ("GET", "/api/v1/players/nobody-here", 404),
        ("GET", "/nowhere", 404),
        ("DELETE", "/api/v1/players", 405),
    ],
)
async def test_every_answer_is_json_with_an_id_and_is_not_stored(client, method, path, status):
    answer = await client.request(method, path)

    assert answer.status_code == status
    assert answer.headers["content-type"] == JSON
    assert answer.headers["cache-control"] == "no-store"
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])
    assert int(answer.headers["content-length"]) == len(answer.content)


async def test_a_refused_credential_is_answered_in_json_too(client):
    answer = await client.get("/api/v1/players", headers={"Authorization": "Bearer no"})

    assert answer.status_code == 401
    assert answer.headers["content-type"] == JSON
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("sane", ["a", "trace-1.2_3", "0" * 64])
async def test_a_sane_request_id_comes_back(client, sane):
    answer = await client.get("/api/v1/players/nobody", headers={"X-Request-Id": sane})

    assert answer.headers["x-request-id"] == sane
    assert answer.json()["RequestId"] == sane


@pytest.mark.parametrize("odd", ["", "0" * 65, "two words", "<b>", "a\tb", "é"])
async def test_an_odd_request_id_is_replaced(client, odd):
    answer = await client.get("/livez", headers={"X-Request-Id": odd.encode("latin-1")})

    assert answer.status_code == 200
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])


@pytest.mark.parametrize("path", ["/api/v1/players", "/api/v1/users"])
async def test_a_deprecated_list_names_its_successor(client, path):
    old, new = await client.post(path), await client.get(path)

    assert old.status_code == new.status_code == 200
    assert re.fullmatch(r"@[0-9]+", old.headers["deprecation"])
    assert old.headers["link"] == f'<{path}>; rel="successor-version"'
    assert "deprecation" not in new.headers
    assert "link" not in new.headers


async def test_only_the_deprecated_lists_say_so():
    deprecated = [label(route) for route in ROUTES if route.successor]

    assert set(deprecated) == {
        *("POST /api/v1/players", "POST /api/v1/users"),
        *("POST /api/v1/guilds", "POST /api/v1/variables/global"),
    }


# --- paths --------------------------------------------------------------------


@pytest.fixture(scope="module")
async def ana(database) -> tuple[UUID, dict[str, object]]:
    """A player's id and record."""
    user = await make_user(database, "ana")
    player = await make_player(database, "Ana Lyra", user=user)
    return player, shown_player(player, user, "Ana Lyra")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/players/Ana%20Lyra",
        "/api/v1/players/Ana%20Lyra/",
        "/API/V1/Players/Ana%20Lyra",
        "/aPi/v1/pLAYERS/aNA%20lYRA/",
        "/api/v1/players/%41na%20%4Cyra",
        "/api/v1/%70layers/ana%20lyra",
    ],
)
async def test_a_path_matches_in_any_case_with_or_without_a_last_slash(client, ana, path):
    assert outcome(await client.get(path)) == (200, ana[1])


async def test_a_player_is_found_by_any_spelling_of_the_guid(client, ana):
    for spelled in guid_spellings(ana[0]):
        assert outcome(await client.get(f"/api/v1/players/{quote(spelled)}")) == (200, ana[1])


async def test_a_variable_is_found_by_any_spelling_of_the_guid(client, ana, database):
    variable = await make_variable(database)
    path = f"/api/v1/players/{ana[0]}/variables/"
    for spelled in guid_spellings(variable):
        answer = await client.get(path + quote(spelled))
        assert outcome(answer) == (200, {"VariableId": str(variable), "Value": 0})


@pytest.mark.parametrize(
    ("segment", "name"),
    [
        ("a%2Fb", "a/b"),
        ("a%252Fb", "a%2Fb"),
        ("100%25", "100%"),
        ("a+b", "a+b"),
        ("%C3%84nne", "Änne"),
        ("%FF", "\ufffd"),
        ("50%", "50%"),
        ("%zz", "%zz"),
        ("a%3Fb", "a?b"),
        ("a'b", "a'b"),
        ("x" * 64, "x" * 64),
    ],
)
async def test_a_name_in_a_path_is_decoded_once(client, segment, name):
    answer = await client.get(f"/api/v1/players/{segment}")

    assert outcome(answer) == refusal(404, "player_not_found", f"No player with name '{name}'.")


IMPOSSIBLE = ["x" * 65, "a%00b", "%00", "a%0Ab", "%1B", "%7F", "%C2%85"]
WITH_CODES = {
    "/api/v1/sanctions": "sanction_not_found",
    "/api/v1/access-bans": "access_ban_not_found",
}


@pytest.mark.parametrize("impossible", IMPOSSIBLE)
async def test_a_key_that_nothing_can_have_is_not_found_anywhere(
    client, database, stage, impossible
):
    """On every endpoint that takes one, whatever it would do with it."""
    await database.write(lambda writer: writer.run("DELETE FROM guess_budgets"))
    wrong = []
    for route in ROUTES:
        # Sanctions and access bans have codes, and chat and guilds answer in Intersect's words.
        if "{key}" not in route.path or route.path.startswith(
            (*WITH_CODES, "/api/v1/chat", "/api/v1/guilds")
        ):
            continue
        kind = "player" if route.path.startswith("/api/v1/players") else "user"
        shape = body_of(route)
        answer = await client.request(
            route.method,
            stage.path(route, key=impossible),
            json=stage.fields(route, shape) if shape else None,
        )
        if outcome(answer) != refusal(404, f"{kind}_not_found", f"No {kind} with that name."):
            wrong.append((label(route), *outcome(answer)))
    assert wrong == []


@pytest.mark.parametrize("impossible", IMPOSSIBLE)
async def test_a_code_that_nothing_can_have_is_not_found_anywhere(client, stage, impossible):
    answers = {}
    for route in ROUTES:
        start = next((start for start in WITH_CODES if route.path.startswith(start)), None)
        if start and "{key}" in route.path:
            shape = body_of(route)
            answer = await client.request(
                route.method,
                stage.path(route, key=impossible),
                json=stage.fields(route, shape) if shape else None,
            )
            answers[label(route)] = (start, answer.status_code, answer.json()["Code"])
    expected = {(start, 404, code) for start, code in WITH_CODES.items()}
    assert set(answers.values()) == expected, answers


@pytest.mark.parametrize(
    "path",
    [
        "/index.html",
        "/api",
        "/api/v1",
        "/api/v2/players",
        "/api/v1/player",
        "/api/v1/players//",
        "/api/v1//players",
        "//api/v1/players",
        "/api/v1/players/ana/items/give/more",
        "/api/v1/players//items",
        "/api/v1%2Fplayers",
    ],
)
async def test_an_unknown_path_is_not_found(client, path):
    assert outcome(await client.get(path)) == NO_ROUTE


# --- methods ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/v1/players", "GET, HEAD, POST"),
        ("DELETE", "/api/v1/players/rank", "GET, HEAD"),
        ("POST", "/api/v1/players/rank", "GET, HEAD"),
        ("PUT", "/api/v1/players/online", "GET, HEAD, POST"),
        ("HEAD", "/api/v1/transactions", "POST"),
        ("POST", "/api/v1/players/ana", "DELETE, GET, HEAD"),
        ("GET", "/api/v1/players/ana/items/give", "POST"),
        ("PATCH", f"/api/v1/players/ana/variables/{UUID(int=1)}", "GET, HEAD, POST"),
        ("GET", "/api/v1/users/ana/password/validate", "POST"),
        ("POST", "/api/v1/users/ana/password/reset", "GET"),
        ("HEAD", "/api/v1/users/ana/password/reset", "GET"),
        ("OPTIONS", "/api/v1/users/ana", "DELETE, GET, HEAD"),
    ],
)
async def test_a_wrong_method_is_told_which_are_allowed(client, method, path, allowed):
    answer = await client.request(method, path)

    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    if method != "HEAD":
        message = "The path does not support this method."
        assert outcome(answer) == refusal(405, "method_not_allowed", message)


async def test_head_answers_as_get_without_the_body(client, stage):
    """On every GET but the one that sends a mail; a refused GET is a refused HEAD."""
    for route in ROUTES:
        if route.method != "GET" or not route.head or route.path == "/metrics":
            continue
        path = stage.path(route)
        got, head = await client.get(path), await client.head(path)
        assert (label(route), head.status_code) == (label(route), got.status_code)
        assert head.content == b""
        for name in ("content-type", "content-length", "cache-control"):
            # An export is streamed: nobody knows its length before.
            assert (label(route), head.headers.get(name)) == (label(route), got.headers.get(name))


async def test_only_gets_that_change_something_refuse_head():
    refusing = [label(route) for route in ROUTES if route.method == "GET" and not route.head]

    assert refusing == [
        "GET /api/v1/users/{key}/password/reset",
        "GET /sign-in/{source}",
        "GET /sign-in/{source}/callback",
    ]
