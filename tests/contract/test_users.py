"""Endpoints 20, 21, 27, 28 and 31: accounts listed and looked up, and their characters."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, CREATED, make_player, make_user, shown_player, shown_user
from tests.moderation.rows import make_sanction

# By their folded names, in the order of the code points: É comes after z.
NAMES = ["ana", "anabel", "Bob", "carla", "Dirk", "Zoe", "Émile"]
EVERY_POWER = ("editor", "ban", "kick", "mute", "api", "personal_information")
NOBODY = UUID("00000000-0000-4000-8000-000000000000")


@pytest.fixture(scope="module")
async def users(database: Database) -> dict[str, UUID]:
    """All the accounts there are: Zoe has every power, Bob is muted, the others are plain."""
    about: dict[str, dict[str, Any]] = {
        "Zoe": dict.fromkeys((*EVERY_POWER, "user_query", "user_management"), True),
    }
    made = {
        name: await make_user(database, name, email=email(name), **about.get(name, {}))
        for name in reversed(NAMES)
    }
    await make_sanction(database, kind="mute", user_id=made["Bob"], message="shouting")
    return made


@pytest.fixture(scope="module")
async def characters(database: Database, users: dict[str, UUID]) -> list[UUID]:
    """Ana's three characters, made in this order; Bob has one of his own."""
    await make_player(database, "Bobs Only", user=users["Bob"])
    created = [CREATED + timedelta(days=days) for days in (0, 1, 2)]
    names = ["Zelda", "Äsa", "Mia Lyra"]
    return [
        await make_player(database, name, user=users["ana"], created_at=at)
        for name, at in zip(names, created, strict=True)
    ]


@pytest.fixture(scope="module")
async def impersonal(database: Database) -> dict[str, str]:
    """The headers of a key that may look at accounts, but not at addresses."""
    order = keys.NewKey(by=BY, name="impersonal", scopes=("users.query",))
    return {"Authorization": f"Bearer {await keys.create.one(database, order)}"}


def email(name: str) -> str:
    return f"{name}@example.org"


def shown(users: dict[str, UUID], name: str, address: str = "") -> dict[str, object]:
    special: dict[str, dict[str, object]] = {
        "Zoe": {
            "Power": {
                "Editor": True,
                "Ban": True,
                "Kick": True,
                "Mute": True,
                "Api": True,
                "PersonalInformation": True,
            }
        },
        "Bob": {"IsMuted": True, "MuteReason": "shouting"},
    }
    return shown_user(users[name], name, address or email(name), **special.get(name, {}))


def page(users: dict[str, UUID], names: list[str], **about: int) -> tuple[int, dict[str, object]]:
    envelope = {"Total": len(NAMES), "Page": 0, "PageSize": 5, "Count": len(names)} | about
    return 200, {**envelope, "Values": [shown(users, name) for name in names]}


@pytest.mark.parametrize(
    ("query", "names", "about"),
    [
        ("", NAMES[:5], {}),
        ("?page=1", NAMES[5:], {"Page": 1}),
        ("?page=9", [], {"Page": 9}),
        ("?pageSize=2&page=1", NAMES[2:4], {"Page": 1, "PageSize": 2}),
        ("?pageSize=99999", NAMES, {"PageSize": 100}),
        ("?pageSize=0", NAMES[:1], {"PageSize": 1}),
        ("?page=-3&pageSize=3", NAMES[:3], {"PageSize": 3}),
        ("?limit=2", NAMES[:2], {}),
        ("?limit=2&page=1&pageSize=3", NAMES[3:5], {"Page": 1, "PageSize": 3}),
        ("?limit=50&pageSize=3", NAMES[:3], {"PageSize": 3}),
        ("?PAGESIZE=1&Page=6", NAMES[6:], {"Page": 6, "PageSize": 1}),
        ("?search=ana", NAMES[:2], {"Total": 2}),
        ("?search=ANABEL", NAMES[1:2], {"Total": 1}),
        ("?search=%C3%A9MI", NAMES[6:], {"Total": 1}),
        ("?search=an&limit=1", NAMES[:1], {"Total": 2}),
        ("?search=an&pageSize=1&page=1", NAMES[1:2], {"Total": 2, "Page": 1, "PageSize": 1}),
        ("?search=carlo", NAMES[3:4], {"Total": 1}),
        ("?search=qqqqq", [], {"Total": 0}),
        ("?search=%25%25", [], {"Total": 0}),
        ("?search=__", [], {"Total": 0}),
        ("?search=", NAMES[:5], {}),
    ],
)
async def test_accounts_are_listed_by_name(client, users, query, names, about):
    answer = await client.get(f"/api/v1/users{query}")

    assert outcome(answer) == page(users, names, **about)


