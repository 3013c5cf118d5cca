"""Variables of accounts and of the game: as clients of Intersect read and set them."""

import asyncio
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.catalog import game_variables as of_game
from gamekeeper.catalog import variables as catalog
from gamekeeper.catalog.game_variables import GameVariableNotFound, GameVariableSetting
from gamekeeper.ledger import verify_ledger
from gamekeeper.users import variables as of_users
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.variables import UserVariableSetting
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_player, make_user, make_variable
from tests.security.callers import key_with
from tests.servers.game_server import GameServer

KINDS = {"boolean": (1, False, True), "integer": (2, 0, 2**63 - 1), "string": (3, "", "x" * 4096)}
KINDS |= {"number": (4, 0.0, 1e300)}
WRONG = {
    "boolean": [2, "maybe", 1.5],
    "integer": [2**63, "1.5", True, ""],
    "string": [1, True, "x" * 4097],
    "number": ["NaN", "1e400", True, ""],
}
PATHS = ("/api/v1/variables", "/api/v1/variables/global")
INVALID = refusal(400, "invalid_game_variable_id", "Invalid global variable id.")


def unknown(variable: object) -> tuple[int, object]:
    message = f"No global variable with id '{variable}'."
    return refusal(404, "game_variable_not_found", message)


def shown(variable: UUID, kind: int, value: object, **facts: object) -> dict[str, object]:
    about = {"Id": str(variable), "Name": "Karma", "Type": kind, "Value": value}
    return about | {"TextId": "", "Folder": "", "TimeCreated": 0} | facts


async def last_action(database) -> dict[str, object]:
    [row] = await database.reader.rows(
        "SELECT kind, user_id, before, after FROM actions ORDER BY at DESC, id DESC LIMIT 1"
    )
    after = row["after"] | {"value": catalog.stored(row["after"]["value"])}
    return dict(row) | {"after": after}


async def counted(database) -> int:
    """How many settings the log has."""
    return await database.reader.value("SELECT count(*) FROM actions WHERE kind LIKE '%.variable'")


# ── Of accounts ──


@pytest.mark.parametrize("kind", KINDS)
async def test_an_account_has_values_of_the_declared_type(client, database, kind):
    user = await make_user(database, "ana")
    variable = await make_variable(database, kind, owner="user")
    _, default, value = KINDS[kind]
    path = f"/api/v1/users/Ana/variables/{variable}"
    about = {"VariableId": str(variable), "VariableName": "Karma"}

    assert outcome(await client.get("/api/v1/users/ana/variables")) == (200, [])
    assert outcome(await client.get(path)) == (200, about | {"Value": default})
    assert outcome(await client.post(path, json={"value": value})) == (
        200,
        about | {"Value": value},
    )

    assert outcome(await client.get(f"/api/v1/users/{user}/variables")) == (
        *(200, [about | {"Value": value}]),
    )
    assert outcome(await client.get(path)) == (200, about | {"Value": value})
    assert outcome(await client.get(path + "/value")) == (200, {"value": value})
    assert await last_action(database) == {
        "kind": "users.variable",
        "user_id": user,
        "before": {"variable_id": str(variable), "value": None},
        "after": {"variable_id": str(variable), "value": value},
    }


@pytest.mark.parametrize("kind", WRONG)
async def test_a_value_of_another_type_is_refused_and_leaves_nothing(client, database, kind):
    await make_user(database, "ana")
    of_user = await make_variable(database, kind, owner="user")
    of_all = await make_variable(database, kind, owner="game")
    for path in (f"/api/v1/users/ana/variables/{of_user}", f"{PATHS[0]}/{of_all}"):
        for value in [*WRONG[kind], None, [], {}]:
            answer = await client.post(path, json={"value": value})
            assert answer.status_code == 400, value
        assert (await client.post(path, json={"value": "x\0"})).status_code == 400
    count = "SELECT (SELECT count(*) FROM user_variables) + (SELECT count(*) FROM game_variables)"
    assert await database.reader.value(count) == 0
    assert await counted(database) == 0


async def test_a_variable_of_another_owner_is_none_of_an_account(client, database):
    await make_user(database, "ana")
    others = [await make_variable(database, owner=owner) for owner in ("player", "game", "guild")]
    for variable in [*others, uuid4(), UUID(int=0)]:
        path = f"/api/v1/users/ana/variables/{variable}"
        message = f"Variable not found for id {variable}."
        missing = refusal(404, "user_variable_not_found", message)
        assert outcome(await client.get(path)) == missing
        assert outcome(await client.get(path + "/value")) == missing
        assert outcome(await client.post(path, json={"value": 1})) == missing


async def test_nobody_has_no_variables(client, database):
    variable = await make_variable(database, owner="user")
    nobody = refusal(404, "user_not_found", "No user with name 'nobody'.")
    path = "/api/v1/users/nobody/variables"
    assert outcome(await client.get(path)) == nobody
    assert outcome(await client.get(f"{path}/{variable}")) == nobody
    assert outcome(await client.post(f"{path}/{variable}", json={"value": 1})) == nobody


