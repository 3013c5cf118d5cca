"""The figures that all callers of the overview share: how often and from where they are read."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import asyncpg
import msgspec
import pytest

from gamekeeper.core import ids
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.operations.overview import figures, shared
from gamekeeper.players import items
from gamekeeper.players.items import Gift
from tests.deadlines import until
from tests.ledger.chains import act, age_actions, link
from tests.make import BY, make_item, make_player, make_server
from tests.overview.test_game import run, seen, webhook
from tests.security.callers import key_with
from tests.staff.make import make_staff

LIVE = 4
"""State, servers, webhooks, lost leases."""
READ_ANEW = LIVE + 11
"""The time, curve, counts and until when, supply, staff actions with undos and names."""


async def test_a_request_is_a_fixed_number_of_statements(client, database, statements, monkeypatch):
    async def asked() -> int:
        with statements() as sent:
            await seen(client)
        return len(sent)

    async def do_more() -> None:
        await make_server(database, lease_seconds=-60)
        await webhook(database, failing_since=datetime.now(UTC) - timedelta(hours=1))
        more = Action(kind="items.give", by=BY, player_id=await make_player(database))
        await database.write(lambda writer: actions.record(writer, [more]))

    await do_more()
    # So that a slow machine does not read them anew in between.
    monkeypatch.setattr(shared, "FRESH_SECONDS", 3600)
    await seen(client)
    assert await asked() <= LIVE

    monkeypatch.setattr(shared, "FRESH_SECONDS", 0)
    few = await asked()
    for _ in range(5):
        await do_more()

    assert await asked() == few <= READ_ANEW


async def test_twenty_callers_share_one_read(client, statements):
    with statements() as sent:
        await asyncio.gather(*(seen(client) for _ in range(20)))

    assert sent.count(figures.STAFF) == 1


async def test_what_one_caller_may_see_is_not_shown_to_another(client, database, monkeypatch):
    monkeypatch.setattr(shared, "FRESH_SECONDS", 3600)
    member = await make_staff(database, "support", name="sue")
    by = AuditContext(actor=f"user:{member}", name="sue")
    done = Action(kind="users.register", by=by, user_id=member, after={"email": "sue@example.com"})
    await database.write(lambda writer: actions.record(writer, [done]))
    blind = await key_with(database, "players.read", "actions.read")

    whole, part = await seen(client), await seen(client, blind)

    def of_sue(overview: dict) -> dict:
        return next(one for one in overview["StaffActions"] if one["ActorName"] == "sue")

    assert part["FiguresAt"] == whole["FiguresAt"]
    assert (of_sue(whole)["UserName"], "UserName" in of_sue(part)) == ("sue", False)
    assert "sue@example.com" in str(whole)
    assert "sue@example.com" not in str(part)


async def test_figures_that_are_slow_to_read_are_those_of_before(
    client, database, settings, monkeypatch
):
    monkeypatch.setattr(shared, "FRESH_SECONDS", 0)
    first = await seen(client)
    blocker = await asyncpg.connect(settings.database_url)
    transaction = blocker.transaction()
    await transaction.start()
    await blocker.execute("LOCK TABLE item_flows IN ACCESS EXCLUSIVE MODE")
    try:
        during = await seen(client)
    finally:
        await transaction.rollback()
        await blocker.close()

    assert during["FiguresAt"] == first["FiguresAt"]
    assert during["At"] > first["At"]

    async def is_new() -> bool:
        return (await seen(client))["FiguresAt"] > first["FiguresAt"]

    await until(is_new, "new figures after the lock")


@pytest.mark.usefixtures("schema_changes")
async def test_a_failure_is_an_error_when_there_are_no_usable_figures(
    client, database, monkeypatch
):
    await run(database, "ALTER TABLE item_flows RENAME TO elsewhere")

    assert (await client.get("/api/v1/overview")).status_code >= 500

    await run(database, "ALTER TABLE elsewhere RENAME TO item_flows")
    first = await seen(client)
    await run(database, "ALTER TABLE item_flows RENAME TO elsewhere")
    monkeypatch.setattr(shared, "FRESH_SECONDS", 0)
    assert (await seen(client))["FiguresAt"] == first["FiguresAt"]
    monkeypatch.setattr(shared, "USABLE_SECONDS", 0)
    assert (await client.get("/api/v1/overview")).status_code >= 500


# ── Sources that lag ──


def complete(overview: dict) -> tuple[bool, bool, bool]:
    return tuple(overview[part]["Complete"] for part in ("Actions", "Newcomers", "Supply"))


async def test_counts_are_incomplete_while_old_actions_are_not_linked_or_counted(client, database):
    await act(database)
    assert complete(await seen(client)) == (True, True, True)

    await age_actions(database, timedelta(minutes=2))
    assert complete(await seen(client)) == (False, False, True)
    await link(database)
    assert complete(await seen(client)) == (False, False, True)

    await run(database, "UPDATE action_counts_progress SET seq = (SELECT max(seq) FROM chain)")
    assert complete(await seen(client)) == (True, True, True)


async def test_supply_is_incomplete_while_old_postings_are_not_added_up(client, database):
    gift = Gift(
        by=BY,
        player=str(await make_player(database)),
        item_id=await make_item(database),
        quantity=1,
    )
    await items.give.one(database, gift)
    assert complete(await seen(client))[2] is True

    await run(database, "UPDATE postings SET at = at - interval '2 minutes'")

    assert complete(await seen(client))[2] is False
    await run(database, "UPDATE economy_horizon SET xid = pg_snapshot_xmax(pg_current_snapshot())")
    assert complete(await seen(client))[2] is True


# ── Plans ──

MANY = 30_000
FEW_BLOCKS = 60

GROW = """
    INSERT INTO actions (id, kind, actor, actor_name, request_id, address, reason)
    SELECT ($2::text || '70008' || lpad(to_hex(n), 15, '0'))::uuid, 'items.give', 'key:' || n % 7,
           'shop', '', '', repeat('order ', 60)
      FROM generate_series(1, $1) AS n
"""


@pytest.mark.usefixtures("database_statistics")
async def test_staff_actions_are_found_by_actor_however_few_actors_there_are(database):
    """The statistics know few actors, so the planner expects one of staff among a few ids."""
    member = await make_staff(database, "support", name="sue")
    by = AuditContext(actor=f"user:{member}", name="sue")
    done = Action(kind="items.give", by=by, player_id=uuid4())
    await database.write(lambda writer: actions.record(writer, [done]))
    # In the order of time, as they come: this makes the primary key cheap to walk along.
    await run(database, GROW, MANY, ids.new_id().hex[:12])
    await run(database, "ANALYZE actions")
    now = datetime.now(UTC)
    since = now - timedelta(days=30)
    first, days = ids.id_at(ids.NIL, since), timedelta(days=1)

    connection = await asyncpg.connect(
        database.settings.database_url, server_settings={"plan_cache_mode": "force_generic_plan"}
    )
    try:
        asked = (figures.MOST_STAFF, figures.STAFF_ACTIONS, first, since - days, now + days)
        found = await connection.fetch(figures.STAFF, *asked)
        explained = await connection.fetchval(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {figures.STAFF}", *asked
        )
    finally:
        await connection.close()

    [plan] = msgspec.json.decode(explained)
    assert done.id in {row["id"] for row in found}
    assert plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"] < FEW_BLOCKS
