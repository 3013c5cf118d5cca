"""Cases: the queue, claims, notes, outcomes, and who may do what."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from gamekeeper.ledger import verify_ledger
from tests.chat.talk import said, say
from tests.make import make_player, make_user
from tests.moderation.complaints import (
    CASES,
    close,
    details,
    filed,
    only_case,
    queue,
    refused,
    without_key,
)
from tests.security.callers import account_with, key_with
from tests.servers.game_server import GameServer
from tests.staff.make import make_staff
from tests.staff.signed_in import staff_session

MODERATOR = ("reports.read", "reports.manage", "sanctions.manage", "sanctions.read")


@pytest.fixture
async def case(client, database) -> str:
    """Of a bully, reported by Ana."""
    for name in ("Bully", "Ana", "Bo"):
        await make_player(database, name, user=await make_user(database, f"{name}-account"))
    await filed(client, "Ana", "Bully", text="He insults me.")
    return (await only_case(client))["Id"]


async def post(client, case: str, what: str, headers=None, **body: object):
    return await client.post(f"{CASES}/{case}/{what}", json=body, headers=headers or {})


def just_now(seconds: int) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()


async def kinds(client) -> list[str]:
    values = (await client.get("/api/v1/actions?limit=100")).json()["Values"]
    return [each["Kind"] for each in values if each["Kind"].partition(".")[0] == "cases"]


async def test_the_queue_is_ordered_by_priority_then_age(client, database):
    for name in ("Ana", "Bo", "Spammer", "Cheater", "Namer"):
        await make_player(database, name)
    await filed(client, "Ana", "Spammer", category="spam")
    await filed(client, "Ana", "Cheater", category="cheating")
    await filed(client, "Ana", "Namer", category="offensive_name")

    assert [each["PlayerName"] for each in await queue(client)] == ["Cheater", "Spammer", "Namer"]
    await filed(client, "Bo", "Namer", category="offensive_name")
    assert [each["PlayerName"] for each in await queue(client)] == ["Cheater", "Namer", "Spammer"]


async def test_pages_of_the_queue_have_every_case_once(client, database):
    await make_player(database, "Ana")
    for number in range(7):
        await make_player(database, f"Bad{number}")
        category = ("spam", "cheating", "real_money_trading")[number % 3]
        await filed(client, "Ana", f"Bad{number}", category=category)
    seen, cursor = [], None
    while True:
        params = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = (await client.get(CASES, params=params)).json()
        seen += [each["Id"] for each in page["Values"]]
        if not (cursor := page["Next"]):
            break
    assert seen == [each["Id"] for each in await queue(client)]
    assert len(set(seen)) == 7


async def test_filters(client, database, case):
    await make_player(database, "Spammer")
    await filed(client, "Ana", "Spammer", category="spam")
    [spam] = await queue(client, category="spam")
    assert (await post(client, spam["Id"], "claim")).status_code == 200

    async def named(**query: object) -> list[str]:
        return [each["PlayerName"] for each in await queue(client, **query)]

    assert await named(severity=3) == ["Bully"]
    assert await named(claimed="false") == ["Bully"]
    assert await named(claimed="true") == ["Spammer"]
    assert await named(mine="true") == ["Spammer"]
    other = await key_with(database, "reports.read")
    assert await queue(client, other, mine="true") == []
    assert await named(user="Bully-account") == ["Bully"]
    assert await named(state="closed") == []
    assert (await close(client, spam["Id"], outcome="none")).status_code == 200
    assert await named(state="closed") == ["Spammer"]
    assert await named(state="closed", mine="true", severity=1, category="spam") == ["Spammer"]
    assert refused(await client.get(CASES, params={"cursor": str(uuid4())})) == (
        400,
        "invalid_query",
    )
    assert refused(await client.get(CASES, params={"severity": 9})) == (400, "invalid_query")


# ── Claims ──


async def test_of_twenty_moderators_one_claims_and_the_others_are_told_who(client, database, case):
    keys = [await key_with(database, *MODERATOR) for _ in range(20)]

    answers = await asyncio.gather(*(post(client, case, "claim", key) for key in keys))

    [winner] = [answer.json() for answer in answers if answer.status_code == 200]
    losers = [answer.json() for answer in answers if answer.status_code == 409]
    assert len(losers) == 19
    assert {each["Code"] for each in losers} == {"case_claimed"}
    assert {each["Details"]["ClaimedByName"] for each in losers} == {winner["ClaimedByName"]}
    assert await kinds(client) == ["cases.claim"]


async def test_claiming_again_changes_nothing(client, case):
    first = (await post(client, case, "claim")).json()
    assert (await post(client, case, "claim")).json() == first
    assert await kinds(client) == ["cases.claim"]


async def test_a_released_case_is_free_for_others(client, database, case):
    one, other = [await key_with(database, *MODERATOR) for _ in range(2)]
    await post(client, case, "claim", one)
    assert refused(await close(client, case, other, outcome="none")) == (409, "case_claimed")

    assert (await post(client, case, "release", other)).json()["ClaimedBy"] is None
    assert (await post(client, case, "claim", other)).status_code == 200
    assert await kinds(client) == ["cases.claim", "cases.release", "cases.claim"]


async def test_notes_are_kept_with_the_case_and_out_of_the_audit_log(client, case):
    made = await post(client, case, "notes", text=" He was warned in March. ")
    assert made.status_code == 200, made.text
    [note] = (await details(client, case))["Notes"]
    assert note["Text"] == "He was warned in March."
    assert note["ByName"] == made.json()["ByName"]
    assert "March" not in (await client.get("/api/v1/actions?limit=100")).text
    assert refused(await post(client, case, "notes", text=" ")) == (400, "invalid_note")
    assert refused(await post(client, case, "notes", text="x" * 2001)) == (400, "invalid_text")


async def test_viewers_are_those_of_the_last_minute(client, database, case):
    one, other = [await key_with(database, "reports.read") for _ in range(2)]
    assert (await post(client, case, "view", one)).json()["Values"] == []
    seen = (await post(client, case, "view", other)).json()
    assert [each["Actor"][:4] for each in seen["Values"]] == ["key:"]
    assert (seen["Reports"], seen["State"], seen["ClaimedBy"]) == (1, "open", None)

    await database.write(
        lambda writer: writer.run("UPDATE case_viewers SET seen_at = now() - interval '61 s'")
    )
    assert (await post(client, case, "view", other)).json()["Values"] == []
    assert refused(await post(client, str(uuid4()), "view")) == (404, "case_not_found")


# ── Outcomes ──


async def test_closing_without_action(client, case):
    closed = (await close(client, case, outcome="none", note="Only banter.")).json()
    assert (closed["State"], closed["Outcome"], closed["SanctionId"]) == ("closed", "none", None)
    assert (await details(client, case))["ClosingNote"] == "Only banter."
    assert refused(await close(client, case, outcome="none")) == (409, "case_closed")
    assert refused(await post(client, case, "claim")) == (409, "case_closed")
    assert "banter" not in (await client.get("/api/v1/actions?limit=100")).text


async def test_closing_with_a_sanction_imposes_it_with_the_chat_as_evidence(
    client, database, settings, case
):
    realm = await GameServer.register(client)
    bully = (await client.get("/api/v1/players/Bully")).json()["Id"]
    bo = (await client.get("/api/v1/players/Bo")).json()["Id"]
    await say(realm, said(bully, "you fool", channel="global"), said(bo, "hi", channel="global"))
    await filed(client, "Bo", "Bully", server=str(realm.id), fence=realm.fence)
    # The log has expired since: the frozen lines are what counts.
    await database.write(lambda writer: writer.run("DELETE FROM chat_messages"))

    closed = await close(
        client, case, outcome="mute", durationseconds=3600, reason="insults", message="Be kind."
    )

    assert closed.status_code == 200, closed.text
    sanction = (await client.get(f"/api/v1/sanctions/{closed.json()['SanctionId']}")).json()
    assert (sanction["Kind"], sanction["InForce"], sanction["Reason"]) == ("mute", True, "insults")
    assert (sanction["CaseId"], sanction["UserName"]) == (case, "Bully-account")
    excerpt = (await client.get(f"/api/v1/sanctions/{sanction['Code']}/excerpt")).json()
    assert [line["Message"] for line in excerpt["Values"]] == ["you fool"]
    assert (await verify_ledger.verify(settings)).breaches == []


async def test_a_template_sets_the_outcome(client, case):
    steps = [{"kind": "warning"}, {"kind": "mute", "durationseconds": 60}]
    made = await client.put(
        "/api/v1/sanctions/templates/insult", json={"message": "Stop.", "steps": steps}
    )
    assert made.status_code == 200, made.text
    assert (await close(client, case, template="insult")).json()["Outcome"] == "warning"
    await filed(client, "Ana", "Bully")
    second = (await only_case(client))["Id"]
    assert (await close(client, second, template="insult")).json()["Outcome"] == "mute"


async def test_a_sanction_that_exists_is_linked(client, case):
    body = {"user": "Bully-account", "kind": "ban", "reason": "insults"}
    ban = (await client.post("/api/v1/sanctions", json=body)).json()
    body = {"user": "Bo-account", "kind": "ban", "reason": "other"}
    other = (await client.post("/api/v1/sanctions", json=body)).json()

    assert refused(await close(client, case, sanction=other["Code"])) == (
        404,
        "sanction_not_found",
    )
    closed = (await close(client, case, sanction=ban["Code"])).json()
    assert (closed["Outcome"], closed["SanctionId"]) == ("ban", ban["Id"])
    appeal = await client.post("/api/v1/appeals", json={"code": ban["Code"], "text": "Sorry."})
    assert appeal.status_code == 200
    [waiting] = (await client.get("/api/v1/appeals")).json()["Values"]
    assert waiting["Sanction"]["CaseId"] == case
    assert (await details(client, case))["AppealIds"] == [waiting["Id"]]


async def test_a_kick_is_sent_to_the_game(client, case):
    realm = await GameServer.register(client)
    await realm.join((await client.get("/api/v1/players/Bully")).json()["Id"])
    assert (await close(client, case, outcome="kick")).json()["Outcome"] == "kick"
    fetched = await realm.say("commands/fetch")
    assert "kick" in fetched.text


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid_closing"),
        ({"outcome": "none", "template": "spam"}, 400, "invalid_closing"),
        ({"outcome": "none", "durationseconds": 5}, 400, "invalid_closing"),
        ({"outcome": "mute"}, 400, "invalid_sanction"),
        ({"outcome": "mute", "reason": "x", "durationseconds": 0}, 400, "invalid_period"),
        ({"outcome": "exile"}, 400, "invalid_body"),
        ({"template": "none"}, 404, "template_not_found"),
        ({"sanction": "AAAA-AAAA"}, 404, "sanction_not_found"),
        ({"outcome": "ban", "reason": "x", "excerpt": [str(uuid4())]}, 404,
         "chat_message_not_found"),
        ({"outcome": "none", "note": "x" * 2001}, 400, "invalid_text"),
    ],
)  # fmt: skip
async def test_a_wrong_outcome_leaves_the_case_open(client, case, body, status, code):
    assert refused(await close(client, case, **body)) == (status, code)
    assert (await only_case(client))["Id"] == case
    assert (await client.get("/api/v1/sanctions")).json()["Values"] == []
    assert await kinds(client) == []


async def test_two_who_close_at_once_impose_one_sanction(client, case):
    answers = await asyncio.gather(
        *(close(client, case, outcome="mute", reason="insults") for _ in range(8))
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert len((await client.get("/api/v1/sanctions")).json()["Values"]) == 1


async def test_reports_and_outcomes_at_once_lose_nothing(client, database, case):
    """Reports that arrive while the case is closed join it, or open the next one."""
    for number in range(10):
        await make_player(database, f"Witness{number}")
    await asyncio.gather(
        close(client, case, outcome="none"),
        *(filed(client, f"Witness{number}", "Bully") for number in range(10)),
    )
    rows = await database.reader.rows(
        """
        SELECT cases.reports, cases.reporters, count(reports.id) AS stored,
               cases.closed_at IS NULL AS open
          FROM cases JOIN reports ON reports.case_id = cases.id GROUP BY cases.id
        """
    )
    assert sum(row["stored"] for row in rows) == 11
    assert all(row["reports"] == row["reporters"] == row["stored"] for row in rows)
    assert sum(row["open"] for row in rows) <= 1


async def test_a_case_is_reopened_unless_there_is_another(client, case):
    await close(client, case, outcome="mute", reason="insults")
    reopened = (await post(client, case, "reopen")).json()
    assert (reopened["State"], reopened["Outcome"]) == ("open", None)
    assert refused(await post(client, case, "reopen")) == (409, "case_not_closed")
    # The sanction stays.
    [mute] = (await client.get("/api/v1/sanctions")).json()["Values"]
    assert mute["InForce"]

    await close(client, case, outcome="none")
    await filed(client, "Ana", "Bully")
    another = (await only_case(client))["Id"]
    answer = await post(client, case, "reopen")
    assert refused(answer) == (409, "another_case_open")
    assert answer.json()["Details"]["CaseId"] == another


async def test_statistics(client, database, case):
    await database.write(
        lambda writer: writer.run("UPDATE cases SET opened_at = now() - interval '1 hour'")
    )
    await post(client, case, "claim")
    await close(client, case, outcome="none")
    await filed(client, "Ana", "Bully")

    found = (await client.get(f"{CASES}/statistics")).json()

    assert (found["Open"], found["Unclaimed"], found["Opened"], found["Closed"]) == (1, 1, 2, 1)
    assert 3600 <= found["UntilClosed"]["Median"] < 3660
    assert found["UntilClosed"]["P90"] == found["UntilClosed"]["Median"]
    assert 3600 <= found["UntilClaimed"]["Median"] < 3660
    assert found["Outcomes"] == {"none": 1}
    [moderator] = found["Moderators"]
    assert (moderator["Closed"], moderator["Actor"][:4]) == (1, "key:")
    long = {"from": "2020-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    assert refused(await client.get(f"{CASES}/statistics", params=long)) == (400, "invalid_query")


# ── Who may do what ──


async def test_who_reported_is_shown_only_with_the_scope(client, database, case):
    realm = await GameServer.register(client)
    bully = (await client.get("/api/v1/players/Bully")).json()["Id"]
    ana = (await client.get("/api/v1/players/Ana")).json()["Id"]
    await say(
        realm,
        said(bully, "you fool", channel="global", saidAt=just_now(2)),
        said(bully, "in private", channel="pm", targetId=ana, saidAt=just_now(1)),
    )
    await filed(client, "Ana", "Bully")
    reader = await key_with(database, "reports.read")

    shown = await client.get(f"{CASES}/{case}", headers=reader)
    assert shown.json()["Reports"][0]["ReporterId"] is None
    chat = await client.get(f"{CASES}/{case}/chat", headers=reader)
    for text in ("Ana", ana):
        assert text not in shown.text + chat.text
    assert [each["Line"]["Message"] for each in chat.json()["Values"]] == ["you fool"]

    named = await key_with(database, "reports.read", "reports.reporters")
    [full] = (await details(client, case, named))["Reports"]
    assert full["ReporterPlayerName"] == "Ana"
    chat = (await client.get(f"{CASES}/{case}/chat", headers=named)).json()
    assert [each["Line"]["Message"] for each in chat["Values"]] == ["you fool", None]
    private = await key_with(database, "reports.read", "reports.reporters", "chat.private")
    chat = (await client.get(f"{CASES}/{case}/chat", headers=private)).json()
    assert [each["Line"]["Message"] for each in chat["Values"]] == ["you fool", "in private"]


async def test_a_sanction_needs_the_scope_of_sanctions(client, database, case):
    handler = await key_with(database, "reports.read", "reports.manage")
    for body, scope in (
        ({"outcome": "ban", "reason": "x"}, "sanctions.manage"),
        ({"template": "spam"}, "sanctions.manage"),
        ({"sanction": "AAAA-AAAA"}, "sanctions.manage"),
        ({"outcome": "kick"}, "commands"),
    ):
        answer = await close(client, case, handler, **body)
        assert refused(answer) == (403, "role_required")
        assert scope in answer.text
    assert (await close(client, case, handler, outcome="none")).status_code == 200


async def test_private_lines_are_evidence_only_for_those_who_may_read_them(client, database, case):
    realm = await GameServer.register(client)
    bully = (await client.get("/api/v1/players/Bully")).json()["Id"]
    ana = (await client.get("/api/v1/players/Ana")).json()["Id"]
    whisper = said(bully, "in private", channel="pm", targetId=ana)
    await say(realm, whisper)
    await filed(client, "Ana", "Bully")
    moderator = await key_with(database, *MODERATOR)

    ban = {"outcome": "ban", "reason": "insults"}
    refusal = await close(client, case, moderator, **ban, excerpt=[whisper["id"]])
    assert refused(refusal) == (403, "role_required")
    assert "chat.private" in refusal.text
    closed = await close(client, case, moderator, **ban)
    assert closed.status_code == 200, closed.text
    path = f"/api/v1/sanctions/{closed.json()['SanctionId']}/excerpt"
    assert (await client.get(path)).json()["Values"] == []


async def test_a_reader_changes_nothing(client, database, case):
    reader = await key_with(database, "reports.read", "reports.reporters", "sanctions.manage")
    for what in ("claim", "release", "notes", "evidence", "close", "reopen"):
        answer = await post(client, case, what, reader, outcome="none", text="x", messages=[])
        assert refused(answer) == (403, "role_required")


async def test_nobody_handles_their_own_case(client, database, case):
    """A moderator who is reported neither reads nor handles the case."""
    user = await make_user(database, "Mona")
    await make_player(database, "MonaPlays", user=user)
    await make_staff(database, "moderator", user=user)
    headers, browser = await staff_session(database, user=user), without_key(client)
    await filed(client, "Ana", "MonaPlays")
    [own] = await queue(client, user="Mona")
    for path in (f"{CASES}/{own['Id']}", f"{CASES}/{own['Id']}/chat"):
        assert refused(await browser.get(path, headers=headers)) == (403, "own_case")
    for what in ("claim", "notes", "evidence", "close"):
        body = {"outcome": "none", "text": "x", "messages": []}
        answer = await post(browser, own["Id"], what, headers, **body)
        assert refused(answer) == (403, "own_case")
    assert (await post(browser, case, "claim", headers)).status_code == 200


async def test_a_case_about_a_higher_rank_is_not_handled(client, database, case):
    name, _ = await account_with(database, "user_management", "ban")
    user = await database.reader.value("SELECT id FROM users WHERE name = $1", name)
    await make_player(database, "Boss", user=user)
    await filed(client, "Ana", "Boss")
    [boss] = await queue(client, user=name)
    moderator = await key_with(database, *MODERATOR)
    assert refused(await post(client, boss["Id"], "claim", moderator)) == (403, "outranked")
    assert refused(await close(client, boss["Id"], moderator, outcome="none")) == (
        403,
        "outranked",
    )


async def test_unknown_cases(client):
    unknown = str(uuid4())
    for what in ("claim", "release", "notes", "close", "reopen"):
        answer = await post(client, unknown, what, outcome="none", text="x")
        assert refused(answer) == (404, "case_not_found")
    assert refused(await client.get(f"{CASES}/{unknown}")) == (404, "case_not_found")
    assert refused(await client.get(f"{CASES}/{unknown}/chat")) == (404, "case_not_found")
