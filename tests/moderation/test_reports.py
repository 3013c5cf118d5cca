"""Reports: filed, folded into cases, throttled, with the chat around them frozen."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.ledger import verify_ledger
from tests.chat.talk import said, say
from tests.make import make_player, make_user
from tests.moderation.complaints import (
    CASES,
    REPORTS,
    close,
    details,
    filed,
    only_case,
    queue,
    refused,
    report,
)
from tests.security.callers import account_with, key_with
from tests.servers.game_server import GameServer


@pytest.fixture
async def people(database):
    """A bully, who is reported, and three others."""
    for name in ("Bully", "Ana", "Bo", "Cy"):
        await make_player(database, name, user=await make_user(database, f"{name}-account"))


async def test_a_report_opens_a_case(client, people):
    made = await filed(client, "Ana", "bully", text=" He insults me. ", x=3, y=-4)

    case = await only_case(client)
    assert (case["State"], case["PlayerName"], case["UserName"]) == (
        "open",
        "Bully",
        "Bully-account",
    )
    assert (case["Category"], case["Severity"], case["Priority"]) == ("harassment", 3, 3)
    assert (case["Reports"], case["Reporters"], case["ClaimedBy"]) == (1, 1, None)
    [shown] = (await details(client, case["Id"]))["Reports"]
    assert (shown["Id"], shown["Text"], shown["X"], shown["Y"]) == (
        made["Id"],
        "He insults me.",
        3,
        -4,
    )
    assert (shown["ReporterName"], shown["ReporterPlayerName"]) == ("Ana-account", "Ana")


async def test_reports_of_several_players_share_one_case(client, people):
    await filed(client, "Ana", "Bully", category="spam")
    await filed(client, "Bo", "Bully", category="cheating")
    await filed(client, "Cy", "Bully", category="spam")

    case = await only_case(client)
    assert (case["Category"], case["Categories"]) == ("cheating", ["spam", "cheating"])
    assert (case["Reports"], case["Reporters"], case["Priority"]) == (3, 3, 9)


async def test_a_repeated_report_is_counted_on_the_first(client, people):
    first = await filed(client, "Ana", "Bully", text="One.")
    again = await filed(client, "Ana", "Bully", text="Two.", category="spam")

    assert (again["Id"], again["Times"]) == (first["Id"], 2)
    case = await only_case(client)
    assert (case["Reports"], case["Reporters"], case["Priority"]) == (2, 1, 3)
    [shown] = (await details(client, case["Id"]))["Reports"]
    assert (shown["Times"], shown["Text"], shown["Category"]) == (2, "One.\n\nTwo.", "harassment")


async def test_a_text_that_no_longer_fits_is_only_counted(client, people):
    for _ in range(3):
        await filed(client, "Ana", "Bully", text="x" * 1999)
    [shown] = (await details(client, (await only_case(client))["Id"]))["Reports"]
    assert (shown["Times"], len(shown["Text"])) == (3, 4000)


async def test_a_new_report_after_the_end_opens_a_new_case(client, people):
    await filed(client, "Ana", "Bully")
    first = await only_case(client)
    assert (await close(client, first["Id"], outcome="none")).status_code == 200

    await filed(client, "Ana", "Bully")

    second = await only_case(client)
    assert second["Id"] != first["Id"]
    [earlier] = (await details(client, second["Id"]))["Earlier"]
    assert (earlier["Id"], earlier["Outcome"]) == (first["Id"], "none")


async def test_twenty_reports_at_once_are_one_case(client, database):
    await make_player(database, "Bully")
    for number in range(20):
        await make_player(database, f"Witness{number}")

    answers = await asyncio.gather(
        *(report(client, f"Witness{number}", "Bully") for number in range(20))
    )

    assert {answer.status_code for answer in answers} == {200}
    case = await only_case(client)
    assert (case["Reports"], case["Reporters"], case["Priority"]) == (20, 20, 60)
    assert await database.reader.value("SELECT count(*) FROM cases") == 1
    assert await database.reader.value("SELECT count(*) FROM reports") == 20


async def test_an_account_reports_ten_times_an_hour(client, database, people):
    for number in range(12):
        await make_player(database, f"Victim{number}")
    answers = [await report(client, "Ana", f"Victim{number}") for number in range(12)]

    assert [answer.status_code for answer in answers] == [200] * 10 + [429] * 2
    assert 300 < int(answers[-1].headers["Retry-After"]) <= 361
    assert len(await queue(client)) == 10
    assert (await report(client, "Bo", "Victim11")).status_code == 200


async def test_a_flood_of_one_reporter_passes_no_limit_by_being_concurrent(client, people):
    answers = await asyncio.gather(*(report(client, "Ana", "Bully") for _ in range(25)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] * 10 + [429] * 15
    assert (await only_case(client))["Reports"] == 10


async def test_nobody_reports_their_own_account(client, database, people):
    user = (await client.get("/api/v1/players/Ana")).json()["UserId"]
    await make_player(database, "Twin", user=user)
    for target in ("Ana", "Twin"):
        assert refused(await report(client, "Ana", target)) == (403, "own_report")
    assert await queue(client) == []


@pytest.mark.parametrize(
    ("about", "status", "code"),
    [
        ({"player": "Nobody"}, 404, "player_not_found"),
        ({"reporter": "Nobody"}, 404, "player_not_found"),
        ({"category": "boredom"}, 400, "invalid_body"),
        ({"text": "x" * 2001}, 400, "invalid_text"),
        ({"text": "a\u0007b"}, 400, "invalid_text"),
        ({"messages": [str(uuid4()) for _ in range(21)]}, 400, "invalid_body"),
        ({"x": 2**31}, 400, "invalid_body"),
        ({"server": str(uuid4())}, 400, "invalid_report"),
        ({"server": str(uuid4()), "fence": 1}, 404, "server_not_found"),
    ],
)
async def test_a_wrong_report_leaves_nothing_behind(client, people, about, status, code):
    assert refused(await report(client, **{"reporter": "Ana", "player": "Bully"} | about)) == (
        status,
        code,
    )
    assert await queue(client) == []
    assert (await client.get("/api/v1/actions?kind=reports.file")).json()["Values"] == []


async def test_a_report_that_is_sent_again_with_its_key_is_filed_once(client, people):
    headers = {"Idempotency-Key": "report-1"}
    first = await report(client, "Ana", "Bully", headers)
    assert (await report(client, "Ana", "Bully", headers)).json() == first.json()
    assert (await only_case(client))["Reports"] == 1


async def test_a_replaced_server_files_nothing(client, people):
    realm = await GameServer.register(client)
    await GameServer.register(client)
    answer = await report(client, "Ana", "Bully", server=str(realm.id), fence=realm.fence)
    assert refused(answer) == (409, "fenced")


async def test_the_chat_around_a_report_is_frozen(client, database, settings, people):
    realm = await GameServer.register(client)
    ids = {
        name: (await client.get(f"/api/v1/players/{name}")).json()["Id"]
        for name in ("Bully", "Ana", "Bo")
    }
    now = datetime.now(UTC)

    def line(name: str, text: str, ago: float, **about: object) -> dict[str, object]:
        at = (now - timedelta(minutes=ago)).isoformat()
        return said(ids[name], text, saidAt=at, **{"channel": "global"} | about)

    insult = line("Bully", "you fool", 1)
    await say(
        realm,
        line("Bully", "long ago", 6),
        line("Bo", "beside them", 2),
        insult,
        line("Bully", "fool again", 0.5, channel="pm", targetId=ids["Ana"]),
        line("Bully", "a secret", 0.4, channel="pm", targetId=ids["Bo"]),
        line("Ana", "stop it", 0.3, channel="pm", targetId=ids["Bully"]),
        line("Bo", "among guild members", 0.2, channel="guild"),
    )
    await filed(
        client,
        "Ana",
        "Bully",
        server=str(realm.id),
        fence=realm.fence,
        messages=[insult["id"], str(uuid4())],
    )
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))

    case = await only_case(client)
    chat = (await client.get(f"{CASES}/{case['Id']}/chat")).json()
    assert [one["Line"]["Message"] for one in chat["Values"]] == [
        *("beside them", "you fool", "fool again", "stop it"),
    ]
    assert [one["Line"]["Message"] for one in chat["Values"] if one["IsReported"]] == ["you fool"]
    [shown] = (await details(client, case["Id"]))["Reports"]
    [action] = (await client.get("/api/v1/actions?kind=reports.file")).json()["Values"]
    assert action["After"]["excerpt"] == {"lines": 4, "sha256": shown["ExcerptSha256"]}
    assert "fool" not in str(action)
    assert "Ana" not in str(action)
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_a_repeated_report_adds_its_chat_and_verifies(client, database, settings, people):
    realm = await GameServer.register(client)
    bully = (await client.get("/api/v1/players/Bully")).json()["Id"]
    await say(realm, said(bully, "one", channel="global"))
    await filed(client, "Ana", "Bully")
    await say(realm, said(bully, "two", channel="global"))
    await filed(client, "Ana", "Bully")

    case = await only_case(client)
    [shown] = (await details(client, case["Id"]))["Reports"]
    assert shown["ExcerptLines"] == 2
    assert (await verify_ledger.verify(settings)).breaches == []
    await database.write(
        lambda writer: writer.run("UPDATE report_excerpts SET message = 'x' WHERE position = 2")
    )
    assert [one.law for one in (await verify_ledger.verify(settings)).breaches] == ["evidence"]


async def test_lines_of_others_are_not_frozen_by_naming_them(client, database, people):
    realm = await GameServer.register(client)
    cy = (await client.get("/api/v1/players/Cy")).json()["Id"]
    bo = (await client.get("/api/v1/players/Bo")).json()["Id"]
    whisper = said(cy, "between us", channel="pm", targetId=bo)
    await say(realm, whisper)
    await filed(client, "Ana", "Bully", messages=[whisper["id"]])
    assert await database.reader.value("SELECT count(*) FROM report_excerpts") == 0


async def test_at_most_200_lines_are_frozen_the_nearest_ones(client, database, people):
    realm = await GameServer.register(client)
    bo = (await client.get("/api/v1/players/Bo")).json()["Id"]
    bully = (await client.get("/api/v1/players/Bully")).json()["Id"]
    await say(realm, *(said(bo, f"noise {number}", channel="local") for number in range(250)))
    await say(realm, *(said(bully, f"insult {number}", channel="local") for number in range(150)))
    await filed(client, "Ana", "Bully", server=str(realm.id), fence=realm.fence)
    by_speaker = await database.reader.rows(
        "SELECT player_id, count(*) AS lines FROM report_excerpts GROUP BY player_id"
    )
    lines = {str(row["player_id"]): row["lines"] for row in by_speaker}
    assert sum(lines.values()) <= 200
    assert lines[bully] >= 100


# ── By players themselves ──


async def test_a_player_reports_with_their_own_token_and_is_not_named(client, database, people):
    name, token = await account_with(database)
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", name)
    await make_player(database, "Me", user=user)

    body = {"player": "Bully", "category": "spam", "text": "Ads.", "reporter": "Me"}
    made = await client.post("/api/v1/me/reports", json=body, headers=token)
    assert made.status_code == 200, made.text

    [action] = (await client.get("/api/v1/actions?kind=reports.file")).json()["Values"]
    assert (action["Actor"], action["ActorName"]) == ("anonymous", "anonymous")
    assert str(user) not in str(action)
    assert name not in str(action)
    [own] = (await client.get("/api/v1/me/reports", headers=token)).json()["Values"]
    assert (own["PlayerName"], own["State"], own["Text"]) == ("Bully", "open", "Ads.")

    case = await only_case(client)
    mute = await close(client, case["Id"], outcome="mute", reason="ads", durationseconds=60)
    assert mute.status_code == 200, mute.text
    answer = await client.get("/api/v1/me/reports", headers=token)
    assert answer.json()["Values"][0]["State"] == "action_taken"
    assert "mute" not in answer.text


async def test_a_player_reports_only_in_their_own_name(client, database, people):
    _, token = await account_with(database)
    body = {"player": "Bully", "category": "spam", "reporter": "Ana"}
    answer = await client.post("/api/v1/me/reports", json=body, headers=token)
    assert refused(answer) == (403, "not_your_character")
    assert await queue(client) == []


async def test_the_reports_of_others_are_not_listed(client, database, people):
    await filed(client, "Ana", "Bully")
    _, token = await account_with(database)
    assert (await client.get("/api/v1/me/reports", headers=token)).json()["Values"] == []
    theirs = await database.reader.value("SELECT id FROM reports")
    answer = await client.get(f"/api/v1/me/reports?cursor={theirs}", headers=token)
    assert refused(answer) == (400, "invalid_query")


async def test_a_key_has_no_reports_of_its_own(client, people):
    answer = await client.post("/api/v1/me/reports", json={"player": "Bully", "category": "spam"})
    assert refused(answer) == (403, "no_account")
    assert (await client.get("/api/v1/me/reports")).json()["Values"] == []


async def test_filing_needs_its_scope_and_gives_no_other_right(client, database, people):
    server = await key_with(database, "servers", "transactions")
    assert refused(await report(client, "Ana", "Bully", server)) == (403, "role_required")
    filer = await key_with(database, "reports.file")
    assert (await report(client, "Ana", "Bully", filer)).status_code == 200
    case = (await only_case(client))["Id"]
    for path in (CASES, f"{CASES}/{case}", f"{CASES}/{case}/chat", f"{CASES}/statistics"):
        assert refused(await client.get(path, headers=filer)) == (403, "role_required")
    assert refused(await close(client, case, filer, outcome="none")) == (403, "role_required")


async def test_an_unknown_path_below_reports_is_not_found(client):
    assert (await client.get(f"{REPORTS}/{uuid4()}")).status_code == 404


# ── In transactions of game servers ──


async def transact(client, key: str, *moves, headers=None, **about):
    body = {"transactions": [{"key": key, "moves": list(moves)}], **about}
    return await client.post("/api/v1/transactions", json=body, headers=headers or {})


def reporting(reporter: str, player: str) -> dict[str, object]:
    about = {"category": "spam", "text": "Ads."}
    return {"do": "report", "player": reporter, "reported": player, **about}


async def test_a_transaction_reports_once_with_its_other_moves(client, people):
    moves = [reporting("Ana", "Bully"), {"do": "progress", "player": "Ana", "level": 3}]
    for _ in range(2):
        [done] = (await transact(client, "t-1", *moves)).json()["Values"]
        assert done["Status"] == 200, done
    assert (await only_case(client))["Reports"] == 1
    assert (await client.get("/api/v1/players/Ana")).json()["Level"] == 3


async def test_a_refused_report_refuses_its_transaction_and_no_other(client, people):
    bad = [{"do": "progress", "player": "Ana", "level": 3}, reporting("Ana", "Ana")]
    good = [reporting("Bo", "Bully"), reporting("Cy", "Bully")]
    body = {"transactions": [{"key": "bad", "moves": bad}, {"key": "good", "moves": good}]}
    values = (await client.post("/api/v1/transactions", json=body)).json()["Values"]
    assert [each["Status"] for each in values] == [403, 200]
    assert (await client.get("/api/v1/players/Ana")).json()["Level"] == 1
    assert (await only_case(client))["Reporters"] == 2


async def test_a_transaction_that_fails_otherwise_reports_nothing(client, people):
    missing = {"do": "items", "itemId": str(uuid4()), "quantity": 1, "to": "Ana"}
    [done] = (await transact(client, "t-1", reporting("Ana", "Bully"), missing)).json()["Values"]
    assert done["Status"] >= 400
    assert await queue(client) == []


async def test_reports_in_transactions_need_their_scope(client, database, people):
    headers = await key_with(database, "transactions")
    answer = await transact(client, "t-1", reporting("Ana", "Bully"), headers=headers)
    assert refused(answer) == (403, "role_required")
    both = await key_with(database, "transactions", "reports.file")
    answer = await transact(client, "t-1", reporting("Ana", "Bully"), headers=both)
    assert answer.json()["Values"][0]["Status"] == 200
