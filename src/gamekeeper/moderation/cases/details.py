"""One case with all that is known about it: reports, notes, sanction, appeals, earlier cases."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from msgspec import structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.moderation.cases import lists, records
from gamekeeper.moderation.cases.claims import CaseNote
from gamekeeper.moderation.cases.evidence import REPORTERS
from gamekeeper.moderation.cases.lists import CaseFilter
from gamekeeper.moderation.cases.records import Case, OwnCase
from gamekeeper.players.lookup import names_of
from gamekeeper.sanctions import excerpts
from gamekeeper.sanctions.excerpts import OF_REPORTS
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.users.lookup import names_of_users

MOST_REPORTS = 200
"""Reports of a case in one response; of more, the newest."""
MOST_EARLIER = 20


class PlayerReport(Record, frozen=True, kw_only=True):
    """A report of one player about another, as staff sees it."""

    id: UUID
    case_id: UUID
    category: ReportCategory
    text: str | None
    """
    The description, with those of repeated reports below it. Null if one of the two accounts was
    erased, or the texts of the case have expired.
    """
    player_id: UUID
    """The reported character."""
    player_name: str | None = None
    reporter_id: UUID | None
    """The account that reported; null for callers without `reports.reporters`."""
    reporter_name: str | None = None
    reporter_player_id: UUID | None
    """The character that reported; null if it is not known, and as above."""
    reporter_player_name: str | None = None
    map_id: UUID | None
    x: int | None
    y: int | None
    server_id: UUID | None
    message_ids: list[UUID]
    """The chat messages that the report names."""
    happened_at: Instant
    filed_at: Instant
    times: int
    """How often the reporter sent it while the case was open."""
    last_at: Instant
    excerpt_lines: int = 0
    """How many chat messages were frozen with it."""
    excerpt_sha256: str | None = None
    """The hash of these messages in the action of the report; null without messages."""

    def anonymous(self) -> "PlayerReport":
        """The same without who reported."""
        return structs.replace(
            self,
            reporter_id=None,
            reporter_name=None,
            reporter_player_id=None,
            reporter_player_name=None,
        )


class CaseDetails(Record, frozen=True, kw_only=True):
    """A case with its reports, newest first, and what belongs to it."""

    case: Case
    closing_note: str | None
    """Of who closed it, for staff."""
    reports: list[PlayerReport]
    """At most 200, the newest."""
    notes: list[CaseNote]
    """Oldest first."""
    appeal_ids: list[UUID]
    """The appeals against its sanction, oldest first."""
    earlier: list[Case]
    """The other cases about the account, newest first, at most 20."""


async def find_case(reader: Reader, case: UUID, caller: Principal | None) -> Case:
    """The case, unless it is about the caller."""
    found = (await records.find_cases(reader, [case])).get(case)
    if found is None:
        raise records.missing(case)
    if caller and caller.user_id == found.user_id:
        raise OwnCase
    return found


async def find_details(reader: Reader, case: UUID, caller: Principal | None) -> CaseDetails:
    found = await find_case(reader, case, caller)
    others = await lists.list_cases(
        reader, None, CaseFilter(user_id=found.user_id), None, MOST_EARLIER + 1
    )
    earlier = [other for other in others.values if other.id != case]
    appeals = await reader.rows(
        "SELECT id FROM appeals WHERE sanction_id = $1 ORDER BY opened_at, id", found.sanction_id
    )
    return CaseDetails(
        case=found,
        closing_note=await reader.value("SELECT closing_note FROM cases WHERE id = $1", case),
        reports=await _reports(reader, case, caller),
        notes=await reader.all(
            CaseNote,
            "SELECT id, at, by, by_name, text FROM case_notes WHERE case_id = $1 ORDER BY at, id",
            case,
        ),
        appeal_ids=[row["id"] for row in appeals],
        earlier=earlier[:MOST_EARLIER],
    )


async def _reports(reader: Reader, case: UUID, caller: Principal | None) -> list[PlayerReport]:
    rows = await reader.rows(
        """
        SELECT id, case_id, category, text, player_id, reporter_id, reporter_player_id, map_id, x,
               y, server_id, message_ids, happened_at, filed_at, times, last_at
          FROM reports WHERE case_id = $1 ORDER BY last_at DESC, id DESC LIMIT $2
        """,
        case,
        MOST_REPORTS,
    )
    named = await _named(reader, rows)
    return (
        named if caller is None or caller.may(REPORTERS) else [each.anonymous() for each in named]
    )


async def _named(reader: Reader, rows: Sequence[Any]) -> list[PlayerReport]:
    people = {row["player_id"] for row in rows}
    people |= {row["reporter_player_id"] for row in rows if row["reporter_player_id"]}
    players = await names_of(reader, people)
    users = await names_of_users(reader, {row["reporter_id"] for row in rows})
    digests = await excerpts.digests(reader, [row["id"] for row in rows], OF_REPORTS)
    named: list[PlayerReport] = []
    for row in rows:
        count, sha256 = digests.get(row["id"], (0, None))
        named.append(
            PlayerReport(
                **row,
                player_name=players.get(row["player_id"]),
                reporter_name=users.get(row["reporter_id"]),
                reporter_player_name=players.get(row["reporter_player_id"]),
                excerpt_lines=count,
                excerpt_sha256=sha256,
            )
        )
    return named
