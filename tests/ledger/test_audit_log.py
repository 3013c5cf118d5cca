"""The log of actions is read newest first, by any of its properties, and without end."""

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import msgspec
import pytest

from gamekeeper.auth import keys
from gamekeeper.core import ids
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions, audit_log
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import Filters
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from gamekeeper.users import emails
from gamekeeper.users.emails import NewEmail
from tests.cli.command import gamekeeper
from tests.make import BY, make_item, make_player, make_user

SHOP = AuditContext(
    actor="key:shop", name="shop", request_id="r-1", address="10.1.2.3", reason="a prize"
)
GUARD = AuditContext(actor="user:guard", name="guard")


def action(by: AuditContext = BY, **about: object) -> Action:
    return msgspec.structs.replace(Action(kind="items.give", by=by), **about)


async def record(database, *entries: Action) -> list[UUID]:
    await database.write(lambda writer: actions.record(writer, entries))
    return [entry.id for entry in entries]


async def found(database, **filters: object) -> list[UUID]:
    entries = await audit_log.list_actions(database.reader, Filters(**filters))
    assert entries.next is None
    return [entry.id for entry in entries.values]


async def test_an_action_is_shown_whole(client, database):
    ana = await make_player(database, "ana")
    potion = await make_item(database)
    order = Gift(by=SHOP, player="ana", item_id=potion, quantity=3)
    await items.give.one(database, order)

    [shown] = (await client.get("/api/v1/actions", params={"player": "Ana"})).json()["Values"]

    at = datetime.fromisoformat(shown["At"])
    assert abs(at - datetime.now(UTC)) < timedelta(minutes=1)
    assert list(shown) == [
        *("Id", "At", "Kind", "Actor", "ActorName", "PlayerId", "UserId", "ItemId", "Before"),
        *("After", "Reason", "RequestId", "Address", "Undoes", "UndoneBy"),
        *("ApprovedBy", "ApprovedByName"),
    ]
    assert shown == {
        "Id": shown["Id"],
        "At": shown["At"],
        "Kind": "items.give",
        "Actor": "key:shop",
        "ActorName": "shop",
        "PlayerId": str(ana),
        "UserId": None,
        "ItemId": str(potion),
        "Before": {"total": 0, "bank": 0, "inventory": 0},
        "After": {"total": 3, "bank": 0, "inventory": 3},
        "Reason": "a prize",
        "RequestId": "r-1",
        "Address": "10.1.2.3",
        "Undoes": None,
        "UndoneBy": None,
        "ApprovedBy": None,
        "ApprovedByName": None,
    }
    assert (await client.get(f"/api/v1/actions/{shown['Id']}")).json() == shown


async def test_an_action_that_is_not_there_is_not_found(client):
    for key in (uuid4(), "nonsense"):
        answer = await client.get(f"/api/v1/actions/{key}")
        assert (answer.status_code, answer.json()["Code"]) == (404, "action_not_found")


async def test_each_filter_finds_what_it_names_and_nothing_else(database):
    ana, bob, sword, bow = uuid4(), uuid4(), uuid4(), uuid4()
    one, two, three, four = await record(
        database,
        action(SHOP, player_id=ana, item_id=sword),
        action(GUARD, player_id=bob, item_id=bow),
        action(SHOP, player_id=bob, item_id=sword, kind="items.take"),
        action(GUARD, user_id=ana, kind="users.email"),
    )
    newest_first = sorted([one, two, three, four], reverse=True)

    assert await found(database) == newest_first
    assert set(await found(database, actor="key:shop")) == {one, three}
    assert set(await found(database, player_id=bob)) == {two, three}
    assert await found(database, user_id=ana) == [four]
    assert await found(database, kind="items.take") == [three]
    assert set(await found(database, item_id=sword)) == {one, three}
    assert await found(database, item_id=sword, player_id=bob, actor="key:shop") == [three]
    assert await found(database, item_id=bow, actor="key:shop") == []


async def test_the_time_is_that_of_the_row_to_the_microsecond(database):
    [one] = await record(database, action())
    [two] = await record(database, action())
    first = (await audit_log.find_action(database.reader, one)).at
    second = (await audit_log.find_action(database.reader, two)).at
    tick = timedelta(microseconds=1)

    assert await found(database, since=first) == [two, one]
    assert await found(database, since=first + tick) == [two]
    assert await found(database, until=second) == [two, one]
    assert await found(database, until=second - tick) == [one]
    assert await found(database, since=first, until=first) == [one]
    assert await found(database, since=second + tick) == []


async def test_pages_follow_each_other_without_gap_or_doubling(database):
    """Two hundred actions of one instant: a cursor of times alone would lose most of them."""
    done = await record(database, *(action() for _ in range(200)))
    await database.write(
        lambda writer: writer.run("UPDATE actions SET at = '2026-11-20T12:00:00Z'")
    )
    seen: list[UUID] = []
    cursor = None
    for size in (1, 7, 100, 50, 41, 1):
        page = await audit_log.list_actions(database.reader, Filters(), cursor, size)
        assert len(page.values) == size
        seen += [entry.id for entry in page.values]
        cursor = page.next

    assert cursor is None
    assert seen == sorted(done, reverse=True)


async def test_what_is_done_meanwhile_does_not_move_the_pages(database):
    done = await record(database, *(action() for _ in range(20)))
    first = await audit_log.list_actions(database.reader, Filters(), None, 10)
    await record(database, *(action(id=ids.new_id()) for _ in range(5)))
    second = await audit_log.list_actions(database.reader, Filters(), first.next, 10)

    seen = [entry.id for entry in [*first.values, *second.values]]
    assert seen == sorted(done, reverse=True)
    assert second.next is None


