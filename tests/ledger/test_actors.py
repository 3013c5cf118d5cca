"""Who did it, by name: an actor, kind or item that does not exist is refused, not empty."""

from uuid import uuid4

import pytest

from gamekeeper.auth import keys
from gamekeeper.db.operations import COMMAND_LINE, AuditContext, login_name
from gamekeeper.ledger import action_ids
from gamekeeper.ledger.action_ids import AmbiguousActionId
from gamekeeper.ledger.audit_log import ActionNotFound
from gamekeeper.users.actors import AmbiguousActor, find_actors, find_only_actor
from tests.ledger.test_audit_log import action, record
from tests.make import BY, make_item, make_user

ANA_AT_TERMINAL = AuditContext(actor="cli:ana", name="Ana (command line)")
ANA_BY_LOGIN = AuditContext(actor="system", name=login_name("ana"))


async def asked(client, key: str | None = None, **params: object) -> tuple[int, object]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    answer = await client.get("/api/v1/actions", params=params, headers=headers)
    said = answer.json()
    if answer.status_code == 200:
        return 200, [entry["Id"] for entry in said["Values"]]
    return answer.status_code, (said["Code"], said["Message"])


async def key_named(database, name: str, *scopes: str) -> tuple[str, str]:
    order = keys.NewKey(by=BY, name=name, scopes=scopes or None)
    secret = await keys.create.one(database, order)
    made = await database.reader.value("SELECT id FROM api_keys WHERE name = $1", name)
    return str(secret), f"key:{made}"


async def test_an_actor_is_found_by_its_name_wherever_it_acted(client, database):
    """By token, at the terminal under a claimed name, and under a login name: all of it."""
    user = await make_user(database, "Ana")
    _, shop = await key_named(database, "my-shop")
    by_token, claimed, login, by_key, _ = await record(
        database,
        action(AuditContext(actor=f"user:{user}", name="Ana")),
        action(ANA_AT_TERMINAL),
        action(ANA_BY_LOGIN),
        action(AuditContext(actor=shop, name="my-shop")),
        action(COMMAND_LINE),
    )

    for actor, expected in (
        ("ana", [login, claimed, by_token]),
        ("ANA", [login, claimed, by_token]),
        ("user:ana", [by_token]),
        (f"user:{user}", [by_token]),
        ("cli:Ana", [claimed]),
        ("My-Shop", [by_key]),
        ("key:my-shop", [by_key]),
        (shop, [by_key]),
    ):
        wanted = sorted(map(str, expected), reverse=True)
        assert await asked(client, actor=actor) == (200, wanted), actor
    status, everything = await asked(client, actor="system")
    assert status == 200
    assert {str(login)} < set(everything)


async def test_pages_of_several_actors_follow_each_other(client, database):
    user = await make_user(database, "Ana")
    mine = AuditContext(actor=f"user:{user}", name="Ana")
    done = [
        (await record(database, action(by)))[0]
        for by in [mine, ANA_AT_TERMINAL, mine, mine, ANA_AT_TERMINAL, mine, ANA_AT_TERMINAL]
    ]

    for limit in (1, 2, 3, 7, 50):
        seen, cursor = [], None
        while cursor is not None or not seen:
            params = {"actor": "ana", "limit": limit} | ({"cursor": cursor} if cursor else {})
            page = (await client.get("/api/v1/actions", params=params)).json()
            assert len(page["Values"]) <= limit
            seen += [entry["Id"] for entry in page["Values"]]
            cursor = page["Next"]
            if cursor is None:
                break
        assert seen == sorted(map(str, done), reverse=True), limit


