"""Every change, through any door, is an action in the same transaction."""

import msgspec
import pytest

from gamekeeper.db.operations import AuditContext
from gamekeeper.players import items, spells, variables
from gamekeeper.players.items import Gift
from gamekeeper.players.spells import Lesson
from gamekeeper.players.variables import Setting
from gamekeeper.users import accounts, emails
from gamekeeper.users.accounts import PowersChange
from gamekeeper.users.emails import NewEmail
from tests.make import (
    BY,
    make_item,
    make_player,
    make_spell,
    make_user,
    make_variable,
    sha,
)

WHO = AuditContext(
    actor="key:1", name="shop", request_id="r-1", address="10.1.2.3", reason="a prize"
)


async def last(database) -> dict[str, object]:
    [row] = await database.reader.rows("SELECT * FROM actions ORDER BY id DESC LIMIT 1")
    return dict(row)


async def test_an_action_says_who_what_whom_and_why(database):
    ana = await make_player(database)
    potion = await make_item(database)

    await items.give.one(database, Gift(by=WHO, player=str(ana), item_id=potion, quantity=3))

    action = await last(database)
    assert action["kind"] == "items.give"
    assert (action["actor"], action["actor_name"]) == ("key:1", "shop")
    assert (action["request_id"], action["address"]) == ("r-1", "10.1.2.3")
    assert action["reason"] == "a prize"
    assert (action["player_id"], action["item_id"]) == (ana, potion)
    assert action["before"] == {"total": 0, "bank": 0, "inventory": 0}
    assert action["after"] == {"total": 3, "bank": 0, "inventory": 3}


async def test_spells_and_variables_are_actions_with_before_and_after(database):
    await make_player(database, "ana")
    fire, karma = await make_spell(database), await make_variable(database)

    await spells.teach.one(database, Lesson(by=BY, player="ana", spell_id=fire))
    assert (await last(database))["after"] == {"spell_id": str(fire), "slot": 0}
    await spells.forget.one(database, Lesson(by=BY, player="ana", spell_id=fire))
    assert (await last(database))["before"] == {"spell_id": str(fire), "slot": 0}
    for value in (1, 2):
        setting = Setting(by=BY, player="ana", variable_id=karma, value=value)
        await variables.assign.one(database, setting)
    assert (await last(database))["before"] == {"variable_id": str(karma), "value": 1}
    assert (await last(database))["after"] == {"variable_id": str(karma), "value": 2}


async def test_emails_and_powers_are_actions(database):
    await make_user(database, "ana", email="ana@example.com")

    await emails.change.one(database, NewEmail(by=BY, user="ana", email="a@example.org"))
    assert (await last(database))["before"] == {"email": "ana@example.com"}
    assert (await last(database))["after"] == {"email": "a@example.org"}
    await accounts.empower.one(database, PowersChange(by=BY, user="ana", api=True))
    action = await last(database)
    changed = {name for name in action["after"] if action["after"][name] != action["before"][name]}
    assert changed == {"api"}


@pytest.mark.parametrize(
    ("method", "path", "body", "kind"),
    [
        (
            "POST",
            "/api/v1/users/ana/password/change",
            {"new": sha("b"), "authorization": sha("a")},
            "users.password",
        ),
        ("POST", "/api/v1/users/ana/manage/password/change", {"new": sha("c")}, "users.password"),
        (
            "POST",
            "/api/v1/users/register",
            {"username": "bob", "email": "b@example.com", "password": sha("x")},
            "users.register",
        ),
    ],
)
async def test_passwords_never_stand_in_an_action(client, database, method, path, body, kind):
    await make_user(database, "ana", password="a")

    answer = await client.request(method, path, json=body, headers={"X-Reason": "asked for it"})

    assert answer.status_code == 200, answer.text
    action = await last(database)
    assert (action["kind"], action["reason"]) == (kind, "asked for it")
    shown = msgspec.json.encode({name: str(value) for name, value in action.items()}).decode()
    assert not [value for value in body.values() if len(value) == 64 and value in shown]


async def test_the_reason_may_stand_in_the_body(client, database):
    await make_player(database, "ana")
    karma = await make_variable(database)

    answer = await client.post(
        f"/api/v1/players/ana/variables/{karma}", json={"value": 5, "Reason": "won a duel"}
    )

    assert answer.status_code == 200
    action = await last(database)
    assert action["reason"] == "won a duel"
    assert action["actor"].startswith("key:")
    assert action["request_id"] == answer.headers["X-Request-Id"]
