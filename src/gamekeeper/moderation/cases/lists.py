"""
The queue of cases, with filters and keyset pagination.

Open ones: the highest priority first, then the oldest. Closed ones: the newest first. Each filter
has an index in this order, so a page costs the same with ten cases and with a million.
"""

from typing import LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Queryable, Reader
from gamekeeper.moderation.cases import records
from gamekeeper.moderation.cases.records import COLUMNS, Case, CaseState
from gamekeeper.servers.reports.categories import ReportCategory


class Cases(Record, frozen=True):
    values: list[Case]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class CaseFilter(Struct, frozen=True, kw_only=True):
    """Filters on cases; None: any value."""

    user_id: UUID | None = None
    category: ReportCategory | None = None
    severity: int | None = None
    handled_by: str | None = None
    """The actor who claimed an open case, or closed a closed one."""
    is_claimed: bool | None = None


# For each filter, the condition if it is given and if it is not: with one condition for both
# cases PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "user_id": ("user_id = $3", "$3::uuid IS NULL"),
    "category": ("category = $4", "$4::text IS NULL"),
    "severity": ("severity = $5", "$5::int IS NULL"),
    "handled_by": ("claimed_by = $6", "$6::text IS NULL"),
}
CLOSED_BY: LiteralString = "closed_by = $6"
CLAIMED: dict[bool | None, LiteralString] = {
    None: "true",
    True: "claimed_by IS NOT NULL",
    False: "claimed_by IS NULL",
}
ORDERS: dict[CaseState, tuple[LiteralString, LiteralString, LiteralString]] = {
    # The condition of the state, that of the cursor, and the order.
    "open": (
        "closed_at IS NULL",
        """((-priority), opened_at, id)
           > (SELECT -priority, opened_at, id FROM cases WHERE id = $1)""",
        "(-priority), opened_at, id",
    ),
    "closed": (
        "closed_at IS NOT NULL",
        # A case that was opened again since has no place here; then the page starts at the top.
        """(closed_at, id)
           < (SELECT coalesce(closed_at, 'infinity'), id FROM cases WHERE id = $1)""",
        "closed_at DESC, id DESC",
    ),
}
BY_ACCOUNT: tuple[LiteralString, LiteralString] = (
    "(opened_at, id) < (SELECT opened_at, id FROM cases WHERE id = $1)",
    "opened_at DESC, id DESC",
)


async def list_cases(
    reader: Reader,
    state: CaseState | None,
    wanted: CaseFilter,
    cursor: UUID | None,
    limit: int,
) -> Cases:
    """A page of the cases that match; without a state those of one account, newest first."""
    if cursor and not await reader.value("SELECT count(*) FROM cases WHERE id = $1", cursor):
        raise InvalidQuery("'cursor' must be the 'Next' of a response.", field="cursor")
    limit = max(1, min(LARGEST_PAGE, limit))
    found = await _page(reader, state, wanted, cursor, limit + 1)
    more = found[limit - 1].id if len(found) > limit else None
    return Cases(values=await records.with_names(reader, found[:limit]), next=more)


async def _page(
    reader: Queryable, state: CaseState | None, wanted: CaseFilter, cursor: UUID | None, limit: int
) -> list[Case]:
    given = structs.asdict(wanted)
    chosen: dict[str, LiteralString] = {
        name: CONDITIONS[name][given[name] is None] for name in CONDITIONS
    }
    if state is None:
        of_state, (beyond, order) = "true", BY_ACCOUNT
    else:
        of_state, beyond, order = ORDERS[state]
    if state == "closed" and wanted.handled_by:
        chosen["handled_by"] = CLOSED_BY
    after: LiteralString = beyond if cursor else "$1::uuid IS NULL"
    conditions: LiteralString = " AND ".join(
        [of_state, after, *chosen.values(), CLAIMED[wanted.is_claimed]]
    )
    return await reader.all(
        Case,
        f"SELECT {COLUMNS} FROM cases WHERE {conditions} ORDER BY {order} LIMIT $2",
        cursor,
        limit,
        *(given[name] for name in CONDITIONS),
    )
