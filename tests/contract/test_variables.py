"""Endpoints 6 to 9: what the game remembers about a character."""

from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.make import make_player, make_variable

DEFAULTS = {"integer": 0, "boolean": False, "string": "", "number": 0.0}
TAKES = {
    "integer": "'Karma' must be an integer.",
    "boolean": "'Karma' must be true or false.",
    "string": "'Karma' must be a string of at most 4096 characters.",
    "number": "'Karma' must be a number.",
}
UNKNOWN = refusal(404, "variable_not_found", "No player variable has that id.")
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def at(player: UUID | str, variable: object = "") -> str:
    return f"/api/v1/players/{player}/variables" + (f"/{variable}" if variable else "")


def same(body: object, value: object) -> bool:
    """Equal, and of the same type: to Python True is 1 and 1.0 is 1, to a client they differ."""
    return body == value and type(body) is type(value)


async def shown(client, player, variable) -> object:
    """The value as all three endpoints that read it show it."""
    [entry] = [
        each
        for each in (await client.get(at(player))).json()
        if each["VariableId"] == str(variable)
    ]
    one = await client.get(at(player, variable))
    alone = await client.get(at(player, variable) + "/value")
    value = entry["Value"]
    assert outcome(one) == (200, {"VariableId": str(variable), "Value": value})
    assert outcome(alone) == (200, {"value": value})
    assert same(one.json()["Value"], value)
    assert same(alone.json()["value"], value)
    return value


# --- reading ------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "default"), DEFAULTS.items())
async def test_a_variable_that_was_never_set_has_its_types_default(client, database, kind, default):
    player, variable = await make_player(database), await make_variable(database, kind)

    assert outcome(await client.get(at(player))) == (200, [])
    answer = await client.get(at(player, variable))
    assert outcome(answer) == (200, {"VariableId": str(variable), "Value": default})
    assert same(answer.json()["Value"], default)
    answer = await client.get(at(player, variable) + "/value")
    assert outcome(answer) == (200, {"value": default})
    assert same(answer.json()["value"], default)


async def test_the_list_has_what_was_set_for_this_character_by_id(client, database):
    ana, bo = await make_player(database), await make_player(database)
    variables = [await make_variable(database) for _ in range(4)]
    for number, variable in enumerate(variables[:3]):
        await client.post(at(ana, variable), json={"value": number})
    await client.post(at(bo, variables[3]), json={"value": 9})

    expected = [{"VariableId": str(v), "Value": n} for n, v in enumerate(variables[:3])]
    expected.sort(key=lambda entry: entry["VariableId"])
    assert outcome(await client.get(at(ana))) == (200, expected)


@pytest.mark.parametrize(
    "wrong", [str(UUID(int=7)), str(UUID(int=0)), "karma", "1", "%00", "x" * 65]
)
async def test_an_undeclared_variable_is_not_found(client, database, wrong):
    player = await make_player(database)

    assert outcome(await client.get(at(player, wrong))) == UNKNOWN
    assert outcome(await client.get(at(player, wrong) + "/value")) == UNKNOWN
    assert outcome(await client.post(at(player, wrong), json={"value": 1})) == UNKNOWN
    assert outcome(await client.get(at(player))) == (200, [])


async def test_an_unknown_character_is_said_before_an_undeclared_variable(client, database):
    expected = refusal(404, "player_not_found", "No player with name 'nobody'.")
    for variable in (await make_variable(database), uuid4()):
        assert outcome(await client.get(at("nobody", variable))) == expected
        assert outcome(await client.get(at("nobody", variable) + "/value")) == expected
        answer = await client.post(at("nobody", variable), json={"value": 1})
        assert outcome(answer) == expected


# --- setting ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "sent", "stored"),
    [
        ("integer", 5, 5),
        ("integer", -1, -1),
        ("integer", 0, 0),
        ("integer", 2**53 + 1, 2**53 + 1),
        ("integer", 2**63 - 1, 2**63 - 1),
        ("integer", -(2**63), -(2**63)),
        ("integer", "12", 12),
        ("integer", "-9223372036854775808", -(2**63)),
        ("boolean", True, True),
        ("boolean", False, False),
        ("boolean", "true", True),
        ("boolean", "FALSE", False),
        ("string", "", ""),
        ("string", "5", "5"),
        ("string", "true", "true"),
        ("string", "Ünïcödé ☃ \n\t\"' \\ 😀", "Ünïcödé ☃ \n\t\"' \\ 😀"),
        ("string", "x" * 4096, "x" * 4096),
        ("number", 1.5, 1.5),
        ("number", 2, 2.0),
        ("number", "2.5", 2.5),
        ("number", -0.001, -0.001),
        ("number", 0.1, 0.1),
        ("number", 1e15, 1e15),
        ("number", 1e20, 1e20),
        ("number", 1e300, 1e300),
        ("number", 5e-324, 5e-324),
        ("number", 1.7976931348623157e308, 1.7976931348623157e308),
    ],
)
async def test_a_value_of_the_declared_type_is_set(client, database, kind, sent, stored):
    player, variable = await make_player(database), await make_variable(database, kind)

    answer = await client.post(at(player, variable), json={"value": sent})

    assert outcome(answer) == (200, {"VariableId": str(variable), "Value": stored})
    assert same(answer.json()["Value"], stored)
    assert same(await shown(client, player, variable), stored)


