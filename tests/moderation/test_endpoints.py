"""Sanctions over HTTP: what is answered, to whom, and what nobody else learns."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.sanctions.records import Sanction
from tests.contract.outcomes import outcome, refusal
from tests.make import BY, make_player, make_user
from tests.security.callers import account_with, key_with

PATH = "/api/v1/sanctions"
LADDER = {"message": "Please.", "steps": [{"kind": "warning"}, {"kind": "ban"}]}


async def impose(database: Database, **about: Any) -> Sanction:
    wanted = {"by": BY, "kind": "warning", "reason": "x"} | about
    return await sanctions.impose.one(database, Imposition(**wanted))


async def test_a_sanction_is_imposed_read_listed_and_lifted(client, database):
    ana = await make_user(database, "Ana")
    body = {"user": "ana", "kind": "mute", "durationSeconds": 60, "reason": "spam"}
    body |= {"message": "Calm down.", "evidence": ["https://example.org/1"]}

    status, made = outcome(await client.post(PATH, json=body))

    assert (status, made["Kind"], made["UserId"]) == (200, "mute", str(ana))
    assert (made["DryRun"], made["PlayerId"], made["Template"]) == (False, None, None)
    begun, ended = (datetime.fromisoformat(made[name]) for name in ("StartsAt", "EndsAt"))
    assert ended - begun == timedelta(minutes=1)
    read = (await client.get(f"{PATH}/{made['Code'].lower()}")).json()
    assert read == (await client.get(f"{PATH}/{made['Id']}")).json()
    assert (read["Reason"], read["Evidence"]) == ("spam", ["https://example.org/1"])
    assert (read["InForce"], read["UserName"], read["ImposedByName"]) == (True, "Ana", "tests")
    for path in (PATH, "/api/v1/users/ana/sanctions"):
        assert (await client.get(path)).json() == {"Values": [read], "Next": None}

    lifted = await client.post(f"{PATH}/{made['Code']}/lift", json={"reason": "mistake"})

    assert (lifted.status_code, lifted.json()["LiftReason"]) == (200, "mistake")
    again = await client.post(f"{PATH}/{made['Code']}/lift", json={"reason": "mistake"})
    told = {"Code": made["Code"]}
    assert outcome(again) == refusal(
        409, "already_lifted", "This sanction has already been lifted.", **told
    )


async def test_a_retry_imposes_nothing_twice(client, database):
    await make_user(database, "Ana")
    body = {"user": "ana", "kind": "ban", "reason": "bots"}
    headers = {"Idempotency-Key": uuid4().hex}
    first, second = [await client.post(PATH, json=body, headers=headers) for _ in range(2)]
    assert first.json() == second.json()
    assert await database.reader.value("SELECT count(*) FROM sanctions") == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid_sanction"),
        ({"user": "ana", "kind": "ban"}, 400, "invalid_sanction"),
        ({"user": "ana", "kind": "flogging", "reason": "x"}, 400, "invalid_body"),
        ({"user": "ana", "kind": "ban", "reason": "x" * 501}, 400, "invalid_body"),
        (
            {"user": "ana", "kind": "ban", "reason": "x", "evidence": ["x"] * 21},
            400,
            "invalid_body",
        ),
        (
            {"user": "ana", "kind": "ban", "reason": "x", "durationseconds": -1},
            400,
            "invalid_period",
        ),
        (
            {"user": "ana", "kind": "ban", "reason": "x", "durationseconds": 2**40},
            400,
            "invalid_body",
        ),
        ({"kind": "ban", "reason": "x"}, 400, "invalid_target"),
        ({"user": "x" * 500, "kind": "ban", "reason": "x"}, 404, "user_not_found"),
        ({"user": "ana", "template": "x" * 500}, 404, "template_not_found"),
    ],
    ids=range(10),
)
async def test_what_cannot_be_imposed_is_refused(client, database, body, status, code):
    await make_user(database, "Ana")
    answer = await client.post(PATH, json=body)
    assert (answer.status_code, answer.json()["Code"]) == (status, code)
    assert await database.reader.value("SELECT count(*) FROM sanctions") == 0


async def test_lists_are_filtered_and_go_on_where_they_ended(client, database):
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    await make_player(database, "Thief", user=user)
    made = [await impose(database, user="ana", kind=kind) for kind in ("ban", "mute", "note")]
    made += [await impose(database, player=name) for name in ("hero", "thief")]
    codes = [one.code for one in reversed(made)]

    async def listed(path: str) -> list[str]:
        found, more = [], ""
        while more is not None:
            page = (await client.get(f"{path}&limit=2{more}")).json()
            found += [entry["Code"] for entry in page["Values"]]
            more = page["Next"] and f"&cursor={page['Next']}"
        return found

    assert await listed(f"{PATH}?") == codes
    assert await listed("/api/v1/users/ana/sanctions?") == codes
    assert await listed("/api/v1/players/hero/sanctions?") == codes[1:]
    assert await listed(f"{PATH}?player=hero") == codes[1:2]
    assert await listed(f"{PATH}?kind=mute&user=ana") == codes[3:4]
    assert await listed(f"{PATH}?actor=system&inforce=true") == codes
    assert await listed(f"{PATH}?inforce=false") == []
    await client.post(f"{PATH}/{codes[0]}/lift", json={"reason": "x"})
    assert await listed(f"{PATH}?inforce=false") == codes[:1]
    odd = await client.get(f"{PATH}?cursor={uuid4()}")
    assert (odd.status_code, odd.json()["Code"]) == (400, "invalid_query")


async def test_templates_are_made_used_and_removed(client, database):
    await make_user(database, "Ana")
    made = await client.put(f"{PATH}/templates/spam", json=LADDER)
    assert made.status_code == 200, made.text
    assert (await client.get(f"{PATH}/templates/spam")).json() == made.json()
    assert (await client.get(f"{PATH}/templates")).json() == {"Values": [made.json()]}
    order = {"user": "ana", "template": "spam"}

    dry = (await client.post(PATH, json=order | {"dryrun": True})).json()
    wet = (await client.post(PATH, json=order)).json()
    second = (await client.post(PATH, json=order)).json()

    assert (dry["Id"], dry["Code"], dry["DryRun"], dry["Step"]) == (None, None, True, 1)
    assert (wet["Kind"], wet["Step"], wet["Message"]) == ("warning", 1, "Please.")
    assert (second["Kind"], second["Step"]) == ("ban", 2)
    assert (await client.delete(f"{PATH}/templates/spam")).json() == made.json()
    assert (await client.delete(f"{PATH}/templates/spam")).status_code == 404


# ── Who learns what ──


async def test_reasons_evidence_and_notes_are_for_those_who_may_read_sanctions(client, database):
    """The log, the events and the character's history tell that it happened, and no more."""
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    secret = {"reason": "SECRET", "evidence": ["https://SECRET.example"]}
    for target in ({"user": "ana"}, {"player": "hero"}):
        for kind in ("note", "ban"):
            made = await client.post(PATH, json=target | secret | {"kind": kind})
            code = made.json()["Code"]
            await client.post(f"{PATH}/{code}/lift", json={"reason": "SECRET too"})
    readers = await key_with(database, "actions.read", "players.read", "events.read", "commands")

    for path in (
        "/api/v1/actions?limit=100",
        "/api/v1/players/hero/history?limit=100",
        "/api/v1/events?after=0",
    ):
        answer = await client.get(path, headers=readers)
        assert answer.status_code == 200, answer.text
        assert "sanctions.impose" in answer.text
        assert "SECRET" not in answer.text
    for path in (PATH, f"{PATH}/{code}", "/api/v1/users/ana/sanctions"):
        assert (await client.get(path, headers=readers)).status_code == 403


