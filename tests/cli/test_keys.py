"""The commands about API keys."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.auth import credentials, keys
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.errors import Unauthorized
from tests.cli.command import gamekeeper
from tests.make import BY


async def test_a_new_key_is_alone_on_standard_output_and_works(settings, database):
    """So that a script can take it without looking for it."""
    done = gamekeeper(settings, "keys", "create", "my-website")

    assert (done.returncode, done.stderr) == (0, "")
    [key, rest] = done.stdout.split("\n")
    assert rest == ""
    assert credentials.kind_of(key) == "gk"
    caller = await Authenticator(database).authenticate(key)
    assert (caller.name, caller.scopes) == ("my-website", None)


async def test_a_key_is_narrowed_to_scopes_and_days(settings, database):
    """users.query brings the addresses along, unless told otherwise."""
    for name, more, scopes in (
        ("one", [], ["players.read", "users.query", "users.personal"]),
        ("two", ["--without-emails"], ["players.read", "users.query"]),
    ):
        narrow = ["--scope", "players.read", "--scope", "users.query", "--days", "30"]
        done = gamekeeper(settings, "keys", "create", name, *narrow, *more)

        assert done.returncode == 0, done.stderr
        made = {key.name: key for key in await keys.list_keys(database.reader)}[name]
        assert made.scopes == scopes
        left = made.expires_at - datetime.now(UTC)
        assert abs(left - timedelta(days=30)) < timedelta(minutes=2)


async def test_without_emails_a_key_sees_none_whatever_else_it_may(settings, database):
    """An operator who says so must not get a key that may do everything after all."""
    done = gamekeeper(settings, "keys", "create", "impersonal", "--without-emails")

    if done.returncode == 0:
        assert not (await Authenticator(database).authenticate(done.stdout.strip())).sees_emails
    else:
        assert "--scope" in done.stderr


async def test_keys_are_listed_but_never_shown(settings, database):
    secret = await keys.create.one(
        database, keys.NewKey(by=BY, name="site", scopes=("players.read",))
    )
    await keys.create.one(database, keys.NewKey(by=BY, name="bot"))
    await keys.revoke.one(database, keys.Revocation(by=BY, key="bot"))
    guard = Authenticator(database)
    await guard.authenticate(secret)
    await guard.close()

    table = gamekeeper(settings, "keys", "list")
    for_programs = gamekeeper(settings, "keys", "list", "--json")

    assert (table.returncode, for_programs.returncode) == (0, 0)
    assert "live" in table.stdout
    assert "revoked" in table.stdout
    assert "players.read" in table.stdout
    shown = json.loads(for_programs.stdout)
    kept = {key.name: key for key in await keys.list_keys(database.reader)}
    assert {key["name"]: key["id"] for key in shown} == {
        name: str(key.id) for name, key in kept.items()
    }
    site, bot = sorted(shown, key=lambda key: key["name"] != "site")
    assert (site["scopes"], bot["scopes"]) == (["players.read"], None)
    assert site["used_at"] is not None
    assert bot["revoked_at"] is not None
    for output in (table.stdout, for_programs.stdout):
        assert secret not in output
        assert credentials.digest(secret).hex() not in output


async def test_a_revoked_key_is_refused(settings, database):
    secret = await keys.create.one(database, keys.NewKey(by=BY, name="site"))

    done = gamekeeper(settings, "keys", "revoke", "site")

    assert (done.returncode, done.stdout, done.stderr) == (0, "Revoked 1 key.\n", "")
    with pytest.raises(Unauthorized):
        await Authenticator(database).authenticate(secret)


async def test_mistakes_are_told_on_standard_error_with_what_to_do(settings, database):
    """Exit code 1, nothing on standard output, no traceback."""
    for words, hint in (
        (["revoke", "nothing"], "see gamekeeper keys list"),
        (
            ["create", "site", "--scope", "players.raed"],
            "players.items, players.manage, players.read",
        ),
        (["create", "x" * 65], "64"),
    ):
        done = gamekeeper(settings, "keys", *words)

        assert (done.returncode != 0, done.stdout) == (True, ""), words
        assert "Traceback" not in done.stderr, words
        assert hint in done.stderr, words
    assert await keys.list_keys(database.reader) == []


def test_without_a_database_the_command_says_how_to_name_one(settings):
    gone = gamekeeper(
        settings, "keys", "list", GAMEKEEPER_DATABASE_URL="postgresql://127.0.0.1:1/x"
    )
    empty = gamekeeper(
        settings,
        "keys",
        "list",
        GAMEKEEPER_DATABASE_URL=str(settings.database_url).rpartition("/")[0] + "/postgres",
    )

    assert (gone.returncode, gone.stdout, "Traceback" in gone.stderr) == (1, "", False)
    assert "connection refused.\nIs it running, and listening where GAMEKEEPER_DATA" in gone.stderr
    assert (empty.returncode, empty.stdout, "Traceback" in empty.stderr) == (1, "", False)
    assert "gamekeeper migrate" in empty.stderr
    assert "Is it running" not in empty.stderr


def test_help_teaches(settings):
    """What a key may, how it is sent, and that it is not shown again."""
    done = gamekeeper(settings, "keys", "create", "--help")

    assert done.returncode == 0
    words = " ".join(done.stdout.replace("│", " ").split())
    for scope in SCOPES:
        assert scope in words
    assert "Authorization: Bearer gk_..." in words
    assert "shown this once" in words
