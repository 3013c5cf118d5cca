"""
Quotas: what actors with limits handed out and undid today, in memory during an operation.

An actor is locked until the transaction ends, so that changes at once cannot overshoot a limit
together. Counters only grow: to undo a gift does not give the budget back. An actor without
limits costs no statement.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, LiteralString
from uuid import UUID

from gamekeeper.catalog.items import Item
from gamekeeper.core.errors import Forbidden
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import LockedByOther, Reader, Writer
from gamekeeper.db.operations import Allowance, AuditContext
from gamekeeper.ledger.actions import LedgerPosting
from gamekeeper.ledger.places import TRANSFERS
from gamekeeper.players.overlay import Overlay

MAX_COUNTER: Final = 2**53
"""Counters stop here; no limit is larger (auth/limits.py)."""
VALUE = "value"
UNDOS = "undos"


class LimitExceeded(Forbidden):
    """This exceeds your limits. Another staff member must approve the request."""

    cacheable = False


def handed_out(postings: Iterable[LedgerPosting]) -> Counter[UUID]:
    """How many pieces of each item postings create; what only moves is not new."""
    pieces: Counter[UUID] = Counter()
    for posting in postings:
        if posting.quantity > 0 and posting.against not in TRANSFERS:
            pieces[posting.item_id] += posting.quantity
    return pieces


class HandedOutItem(Record, frozen=True):
    item_id: UUID
    pieces: int
    """Pieces of the item given today."""


class LimitUsage(Record, frozen=True):
    """The usage of a caller's limits today."""

    handed_out: list[HandedOutItem]
    """The items given today, the most pieces first."""
    value: int
    """The total value given today, by the values of the catalog."""
    undos: int
    """Actions undone today."""
    resets_at: Instant
    """When the day of UTC ends, and the counters start again at 0."""


async def find_usage(reader: Reader, actor: str) -> LimitUsage:
    """What `actor` used of its limits today; nothing is counted for an actor without limits."""
    rows = await reader.rows(USED_UNTIL, actor)
    used: dict[str, int] = {row["subject"]: row["used"] for row in rows if row["subject"]}
    value, undos = used.pop(VALUE, 0), used.pop(UNDOS, 0)
    items = [HandedOutItem(item_id=UUID(item), pieces=pieces) for item, pieces in used.items()]
    return LimitUsage(
        handed_out=sorted(items, key=lambda item: (-item.pieces, item.item_id)),
        value=value,
        undos=undos,
        resets_at=rows[0]["resets_at"],
    )


class Quotas:
    def __init__(self) -> None:
        self.used: Overlay[tuple[str, str], int] = Overlay({})
        """By actor and subject: an item's id, the value, or the undos."""
        self._locked: frozenset[str] = frozenset()

    @classmethod
    def of_unused_day(cls, by: AuditContext) -> "Quotas":
        """The quotas of a day on which the actor did nothing yet, to check a plan against."""
        quotas = cls()
        quotas._locked = frozenset([by.allowance.actor] if by.allowance else [])
        return quotas

    async def lock(self, writer: Writer, commands_by: Sequence[AuditContext]) -> None:
        """Lock and load the actors whose limits count; after the characters, as all locks."""
        positions: dict[str, list[int]] = {}
        for position, by in enumerate(commands_by):
            if by.allowance:
                positions.setdefault(by.allowance.actor, []).append(position)
        if not positions:
            return
        actors = sorted(positions)
        rows = await writer.rows(LOCK if writer.wait_for_locks else TRY_LOCK, actors)
        held = [
            positions[actor] for actor, row in zip(actors, rows, strict=True) if row[0] is False
        ]
        if held:
            raise LockedByOther(held)
        # A statement of its own: it must see what the actor's last transaction counted.
        stored = await writer.rows(USED, actors)
        self.used = Overlay({(row["actor"], row["subject"]): row["used"] for row in stored})
        self._locked = frozenset(actors)

    def charge(
        self,
        by: AuditContext,
        pieces: Mapping[UUID, int],
        known: Mapping[UUID, Item],
        undos: int = 0,
    ) -> None:
        """Count one change; raises LimitExceeded, and the caller rolls back to a savepoint."""
        allowance = by.allowance
        if allowance is None:
            return
        assert allowance.actor in self._locked, "an operation must lock the quotas it charges"
        total, largest = sum(pieces.values()), allowance.limits.get("largest_gift")
        if largest is not None and total > largest:
            raise _exceeded("largest_gift", largest, 0, total)
        worth = sum(count * (known[item].value or 0) for item, count in pieces.items())
        self._count(allowance, "undos_per_day", UNDOS, undos)
        self._count(allowance, "value_per_day", VALUE, worth)
        for item, count in pieces.items():
            self._count(allowance, "pieces_per_day", str(item), count)

    def _count(self, allowance: Allowance, limit: str, subject: str, amount: int) -> None:
        if not amount:
            return
        # Counted without a limit too: one that is set later in the day knows what went before.
        key, allowed = (allowance.actor, subject), allowance.limits.get(limit)
        used = self.used.get(key) or 0
        if allowed is not None and used + amount > allowed:
            raise _exceeded(limit, allowed, used, amount)
        self.used.put(key, min(MAX_COUNTER, used + amount))

    async def save(self, writer: Writer) -> None:
        if not (changed := self.used.changed()):
            return
        await writer.run(
            """
            INSERT INTO quota_usage (actor, day, subject, used)
            SELECT actor, (now() AT TIME ZONE 'utc')::date, subject, used
              FROM unnest($1::text[], $2::text[], $3::bigint[]) AS new (actor, subject, used)
            ON CONFLICT (actor, day, subject) DO UPDATE SET used = excluded.used
            """,
            [actor for actor, _ in changed],
            [subject for _, subject in changed],
            list(changed.values()),
        )


def _exceeded(limit: str, allowed: int, used: int, wanted: int) -> LimitExceeded:
    left = f", of which {used:,} are used" if used else ""
    return LimitExceeded(
        f"This exceeds your limits: {limit} is {allowed:,}{left}, and this needs "
        f"{wanted:,}. Another staff member must approve the request.",
        limit=limit,
        allowed=allowed,
        used=used,
        wanted=wanted,
    )


# An advisory lock: it can be tried without waiting, which a row that is not yet visible cannot.
TRY_LOCK: LiteralString = """
    SELECT pg_try_advisory_xact_lock(hashtextextended('quota ' || actor, 0))
      FROM unnest($1::text[]) AS actor
"""
LOCK: LiteralString = TRY_LOCK.replace("pg_try_advisory", "pg_advisory")

USED: LiteralString = """
    SELECT actor, subject, used
      FROM quota_usage
     WHERE actor = ANY($1) AND day = (now() AT TIME ZONE 'utc')::date
"""

# One row without a subject for an actor without counters.
USED_UNTIL: LiteralString = """
    SELECT subject, used, (today.day + 1)::timestamp AT TIME ZONE 'utc' AS resets_at
      FROM (SELECT (now() AT TIME ZONE 'utc')::date AS day) AS today
      LEFT JOIN quota_usage ON actor = $1 AND quota_usage.day = today.day
"""
