"""What is left of reports and cases after an erasure, and after their retention."""

import asyncio

import pytest

from gamekeeper.db import retention
from gamekeeper.ledger import verify_ledger
from tests.chat.talk import said, say
from tests.make import make_player, make_user
from tests.moderation.complaints import CASES, close, details, filed, only_case, queue
from tests.servers.game_server import GameServer

TABLES = (
    *("cases", "reports", "report_excerpts", "case_excerpts", "case_notes"),
    "sanction_excerpts",
)


@pytest.fixture
async def case(client, database) -> str:
    """Ana reports a bully, who insulted her in private; staff took a note."""
    ids = {}
    for name in ("Bully", "Ana"):
        user = await make_user(database, f"{name}-account")
        ids[name] = await make_player(database, name, user=user)
    realm = await GameServer.register(client)
    await say(
        realm,
        said(ids["Bully"], "unmistakable insult", channel="global"),
        said(ids["Bully"], "unmistakable whisper", channel="pm", targetId=str(ids["Ana"])),
        said(ids["Ana"], "incomparable answer", channel="global"),
    )
    await filed(client, "Ana", "Bully", text="incomparable text of Ana")
    case = (await only_case(client))["Id"]
    note = {"text": "unmistakable note about the bully"}
    assert (await client.post(f"{CASES}/{case}/notes", json=note)).status_code == 200
    return case


async def dump(database, tables: tuple[str, ...] = (*TABLES, "actions")) -> str:
    """All rows of all tables that a case touches; the deletion of a character has its name."""
    parts = [
        await database.reader.value(f"SELECT string_agg(row::text, ' ') FROM {table} AS row")
        for table in tables
    ]
    return " ".join(part or "" for part in parts)


async def test_erasing_the_reporter_empties_their_words(client, database, settings, case):
    assert "incomparable" in await dump(database)
    assert (await client.delete("/api/v1/users/Ana-account")).status_code == 200

    left = await dump(database)
    for words in ("incomparable", "unmistakable whisper"):
        assert words not in left
    assert "Ana" not in await dump(database, TABLES)
    assert "unmistakable insult" in left
    shown = await details(client, case)
    assert (shown["Case"]["State"], shown["Case"]["Reporters"]) == ("open", 1)
    [report] = shown["Reports"]
    assert (report["Text"], report["ReporterName"], report["ReporterPlayerName"]) == (None,) * 3
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_erasing_the_reported_account_empties_all_texts(client, database, settings, case):
    assert (await client.delete("/api/v1/users/Bully-account")).status_code == 200

    left = await dump(database)
    for words in ("unmistakable", "incomparable text"):
        assert words not in left
    assert "Bully" not in await dump(database, TABLES)
    shown = await details(client, case)
    assert (shown["Case"]["State"], shown["Case"]["Outcome"]) == ("closed", "none")
    assert shown["Case"]["UserName"] is None
    assert await queue(client) == []
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_texts_of_a_closed_case_expire(client, database, settings, case):
    assert (await close(client, case, outcome="none")).status_code == 200
    await retention.sweep(database, asyncio.Event())
    assert "incomparable" in await dump(database)
    for table in ("reports", "report_excerpts", "case_notes"):
        sql = f"UPDATE {table} SET closed_at = now() - interval '366 days'"
        await database.write(lambda writer, sql=sql: writer.run(sql))

    await retention.sweep(database, asyncio.Event())

    left = await dump(database)
    for words in ("unmistakable", "incomparable"):
        assert words not in left
    assert (await details(client, case))["Reports"][0]["Text"] is None
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_texts_of_an_open_case_do_not_expire(client, database, case):
    """Also if it was closed once, long ago."""
    await close(client, case, outcome="none")
    assert (await client.post(f"{CASES}/{case}/reopen")).status_code == 200
    await database.write(
        lambda writer: writer.run("UPDATE reports SET filed_at = now() - interval '9 years'")
    )
    await retention.sweep(database, asyncio.Event())
    assert "incomparable text of Ana" in await dump(database)


async def test_a_report_and_an_erasure_at_once_leave_no_text(client, database):
    """Whichever comes first: no text of an erased account is stored after its erasure."""
    await make_player(database, "Bully", user=await make_user(database, "Bully-account"))
    for number in range(5):
        user = await make_user(database, f"witness-{number}")
        await make_player(database, f"Witness{number}", user=user)
        await asyncio.gather(
            client.delete(f"/api/v1/users/witness-{number}"),
            client.post(
                "/api/v1/reports",
                json={
                    "reporter": f"Witness{number}",
                    "player": "Bully",
                    "category": "spam",
                    "text": f"unmistakable {number}",
                },
            ),
        )
    left = await database.reader.rows(
        "SELECT reporter_id FROM reports WHERE text IS NOT NULL AND reporter_id NOT IN "
        "(SELECT id FROM users)"
    )
    assert left == []
