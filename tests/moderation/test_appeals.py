"""Appeals: what a player says by a code, and what staff answers."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.moderation import appeal_queue, appeals
from gamekeeper.moderation.appeal_queue import AppealDecided, AppealDecision, AppealNotFound
from gamekeeper.moderation.appeals import AppealPending, NewAppeal, UnknownSanctionCode
from tests.make import BY, make_player, make_user
from tests.moderation.rows import CODE, make_sanction

TEXT = "It was my brother who played."
PATH = "/api/v1/appeals"
HOUR = timedelta(hours=1)
KEY = Principal(id="key:tests", name="tests")


async def lift(database: Database, id_: UUID) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE sanctions SET lifted_at = now(), lifted_by = 'system', lifted_by_name = 'x',
                                 lift_reason = '' WHERE id = $1
            """,
            id_,
        )
    )


async def submitted(client: httpx2.AsyncClient, code: str = CODE, text: str = TEXT) -> Any:
    # Without a credential: a banned player has none.
    return await client.post(PATH, json={"code": code, "text": text}, headers=ANONYMOUS)


async def status(client: httpx2.AsyncClient, code: str = CODE) -> Any:
    return await client.post(f"{PATH}/status", json={"code": code}, headers=ANONYMOUS)


ANONYMOUS = {"Authorization": ""}


async def queue(client: httpx2.AsyncClient, **query: str) -> list[dict[str, Any]]:
    answer = await client.get(PATH, params={"pageSize": "100"} | query)
    assert answer.status_code == 200
    assert answer.json()["Total"] == len(answer.json()["Values"])
    return answer.json()["Values"]


async def decided(client: httpx2.AsyncClient, appeal: str, *, lift: bool = False, **about: str):
    body = {"lift": lift, "answer": "We looked again.", "reason": "logs"} | about
    return await client.post(f"{PATH}/{appeal}/decide", json=body)


async def actions(database: Database) -> list[tuple[str, str]]:
    rows = await database.reader.rows(
        "SELECT kind, actor FROM actions WHERE kind LIKE 'appeals.%' ORDER BY id"
    )
    return [(row["kind"], row["actor"].partition(":")[0]) for row in rows]


async def count(database: Database) -> int:
    return await database.reader.value("SELECT count(*) FROM appeals")


