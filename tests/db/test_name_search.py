"""What a search for names finds does not depend on how many names its first look reads."""

import pytest

from gamekeeper.core.search import Search
from gamekeeper.db import name_search
from gamekeeper.players.roster import PLAYER_NAMES
from tests.make import make_player

NAMES = ["ann", "annika", "bo ann", "joann", "joanna", "zed", "zoe ann"]
MOST = 5


@pytest.fixture
async def reader(database):
    for name in NAMES:
        await make_player(database, name)
    return database.reader


@pytest.fixture(params=[1, len(NAMES) - 1, len(NAMES), len(NAMES) + 1, 3000])
def probed(monkeypatch, request) -> int:
    monkeypatch.setattr(name_search, "PROBED", request.param)
    return request.param


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("ann", ["ann", "annika", "bo ann", "zoe ann", "joann"]),
        ("zoe", ["zoe ann"]),
        ("nik", ["annika"]),
        ("oan", ["joann", "joanna"]),
        ("o a", ["bo ann"]),
        ("ze", ["zed"]),
        ("xyz", []),
        ("%", []),
    ],
)
async def test_beginnings_come_first_then_words_then_parts(reader, probed, asked, found):
    hits = await name_search.best(reader, PLAYER_NAMES, Search(asked), MOST)

    assert sorted(hits.values()) == sorted(found)
    begin = [name for name in found if name.startswith(asked)]
    assert list(hits.values())[: len(begin)] == begin


async def test_enough_beginnings_need_no_other_names(reader, probed):
    hits = await name_search.best(reader, PLAYER_NAMES, Search("jo"), 2)

    assert list(hits.values()) == ["joann", "joanna"]


@pytest.mark.parametrize(("asked", "found"), [("nn", 6), ("zed", 1), ("xyz", 0)])
async def test_a_part_is_found_wherever_it_is(reader, probed, asked, found):
    hits = await name_search.containing(reader, PLAYER_NAMES, Search(asked), 10)

    assert len(hits) == found


async def test_a_table_that_was_read_whole_is_read_once(reader, statements):
    with statements() as made:
        await name_search.best(reader, PLAYER_NAMES, Search("xyz"), MOST)

    assert len(made) == 1
