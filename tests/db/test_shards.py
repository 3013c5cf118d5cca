"""
The tables could be spread over machines, and every request about one character would find it.

Said of the script that spreads them, by the catalog, and of the statements, by what is
really sent; see `tests.db.shards` for what stands in the place of Citus.
"""

from collections.abc import AsyncIterator
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import httpx2
import pytest

from gamekeeper.auth import tokens
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.databases import cloned, name_of
from tests.db.shards import Places, distribute, faults
from tests.make import (
    KNIGHT,
    make_bag_item,
    make_item,
    make_player,
    make_spell,
    make_user,
    make_variable,
    proved,
    sha,
)


class Spread(NamedTuple):
    """A database whose tables were spread, to be cloned, and where they lie."""

    name: str
    places: Places


@pytest.fixture(scope="module")
async def spread(template: str) -> AsyncIterator[Spread]:
    async with cloned(template) as settings:
        connection = await asyncpg.connect(settings.database_url)
        places = await distribute(connection)
        await connection.close()
        yield Spread(name_of(settings), places)


@pytest.fixture
async def settings(request, template: str, spread: Spread) -> AsyncIterator[Settings]:
    """A database of the test's own; spread, unless the test does that itself."""
    is_spread = "places" in request.fixturenames
    async with cloned(spread.name if is_spread else template) as settings:
        yield settings


@pytest.fixture
async def connection(settings: Settings) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


@pytest.fixture
def places(spread: Spread) -> Places:
    return spread.places


# ── The script and the catalog ──


async def test_every_table_has_its_place(connection, places):
    """What is neither spread nor everywhere stays on the coordinator, and the script names it."""
    assert places["slots"].group == "players"
    assert places["items"].column is None
    assert await distribute(connection) == places

    await connection.execute("CREATE TABLE public.forgotten (id int PRIMARY KEY)")

    with pytest.raises(asyncpg.RaiseError, match="says nothing about: forgotten"):
        await distribute(connection)


async def test_whatever_is_unique_is_unique_in_one_place(connection, places):
    assert await scattered_keys(connection, places) == []

    await connection.execute("CREATE UNIQUE INDEX planted ON players (name_key)")

    assert await scattered_keys(connection, places) == ["planted"]


async def scattered_keys(connection: asyncpg.Connection, places: Places) -> list[str]:
    """Unique indexes without the column that says where a row lies."""
    rows = await connection.fetch(
        """
        SELECT indrelid::regclass::text AS name, indexrelid::regclass::text AS index,
               (SELECT array_agg(attname::text) FROM pg_attribute
                 WHERE attrelid = indrelid AND attnum = ANY(indkey)) AS columns
          FROM pg_index WHERE indisunique
        """
    )
    return [
        row["index"]
        for row in rows
        if (place := places.get(row["name"]))
        and place.column
        and place.column not in row["columns"]
    ]


async def test_rows_beside_each_other_are_placed_by_the_same_kind_of_value(connection, places):
    rows = await connection.fetch(
        """
        SELECT attrelid::regclass::text AS name, attname, attnotnull,
               (atttypid::regtype::text, attcollation) AS kind
          FROM pg_attribute
        """
    )
    columns = {(row["name"], row["attname"]): row for row in rows}
    for name, place in places.items():
        if place.column and place.group:
            column, first = columns[name, place.column], places[place.group]
            assert column["attnotnull"], name
            assert column["kind"] == columns[place.group, first.column]["kind"], name
            assert first.group == place.group, name


async def test_only_foreign_keys_that_cross_are_dropped(connection):
    before = await foreign_keys(connection)

    places = await distribute(connection)

    after = await foreign_keys(connection)
    held = {name: key for name, key in before.items() if holds(key, places)}
    assert after == held
    assert before.keys() - after.keys() == {
        "access_tokens_family_fkey",
        "appeals_sanction_fkey",
        "bag_owners_bag_fkey",
        "browser_sessions_user_fkey",
        "guild_members_player_fkey",
        "guild_slots_item_fkey",
        "guild_variables_variable_fkey",
        "player_names_player_fkey",
        "player_skeletons_player_fkey",
        "players_user_fkey",
        "refresh_tokens_family_fkey",
        "sign_in_links_user_fkey",
        "user_emails_user_fkey",
        "user_names_user_fkey",
        "user_skeletons_user_fkey",
    }


async def foreign_keys(connection: asyncpg.Connection) -> dict[str, Any]:
    rows = await connection.fetch(
        """
        SELECT conname, conrelid::regclass::text AS source, confrelid::regclass::text AS target,
               pg_get_constraintdef(pg_constraint.oid) AS definition,
               array(SELECT ARRAY[one.attname, two.attname]::text[]
                       FROM unnest(conkey, confkey) AS pair (mine, theirs)
                       JOIN pg_attribute AS one ON one.attrelid = conrelid AND one.attnum = mine
                       JOIN pg_attribute AS two ON two.attrelid = confrelid
                                               AND two.attnum = theirs) AS pairs
          FROM pg_constraint WHERE contype = 'f'
        """
    )
    return {row["conname"]: dict(row) for row in rows}


