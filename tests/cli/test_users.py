"""The commands about accounts: how the first one is made, and who gets which powers."""

import json
import re

import pytest

from gamekeeper.auth import tokens
from gamekeeper.auth.secrets import Vault
from gamekeeper.db.database import Database
from gamekeeper.users import passwords
from gamekeeper.users.accounts import POWERS
from tests.cli.command import gamekeeper
from tests.make import make_user, proved, sha, shown_user
from tests.moderation.rows import make_sanction


async def powers(database: Database, name: str) -> set[str]:
    [row] = await database.reader.rows(
        f"SELECT {', '.join(POWERS)} FROM users WHERE name = $1", name
    )
    return {power for power in POWERS if row[power]}


async def test_the_first_account_is_made_here_with_a_password_from_standard_input(
    settings, database
):
    done = gamekeeper(
        settings,
        *["users", "create", "Ana", "ana@EXAMPLE.org"],
        *["--power", "users.manage", "--password-stdin"],
        typed="correct horse\n",
    )

    user = await database.reader.value("SELECT id FROM users")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"Created Ana with id {user}.\n"
    secret = bytes.fromhex(sha("correct horse"))
    proved = await passwords.authenticate(
        database, Vault(settings), "ana", secret, source="address:192.0.2.1"
    )
    assert proved.id == user
    assert await database.reader.value("SELECT email FROM users") == "ana@example.org"
    expected = {"api", "user_query", "user_management", "personal_information"}
    assert await powers(database, "Ana") == expected


@pytest.mark.parametrize(
    ("words", "typed", "hint"),
    [
        (["create", "rank", "x@example.org"], "secret\n", "2 to 20 letters"),
        (["create", "Eve", "eve@example.org"], "seven77\n", "at least 8 characters"),
        (["create", "Eve", "ANA@example.org"], "a secret\n", "already with email"),
        (["create", "Eve", "eve@example.org"], "password123\n", "This password is too common"),
        (["grant", "nobody", "api"], "", "No user with name 'nobody'."),
        (["grant", "Ana", "root"], "", "Choose one of: api, users.query, users.manage, emails"),
        (["grant", "Anna", "api"], "", "Did you mean 'Ana'?"),
        (["set-email", "Ana", "nonsense"], "", "Malformed email address"),
        (["set-email", "Anna", "a@example.org"], "", "Did you mean 'Ana'?"),
        (["set-password", "Anna"], "secret\n", "Did you mean 'Ana'?"),
        (["set-password", "Ana"], "\n", "at least 8 characters; nothing was changed."),
        (["show", "Anna"], "", "Did you mean 'Ana'?"),
    ],
)
async def test_mistakes_are_told_on_standard_error_and_change_nothing(
    settings, database, words, typed, hint
):
    """Exit code 1, nothing on standard output, no traceback, and the password is not repeated."""
    await make_user(database, "Ana", email="ana@example.org")

    done = gamekeeper(settings, "users", *words, typed=typed)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("gamekeeper: ")
    assert hint in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    assert await database.reader.value("SELECT count(*) FROM users") == 1
    assert await powers(database, "Ana") == set()


async def test_powers_bring_along_what_they_need(settings, database):
    """Taking one away takes what cannot be without it; each time it is told what was done."""
    await make_user(database, "Ana")
    managing = {"api", "user_query", "user_management", "personal_information"}
    for words, said, expected in (
        (
            ["grant", "ANA", "users.query", "--without-emails"],
            "Ana may now get API tokens and look up accounts.",
            {"api", "user_query"},
        ),
        (
            ["grant", "Ana", "Users.Manage", "mute"],
            "Ana may now manage accounts, see email addresses and mute others.",
            managing | {"mute"},
        ),
        (
            ["revoke", "Ana", "users.manage", "emails"],
            "Ana may no longer manage accounts and see email addresses.",
            {"api", "user_query", "mute"},
        ),
        (
            ["revoke", "Ana", "api"],
            "Ana may no longer get API tokens and look up accounts.",
            {"mute"},
        ),
    ):
        done = gamekeeper(settings, "users", *words)

        assert (done.returncode, done.stdout, done.stderr) == (0, f"{said}\n", ""), words
        assert await powers(database, "Ana") == expected, words


async def test_accounts_are_listed_for_people_and_for_programs(settings, database):
    ana = await make_user(database, "Ana", email="ana@example.org")
    bob = await make_user(database, "bob", email="bob@example.org", api=True)
    await make_sanction(database, user_id=bob, kind="mute", message="")

    table = gamekeeper(settings, "users", "list")
    for_programs = gamekeeper(settings, "users", "list", "--json")

    assert (table.returncode, table.stderr) == (0, "")
    for words in ("ana@example.org", "bob@example.org", "muted", "api"):
        assert words in table.stdout
    assert str(ana) not in table.stdout
    assert str(ana) in gamekeeper(settings, "users", "list", "--ids").stdout
    assert table.stdout.index("Ana") < table.stdout.index("bob")
    assert table.stdout.endswith("Page 0, 2 of 2.\n")
    powerful = {
        "Editor": False,
        "Ban": False,
        "Kick": False,
        "Mute": False,
        "Api": True,
        "PersonalInformation": False,
    }
    shown = [
        shown_user(ana, "Ana", "ana@example.org"),
        shown_user(bob, "bob", "bob@example.org", IsMuted=True, Power=powerful),
    ]
    envelope = {"Total": 2, "Page": 0, "PageSize": 50, "Count": 2, "Values": shown}
    assert json.loads(for_programs.stdout) == envelope


