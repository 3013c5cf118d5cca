"""Mistakes with the database, as a person meets them: PostgreSQL's words, and the next step."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import asyncpg
import pytest

from gamekeeper.core.settings import Settings
from tests.cli.command import gamekeeper
from tests.clusters import Cluster, cluster
from tests.server import free_port

PASSWORD = "sesame"
COMMANDS = [
    ["keys", "list"],
    ["migrate"],
    ["demo", "--players", "5"],
    ["ledger", "drop", "--before", "2020-01"],
]
"""Commands that reach the database by different ways: pools, and connections of their own."""


@pytest.fixture(scope="module")
def locked() -> Iterator[Cluster]:
    """A server that wants passwords, as the packages of distributions set it up."""
    with cluster(password=PASSWORD) as made:
        asyncio.run(_prepare(made))
        yield made


async def _prepare(made: Cluster) -> None:
    connection = await asyncpg.connect(made.settings.database_url)
    for sql in (
        "CREATE ROLE weak LOGIN PASSWORD 'weak'",
        "CREATE DATABASE closed",
        "REVOKE CONNECT ON DATABASE closed FROM PUBLIC",
        "CREATE DATABASE empty",
        "CREATE DATABASE full_house CONNECTION LIMIT 0",
    ):
        await connection.execute(sql)
    await connection.close()


def said(settings: Settings, url: str, *words: str, **env: str) -> list[str]:
    """The lines that a command writes on standard error; it must fail without a traceback."""
    done = gamekeeper(settings, *words, GAMEKEEPER_DATABASE_URL=url, **env)
    assert (done.returncode, done.stdout) == (1, ""), done
    assert "Traceback" not in done.stderr
    assert PASSWORD not in done.stderr
    return done.stderr.splitlines()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_wrong_password_is_said_by_every_command(locked, command):
    url = f"postgresql://postgres:wrong@127.0.0.1:{locked.port}/postgres"

    assert said(locked.settings, url, *command) == [
        (
            f"gamekeeper: PostgreSQL at 127.0.0.1:{locked.port} says: "
            'password authentication failed for user "postgres".'
        ),
        "Correct the user or the password in GAMEKEEPER_DATABASE_URL.",
    ]


@pytest.mark.parametrize(
    ("account", "database", "words", "advice"),
    [
        (
            *("postgres", "postgres", 'password authentication failed for user "postgres"'),
            "GAMEKEEPER_DATABASE_URL has no password: postgresql://postgres:PASSWORD@host/database",
        ),
        (
            *(f"postgres:{PASSWORD}", "nothere", 'database "nothere" does not exist'),
            (
                "Create the database (sudo -u postgres createdb nothere), or correct its name in "
                "GAMEKEEPER_DATABASE_URL."
            ),
        ),
        (
            *("weak:weak", "closed", 'permission denied for database "closed"'),
            'Let the role in: GRANT CONNECT ON DATABASE "closed" TO "weak"',
        ),
        (
            *("weak:weak", "full_house", 'too many connections for database "full_house"'),
            "Lower GAMEKEEPER_CONNECTIONS, or raise max_connections of PostgreSQL.",
        ),
    ],
    ids=["no password", "no database", "no privilege to connect", "too many connections"],
)
def test_what_postgresql_says_is_shown_with_the_next_step(locked, account, database, words, advice):
    server = f"127.0.0.1:{locked.port}"

    lines = said(locked.settings, f"postgresql://{account}@{server}/{database}", "keys", "list")

    assert lines == [f"gamekeeper: PostgreSQL at {server} says: {words}.", advice]


def test_a_role_that_does_not_exist_is_named(settings):
    """Where passwords are asked for, PostgreSQL does not tell; this server asks for none."""
    server = str(settings.database_url).rpartition("@")[2]

    first, second = said(settings, f"postgresql://nobody@{server}", "keys", "list")

    assert first.endswith('says: role "nobody" does not exist.')
    assert second.startswith("Create the role (CREATE ROLE nobody LOGIN")


def test_a_server_that_is_not_there(settings):
    port = free_port()

    assert said(settings, f"postgresql://x:{PASSWORD}@127.0.0.1:{port}/x", "keys", "list") == [
        f"gamekeeper: PostgreSQL at 127.0.0.1:{port} cannot be reached: connection refused.",
        (
            "Check that PostgreSQL runs and listens as in GAMEKEEPER_DATABASE_URL: "
            "pg_lsclusters, or pg_isready."
        ),
    ]


def test_a_name_that_does_not_resolve(settings):
    first, second = said(settings, "postgresql://x@nowhere.invalid/x", "keys", "list")

    assert first.startswith("gamekeeper: PostgreSQL at nowhere.invalid cannot be reached: ")
    assert second == "Correct the host in GAMEKEEPER_DATABASE_URL, or the name service."


def test_a_socket_that_is_not_there(settings):
    first, _ = said(settings, "postgresql:///x?host=/nonexistent", "keys", "list")

    assert first == (
        "gamekeeper: PostgreSQL at the local socket cannot be reached: No such file or directory."
    )


@contextmanager
def listening(answer: bytes) -> Iterator[int]:
    """A program that is not PostgreSQL: it answers, or says nothing at all."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with ExitStack() as open_ones, suppress(OSError):
                while True:
                    connection = open_ones.enter_context(server.accept()[0])
                    connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""])
def test_a_program_that_is_not_postgresql(settings, answer):
    with listening(answer) as port:
        url = f"postgresql://x@127.0.0.1:{port}/x"
        # Connecting times out after a second, the shortest that can be set.
        quick = {"GAMEKEEPER_STATEMENT_SECONDS": "0.5"}
        first, second = said(settings, url, "keys", "list", **quick)

    assert first.startswith(f"gamekeeper: PostgreSQL at 127.0.0.1:{port} cannot be reached: ")
    assert "GAMEKEEPER_DATABASE_URL" in second


def test_a_parameter_that_the_driver_does_not_know(settings):
    first, second = said(settings, f"{settings.database_url}?sslmode=maybe", "keys", "list")

    assert "sslmode" in first
    assert "GAMEKEEPER_DATABASE_URL" in second


def test_a_server_without_tls(settings):
    first, second = said(settings, f"{settings.database_url}?sslmode=require", "keys", "list")

    assert "rejected SSL upgrade" in first
    assert second.startswith("Check sslmode")


@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if command != ["migrate"]], ids=" ".join
)
def test_missing_tables_name_the_command_that_makes_them(locked, command):
    url = str(locked.settings.database_url).rpartition("/")[0] + "/empty"

    *_, last = said(locked.settings, url, *command)

    assert last.lower().endswith("run: gamekeeper migrate")


@pytest.mark.usefixtures("schema_changes")
async def test_a_schema_that_is_older_than_the_code(settings, database):
    await database.write(lambda writer: writer.run("ALTER TABLE api_keys DROP COLUMN used_at"))

    *first, last = said(settings, str(settings.database_url), "keys", "list")

    assert any("used_at" in line for line in first)
    assert last.endswith("older than this version; run: gamekeeper migrate")


def test_migrate_as_a_role_without_privileges(locked):
    url = f"postgresql://weak:weak@127.0.0.1:{locked.port}/empty"

    assert said(locked.settings, url, "migrate") == [
        (
            "gamekeeper: The role 'weak' cannot create tables in this database. Put the URL of "
            "its owner 'postgres' into GAMEKEEPER_DATABASE_URL. Nothing was changed."
        )
    ]
