"""Reasons are searched by any part, in any letter case, and one page never looks at everything."""

import csv
import io
from collections import Counter
from datetime import datetime
from uuid import UUID

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import MOST_SEARCHED
from tests.make import BY, make_item, make_player, make_user

URL = "/api/v1/actions"
EXPORT = "/api/v1/actions/export"

# Older than everything else, one a second.
FILL = """
    INSERT INTO actions (id, at, kind, actor, actor_name, reason, request_id, address)
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
           at, 'items.give', 'key:shop', 'shop',
           CASE WHEN n = 0 THEN 'the First of all' ELSE 'order ' || n END, 'r', ''
      FROM generate_series(0, $1::int - 1) AS n,
           LATERAL (SELECT now() - interval '1 hour' - ($1 - n) * interval '1 second' AS at) AS made
"""


def because(reason: str | None, actor: str = "key:shop", **about) -> Action:
    by = AuditContext(actor=actor, name=actor.partition(":")[2], reason=reason)
    return Action(kind="items.give", by=by, **about)


async def record(database, *done: Action) -> None:
    await database.write(lambda writer: actions.record(writer, done))


async def fill(database, count: int) -> None:
    await database.write(lambda writer: writer.run(FILL, count))


async def reasons(client, **query) -> list[str]:
    answer = await client.get(URL, params=query)
    assert answer.status_code == 200
    assert (answer.json()["Next"], answer.json()["SearchedTo"]) == (None, None)
    return [entry["Reason"] for entry in answer.json()["Values"]]


async def test_a_part_of_a_reason_is_found_in_any_letter_case(client, database):
    await record(
        database,
        because("quest bug #812"),
        because("QUEST BUG #9"),
        because("100 % sure_thing \\o/"),
        because("Ärger im Lager"),
        because(None),
    )

    assert await reasons(client, reason="Quest bug") == ["QUEST BUG #9", "quest bug #812"]
    assert await reasons(client, reason="#812") == ["quest bug #812"]
    assert await reasons(client, reason="ärger IM") == ["Ärger im Lager"]
    # Nothing in it is a wildcard.
    assert await reasons(client, reason="100%") == []
    assert await reasons(client, reason="% sure_") == ["100 % sure_thing \\o/"]
    assert await reasons(client, reason="q_est") == []
    assert await reasons(client, reason="\\o") == ["100 % sure_thing \\o/"]


async def test_it_narrows_the_other_filters(client, database):
    ana, sword = await make_player(database, "ana"), await make_item(database)
    await record(
        database,
        because("a prize", player_id=ana),
        because("a prize", item_id=sword),
        because("a prize", actor="system"),
        because("nothing", player_id=ana, item_id=sword),
    )

    assert await reasons(client, reason="prize", player="Ana") == ["a prize"]
    assert await reasons(client, reason="prize", item=str(sword)) == ["a prize"]
    assert await reasons(client, reason="prize", actor="system") == ["a prize"]
    assert len(await reasons(client, reason="prize", kind="items.give")) == 3
    assert await reasons(client, reason="prize", player="ana", item=str(sword)) == []


async def test_pages_of_a_search_follow_each_other(client, database):
    await record(database, *(because(f"{'prize' if n % 3 else 'fee'} {n}") for n in range(30)))
    seen, cursor = [], None
    for size in (1, 7, 100):
        answer = await client.get(URL, params={"reason": "prize", "limit": size, "cursor": cursor})
        seen += [entry["Reason"] for entry in answer.json()["Values"]]
        cursor = answer.json()["Next"]
        last = answer.json()["Values"][-1]["At"]
        assert answer.json()["SearchedTo"] == (last if cursor else None)

    assert cursor is None
    assert seen == [f"prize {n}" for n in reversed(range(30)) if n % 3]


async def test_a_page_looks_at_so_many_and_says_how_far_it_came(client, database, statements):
    await fill(database, MOST_SEARCHED + 1)

    with statements() as made:
        first = (await client.get(URL, params={"reason": "first of"})).json()
    assert first["Values"] == []
    assert first["Next"] is not None
    assert sum("FROM actions" in sql for sql in made) == 1

    second = (await client.get(URL, params={"reason": "first of", "cursor": first["Next"]})).json()
    assert [entry["Reason"] for entry in second["Values"]] == ["the First of all"]
    assert (second["Next"], second["SearchedTo"]) == (None, None)
    [found] = second["Values"]
    assert 0 < _seconds(first["SearchedTo"]) - _seconds(found["At"]) < 5


