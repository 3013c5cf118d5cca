"""Names beside ids cost one statement, however many ids there are, and none if not asked for."""

import pytest

from tests.make import make_item, make_player, make_spell, make_user, make_variable

ANA = "/api/v1/players/Ana"


@pytest.fixture
async def ana(client, database) -> None:
    await make_player(database, "Ana", user=await make_user(database))
    for number in range(3):
        item = await make_item(database, f"Item {number}")
        spell = await make_spell(database, f"Spell {number}")
        variable = await make_variable(database, "integer", f"Variable {number}")
        for path, body in (
            ("items/give", {"itemid": str(item), "quantity": 1}),
            ("spells/teach", {"spellid": str(spell)}),
            (f"variables/{variable}", {"value": 1}),
        ):
            assert (await client.post(f"{ANA}/{path}", json=body)).status_code == 200


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("items", 1),
        ("items/inventory", 1),
        ("items/bank", 0),
        ("spells", 1),
        ("variables", 1),
        # Of items, of accounts and characters, and of spells, variables and classes.
        ("history", 3),
    ],
)
async def test_one_statement_more_if_there_is_anything_to_name(client, ana, statements, path, more):
    with statements() as plain:
        await client.get(f"{ANA}/{path}")
    with statements() as named:
        await client.get(f"{ANA}/{path}?names=true")
    assert plain, "the statements are seen here"
    assert len(named) - len(plain) == more
