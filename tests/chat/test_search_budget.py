"""
What a page of the chat log reads: as much as the constants say, however long the log is.

Rows are counted, not seconds, so a busy machine cannot change the result.
"""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from gamekeeper.servers.chat import line_queries
from gamekeeper.servers.chat.line_queries import NEWEST, LineFilters
from tests.generic_plans import cost
from tests.make import make_player

pytestmark = pytest.mark.usefixtures("database_statistics")

LINES, PROBED, MAX_HITS, PAGE = 6_000, 400, 200, 20
MOST = PROBED + MAX_HITS + PAGE + 2
"""Of one statement; private lines among those that it passes count too."""

# All lines have "hay", one in 41 "rake", the first one "needle". The newest 1,000 have neither of
# the last two: the probe finds nothing, and the index is asked. The first 300 were said on a server
# that was stopped then, and by staff.
TALK = """
    INSERT INTO chat_messages (id, said_at, server_id, player_id, user_id, channel, message)
    SELECT md5(n::text)::uuid, now() - make_interval(secs => $1 - n),
           CASE WHEN n <= 300 THEN md5('old')::uuid ELSE md5((n % 3)::text)::uuid END,
           CASE n % 50 WHEN 0 THEN $2 ELSE md5((n % 50)::text)::uuid END, $2,
           CASE WHEN n <= 300 THEN 'admin' WHEN n % 4 = 0 THEN 'pm' ELSE 'global' END,
           'hay ' || CASE WHEN n = 1 THEN 'needle'
                          WHEN n % 41 = 0 AND n <= $1 - 1000 THEN 'rake'
                          ELSE 'stack' END
      FROM generate_series(1, $1::int) AS n
"""


async def _talk(writer: Writer, ana: UUID) -> None:
    await writer.run(TALK, LINES, ana)
    await writer.run("ANALYZE chat_messages")


async def _sent(
    database: Database, filters: LineFilters, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, dict[str, tuple[Any, ...]]]:
    """How many lines a page has, and the statements on the log with their arguments."""
    sent: dict[str, tuple[Any, ...]] = {}
    fetch = asyncpg.Connection.fetch

    async def listen(connection: asyncpg.Connection, sql: str, *arguments: Any, **about: Any):
        if "FROM chat_messages" in sql:
            sent[sql] = arguments
        return await fetch(connection, sql, *arguments, **about)

    with monkeypatch.context() as patched:
        patched.setattr(asyncpg.Connection, "fetch", listen)
        lines, _ = await line_queries.find_lines(database.reader, filters, NEWEST, PAGE)
    return len(lines), sent


async def _rows(settings: Settings, sql: str, arguments: tuple[Any, ...]) -> int:
    return (await cost(settings, "chat_messages", sql, *arguments)).rows


@pytest.fixture
async def talkers(database, monkeypatch) -> dict[str, UUID]:
    monkeypatch.setattr(line_queries, "PROBED", PROBED)
    monkeypatch.setattr(line_queries, "MAX_HITS", MAX_HITS)
    ana = await make_player(database, "Ana")
    await database.write(lambda writer: _talk(writer, ana))
    servers = "SELECT md5('old')::uuid AS old, md5('1')::uuid AS live"
    [row] = await database.reader.rows(servers)
    return {"ana": ana, **row}


async def test_a_search_reads_a_bounded_number_of_lines(database, settings, talkers, monkeypatch):
    ana, live, old = talkers["ana"], talkers["live"], talkers["old"]
    for search, about, found in (
        ("hay", {}, PAGE + 1),
        ("needle", {}, 1),
        ("rake", {}, PAGE + 1),
        ("spade", {}, 0),
        ("needle", {"player_id": ana}, 0),
        ("needle", {"server_id": live}, 0),
        ("needle", {"server_id": old}, 1),
        ("needle", {"channel": "admin"}, 1),
        ("rake", {"server_id": live, "private": True}, PAGE + 1),
        ("hay", {"channel": "pm", "private": True}, PAGE + 1),
        ("spade", {"player_id": ana, "private": True}, 0),
    ):
        filters = LineFilters(search=search, **about)
        count, sent = await _sent(database, filters, monkeypatch)
        read = await asyncio.gather(*(_rows(settings, sql, args) for sql, args in sent.items()))

        assert count == found, (search, about)
        assert 1 <= len(sent) <= 3, sent
        assert max(read) <= MOST, (search, about, read)


async def test_a_page_of_a_stopped_server_or_a_quiet_channel_reads_no_other_lines(
    database, settings, talkers, monkeypatch
):
    """Both were last used before the newest lines of everything else."""
    old = talkers["old"]
    for about in (
        {"server_id": old},
        {"server_id": old, "private": True},
        {"channel": "admin"},
        {"server_id": old, "channel": "admin"},
        {"server_id": talkers["live"], "channel": "admin"},
    ):
        count, sent = await _sent(database, LineFilters(**about), monkeypatch)
        [[sql, arguments]] = sent.items()

        assert count == (0 if about.get("server_id") == talkers["live"] else PAGE + 1), about
        assert await _rows(settings, sql, arguments) <= 300, about