async def test_namesakes_are_searched_to_the_nearest_end(client, database):
    """One of them has more actions than a page looks at: what lies beyond waits for the next."""
    await keys.create.one(database, NewKey(by=BY, name="twin"))
    [key] = [key for key in await keys.list_keys(database.reader) if key.name == "twin"]
    user = await make_user(database, "twin")
    await record(database, because("first of the user", actor=f"user:{user}"))
    await fill(database, MOST_SEARCHED + 1)

    async def work(writer: Writer) -> None:
        await writer.run("UPDATE actions SET actor = $1 WHERE actor = 'key:shop'", f"key:{key.id}")
        # The oldest of all.
        await writer.run(
            "UPDATE actions SET at = now() - interval '1 day', id = $2 WHERE actor = $1",
            f"user:{user}",
            UUID(int=1),
        )

    await database.write(work)

    first = (await client.get(URL, params={"reason": "first of", "actor": "twin"})).json()
    assert first["Values"] == []
    query = {"reason": "first of", "actor": "twin", "cursor": first["Next"]}
    second = (await client.get(URL, params=query)).json()

    assert [entry["Reason"] for entry in second["Values"]] == [
        "the First of all",
        "first of the user",
    ]
    assert second["Next"] is None


async def test_a_text_that_is_too_long_is_refused(client):
    answer = await client.get(URL, params={"reason": "x" * 101})
    assert (answer.status_code, answer.json()["Code"]) == (400, "invalid_query")
    assert (await client.get(URL, params={"reason": "a\0b"})).status_code == 400


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


# ── Export ──


async def exported(client, **query) -> list[dict[str, str]]:
    answer = await client.get(EXPORT, params=query)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="actions.csv"'
    return list(csv.DictReader(io.StringIO(answer.text)))


async def test_the_export_has_what_the_list_has_with_names(client, database):
    ana, sword = await make_player(database, "ana"), await make_item(database, "Sword")
    await record(
        database,
        because('he said "thanks",\nand left', player_id=ana, item_id=sword, after={"total": 3}),
        because("another"),
    )

    [row] = await exported(client, player="ana")
    query = {"player": "ana", "names": "true"}
    [shown] = (await client.get(URL, params=query)).json()["Values"]
    assert {name: row[name] for name in shown if name not in ("After", "At")} == {
        name: value or "" for name, value in shown.items() if name not in ("After", "At")
    }
    assert _seconds(row["At"]) == _seconds(shown["At"])
    assert (row["PlayerName"], row["ItemName"], row["After"]) == ("ana", "Sword", '{"total":3}')
    assert row["Reason"] == 'he said "thanks",\nand left'


async def test_no_cell_is_a_formula(client, database):
    evil = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"]
    await record(database, *(because(text) for text in [*evil, "a=1", "'quoted"]))

    found = [row["Reason"] for row in await exported(client, actor="key:shop")]

    assert found == ["'quoted", "a=1", *(f"'{text}" for text in reversed(evil))]


async def test_an_export_without_actions_has_a_head(client):
    assert await exported(client, kind="items.take") == []


async def test_an_export_goes_through_all_pages_of_a_search(client, database, statements):
    await fill(database, MOST_SEARCHED + 1)

    assert [row["Reason"] for row in await exported(client, reason="first of")] == [
        "the First of all"
    ]
    with statements() as made:
        rows = await exported(client, reason="order 1999", kind="items.give")
    assert Counter(row["Reason"][:10] for row in rows) == {"order 1999": 11}
    assert len(made) <= 10


async def test_personal_information_is_masked_as_in_the_list(client, database):
    await record(database, Action(kind="users.email", by=BY, after={"email": "ana@example.com"}))
    narrow = await keys.create.one(database, NewKey(by=BY, name="narrow", scopes=("actions.read",)))

    answer = await client.get(EXPORT, headers={"Authorization": f"Bearer {narrow}"})

    assert answer.status_code == 200
    assert "ana@example.com" not in answer.text


async def test_filters_are_refused_before_anything_is_sent(client):
    for query in ({"kind": "items.giv"}, {"player": "nobody"}, {"actor": "nobody"}):
        listed = await client.get(URL, params=query)
        answer = await client.get(EXPORT, params=query)
        assert answer.status_code == listed.status_code >= 400
        assert answer.json()["Code"] == listed.json()["Code"]