async def test_past_the_end_of_a_search_the_total_is_still_told(client, users):
    """A client that asks for a page too many must not conclude that nothing was found."""
    answer = await client.get("/api/v1/users?search=ana&page=5")

    assert outcome(answer) == page(users, [], Total=2, Page=5)


@pytest.mark.parametrize("query", ["page=x", "pageSize=1.5", "limit=true", "page=0pageSize=25"])
async def test_a_page_that_is_no_number_is_ignored(client, users, query):
    answer = await client.get(f"/api/v1/users?{query}")

    assert outcome(answer) == page(users, NAMES[:5])


async def test_a_search_needs_two_characters(client):
    answer = await client.get("/api/v1/users?search=a")

    message = "'search' must have 2 to 64 characters."
    assert outcome(answer) == refusal(400, "invalid_query", message)


async def test_without_the_personal_scope_addresses_are_masked(client, users, impersonal):
    """In the list, in a lookup and in the older list alike."""
    listed = await client.get("/api/v1/users?limit=1", headers=impersonal)
    found = await client.get("/api/v1/users/Zoe", headers=impersonal)
    older = await client.post("/api/v1/users", json={"count": 1}, headers=impersonal)

    assert listed.json()["Values"] == [shown(users, "ana", "a•••@e•••.org")]
    assert outcome(found) == (200, shown(users, "Zoe", "Z•••@e•••.org"))
    assert older.json()["entries"] == [shown(users, "ana", "a•••@e•••.org")]


@pytest.mark.parametrize("asked", ["Zoe", "zoe", "ZOE", "%5Aoe", "Ｚｏｅ", "zoe/"])
async def test_an_account_is_found_by_its_name_in_any_case(client, users, asked):
    answer = await client.get(f"/api/v1/users/{asked}")

    assert outcome(answer) == (200, shown(users, "Zoe"))


async def test_an_account_is_found_by_its_id_in_any_spelling(client, users):
    dashed = str(users["ana"])
    bare = dashed.replace("-", "")
    for key in [dashed, dashed.upper(), bare, f"{{{dashed}}}", f"{{{bare.upper()}}}"]:
        answer = await client.get(f"/api/v1/users/{key}")

        assert outcome(answer) == (200, shown(users, "ana")), key


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nobody", "No user with name 'nobody'."),
        ("ana@example.org", "No user with name 'ana@example.org'."),
        (str(NOBODY).upper(), f"No user with id '{NOBODY}'."),
        ("7", "No user with name '7'."),
        ("x" * 65, "No user with that name."),
        ("a%00na", "No user with that name."),
        ("ana%0A", "No user with that name."),
        ("%C3%A9%2Fx", "No user with name 'é/x'."),
    ],
)
@pytest.mark.parametrize("rest", ["", "/players", "/players/0"])
async def test_an_unknown_account_is_not_found(client, users, asked, message, rest):
    answer = await client.get(f"/api/v1/users/{asked}{rest}")

    assert outcome(answer) == refusal(404, "user_not_found", message)