async def test_a_page_costs_three_statements_whatever_it_holds(database, statements):
    await record(database, *(action() for _ in range(100)))
    with statements() as sent:
        await audit_log.list_actions(database.reader, Filters(), None, 100)
    assert len(sent) == 3


async def test_a_redo_is_undone_when_what_it_redid_is_undone_by_another(database):
    [gift] = await record(database, action())
    [undo] = await record(database, action(kind="undo", undoes=gift))
    [redo] = await record(database, action(kind="undo", undoes=undo))
    [again] = await record(database, action(kind="undo", undoes=gift))

    found = await audit_log.list_actions(database.reader, Filters())

    undone = {entry.id: entry.undone_by for entry in found.values}
    assert undone == {gift: again, undo: redo, redo: again, again: None}


@pytest.mark.parametrize("cursor", ["x", "é", "AAAA", "A" * 1000, "AZzt4m_IejGcXit9nxo8C!"])
async def test_a_cursor_that_is_none_of_ours_is_refused(client, database, cursor):
    answer = await client.get("/api/v1/actions", params={"cursor": cursor})

    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")
    with pytest.raises(InvalidQuery):
        await audit_log.list_actions(database.reader, Filters(), cursor)


async def test_limits_are_taken_to_the_nearest(client, database):
    await record(database, *(action() for _ in range(120)))
    for asked, given in [(0, 1), (-5, 1), (7, 7), (99999, 100)]:
        answer = await client.get("/api/v1/actions", params={"limit": asked})
        assert len(answer.json()["Values"]) == given
    assert len((await client.get("/api/v1/actions")).json()["Values"]) == 50


async def test_names_and_ids_stand_for_players_and_users(client, database):
    """An unknown name is refused; an id is not, for actions outlive those they were about."""
    user = await make_user(database, "bob")
    gone = uuid4()
    one, two = await record(database, action(user_id=user), action(player_id=gone))

    for params, wanted in [({"user": "BOB"}, one), ({"user": user}, one), ({"player": gone}, two)]:
        answer = await client.get("/api/v1/actions", params=params)
        assert [entry["Id"] for entry in answer.json()["Values"]] == [str(wanted)], params
    for params, code in [
        ({"user": "eve"}, "user_not_found"),
        ({"player": "e"}, "player_not_found"),
    ]:
        answer = await client.get("/api/v1/actions", params=params)
        assert (answer.status_code, answer.json()["Code"]) == (404, code)


async def test_what_was_undone_says_by_what_as_long_as_that_stands(database):
    [one] = await record(database, action())
    [undo] = await record(database, action(undoes=one))
    assert (await audit_log.find_action(database.reader, one)).undone_by == undo
    assert (await audit_log.find_action(database.reader, undo)).undoes == one

    [redo] = await record(database, action(undoes=undo))
    shown = {
        e.id: e.undone_by for e in (await audit_log.list_actions(database.reader, Filters())).values
    }
    assert shown == {one: None, undo: redo, redo: None}

    [again] = await record(database, action(undoes=one))
    assert (await audit_log.find_action(database.reader, one)).undone_by == again
    [unredo] = await record(database, action(undoes=redo))
    shown = {
        e.id: e.undone_by for e in (await audit_log.list_actions(database.reader, Filters())).values
    }
    assert (shown[undo], shown[redo]) == (None, unredo)


async def test_the_log_needs_its_own_role_and_shows_no_address_without_another(client, database):
    await make_user(database, "ana", email="ana@example.com")
    await emails.change.one(database, NewEmail(by=BY, user="ana", email="a.b@example.org"))

    async def seen(*scopes: str) -> tuple[int, dict]:
        key = await keys.create.one(database, keys.NewKey(by=BY, name="k", scopes=scopes))
        answer = await client.get(
            "/api/v1/actions",
            params={"kind": "users.email"},
            headers={"Authorization": f"Bearer {key}"},
        )
        return answer.status_code, answer.json()

    status, refusal = await seen("players.read", "users.manage", "users.query")
    assert (status, refusal["Code"]) == (403, "role_required")
    status, page = await seen("actions.read")
    assert (status, page["Values"][0]["Before"]) == (200, {"email": "a•••@e•••.com"})
    assert page["Values"][0]["After"] == {"email": "a•••@e•••.org"}
    _, page = await seen("actions.read", "users.personal")
    assert page["Values"][0]["After"] == {"email": "a.b@example.org"}


async def test_the_command_shows_the_same_to_people_and_programs(database, settings):
    await make_player(database, "ana")
    potion = await make_item(database)
    for _ in range(3):
        await items.give.one(database, Gift(by=SHOP, player="ana", item_id=potion, quantity=1))

    def run(*arguments: str) -> str:
        done = gamekeeper(settings, "actions", "list", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = json.loads(run("--player", "ana", "--limit", "2", "--json"))
    second = json.loads(run("--player=ana", f"--cursor={first['Next']}", "--json"))
    assert [len(page["Values"]) for page in (first, second)] == [2, 1]
    assert second["Next"] is None
    told = run("--actor", "key:shop", "--kind", "items.give", "--to", "2099-01-01T00:00:00Z")
    assert told.count("items.give") == told.count("a prize") == 3
    assert first["Values"][0]["Id"][:18] in told
    assert first["Values"][0]["Id"] in run("--player", "ana", "--ids")
