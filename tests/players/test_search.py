"""The statements of a search: bounded, and none that would read an index to find nothing."""

import pytest

from gamekeeper.db import name_search
from tests.make import make_player, make_user


@pytest.mark.parametrize("path", ["/api/v1/players/search", "/api/v1/players"])
@pytest.mark.parametrize("asked", ["--", "  ", "%_%_%_", "\\\\"])
async def test_similarity_is_not_asked_for_without_letters(
    client, database, statements, monkeypatch, path, asked
):
    # As if there were more names than the first look reads.
    monkeypatch.setattr(name_search, "PROBED", 0)
    await make_player(database, "Ana", user=await make_user(database))
    with statements() as sent:
        answer = await client.get(path, params={"search": asked})
    assert answer.json()["Values"] == []
    assert any("LIKE" in sql for sql in sent), "parts are looked for"
    assert not any(" % $1" in sql or "<%" in sql for sql in sent)


@pytest.mark.parametrize("asked", ["qqqqqqqq", "grvoe", "ar", "__"])
async def test_a_search_has_few_statements_and_each_a_limit(client, statements, asked):
    await client.get("/api/v1/players/search", params={"search": "warm up"})
    with statements() as sent:
        await client.get("/api/v1/players/search", params={"search": asked})
    searches = [sql for sql in sent if "player_names" in sql]
    assert 0 < len(searches) <= 9
    assert all("LIMIT" in sql for sql in searches)
