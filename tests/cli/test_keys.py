"""The commands about API keys."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from gamekeeper.auth import credentials, keys
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.errors import Unauthorized
from gamekeeper.ledger import verify_ledger
from tests.auth.test_keys import caller_of
from tests.cli.command import gamekeeper
from tests.make import BY


async def test_a_new_key_is_alone_on_standard_output_and_works(settings, database):
    """So that a script can take it without looking for it."""
    done = gamekeeper(settings, "keys", "create", "my-website")

    assert (done.returncode, done.stderr) == (0, "")
    [key, rest] = done.stdout.split("\n")
    assert rest == ""
    assert credentials.kind_of(key) == "gk"
    caller = await caller_of(database, key)
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
        assert not (await caller_of(database, done.stdout.strip())).sees_emails
    else:
        assert "--scope" in done.stderr


async def test_keys_are_listed_but_never_shown(settings, database):
    secret = await keys.create.one(
        database, keys.NewKey(by=BY, name="site", scopes=("players.read",))
    )
    await keys.create.one(database, keys.NewKey(by=BY, name="bot"))
    await keys.revoke.one(database, keys.Revocation(by=BY, key="bot"))
    await caller_of(database, secret)

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
        await caller_of(database, secret)


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
    assert (
        "connection refused.\nCheck that PostgreSQL runs and listens as in GAMEKEEPER_DATA"
        in gone.stderr
    )
    assert (empty.returncode, empty.stdout, "Traceback" in empty.stderr) == (1, "", False)
    assert "gamekeeper migrate" in empty.stderr
    assert "Check that PostgreSQL runs" not in empty.stderr


def test_help_teaches(settings):
    """What a key may, how it is sent, and that it is not shown again."""
    done = gamekeeper(settings, "keys", "create", "--help")

    assert done.returncode == 0
    words = " ".join(done.stdout.replace("│", " ").split())
    for scope in SCOPES:
        assert scope in words
    assert "Authorization: Bearer gk_..." in words
    assert "shown only once" in words


async def test_a_second_live_key_of_a_name_is_refused(settings, database):
    first = gamekeeper(settings, "keys", "create", "my-website")
    second = gamekeeper(settings, "keys", "create", "my-website")

    assert (first.returncode, second.returncode, second.stdout) == (0, 1, "")
    assert "--rotate" in second.stderr
    assert len(await keys.list_keys(database.reader)) == 1
    await keys.revoke.one(database, keys.Revocation(by=BY, key="my-website"))
    assert gamekeeper(settings, "keys", "create", "my-website").returncode == 0


async def test_of_two_at_once_one_gets_the_name(database):
    order = keys.NewKey(by=BY, name="site", unique=True)
    outcomes = await asyncio.gather(
        *(keys.create.one(database, order) for _ in range(20)), return_exceptions=True
    )

    refused = [outcome for outcome in outcomes if isinstance(outcome, keys.KeyNameTaken)]
    assert len(refused) == 19
    assert len(await keys.list_keys(database.reader)) == 1


async def test_a_refused_key_leaves_its_neighbour_and_nothing_else(database):
    """In one batch: the first is refused, the second is made, and no old key ends."""
    await keys.create.one(database, keys.NewKey(by=BY, name="site"))
    taken = keys.NewKey(by=BY, name="site", unique=True)
    bad = keys.NewKey(by=BY, name="site", scopes=("nonsense",), grace_hours=1)
    good = keys.NewKey(by=BY, name="other", unique=True)

    outcomes = await keys.create(database, [taken, bad, good])

    assert [type(outcome) for outcome in outcomes[:2]] == [keys.KeyNameTaken, keys.UnknownScope]
    known = await keys.list_keys(database.reader)
    assert [(key.name, key.expires_at.year) for key in known] == [("site", 9999), ("other", 9999)]


async def test_a_rotated_key_goes_on_for_a_while(settings, database):
    """So that the site has time to take the new one; and the ledger knows of it."""
    for days in ([], ["--days", "30"]):
        name = "site" + "".join(days)
        old = gamekeeper(settings, "keys", "create", name, *days).stdout.strip()
        new = gamekeeper(settings, "keys", "create", name, "--rotate", "--grace", "2")

        assert new.returncode == 0, new.stderr
        for secret in (old, new.stdout.strip()):
            assert (await caller_of(database, secret)).name == name
        ends, stays = [
            key.expires_at for key in await keys.list_keys(database.reader) if key.name == name
        ]
        assert abs(ends - datetime.now(UTC) - timedelta(hours=2)) < timedelta(minutes=2)
        assert stays.year == 9999
        assert not (await _proof(settings)).breach

        # Once more, sooner: what ends already keeps its end.
        again = gamekeeper(settings, "keys", "create", name, "--rotate", "--grace", "1")
        assert again.returncode == 0
        first, second, _ = [
            key.expires_at for key in await keys.list_keys(database.reader) if key.name == name
        ]
        assert first == ends
        assert abs(second - datetime.now(UTC) - timedelta(hours=1)) < timedelta(minutes=2)
        assert not (await _proof(settings)).breach


async def test_an_end_that_no_rotation_gave_is_a_breach(settings, database):
    await keys.create.one(database, keys.NewKey(by=BY, name="site"))
    await keys.create.one(database, keys.NewKey(by=BY, name="site", grace_hours=2))
    await database.write(
        lambda writer: writer.run(
            "UPDATE api_keys SET expires_at = now() + interval '9 days' "
            "WHERE expires_at < 'infinity'"
        )
    )

    assert "site" in str((await _proof(settings)).breach)


async def _proof(settings):
    return await verify_ledger.verify(settings)


async def test_a_name_of_several_live_keys_is_not_revoked_by_name(settings, database):
    """The site's key must not go with the one that it replaced."""
    for _ in range(2):
        await keys.create.one(database, keys.NewKey(by=BY, name="site"))
    one, two = await keys.list_keys(database.reader)

    refused = gamekeeper(settings, "keys", "revoke", "site")

    assert (refused.returncode, refused.stdout) == (1, "")
    assert str(one.id) in refused.stderr
    assert str(two.id) in refused.stderr
    assert gamekeeper(settings, "keys", "revoke", str(one.id)).stdout == "Revoked 1 key.\n"
    assert gamekeeper(settings, "keys", "revoke", "site").stdout == "Revoked 1 key.\n"
    misspelled = gamekeeper(settings, "keys", "revoke", "site")
    assert "No active key is called 'site'" in misspelled.stderr


