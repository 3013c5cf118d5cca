"""
Retention of postings: drop the partitions of old months, keep their opening balances.

Kept are the contents of every slot, the last sequence number of every player, and the
balance of every item and account: so all invariants can still be verified from there on.
Actions are small and form a hash chain; they are kept.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import LiteralString

import asyncpg
from msgspec import Struct

from gamekeeper.core.errors import Conflict, Invalid, Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.db import primary
from gamekeeper.db.database import Writer, translate_errors
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.ledger import actions, opening_balances
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.economy.aggregates import IS_PENDING, OtherServer

REST = timedelta(days=1)
"""A month must have ended this long ago: no open transaction can still post to it."""


class MonthNotOver(Invalid):
    """Only months that ended at least a day ago can be dropped."""


class NotAddedUp(Conflict):
    """The economy totals do not include some of these postings yet. Run a worker first."""


class DroppedMonths(Struct, frozen=True, kw_only=True):
    """What was dropped or, in a dry run, would be."""

    before: datetime
    months: list[str]
    postings: int
    players: int
    slots: int
    """Slots that were filled at that instant, and are kept as openings."""
    dry_run: bool


async def drop(settings: Settings, before: datetime, *, dry_run: bool = False) -> DroppedMonths:
    """Drop all postings before the beginning of a month, in one transaction."""
    if before > datetime.now(UTC) - REST:
        raise MonthNotOver
    with translate_errors():
        connection = await primary.connect(settings.database_url, timeout=settings.connect_seconds)
        try:
            async with connection.transaction():
                return await _drop(Writer(connection, settings), before, dry_run=dry_run)
        except _DryRunDrop as undone:
            return undone.dropped
        except asyncpg.LockNotAvailableError:
            raise Unavailable(
                "A long query blocks this. Run it again when the query has ended."
            ) from None
        finally:
            await connection.close(timeout=5)


class _DryRunDrop(Exception):
    """Carries the result of a dry run out of the transaction, which rolls it back."""

    def __init__(self, dropped: DroppedMonths) -> None:
        super().__init__()
        self.dropped = dropped


async def _drop(writer: Writer, before: datetime, *, dry_run: bool) -> DroppedMonths:
    await _check_economy(writer, before)
    months = [row["name"] for row in await writer.rows(MONTHS, before)]
    await writer.run(COPY_LAST_POSTINGS, before)
    postings = await writer.value("SELECT count(*) FROM postings WHERE at < $1", before)
    await writer.run(EMPTIED)
    await writer.run(FILLED)
    players = await writer.run(HEADS, before)
    await writer.run(ACCOUNTS, before)
    await writer.run(CHECKPOINTS)
    slots = await writer.value("SELECT count(*) FROM openings")
    if (months or postings) and not dry_run:
        about = {"before": before, "months": months, "postings": postings}
        about["openings"] = await opening_balances.digest(writer.connection)
        await actions.record(writer, [Action(kind="ledger.drop", by=COMMAND_LINE, after=about)])
        if postings:
            await writer.run(BEGINNING, before)
        await _forget(writer, before, months)
    dropped = DroppedMonths(
        before=before,
        months=months,
        postings=postings,
        players=players,
        slots=slots,
        dry_run=dry_run,
    )
    if dry_run:
        raise _DryRunDrop(dropped)
    return dropped


async def _check_economy(writer: Writer, before: datetime) -> None:
    """Check that the aggregates include all postings to drop; the lock blocks folds meanwhile."""
    [row] = await writer.rows(
        """
        SELECT xid::text AS xid, server = system_identifier AS is_ours
          FROM economy_horizon, pg_control_system()
           FOR UPDATE OF economy_horizon
        """
    )
    if not row["is_ours"]:
        raise OtherServer
    waiting = f"SELECT EXISTS (SELECT FROM postings WHERE {IS_PENDING} AND at < $2)"
    if await writer.value(waiting, row["xid"], before):
        raise NotAddedUp


async def _forget(writer: Writer, before: datetime, months: Sequence[str]) -> None:
    # Last, with a short timeout: others queue behind a waiting ACCESS EXCLUSIVE lock.
    await writer.run("SET LOCAL lock_timeout = '4s'")
    await writer.run("DELETE FROM postings_default WHERE at < $1", before)
    for name in months:
        await writer.connection.execute(f"DROP TABLE {name}")


# The partitions of months by name, which sorts by time.
MONTHS: LiteralString = """
    SELECT relname AS name
      FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'postings'::regclass AND relname ~ '_[0-9]{4}_[0-9]{2}$'
       AND relname < to_char($1::timestamptz AT TIME ZONE 'UTC', '"postings_"YYYY_MM')
     ORDER BY relname
"""

# The last posting to each slot has the contents it left there.
COPY_LAST_POSTINGS: LiteralString = """
    CREATE TEMPORARY TABLE last_postings ON COMMIT DROP AS
    SELECT DISTINCT ON (player_id, place, inside, slot)
           player_id, place, inside, slot, item_id, held_after, stat_buffs, bag_id
      FROM postings
     WHERE at < $1
     ORDER BY player_id, place, inside, slot, seq DESC
"""

EMPTIED: LiteralString = """
    DELETE FROM openings
     USING last_postings AS last
     WHERE openings.player_id = last.player_id AND openings.place = last.place
       AND openings.slot = last.slot AND openings.inside IS NOT DISTINCT FROM last.inside
"""

FILLED: LiteralString = """
    INSERT INTO openings (player_id, place, inside, slot, item_id, quantity, stat_buffs, bag_id)
    SELECT player_id, place, inside, slot, item_id, held_after, stat_buffs, bag_id
      FROM last_postings
     WHERE held_after > 0
"""

HEADS: LiteralString = """
    INSERT INTO opening_heads (player_id, seq, at)
    SELECT player_id, max(seq), max(at) FROM postings WHERE at < $1 GROUP BY player_id
    ON CONFLICT (player_id) DO UPDATE SET seq = excluded.seq, at = excluded.at
"""

# They precede the openings, so no instant is read from them, and nothing could prove them.
CHECKPOINTS: LiteralString = """
    DELETE FROM ledger_checkpoints AS kept
     USING opening_heads
     WHERE opening_heads.player_id = kept.player_id AND kept.seq <= opening_heads.seq
"""

ACCOUNTS: LiteralString = """
    INSERT INTO opening_accounts AS old (item_id, against, quantity)
    SELECT item_id, against, sum(quantity)
      FROM postings
     WHERE at < $1
     GROUP BY item_id, against
    ON CONFLICT (item_id, against) DO UPDATE SET quantity = old.quantity + excluded.quantity
"""

BEGINNING: LiteralString = """
    INSERT INTO ledger_beginning (at) VALUES ($1)
    ON CONFLICT (one) DO UPDATE SET at = greatest(ledger_beginning.at, excluded.at)
"""
