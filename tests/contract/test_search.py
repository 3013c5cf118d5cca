"""The search for characters and accounts: any part of a name, the best first."""

import asyncio

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_player, make_user

PLAYERS, USERS = "/api/v1/players/search", "/api/v1/users/search"

NAMES = [
    *("Groven Frost", "Hevor Grove", "Agrover", "Ana-Grove", "Grove", "Drevor Groveland"),
    *("Émile d'Arc", "Ingroup", "100% Joe", "x_ray", "Zoë", "Ёлка Гора", "Mangrove Lane"),
]


@pytest.fixture(scope="module")
async def world(database) -> None:
    for number, name in enumerate(NAMES):
        user = await make_user(database, f"owner{number}", email=f"p{number}@mail.test")
        await make_player(database, name, user=user)


async def found(client, path: str, search: str, **query: object) -> list[str]:
    answer = await client.get(path, params={"search": search, **query})
    assert answer.status_code == 200, answer.text
    return [entry["Name"] for entry in answer.json()["Values"]]


@pytest.mark.parametrize(
    ("search", "names"),
    [
        # Exactly so, then those that begin so, words that do, and the rest; each by name.
        (
            "grove",
            [
                *("Grove", "Groven Frost"),
                *("Ana-Grove", "Drevor Groveland", "Hevor Grove"),
                *("Agrover", "Mangrove Lane"),
            ],
        ),
        ("GROVE", ["Grove", "Groven Frost", "Ana-Grove", "Drevor Groveland", "Hevor Grove"]),
        ("vor gro", ["Drevor Groveland", "Hevor Grove"]),
        ("evor", ["Drevor Groveland", "Hevor Grove"]),
        ("vo", ["Drevor Groveland", "Hevor Grove"]),
        ("lane", ["Mangrove Lane"]),
        ("d'arc", ["Émile d'Arc"]),
        ("arc", ["Émile d'Arc"]),
        ("ÉM", ["Émile d'Arc"]),
        ("ë", None),
        ("oë", ["Zoë"]),
        ("гор", ["Ёлка Гора"]),
        ("лк", ["Ёлка Гора"]),
        ("0%", ["100% Joe"]),
        ("% j", ["100% Joe"]),
        ("x_", ["x_ray"]),
        ("_r", ["x_ray"]),
        ("ｊｏｅ", ["100% Joe"]),
        # Nothing is a wildcard of the database's.
        ("gr_v", []),
        ("g%e", []),
        ("%%", []),
        ("__", []),
        ("';--", []),
        (".*", []),
        ("[ag]r", []),
        ("a\\", []),
        # One mistake.
        ("grvoe", ["Grove"]),
        ("hevro grove", ["Hevor Grove"]),
        ("mangrave", ["Mangrove Lane"]),
        ("mangroove", ["Mangrove Lane"]),
        ("ingoup", ["Ingroup"]),
        ("qqqqq", []),
    ],
)
async def test_any_part_or_word_is_found_the_best_first(client, world, search, names):
    if names is None:
        message = "'search' must have 2 to 64 characters."
        answer = await client.get(PLAYERS, params={"search": search})
        assert outcome(answer) == refusal(400, "invalid_query", message)
    else:
        assert (await found(client, PLAYERS, search))[: len(names) or None] == names


async def test_the_records_are_those_of_the_list(client, world):
    [hit] = (await client.get(PLAYERS, params={"search": "lane"})).json()["Values"]
    assert hit == (await client.get("/api/v1/players/Mangrove Lane")).json()


async def test_there_may_be_more(client, world):
    answer = (await client.get(PLAYERS, params={"search": "grove", "limit": 3})).json()
    assert ([entry["Name"] for entry in answer["Values"]], answer["More"]) == (
        ["Grove", "Groven Frost", "Ana-Grove"],
        True,
    )
    answer = (await client.get(PLAYERS, params={"search": "grove", "limit": 7})).json()
    assert (len(answer["Values"]), answer["More"]) == (7, False)
    assert len(await found(client, PLAYERS, "grove", limit=0)) == 1
    assert len(await found(client, PLAYERS, "grove", limit=99999)) == 7


