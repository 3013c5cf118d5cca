"""The commands about staff and roles: the first owner is made here."""

import json

import pytest

from gamekeeper.auth.roles import BUILT_IN
from tests.cli.command import gamekeeper
from tests.make import make_user
from tests.staff.make import make_role


def run(settings, *words: str) -> str:
    done = gamekeeper(settings, *words)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


async def test_the_first_owner_is_made_and_the_last_one_kept(settings, database):
    ana = await make_user(database, "ana")

    assert "gamekeeper staff add ACCOUNT owner" in run(settings, "staff", "list")
    why = ["--as", "bo", "--reason", "founder"]
    assert run(settings, "staff", "add", "ANA", "owner", *why) == "ana has these roles: owner.\n"
    refused = gamekeeper(settings, "staff", "remove", "ana", "owner")

    assert refused.returncode == 1
    assert "Add another owner first" in refused.stderr
    [row] = await database.reader.rows(
        "SELECT actor, reason, user_id, after FROM actions WHERE kind LIKE 'staff.%'"
    )
    assert tuple(row) == ("cli:bo", "founder", ana, {"role": "owner"})


async def test_staff_are_listed_with_roles_and_limits(settings, database):
    ana = await make_user(database, "ana")
    await make_role(database, "giver", ["players.items"], {"largest_gift": 2000})
    for role in ("giver", "analyst"):
        run(settings, "staff", "add", "ana", role)

    shown = run(settings, "staff", "list", "--ids")
    [member] = json.loads(run(settings, "staff", "list", "--json"))

    assert all(
        word in shown for word in ("ana", "analyst, giver", "2,000 pieces per gift", str(ana))
    )
    assert [role["Name"] for role in member["Roles"]] == ["analyst", "giver"]
    assert run(settings, "staff", "remove", "ana", "giver") == "ana has these roles: analyst.\n"
    left = json.loads(run(settings, "staff", "remove", "ana", "analyst", "--json"))
    assert left["Roles"] == []


async def test_roles_are_listed_with_what_they_may(settings, database):
    await make_role(database, "herald", ["webhooks"], {"undos_per_day": 3})

    shown = run(settings, "roles", "list")
    listed = json.loads(run(settings, "roles", "list", "--json"))

    assert [role["Name"] for role in listed] == [*BUILT_IN, "herald"]
    assert all(role in shown for role in (*BUILT_IN, "herald", "3 undos a day"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["add", "anna", "owner"], "Did you mean 'ana'"),
        (["add", "ana", "suport"], "Did you mean 'support'"),
        (["add", "ana", ""], "There is no role ''."),
        (["remove", "ana", "analyst"], "does not have the role 'analyst'"),
    ],
    ids=["user", "role", "empty", "not held"],
)
async def test_what_is_not_there_is_refused_with_a_hint(settings, database, words, said):
    await make_user(database, "ana")

    done = gamekeeper(settings, "staff", *words)

    assert done.returncode == 1
    assert said in done.stderr
    assert await database.reader.value("SELECT count(*) FROM staff_roles") == 0