@pytest.mark.parametrize(
    ("scopes", "reason", "evidence"),
    [
        (["sanctions.manage"], "", []),
        (["sanctions.manage", "sanctions.read"], "SECRET", ["https://example.org/1"]),
    ],
    ids=["without-reading", "with-reading"],
)
async def test_who_lifts_is_told_why_it_was_imposed_if_they_may_read_it(
    client, database, scopes, reason, evidence
):
    """Nor does a retry tell it."""
    await make_user(database, "Ana")
    made = await impose(database, user="ana", reason="SECRET", evidence=["https://example.org/1"])
    headers = await key_with(database, *scopes) | {"Idempotency-Key": uuid4().hex}

    first, second = [
        await client.post(f"{PATH}/{made.code}/lift", json={"reason": "mistake"}, headers=headers)
        for _ in range(2)
    ]

    assert first.status_code == 200, first.text
    assert (first.json()["Reason"], first.json()["Evidence"]) == (reason, evidence)
    assert (first.json()["LiftReason"], first.json()["Code"]) == ("mistake", made.code)
    assert second.json() == first.json()
    stored = (await client.get(f"{PATH}/{made.code}")).json()
    assert (stored["Reason"], stored["Evidence"]) == ("SECRET", ["https://example.org/1"])


async def test_who_imposes_is_told_neither_reason_nor_evidence(client, database):
    await make_user(database, "Ana")
    body = {"user": "ana", "kind": "mute", "reason": "SECRET", "evidence": ["https://secret.test"]}
    headers = await key_with(database, "sanctions.manage")
    for about in ({"dryrun": True}, {}):
        answer = await client.post(PATH, json=body | about, headers=headers)
        assert answer.status_code == 200, answer.text
        assert "secret" not in answer.text.lower()


