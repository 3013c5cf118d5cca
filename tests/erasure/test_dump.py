"""What a dump of the database still says about an erased person."""

import asyncio
import re
import subprocess
from collections import defaultdict

from gamekeeper.operations.backup import postgres
from tests.erasure.life import live
from tests.erasure.person import ADDRESS, NAME, WORD, make_person

COPY = re.compile(r"^COPY public\.(\w+) ")
MONTH = re.compile(r"_(default|\d{4}_\d{2})$")

KEPT = {"users.register", "users.variable", "players.delete"}
"""The kinds of actions with these texts: "Earlier actions" in docs/reference/users.md."""

FOR_A_WHILE = {"replies", "list_deltas_players", "list_deltas_users"}
"""Replies of idempotency keys, and changes of page counts that no worker merged yet."""


def dumped(url: str, major: int) -> dict[str, list[str]]:
    """All rows by table, as pg_dump writes them; those of partitions under their table."""
    program = postgres.find("pg_dump", oldest=major, best=major)
    command = [program, "--data-only", "--dbname", url]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows: dict[str, list[str]] = defaultdict(list)
    table = None
    for line in text.splitlines():
        if found := COPY.match(line):
            table = MONTH.sub("", found[1])
        elif line == "\\.":
            table = None
        elif table:
            rows[table].append(line)
    return rows


async def dump(database) -> dict[str, list[str]]:
    version = await database.reader.value("SHOW server_version_num")
    return await asyncio.to_thread(
        dumped, str(database.settings.database_url), int(version) // 10_000
    )


def tables_with(rows: dict[str, list[str]], *texts: str) -> set[str]:
    """The tables with one of these texts, in a column of text or of bytes."""
    # Jobs and stored replies are bytes, which pg_dump writes as hexadecimal digits.
    wanted = [form for text in texts for form in (text.lower(), text.encode().hex())]
    return {
        table
        for table, lines in rows.items()
        if any(form in line.lower() for line in lines for form in wanted)
    }


async def test_a_dump_has_only_what_the_page_on_erasure_lists(client, database):
    user = await make_person(client, database)
    before = tables_with(await dump(database), WORD, ADDRESS)

    assert (await client.delete(f"/api/v1/users/{NAME}")).status_code == 200

    rows = await dump(database)
    # The search finds what is there: the same words were in all of these.
    assert {
        "users",
        "user_names",
        "user_emails",
        "players",
        "player_names",
        "chat_messages",
    } <= before
    assert {"reports", "case_notes", "appeals", "user_variables"} <= before
    assert tables_with(rows, WORD, ADDRESS) == {"actions", *FOR_A_WHILE}
    logged = [line.split("\t") for line in rows["actions"] if WORD in line.lower()]
    assert sorted(kind for _, _, _, kind, *_ in logged) == sorted(KEPT)
    assert not any(ADDRESS in line for line in rows["actions"])
    assert "erased_users" in tables_with(rows, str(user))


STAYS = {
    # Sentence by sentence in docs/reference/users.md, "Rename and erase accounts".
    "guilds": "names of guilds",
    "guild_variables": "names of guilds",
    "commands": "commands to its characters",
    "access_bans": "access bans",
}

LOGGED = KEPT | {
    # Names and variables of guilds, texts of commands, and the account as the actor.
    *("guilds.create", "guilds.join", "guilds.transfer", "guilds.variable"),
    *("commands.send", "codes.redeem"),
}


async def test_nothing_that_a_whole_life_leaves_stays_unless_it_is_listed(client, database):
    """Letters, guilds, evidence, orders, codes and saved filters, searched in a dump."""
    user = await make_person(client, database)
    await live(client, database, user)
    before = tables_with(await dump(database), WORD, ADDRESS)

    answer = await client.delete(f"/api/v1/users/{NAME}")

    assert answer.status_code == 200, answer.text
    assert {"letters", "orders", "saved_filters", "report_excerpts"} <= before
    assert {"case_excerpts", "sanction_excerpts", *STAYS} <= before
    rows = await dump(database)
    assert tables_with(rows, WORD, ADDRESS) == {"actions", *FOR_A_WHILE, *STAYS}
    logged = [line.split("\t") for line in rows["actions"] if WORD in line.lower()]
    assert {kind for _, _, _, kind, *_ in logged} == LOGGED
    assert "code_redemptions" not in tables_with(rows, str(user))
