"""
Figures of the game: who is online, who is new, what is done, which items become more or fewer.

No figure counts the rows of a large table: they come from sums that are kept as things change.
So each says from when it is.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.core.ids import NIL, id_at
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.ledger import action_counts, audit_log
from gamekeeper.ledger.action_counts import ActionCount
from gamekeeper.ledger.audit_log import Entry
from gamekeeper.ledger.places import IS_TRANSFER
from gamekeeper.servers import leases
from gamekeeper.servers.leases import Server

MOST_SERVERS = 50
MOST_CHANGES = 10
MOST_STAFF = 200
STAFF_ACTIONS = 10
STAFF_DAYS = 30

DAY = timedelta(days=1)
WEEK = timedelta(days=7)


# ── Online ──


class OnlinePoint(Record, frozen=True):
    """The number of players online in the ten minutes after an instant."""

    at: Instant
    average: float
    highest: int


class OnlineNow(Record, frozen=True):
    """The number of players online, now and in the last 24 hours."""

    now: int
    sampled_at: Instant | None
    """When it was last sampled for the curve; null: never."""
    curve: list[OnlinePoint]
    """
    The last 24 hours in steps of ten minutes, oldest first. Longer spans:
    `/players/online/history`.
    """


async def online_curve(reader: Reader) -> list[OnlinePoint]:
    """From the samples of each minute, which a worker takes."""
    return await reader.all(
        OnlinePoint,
        """
        SELECT date_bin('10 minutes', at, 'epoch') AS at,
               round(sum(total)::numeric / sum(samples), 2)::float8 AS average,
               max(highest) AS highest
          FROM online_counts
         WHERE span = 'minute' AND at > statement_timestamp() - interval '24 hours'
         GROUP BY 1
         ORDER BY 1
        """,
    )


class ServersNow(Record, frozen=True):
    """The number of game servers, of those with a lease, and the first fifty by name."""

    alive: int
    stopped: int
    """Servers that ended their lease themselves: they are not down."""
    total: int
    values: list[Server]
    """The first fifty by name."""


@single_flight
async def servers_now(reader: Reader) -> ServersNow:
    """By one statement: the counts are of all servers, on each of the rows that are shown."""
    rows = await reader.rows(SERVERS, MOST_SERVERS)
    if not rows:
        return ServersNow(alive=0, stopped=0, total=0, values=[])
    counts = {name: rows[0][f"{name}_count"] for name in ("alive", "stopped", "total")}
    values = [Server(**{name: row[name] for name in Server.__struct_fields__}) for row in rows]
    return ServersNow(**counts, values=values)


# An older version that serves during an update does not clear `stopped_at`.
SERVERS: LiteralString = f"""
    SELECT *
      FROM (SELECT {leases.COLUMNS}, name_key,
                   count(*) FILTER (WHERE {leases.IS_ALIVE}) OVER () AS alive_count,
                   count(*) FILTER (WHERE NOT {leases.IS_ALIVE} AND stopped_at IS NOT NULL) OVER ()
                       AS stopped_count,
                   count(*) OVER () AS total_count
              FROM servers JOIN crowds ON crowds.server_id = servers.id) AS known
     ORDER BY name_key, id
     LIMIT $1
