"""Beyond a limit: requested, approved by somebody else, and carried out once."""

import asyncio
from collections import Counter
from uuid import uuid4

import pytest

from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import chain, verify_chain
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.approvals.callers import APPROVALS, approval_id
from tests.contract.outcomes import outcome, refusal
from tests.history.ledgers import row_counts
from tests.make import BY, make_item, make_player, make_user

OWN = refusal(
    403,
    "own_request",
    "You cannot decide your own request, not even with an API key that you created.",
)


async def actions(database, *kinds: str):
    return await database.reader.rows(
        """
        SELECT kind, actor, approved_by, approved_by_name, reason, before, after
          FROM actions WHERE kind = ANY($1) ORDER BY id
        """,
        list(kinds),
    )


# ── Requested ──


async def test_a_gift_beyond_a_limit_becomes_a_request(office):
    answer = await office.supporter.give(
        office.player, office.potion, 6, headers={"X-Reason": "lost in a crash"}
    )

    approval = approval_id(answer)
    shown = await office.supporter.approval(approval)
    status, said = outcome(answer)
    assert said.pop("RequestId") == answer.headers["x-request-id"]
    assert (status, said) == (
        202,
        {
            "Message": "This exceeds your limits. Another staff member must approve the request.",
            "Code": "approval_required",
            "Details": {"ApprovalId": approval, "ExpiresAt": shown["ExpiresAt"]},
        },
    )
    assert await office.pieces() == 0
    when = {"RequestedAt": shown["RequestedAt"], "ExpiresAt": shown["ExpiresAt"]}
    assert shown == when | {
        "Id": approval,
        "Kind": "items.give",
        "State": "pending",
        "Change": {
            "player": str(office.player),
            "item_id": str(office.potion),
            "quantity": 6,
            "overflow_to_bank": False,
            "stat_buffs": [0, 0, 0, 0, 0],
        },
        "Exceeded": {"Limit": "pieces_per_day", "Allowed": 5, "Used": 0, "Wanted": 6},
        "Reason": "lost in a crash",
        "RequestedBy": office.supporter.actor,
        "RequestedByName": "caller",
        "DecidedBy": None,
        "DecidedByName": None,
        "DecidedAt": None,
        "DecisionReason": None,
        "Result": None,
    }
    [asked] = await actions(office.database, "approvals.request")
    assert (asked["actor"], asked["reason"]) == (office.supporter.actor, "lost in a crash")
    assert asked["after"]["approval"] == approval


async def test_what_would_be_refused_anyway_is_refused_and_not_requested(office):
    nobody = await office.supporter.give(uuid4(), office.potion, 6)
    too_many = await office.supporter.give(office.player, office.potion, 10_000)

    assert (nobody.status_code, too_many.status_code) == (404, 409)
    assert await office.database.reader.value("SELECT count(*) FROM approval_requests") == 0


async def test_a_retry_gets_the_same_answer_and_requests_nothing_more(office):
    again = {"Idempotency-Key": "once"}
    first = await office.supporter.give(office.player, office.potion, 6, headers=again)
    await office.database.write(lambda writer: writer.run("UPDATE api_keys SET limits = '{}'"))

    answers = await asyncio.gather(
        *(office.supporter.give(office.player, office.potion, 6, headers=again) for _ in range(5))
    )

    assert {answer.content for answer in answers} == {first.content}
    assert {answer.status_code for answer in answers} == {202}
    assert {answer.headers["idempotency-replayed"] for answer in answers} == {"true"}
    assert await office.database.reader.value("SELECT count(*) FROM approval_requests") == 1
    assert await office.pieces() == 0


async def test_of_the_same_request_five_times_at_once_one_request_is_made(office):
    """Together in one batch, or in two processes: one key, one answer."""
    again = {"Idempotency-Key": "once"}

    answers = await asyncio.gather(
        *(office.supporter.give(office.player, office.potion, 6, headers=again) for _ in range(10))
    )

    assert {answer.status_code for answer in answers} == {202}
    assert len({approval_id(answer) for answer in answers}) == 1
    assert await office.database.reader.value("SELECT count(*) FROM approval_requests") == 1


