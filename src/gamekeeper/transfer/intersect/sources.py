"""
Sources: the two databases of a game, player data and game data, opened read-only as SQLite.

A MySQL or MariaDB server is copied first (mysql.py), so that everything above reads one kind
of database. Columns are found by their presence, not by the version that wrote them.

A file may be hostile: only ordinary tables are read, its schema is not trusted to call
functions, and a value of more than `MAX_VALUE_BYTES` bytes is refused.
"""

import re
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.transfer.intersect.values import guid_bytes

MAX_VALUE_BYTES = 16 * 2**20
"""Bytes in a value; the largest that is read is a list of numbers."""
MOST_COLUMNS = 500
FETCHED = 2_000
ZEROS = "(x'00000000000000000000000000000000', '00000000-0000-0000-0000-000000000000', '')"


class UnreadableSource(Invalid):
    """The database of the other game cannot be read."""


class Tables:
    """One database of the game, as tables with columns that may be missing."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self.connection, self.name = connection, name
        self._columns: dict[str, tuple[str, dict[str, str]]] = {}
        for [table] in self._query("SELECT name FROM sqlite_master WHERE type = 'table'"):
            quoted = '"' + str(table).replace('"', '""') + '"'
            columns = [str(row[1]) for row in self._query(f"PRAGMA table_info({quoted})")]
            self._columns[str(table).lower()] = (
                quoted,
                {column.lower(): column for column in columns},
            )

    def has(self, table: str) -> bool:
        return table.lower() in self._columns

    def columns(self, table: str) -> list[str]:
        """The names of the columns, as they are written."""
        return list(self._columns[table.lower()][1].values()) if self.has(table) else []

    def has_column(self, table: str, column: str) -> bool:
        return self.has(table) and column.lower() in self._columns[table.lower()][1]

    def rows(
        self, table: str, columns: Sequence[str], *, filled: str = "", key: str = ""
    ) -> Iterator[tuple[Any, ...]]:
        """
        The columns of all rows, NULL for one that is missing.

        With `filled` only rows that have an id in that column, with `key` in the order of the
        id in that column, which comes first, as bytes.
        """
        if not self.has(table):
            return
        quoted, _ = self._columns[table.lower()]
        shown = ", ".join(self._column(table, column) for column in columns)
        where, order = self._filled(table, filled), ""
        if key:
            shown = f"guid({self._column(table, key)}) AS owner_key, {shown}"
            order = " ORDER BY owner_key"
        yield from self._query(f"SELECT {shown} FROM {quoted}{where}{order}")

    def ids(self, table: str, column: str) -> set[bytes]:
        """The different ids in a column, as bytes."""
        if not self.has_column(table, column):
            return set()
        quoted, one = self._columns[table.lower()][0], self._column(table, column)
        sql = f"SELECT DISTINCT {one} FROM {quoted} WHERE {one} NOT IN {ZEROS}"
        return {found for [value] in self._query(sql) if (found := guid_bytes(value))}

    def count(self, table: str, filled: str = "") -> int:
        if not self.has(table):
            return 0
        quoted, _ = self._columns[table.lower()]
        [[count]] = self._query(f"SELECT count(*) FROM {quoted}{self._filled(table, filled)}")
        return count

    def extent(
        self, table: str, column: str, filled: str = "", *, below: int = 2**31
    ) -> tuple[int, int]:
        """How many rows there are, and the largest integer in a column, below a bound; or -1."""
        if not self.has_column(table, column):
            return self.count(table, filled), -1
        one = self._column(table, column)
        found = f"CASE WHEN typeof({one}) = 'integer' AND {one} < {below} THEN {one} END"
        quoted, _ = self._columns[table.lower()]
        where = self._filled(table, filled)
        [[count, largest]] = self._query(f"SELECT count(*), max({found}) FROM {quoted}{where}")
        return count, -1 if largest is None else largest

    def _filled(self, table: str, column: str) -> str:
        """The condition that there is an id in a column; nothing without a column."""
        if not column:
            return ""
        one = self._column(table, column)
        return f" WHERE {one} IS NOT NULL AND {one} NOT IN {ZEROS}"

    def _column(self, table: str, column: str) -> str:
        actual = self._columns[table.lower()][1].get(column.lower())
        return "NULL" if actual is None else '"' + actual.replace('"', '""') + '"'

    def _query(self, sql: str) -> Iterator[tuple[Any, ...]]:
        try:
            cursor = self.connection.execute(sql)
            while rows := cursor.fetchmany(FETCHED):
                yield from rows
        except (sqlite3.Error, OverflowError) as fault:
            raise UnreadableSource(f"{self.name}: {fault}. {ADVICE}") from None


ADVICE = (
    "Stop the game's server, copy its resources folder with all files beside the databases, "
    "and import the copy."
)


class Source(Struct):
    """A game to import."""

    players: Tables
    game: Tables
    name: str
    """For the audit log and the report; without a password."""
    warnings: list[str] = []

    def close(self) -> None:
        self.players.connection.close()
        self.game.connection.close()


def open_folder(folder: Path) -> Source:
    """Open playerdata.db and gamedata.db of a server's folder, or of its `resources`."""
    warnings: list[str] = []
    opened: list[Tables] = []
    for name in ("playerdata.db", "gamedata.db"):
        path = find_file(folder, name)
        wal = path.with_name(path.name + "-wal")
        if wal.exists() and wal.stat().st_size:
            warnings.append(
                f"{wal.name} is not empty: the game's server runs, or was not stopped cleanly. "
                "For the last import, stop it first."
            )
        opened.append(Tables(open_file(path), name))
    return Source(opened[0], opened[1], f"{folder.resolve().name} (SQLite)", warnings)


def find_file(folder: Path, name: str) -> Path:
    for place in (folder, folder / "resources"):
        path = place / name
        if path.is_symlink():
            raise UnreadableSource(f"{path} is a symbolic link. Use the folder with the files.")
        try:
            if stat.S_ISREG(path.stat().st_mode):
                return path
        except OSError:
            continue
    raise UnreadableSource(f"{folder} has no {name}. Use the server's folder 'resources'.")


def open_file(path: Path) -> sqlite3.Connection:
    """A read-only connection in a transaction, so that all is read as of one moment."""
    try:
        connection = sqlite3.connect(
            f"file:{quote(str(path.resolve()))}?mode=ro",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )
        prepare(connection)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as fault:
        raise UnreadableSource(f"{path}: {fault}. {ADVICE}") from None
    return connection


def prepare(connection: sqlite3.Connection) -> None:
    """Distrust the file, and teach the connection to read ids."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA mmap_size = 0")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, MOST_COLUMNS)
    # Not a function of our own: it is called for each of millions of texts.
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    connection.create_function("guid", 1, guid_bytes, deterministic=True)


def migration(tables: Tables) -> str:
    """The newest migration of the engine, by which people tell versions apart."""
    names = [
        str(row[0])[:100]
        for row in tables.rows("__EFMigrationsHistory", ["MigrationId"])
        if re.match(r"\d{14}_", str(row[0]))
    ]
    return max(names, default="unknown")
