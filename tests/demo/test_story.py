"""The story of the demo world: whole, in the past, and the same for the same seed."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from gamekeeper.cli import example_account, example_staff
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.demo import loader, world
from gamekeeper.demo.story import cast, guilds, incidents, letters, orders
from gamekeeper.demo.story.playback import play_story
from gamekeeper.history import as_of
from gamekeeper.history.undo import bulk
from gamekeeper.history.undo.bulk import Sweep
from gamekeeper.ledger import chain, verify_chain, verify_ledger
from tests.make import BY
from tests.own_server import database, settings

__all__ = ["database", "settings"]

NOW = datetime.now(UTC).replace(microsecond=0)
DAYS = 7
EXAMPLE = example_account.PLAYER


async def make_world(
    settings: Settings, database: Database, players: int = 120, days: int = DAYS
) -> int:
    began = NOW - timedelta(days=days)
    await loader.fill(settings, players=players, seed=1, now=NOW, began=began)
    await example_account.create(database, began)
    await example_staff.create(database, "demo", (began, NOW))
    return await play_story(database, now=NOW, days=days, seed=1, example=EXAMPLE)


async def rows(database: Database, sql: str, *given: object) -> list[tuple]:
    return [tuple(row) for row in await database.reader.rows(sql, *given)]


@pytest.fixture(scope="module")
async def told(settings: Settings, database: Database) -> int:
    return await make_world(settings, database)


async def test_all_of_it_is_true_and_over(settings, database, told):
    """Every law of the ledger holds, every action is linked, in the order of time."""
    await chain.catch_up(database)
    assert (await verify_ledger.verify(settings)).breach is None
    assert (await verify_chain.find(settings)).total == 0
    began = NOW - timedelta(days=DAYS)
    [(first, last, many)] = await rows(database, "SELECT min(at), max(at), count(*) FROM actions")
    assert began <= first
    assert last < NOW
    assert many > told / 2
    unordered = """
        SELECT count(*) FROM (SELECT action_at < lag(action_at) OVER (ORDER BY seq) AS is_before
                                FROM chain JOIN actions ON id = action_id
                               WHERE xid = (SELECT max(xid) FROM actions)) AS links
         WHERE is_before
    """
    assert await database.reader.value(unordered) == 0
    apart = """
        SELECT count(*) FROM actions
         WHERE abs(extract(epoch FROM at) * 1000
                   - ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint) > 1000
    """
    assert await database.reader.value(apart) == 0
    kinds = {kind for (kind,) in await rows(database, "SELECT DISTINCT kind FROM actions")}
    assert kinds >= {
        *("items.give", "items.take", "items.exchange", "items.move", "spells.teach", "undo"),
        *("variables.set", "players.progress", "players.create", "players.sheet"),
        *("users.register", "sanctions.impose", "appeals.open", "appeals.decide", "staff.grant"),
    }


async def test_guilds_have_members_and_a_bank_with_a_past(database, told):
    """The court's bank was emptied last night; its log is as old as the guild."""
    [(name, members, value)] = await rows(
        database,
        """
        SELECT guilds.name, (SELECT count(*) FROM guild_members WHERE guild_id = guilds.id),
               (SELECT count(*) FROM guild_slots WHERE guild_id = guilds.id)
          FROM guilds WHERE name = $1
        """,
        guilds.COURT,
    )
    assert (name, members) == (guilds.COURT, 6)
    assert value > 0
    logged = await rows(
        database,
        """
        SELECT kind, at, founded_at, players.name FROM guild_actions
          JOIN actions ON actions.id = action_id JOIN guilds ON guilds.id = guild_id
          LEFT JOIN players ON players.id = actions.player_id
         WHERE guilds.name = $1 ORDER BY action_id
        """,
        guilds.COURT,
    )
    assert logged[0][:2] == ("guilds.create", logged[0][2])
    assert all(earlier[1] <= later[1] for earlier, later in pairwise(logged))
    assert [(kind, player) for kind, _, _, player in logged[-2:]] == [
        ("guilds.withdraw", cast.LOUD.name)
    ] * 2


async def test_letters_wait_to_be_claimed(database, told):
    found = await rows(
        database,
        """
        SELECT subject, state, sender_kind, sent_at, ended_at, expires_at - sent_at
          FROM letters JOIN players ON players.id = player_id
         WHERE players.name = $1 ORDER BY letters.id
        """,
        cast.LUCKY.name,
    )
    sent = [
        NOW - timedelta(days=4, hours=3),
        NOW - timedelta(days=1, hours=2),
        NOW - timedelta(hours=6),
    ]
    month = timedelta(days=30)
    assert found == [
        (letters.OLD, "claimed", "staff", sent[0], sent[0] + timedelta(minutes=40), month),
        ("Items for you", "open", "key", sent[1], None, month),
        ("Screenshot contest", "open", "staff", sent[2], None, month),
    ]