async def test_every_power_is_listed_and_a_change_of_nothing_says_so(settings, database):
    await make_user(database, "Ana", ban=True, user_query=True, api=True)

    for words in (["list"], ["show", "ana"]):
        assert "api, users.query, ban" in gamekeeper(settings, "users", *words).stdout, words
    before = await database.reader.value("SELECT count(*) FROM actions")
    for words, said in (
        (["grant", "ana", "ban"], "Ana already has ban; nothing was changed."),
        (["revoke", "ana", "kick"], "Ana does not have kick; nothing was changed."),
    ):
        assert gamekeeper(settings, "users", *words).stdout == f"{said}\n"
    assert await database.reader.value("SELECT count(*) FROM actions") == before
    granted = gamekeeper(settings, "users", "grant", "ana", "mute", "--as", "Bo")
    assert granted.stdout == "Ana may now mute others.\n"
    row = await database.reader.rows("SELECT actor FROM actions ORDER BY id DESC LIMIT 1")
    assert row[0]["actor"] == "cli:bo"


async def test_a_password_is_set_and_ends_what_the_old_one_opened(settings, database):
    ana = await make_user(database, "Ana", password="old one", api=True)
    await tokens.issue.one(database, await proved(database, ana))

    done = gamekeeper(
        settings, "users", "set-password", "ana", "--password-stdin", typed="correct horse\n"
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "Ana has a new password" in done.stdout
    assert "horse" not in done.stdout
    vault = Vault(settings)
    for password, right in (("correct horse", True), ("old one", False)):
        secret = bytes.fromhex(sha(password))
        try:
            await passwords.authenticate(database, vault, "ana", secret, source="address:::1")
        except passwords.InvalidCredentials:
            assert not right
        else:
            assert right
    live = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL AND expires_at > now()"
    assert await database.reader.value(live) == 0


async def test_staff_record_a_verified_address(settings, database):
    await make_user(database, "Ana", email="ana@example.org")

    before = gamekeeper(settings, "users", "show", "ana").stdout
    done = gamekeeper(settings, "users", "verify-email", "ANA", "--as", "Bo")
    after = gamekeeper(settings, "users", "show", "ana").stdout

    assert "ana@example.org (not verified)" in before
    assert done.stdout == "The email address of Ana, ana@example.org, is verified.\n"
    assert "(not verified)" not in after
    sql = "SELECT actor_name, after FROM actions WHERE kind = 'users.verify'"
    [row] = await database.reader.rows(sql)
    assert row["after"] == {"method": "staff"}


async def test_an_address_is_set_and_one_in_use_is_refused(settings, database):
    await make_user(database, "Ana", email="ana@example.org")
    await make_user(database, "Bob", email="bob@example.org")

    done = gamekeeper(settings, "users", "set-email", "ANA", "new@EXAMPLE.org", "--as", "Bo")
    taken = gamekeeper(settings, "users", "set-email", "ana", "BOB@example.org")
    shown = gamekeeper(settings, "users", "show", "ana").stdout
    for_programs = json.loads(gamekeeper(settings, "users", "show", "ana", "--json").stdout)

    assert done.stdout == "The email address of Ana is now new@example.org.\n"
    assert (taken.returncode, taken.stdout) == (1, "")
    assert "already in use" in taken.stderr
    assert "new@example.org" in shown
    assert (for_programs["User"]["Email"], for_programs["Powers"]) == ("new@example.org", [])


async def test_a_language_is_set_and_shown(settings, database):
    await make_user(database, "Ana")

    done = gamekeeper(settings, "users", "set-language", "ana", "pl-PL", "--as", "Bo")
    shown = gamekeeper(settings, "users", "show", "ana").stdout
    refused = gamekeeper(settings, "users", "set-language", "ana", "nl")
    cleared = gamekeeper(settings, "users", "set-language", "ana", "")

    assert done.stdout == "The language of Ana is pl now.\n"
    assert re.search(r"language\s+pl\b", shown)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Choose one of: de, en, es" in refused.stderr
    assert cleared.stdout == "The language of Ana is the default now.\n"
    assert await database.reader.value("SELECT language FROM users") is None


def test_help_teaches(settings):
    """With the whole command for an administrator, ready to be copied."""
    create = gamekeeper(settings, "users", "create", "--help")
    grant = gamekeeper(settings, "users", "grant", "--help")

    example = "gamekeeper users create ana ana@example.com --power api --power users.manage"
    assert example in " ".join(create.stdout.split())
    words = " ".join(grant.stdout.replace("│", " ").split())
    for power in ("api", "users.query", "users.manage", "emails", "editor", "ban", "kick", "mute"):
        assert power in words
