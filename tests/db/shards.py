"""
Where rows would lie on a Citus cluster, and what statements would have to know for that.

Citus cannot be installed everywhere the tests run. What it demands of a schema and of
statements can be read from the script that spreads the tables, from the catalog and from
the statements themselves.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import asyncpg
from msgspec import Struct

SCRIPT = Path(__file__).parents[2] / "deploy" / "citus" / "distribute.sql"

# In the place of Citus: its catalog of spread tables, and two functions that write down
# what they are asked for. They stand in a schema of their own, to be told from ours.
NOTES = """
    CREATE SCHEMA notes;
    CREATE TABLE notes.pg_dist_partition (
        logicalrelid regclass PRIMARY KEY, placed_by text, beside text
    );
    CREATE FUNCTION notes.create_reference_table(table_name regclass) RETURNS void
        LANGUAGE sql AS 'INSERT INTO notes.pg_dist_partition VALUES (table_name)';
    CREATE FUNCTION notes.create_distributed_table(
        table_name regclass, distribution_column text,
        distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default'
    ) RETURNS void LANGUAGE sql AS $$
        INSERT INTO notes.pg_dist_partition
        VALUES (table_name, distribution_column,
                CASE colocate_with WHEN 'none' THEN table_name::text ELSE colocate_with END)
    $$;
"""


class Place(Struct, frozen=True):
    """The column that says where a table's rows lie, and the table beside which they do."""

    column: str | None
    """None: the whole table is everywhere."""
    group: str | None


Places = dict[str, Place]


async def distribute(connection: asyncpg.Connection) -> Places:
    """Run the script as it is; return what it asked Citus for."""
    if not await connection.fetchval("SELECT to_regnamespace('notes')"):
        await connection.execute(NOTES)
    await connection.execute("SET search_path = public, notes")
    await connection.execute(SCRIPT.read_text())
    rows = await connection.fetch(
        "SELECT logicalrelid::text AS name, placed_by, beside FROM pg_dist_partition"
    )
    return {row["name"]: Place(row["placed_by"], row["beside"]) for row in rows}


# ── The statements ──

INSERT = re.compile(r"INSERT INTO (\w+)(?: AS \w+)? \x00(\d+)\x00")
CONFLICT = re.compile(r"ON CONFLICT \x00(\d+)\x00")
MENTION = re.compile(r"\b(?:FROM|JOIN|UPDATE|USING) (\w+)(?: AS (\w+))?")
EQUAL = re.compile(r"([\w.]+) = (\$\d+|[\w.]+)")
JOINED_USING = re.compile(r"USING \x00(\d+)\x00")
SET_OPERATION = re.compile(r"\b(?:UNION ALL|UNION|EXCEPT|INTERSECT)\b")
CHANGING = re.compile(r"\b(?:now|clock_timestamp|random|gen_random_uuid)\(\)")
AFTERWARDS = re.compile(r"(?:DO UPDATE SET|RETURNING)\b.*?(?=\bRETURNING\b|$)")


def faults(sql: str, places: Places) -> list[str]:
    """What keeps Citus from finding the one place of each row that a statement touches."""
    text = " ".join(re.sub(r"--[^\n]*|'[^']*'", " ", sql).split())
    found = [f"decided anew after the fact: {part}" for part in _changing(text)]
    text = re.sub(r"= ANY ?\((\$\d+)(?:::[\w\[\]]+)?\)", r"= \1", text)
    parts: list[str] = []
    # Innermost parentheses first: each becomes a number, and its inside a part.
    while inner := re.search(r"\(([^()]*)\)", text):
        parts.append(inner[1])
        text = f"{text[: inner.start()].rstrip()} \x00{len(parts) - 1}\x00{text[inner.end() :]}"
    for branch in SET_OPERATION.split(text):
        found += _of_branch(" ".join(branch.split()), parts, places, {})
    return found


def _changing(text: str) -> Iterator[str]:
    return (part[0] for part in AFTERWARDS.finditer(text) if CHANGING.search(part[0]))


def _of_branch(text: str, parts: list[str], places: Places, outer: dict[str, str]) -> list[str]:
    """One SELECT, INSERT, UPDATE or DELETE, and those inside it, which may ask for its rows."""
    found: list[str] = []
    for insert in INSERT.finditer(text):
        named = [insert[2], *(conflict[1] for conflict in CONFLICT.finditer(text))]
        place = places.get(insert[1])
        if place and place.column and not all(_has(parts[int(n)], place.column) for n in named):
            found.append(f"{insert[1]} without {place.column}")
    mentions = {
        mention[2] or mention[1]: mention[1]
        for mention in MENTION.finditer(text)
        if (place := places.get(mention[1])) and place.column
    }
    known = _known(text, parts, mentions, places, outer)
    found += [
        f"{name} without {places[name].column}"
        for alias, name in mentions.items()
        if f"{alias}.{places[name].column}" not in known
    ]
    groups = {places[name].group for name in [*mentions.values(), *outer.values()]}
    if len(groups) > 1:
        found.append(f"joined across groups: {', '.join(sorted(map(str, groups)))}")
    within = outer | mentions
    for number in re.findall(r"\x00(\d+)\x00", text):
        for branch in SET_OPERATION.split(parts[int(number)]):
            seen = {} if _is_of_its_own(text, number) else within
            found += _of_branch(" ".join(branch.split()), parts, places, seen)
    return found


def _known(
    text: str, parts: list[str], mentions: dict[str, str], places: Places, outer: dict[str, str]
) -> set[str]:
    """The columns whose value is given: equal to a parameter, or to one that is given."""
    known = {f"{alias}.{places[name].column}" for alias, name in outer.items()}
    pairs = [(pair[1], pair[2]) for pair in EQUAL.finditer(text)]
    for using in JOINED_USING.finditer(text):
        column = parts[int(using[1])].strip()
        pairs += [
            (f"{mention}.{column}", f"{two}.{column}") for mention in mentions for two in mentions
        ]
    pairs = [
        (one, two)
        for left, right in pairs
        for one in _qualified(left, mentions)
        for two in _qualified(right, mentions)
    ]
    while more := {
        one
        for left, right in pairs
        for one, two in ((left, right), (right, left))
        if one not in known and (two.startswith("$") or two in known)
    } - {one for pair in pairs for one in pair if one.startswith("$")}:
        known |= more
    return known


def _qualified(word: str, mentions: dict[str, str]) -> list[str]:
    if "." in word or word.startswith("$"):
        return [word]
    return [f"{alias}.{word}" for alias in mentions]


def _has(columns: str, column: str) -> bool:
    return column in re.findall(r"\w+", columns)


def _is_of_its_own(text: str, number: str) -> bool:
    """Whether a part is a WITH or a FROM, which sees nothing of what stands around it."""
    before = text[: text.index(f"\x00{number}\x00")].rstrip()
    return bool(re.search(r"\b(?:FROM|JOIN|AS|MATERIALIZED)$", before))
