"""
MySQL and MariaDB as a source: what an import needs is copied into a temporary SQLite database.

One consistent snapshot of each database, rows as they come; empty slots stay where they are.
SQLite keeps the copy in a file without a name, which is gone when the connection is, even
after a crash. If the server goes away while it is copied, nothing was imported.

The driver, PyMySQL, is an optional dependency: pip install 'gamekeeper[mysql]'.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.transfer.intersect.sources import (
    ADVICE,
    Source,
    Tables,
    UnreadableSource,
    find_file,
    open_file,
    prepare,
)

PASSWORD = "MYSQL_PWD"  # noqa: S105  the variable that MySQL's own programs read
GAME_PASSWORD = "MYSQL_GAME_PWD"  # noqa: S105
PORT = 3306
SECONDS = 30
COPIED = 2_000

PLAYER_TABLES: dict[str, str] = {
    "__EFMigrationsHistory": "",
    "Users": "",
    "Players": "",
    "Player_Items": "ItemId",
    "Player_Bank": "ItemId",
    "Bags": "",
    "Bag_Items": "ItemId",
    "Player_Spells": "SpellId",
    "Player_Variables": "",
    "User_Variables": "",
    "Guilds": "",
    "Guild_Bank": "ItemId",
    "Guild_Variables": "",
    "Bans": "",
    "Mutes": "",
    "Player_Friends": "",
    "Player_Quests": "",
    "Player_Hotbar": "ItemOrSpellId",
}
"""The tables that are copied, and the column that must not be the zero id."""
GAME_TABLES: dict[str, str] = {
    "__EFMigrationsHistory": "",
    "Items": "",
    "Items_EquipmentProperties": "",
    "Spells": "",
    "Classes": "",
    "PlayerVariables": "",
    "ServerVariables": "",
    "GuildVariables": "",
    "UserVariables": "",
    "Maps": "",
}
ONLY = {"Maps": ("Id", "Name")}
"""The rest of a map is large, and not needed."""


class NoDriver(Invalid):
    """The driver for MySQL is missing. Install it: pip install 'gamekeeper[mysql]'"""


class BadUrl(Invalid):
    """The URL must be mysql://USER@HOST:PORT/DATABASE."""


class MysqlServer(Struct, frozen=True):
    host: str
    port: int
    user: str
    password: str
    database: str

    def __repr__(self) -> str:
        return f"MysqlServer({self.user}@{self.host}:{self.port}/{self.database})"