async def test_all_live_keys_of_a_name_are_revoked_if_that_is_said(settings, database):
    for _ in range(2):
        await keys.create.one(database, keys.NewKey(by=BY, name="site"))

    assert gamekeeper(settings, "keys", "revoke", "site", "--all").stdout == "Revoked 2 keys.\n"


async def test_a_key_may_have_rate_limits_which_the_list_shows(settings, database):
    more = ["--rate", "write 100/second", "--rate", "list off"]
    done = gamekeeper(settings, "keys", "create", "bot", *more)

    assert done.returncode == 0, done.stderr
    caller = await caller_of(database, done.stdout.strip())
    assert caller.rates == "write 100/second, list off"
    listed = gamekeeper(settings, "keys", "list").stdout
    assert "write 100/second, list off" in " ".join(listed.split())
    [key] = json.loads(gamekeeper(settings, "keys", "list", "--json").stdout)
    assert key["rates"] == "write 100/second, list off"
    assert (await verify_ledger.verify(settings)).breach is None


async def test_a_bad_rate_limit_is_refused_with_an_example(settings, database):
    done = gamekeeper(settings, "keys", "create", "bot", "--rate", "write 100 a second")

    assert done.returncode != 0
    assert "'read 600/minute, list off'" in " ".join(done.stderr.split())
    assert await database.reader.value("SELECT count(*) FROM api_keys") == 0


async def test_a_key_may_have_limits_which_the_list_shows(settings, database):
    limits = ["--limit", "pieces_per_day=20", "--limit", "Undos-Per-Day=0"]
    done = gamekeeper(settings, "keys", "create", "support-bot", *limits)

    assert done.returncode == 0, done.stderr
    caller = await caller_of(database, done.stdout.strip())
    assert caller.limits == Limits(pieces_per_day=20, undos_per_day=0)
    listed = gamekeeper(settings, "keys", "list").stdout
    assert "pieces_per_day=20 undos_per_day=0" in " ".join(listed.split())


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("pieces=20", "There is no limit 'pieces'. Choose one of: pieces_per_day"),
        ("pieces_per_day", "must be a whole number, such as pieces_per_day=20"),
        ("pieces_per_day=-1", "must be a whole number"),
        ("largest_gift=9007199254740993", "A limit must be at most 9007199254740992."),
    ],
)
async def test_a_limit_that_makes_no_sense_makes_no_key(settings, database, option, said):
    done = gamekeeper(settings, "keys", "create", "support-bot", "--limit", option)

    assert done.returncode != 0
    assert said in " ".join(done.stderr.split())
    assert await keys.list_keys(database.reader) == []


async def test_a_required_reason_is_asked_for_and_recorded(settings, database):
    required = {"GAMEKEEPER_REQUIRED_REASONS": "keys.manage"}
    for words in (["create", "shop"], ["revoke", "shop"]):
        refused = gamekeeper(settings, "keys", *words, **required)
        done = gamekeeper(settings, "keys", *words, "--reason", "ticket 12", **required)

        assert (refused.returncode, refused.stdout) == (1, "")
        assert "This change needs a reason. Add --reason." in refused.stderr
        assert done.returncode == 0, done.stderr

    rows = await database.reader.rows("SELECT kind, reason FROM actions ORDER BY id")
    assert [tuple(row) for row in rows] == [
        ("keys.create", "ticket 12"),
        ("keys.revoke", "ticket 12"),
    ]


async def test_a_reason_that_is_too_long_is_refused(settings, database):
    refused = gamekeeper(settings, "keys", "create", "shop", "--reason", "x" * 501)
    done = gamekeeper(settings, "keys", "create", "shop", "--reason", "x" * 500)

    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "gamekeeper: --reason must have at most 500 characters.\n"
    assert done.returncode == 0, done.stderr