def holds(key: Any, places: Places) -> bool:
    """Whether Citus can keep a foreign key: inside one place, or to what is everywhere."""
    source, target = places.get(key["source"]), places.get(key["target"])
    if source is None or target is None:
        return source is target
    if target.column is None:
        return True
    return source.group == target.group and [source.column, target.column] in key["pairs"]


async def test_nothing_fires_by_itself_where_a_trigger_cannot(connection, places):
    """The ledger and the deltas are written by the statements; only the job queue is woken."""
    assert await triggered(connection) - {"pgqueuer"} == set()
    assert "pgqueuer" not in places


async def triggered(connection: asyncpg.Connection) -> set[str]:
    rows = await connection.fetch(
        "SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE NOT tgisinternal"
    )
    return {row["name"] for row in rows}


# ── The statements ──


class World:
    """One character with a bit of everything, and an account with a token."""

    def __init__(self, **ids: Any) -> None:
        self.__dict__.update(ids)

    @classmethod
    async def make(cls, database: Database) -> "World":
        user = await make_user(database, "owner", password="secret", api=True, user_query=True)
        await make_user(database, "other")
        return cls(
            user=user,
            player=await make_player(database, "Ana", user=user),
            potion=await make_item(database),
            satchel=await make_bag_item(database),
            spell=await make_spell(database),
            variable=await make_variable(database),
            tokens=await tokens.issue.one(database, await proved(database, user)),
        )


def about_one_character(world: Any, bag: UUID) -> list[tuple[str, str, Any]]:
    """Endpoints 5 to 18, by name and by id."""
    one, name = f"/api/v1/players/{world.player}", "/api/v1/players/Ana"
    variable = f"/variables/{world.variable}"
    return [
        ("GET", one, None),
        ("GET", name, None),
        ("GET", f"{name}/variables", None),
        ("GET", f"{name}{variable}", None),
        ("GET", f"{name}{variable}/value", None),
        ("POST", f"{one}{variable}", {"value": 7}),
        ("GET", f"{name}/items", None),
        ("GET", f"{name}/items/inventory", None),
        ("GET", f"{one}/items/bank", None),
        ("GET", f"/api/v1/players/bag/{bag}", None),
        ("POST", f"{name}/items/give", {"itemid": str(world.potion), "quantity": 25}),
        ("POST", f"{one}/items/give", {"itemid": str(world.satchel), "quantity": 1}),
        ("POST", f"{name}/items/take", {"itemid": str(world.potion), "quantity": 25}),
        ("POST", f"{one}/items/take", {"itemid": str(world.satchel), "quantity": 2}),
        ("GET", f"{name}/spells", None),
        ("POST", f"{name}/spells/teach", {"spellid": str(world.spell)}),
        ("POST", f"{one}/spells/forget", {"spellid": str(world.spell)}),
        ("GET", f"{name}/sheet", None),
        ("POST", f"{name}/sheet", {"x": 3, "vitals": [5, 5]}),
        ("POST", f"{name}/level", {"level": 3}),
        ("POST", f"{one}/class", {"classid": str(KNIGHT)}),
        ("POST", f"{name}/name", {"name": "Ana Lyra"}),
        ("DELETE", one, None),
        # One account, its password, and a change of it.
        ("POST", "/api/v1/users/owner/password/validate", {"password": sha("secret")}),
        (
            "POST",
            "/api/v1/users/owner/password/change",
            {"new": sha("better"), "authorization": sha("secret")},
        ),
        (
            "POST",
            "/api/v1/users/register",
            {"username": "newcomer", "password": sha("x"), "email": "new@example.org"},
        ),
    ]


ABOUT_EVERYBODY = [
    # A page, a count or a search is of all characters, wherever they lie.
    ("GET", "/api/v1/players?page=1", None),
    ("GET", "/api/v1/players/rank?page=1", None),
    ("GET", "/api/v1/players?search=An", None),
    ("POST", "/api/v1/players/online", {}),
    ("POST", "/api/v1/players", {}),
    ("GET", "/api/v1/users?page=1", None),
    # A user's characters lie where their own ids say, not where the user's does; the record of
    # the user has their play time.
    ("GET", "/api/v1/users/owner", None),
    ("GET", "/api/v1/users/owner/players", None),
    ("GET", "/api/v1/users/owner/players/0", None),
    ("POST", "/api/v1/users/other/players", {"name": "Bo", "classid": str(KNIGHT)}),
]
"""Requests that are not about one character, and so may ask everywhere."""


@pytest.fixture
async def world(database: Database) -> World:
    return await World.make(database)