def parse(url: str, variable: str = PASSWORD) -> MysqlServer:
    """The parts of a URL; without a password in it, that of the environment."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORT
    except ValueError:
        raise BadUrl from None
    database = unquote(parts.path.strip("/"))
    if parts.scheme not in ("mysql", "mariadb") or not parts.hostname or not database:
        raise BadUrl
    given = os.environ.get(variable) or os.environ.get(PASSWORD, "")
    password = unquote(parts.password) if parts.password is not None else given
    return MysqlServer(parts.hostname, port, unquote(parts.username or "root"), password, database)


def hide_passwords(arguments: list[str], *urls: str | None) -> None:
    """
    Start this program again without the passwords in its arguments, if there are any.

    Everybody on the machine can read the arguments of a process, but only its owner its
    environment.
    """
    found: dict[str, str] = {}
    clean = list(arguments)
    for variable, url in zip((PASSWORD, GAME_PASSWORD), urls, strict=True):
        if url is None or not (password := _password(url)):
            continue
        found[variable] = unquote(password)
        clean = [line.replace(url, without_password(url)) for line in clean]
    if found:
        sys.stdout.flush()
        os.execve(  # noqa: S606  the same program, with the same interpreter
            sys.executable,
            [sys.executable, "-m", "gamekeeper", *clean[1:]],
            {**os.environ, **found},
        )


def _password(url: str) -> str | None:
    try:
        return urlsplit(url).password
    except ValueError:
        raise BadUrl from None


def without_password(url: str) -> str:
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user.partition(':')[0]}@{host}"))


def open_server(
    url: str, game_url: str | None, folder: Path | None, on_progress: ProgressCallback
) -> Source:
    """Copy the databases; game data may be in another one, or in a file of `folder`."""
    server = parse(url)
    players = _copied(server, PLAYER_TABLES, on_progress)
    if game_url is not None:
        game = _copied(parse(game_url, GAME_PASSWORD), GAME_TABLES, on_progress)
    elif folder is not None:
        path = find_file(folder, "gamedata.db")
        game = Tables(open_file(path), path.name)
    else:
        game = _copied(server, GAME_TABLES, on_progress)
    if not players.has("Users") or not game.has("Items"):
        which = "Users" if not players.has("Users") else "Items"
        raise UnreadableSource(
            f"{server.database} has no table {which}. Game data in another database or file: "
            "--mysql-game URL or --sqlite DIR."
        )
    return Source(players, game, f"{server.database} on {server.host} (MySQL)")


def _copied(
    server: MysqlServer, wanted: Mapping[str, str], on_progress: ProgressCallback
) -> Tables:
    copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
    prepare(copy)
    copy.execute("PRAGMA journal_mode = OFF")
    # All of it in one transaction, which ends with the block.
    with copy, _connected(server) as connection:
        copy.execute("BEGIN")
        tables = _tables(connection, server.database, wanted)
        for done, (table, columns) in enumerate(tables.items()):
            on_progress(f"Copy {table}"[:26], done, len(tables))
            _copy(connection, copy, table, columns, wanted)
    return Tables(copy, server.database)


@contextmanager
def _connected(server: MysqlServer) -> Iterator[Any]:
    try:
        import pymysql
        from pymysql.cursors import SSCursor
    except ImportError:
        raise NoDriver from None
    try:
        connection: Any = pymysql.connect(
            host=server.host,
            port=server.port,
            user=server.user,
            password=server.password,
            database=server.database,
            charset="utf8mb4",
            connect_timeout=SECONDS,
            read_timeout=SECONDS,
            cursorclass=SSCursor,
        )
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
            yield connection
        finally:
            # Without waiting for rows that were not read.
            connection._force_close()  # noqa: SLF001
    except (pymysql.Error, OSError) as fault:
        raise UnreadableSource(
            f"{server.database} on {server.host}: {_said(fault)}. Nothing was imported."
        ) from None


def _said(fault: Exception) -> str:
    return str(fault.args[-1] if fault.args else fault)[:300] or type(fault).__name__


def _tables(connection: Any, database: str, wanted: Mapping[str, str]) -> dict[str, list[str]]:
    """The tables that are there, with their columns; names are found in any letter case."""
    names = {name.lower(): name for name in wanted}
    found: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT columns.table_name, column_name
              FROM information_schema.columns JOIN information_schema.tables
                USING (table_schema, table_name)
             WHERE table_schema = %s AND table_type = 'BASE TABLE'
             ORDER BY columns.table_name, ordinal_position
            """,
            [database],
        )
        for table, column in cursor.fetchall():
            own = names.get(table.lower())
            if own and (own not in ONLY or column.lower() in map(str.lower, ONLY[own])):
                found.setdefault(table, []).append(column)
    return found


def _copy(
    connection: Any,
    copy: sqlite3.Connection,
    table: str,
    columns: list[str],
    wanted: Mapping[str, str],
) -> None:
    filled = {name.lower(): column for name, column in wanted.items()}[table.lower()]
    own = next((column for column in columns if column.lower() == filled.lower()), None)
    shown = ", ".join(_quoted(column, "`") for column in columns)
    names = ", ".join(_quoted(column, '"') for column in columns)
    copy.execute(f"CREATE TABLE {_quoted(table, chr(34))} ({names})")
    insert = f"INSERT INTO {_quoted(table, chr(34))} VALUES ({', '.join('?' * len(columns))})"
    sql = f"SELECT {shown} FROM {_quoted(table, '`')}"
    if own:
        sql += f" WHERE {_quoted(own, '`')} <> '00000000-0000-0000-0000-000000000000'"
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            while rows := cursor.fetchmany(COPIED):
                copy.executemany(insert, [tuple(map(_plain, row)) for row in rows])
    except (sqlite3.Error, OverflowError) as fault:
        raise UnreadableSource(f"{table}: {fault}. {ADVICE}") from None


def _quoted(name: str, quote: str) -> str:
    return quote + name.replace(quote, quote * 2) + quote


def _plain(value: Any) -> Any:
    """A value of MySQL as SQLite has it."""
    if value is None or isinstance(value, str | bytes | float):
        return value
    if isinstance(value, int):
        # An unsigned number of 64 bits may be larger than SQLite's.
        return min(value, 2**63 - 1)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, Decimal):
        return float(value)
    return value.isoformat() if isinstance(value, date) else str(value)
