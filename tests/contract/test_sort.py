"""`sortBy` and `sortDirection` of Intersect's lists: every order, every page, both ways."""

from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.core.schemas import Window
from gamekeeper.db.paging.nearer_end import nearer_end
from tests.contract.test_errors import bearer, key_with
from tests.make import join, make_player, make_server, make_user

PLAYERS, ONLINE, USERS = "/api/v1/players", "/api/v1/players/online", "/api/v1/users"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
COUNT = 23


@pytest.fixture(scope="module")
async def crowd(database) -> None:
    """Characters whose names, levels, ages and play times are in different orders."""
    alive, dead = await make_server(database), await make_server(database, lease_seconds=-1)
    for number in range(COUNT):
        user = await make_user(
            database,
            f"user{number:02}",
            email=f"{(number * 7) % COUNT:02}@example.org",
            created_at=BEGAN + timedelta(days=(number * 5) % COUNT),
        )
        player = await make_player(
            database,
            f"Hero {number:02}",
            user=user,
            level=1 + (number * 3) % 7,
            exp=number,
            created_at=BEGAN + timedelta(days=(number * 11) % COUNT),
            play_time_seconds=(number * 13) % 5,
        )
        if number % 2:
            await join(database, player, dead if number == 5 else alive)


async def everything(client, path: str, size: int = 5, **query: object) -> list[dict]:
    """All pages, one after another; each says the same total."""
    found: list[dict] = []
    for page in range(40):
        answer = await client.get(path, params={"page": page, "pageSize": size} | query)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        found += body["Values"]
        if not body["Values"]:
            assert body["Total"] == len(found)
            return found
    raise AssertionError("it never ends")


KEYS = {
    "level": lambda one: (one["Level"], one["Exp"]),
    "creationdate": lambda one: one["CreationDate"],
    "playtime": lambda one: one["PlayTimeSeconds"],
    "name": lambda one: one["Name"],
    "guildrank": lambda one: one["Name"],
    "nonsense": lambda one: one["Name"],
    "%00": lambda one: one["Name"],
}


@pytest.mark.parametrize("direction", ["Ascending", "descending", "1", "sideways"])
@pytest.mark.parametrize("by", KEYS)
async def test_characters_in_every_order(client, crowd, by, direction):
    is_reverse = direction in ("descending", "1")
    shown = await everything(client, PLAYERS, sortBy=by, sortDirection=direction)

    assert len({one["Id"] for one in shown}) == len(shown) == COUNT
    order = [KEYS[by](one) for one in shown]
    if by != "playtime":
        assert order == sorted(order, reverse=is_reverse)
    # Another size of pages shows the same list, and so does the other end of it.
    assert await everything(client, PLAYERS, 7, sortBy=by.upper(), sortDirection=direction) == shown
    other = "Ascending" if is_reverse else "Descending"
    assert await everything(client, PLAYERS, sortBy=by, sortDirection=other) == shown[::-1]


async def test_play_time_is_sorted_as_it_is_stored(client, database, crowd):
    rows = await database.reader.rows("SELECT id FROM players ORDER BY play_time_seconds, id")
    shown = await everything(client, PLAYERS, sortBy="playtime")
    assert [one["Id"] for one in shown] == [str(row["id"]) for row in rows]


@pytest.mark.parametrize("by", ["level", "creationdate", "playtime", "name", ""])
async def test_what_a_search_finds_is_sorted_too(client, crowd, by):
    shown = await everything(client, PLAYERS, search="hero 1", sortBy=by, sortDirection=1)
    assert len(shown) == 10
    if by != "playtime":
        order = [KEYS[by or "name"](one) for one in shown]
        assert order == sorted(order, reverse=True)


@pytest.mark.parametrize("direction", ["Ascending", "Descending"])
@pytest.mark.parametrize("by", ["level", "onlinetime", "name", "nonsense"])
async def test_who_is_online_in_every_order(client, crowd, by, direction):
    shown = await everything(client, ONLINE, sortBy=by, sortDirection=direction)

    assert len(shown) == COUNT // 2 - 1
    assert "Hero 05" not in {one["Name"] for one in shown}
    if by != "onlinetime":
        order = [KEYS[by](one) for one in shown]
        assert order == sorted(order, reverse=direction == "Descending")
    other = {"Ascending": "Descending", "Descending": "Ascending"}[direction]
    assert await everything(client, ONLINE, sortBy=by, sortDirection=other) == shown[::-1]


async def test_who_is_online_is_searched_by_any_part(client, crowd):
    shown = await everything(client, ONLINE, search="O 1")
    assert [one["Name"] for one in shown] == [f"Hero {number}" for number in range(11, 20, 2)]
    body = (await client.get(ONLINE, params={"search": "nobody"})).json()
    assert (body["Total"], body["Values"]) == (0, [])


@pytest.mark.parametrize("direction", ["Ascending", "Descending"])
@pytest.mark.parametrize(
    ("by", "field"),
    [
        ("email", "Email"),
        ("registrationdate", "RegistrationDate"),
        ("name", "Name"),
        ("playtime", "Name"),
        ("password", "Name"),
    ],
)
async def test_accounts_in_every_order(client, crowd, by, field, direction):
    shown = await everything(client, USERS, sortBy=by, sortDirection=direction)
    order = [one[field] for one in shown]
    assert len(order) == COUNT
    assert order == sorted(order, reverse=direction == "Descending")
    found = await everything(client, USERS, search="user1", sortBy=by, sortDirection=direction)
    order = [one[field] for one in found]
    assert len(order) == 10
    assert order == sorted(order, reverse=direction == "Descending")


async def test_who_does_not_see_emails_learns_no_order_of_them(client, database, crowd):
    narrow = bearer(await key_with(database, "users.query"))
    for search in ({}, {"search": "user1"}):
        answers = [
            (await client.get(USERS, params={"sortBy": by, **search}, headers=narrow)).json()
            for by in ("email", "name")
        ]
        assert answers[0] == answers[1]
        assert "•••" in answers[0]["Values"][0]["Email"]


async def test_a_page_far_past_the_end_is_empty(client, crowd):
    for path, by in ((PLAYERS, "creationdate"), (USERS, "email"), (ONLINE, "level")):
        answer = await client.get(path, params={"page": 2**31, "pageSize": 100, "sortBy": by})
        assert (answer.status_code, answer.json()["Values"]) == (200, [])


@pytest.mark.parametrize("total", [0, 1, 4, 5, 6, 23])
@pytest.mark.parametrize("descending", [False, True])
def test_the_walk_is_never_longer_than_half_and_finds_every_page(total, descending):
    rows = list(range(total))
    for size in (1, 2, 5, 100):
        for page in range(total + 2):
            window = Window.of(page, size)
            walk = nearer_end(window, total, descending=descending)
            index = rows[::-1] if walk.descending else rows
            found = index[walk.skipped : walk.skipped + walk.taken]
            found = found if walk.descending is descending else found[::-1]
            wanted = rows[::-1] if descending else rows
            assert found == wanted[window.offset : window.offset + size]
            assert walk.skipped * 2 <= total