"""


# ── Actions, and who came by them ──


class Newcomers(Record, frozen=True):
    """Accounts and characters that were made, by whole hours."""

    accounts_day: int | None
    """In the last 24 full hours and the current one; null without `users.query`."""
    accounts_week: int | None
    """In the last seven days; null without `users.query`."""
    characters_day: int
    """In the last 24 full hours and the current one."""
    characters_week: int
    """In the last seven days."""
    complete: bool
    """False: actions older than a minute are not counted yet, so these numbers are too low."""


class ActionHours(Record, frozen=True):
    """Actions by hour and kind, and until when they have been counted."""

    since: Instant
    counted_until: Instant | None
    """
    The time of the last action that was counted, a few seconds ago; null: none yet. `Newcomers`
    has the same time.
    """
    complete: bool
    """False: actions older than a minute are not counted yet, so these numbers are too low."""
    values: list[ActionCount]


ACCOUNTS = frozenset({"users.register", "users.import"})
CHARACTERS = frozenset({"players.create", "players.import"})


async def action_hours(reader: Reader, now: datetime) -> ActionHours:
    """The hours of the last week, of which the last 24 are shown."""
    since = _hour(now) - WEEK
    # Before the counts, which may be of a later time, but of no earlier one.
    until = await action_counts.counted_until(reader)
    values = await action_counts.counts_since(reader, since)
    return ActionHours(since=since, counted_until=until, complete=True, values=values)


def newcomers(hours: ActionHours, now: datetime, *, accounts: bool, complete: bool) -> Newcomers:
    """Those of the last day and week; without `accounts`, only characters."""

    def made(kinds: frozenset[str], span: timedelta) -> int:
        since = _hour(now) - span
        return sum(
            count.count for count in hours.values if count.kind in kinds and count.hour >= since
        )

    return Newcomers(
        accounts_day=made(ACCOUNTS, DAY) if accounts else None,
        accounts_week=made(ACCOUNTS, WEEK) if accounts else None,
        characters_day=made(CHARACTERS, DAY),
        characters_week=made(CHARACTERS, WEEK),
        complete=complete,
    )


def last_day(hours: ActionHours, now: datetime, *, complete: bool) -> ActionHours:
    """Only the hours of the last day."""
    since = _hour(now) - DAY
    recent = [count for count in hours.values if count.hour >= since]
    return structs.replace(hours, since=since, complete=complete, values=recent)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


# ── Items ──


class SupplyChange(Record, frozen=True):
    """The quantity of an item created and destroyed; trades do not count."""

    item_id: UUID
    item_name: str
    came: int
    went: int
    change: int


class SupplyChanges(Record, frozen=True):
    """The items whose supply changed most since yesterday began."""

    since: Instant
    """The start of yesterday in UTC."""
    complete: bool
    """False: postings older than a minute are not added up yet, so changes are missing."""
    values: list[SupplyChange]
    """The ten items with the largest changes."""


async def supply_changes(reader: Reader, now: datetime) -> SupplyChanges:
    """By day, as flows are kept: of yesterday and today, in UTC."""
    yesterday: date = now.astimezone(UTC).date() - DAY
    values = await reader.all(SupplyChange, CHANGES, yesterday, MOST_CHANGES)
    since = datetime.combine(yesterday, time(), UTC)
    return SupplyChanges(since=since, complete=True, values=values)


CHANGES: LiteralString = f"""
    SELECT item_id, items.name AS item_name, came, went, came - went AS change
      FROM (SELECT item_id, sum(came)::bigint AS came, sum(went)::bigint AS went
              FROM item_flows
             WHERE day >= $1 AND NOT {IS_TRANSFER}
             GROUP BY item_id) AS flows
      JOIN items ON items.id = item_id
     WHERE came <> went
     ORDER BY abs(came - went) DESC, item_id
     LIMIT $2
"""


# ── Staff ──


async def staff_actions(reader: Reader, now: datetime) -> list[Entry]:
    """The last actions of staff and of the command line, with all names; newest first."""
    since = now - STAFF_DAYS * DAY
    first = id_at(NIL, since)
    rows = await reader.rows(STAFF, MOST_STAFF, STAFF_ACTIONS, first, since - DAY, now + DAY)
    entries = await audit_log.find_actions(reader, [row["id"] for row in rows])
    names = await EntryNames.of(reader, entries)
    return [names.beside(entry, accounts=True) for entry in reversed(entries)]


# For each of them the newest by the index of actors: the newest of all would be sought among
# those of the game servers. Rows are compared, as that leaves the planner no other index: with
# `actor = …` and few actors in the statistics, it walks along all ids and looks for an actor.
# `at` only chooses the partitions.
STAFF: LiteralString = """
    WITH staff AS (
        SELECT 'user:' || user_id AS actor
          FROM (SELECT DISTINCT user_id FROM staff_roles ORDER BY user_id LIMIT $1) AS members
        UNION ALL
        SELECT 'system'
    )
    SELECT newest.id
      FROM staff
     CROSS JOIN LATERAL (
               SELECT id FROM actions
                WHERE (actions.actor, id) >= (staff.actor, $3)
                  AND (actions.actor, id) <= (staff.actor, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
                  AND at BETWEEN $4 AND $5
                ORDER BY actions.actor DESC, id DESC
                LIMIT $2
           ) AS newest
     ORDER BY newest.id DESC
     LIMIT $2
"""
