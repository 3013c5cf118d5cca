"""Step-up: every change has a decision, and what depends on its body asks when it should."""

from typing import Any

import httpx2
import pytest
from msgspec import structs

from gamekeeper.app import ROUTES
from gamekeeper.core import ids
from gamekeeper.events.webhooks import management
from gamekeeper.events.webhooks.management import NewWebhook
from gamekeeper.events.webhooks.owners import OPERATOR
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from tests.contract.endpoints import label
from tests.in_process import in_process
from tests.make import BY, make_item, make_player, make_user, sha
from tests.security import cookie_rights, step_up
from tests.staff.make import make_staff
from tests.staff.signed_in import staff_session

ASKED = (403, "step_up_required")


def test_every_change_has_one_decision():
    changes = {label(route) for route in ROUTES if not route.is_safe}
    decided = [*cookie_rights.STEP_UP, *step_up.SOMETIMES, *step_up.NEVER]

    assert sorted(decided) == sorted(changes)
    assert all(reason for reason in {**step_up.SOMETIMES, **step_up.NEVER}.values())


class Old:
    """An owner whose second factor was verified eleven minutes ago, and calls by its cookie."""

    def __init__(self, client: httpx2.AsyncClient, headers: dict[str, str]) -> None:
        self.client = client
        self.headers = headers

    async def call(self, method: str, path: str, **body: Any) -> tuple[int, str | None]:
        request = self.client.build_request(
            method, f"/api/v1{path}", headers=self.headers, json=body
        )
        # Not the key of the tests: a cookie counts only without it.
        request.headers.pop("Authorization", None)
        answer = await self.client.send(request)
        return answer.status_code, answer.json().get("Code")


@pytest.fixture
async def old(client, database) -> Old:
    owner = await make_staff(database, "owner")
    return Old(client, await staff_session(database, user=owner, verified_minutes_ago=11))


@pytest.mark.parametrize(
    ("kind", "new"), [("password", sha("a new secret of mine")), ("email", "new@example.com")]
)
async def test_access_to_an_account_asks_browsers_only(client, database, old, kind, new):
    await make_user(database, "ana", email="ana@example.com")
    path = f"/users/ana/manage/{kind}/change"

    assert await old.call("POST", path, new=new) == ASKED
    assert (
        await database.reader.value("SELECT count(*) FROM actions WHERE kind LIKE 'users.%'") == 0
    )
    assert (await client.post(f"/api/v1{path}", json={"new": new})).status_code == 200


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"url": "https://93.184.216.34/other"}, True),
        ({"url": "https://93.184.216.34/first"}, True),
        ({"enabled": True}, True),
        ({"enabled": False}, False),
        ({"kinds": "items.give"}, False),
        ({}, False),
    ],
    ids=str,
)
async def test_where_a_webhook_sends_asks_browsers_only(client, database, old, body, asked):
    """As it was attacked: the URL of a webhook changed by a session that was left open."""
    url = "https://93.184.216.34/first"
    hook = NewWebhook(by=BY, id=ids.new_id(), viewer=OPERATOR, url=url, kinds=None, sealed="sealed")
    await management.create.one(database, hook)
    path = f"/webhooks/{hook.id}"

    assert await old.call("PATCH", path, **body) == (ASKED if asked else (200, None))
    if asked:
        row = await database.reader.rows("SELECT url, enabled, owner FROM webhooks")
        assert [tuple(one.values()) for one in row] == [(url, True, OPERATOR.owner)]
    assert (await client.patch(f"/api/v1{path}", json=body)).status_code == 200


async def test_an_undo_that_gives_access_asks_browsers_only(client, database, old):
    await make_user(database, "ana", email="ana@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="new@example.com"))
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", api=True))
    rows = await database.reader.rows(
        "SELECT id FROM actions WHERE kind LIKE 'users.%' ORDER BY id"
    )

    for row in rows:
        path = f"/actions/{row['id']}/undo"
        assert await old.call("POST", path) == ASKED
        assert await old.call("POST", path, dryrun=True) == (200, None)
        undone = await client.post(f"/api/v1{path}", json={})
        assert undone.status_code == 200, undone.text
        # An undo of the undo is as good as the change.
        assert await old.call("POST", f"/actions/{undone.json()['Id']}/undo") == ASKED


async def test_an_everyday_undo_does_not_ask(database, old):
    player, item = await make_player(database), await make_item(database)
    await items.give.one(database, Gift(by=BY, player=str(player), item_id=item, quantity=1))
    action = await database.reader.value("SELECT id FROM actions WHERE kind = 'items.give'")

    assert await old.call("POST", f"/actions/{action}/undo") == (200, None)


async def test_a_service_for_trials_asks_for_neither(settings, database):
    trial = structs.replace(settings, staff_step_up="off")
    owner = await make_staff(database, "owner")
    await make_user(database, "ana", email="ana@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="new@example.com"))
    change = await database.reader.value("SELECT id FROM actions WHERE kind = 'users.email'")
    async with in_process(trial) as client:
        old = Old(client, await staff_session(database, user=owner, verified_minutes_ago=11))
        assert await old.call("POST", f"/actions/{change}/undo") == (200, None)
        assert (await old.call("PATCH", f"/webhooks/{ids.new_id()}", enabled=True))[0] == 404
