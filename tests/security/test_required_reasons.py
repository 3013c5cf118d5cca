"""Required reasons: which changes the operator's setting refuses without one, and which not."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import ROUTES
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.setting_checks import NEED_REASONS
from gamekeeper.core.settings import BadSettings, Settings
from gamekeeper.db.operations import AuditContext
from tests.in_process import in_process
from tests.make import make_item, make_player

REQUIRED = "players.items, actions.undo,transactions"
REFUSED = (400, "reason_required")
DONE = (200, None)


class Strict:
    """A client of a service that requires reasons."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client

    async def post(self, path: str, why: str | None = None, /, **body: Any) -> tuple[int, Any]:
        headers = {} if why is None else {"X-Reason": why}
        answer = await self.client.post(f"/api/v1{path}", json=body, headers=headers)
        return answer.status_code, answer.json().get("Code")


@pytest.fixture
async def strict(settings, database, client) -> AsyncIterator[Strict]:
    required = structs.replace(settings, required_reasons=REQUIRED)
    headers = {"Authorization": client.headers["authorization"]}
    async with in_process(required, headers=headers) as own:
        yield Strict(own)


async def test_a_change_without_a_reason_is_refused_and_leaves_nothing(strict, database):
    await make_player(database, "ana")
    gift = {"itemid": str(await make_item(database)), "quantity": 1}

    answer = await strict.client.post("/api/v1/players/ana/items/give", json=gift)

    assert (answer.status_code, answer.json()["Code"]) == REFUSED
    assert answer.json()["Details"] == {"Permission": "players.items"}
    assert "'reason' or the header X-Reason" in answer.json()["Message"]
    assert await strict.post("/players/ana/items/give", "  ", **gift) == REFUSED
    assert await strict.post("/players/ana/items/give", reason="\u200b\u2060 ", **gift) == REFUSED
    assert await strict.post("/players/ana/items/give", dryrun=True, **gift) == REFUSED
    assert await database.reader.value("SELECT count(*) FROM postings") == 0
    assert await strict.post("/players/ana/items/give", "a quest bug", **gift) == DONE
    assert await strict.post("/players/ana/items/give", reason="a quest bug", **gift) == DONE


async def test_other_permissions_need_none(strict, database):
    await make_player(database, "ana")

    assert await strict.post("/players/ana/name", name="Anna") == DONE


async def test_a_dry_run_needs_none(strict, database):
    await make_player(database, "ana")
    gift = {"itemid": str(await make_item(database)), "quantity": 1}
    assert await strict.post("/players/ana/items/give", "a gift", **gift) == DONE
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")

    assert await strict.post(f"/actions/{action}/undo", dryrun=True) == DONE
    assert await strict.post(f"/actions/{action}/undo") == REFUSED
    assert await strict.post(f"/actions/{action}/undo", reason="by mistake") == DONE


@pytest.mark.parametrize(
    ("query", "kind", "content"),
    [
        ("?dryrun=true", "json", "{}"),
        ("?dryrun=true", "json", '{"dryrun": false}'),
        ("?reason=because", "json", "{}"),
        ("", "json", '{"dryrun": null}'),
        ("", "json", '{"dryrun": [true]}'),
        ("", "json", '{"dryrun": true, "dryrun": false}'),
        ("", "x-www-form-urlencoded", "dryrun[]=true"),
        ("", "x-www-form-urlencoded", "dryrun=on"),
        ("", "x-www-form-urlencoded", "dryrun=true&dryrun=false"),
        ("", "x-www-form-urlencoded", "reason=+"),
    ],
)
async def test_what_is_no_dry_run_and_no_reason_changes_nothing(
    strict, database, query, kind, content
):
    await make_player(database, "ana")
    gift = {"itemid": str(await make_item(database)), "quantity": 1}
    assert await strict.post("/players/ana/items/give", "a gift", **gift) == DONE
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")

    answer = await strict.client.post(
        f"/api/v1/actions/{action}/undo{query}",
        content=content.encode(),
        headers={"Content-Type": f"application/{kind}"},
    )

    assert answer.status_code == 400
    assert answer.json()["Code"] in ("reason_required", "invalid_body")
    assert await database.reader.value("SELECT count(*) FROM actions WHERE kind = 'undo'") == 0


@pytest.mark.parametrize("names", [("dryrun", "DryRun"), ("DryRun", "dryrun")])
@pytest.mark.parametrize("values", [("true", "false"), ("false", "true")])
async def test_a_field_that_is_sent_twice_is_no_way_around(strict, database, names, values):
    """Whichever of the two counts: nothing is changed without a reason."""
    await make_player(database, "ana")
    gift = {"itemid": str(await make_item(database)), "quantity": 1}
    assert await strict.post("/players/ana/items/give", "a gift", **gift) == DONE
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")
    body = ", ".join(f'"{name}": {value}' for name, value in zip(names, values, strict=True))
    form = "&".join(f"{name}={value}" for name, value in zip(names, values, strict=True))

    for content, kind in ((f"{{{body}}}", "json"), (form, "x-www-form-urlencoded")):
        headers = {"Content-Type": f"application/{kind}"}
        path = f"/api/v1/actions/{action}/undo"
        await strict.client.post(path, content=content.encode(), headers=headers)

    assert await database.reader.value("SELECT count(*) FROM actions WHERE kind = 'undo'") == 0


async def test_each_transaction_may_have_its_own(strict, database):
    await make_player(database, "ana")
    item = str(await make_item(database))

    def trade(**about: str | None) -> dict[str, Any]:
        moves = [{"do": "items", "itemid": item, "quantity": 1, "to": "ana"}]
        return {"key": uuid4().hex, "moves": moves, **about}

    explained = trade(reason="won at dice")
    assert await strict.post("/transactions", transactions=[explained, trade()]) == REFUSED
    for without in ({"reason": None}, {"reason": ""}, {"Reason": "dice", "reason": None}):
        assert await strict.post("/transactions", transactions=[trade(**without)]) == REFUSED
    assert await database.reader.value("SELECT count(*) FROM postings") == 0
    assert await strict.post("/transactions", transactions=[explained]) == DONE
    assert await strict.post("/transactions", "the shop", transactions=[trade()]) == DONE


async def test_a_repeated_request_is_answered_as_before(strict, database, client):
    """It was carried out before the operator required reasons."""
    await make_player(database, "ana")
    gift = {"itemid": str(await make_item(database)), "quantity": 1}
    sent = {"json": gift, "headers": {"Idempotency-Key": "order-1"}}
    before = await client.post("/api/v1/players/ana/items/give", **sent)

    again = await strict.client.post("/api/v1/players/ana/items/give", **sent)

    assert (again.status_code, again.content) == (200, before.content)


def test_the_setting_takes_permissions_that_change_something():
    audited = {
        role
        for route in ROUTES
        if AuditContext in route.handler.__annotations__.values()
        for role in route.roles or ()
    }
    assert set(NEED_REASONS) <= audited <= set(SCOPES)
    with pytest.raises(BadSettings, match="GAMEKEEPER_REQUIRED_REASONS"):
        Settings.read(
            {
                "GAMEKEEPER_DATABASE_URL": "postgresql://a@b/c",
                "GAMEKEEPER_REQUIRED_REASONS": "players.items,player.items",
            }
        )
