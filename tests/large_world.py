"""
A world of a million players with a year of history, for tests at size.

    GAMEKEEPER_DATABASE_URL=postgresql://… python -m tests.large_world

The players, staff (password: demo) and the last days are the demo's. Before them come old gifts
by few keys, half of them taken back, with postings, heads and flows: `gamekeeper ledger verify`
holds. One character has a fiftieth of them. Guilds, chat messages and sanctions are rows without
actions.

Nothing is linked into the hash chain yet. The old actions have transaction ids that this server
never gave, as after a restore, so a worker checks all actions once and links them; `--link` waits
for that.
"""

import argparse
import asyncio
import time
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import asyncpg
from msgspec import Struct

from gamekeeper.cli import example_staff
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.demo import loader
from gamekeeper.demo.story.playback import play_story
from gamekeeper.ledger import chain, checkpoints

PASSWORD = "demo"
MONTHS = 12
CHARACTERS = 50_000
"""Players that the old gifts are for."""
KEYS = 7
ACTIONS_PER_TRANSACTION = 8
FIRST_XID = 10**12
"""Beyond what a server reaches: the sequencer and the totals never take them for new ones."""


class Size(Struct, frozen=True, kw_only=True):
    """How much of everything."""

    players: int = 1_000_000
    actions: int = 5_000_000
    days: int = 14
    guilds: int = 5_000
    messages: int = 1_000_000
    sanctions: int = 50_000


async def make(settings: Settings, size: Size) -> None:
    """Migrate an empty database and fill it."""
    now = datetime.now(UTC).replace(microsecond=0)
    story = now - timedelta(days=size.days)
    months = last_months(now)
    await migrate(settings)
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(SETTINGS)
    # The demo's postings are of the first month, and the old gifts begin with the second.
    await _add_partition(connection, months[0])
    async with _Step("players"):
        await loader.fill(settings, players=size.players, seed=1, now=now, began=months[0][0])
    async with _Step("old actions"):
        await add_old_actions(connection, size.actions, months[1:], story - timedelta(hours=1))
    async with _Step("guilds, chat, sanctions"):
        await connection.execute(GUILDS, size.guilds)
        await _add_chat(connection, size.messages)
        await connection.execute(SANCTIONS, size.sanctions)
    async with _Step("statistics"):
        await connection.execute("VACUUM (ANALYZE)")
    async with _Step("staff and story"), Database.open(settings) as database:
        await example_staff.create(database, PASSWORD, (story, now))
        await play_story(database, now=now, days=size.days, seed=1)
    # As the worker would have, within five minutes.
    async with _Step("checkpoints"), Database.open(settings) as database:
        await checkpoints.write_due(database, asyncio.Event())
    await connection.close()


async def _add_chat(connection: asyncpg.Connection, messages: int) -> None:
    """The indexes are built afterwards: line by line that of texts takes ten times as long."""
    indexes = await connection.fetch(CHAT_INDEXES)
    for index in indexes:
        await connection.execute(f"DROP INDEX {index['name']}")
    await connection.execute(CHAT, messages)
    for index in indexes:
        await connection.execute(index["definition"])


class _Step:
    """Prints how long it took."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __aenter__(self) -> None:
        self.begun = time.monotonic()

    async def __aexit__(self, *_: object) -> None:
        print(f"{time.monotonic() - self.begun:7.1f} s  {self.name}", flush=True)


# ── Old actions ──

Month = tuple[datetime, datetime]


def last_months(now: datetime) -> list[Month]:
    """The last months in UTC, oldest first, and the current one."""
    this = now.year * 12 + now.month - 1
    starts = [
        datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        for number in range(this - MONTHS, this + 2)
    ]
    return list(pairwise(starts))


async def add_old_actions(
    connection: asyncpg.Connection,
    count: int,
    months: list[Month],
    until: datetime,
    *,
    posted: bool = True,
) -> None:
    """
    Add gifts, half of them taken back, evenly from the first month to `until`.

    Without `posted` they are only in the audit log: a world whose first postings are newer has no
    place for theirs.
    """
    began = months[0][0]
    between = (until - began) / count
    await connection.execute(CAST)
    await connection.execute(f"INSERT INTO gifted {GIFTED}", CHARACTERS)
    await connection.execute("ANALYZE gifted")
    players = await connection.fetchval("SELECT count(*) FROM gifted")
    for month in months:
        first = max(0, -((began - month[0]) // between))
        last = min(count, -((began - month[1]) // between)) - 1
        tables = await _bare_partitions(connection, month)
        numbers = (first, last, players, began, between)
        if first <= last:
            await connection.execute(ACTIONS.replace("{table}", tables["actions"]), *numbers)
        if first <= last and posted:
            await connection.execute(POSTINGS.replace("{table}", tables["postings"]), *numbers)
        # Here PostgreSQL builds the indexes, each with one sort.
        for relation, table in tables.items():
            if table != relation:
                await connection.execute(_attach(relation, table, month))
    if not posted:
        return
    await connection.execute(HEADS)
    await connection.execute(FLOWS)
    # As after a restore: the saved snapshot is of another server, so all actions are checked once.
    await connection.execute("UPDATE chain_progress SET server = 0")


async def _add_partition(connection: asyncpg.Connection, month: Month) -> None:
    for relation in ("actions", "postings"):
        name = f"{relation}_{month[0]:%Y_%m}"
        await connection.execute(f"CREATE TABLE {name} (LIKE {relation} INCLUDING ALL)")
        await connection.execute(_attach(relation, name, month))


async def _bare_partitions(connection: asyncpg.Connection, month: Month) -> dict[str, str]:
    """A table without indexes for each relation, or the relation if it has this month."""
    tables = {}
    for relation in ("actions", "postings"):
        name = f"{relation}_{month[0]:%Y_%m}"
        if await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", name):
            tables[relation] = relation
            continue
        await connection.execute(
            f"CREATE TABLE {name} (LIKE {relation} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
        )
        tables[relation] = name
    return tables


def _attach(relation: str, name: str, month: Month) -> str:
    return (
        f"ALTER TABLE {relation} ATTACH PARTITION {name} "
        f"FOR VALUES FROM ('{month[0].isoformat()}') TO ('{month[1].isoformat()}')"
    )


SETTINGS = """
    SET statement_timeout = 0;
    SET synchronous_commit = off;
    SET maintenance_work_mem = '512MB';
    SET work_mem = '256MB';
    SET jit = off;