async def test_of_a_batch_the_last_wins_and_a_wrong_one_harms_nobody(database):
    await make_user(database, "ana")
    votes = await make_variable(database, owner="user")
    orders = [
        UserVariableSetting(by=BY, user=user, variable_id=votes, value=value)
        for user, value in (("ana", 1), ("nobody", 2), ("ana", "x"), ("Ana", 3))
    ]

    outcomes = await of_users.assign(database, orders)

    assert isinstance(outcomes[1], UserNotFound)
    assert [one.value for one in await of_users.all_set(database.reader, "ana")] == [3]
    rows = await database.reader.rows("SELECT before, after FROM actions ORDER BY id")
    said = [(row["before"]["value"], row["after"]["value"]) for row in rows]
    assert said == [(None, 1), (1, 3)]
    assert (await verify_ledger.verify(database.settings)).breach is None


async def test_twenty_settings_at_once_leave_a_chain_of_befores(client, database):
    await make_user(database, "ana")
    votes = await make_variable(database, owner="user")
    season = await make_variable(database, owner="game")
    paths = [f"/api/v1/users/ana/variables/{votes}", f"{PATHS[1]}/{season}"]

    answers = await asyncio.gather(
        *(client.post(path, json={"value": n}) for n in range(1, 21) for path in paths)
    )

    assert {answer.status_code for answer in answers} == {200}
    for kind in ("users.variable", "game.variable"):
        rows = await database.reader.rows(
            "SELECT before->'value' AS was, after->'value' AS now FROM actions WHERE kind = $1",
            kind,
        )
        steps = {row["was"]: row["now"] for row in rows}
        assert len(steps) == 20, "each began with what another one left"
        place, seen = None, 0
        while place in steps:
            place, seen = steps[place], seen + 1
        assert seen == 20
    assert (await verify_ledger.verify(database.settings)).breach is None


# ── Of the game ──


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", PATHS)
async def test_the_game_has_one_value_for_all(client, database, path, kind):
    variable = await make_variable(database, kind, owner="game")
    number, default, value = KINDS[kind]
    one = f"{path}/{variable}"

    assert outcome(await client.get(one)) == (200, shown(variable, number, default))
    set_ = await client.post(one, json={"value": value})

    assert outcome(set_) == (200, shown(variable, number, value))
    assert outcome(await client.get(one)) == (200, shown(variable, number, value))
    assert outcome(await client.get(one + "/value")) == (200, {"value": value})
    assert await last_action(database) == {
        "kind": "game.variable",
        "user_id": None,
        "before": {"variable_id": str(variable), "value": None},
        "after": {"variable_id": str(variable), "value": value},
    }


async def test_the_lists_have_all_by_name_and_only_the_games(client, database):
    """With what the game's editor knows, if it is of the type that clients expect."""
    first, second = [await make_variable(database, owner="game", name=name) for name in "ab"]
    for owner in ("player", "user", "guild"):
        await make_variable(database, owner=owner)
    facts = {"TextId": "b", "Folder": "World", "TimeCreated": 638_000_000_000_000_000}
    odd = {"TextId": 1, "Folder": None, "TimeCreated": "soon"}
    for variable, known in ((second, facts), (first, odd)):
        await database.write(
            lambda writer, variable=variable, known=known: writer.run(
                "INSERT INTO catalog_objects VALUES ('servervariable', $1, '', $2::text::jsonb)",
                variable,
                msgspec.json.encode(known).decode(),
            )
        )
    await client.post(f"{PATHS[0]}/{second}", json={"value": 3})
    entries = [shown(first, 2, 0, Name="a"), shown(second, 2, 3, Name="b", **facts)]

    legacy = await client.post(PATHS[1], json={"page": 0, "count": 20})

    old = {"total": 2, "Page": 0, "count": 2, "entries": entries}
    assert outcome(legacy) == (200, old | {"PageSize": 20, "Values": entries})
    assert legacy.headers["Deprecation"]
    new = {"Total": 2, "Page": 0, "PageSize": 5, "Count": 2, "Values": entries}
    for path in PATHS:
        assert outcome(await client.get(path)) == (200, new)
        assert outcome(await client.get(f"{path}?page=0pageSize=25")) == (200, new)
        beyond = (await client.get(f"{path}?page=1&pageSize=1")).json()
        assert beyond["Values"] == entries[1:]


