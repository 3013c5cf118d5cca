"""Endpoints 1, 2, 3, 4 and 19: the lists of characters, whole."""

from uuid import UUID

import pytest

from gamekeeper.core.schemas import Window
from tests.contract.outcomes import outcome, refusal
from tests.make import SINCE, join, make_player, make_server, make_user, shown_player

LIST, RANK = "/api/v1/players", "/api/v1/players/rank"
ONLINE = "/api/v1/players/online"

# In the order of their folded names; level, experience, and experience to the next level.
CAST = {
    "100% Joe": (1, 0, 100),
    "anna": (10, 5, 235),
    "Bert": (2, 900, 110),
    "BERTHA": (100, 0, -1),
    "x_ray": (10, 5, 235),
    "Zoe": (10, 5, 235),
    "Émile": (10, 6, 235),
}
IN_THE_BANK = {"Zoe"}
HERE = {"anna", "Zoe", "Émile"}
LOST = {"Bert": False, "BERTHA": True}
"""Joined a server whose lease ran out; whether the bank window was open then."""


@pytest.fixture(scope="module")
async def cast(database) -> dict[str, dict[str, object]]:
    """Each name's record as it must be shown. Made in an order that is nobody's."""
    alive = await make_server(database)
    dead = await make_server(database, lease_seconds=-1)
    shown = {}
    for name in sorted(CAST, key=lambda name: name[::-1]):
        level, exp, next_level = CAST[name]
        user = await make_user(database)
        player = await make_player(database, name, user=user, level=level, exp=exp)
        if name in HERE:
            await join(database, player, alive, in_bank=name in IN_THE_BANK)
        if name in LOST:
            await join(database, player, dead, in_bank=LOST[name])
        shown[name] = shown_player(
            player,
            user,
            name,
            Level=level,
            Exp=exp,
            ExperienceToNextLevel=next_level,
            Online=name in HERE,
            InBank=name in IN_THE_BANK,
            **({"LastOnline": SINCE} if name in HERE or name in LOST else {}),
        )
    return shown


def page(cast, names, *, total: int = len(CAST), number: int = 0, size: int = 5):
    values = [cast[name] for name in names]
    return 200, {
        "Total": total,
        "Page": number,
        "PageSize": size,
        "Count": len(values),
        "Values": values,
    }


def legacy(cast, names, *, total: int = len(CAST), number: int = 0, size: int = 5):
    entries = [cast[name] for name in names]
    return 200, {
        "total": total,
        "Page": number,
        "count": len(entries),
        "entries": entries,
        "PageSize": size,
        "Values": entries,
    }


def ranked(cast) -> list[str]:
    """The names by level, then experience, then id, from the least."""
    key = {name: (*CAST[name][:2], UUID(str(cast[name]["Id"]))) for name in CAST}
    return sorted(CAST, key=key.__getitem__)


NAMES = list(CAST)


# --- 1: by name ---------------------------------------------------------------


async def test_the_list_is_ordered_by_folded_name_and_shows_five(client, cast):
    answer = await client.get(LIST)

    assert outcome(answer) == page(cast, NAMES[:5])
    assert list(answer.json()) == ["Total", "Page", "PageSize", "Count", "Values"]


@pytest.mark.parametrize(
    ("query", "number", "size", "names"),
    [
        ("page=1", 1, 5, NAMES[5:]),
        ("page=2", 2, 5, []),
        ("page=1&pageSize=3", 1, 3, NAMES[3:6]),
        ("pageSize=100", 0, 100, NAMES),
        ("pageSize=101", 0, 100, NAMES),
        ("pageSize=99999", 0, 100, NAMES),
        ("pageSize=9223372036854775808", 0, 100, NAMES),
        ("pageSize=99999999999999999999", 0, 100, NAMES),
        ("pageSize=0", 0, 1, NAMES[:1]),
        ("pageSize=-1", 0, 1, NAMES[:1]),
        ("pageSize=-99999999999999999999", 0, 1, NAMES[:1]),
        ("page=-1", 0, 5, NAMES[:5]),
        ("page=-9223372036854775809", 0, 5, NAMES[:5]),
        ("page=2147483647&pageSize=100", 2147483647, 100, []),
        ("page=99999999999", 2147483647, 5, []),
        ("page=99999999999999999999", 2147483647, 5, []),
        ("PAGE=1&pagesize=2", 1, 2, NAMES[2:4]),
        ("page=0&page=1&pageSize=2", 1, 2, NAMES[2:4]),
        ("unknown=1&pageSize=2", 0, 2, NAMES[:2]),
    ],
)
async def test_a_number_out_of_range_is_the_nearest_in_range(
    client, cast, query, number, size, names
):
    answer = await client.get(f"{LIST}?{query}")

    assert outcome(answer) == page(cast, names, number=number, size=size)


