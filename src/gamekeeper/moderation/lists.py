"""Lists of sanctions, newest first, with filters and keyset pagination."""

from typing import LiteralString
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Reader
from gamekeeper.moderation.names import with_names
from gamekeeper.sanctions import records
from gamekeeper.sanctions.in_force import IN_FORCE
from gamekeeper.sanctions.records import COLUMNS, Sanction, SanctionKind


class Sanctions(Record, frozen=True):
    values: list[Sanction]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class SanctionFilter(Struct, frozen=True, kw_only=True):
    """Filters on sanctions; None: any value."""

    kind: SanctionKind | None = None
    user_id: UUID | None = None
    player_id: UUID | None = None
    """Those on this character; with `user_id`, also those on the whole account."""
    actors: tuple[str, ...] | None = None
    template: str | None = None
    in_force: bool | None = None


# For each filter, the condition if it is given and if it is not: with one condition for both
# cases PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "kind": ("kind = $3", "$3::text IS NULL"),
    "user_id": ("user_id = $4", "$4::uuid IS NULL"),
    "player_id": ("player_id = $5", "$5::uuid IS NULL"),
    "actors": ("imposed_by = ANY($6)", "$6::text[] IS NULL"),
    "template": ("template = $7", "$7::text IS NULL"),
    "in_force": (f"({IN_FORCE}) = $8", "$8::boolean IS NULL"),
}
OF_A_CHARACTER: LiteralString = "(player_id = $5 OR player_id IS NULL)"
BEFORE: tuple[LiteralString, LiteralString] = (
    "(imposed_at, id) < (SELECT imposed_at, id FROM sanctions WHERE id = $1)",
    "$1::uuid IS NULL",
)


async def list_sanctions(
    reader: Reader, wanted: SanctionFilter, cursor: UUID | None, limit: int
) -> Sanctions:
    """A page of the sanctions that match, newest first, from the cursor on."""
    if cursor and not await records.find_by_ids(reader, [cursor]):
        raise InvalidQuery("'cursor' must be the 'Next' of an answer.", field="cursor")
    limit = max(1, min(LARGEST_PAGE, limit))
    given = structs.asdict(wanted)
    chosen: list[LiteralString] = [CONDITIONS[name][given[name] is None] for name in CONDITIONS]
    if wanted.user_id and wanted.player_id:
        chosen[list(CONDITIONS).index("player_id")] = OF_A_CHARACTER
    conditions: LiteralString = " AND ".join([BEFORE[cursor is None], *chosen])
    found = await reader.all(
        Sanction,
        f"""
        SELECT {COLUMNS}
          FROM sanctions
         WHERE {conditions}
         ORDER BY imposed_at DESC, id DESC
         LIMIT $2
        """,
        cursor,
        limit + 1,
        *given.values(),
    )
    more = found[limit - 1].id if len(found) > limit else None
    return Sanctions(values=await with_names(reader, found[:limit]), next=more)


async def find_sanction(reader: Reader, key: str) -> Sanction:
    """The sanction with this id or code."""
    [found] = await records.find_sanctions(reader, [key])
    if found is None:
        raise records.missing(key)
    [named] = await with_names(reader, [found])
    return named