@pytest.mark.parametrize("path", PATHS)
async def test_an_id_that_no_variable_of_the_game_has(client, database, path):
    other = await make_variable(database, owner="user")
    for variable in (uuid4(), other):
        assert outcome(await client.get(f"{path}/{variable}")) == unknown(variable)
        assert outcome(await client.get(f"{path}/{variable}/value")) == unknown(variable)
        set_ = await client.post(f"{path}/{variable}", json={"value": 1})
        assert outcome(set_) == unknown(variable)
    for variable in (UUID(int=0), "season", "7"):
        assert outcome(await client.get(f"{path}/{variable}")) == INVALID
        assert outcome(await client.post(f"{path}/{variable}", json={"value": 1})) == INVALID


async def test_a_refused_setting_of_the_game_harms_no_neighbour(database):
    season = await make_variable(database, owner="game")
    orders = [
        GameVariableSetting(by=BY, variable_id=variable, value=value)
        for variable, value in ((season, 1), (uuid4(), 2), (season, "x"), (season, 4))
    ]

    outcomes = await of_game.assign(database, orders)

    assert isinstance(outcomes[1], GameVariableNotFound)
    assert (await of_game.find_variable(database.reader, season)).value == 4
    assert await counted(database) == 2


# ── Who hears of it, who may, and back again ──


async def told(client, server: GameServer) -> list[str]:
    answer = await client.get(f"/api/v1/events?after=0&server={server.id}")
    return [entry["Kind"] for entry in answer.json()["Values"]]


async def test_an_accounts_value_reaches_its_servers_and_the_games_all(client, database):
    user = await make_user(database, "ana")
    await make_player(database, "Hero", user=user)
    here, there = [await GameServer.register(client, name) for name in ("Here", "There")]
    await here.join("hero")
    votes = await make_variable(database, owner="user")
    season = await make_variable(database, owner="game")
    await client.post(f"/api/v1/users/ana/variables/{votes}", json={"value": 1})
    await client.post(f"/api/v1/variables/{season}", json={"value": 1})
    rows = await database.reader.rows(
        "SELECT id FROM actions WHERE kind LIKE '%.variable' ORDER BY id"
    )
    for row in rows:
        answer = await client.post(f"/api/v1/actions/{row['id']}/undo", json={})
        assert answer.status_code == 200, answer.text

    assert await told(client, here) == ["users.variable", "game.variable", "undo", "undo"]
    assert await told(client, there) == ["game.variable", "undo"]
    count = "SELECT (SELECT count(*) FROM user_variables) + (SELECT count(*) FROM game_variables)"
    assert await database.reader.value(count) == 0
    assert (await verify_ledger.verify(database.settings)).breach is None


@pytest.mark.parametrize("owner", ["user", "game"])
async def test_what_was_set_since_is_in_the_way_of_an_undo(client, database, owner):
    await make_user(database, "ana")
    variable = await make_variable(database, owner=owner)
    path = "/api/v1/users/ana/variables" if owner == "user" else PATHS[0]
    for value in (1, 2):
        await client.post(f"{path}/{variable}", json={"value": value})
    first, second = await database.reader.rows(
        "SELECT id FROM actions WHERE kind LIKE '%.variable' ORDER BY id"
    )

    refused = await client.post(f"/api/v1/actions/{first['id']}/undo", json={})
    assert refused.json()["Code"] == "undo_conflict"
    many = await asyncio.gather(
        *(client.post(f"/api/v1/actions/{second['id']}/undo", json={}) for _ in range(10))
    )

    assert sorted(answer.status_code for answer in many) == [200] + [409] * 9
    assert (await client.get(f"{path}/{variable}/value")).json() == {"value": 1}
    undone = await client.post(f"/api/v1/actions/{first['id']}/undo", json={})
    assert undone.status_code == 200
    assert (await client.get(f"{path}/{variable}/value")).json() == {"value": 0}


async def test_reading_is_not_setting(client, database):
    await make_user(database, "ana")
    votes = await make_variable(database, owner="user")
    season = await make_variable(database, owner="game")
    of_user, of_all = f"/api/v1/users/ana/variables/{votes}", f"/api/v1/variables/{season}"
    for path, scopes in ((of_user, ("users.query",)), (of_all, ("players.read",))):
        reads = await key_with(database, *scopes)
        assert (await client.get(path, headers=reads)).status_code == 200
        assert (await client.post(path, json={"value": 1}, headers=reads)).status_code == 403
    alone = await key_with(database, "players.variables")
    assert (await client.post(of_user, json={"value": 1}, headers=alone)).status_code == 403
    assert (await client.post(of_all, json={"value": 1}, headers=alone)).status_code == 200
    both = await key_with(database, "users.query", "players.variables")
    assert (await client.post(of_user, json={"value": 1}, headers=both)).status_code == 200


async def test_a_repeated_request_sets_once(client, database):
    season = await make_variable(database, owner="game")
    headers = {"Idempotency-Key": "winter"}
    sent = [
        await client.post(f"{PATHS[1]}/{season}", json={"value": 1}, headers=headers)
        for _ in range(2)
    ]
    assert sent[0].content == sent[1].content
    assert await counted(database) == 1