async def test_a_request_is_about_the_character_that_was_meant(office):
    """Another may have the name by the time of the approval."""
    approval = approval_id(await office.supporter.give("Ana", office.potion, 6))
    boss = office.administrator
    await boss.call("POST", "/api/v1/players/Ana/name", json={"name": "Lyra"})
    other = await make_player(office.database, "Ana")

    assert (await boss.approve(approval)).status_code == 200

    owner = await office.database.reader.value("SELECT DISTINCT player_id FROM slots")
    assert (owner, owner == other) == (office.player, False)


async def test_a_list_shows_whom_the_requests_are_about_with_one_statement_more(office, statements):
    """As they are called now; accounts only to whoever may read them."""
    owner = await make_user(office.database, "bo")
    await make_player(office.database, "Bo", user=owner)
    await office.supporter.give("Ana", office.potion, 6)
    await office.supporter.give("Bo", office.potion, 6)
    span = {"from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"}
    for _ in range(2):
        await office.administrator.give("Bo", office.potion, 1)
        await take(office, "Bo")
    sweep = await office.supporter.call(
        "POST", "/api/v1/actions/undo", json={"user": str(owner), **span}
    )
    assert sweep.status_code == 202, sweep.text
    boss, reader = office.administrator, await office.caller("approvals")
    await boss.call("POST", "/api/v1/players/Ana/name", json={"name": "Lyra"})

    with statements() as plain:
        page = await boss.call("GET", APPROVALS)
    with statements() as named:
        listed = (await boss.call("GET", f"{APPROVALS}?names=true")).json()["Values"]
    few = (await reader.call("GET", f"{APPROVALS}?names=true")).json()["Values"]

    assert "PlayerName" not in page.json()["Values"][0]
    assert [(one["PlayerName"], one["UserName"]) for one in listed] == [
        (None, "bo"),
        ("Bo", None),
        ("Lyra", None),
    ]
    assert [one["PlayerName"] for one in few] == [None, "Bo", "Lyra"]
    assert not any("UserName" in one for one in few)
    assert len(named) - len(plain) == 1


async def take(office, name: str) -> None:
    body = {"itemid": str(office.potion), "quantity": 1}
    answer = await office.administrator.call(
        "POST", f"/api/v1/players/{name}/items/take", json=body
    )
    assert answer.is_success


async def test_fifty_gifts_at_once_give_exactly_the_limit_and_request_the_rest(office):
    """One supporter, two applications."""
    supporter = await office.caller("players.items", pieces_per_day=20)
    players = [await make_player(office.database) for _ in range(5)]

    answers = await asyncio.gather(
        *(supporter.give(players[n % 5], office.potion) for n in range(50))
    )

    assert Counter(answer.status_code for answer in answers) == {200: 20, 202: 30}
    assert await office.pieces() == 20
    requested = {approval_id(answer) for answer in answers if answer.status_code == 202}
    assert len(requested) == 30
    listed = await office.administrator.call("GET", f"{APPROVALS}?state=pending&pageSize=100")
    assert {entry["Id"] for entry in listed.json()["Values"]} == requested


