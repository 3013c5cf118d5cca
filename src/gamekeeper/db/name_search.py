"""
Name search: names that begin with something, have a word that does, contain or resemble it.

Every statement reads a bounded number of rows, so a search costs about the same whether a
part is in three names or in half of them:

    a prefix        is a range of the primary key
    a frequent part is found among the first few thousand names
    any other part  is found by the index of trigrams or of pairs, whose hits are few

The statements have generic plans (`Reader.lookups`): an estimate from the part that is
asked for would sometimes choose to read all names.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.search import Search, Typos
from gamekeeper.db.database import Reader

PROBED = 3_000
"""The names that are read to find a frequent part."""

MOST_PARTS = 1_000
"""The most names with a part inside that a list shows: more are not worth the time."""

CANDIDATES = 200
"""The names with a typo that are compared to show the nearest."""


class NameTable(Struct, frozen=True):
    """A table of folded names, by primary key, and their owners."""

    table: LiteralString
    key: LiteralString
    owner: LiteralString

    @property
    def select(self) -> LiteralString:
        return f"SELECT {self.key} AS key, {self.owner} AS owner FROM {self.table}"


Hits = dict[UUID, str]
"""Owners and their names, the best first."""


async def best(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    """
    Names that begin with `search`, then those with a word that does, then those with it inside.

    Each by name. Of a part inside of very many names, some are found.
    """
    found, early, is_all = await _first(reader, names, search, most)
    if len(found) >= most:
        return found
    words = {owner: key for owner, key in early.items() if search.begins_word(key)}
    if not is_all and len(found | words) < most:
        words |= await _with_word(reader, names, search, most)
    found |= words
    if len(found) < most:
        if not is_all and len(found | early) < most:
            early = await containing_few(reader, names, search, most)
        found |= dict(sorted(early.items(), key=lambda hit: not search.begins_word(hit[1])))
    return dict(list(found.items())[:most])


async def beginning(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    """The first names that begin with `search`, by name."""
    sql: LiteralString = f"""
        {names.select} WHERE {names.key} >= $1 AND {names.key} < $2 ORDER BY {names.key} LIMIT $3
    """
    return _hits(await reader.lookups.rows(sql, *search.bounds, most))


async def containing(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    """Names that contain `search`, at most so many, by name."""
    _, early, is_all = await _first(reader, names, search, 0)
    if is_all or len(early) >= most:
        return dict(list(early.items())[:most])
    return await containing_few(reader, names, search, most)


async def containing_few(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    """The same for a part that is not frequent."""
    if search.has_trigram:
        sql: LiteralString = f"{names.select} WHERE {names.key} LIKE $1 LIMIT $2"
        rows = await reader.lookups.rows(sql, search.part, most)
    elif search.pairs:
        rows = await _by_pairs(reader, names, search.pairs, search.part, most)
    else:
        return {}
    return _hits(sorted(rows, key=itemgetter("key")))


async def nearest(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    """Names that differ by one mistake or, if none does, have a similar word; nearest first."""
    rows: list[Any] = []
    for typos in search.typos:
        rows = rows or await _misspelled(reader, names, typos)
    # Without trigrams PostgreSQL would read the whole index to find nothing.
    if not rows and search.has_letters:
        sql: LiteralString = f"{names.select} WHERE $1 <% {names.key} LIMIT $2"
        rows = await reader.lookups.rows(sql, search.name, CANDIDATES)
    if not rows:
        return {}
    hits = _hits(rows)
    ranked = await reader.lookups.rows(
        """
        SELECT key, owner FROM unnest($1::text[], $2::uuid[]) AS hits (key, owner)
         ORDER BY word_similarity($3, key) DESC, similarity($3, key) DESC, key COLLATE "C"
         LIMIT $4
        """,
        list(hits.values()),
        list(hits),
        search.name,
        most,
    )
    return _hits(ranked)


async def _misspelled(reader: Reader, names: NameTable, typos: Typos) -> list[Any]:
    rows = []
    if typos.by_trigram:
        sql: LiteralString = f"{names.select} WHERE {names.key} LIKE ANY($1::text[]) LIMIT $2"
        rows += await reader.lookups.rows(sql, typos.by_trigram, CANDIDATES)
    for pairs, pattern in typos.by_pairs:
        rows += await _by_pairs(reader, names, pairs, pattern, CANDIDATES)
    return rows


async def resembling(reader: Reader, names: NameTable, search: Search) -> Hits:
    """All names that resemble `search` as a whole, by trigrams."""
    if not search.has_letters:
        return {}
    return _hits(await reader.rows(f"{names.select} WHERE {names.key} % $1", search.name))


async def _first(
    reader: Reader, names: NameTable, search: Search, beginning: int
) -> tuple[Hits, Hits, bool]:
    """
    Names that begin with `search`, at most so many, and of the first of all those that contain it.

    The second are enough, if it is a frequent part, and all, if there are no more names: the third
    result. They are not read if the first are as many as wanted.
    """
    sql: LiteralString = f"""
        WITH beginning AS MATERIALIZED (
            {names.select}
             WHERE {names.key} >= $1 AND {names.key} < $2 ORDER BY {names.key} LIMIT $3
        ), first AS MATERIALIZED (
            {names.select}
             ORDER BY {names.key}
             LIMIT CASE WHEN $3 = 0 OR (SELECT count(*) FROM beginning) < $3 THEN $4 ELSE 0 END
        )
        SELECT key, owner, true AS begins FROM beginning
         UNION ALL
        SELECT key, owner, false FROM first WHERE strpos(key, $1) > 0
         UNION ALL
        SELECT NULL, NULL, NULL FROM first HAVING count(*) < $4
    """
    rows = await reader.lookups.rows(sql, *search.bounds, beginning, PROBED)
    is_all = bool(rows) and rows[-1]["owner"] is None
    begin: Hits = {}
    early: Hits = {}
    for key, owner, begins in rows[:-1] if is_all else rows:
        (begin if begins else early)[owner] = key
    return begin, early, is_all


async def _with_word(reader: Reader, names: NameTable, search: Search, most: int) -> Hits:
    if search.word is None:
        return {}
    sql: LiteralString = f"{names.select} WHERE {names.key} ~ $1 LIMIT $2"
    rows = await reader.lookups.rows(sql, search.word, most)
    return _hits(sorted(rows, key=itemgetter("key")))


async def _by_pairs(
    reader: Reader, names: NameTable, pairs: Sequence[str], pattern: str, most: int
) -> list[Any]:
    # Concatenated, or the planner might take the trigram index, which has nothing to go by.
    sql: LiteralString = f"""
        {names.select} WHERE bigrams({names.key}) @> $1 AND {names.key} || '' LIKE $2 LIMIT $3
    """
    return await reader.lookups.rows(sql, list(pairs), pattern, most)


def _hits(rows: Iterable[Any]) -> Hits:
    return {row["owner"]: row["key"] for row in rows}
