"""`gamekeeper lists …`, as a person types it."""

import json

from tests.cli.command import gamekeeper
from tests.make import make_player


async def test_verify_names_what_is_wrong_and_rebuild_puts_it_right(settings, database):
    await make_player(database, "Ana", level=7, exp=3)
    await database.write(
        lambda writer: writer.run(
            "UPDATE list_nodes SET count = count + 2 WHERE list = 'rank' AND height = 0"
        )
    )

    told = gamekeeper(settings, "lists", "verify")
    assert told.returncode == 1
    assert (
        "the bucket from 0,0,00000000-0000-0000-0000-000000000000 on is stored as 3, but has 1"
        in (told.stdout)
    )
    assert "Run: gamekeeper lists rebuild rank" in told.stdout
    assert "users: correct, 1 row in 1 bucket," in told.stdout

    rebuilt = gamekeeper(settings, "lists", "rebuild", "rank", "--json")
    assert rebuilt.returncode == 0, rebuilt.stderr
    [done] = json.loads(rebuilt.stdout)
    assert (done["list"], done["total"]) == ("rank", 1)

    told = gamekeeper(settings, "lists", "verify", "--json")
    assert told.returncode == 0
    assert json.loads(told.stdout) == [
        {"list": name, "total": total, "buckets": 1, "wrong": []}
        for name, total in (("rank", 1), ("players", 1), ("users", 1), ("online", 0))
    ]


def test_help_says_when_to_use_it(settings):
    for command, words in (
        ("verify", "exit code is then 1"),
        ("rebuild", "while the service runs"),
    ):
        told = gamekeeper(settings, "lists", command, "--help")
        assert words in " ".join(told.stdout.split())