async def test_orders_are_in_every_state(database, told):
    found = await rows(
        database,
        """
        SELECT orders.order_id, orders.state, line.state, created_at, line.delivered_at,
               line.ended_at, letters.ended_at
          FROM orders JOIN order_lines AS line ON line.order_id = orders.id
          LEFT JOIN letters ON letters.id = line.letter_id
         ORDER BY orders.id, number
        """,
    )
    paid = {purchase.order_id: NOW - purchase.ago for purchase in orders.PURCHASES}
    claimed, refunded = paid[orders.CLAIMED], paid[orders.REFUNDED]
    returned = refunded + timedelta(hours=19)
    gift, disputed = paid[orders.GIFT], paid[orders.DISPUTED]
    opened = claimed + timedelta(minutes=50)
    lost, unknown = paid[orders.MISSPELT], paid[orders.UNKNOWN_PRODUCT]
    assert found == [
        (orders.CLAIMED, "delivered", "delivered", claimed, claimed, None, opened),
        (orders.CLAIMED, "delivered", "delivered", claimed, claimed, None, None),
        (orders.GIFT, "delivered", "delivered", gift, gift, None, None),
        (orders.REFUNDED, "refunded", "returned", refunded, refunded, returned, returned),
        (orders.MISSPELT, "unclaimed", "waiting", lost, None, None, None),
        (orders.UNKNOWN_PRODUCT, "waiting", "waiting", unknown, None, None, None),
        (orders.DISPUTED, "disputed", "delivered", disputed, disputed, None, None),
    ]


async def test_the_cases_are_there(database, told):
    """Those that the console's journeys begin with."""
    sword, token = (world.items()[name].id for name in (incidents.SWORD, "Guild Token"))
    six = (NOW - timedelta(days=1)).replace(hour=18, minute=0, second=0)
    lost = "SELECT at, actor_name, reason FROM actions WHERE kind = 'items.take' AND item_id = $1"
    assert await rows(database, lost, sword) == [(six, "Tomas", "duplicate item, ticket #1043")]
    for at, there in ((six - timedelta(minutes=1), True), (six + timedelta(minutes=1), False)):
        then = await as_of.carried(database.reader, cast.HERO.name, at)
        assert (sword in [slot.item_id for slot in then.inventory]) == there
    gift = """
        SELECT actor_name, quantity FROM actions JOIN postings ON action_id = id
         WHERE kind = 'items.give' AND actions.item_id = $1 AND reason LIKE 'quest bug #812%'
    """
    assert await rows(database, gift, token) == [("Tomas", 500)]
    [(thefts,)] = await rows(
        database,
        "SELECT count(*) FROM actions WHERE actor_name = $1 AND kind LIKE 'items.%'",
        cast.THIEF,
    )
    assert thefts == 12
    made = """
        SELECT sum(quantity), min(players.name) FROM postings JOIN players ON players.id = player_id
         WHERE item_id = $1 AND against = 'grant' AND at < $2 AND at > $2 - interval '4 hours'
           AND players.name = $3
    """
    ruby = world.items()["Rough Ruby"].id
    night = (NOW - timedelta(days=2)).replace(hour=23, minute=0, second=0)
    assert await rows(database, made, ruby, night, cast.DUPER.name) == [(4800, cast.DUPER.name)]
    waiting = """
        SELECT users.name FROM appeals JOIN sanctions ON sanctions.id = sanction_id
          JOIN users ON users.id = user_id WHERE decided_at IS NULL AND users.name = $1
    """
    assert await rows(database, waiting, cast.LOUD.account) == [(cast.LOUD.account,)]


async def test_reports_wait_and_were_handled(database, told):
    """The queue has cases to claim, one that is claimed, and outcomes of both sorts."""
    cases = """
        SELECT users.name, reporters, category, outcome, claimed_by_name
          FROM cases JOIN users ON users.id = user_id ORDER BY opened_at
    """
    assert await rows(database, cases) == [
        (cast.LOUD.account, 3, "harassment", "mute", None),
        (cast.HERO.account, 1, "harassment", "none", None),
        (cast.FENCE.account, 1, "real_money_trading", None, "Ines"),
        (cast.DUPER.account, 3, "exploit", None, None),
        (cast.VICTIMS[1].account, 1, "offensive_name", None, None),
    ]
    [(lines, first, last)] = await rows(
        database,
        """
        SELECT (SELECT count(*) FROM report_excerpts), min(opened_at), max(last_report_at)
          FROM cases
        """,
    )
    assert lines > 0
    assert NOW - timedelta(hours=54) < first < last < NOW


async def test_the_days_have_sessions_newcomers_and_a_curve(database, told):
    days = "SELECT count(DISTINCT date_trunc('day', {})) FROM {}"
    for column, table in (
        ("joined_at", "sessions"),
        ("created_at", "users"),
        ("at", "online_counts"),
    ):
        assert await database.reader.value(days.format(column, table)) >= DAYS
    assert await database.reader.value("SELECT count(*) FROM sessions WHERE left_at > $1", NOW) == 0
    overlapping = """
        SELECT count(*) FROM sessions AS one JOIN sessions AS two USING (player_id)
         WHERE one.joined_at < two.joined_at AND two.joined_at < one.left_at
    """
    assert await database.reader.value(overlapping) == 0
    today = await database.reader.value(
        "SELECT count(*) FROM users WHERE created_at > $1", NOW - timedelta(days=1)
    )
    assert today >= 2


async def test_the_thefts_are_undone_together(database, told):
    """Which is what one of the journeys does."""
    actor = await database.reader.value("SELECT id FROM users WHERE name = $1", cast.THIEF)
    order = Sweep(by=BY, actor=f"user:{actor}", since=NOW - timedelta(days=DAYS), until=NOW)
    swept = await bulk.sweep(database, order)
    undone = {kind.kind: kind.undone for kind in swept.kinds}
    assert (undone["items.take"], undone["items.give"], swept.left) == (6, 6, [])