@pytest.mark.parametrize("path", [LIST, RANK])
@pytest.mark.parametrize(
    ("query", "number", "size", "part"),
    [
        ("limit=2", 0, 5, slice(0, 2)),
        ("limit=50", 0, 5, slice(0, 5)),
        ("limit=1&pageSize=3&page=1", 1, 3, slice(3, 4)),
        ("limit=3&pageSize=2", 0, 2, slice(0, 2)),
        ("limit=4&pageSize=4&page=1", 1, 4, slice(4, 7)),
        ("limit=0", 0, 5, slice(0, 1)),
        ("limit=-5", 0, 5, slice(0, 1)),
    ],
)
async def test_a_limit_only_shortens_the_page(client, cast, path, query, number, size, part):
    names = NAMES if path == LIST else ranked(cast)[::-1]
    answer = await client.get(f"{path}?{query}")

    assert outcome(answer) == page(cast, names[part], number=number, size=size)


@pytest.mark.parametrize("path", [LIST, RANK, ONLINE])
@pytest.mark.parametrize("field", ["page", "pageSize", "limit"])
@pytest.mark.parametrize("value", ["x", "", "1.0", "1e2", "true", "+1", "%201", "%EF%BC%91", "0x1"])
async def test_what_is_no_integer_is_ignored(client, cast, path, field, value):
    """As in Intersect, whose clients send such things."""
    answer = await client.get(f"{path}?{field}={value}")

    assert outcome(answer) == outcome(await client.get(path))


async def test_only_the_value_that_cannot_be_read_is_ignored(client, cast):
    answer = await client.get(f"{LIST}?page=x&pageSize=2&limit=1")

    assert outcome(answer) == page(cast, NAMES[:1], size=2)


@pytest.mark.parametrize("path", ["/api/v1/servers", "/api/v1/economy/items"])
async def test_lists_that_intersect_did_not_have_refuse_what_is_no_integer(client, path):
    answer = await client.get(f"{path}?page=0pageSize=25")

    expected = refusal(400, "invalid_query", "'page' must be an integer.", Field="page")
    assert outcome(answer) == expected


async def test_a_query_that_is_not_utf_8_is_invalid(client):
    answer = await client.get(f"{LIST}?search=%ff%fe")

    message = "The fields are not form-encoded UTF-8."
    assert outcome(answer) == refusal(400, "invalid_query", message)


# --- 2: by rank ---------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?sortDirection=Descending", "?sortDirection=descending"])
async def test_the_ranking_begins_with_the_highest_level(client, cast, query):
    assert outcome(await client.get(RANK + query)) == page(cast, ranked(cast)[::-1][:5])


@pytest.mark.parametrize("spelled", ["Ascending", "ascending", "ASCENDING", "0"])
async def test_the_ranking_can_begin_with_the_lowest_level(client, cast, spelled):
    """Ties are turned round too: both directions are one order, read from either end."""
    answer = await client.get(f"{RANK}?sortDirection={spelled}&pageSize=99")

    assert outcome(answer) == page(cast, ranked(cast), size=99)


async def test_one_is_the_number_of_descending(client, cast):
    answer = await client.get(f"{RANK}?SORTDIRECTION=1&pageSize=7")

    assert outcome(answer) == page(cast, ranked(cast)[::-1], size=7)


async def test_the_ranking_has_pages(client, cast):
    answer = await client.get(f"{RANK}?pageSize=3&page=2")
    assert outcome(answer) == page(cast, ranked(cast)[:1], number=2, size=3)

    answer = await client.get(f"{RANK}?page=2")
    assert outcome(answer) == page(cast, [], number=2)


@pytest.mark.parametrize("wrong", ["", "up", "2", "-1", "Descending%20"])
async def test_no_other_direction_is_known_and_so_it_is_descending(client, cast, wrong):
    answer = await client.get(f"{RANK}?sortDirection={wrong}")

    assert outcome(answer) == page(cast, ranked(cast)[::-1][:5])


# --- search -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("be", ["Bert", "BERTHA"]),
        ("BERT", ["Bert", "BERTHA"]),
        ("ｂｅｒｔｈａ", ["BERTHA"]),
        ("brtha", ["BERTHA"]),
        ("éMILE", ["Émile"]),
        ("nobody", []),
        ("100%25", ["100% Joe"]),
        ("b%25", []),
        ("b_rt", []),
        ("%25%25", []),
        ("__", []),
        ("b%5C", []),
        ("x_", ["x_ray"]),
        ("';--", []),
    ],
)
async def test_a_search_finds_what_begins_with_it_or_else_resembles_it(client, cast, search, names):
    """A wildcard of the database's is a character like any other."""
    answer = await client.get(f"{LIST}?search={search}")
    assert outcome(answer) == page(cast, names, total=len(names))

    order = [name for name in ranked(cast)[::-1] if name in names]
    answer = await client.get(f"{RANK}?search={search}")
    assert outcome(answer) == page(cast, order, total=len(names))