async def test_nobody_piles_up_requests_without_end(office, monkeypatch):
    monkeypatch.setattr("gamekeeper.approvals.requests.MOST_PENDING", 2)

    answers = [await office.supporter.give(office.player, office.potion, 6) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [202, 202, 409]
    assert answers[2].json()["Code"] == "too_many_pending_approvals"
    await office.administrator.reject(approval_id(answers[0]))
    assert (await office.supporter.give(office.player, office.potion, 6)).status_code == 202


# ── Seen ──


async def test_who_may_not_approve_sees_only_requests_of_their_own(office):
    other = await office.caller("players.items", pieces_per_day=0)
    mine = approval_id(await office.supporter.give(office.player, office.potion, 6))
    theirs = approval_id(await other.give(office.player, office.potion, 1))

    async def listed(caller, query: str = "") -> list[str]:
        answer = await caller.call("GET", APPROVALS + query)
        assert answer.json()["Total"] == answer.json()["Count"]
        return [entry["Id"] for entry in answer.json()["Values"]]

    assert await listed(office.supporter) == [mine]
    assert await listed(other) == [theirs]
    assert await listed(office.administrator) == [theirs, mine]
    assert await listed(office.administrator, "?state=approved") == []
    answer = await other.call("GET", f"{APPROVALS}/{mine}")
    unknown = await other.call("GET", f"{APPROVALS}/{uuid4()}")
    assert (answer.status_code, answer.json()["Code"]) == (404, "approval_not_found")
    assert (unknown.status_code, unknown.json()["Code"]) == (404, "approval_not_found")


# ── Approved ──


async def test_an_approved_gift_is_the_requesters_and_names_both(office, settings):
    about = {"headers": {"X-Reason": "a crash"}}
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6, **about))

    answer = await office.administrator.approve(approval, reason="seen the log")

    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown["State"], shown["DecisionReason"]) == ("approved", "seen the log")
    assert shown["DecidedBy"] == office.administrator.actor
    assert shown["Result"] == {"total": 6, "bank": 0, "inventory": 6}
    assert await office.supporter.approval(approval) == shown
    assert await office.pieces() == 6
    given, decided = await actions(office.database, "items.give", "approvals.approve")
    assert (given["actor"], given["approved_by"], given["approved_by_name"], given["reason"]) == (
        office.supporter.actor,
        office.administrator.actor,
        "caller",
        "a crash",
    )
    assert (decided["actor"], decided["reason"]) == (office.administrator.actor, "seen the log")
    assert decided["after"]["approval"] == approval
    await chain.catch_up(office.database)
    report = await verify_chain.find(settings)
    assert report.breaches == []
    listed = await office.administrator.call("GET", "/api/v1/actions?kind=items.give")
    [entry] = listed.json()["Values"]
    assert (entry["Actor"], entry["ApprovedBy"]) == (
        office.supporter.actor,
        office.administrator.actor,
    )