"""

CAST = """
    CREATE TEMP TABLE gifted (number int PRIMARY KEY, player_id uuid, seq bigint, slot int);
    CREATE TEMP TABLE given (number int PRIMARY KEY, item_id uuid);
    INSERT INTO given
    SELECT row_number() OVER (ORDER BY id) - 1, id FROM items WHERE stackable AND type <> 'bag'
"""

# An empty slot, so that what is given and taken back leaves the slot as it was.
GIFTED = """
    SELECT row_number() OVER (ORDER BY player_id) - 1, player_id, seq, last_slot
      FROM ledger_heads
      JOIN (SELECT max(slot) AS last_slot FROM slots WHERE place = 'inventory') AS widest ON true
     WHERE NOT EXISTS (SELECT FROM slots
                        WHERE slots.player_id = ledger_heads.player_id
                          AND place = 'inventory' AND slot = last_slot)
     ORDER BY player_id LIMIT $1
"""

# Gift number n, and its id; an even one is given, the next takes it back. Every fiftieth pair
# is for the first player.
_NUMBERED = f"""
    SELECT n, $4::timestamptz + n * $5::interval AS at, n % 2 = 0 AS is_given,
           1 + (n / 2) % 9 AS quantity, {FIRST_XID} + n / {ACTIONS_PER_TRANSACTION} AS xid,
           CASE WHEN pair % 50 = 0 THEN 0 ELSE 1 + (pair - pair / 50 - 1) % ($3 - 1) END AS who,
           1 + n % 2 + 2 * CASE WHEN pair % 50 = 0 THEN pair / 50
                                ELSE (pair - pair / 50 - 1) / ($3 - 1) END AS nth,
           md5(n::text) AS random, pair
      FROM (SELECT n, n / 2 AS pair FROM generate_series($1::int, $2::int) AS n) AS numbers
"""
_GIFTS = f"""
    SELECT numbered.*, player_id, item_id, seq + nth AS seq, slot,
           (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7'
            || substr(random, 1, 3) || '8' || substr(random, 4, 15))::uuid AS id
      FROM ({_NUMBERED}) AS numbered
      JOIN gifted ON gifted.number = who
      JOIN given ON given.number = pair % (SELECT count(*) FROM given)
"""

ACTIONS = f"""
    INSERT INTO {{table}} (id, at, xid, position, kind, actor, actor_name, player_id, item_id,
                           before, after, reason, request_id, address)
    SELECT id, at, xid::text::xid8, NULL,
           CASE WHEN is_given THEN 'items.give' ELSE 'items.take' END,
           'key:' || md5((pair % {KEYS})::text)::uuid, 'shop-' || pair % {KEYS}, player_id, item_id,
           CASE WHEN is_given THEN nothing ELSE given END,
           CASE WHEN is_given THEN given ELSE nothing END,
           CASE WHEN n % 3 = 0 THEN 'order ' || n END, random, ''
      FROM ({_GIFTS}) AS gifts,
           LATERAL (SELECT jsonb_build_object('total', quantity, 'bank', 0, 'inventory', quantity)
                               AS given,
                           '{{"total": 0, "bank": 0, "inventory": 0}}'::jsonb AS nothing) AS held
     ORDER BY n
