"""The chat log for staff: filters, search, around a moment, pages in both directions."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.servers.chat import line_queries
from tests.chat.talk import MESSAGES, PRIVATE, every_second, said, say, texts
from tests.security.callers import key_with
from tests.servers.game_server import GameServer

BEGUN = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)


async def test_a_line_has_names_and_place(client, realm, ana):
    message = said(ana, "Selling a hammer", channel="global", saidAt=BEGUN.isoformat())
    await say(realm, message)

    [line] = (await client.get(MESSAGES)).json()["Values"]

    user = line.pop("UserId")
    assert line == {
        "Id": message["id"],
        "SaidAt": BEGUN.isoformat().replace("+00:00", "Z"),
        "Channel": "global",
        "Message": "Selling a hammer",
        "PlayerId": str(ana),
        "PlayerName": "Ana",
        "TargetId": None,
        "TargetName": None,
        "ServerId": str(realm.id),
        "ServerName": line["ServerName"],
        "Address": "",
    }
    assert line["ServerName"]
    assert texts(await client.get(MESSAGES, params={"user": user})) == ["Selling a hammer"]


async def test_filters_leave_what_they_say(client, realm, ana, bo):
    other, guild = await GameServer.register(client, "Other"), uuid4()
    await say(realm, said(ana, "here", channel="local"), said(bo, "all", channel="global"))
    await say(other, said(bo, "mates", channel="guild", targetId=str(guild)))

    for query, left in (
        ({"channel": "local"}, {"here"}),
        ({"player": "Bo"}, {"all", "mates"}),
        ({"player": str(bo), "channel": "global"}, {"all"}),
        ({"guild": str(guild)}, {"mates"}),
        ({"server": str(other.id)}, {"mates"}),
        ({"search": "MATE"}, {"mates"}),
        ({"search": "100%"}, set()),
        ({"from": (BEGUN + timedelta(days=1)).isoformat()}, set()),
        ({"to": BEGUN.isoformat()}, set()),
    ):
        assert set(texts(await client.get(MESSAGES, params=query))) == left, query


async def test_pages_continue_in_both_directions(client, realm, ana):
    await say(realm, *every_second(BEGUN, ana, list("abcdefg")))

    first = await client.get(MESSAGES, params={"limit": 3})
    second = await client.get(MESSAGES, params={"limit": 3, "older": first.json()["Older"]})
    third = await client.get(MESSAGES, params={"limit": 3, "older": second.json()["Older"]})
    back = await client.get(MESSAGES, params={"limit": 3, "newer": third.json()["Newer"]})
    on = await client.get(MESSAGES, params={"limit": 3, "newer": back.json()["Newer"]})
    end = await client.get(MESSAGES, params={"limit": 3, "newer": on.json()["Newer"]})

    assert [texts(page) for page in (first, second, third)] == [list("gfe"), list("dcb"), ["a"]]
    assert third.json()["Older"] is None
    assert [texts(page) for page in (back, on, end)] == [list("dcb"), list("gfe"), []]
    # What is said later is found from the last cursor.
    await say(realm, said(ana, "later", channel="global"))
    newest = await client.get(MESSAGES, params={"newer": end.json()["Newer"]})
    assert texts(newest) == ["later"]
    again = await client.get(MESSAGES, params={"limit": 2, "older": newest.json()["Older"]})
    assert texts(again) == ["g", "f"]


async def test_lines_of_one_instant_are_neither_repeated_nor_skipped(client, realm, ana):
    at = BEGUN.isoformat()
    await say(realm, *(said(ana, f"{n}", saidAt=at) for n in range(9)))
    seen, older = [], None
    for _ in range(5):
        query = {"limit": 2} | ({"older": older} if older else {})
        page = await client.get(MESSAGES, params=query)
        seen += texts(page)
        older = page.json()["Older"]
    assert older is None
    assert sorted(seen) == sorted(f"{n}" for n in range(9))


async def test_around_a_moment_are_five_minutes_on_both_sides(client, realm, ana):
    minutes = [
        said(ana, f"{n}", saidAt=(BEGUN + timedelta(minutes=n)).isoformat()) for n in range(20)
    ]
    await say(realm, *minutes)

    page = await client.get(MESSAGES, params={"at": (BEGUN + timedelta(minutes=10)).isoformat()})

    assert texts(page) == [f"{n}" for n in range(15, 4, -1)]
    older = await client.get(MESSAGES, params={"limit": 2, "older": page.json()["Older"]})
    newer = await client.get(MESSAGES, params={"limit": 2, "newer": page.json()["Newer"]})
    assert (texts(older), texts(newer)) == (["4", "3"], ["17", "16"])


@pytest.mark.parametrize("most_hits", [1000, 0])
async def test_a_search_finds_rare_texts_far_from_the_cursor(
    client, realm, ana, monkeypatch, most_hits
):
    """By the index of words; or, if too many lines have it, page by page up to where it came."""
    monkeypatch.setattr(line_queries, "PROBED", 10)
    monkeypatch.setattr(line_queries, "MAX_HITS", most_hits)
    said_there = ["a Needle!" if n == 3 else f"hay {n}" for n in range(40)]
    await say(realm, *every_second(BEGUN, ana, said_there))
    seen, older, pages = [], "", 0
    while older is not None and pages < 10:
        query = {"search": "needle"} | ({"older": older} if older else {})
        page = await client.get(MESSAGES, params=query)
        seen += texts(page)
        older, pages = page.json()["Older"], pages + 1
        assert (page.json()["SearchedTo"] is None) == (older is None)

    assert seen == ["a Needle!"]
    assert pages == (1 if most_hits else 5)


async def test_a_search_for_single_characters_is_read_in_order(client, realm, ana, monkeypatch):
    """The index has no words of one character."""
    monkeypatch.setattr(line_queries, "PROBED", 10)
    await say(realm, *every_second(BEGUN, ana, ["thanks :)", *(f"{n}" for n in range(15))]))
    page = await client.get(MESSAGES, params={"search": ":)"})
    assert texts(page) == []
    page = await client.get(MESSAGES, params={"search": ":)", "older": page.json()["Older"]})
    assert texts(page) == ["thanks :)"]
    assert page.json()["Older"] is None


LINES = (
    "до свидания",
    "Selling: a Hammer (rusty), 5-10 gold",
    "it's 100% mine\\yours, C'est la vie",
    "你好世界。今天天气很好",
    "see https://example.com/unbelievablylongpath?x=1",
    "aaa bbb ccc",
)


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ("СВИД", [0]),
        ("до св", [0]),
        ("mm", [1]),
        ("HAMMER (ru", [1]),
        ("r (rust", [1]),
        ("a hammer", [1]),
        ("hammer rusty", []),
        (", 5-10 go", [1]),
        ("100% mine\\your", [2]),
        ("'est", [2]),
        ("est l", [2]),
        ("世界", [3]),
        ("好世界。今天天气很好", [3]),
        ("lievablylongpath?x", [4]),
        ("unbelievablylongpaths", []),
        ("bb cc", [5]),
        ("bbb bbb", []),
        ("aa' | 'bb", []),
        ("el", [1, 4]),
    ],
)
async def test_a_search_finds_any_part_in_any_script(client, realm, ana, monkeypatch, part, found):
    """Also far from the cursor, by the index: the newest line is all that is read in order."""
    monkeypatch.setattr(line_queries, "PROBED", 1)
    await say(realm, *every_second(BEGUN, ana, [*reversed(LINES), "newest"]))

    page = await client.get(MESSAGES, params={"search": part})

    assert texts(page) == [LINES[place] for place in found]
    assert page.json()["SearchedTo"] is None


async def test_a_frequent_text_fills_its_page(client, realm, ana):
    await say(realm, *every_second(BEGUN, ana, [f"hay {n}" for n in range(8)]))
    page = await client.get(MESSAGES, params={"search": "hay", "limit": 3})
    assert texts(page) == ["hay 7", "hay 6", "hay 5"]
    page = await client.get(
        MESSAGES, params={"search": "hay", "limit": 9, "older": page.json()["Older"]}
    )
    assert texts(page) == [f"hay {n}" for n in range(4, -1, -1)]
    back = await client.get(
        MESSAGES, params={"search": "hay", "limit": 2, "newer": page.json()["Newer"]}
    )
    assert texts(back) == ["hay 6", "hay 5"]


@pytest.mark.parametrize(
    "query",
    [
        {"channel": "pm"},
        {"channel": "shout"},
        {"search": "a"},
        {"search": "a" * 101},
        {"search": "a\0b"},
        {"older": "!"},
        {"newer": "AAAA"},
        {"at": BEGUN.isoformat(), "older": "AAAA"},
    ],
)
async def test_queries_that_make_no_sense_are_refused(client, query):
    answer = await client.get(MESSAGES, params=query)
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")


async def test_unknown_names_are_refused(client):
    assert (await client.get(MESSAGES, params={"player": "Nobody"})).status_code == 404
    body = {"reason": "report 812", "user": "Nobody"}
    assert (await client.post(PRIVATE, json=body)).status_code == 404


async def test_addresses_are_for_those_who_may_see_them(client, database, realm, ana):
    await say(realm, said(ana, "hello", address="203.0.113.9"))
    for scopes, shown in (
        (["logs.read"], None),
        (["logs.read", "users.query", "users.personal"], "203.0.113.9"),
    ):
        headers = await key_with(database, *scopes)
        [line] = (await client.get(MESSAGES, headers=headers)).json()["Values"]
        assert line["Address"] == shown