async def test_an_accounts_characters_are_listed_in_order_of_creation(client, users, characters):
    zelda, asa, mia = characters
    ana = users["ana"]
    for key in ("ana", "ANA", ana):
        answer = await client.get(f"/api/v1/users/{key}/players")

        assert outcome(answer) == (
            200,
            [
                shown_player(zelda, ana, "Zelda"),
                shown_player(asa, ana, "Äsa", CreationDate="2026-01-03T03:04:05Z"),
                shown_player(mia, ana, "Mia Lyra", CreationDate="2026-01-04T03:04:05Z"),
            ],
        )


async def test_an_account_without_characters_has_an_empty_list(client, users):
    assert outcome(await client.get("/api/v1/users/carla/players")) == (200, [])


async def test_a_character_is_found_by_any_mix_of_keys(client, users, characters):
    """User by name or id; character by name, id or index."""
    ana, mia = users["ana"], characters[2]
    expected = shown_player(mia, ana, "Mia Lyra", CreationDate="2026-01-04T03:04:05Z")
    for user in ("aNa", str(ana), ana.hex.upper()):
        for key in ("Mia%20Lyra", "MIA%20lyra", str(mia), f"{{{mia.hex}}}", "2", "02", "2/"):
            answer = await client.get(f"/api/v1/users/{user}/players/{key}")

            assert outcome(answer) == (200, expected), (user, key)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("3", "No player with name '3'."),
        ("-1", "No player with name '-1'."),
        ("99999999999999999999", "No player with name '99999999999999999999'."),
        ("000000000003", "No player with name '000000000003'."),
        ("1.0", "No player with name '1.0'."),
        ("٢", "No player with name '٢'."),
        ("nobody", "No player with name 'nobody'."),
        (str(NOBODY), f"No player with id '{NOBODY}'."),
        ("Bobs%20Only", "No player with name 'Bobs Only'."),
        ("%00", "No player with that name."),
    ],
)
async def test_what_is_none_of_an_accounts_characters_is_not_found(
    client, characters, asked, message
):
    """Not even if somebody else has a character of that name."""
    answer = await client.get(f"/api/v1/users/ana/players/{asked}")

    assert outcome(answer) == refusal(404, "player_not_found", message)


async def test_an_index_may_have_leading_zeros(client, users, characters):
    answer = await client.get("/api/v1/users/ana/players/000000000001")

    expected = shown_player(characters[1], users["ana"], "Äsa", CreationDate="2026-01-03T03:04:05Z")
    assert outcome(answer) == (200, expected)


@pytest.mark.parametrize(
    ("sent", "number", "size", "names"),
    [
        ({}, 0, 5, NAMES[:5]),
        ({"json": []}, 0, 5, NAMES[:5]),
        ({"json": {"page": 1, "count": 2}}, 1, 2, NAMES[2:4]),
        ({"data": {"Page": "1", "COUNT": "6"}}, 1, 6, NAMES[6:]),
        ({"json": {"count": 99999}}, 0, 100, NAMES),
        ({"json": {"count": 0}}, 0, 1, NAMES[:1]),
        ({"json": {"page": 4}}, 4, 5, []),
    ],
)
async def test_the_older_list_has_its_own_envelope_and_says_that_it_is_old(
    client, users, sent, number, size, names
):
    answer = await client.post("/api/v1/users", **sent)

    entries = [shown(users, name) for name in names]
    envelope = {"total": len(NAMES), "Page": number, "count": len(names), "entries": entries}
    assert outcome(answer) == (200, envelope | {"PageSize": size, "Values": entries})
    assert answer.headers["deprecation"] == "@1577836800"
    assert answer.headers["link"] == '</api/v1/users>; rel="successor-version"'


async def test_a_key_without_the_role_is_told_which_role_is_missing(client, database):
    order = keys.NewKey(by=BY, name=f"players {uuid4()}", scopes=("players.read",))
    headers = {"Authorization": f"Bearer {await keys.create.one(database, order)}"}

    answer = await client.get("/api/v1/users", headers=headers)

    expected = refusal(
        403, "role_required", "This needs the role 'users.query'.", Role="users.query"
    )
    assert outcome(answer) == expected
    assert answer.headers["www-authenticate"].startswith('Bearer error="insufficient_scope"')
