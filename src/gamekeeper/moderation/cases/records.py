"""Cases as they are stored and shown."""

from collections.abc import Sequence
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.core.errors import Conflict, Forbidden, NotFound
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable
from gamekeeper.players.lookup import names_of
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.users.lookup import names_of_users

CaseState = Literal["open", "closed"]
CaseOutcome = Literal["none", "note", "warning", "mute", "trade_lock", "kick", "ban"]


class CaseNotFound(NotFound):
    """No case has that id."""


class CaseClosed(Conflict):
    """This case is already closed. Reload it to see the outcome."""

    cacheable = False


class CaseClaimed(Conflict):
    """Another moderator has claimed this case. Reload it, or ask them to release it."""

    cacheable = False


class OwnCase(Forbidden):
    """This case is about your own account. Ask another staff member."""

    cacheable = False


class Case(Record, frozen=True, kw_only=True):
    """The reports about one account, until they are handled together."""

    id: UUID
    state: CaseState
    """`open` or `closed`."""
    user_id: UUID
    """The reported account."""
    user_name: str | None = None
    """Null if the account was erased."""
    player_id: UUID
    """The character that was reported last."""
    player_name: str | None = None
    category: ReportCategory
    """
    The most severe one of its reports: `cheating`, `harassment`, `spam`, `offensive_name`,
    `real_money_trading`, `exploit` or `other`.
    """
    categories: list[ReportCategory]
    """Those of all its reports, oldest first."""
    severity: int
    """Of the category, from 1 to 3."""
    reports: int
    """All reports, with repeated ones."""
    reporters: int
    """The number of accounts that reported."""
    priority: int
    """The severity times the number of reporters."""
    opened_at: Instant
    last_report_at: Instant
    claimed_at: Instant | None
    claimed_by: str | None
    """The actor who claimed it: `user:<id>`, `key:<id>` or `cli:<name>`; null: unclaimed."""
    claimed_by_name: str | None
    closed_at: Instant | None
    closed_by: str | None
    closed_by_name: str | None
    outcome: CaseOutcome | None
    """`none`, `note`, `warning`, `mute`, `trade_lock`, `kick` or `ban`; null while it is open."""
    sanction_id: UUID | None
    """The sanction that it was closed with."""


COLUMNS: LiteralString = """
    id, CASE WHEN closed_at IS NULL THEN 'open' ELSE 'closed' END AS state, user_id, player_id,
    category, categories, severity, reports, reporters, priority, opened_at, last_report_at,
    claimed_at, claimed_by, claimed_by_name, closed_at, closed_by, closed_by_name, outcome,
    sanction_id
"""


async def with_names(reader: Queryable, found: Sequence[Case]) -> list[Case]:
    """The cases with the names of their accounts and characters; two queries for all."""
    if not found:
        return []
    users = await names_of_users(reader, {case.user_id for case in found})
    players = await names_of(reader, {case.player_id for case in found})
    return [
        structs.replace(
            case, user_name=users.get(case.user_id), player_name=players.get(case.player_id)
        )
        for case in found
    ]


async def find_cases(reader: Queryable, cases: Sequence[UUID]) -> dict[UUID, Case]:
    """The cases with these ids, with names."""
    found = await reader.all(Case, f"SELECT {COLUMNS} FROM cases WHERE id = ANY($1)", list(cases))
    return {case.id: case for case in await with_names(reader, found)}


def missing(case: UUID) -> CaseNotFound:
    return CaseNotFound(f"No case has the id '{case}'.")
