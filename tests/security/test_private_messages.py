"""
Who reads private messages: the matrix of permission and reason, on every path that has them.

Each path is called with neither, with one alone, and with both. One alone reads nothing and
records nothing. Frozen evidence needs no reason: freezing it was recorded.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import httpx2
import pytest
from msgspec import Struct

from tests.chat.talk import said, say
from tests.make import make_player, make_user
from tests.moderation.complaints import CASES, filed, only_case
from tests.security.callers import account_with, key_with
from tests.servers.game_server import GameServer

SECRET = "the treasure is below the old oak"
OTHERS = (
    *("logs.read", "players.read", "users.query", "users.personal", "sanctions.read"),
    *("sanctions.manage", "reports.read", "reports.reporters", "reports.manage", "actions.read"),
    *("events.read", "players.items", "orders.read", "users.linked"),
)
"""All that a moderator may do, without private messages."""


class Scene(Struct, frozen=True, kw_only=True):
    client: httpx2.AsyncClient
    ana: UUID
    bo: UUID
    message: str
    case: str
    sanction: str
    letter: str


@pytest.fixture
async def scene(client, database) -> Scene:
    """Ana told Bo a secret; it is in the log, in a report, a case, a sanction and a letter."""
    ana = await make_player(database, "Ana", user=await make_user(database, "ana"))
    bo = await make_player(database, "Bo", user=await make_user(database, "bo"))
    realm = await GameServer.register(client)
    line = said(ana, SECRET, channel="pm", targetId=str(bo))
    await say(realm, line)
    message = str(line["id"])
    await filed(client, "Bo", "Ana", messages=[message])
    case = (await only_case(client))["Id"]
    body = {"player": "Ana", "kind": "warning", "reason": "Rude.", "message": "Be polite."}
    sanction = await client.post("/api/v1/sanctions", json=body | {"excerpt": [message]})
    assert sanction.status_code == 200, sanction.text
    letter = await client.post(
        "/api/v1/players/Bo/mailbox", json={"subject": "Hush", "text": SECRET, "from": "Ana"}
    )
    assert letter.status_code == 200, letter.text
    code, sent = sanction.json()["Code"], letter.json()["Id"]
    ids: dict[str, Any] = {"message": message, "case": case, "sanction": code, "letter": sent}
    return Scene(client=client, ana=ana, bo=bo, **ids)


Call = Callable[[Scene, dict[str, str], str | None], Awaitable[httpx2.Response]]


def with_reason(headers: dict[str, str], reason: str | None) -> dict[str, str]:
    return headers | ({"X-Reason": reason} if reason else {})


async def log_of_staff(scene: Scene, headers: dict[str, str], reason: str | None):
    body = {"player": "Ana"} | ({"reason": reason} if reason else {})
    return await scene.client.post("/api/v1/chat/messages/private", json=body, headers=headers)


async def log_by_search(scene: Scene, headers: dict[str, str], reason: str | None):
    body = {"search": "treasure"} | ({"reason": reason} if reason else {})
    return await scene.client.post("/api/v1/chat/messages/private", json=body, headers=headers)


async def log_of_intersect(scene: Scene, headers: dict[str, str], reason: str | None):
    sent = with_reason(headers, reason)
    return await scene.client.get("/api/v1/logs/chat?messageType=3", headers=sent)


async def between_two(scene: Scene, headers: dict[str, str], reason: str | None):
    query = {"player1Id": str(scene.ana), "player2Id": str(scene.bo)}
    sent = with_reason(headers, reason)
    return await scene.client.get("/api/v1/logs/pm", params=query, headers=sent)


async def into_a_case(scene: Scene, headers: dict[str, str], reason: str | None):
    body = {"messages": [scene.message]} | ({"reason": reason} if reason else {})
    path = f"{CASES}/{scene.case}/evidence"
    return await scene.client.post(path, json=body, headers=headers)


LOGGED: list[Call] = [log_of_staff, log_by_search, log_of_intersect, between_two, into_a_case]
"""Paths that need the permission and a reason."""


@pytest.mark.parametrize("call", LOGGED)
async def test_neither_the_permission_nor_a_reason_alone_is_enough(scene, database, call):
    """Every permission but this one, with a reason; this one with every other, without."""
    lacking = await key_with(database, *OTHERS)
    allowed = await key_with(database, *OTHERS, "chat.private")
    before = await recorded(database)

    refused = [
        (await call(scene, lacking, None), {400, 403}),
        (await call(scene, lacking, "report 812"), {403}),
        (await call(scene, allowed, None), {400}),
        (await call(scene, allowed, "   "), {400}),
    ]
    for answer, statuses in refused:
        assert answer.status_code in statuses, answer.text
        assert SECRET not in answer.text
    assert await recorded(database) == before

    answer = await call(scene, allowed, "report 812")
    assert answer.status_code == 200, answer.text
    assert await recorded(database) == before + 1


async def recorded(database) -> int:
    kinds = ["chat.read", "cases.evidence"]
    return await database.reader.value("SELECT count(*) FROM actions WHERE kind = ANY($1)", kinds)


SHOWN = [
    "/api/v1/cases/{case}/chat",
    "/api/v1/sanctions/{sanction}/excerpt",
    "/api/v1/players/Bo/mailbox",
    "/api/v1/players/Bo/mailbox/{letter}",
]
"""Paths that show the text with the permission, and are read without it too."""


@pytest.mark.parametrize("path", SHOWN)
async def test_frozen_evidence_and_letters_show_no_text_without_the_permission(
    scene, database, path
):
    path = path.format(case=scene.case, sanction=scene.sanction, letter=scene.letter)
    lacking = await key_with(database, *OTHERS) | {"X-Reason": "report 812"}
    allowed = await key_with(database, *OTHERS, "chat.private")

    hidden = await scene.client.get(path, headers=lacking)
    shown = await scene.client.get(path, headers=allowed)

    assert (hidden.status_code, shown.status_code) == (200, 200), (hidden.text, shown.text)
    assert SECRET not in hidden.text
    assert SECRET in shown.text


ELSEWHERE = [
    "/api/v1/chat/messages",
    "/api/v1/chat/messages?player=Ana",
    "/api/v1/chat/messages?search=treasure",
    "/api/v1/logs/chat",
    "/api/v1/cases/{case}",
    "/api/v1/actions",
    "/api/v1/players/Ana/history",
    "/api/v1/players/Bo/history",
    "/api/v1/search?q=treasure",
]


@pytest.mark.parametrize("path", ELSEWHERE)
async def test_no_other_list_has_it_not_even_with_both(scene, path):
    path = path.format(case=scene.case)
    answer = await scene.client.get(path, headers={"X-Reason": "report 812"})

    assert answer.status_code == 200, answer.text
    assert SECRET not in answer.text


async def test_no_power_of_an_account_reads_them(scene, database):
    """The powers of Intersect give `logs.read`, and nothing more of chat."""
    powers = ("user_query", "user_management", "ban", "kick", "mute", "personal_information")
    _, headers = await account_with(database, *powers)
    for call in LOGGED:
        answer = await call(scene, headers, "report 812")
        assert (answer.status_code, answer.json()["Code"]) == (403, "role_required")
        assert SECRET not in answer.text