@pytest.mark.parametrize("path", [PLAYERS, USERS])
async def test_a_search_says_what_for(client, path):
    answer = await client.get(path)
    expected = refusal(400, "invalid_query", "'search' is required.", Field="search")
    assert outcome(answer) == expected
    for wrong in ("x", "x" * 65, ""):
        answer = await client.get(path, params={"search": wrong})
        message = "'search' must have 2 to 64 characters."
        assert outcome(answer) == refusal(400, "invalid_query", message), wrong


async def test_the_lists_find_parts_when_nothing_begins_so_in_their_own_order(client, world):
    answer = (await client.get("/api/v1/players?search=evor")).json()
    assert [entry["Name"] for entry in answer["Values"]] == ["Drevor Groveland", "Hevor Grove"]
    assert answer["Total"] == 2
    answer = (await client.get("/api/v1/players/rank?search=evor&pageSize=1&page=1")).json()
    assert (answer["Total"], answer["Count"]) == (2, 1)
    answer = (await client.get("/api/v1/players?search=grove")).json()
    assert [entry["Name"] for entry in answer["Values"]] == ["Grove", "Groven Frost"]


async def test_twenty_different_searches_at_once(client, world):
    parts = ["grove", "evor", "vo", "lane", "гор", "grvoe", "0%", "arc", "ÉM", "x_"] * 2
    alone = [await found(client, PLAYERS, part) for part in parts]
    together = await asyncio.gather(*(found(client, PLAYERS, part) for part in parts))
    assert together == alone


async def test_renamed_and_deleted_characters_are_found_no_more(client, database):
    await make_player(database, "Quillon Vex", user=await make_user(database))
    assert await found(client, PLAYERS, "uillon") == ["Quillon Vex"]
    renamed = await client.post("/api/v1/players/Quillon Vex/name", json={"name": "Tamsin Ode"})
    assert renamed.status_code == 200, renamed.text
    assert await found(client, PLAYERS, "uillon v") == []
    assert await found(client, PLAYERS, "amsin") == ["Tamsin Ode"]
    assert (await client.delete("/api/v1/players/Tamsin Ode")).status_code == 200
    assert await found(client, PLAYERS, "amsin") == []


# --- accounts -----------------------------------------------------------------


async def bearer(database, *scopes: str) -> dict[str, str]:
    key = await keys.create.one(database, NewKey(by=BY, name="narrow", scopes=scopes))
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
async def accounts(database) -> None:
    await make_user(database, "Lavan327", email="someone.else@corner.test")
    await make_user(database, "Quiet", email="lavan.hidden@corner.test")
    await make_user(database, "Shimus", email="shimus@corner.test")


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("lavan", ["Lavan327", "Quiet"]),
        ("someone.e", ["Lavan327"]),
        ("hidden", ["Quiet"]),
        ("@corner.test", ["Shimus", "Quiet", "Lavan327"]),
        ("LAVAN.HIDDEN@CORNER.TEST", ["Quiet"]),
        ("shimus", ["Shimus"]),
        ("shimsu", ["Shimus"]),
        ("an3", ["Lavan327"]),
    ],
)
async def test_accounts_are_found_by_name_and_then_by_email(client, accounts, search, names):
    assert sorted(await found(client, USERS, search)) == sorted(names)
    if search == "lavan":
        assert await found(client, USERS, search) == names


async def test_the_list_of_accounts_finds_emails_when_no_name_begins_so(client, accounts):
    answer = (await client.get("/api/v1/users", params={"search": "@corner.test"})).json()
    assert [entry["Name"] for entry in answer["Values"]] == ["Lavan327", "Quiet", "Shimus"]
    assert answer["Total"] == 3
    answer = (await client.get("/api/v1/users", params={"search": "lavan"})).json()
    assert [entry["Name"] for entry in answer["Values"]] == ["Lavan327"]


@pytest.mark.parametrize("path", [USERS, "/api/v1/users"])
async def test_who_may_not_see_emails_finds_none_of_them(client, database, accounts, path):
    narrow = await bearer(database, "users.query")
    for email in ("hidden@corner.test", "@corner.test", "someone.e"):
        answer = await client.get(path, params={"search": email}, headers=narrow)
        assert answer.json()["Values"] == [], email


async def test_what_is_found_by_name_is_shown_without_the_email_to_them(client, database, accounts):
    narrow = await bearer(database, "users.query")
    answer = await client.get(USERS, params={"search": "avan3"}, headers=narrow)
    assert [entry["Email"] for entry in answer.json()["Values"]] == ["s•••@c•••.test"]