async def test_a_request_about_one_character_says_where_it_lies(
    client: httpx2.AsyncClient, database, world, places, statements
):
    give = {"itemid": str(world.satchel), "quantity": 1}
    await client.post("/api/v1/players/Ana/items/give", json=give)
    bag = await database.reader.value("SELECT bag_id FROM bag_owners")
    found: dict[str, list[str]] = {}
    touched: set[str] = set()
    for number, request in enumerate(about_one_character(world, bag)):
        sent = await send(client, request, statements, key=f"once-{number}")
        touched |= {name for name in places for sql in sent if f" {name}" in sql}
        found |= {sql: wrong for sql in sent if (wrong := faults(sql, places))}

    assert found == {}
    # Most of the tables were met: the test would notice if nothing were sent at all.
    assert touched >= {"players", "slots", "bags", "bag_slots", "player_spells", "postings"}
    assert touched >= {"player_variables", "actions", "ledger_heads", "replies", "passwords"}


async def test_a_token_is_found_and_renewed_step_by_step(
    client, database, world, places, statements
):
    with statements() as sent:
        answer = await client.get(
            "/api/v1/players/Ana", headers={"Authorization": f"Bearer {world.tokens.access}"}
        )
        await tokens.refresh.one(database, world.tokens.refresh)
        await tokens.forget.one(database, world.tokens.access)

    assert answer.status_code == 200
    assert any("FROM access_tokens" in sql for sql in sent)
    assert {sql: wrong for sql in sent if (wrong := faults(sql, places))} == {}


@pytest.mark.parametrize("request_", ABOUT_EVERYBODY, ids=lambda request: request[1])
async def test_only_requests_about_everybody_ask_everywhere(
    client, world, places, statements, request_
):
    """If one of these comes to say where it looks, it belongs into the list above."""
    sent = await send(client, request_, statements)

    assert [wrong for sql in sent for wrong in faults(sql, places)]


async def send(
    client: httpx2.AsyncClient, request: tuple[str, str, Any], statements: Any, key: str = ""
) -> list[str]:
    method, path, body = request
    headers = {"Idempotency-Key": key} if key and method == "POST" else {}
    with statements() as sent:
        answer = await client.request(method, path, json=body, headers=headers)
    assert answer.status_code == 200, (request, answer.text)
    return sent


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("SELECT quantity FROM slots WHERE item_id = $1", "slots without player_id"),
        ("SELECT 1 FROM slots WHERE slot = $1 AND player_id > $2", "slots without player_id"),
        ("SELECT id FROM players WHERE name_key = $1 FOR UPDATE", "players without id"),
        ("UPDATE slots SET quantity = $2 WHERE bag_id = $1", "slots without player_id"),
        (
            (
                "DELETE FROM slots USING unnest($1::uuid[]) AS gone (player_id)"
                " WHERE slots.player_id = gone.player_id"
            ),
            "slots without player_id",
        ),
        (
            (
                "SELECT name FROM players JOIN slots ON slots.slot = players.level"
                " WHERE players.id = $1"
            ),
            "slots without player_id",
        ),
        (
            (
                "SELECT 1 FROM players WHERE id = $1 AND EXISTS"
                " (SELECT FROM slots WHERE slots.item_id = $2)"
            ),
            "slots without player_id",
        ),
        ("INSERT INTO slots (place, slot) VALUES ($1, $2)", "slots without player_id"),
        (
            "INSERT INTO bags (player_id, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING",
            "bags without player_id",
        ),
        (
            (
                "SELECT 1 FROM access_tokens JOIN users ON users.id = access_tokens.user_id"
                " WHERE hash = $1 AND users.id = $2"
            ),
            "joined across groups: access_tokens, users",
        ),
        (
            (
                "INSERT INTO known_sources (user_id, source) VALUES ($1, $2)"
                " ON CONFLICT (user_id, source) DO UPDATE SET seen_at = now()"
            ),
            "decided anew after the fact: DO UPDATE SET seen_at = now()",
        ),
    ],
)
async def test_a_statement_that_does_not_say_where_is_noticed(places, sql, fault):
    assert faults(sql, places) == [fault]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT quantity FROM slots WHERE player_id = $1",
        "SELECT quantity FROM slots AS s WHERE s.player_id = ANY($1::uuid[])",
        "SELECT 1 FROM players JOIN slots ON slots.player_id = players.id WHERE players.id = $1",
        "SELECT 1 FROM bags JOIN slots USING (player_id) WHERE slots.player_id = $1",
        (
            "SELECT 1 FROM slots WHERE player_id = $1 AND EXISTS"
            " (SELECT FROM bags WHERE bags.player_id = slots.player_id)"
        ),
        "INSERT INTO slots (player_id, slot) SELECT * FROM unnest($1::uuid[], $2::int[])",
        (
            "SELECT id FROM players WHERE id = $1"
            " UNION ALL SELECT player_id FROM player_names WHERE name_key = $2"
        ),
        "SELECT name FROM items WHERE id = $1",
    ],
)
async def test_a_statement_that_says_where_is_left_alone(places, sql):
    assert faults(sql, places) == []