@pytest.mark.parametrize(
    ("kind", "sent", "stored"),
    [
        ("integer", "5", 5),
        ("integer", "-7", -7),
        ("boolean", "true", True),
        ("boolean", "False", False),
        ("string", "5 + 5 = ten & ünï", "5 + 5 = ten & ünï"),
        ("string", "", ""),
        ("number", "1.5", 1.5),
        ("number", "1e3", 1000.0),
    ],
)
async def test_a_form_sets_a_value_of_the_declared_type(client, database, kind, sent, stored):
    player, variable = await make_player(database), await make_variable(database, kind)

    answer = await client.post(
        at(player, variable), content=urlencode({"Value": sent}), headers=FORM
    )

    assert outcome(answer) == (200, {"VariableId": str(variable), "Value": stored})
    assert same(await shown(client, player, variable), stored)


async def test_a_value_that_is_set_again_is_replaced(client, database):
    player, variable = await make_player(database), await make_variable(database)

    for value in (5, 6, 0):
        answer = await client.post(at(player, variable), json={"value": value})
        assert outcome(answer) == (200, {"VariableId": str(variable), "Value": value})
    assert outcome(await client.get(at(player))) == (
        200,
        [{"VariableId": str(variable), "Value": 0}],
    )


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        *(("integer", wrong) for wrong in (True, False, 1.0, 1e2, "1.0", "true", "", " 1", "１")),
        *(("boolean", wrong) for wrong in (0, 1, "1", "0", "yes", "", 1.0)),
        *(("string", wrong) for wrong in (5, True, 1.5, "x" * 4097)),
        *(
            ("number", wrong)
            for wrong in (True, "true", "", "x", "1_000", " 1.5 ", "１.５", "0x1p3")
        ),
    ],
)
async def test_a_value_of_another_type_is_refused_and_nothing_is_set(client, database, kind, wrong):
    player, variable = await make_player(database), await make_variable(database, kind)

    answer = await client.post(at(player, variable), json={"value": wrong})

    assert outcome(answer) == refusal(400, "wrong_variable_type", TAKES[kind], Type=kind)
    assert outcome(await client.get(at(player))) == (200, [])


@pytest.mark.parametrize("wide", [2**63, -(2**63) - 1, "9223372036854775808"])
async def test_an_integer_has_64_bits(client, database, wide):
    player, variable = await make_player(database), await make_variable(database)

    answer = await client.post(at(player, variable), json={"value": wide})

    message = "'Karma' must be an integer of 64 bits."
    assert outcome(answer) == refusal(400, "wrong_variable_type", message, Type="integer")
    assert outcome(await client.get(at(player))) == (200, [])


@pytest.mark.parametrize("endless", ["NaN", "Infinity", "-inf", "1e400"])
async def test_a_number_ends_somewhere(client, database, endless):
    player, variable = await make_player(database), await make_variable(database, "number")

    answer = await client.post(at(player, variable), json={"value": endless})

    status, body = outcome(answer)
    assert (status, body["Code"], body["Details"]) == (
        400,
        "wrong_variable_type",
        {"Type": "number"},
    )
    assert outcome(await client.get(at(player))) == (200, [])


@pytest.mark.parametrize("nothing", ["{}", "[]", "", '{"value": null}', '{"val": 1}'])
async def test_a_value_is_required(client, database, nothing):
    player, variable = await make_player(database), await make_variable(database)

    answer = await client.post(
        at(player, variable), content=nothing, headers={"Content-Type": "application/json"}
    )

    assert outcome(answer) == refusal(400, "invalid_body", "'value' is required.", Field="value")


@pytest.mark.parametrize("structure", [[], [1], {}, {"value": 1}])
async def test_a_value_is_no_list_and_no_object(client, database, structure):
    player, variable = await make_player(database), await make_variable(database)

    answer = await client.post(at(player, variable), json={"value": structure})

    message = "'value' must be an integer or a boolean."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="value")


@pytest.mark.parametrize("kind", DEFAULTS)
async def test_a_string_with_nul_is_refused_whatever_the_type(client, database, kind):
    player, variable = await make_player(database), await make_variable(database, kind)

    answer = await client.post(at(player, variable), json={"value": "a\0b"})

    message = "'value' must be a string without NUL."
    assert outcome(answer) == refusal(400, "invalid_body", message, Field="value")