async def test_a_mute_reason_is_the_text_of_the_player(client, database):
    await make_user(database, "Ana")
    await client.post(PATH, json={"user": "ana", "kind": "mute", "reason": "SECRET"})
    shown = (await client.get("/api/v1/users/ana")).json()
    assert (shown["IsMuted"], shown["MuteReason"]) == (True, None)


# ── Existing panels ──


async def act(client, target: str, action: str, headers=None, **about: Any):
    return outcome(
        await client.post(f"/api/v1/{target}/admin/{action}", json=about, headers=headers)
    )


NOT_PERMITTED = refusal(400, "action_not_permitted", "You do not have the permission to do this.")


def done(message: str) -> tuple[int, dict[str, str]]:
    return 200, {"Message": message}


async def test_panels_ban_and_mute_with_the_sentences_they_know(client, database):
    user = await make_user(database, "Ana")
    await make_player(database, "Hero", user=user)
    about = {"duration": "3", "reason": "Bots.", "moderator": "God", "ip": "true"}

    assert await act(client, "users/ana", "Ban", **about) == done("Ana has been banned!")
    assert await act(client, "players/hero", "ban") == refusal(
        400, "action_done_before", "Hero has already been banned!"
    )
    assert await act(client, "players/HERO", "mute") == done("Hero has been muted!")

    [mute, ban] = (await client.get("/api/v1/users/ana/sanctions")).json()["Values"]
    assert (mute["Kind"], mute["EndsAt"], mute["PlayerId"]) == ("mute", None, None)
    assert (ban["Kind"], ban["Message"], ban["Reason"]) == ("ban", "Bots.", "Bots.")
    assert ban["ImposedByName"] == "tests"
    begun, ended = (datetime.fromisoformat(ban[name]) for name in ("StartsAt", "EndsAt"))
    assert ended - begun == timedelta(days=3)
    for _ in range(2):
        assert await act(client, "players/hero", "UNBAN") == done("Hero has been unbanned!")
        assert await act(client, "users/ana", "unmute") == done("Ana has been unmuted!")
    left = (await client.get("/api/v1/users/ana/sanctions?inforce=true")).json()
    assert left["Values"] == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("users/ana/admin/fly", (400, "invalid_action")),
        ("users/ana/admin/warpmeto", (400, "action_not_supported")),
        ("users/ana/admin/SetSprite", (501, "action_not_implemented")),
        ("users/nobody/admin/ban", (404, "user_not_found")),
        ("players/nobody/admin/ban", (404, "player_not_found")),
    ],
)
async def test_other_actions_are_refused_as_they_know(client, database, path, expected):
    await make_user(database, "Ana")
    answer = await client.post(f"/api/v1/{path}", json=[])
    assert (answer.status_code, answer.json()["Code"]) == expected


async def test_an_account_needs_the_power_and_the_rank(client, database):
    await make_user(database, "Ana")
    await make_user(database, "Boss", editor=True)
    _, weak = await account_with(database, "user_query", "mute")
    name, strong = await account_with(database, "user_query", "ban")

    assert await act(client, "users/ana", "ban", weak) == NOT_PERMITTED
    assert await act(client, "users/ana", "mute", weak) == done("Ana has been muted!")
    assert await act(client, "users/ana", "ban", strong) == done("Ana has been banned!")
    assert await act(client, "users/ana", "unmute", strong) == NOT_PERMITTED
    assert await act(client, "users/boss", "ban", strong) == NOT_PERMITTED
    assert await act(client, f"users/{name}", "ban", strong) == NOT_PERMITTED
    assert await act(client, f"users/{name}", "unban", strong) == NOT_PERMITTED
    few = await key_with(database, "users.query", "players.read")
    assert await act(client, "users/ana", "unban", few) == NOT_PERMITTED
    both = await key_with(database, "users.query", "sanctions.manage")
    assert await act(client, "users/ana", "unban", both) == done("Ana has been unbanned!")


async def test_a_power_takes_the_place_of_no_scope_of_the_path(client, database):
    """Below /players a token with Api reads anyway; below /users it needs the power UserQuery."""
    player = await make_player(database, "Ana")
    _, headers = await account_with(database, "ban", "mute")

    for action in ("ban", "unban", "mute", "unmute"):
        status, refused = await act(client, "users/ana", action, headers)
        assert (status, refused["Code"]) == (403, "role_required")
        assert (await act(client, f"players/{player}", action, headers))[0] == 200