def code_of(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


UNKNOWN = (404, "unknown_sanction_code")

# ── Players ──


async def test_a_code_tells_what_the_player_may_know_and_no_more(client, database):
    until = datetime(2099, 1, 2, 3, 4, 5, tzinfo=UTC)
    start = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    await make_sanction(database, starts_at=start, ends_at=until)

    answer = await status(client)

    assert answer.status_code == 200
    assert answer.json() == {
        "Code": CODE,
        "Kind": "ban",
        "Target": "account",
        "State": "in_force",
        "StartsAt": "2026-01-02T03:04:05Z",
        "Until": "2099-01-02T03:04:05Z",
        "Message": "You used a bot.",
        "MayAppeal": True,
        "AppealsLeft": 3,
        "Appeals": [],
    }


async def test_an_appeal_waits_in_the_queue_and_the_player_sees_that(client, database):
    user = await make_user(database, "Ana")
    player = await make_player(database, "Lyra", user=user)
    id_ = await make_sanction(database, kind="mute", user_id=user, player_id=player)

    answer = await submitted(client, text=f"  {TEXT}\n")

    assert answer.status_code == 200
    seen = answer.json()
    assert (seen["Target"], seen["MayAppeal"], seen["AppealsLeft"]) == ("character", False, 2)
    [outcome] = seen["Appeals"]
    assert outcome == {
        "State": "open",
        "OpenedAt": outcome["OpenedAt"],
        "DecidedAt": None,
        "Answer": None,
    }
    assert (await status(client)).json() == seen
    [waiting] = await queue(client, state="open")
    assert waiting == {
        "Id": waiting["Id"],
        "State": "open",
        "Text": TEXT,
        "OpenedAt": outcome["OpenedAt"],
        "DecidedAt": None,
        "DecidedBy": None,
        "DecidedByName": None,
        "Answer": None,
        "Reason": None,
        "Sanction": waiting["Sanction"],
        "ImposedByYou": False,
    }
    about = waiting["Sanction"]
    assert (about["Id"], about["Code"], about["Kind"]) == (str(id_), CODE, "mute")
    assert (about["UserName"], about["PlayerName"]) == ("Ana", "Lyra")
    assert (about["Reason"], about["ImposedByName"]) == ("seen by three players", "Mod")


async def test_a_code_is_read_as_people_type_it(client, database):
    await make_sanction(database)
    for typed in ("a1b2-c3d4", "A1B2C3D4", " a1b2 - c3d4\t", "A1B2-C3D4\n"):
        assert (await status(client, typed)).json()["Code"] == CODE


async def test_what_cannot_be_a_code_is_an_unknown_one(client, database):
    for typed in ("", "A1B2", "A1B2-C3D", "A1B2-C3D44", "A1B2-C3Dö", "%", "x" * 999):
        assert code_of(await status(client, typed)) == UNKNOWN
    assert await database.reader.value("SELECT count(*) FROM guess_budgets") == 0


async def test_the_code_of_a_note_is_answered_as_one_that_nobody_has(client, database):
    await make_sanction(database, kind="note")
    unknown, note = await status(client, "ZZZZ-ZZZZ"), await status(client)
    assert code_of(note) == UNKNOWN
    for answer in (unknown, note):
        del (known := answer.json())["RequestId"]
        assert known["Message"] == str(UnknownSanctionCode())
    assert code_of(await submitted(client)) == UNKNOWN
    assert await count(database) == 0


async def test_an_appeal_has_a_text_of_some_length(client, database):
    await make_sanction(database)
    for text in ("", " \n", "x" * 4001):
        assert code_of(await submitted(client, text=text)) == (400, "invalid_appeal")
    assert await count(database) == 0


async def test_the_longest_text_may_be_of_the_widest_characters(client, database):
    await make_sanction(database)
    answer = await submitted(client, text="🗝" * 4000)
    assert answer.status_code == 200


async def test_what_is_over_cannot_be_appealed(client, database):
    now = datetime.now(UTC)
    await make_sanction(database, starts_at=now - 2 * HOUR, ends_at=now - HOUR)
    assert code_of(await submitted(client)) == (409, "sanction_over")
    seen = (await status(client)).json()
    assert (seen["State"], seen["MayAppeal"], seen["AppealsLeft"]) == ("ended", False, 0)
    assert await count(database) == 0
    assert await actions(database) == []


async def test_what_is_yet_to_begin_can_be_appealed(client, database):
    now = datetime.now(UTC)
    await make_sanction(database, starts_at=now + HOUR, ends_at=now + 2 * HOUR)
    assert (await status(client)).json()["State"] == "scheduled"
    assert (await submitted(client)).status_code == 200


async def test_a_sanction_is_appealed_three_times_one_after_another(client, database):
    await make_sanction(database)
    for number in (1, 2, 3):
        assert (await submitted(client)).status_code == 200
        assert code_of(await submitted(client)) == (409, "appeal_pending")
        [waiting] = await queue(client, state="open")
        assert (await decided(client, waiting["Id"], answer=f"No, {number}.")).status_code == 200
    assert code_of(await submitted(client)) == (409, "no_appeals_left")
    seen = (await status(client)).json()
    assert [appeal["Answer"] for appeal in seen["Appeals"]] == ["No, 1.", "No, 2.", "No, 3."]
    assert (seen["MayAppeal"], seen["AppealsLeft"]) == (False, 0)


async def test_of_twenty_appeals_at_once_one_is_taken(client, database):
    await make_sanction(database)
    answers = await asyncio.gather(*(submitted(client) for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert await count(database) == 1
    assert await actions(database) == [("appeals.open", "anonymous")]


async def test_in_one_list_only_the_refused_are_refused(database):
    ids = [await make_sanction(database, code) for code in ("AAAA-AAAA", "BBBB-BBBB")]
    note = await make_sanction(database, "CCCC-CCCC", kind="note")
    wanted = [ids[0], uuid4(), ids[0], note, ids[1]]
    orders = [NewAppeal(by=BY, sanction_id=one, text=TEXT) for one in wanted]

    outcomes = await appeals.submit(database, orders)

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [UUID, UnknownSanctionCode, AppealPending, UnknownSanctionCode, UUID]
    assert await count(database) == 2
    assert len(await actions(database)) == 2


async def test_the_audit_log_knows_of_an_appeal_but_not_what_it_says(client, database):
    user = await make_user(database)
    id_ = await make_sanction(database, user_id=user)
    await client.post(
        PATH, json={"code": CODE, "text": TEXT}, headers=ANONYMOUS | {"X-Reason": "spam"}
    )

    answer = await client.get("/api/v1/actions", params={"user": str(user)})

    [entry] = answer.json()["Values"]
    assert (entry["Kind"], entry["Actor"]) == ("appeals.open", "anonymous")
    assert entry["Reason"] is None
    assert entry["After"] == {
        "appeal_id": entry["After"]["appeal_id"],
        "sanction_id": str(id_),
        "kind": "ban",
    }
    assert TEXT not in answer.text
    assert CODE not in answer.text


# ── Guessing ──


async def test_guesses_from_an_address_are_slowed_down_and_leave_nothing(client, database):
    await make_sanction(database)
    for number in range(20):
        assert code_of(await status(client, f"ZZZZ-{number:04}")) == UNKNOWN
    blocked = await status(client, "ZZZZ-9999")
    assert code_of(blocked) == (429, "too_many_requests")
    assert 1 <= int(blocked.headers["Retry-After"]) <= 61
    assert code_of(await submitted(client)) == (429, "too_many_requests")
    assert await count(database) == 0


async def test_twenty_guesses_at_once_are_no_cheaper(client, database):
    answers = await asyncio.gather(*(status(client, f"ZZZZ-{number:04}") for number in range(40)))
    assert sorted(answer.status_code for answer in answers) == [404] * 20 + [429] * 20


async def test_a_right_code_does_not_count_against_an_address(client, database):
    for number in range(25):
        await make_sanction(database, f"AAAA-{number:04}")
        assert (await status(client, f"AAAA-{number:04}")).status_code == 200
    assert code_of(await status(client, "ZZZZ-ZZZZ")) == UNKNOWN


async def test_a_right_code_does_not_buy_guesses(client, database):
    """Whoever has a code of their own cannot use it to start the count anew."""
    await make_sanction(database)
    for number in range(19):
        assert code_of(await status(client, f"ZZZZ-{number:04}")) == UNKNOWN
        assert (await status(client)).status_code == 200
    assert code_of(await status(client, "ZZZZ-8888")) == UNKNOWN
    assert code_of(await status(client, "ZZZZ-9999")) == (429, "too_many_requests")


async def test_one_code_is_not_asked_for_without_end(client, database):
    await make_sanction(database)
    answers = [await status(client) for _ in range(31)]
    assert [answer.status_code for answer in answers] == [200] * 30 + [429]


# ── Staff ──


async def one_open(client: httpx2.AsyncClient, code: str = CODE) -> str:
    assert (await submitted(client, code)).status_code == 200
    [waiting] = [
        one for one in await queue(client, state="open") if one["Sanction"]["Code"] == code
    ]
    return waiting["Id"]


async def test_a_decision_that_lifts_lifts_the_sanction(client, database):
    id_ = await make_sanction(database)
    appeal = await one_open(client)

    answer = await decided(client, appeal, lift=True, answer=" You were right. ")

    assert answer.status_code == 200
    told = answer.json()
    assert (told["State"], told["Answer"], told["Reason"]) == ("lifted", "You were right.", "logs")
    assert (told["DecidedByName"], told["ImposedByYou"]) == ("tests", False)
    assert (await client.get(f"{PATH}/{appeal}")).json() == told
    about = (await client.get(f"{PATH}/{appeal}")).json()["Sanction"]
    assert (about["Id"], about["InForce"]) == (str(id_), False)
    assert (about["LiftedBy"], about["LiftReason"]) == (told["DecidedBy"], "logs")
    seen = (await status(client)).json()
    assert (seen["State"], seen["MayAppeal"]) == ("lifted", False)
    assert [(appeal["State"], appeal["Answer"]) for appeal in seen["Appeals"]] == [
        ("lifted", "You were right.")
    ]
    assert "logs" not in (await status(client)).text
    assert code_of(await submitted(client)) == (409, "sanction_over")


async def test_the_audit_log_tells_the_decision_and_the_lift_but_not_why(client, database):
    user = await make_user(database)
    await make_sanction(database, user_id=user)
    await decided(client, await one_open(client), lift=True, reason="an internal word")

    answer = await client.get("/api/v1/actions", params={"user": str(user)})

    entries = answer.json()["Values"]
    assert sorted(entry["Kind"] for entry in entries) == [
        "appeals.decide",
        "appeals.open",
        "sanctions.lift",
    ]
    assert [entry["After"]["lifted"] for entry in entries if entry["Kind"] == "appeals.decide"] == [
        True
    ]
    for kept_apart in ("an internal word", TEXT, "We looked again."):
        assert kept_apart not in answer.text


async def test_a_decision_that_keeps_changes_nothing_but_the_appeal(client, database):
    id_ = await make_sanction(database)
    appeal = await one_open(client)
    assert (await decided(client, appeal)).json()["State"] == "kept"
    assert await database.reader.value("SELECT lifted_at FROM sanctions WHERE id = $1", id_) is None
    assert await actions(database) == [("appeals.open", "anonymous"), ("appeals.decide", "key")]
    seen = (await status(client)).json()
    assert (seen["MayAppeal"], seen["AppealsLeft"]) == (True, 2)


async def test_an_appeal_is_decided_once(client, database):
    await make_sanction(database)
    appeal = await one_open(client)
    assert (await decided(client, appeal)).status_code == 200
    assert code_of(await decided(client, appeal, lift=True)) == (409, "appeal_decided")
    assert (await status(client)).json()["State"] == "in_force"


async def test_of_twenty_decisions_at_once_one_counts(client, database):
    id_ = await make_sanction(database)
    appeal = await one_open(client)
    answers = await asyncio.gather(
        *(decided(client, appeal, lift=number % 2 == 0) for number in range(20))
    )
    [good] = [answer.json() for answer in answers if answer.status_code == 200]
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    lifted = await database.reader.value("SELECT lifted_at FROM sanctions WHERE id = $1", id_)
    assert (good["State"] == "lifted") == (lifted is not None)
    assert len(await actions(database)) == 2


async def test_a_decision_that_is_sent_again_gets_the_same_answer(client, database):
    await make_sanction(database)
    appeal = await one_open(client)
    body = {"lift": True, "answer": "Yes."}
    answers = [
        await client.post(
            f"{PATH}/{appeal}/decide", json=body, headers={"Idempotency-Key": "decision-1"}
        )
        for _ in range(2)
    ]
    assert answers[0].status_code == 200
    assert answers[0].json() == answers[1].json()
    assert len(await actions(database)) == 2


async def test_in_one_list_of_decisions_only_the_refused_are_refused(client, database):
    for code in ("AAAA-AAAA", "BBBB-BBBB"):
        await make_sanction(database, code)
    first, second = [await one_open(client, code) for code in ("AAAA-AAAA", "BBBB-BBBB")]
    wanted = [UUID(first), uuid4(), UUID(first), UUID(second)]
    orders = [
        AppealDecision(by=BY, appeal_id=one, lift=True, answer="Yes.", caller=KEY) for one in wanted
    ]

    outcomes = await appeal_queue.decide(database, orders)

    kinds = [type(outcome) for outcome in outcomes]
    assert kinds == [appeal_queue.Appeal, AppealNotFound, AppealDecided, appeal_queue.Appeal]
    assert [one["State"] for one in await queue(client)] == ["lifted", "lifted"]


@pytest.mark.parametrize("how", ["lifted", "ended"])
async def test_the_end_of_a_sanction_closes_its_appeal(client, database, how):
    id_ = await make_sanction(database)
    appeal = await one_open(client)
    if how == "lifted":
        await lift(database, id_)
    else:
        await database.write(
            lambda writer: writer.run("UPDATE sanctions SET ends_at = now() WHERE id = $1", id_)
        )
    assert code_of(await decided(client, appeal)) == (409, "appeal_closed")
    assert await queue(client, state="open") == []
    assert [one["State"] for one in await queue(client, state="closed")] == ["closed"]
    seen = (await status(client)).json()
    assert (seen["State"], seen["Appeals"][0]["State"]) == (how, "closed")
    assert len(await actions(database)) == 1


async def test_the_queue_has_the_oldest_open_one_first_and_then_the_newest(client, database):
    codes = [f"AAAA-AAA{number}" for number in range(4)]
    for code in codes:
        await make_sanction(database, code)
        await one_open(client, code)
    for waiting in await queue(client):
        if waiting["Sanction"]["Code"] in codes[1:3]:
            await decided(client, waiting["Id"])
    order = [codes[0], codes[3], codes[2], codes[1]]
    assert [one["Sanction"]["Code"] for one in await queue(client)] == order
    assert [one["Sanction"]["Code"] for one in await queue(client, state="kept")] == order[2:]
    second = await client.get(PATH, params={"page": 1, "pageSize": 2})
    assert [entry["Sanction"]["Code"] for entry in second.json()["Values"]] == order[2:]
    assert second.json()["Total"] == 4


async def test_the_overview_counts_those_that_wait(client, database):
    async def waiting() -> int:
        return (await client.get("/api/v1/overview")).json()["OpenAppeals"]

    for code in ("AAAA-AAA0", "AAAA-AAA1"):
        await make_sanction(database, code)
        await one_open(client, code)
    ended = await make_sanction(database, "AAAA-AAA2")
    await one_open(client, "AAAA-AAA2")
    assert await waiting() == 3

    [first, *_] = await queue(client)
    await decided(client, first["Id"])
    assert await waiting() == 2
    # An appeal of a sanction that is over waits for nobody.
    await lift(database, ended)
    assert await waiting() == 1


async def test_a_page_of_the_queue_takes_as_many_statements_as_one_appeal(
    client, database, statements
):
    async def cost() -> int:
        with statements() as sent:
            await queue(client)
        return len([sql for sql in sent if "api_keys" not in sql])

    await make_sanction(database, "AAAA-AAA0")
    await one_open(client, "AAAA-AAA0")
    await queue(client)
    few = await cost()
    for number in range(1, 6):
        code = f"AAAA-AAA{number}"
        user = await make_user(database)
        await make_sanction(
            database, code, user_id=user, player_id=await make_player(database, user=user)
        )
        await one_open(client, code)
    assert await cost() == few


async def test_a_decision_has_an_answer_for_the_player(client, database):
    await make_sanction(database)
    appeal = await one_open(client)
    for answer in ("", "  ", "x" * 2001):
        assert code_of(await decided(client, appeal, answer=answer)) == (400, "invalid_answer")
    assert len(await queue(client, state="open")) == 1


async def test_whoever_imposed_it_is_told_so_and_may_decide(client, database):
    me = await database.reader.value("SELECT 'key:' || id FROM api_keys")
    await make_sanction(database, imposed_by=me)
    appeal = await one_open(client)
    assert (await client.get(f"{PATH}/{appeal}")).json()["ImposedByYou"] is True
    assert (await decided(client, appeal)).json()["ImposedByYou"] is True


def staff(user: UUID, *scopes: str) -> Principal:
    return Principal(id=f"user:{user}", name="staff", user_id=user, scopes=frozenset(scopes))


async def test_nobody_decides_about_themselves_or_about_who_holds_more(client, database):
    moderator = await make_user(database, "moderator")
    editor = await make_user(database, "editor", editor=True)
    await make_sanction(database, "AAAA-AAAA", user_id=moderator)
    await make_sanction(database, "BBBB-BBBB", user_id=editor)
    own, above = [await one_open(client, code) for code in ("AAAA-AAAA", "BBBB-BBBB")]
    caller = staff(moderator, "sanctions.read", "sanctions.manage")
    by = AuditContext(actor=caller.id, name=caller.name)

    outcomes = await appeal_queue.decide(
        database,
        [
            AppealDecision(by=by, appeal_id=UUID(one), lift=True, answer="Yes.", caller=caller)
            for one in (own, above)
        ],
    )

    assert [getattr(outcome, "code", "") for outcome in outcomes] == ["own_appeal", "outranked"]
    assert len(await queue(client, state="open")) == 2


async def test_an_appeal_that_is_not_there_is_not_found(client):
    for answer in (
        await client.get(f"{PATH}/{uuid4()}"),
        await decided(client, str(uuid4())),
    ):
        assert code_of(answer) == (404, "appeal_not_found")


async def test_each_call_needs_its_scope(client, database):
    scopes = ("sanctions.read", "sanctions.manage")
    made = {
        scope: await keys.create.one(database, keys.NewKey(by=BY, name=scope, scopes=(scope,)))
        for scope in scopes
    }
    await make_sanction(database)
    appeal = await one_open(client)
    for scope, key in made.items():
        headers = {"Authorization": f"Bearer {key}"}
        for path in (PATH, f"{PATH}/{appeal}"):
            got = await client.get(path, headers=headers)
            assert (got.status_code == 200) == (scope == "sanctions.read")
    refused = await client.post(
        f"{PATH}/{appeal}/decide",
        json={"lift": True, "answer": "Yes."},
        headers={"Authorization": f"Bearer {made['sanctions.read']}"},
    )
    assert code_of(refused) == (403, "role_required")


async def test_who_decides_is_told_the_file_only_if_they_may_read_it(client, database):
    await make_sanction(database, evidence=["https://example.org/1"])
    appeal = await one_open(client)
    key = await keys.create.one(
        database, keys.NewKey(by=BY, name="decider", scopes=("sanctions.manage",))
    )

    answer = await client.post(
        f"{PATH}/{appeal}/decide",
        json={"lift": False, "answer": "No.", "reason": "logs"},
        headers={"Authorization": f"Bearer {key}"},
    )

    assert answer.status_code == 200, answer.text
    told, whole = answer.json(), (await client.get(f"{PATH}/{appeal}")).json()
    assert (told["State"], told["Text"], told["Reason"]) == ("kept", "", "logs")
    assert (told["Sanction"]["Reason"], told["Sanction"]["Evidence"]) == ("", [])
    assert (whole["Text"], whole["Sanction"]["Reason"]) == (TEXT, "seen by three players")


async def test_a_deleted_account_takes_its_appeals_along(client, database):
    """What the player wrote is personal; the sanction stays."""
    user = await make_user(database)
    await make_sanction(database, user_id=user)
    await one_open(client)
    assert (await client.delete(f"/api/v1/users/{user}")).status_code == 200
    assert await count(database) == 0
    assert await database.reader.value("SELECT count(*) FROM sanctions") == 1