async def test_what_was_approved_does_not_count_against_the_requesters_limits(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    await office.administrator.approve(approval)

    assert (await office.supporter.give(office.player, office.potion, 5)).status_code == 200
    assert (await office.supporter.give(office.player, office.potion, 1)).status_code == 202


async def test_twenty_approve_at_once_and_it_is_carried_out_once(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    others = [await office.caller() for _ in range(4)]

    answers = await asyncio.gather(*(others[n % 4].approve(approval) for n in range(20)))

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 19}
    assert await office.pieces() == 6
    assert len(await actions(office.database, "items.give", "approvals.approve")) == 2


async def test_of_an_approval_and_a_rejection_at_once_one_counts(office):
    for _ in range(5):
        approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
        before = await office.pieces()
        approved, rejected = await asyncio.gather(
            office.administrator.approve(approval), office.administrator.reject(approval)
        )
        state = (await office.supporter.approval(approval))["State"]
        assert sorted([approved.status_code, rejected.status_code]) == [200, 409]
        assert state == ("approved" if approved.status_code == 200 else "rejected")
        assert await office.pieces() - before == (6 if state == "approved" else 0)


async def test_a_change_that_became_impossible_is_refused_and_stays_pending(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    full = Gift(by=BY, player=str(office.player), item_id=office.potion, quantity=350)
    await items.give.one(office.database, full)
    before = await row_counts(office.database)

    answer = await office.administrator.approve(approval)

    assert (answer.status_code, answer.json()["Code"]) == (409, "inventory_full")
    assert await row_counts(office.database) == before
    assert (await office.supporter.approval(approval))["State"] == "pending"


async def test_a_retried_approval_gets_the_same_answer(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    path, headers = f"{APPROVALS}/{approval}/approve", {"Idempotency-Key": "yes"}

    first = await office.administrator.call("POST", path, json={}, headers=headers)
    again = await office.administrator.call("POST", path, json={}, headers=headers)

    assert (first.status_code, again.status_code) == (200, 200)
    assert first.content == again.content
    assert await office.pieces() == 6


async def test_a_rejected_request_changes_nothing_and_stays_rejected(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))

    answer = await office.administrator.reject(approval, reason="ask again tomorrow")

    assert (answer.status_code, answer.json()["State"]) == (200, "rejected")
    assert await office.pieces() == 0
    for decide in (office.administrator.approve, office.administrator.reject):
        late = await decide(approval)
        assert (late.status_code, late.json()["Code"]) == (409, "approval_decided")
        assert late.json()["Details"] == {"State": "rejected"}
    [decided] = await actions(office.database, "approvals.reject")
    assert decided["reason"] == "ask again tomorrow"


async def test_the_overview_counts_the_requests_that_wait(office):
    async def pending() -> int:
        overview = await office.administrator.call("GET", "/api/v1/overview")
        return overview.json()["PendingApprovals"]

    first, second, _ = [
        approval_id(await office.supporter.give(office.player, office.potion, 6)) for _ in range(3)
    ]
    assert await pending() == 3

    await office.administrator.reject(first)
    sql = "UPDATE approval_requests SET expires_at = now() WHERE id = $1"
    await office.database.write(lambda writer: writer.run(sql, second))

    assert await pending() == 1


async def test_a_request_expires_after_72_hours(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    hours = "SELECT extract(epoch FROM expires_at - requested_at) / 3600 FROM approval_requests"
    assert await office.database.reader.value(hours) == 72
    await office.database.write(
        lambda writer: writer.run("UPDATE approval_requests SET expires_at = now()")
    )

    for decide in (office.administrator.approve, office.administrator.reject):
        answer = await decide(approval)
        assert (answer.status_code, answer.json()["Code"]) == (409, "approval_expired")

    assert (await office.supporter.approval(approval))["State"] == "expired"
    for state, count in (("expired", 1), ("pending", 0)):
        listed = await office.administrator.call("GET", f"{APPROVALS}?state={state}")
        assert listed.json()["Total"] == count
    assert await office.pieces() == 0


# ── By whom ──


async def test_nobody_decides_on_a_request_of_their_own(office):
    scopes = ("players.items", "approvals", "keys.manage")
    both = await office.caller(*scopes, pieces_per_day=0)
    approval = approval_id(await both.give(office.player, office.potion))

    assert outcome(await both.approve(approval)) == OWN
    assert outcome(await both.reject(approval)) == OWN


@pytest.mark.parametrize("relation", ["made by the requester", "the maker", "of the same maker"])
async def test_nobody_decides_with_another_key_of_the_same_person(office, relation):
    boss = await office.caller()
    by = AuditContext(actor=boss.actor, name="boss")
    scopes = ("players.items", "approvals")
    one = await office.caller(*scopes, by=by, pieces_per_day=0)
    by_one = AuditContext(actor=one.actor, name="one")
    approver = {
        "made by the requester": await office.caller(*scopes, by=by_one),
        "the maker": boss,
        "of the same maker": await office.caller(*scopes, by=by),
    }[relation]
    approval = approval_id(await one.give(office.player, office.potion))

    assert outcome(await approver.approve(approval)) == OWN
    assert await office.pieces() == 0
    assert (await office.administrator.approve(approval)).status_code == 200


async def test_an_approver_needs_the_scope_of_the_change(office):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    without_approvals = await office.caller("players.items")
    without_items = await office.caller("approvals")

    for caller, role in ((without_approvals, "approvals"), (without_items, "players.items")):
        answer = await caller.approve(approval)
        assert (answer.status_code, answer.json()["Details"]) == (403, {"Role": role})
    # To reject, it need not be able to do it.
    assert (await without_items.reject(approval)).status_code == 200


async def test_an_approver_with_limits_approves_within_them(office):
    lead = await office.caller("players.items", "approvals", pieces_per_day=10)
    one, two = [
        approval_id(await office.supporter.give(office.player, office.potion, 6)) for _ in range(2)
    ]

    assert (await lead.approve(one)).status_code == 200
    beyond = await lead.approve(two)

    assert (beyond.status_code, beyond.json()["Code"]) == (403, "limit_exceeded")
    assert (await office.supporter.approval(two))["State"] == "pending"
    assert (await lead.give(office.player, office.potion, 4)).status_code == 200
    assert (await lead.give(office.player, office.potion, 1)).status_code == 202


@pytest.mark.parametrize("change", ["revoked_at = now()", "scopes = '{players.read}'"])
async def test_what_the_requester_may_not_do_any_more_is_not_carried_out(office, change):
    approval = approval_id(await office.supporter.give(office.player, office.potion, 6))
    await office.database.write(
        lambda writer: writer.run(
            f"UPDATE api_keys SET {change} WHERE id = $1", office.supporter.id
        )
    )

    answer = await office.administrator.approve(approval)

    assert (answer.status_code, answer.json()["Code"]) == (409, "requester_lost_rights")
    assert await office.pieces() == 0


# ── Every kind of change ──


async def test_a_transaction_beyond_a_limit_is_requested_and_its_neighbours_are_done(office):
    other = await make_item(office.database, "Rope")

    def order(key: str, item, quantity: int):
        move = {"do": "items", "itemid": str(item), "quantity": quantity, "to": "Ana"}
        spell = {"do": "progress", "player": "Ana", "gain": 7}
        return {"key": key, "moves": [move, spell], "reason": f"reason {key}"}

    body = {"transactions": [order("1", office.potion, 5), order("2", office.potion, 1)]}
    body["transactions"].append(order("3", other, 5))
    first = (await office.supporter.call("POST", "/api/v1/transactions", json=body)).json()
    again = (await office.supporter.call("POST", "/api/v1/transactions", json=body)).json()

    assert [entry["Status"] for entry in first["Values"]] == [200, 202, 200]
    assert [entry["Status"] for entry in again["Values"]] == [200, 202, 200]
    failure = first["Values"][1]["Failure"]
    assert (failure["Code"], again["Values"][1]["Failure"]) == ("approval_required", failure)
    assert await office.pieces() == 10
    approval = failure["Details"]["ApprovalId"]
    asked = (await office.supporter.approval(approval))["Change"]
    assert asked["moves"][0]["target"]["player"] == str(office.player)
    assert asked["moves"][1]["player"] == str(office.player)
    shown = (await office.administrator.approve(approval)).json()
    assert (shown["Kind"], shown["Reason"], shown["State"]) == (
        *("transaction", "reason 2", "approved"),
    )
    assert await office.pieces() == 11
    assert await office.database.reader.value("SELECT exp FROM players") == 21


async def test_a_restore_beyond_a_limit_is_requested(office):
    boss = office.administrator
    await boss.give(office.player, office.potion, 9)
    then = await office.database.reader.value("SELECT clock_timestamp()")
    body = {"itemid": str(office.potion), "quantity": 9}
    await boss.call("POST", "/api/v1/players/Ana/items/take", json=body)
    path = "/api/v1/players/Ana/items/restore"
    at = {"at": then.isoformat()}

    previewed = await office.supporter.call("POST", path, json=at | {"dryrun": True})
    slot = {"slots": [{"place": "inventory", "slot": 0}]}
    approval = approval_id(await office.supporter.call("POST", path, json=at | slot))

    assert previewed.status_code == 200
    shown = (await boss.approve(approval)).json()
    assert (shown["Kind"], shown["State"]) == ("items.restore", "approved")
    assert await office.pieces() == 9


async def test_undos_beyond_a_limit_are_requested(office):
    boss = office.administrator
    supporter = await office.caller("actions.undo", "players.items", undos_per_day=0)
    await boss.give(office.player, office.potion, 9)
    [given] = await office.database.reader.rows("SELECT id FROM actions WHERE kind = 'items.give'")
    path = f"/api/v1/actions/{given['id']}/undo"

    assert (await supporter.call("POST", path, json={"dryrun": True})).status_code == 200
    approval = approval_id(await supporter.call("POST", path, json={}))
    blind = await office.caller("approvals", "actions.undo")
    refused = await blind.approve(approval)
    shown = (await boss.approve(approval)).json()

    assert (refused.status_code, refused.json()["Details"]) == (403, {"Role": "players.items"})
    assert (shown["Kind"], shown["State"]) == ("undo.action", "approved")
    assert await office.pieces() == 0
    again = await supporter.call("POST", path, json={})
    assert (again.status_code, again.json()["Code"]) == (409, "already_undone")


async def test_the_undo_of_a_trade_beyond_a_limit_is_requested(office):
    boss = office.administrator
    await make_player(office.database, "Bob")
    await boss.give(office.player, office.potion, 9)
    move = {"do": "items", "itemid": str(office.potion), "quantity": 9, "from": "Ana", "to": "Bob"}
    body = {"transactions": [{"key": "trade", "moves": [move]}]}
    done = (await boss.call("POST", "/api/v1/transactions", json=body)).json()
    path = f"/api/v1/transactions/{done['Values'][0]['Done']['Id']}/undo"

    approval = approval_id(await office.supporter.call("POST", path, json={}))

    assert (await office.supporter.approval(approval))["Exceeded"]["Wanted"] == 2
    assert (await boss.approve(approval)).json()["State"] == "approved"
    held = await office.database.reader.value(
        "SELECT players.name FROM slots JOIN players ON players.id = player_id"
    )
    assert held == "Ana"


async def test_a_bulk_undo_of_a_player_beyond_a_limit_is_requested_whole(office):
    server = await office.caller("players.items")
    await server.give(office.player, office.potion, 6)
    for _ in range(3):
        path = f"/api/v1/players/{office.player}/items/take"
        await server.call("POST", path, json={"itemid": str(office.potion), "quantity": 2})
    body = {"player": str(office.player), "from": "2020-01-01T00:00:00Z"}
    body |= {"to": "2100-01-01T00:00:00Z"}

    answer = await office.supporter.call("POST", "/api/v1/actions/undo", json=body)

    approval = approval_id(answer)
    assert await office.pieces() == 0
    blind = await office.caller("approvals", "actions.undo")
    assert (await blind.approve(approval)).json()["Code"] == "outranked"
    shown = (await office.administrator.approve(approval)).json()
    assert (shown["Kind"], shown["State"]) == ("undo.actor", "approved")
    [recipient] = shown["Result"]["Recipients"]
    assert (recipient["PlayerId"], recipient["Undone"]) == (None, 3)
    assert await office.pieces() == 6


async def test_a_bulk_undo_beyond_a_limit_is_requested_whole(office):
    thief = await office.caller("players.items")
    for _ in range(3):
        await thief.give(office.player, office.potion, 2)
    body = {"actor": thief.actor, "from": "2020-01-01T00:00:00Z", "to": "2100-01-01T00:00:00Z"}

    answer = await office.supporter.call("POST", "/api/v1/actions/undo", json=body)

    approval = approval_id(answer)
    assert await office.pieces() == 6
    blind = await office.caller("approvals", "actions.undo")
    assert (await blind.approve(approval)).json()["Code"] == "outranked"
    shown = (await office.administrator.approve(approval)).json()
    assert (shown["Kind"], shown["State"]) == ("undo.actor", "approved")
    assert [kind["Undone"] for kind in shown["Result"]["Kinds"]] == [3]
    assert await office.pieces() == 0