"""

POSTINGS = f"""
    INSERT INTO {{table}} (player_id, seq, at, xid, action_id, place, slot, item_id, quantity,
                           against, held_before, held_after, stat_buffs)
    SELECT player_id, seq, at, xid::text::xid8, id, 'inventory', slot, item_id,
           CASE WHEN is_given THEN quantity ELSE -quantity END,
           CASE WHEN is_given THEN 'grant' ELSE 'removal' END,
           CASE WHEN is_given THEN 0 ELSE quantity END, CASE WHEN is_given THEN quantity ELSE 0 END,
           '{{0,0,0,0,0}}'
      FROM ({_GIFTS}) AS gifts
     ORDER BY n
"""

HEADS = f"""
    UPDATE ledger_heads SET seq = last.seq, at = last.at
      FROM (SELECT player_id, max(seq) AS seq, max(at) AS at FROM postings
             WHERE xid >= '{FIRST_XID}' GROUP BY player_id) AS last
     WHERE ledger_heads.player_id = last.player_id
"""

FLOWS = f"""
    INSERT INTO item_flows (item_id, day, against, came, went)
    SELECT item_id, (at AT TIME ZONE 'UTC')::date, against,
           coalesce(sum(quantity) FILTER (WHERE quantity > 0), 0),
           coalesce(-sum(quantity) FILTER (WHERE quantity < 0), 0)
      FROM postings WHERE xid >= '{FIRST_XID}'
     GROUP BY 1, 2, 3
"""

# ── Rows without actions ──

GUILDS = """
    WITH made AS (
        INSERT INTO guilds (id, name, name_key, founded_at, bank_slots)
        SELECT md5('guild ' || n)::uuid, 'Guild ' || n, 'guild ' || n,
               now() - n * interval '1 hour', 50
          FROM generate_series(1, $1::int) AS n
        RETURNING id
    )
    INSERT INTO guild_members (player_id, guild_id, rank, joined_at)
    SELECT player_id, md5('guild ' || 1 + n % $1)::uuid, least(n / $1, 3), now()
      FROM (SELECT id AS player_id, (row_number() OVER (ORDER BY id) - 1)::int AS n
              FROM players LIMIT 10 * $1) AS members
"""

CHAT_INDEXES = """
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
      FROM pg_index WHERE indrelid = 'chat_messages'::regclass AND NOT indisunique
"""

# Messages of seven words of 8,000, the first ones far more often than the last: how much a search
# reads depends on how often people write each word. A word is three syllables, because to find an
# element of an array PostgreSQL walks over those before it.
CHAT = """
    WITH syllables AS MATERIALIZED
         (SELECT '{ka,lo,mi,ren,tu,sha,vor,be,dan,gil,o,pra,sel,thi,un,wy,xa,zor,fe,jin}'::text[]
              AS s)
    INSERT INTO chat_messages (id, said_at, server_id, player_id, user_id, channel, message)
    SELECT md5('chat ' || n)::uuid, now() - (n * interval '30 days' / $1), server_id, player_id,
           user_id, (ARRAY['local', 'global', 'party'])[1 + n % 3],
           (SELECT string_agg(s[1 + word % 20] || s[1 + word / 20 % 20] || s[1 + word / 400], ' ')
              FROM (SELECT (7999 * pow(abs(hashint4(n * 7 + k) / 2^31), 4))::int AS word
                      FROM generate_series(1, 7) AS k) AS words)
      FROM generate_series(1, $1::int) AS n
      JOIN (SELECT id AS player_id, user_id, row_number() OVER (ORDER BY id) - 1 AS number
              FROM players LIMIT 20000) AS speakers ON number = n % 20000
     CROSS JOIN (SELECT id AS server_id FROM servers ORDER BY name LIMIT 1) AS server
     CROSS JOIN syllables
"""

SANCTIONS = """
    INSERT INTO sanctions (id, code, kind, user_id, starts_at, ends_at, reason, message,
                           imposed_at, imposed_by, imposed_by_name)
    SELECT md5('sanction ' || n)::uuid,
           upper(substr(md5(n::text), 1, 4) || '-' || lpad(to_hex(n), 4, '0')),
           (ARRAY['ban', 'mute', 'warning', 'note', 'trade_lock'])[1 + n % 5], id, at,
           CASE WHEN n % 10 = 0 THEN 'infinity' ELSE at + interval '7 days' END,
           'report ' || n, 'Spam.', at, 'system', 'system'
      FROM (SELECT id, (row_number() OVER (ORDER BY id))::int AS n
              FROM users WHERE NOT api LIMIT $1) AS people,
           LATERAL (SELECT now() - interval '1 day' - n * interval '5 minutes' AS at) AS imposed
"""


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0] if __doc__ else "")
    defaults = Size()
    for name in Size.__struct_fields__:
        parser.add_argument(f"--{name}", type=int, default=getattr(defaults, name))
    parser.add_argument("--link", action="store_true", help="link all actions into the hash chain")
    arguments = vars(parser.parse_args())
    is_linked = arguments.pop("link")
    settings = Settings.read()
    await make(settings, Size(**arguments))
    if is_linked:
        async with _Step("chain"), Database.open(settings) as database:
            await chain.catch_up(database)


if __name__ == "__main__":
    asyncio.run(_main())
