"""The export of personal data: complete, without secrets, and recorded."""

import inspect
import json
import re
from uuid import uuid4

from gamekeeper.users import erased_rows, erasure, personal_data
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.personal_data import EXPORTED, LEFT_OUT, PersonalExport
from tests.cli.command import gamekeeper
from tests.erasure.person import ADDRESS, EMAIL, NAME, WORD, make_person
from tests.make import BY

CHANGED = re.compile(r"(?:DELETE FROM|UPDATE) (\w+)")
OF_PEOPLE = "user_id|player_id|reporter_id|accepted_by|created_by_user"


async def erased_tables(database) -> set[str]:
    """Every table that an erasure changes by a statement."""
    removal = await database.reader.value("SELECT prosrc FROM pg_proc WHERE proname = $1", REMOVAL)
    return {
        table
        for text in (inspect.getsource(erased_rows), inspect.getsource(erasure), removal)
        for table in CHANGED.findall(text)
    }


REMOVAL = "remove_erased_users"


async def test_every_table_of_an_erasure_is_exported_or_left_out_for_a_reason(database):
    erased = await erased_tables(database)

    assert {"users", "chat_messages", "appeals", "report_excerpts", "user_devices"} <= erased
    assert erased - EXPORTED.keys() - LEFT_OUT.keys() == set()


async def test_every_table_with_ids_of_people_is_exported_or_left_out_for_a_reason(database):
    rows = await database.reader.rows(
        """
        SELECT DISTINCT relname
          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND NOT attisdropped
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND NOT relispartition AND attname ~ $1
        """,
        f"^({OF_PEOPLE})$",
    )
    found = {row["relname"] for row in rows}

    assert found - EXPORTED.keys() - LEFT_OUT.keys() == set()
    assert EXPORTED.keys() & LEFT_OUT.keys() == set()


async def test_it_has_what_the_person_wrote_and_received_and_no_secrets(client, database):
    await make_person(client, database)

    done = await personal_data.export.one(database, PersonalExport(by=BY, user=NAME.upper()))

    tables = done.tables
    assert [row["email"] for row in tables["users"]] == [EMAIL]
    heard = [f"{WORD}, to {whom}" for whom in ("all", "her", "him")]
    assert sorted(row["message"] for row in tables["chat_messages"]) == heard
    assert [row["address"] for row in tables["chat_messages"]].count(ADDRESS) == 1
    assert {row["text"] for row in tables["reports"]} == {None, f"He is {WORD}."}
    assert [row["text"] for row in tables["appeals"]] == [f"I am {WORD}."]
    for table in ("players", "sanctions", "cases", "passwords", "token_families", "actions"):
        assert tables[table], table
    columns = {column for rows in tables.values() for row in rows for column in row}
    assert not columns & {"hash", "sealed", "secret", "salt", "imposed_by", "actor_name"}


async def test_chat_that_is_evidence_is_exported_when_the_log_has_expired(client, database):
    """Her own words; and what was said to her in private only where she is the reporter."""
    await make_person(client, database)
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))

    done = await personal_data.export.one(database, PersonalExport(by=BY, user=NAME))

    assert done.tables["chat_messages"] == []
    heard = sorted(row["message"] for row in done.tables["report_excerpts"])
    # In the report about her she said these two; in her own one Bo's words to her are, too.
    assert heard == sorted(
        [f"{WORD}, to all", f"{WORD}, to him"] * 2 + [f"{WORD}, to her"],
    )


async def test_what_was_written_to_a_deleted_character_is_exported(client, database):
    """As an erasure deletes it."""
    user = await make_person(client, database)
    player = await database.reader.value("SELECT id FROM players WHERE user_id = $1", user)
    assert (await client.delete(f"/api/v1/players/{player}")).status_code == 200

    done = await personal_data.export.one(database, PersonalExport(by=BY, user=NAME))

    messages = {row["message"] for row in done.tables["chat_messages"]}
    assert f"{WORD}, to her" in messages


async def test_an_unknown_account_is_refused(database):
    [refused] = await personal_data.export(database, [PersonalExport(by=BY, user=str(uuid4()))])
    assert isinstance(refused, UserNotFound)


async def test_the_command_prints_json_and_is_recorded(client, database, settings):
    await make_person(client, database)

    counted = gamekeeper(settings, "users", "export", NAME)
    done = gamekeeper(settings, "users", "export", NAME, "--json", "--as", "ines")

    assert done.returncode == 0, done.stderr
    exported = json.loads(done.stdout)
    assert exported["Tables"].keys() == EXPORTED.keys()
    assert "chat_messages" in counted.stdout
    assert WORD not in counted.stdout
    rows = await database.reader.rows(
        "SELECT actor, user_id, after FROM actions WHERE kind = 'users.export' ORDER BY at"
    )
    assert [row["actor"] for row in rows][1:] == ["cli:ines"]
    assert {str(row["user_id"]) for row in rows} == {exported["UserId"]}
    assert rows[1]["after"]["rows"] > 10
