"""The commands for lost devices and stolen browsers."""

import json

from gamekeeper.users.staff import sign_in_links
from tests.cli.command import gamekeeper
from tests.make import BY, make_user
from tests.staff.make import make_staff
from tests.staff.signed_in import open_session


async def test_sessions_are_ended_and_factors_reset_at_the_command_line(settings, database):
    ana = await make_staff(database, "support", user=await make_user(database, "ana"))
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO second_factors (user_id, id, kind, name, confirmed_at, secret)
            VALUES ($1, gen_random_uuid(), 'totp', 'app', now(), 'x')
            """,
            ana,
        )
    )
    await open_session(database, ana)

    ended = gamekeeper(settings, "staff", "sign-out", "ANA", "--as", "bo")
    again = gamekeeper(settings, "staff", "sign-out", "ana", "--json")
    reset = gamekeeper(settings, "staff", "reset-factors", "ana", "--reason", "lost phone")

    assert (ended.returncode, ended.stdout) == (0, "Ended 1 sessions of ana.\n"), ended.stderr
    assert json.loads(again.stdout) == {"name": "ana", "ended": 0}
    assert reset.stdout == (
        "Removed 1 second factors of ana; the next sign-in enrols a new one.\n"
    ), reset.stderr
    rows = await database.reader.rows(
        "SELECT kind, actor, reason FROM actions WHERE user_id = $1 ORDER BY at, id", ana
    )
    assert [tuple(row)[:2] for row in rows] == [
        ("sessions.end", "cli:bo"),
        ("factors.reset", rows[1]["actor"]),
    ]
    assert rows[1]["reason"] == "lost phone"


async def test_an_unknown_account_is_refused(settings, database):
    refused = gamekeeper(settings, "staff", "reset-factors", "nobody")
    assert refused.returncode == 1
    assert "nobody" in refused.stderr


async def test_a_link_is_printed_that_signs_in(settings, database):
    ana = await make_staff(database, "owner", user=await make_user(database, "ana"))

    plain = gamekeeper(settings, "staff", "link", "ANA", "--as", "bo", "--reason", "lost phone")
    made = gamekeeper(settings, "staff", "link", "ana", "--minutes", "60", "--json")

    start = f"{settings.public_url}/console/sign-in#link=gkl_"
    assert plain.stdout.startswith(start), plain.stderr
    shown = json.loads(made.stdout)
    assert (shown["name"], shown["address"].startswith(start)) == ("ana", True)
    code = shown["address"].partition("#link=")[2]
    begun = await sign_in_links.sign_in(database, code, user_agent="", by=BY)
    assert begun.account.id == ana
    [row] = await database.reader.rows(
        "SELECT kind, actor, reason FROM actions WHERE user_id = $1 ORDER BY at, id LIMIT 1", ana
    )
    assert tuple(row) == ("sessions.link", "cli:bo", "lost phone")


async def test_a_player_gets_no_link(settings, database):
    await make_user(database, "ana")
    refused = gamekeeper(settings, "staff", "link", "ana")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "gamekeeper staff add" in refused.stderr
    too_long = gamekeeper(settings, "staff", "link", "ana", "--minutes", "61")
    assert too_long.returncode == 2