@pytest.mark.parametrize(
    ("params", "code", "hint"),
    [
        ({"actor": "anna"}, "unknown_actor", "Closest matches: ana."),
        ({"actor": "user:anna"}, "unknown_actor", "Closest matches: ana."),
        ({"actor": "key:my-website"}, "unknown_actor", "Give key:<id or name>"),
        ({"actor": f"user:{uuid4()}"}, "unknown_actor", "There is no actor"),
        ({"actor": "cli:"}, "unknown_actor", "There is no actor"),
        ({"actor": "x" * 5000}, "unknown_actor", "There is no actor"),
        ({"actor": "a\0b"}, "invalid_query", "actor"),
        ({"actor": "%"}, "unknown_actor", "There is no actor"),
        ({"kind": "item.give"}, "unknown_kind", "Closest matches: items.give"),
        ({"kind": "?"}, "unknown_kind", "Choose one of: access_bans.impose"),
        ({"item": str(uuid4())}, "unknown_item", "There is no item"),
    ],
)
async def test_what_does_not_exist_is_refused(client, database, params, code, hint):
    await make_user(database, "ana")

    status, (said, message) = await asked(client, **params)

    assert (status, said) == (400, code)
    assert hint in message


async def test_the_nearest_names_are_apart_from_the_message(client, database):
    await make_user(database, "ana")

    answer = (await client.get("/api/v1/actions", params={"actor": "anna"})).json()

    assert answer["Details"] == {"Nearest": ["ana"]}


async def test_empty_filters_and_other_letter_cases_are_no_mistakes(client, database):
    [one] = await record(database, action())

    status, everything = await asked(client, actor="", kind="")

    assert status == 200
    assert str(one) in everything
    assert await asked(client, kind=" Items.Give ") == (200, [str(one)])


async def test_who_did_nothing_yet_is_known_all_the_same(client, database):
    await make_user(database, "ana")
    item = await make_item(database)

    assert await asked(client, actor="ana") == (200, [])
    assert await asked(client, item=str(item)) == (200, [])


async def test_an_item_that_left_the_catalog_is_found_in_the_log(client, database):
    gone = uuid4()
    [one] = await record(database, action(item_id=gone))

    assert await asked(client, item=str(gone)) == (200, [str(one)])


async def test_names_of_accounts_are_only_suggested_to_who_may_list_them(client, database):
    await make_user(database, "secretive")
    narrow, _ = await key_named(database, "narrow", "actions.read")
    wide, _ = await key_named(database, "wide", "actions.read", "users.query")

    _, (_, told) = await asked(client, narrow, actor="secretiv")
    _, (_, all_told) = await asked(client, wide, actor="secretiv")

    assert "secretive" not in told
    assert "secretive" in all_told


async def test_a_name_of_several_is_not_one(database):
    """A bulk undo must not hit a namesake."""
    user = await make_user(database, "ana")
    assert await find_only_actor(database.reader, "ana") == f"user:{user}"

    await record(database, action(ANA_AT_TERMINAL))
    with pytest.raises(AmbiguousActor, match="cli:ana"):
        await find_only_actor(database.reader, "ana")
    assert await find_only_actor(database.reader, "cli:ana") == "cli:ana"


async def test_a_login_alone_is_not_an_actor_to_undo(database):
    """Its actor is `system`: an undo of that would take everybody's changes."""
    await record(database, action(ANA_BY_LOGIN))

    with pytest.raises(AmbiguousActor):
        await find_only_actor(database.reader, "ana")
    assert [
        actor.name for actor in await find_actors(database.reader, "ana", names_users=True)
    ] == ["command line (ana)"]


async def test_the_beginning_of_an_id_finds_the_action_if_only_one_begins_so(database):
    one, two = await record(database, action(), action())
    reader = database.reader

    assert await action_ids.find_action_id(reader, str(one)) == one
    assert await action_ids.find_action_id(reader, f"{{{one}}}".upper()) == one
    assert await action_ids.find_action_id(reader, str(two)[:26]) == two
    with pytest.raises(AmbiguousActionId):
        await action_ids.find_action_id(reader, str(one)[:9])
    for text in ("", str(one)[:7], "x" * 12, str(uuid4()), str(one) + "0", "--------", "%"):
        with pytest.raises(ActionNotFound):
            await action_ids.find_action_id(reader, text)