async def test_what_is_found_has_pages_too(client, cast):
    answer = await client.get(f"{LIST}?search=be&pageSize=1&page=1")

    assert outcome(answer) == page(cast, ["BERTHA"], total=2, number=1, size=1)


@pytest.mark.parametrize("path", [LIST, RANK])
async def test_past_the_end_of_what_is_found_the_total_is_still_exact(client, cast, path):
    answer = await client.get(f"{path}?search=be&page=1")

    assert outcome(answer) == page(cast, [], total=2, number=1)


async def test_an_empty_search_is_none(client, cast):
    assert outcome(await client.get(f"{LIST}?search=")) == page(cast, NAMES[:5])


@pytest.mark.parametrize("path", [LIST, RANK])
@pytest.mark.parametrize("search", ["b", "%C3%A9", "x" * 65])
async def test_a_search_has_2_to_64_characters(client, path, search):
    answer = await client.get(f"{path}?search={search}")

    message = "'search' must have 2 to 64 characters."
    assert outcome(answer) == refusal(400, "invalid_query", message)


# --- 3, 4: who is online ------------------------------------------------------


async def test_online_are_those_on_a_server_whose_lease_is_alive(client, cast):
    """And only for them is the bank window open, whatever the lost server last said."""
    answer = await client.post(ONLINE)

    assert outcome(answer) == legacy(cast, ["anna", "Zoe", "Émile"], total=3)
    assert list(answer.json()) == ["total", "Page", "count", "entries", "PageSize", "Values"]
    assert [entry["InBank"] for entry in answer.json()["entries"]] == [False, True, False]


async def test_the_online_count_counts_them(client, cast):
    assert outcome(await client.get(f"{ONLINE}/count")) == (200, {"onlineCount": 3})


@pytest.mark.parametrize(
    ("body", "number", "part"),
    [
        ({"count": 2}, 0, slice(0, 2)),
        ({"count": 2, "page": 1}, 1, slice(2, 3)),
        ({"page": 1}, 1, slice(3, 3)),
        ({"count": 0}, 0, slice(0, 1)),
        ({"count": -1, "page": -1}, 0, slice(0, 1)),
        ({"count": 99999}, 0, slice(0, 3)),
        ({"Count": "1", "PAGE": "2"}, 2, slice(2, 3)),
    ],
)
async def test_the_online_list_has_pages(client, cast, body, number, part):
    answer = await client.post(ONLINE, json=body)

    names = ["anna", "Zoe", "Émile"][part]
    size = Window.of(0, int(body.get("count", body.get("Count", 5)))).size
    assert outcome(answer) == legacy(cast, names, total=3, number=number, size=size)


# --- 19: by name, in the older envelope ---------------------------------------


@pytest.mark.parametrize(
    ("body", "number", "part"),
    [
        ({}, 0, slice(0, 5)),
        ({"page": 1}, 1, slice(5, 7)),
        ({"page": 2, "count": 3}, 2, slice(6, 7)),
        ({"page": 9}, 9, slice(7, 7)),
        ({"count": 100}, 0, slice(0, 7)),
        ({"count": 2147483647}, 0, slice(0, 7)),
        ({"count": 0}, 0, slice(0, 1)),
        ({"page": -2147483648}, 0, slice(0, 5)),
        ({"page": 2147483647, "count": 100}, 2147483647, slice(7, 7)),
        ({"search": "be", "limit": 1}, 0, slice(0, 5)),
    ],
)
async def test_the_deprecated_list_answers_as_before(client, cast, body, number, part):
    answer = await client.post(LIST, json=body)

    size = Window.of(0, body.get("count", 5)).size
    assert outcome(answer) == legacy(cast, NAMES[part], number=number, size=size)
    assert list(answer.json()) == ["total", "Page", "count", "entries", "PageSize", "Values"]


@pytest.mark.parametrize("path", [LIST, ONLINE])
@pytest.mark.parametrize("field", ["page", "count"])
@pytest.mark.parametrize("value", [2**31, 1.0, True, "x", "", "1.0", [1], {"a": 1}])
async def test_a_number_that_cannot_be_read_is_ignored_in_a_body_too(
    client, cast, path, field, value
):
    answer = await client.post(path, json={field: value})

    assert outcome(answer) == outcome(await client.post(path))
