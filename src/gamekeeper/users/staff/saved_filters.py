"""
Saved filters: the address of a filtered list in the console, under a name of one's own.

They belong to the account, so they are there in every browser. Anybody may open the address of
another's filter: it filters by what it says, and shows what its reader may see. Saving is no
change of the game, so it has no action.
"""

from collections.abc import Sequence
from typing import Literal, LiteralString
from uuid import UUID, uuid4

from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.core.names import fold
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.users.lookup import lock

FilteredList = Literal["players", "accounts", "actions", "guilds", "sanctions", "reports"]

MAX_FILTERS = 100
"""Per account; more would be a list that has to be searched itself."""
MAX_NAME_LENGTH = 60
MAX_QUERY_LENGTH = 1000


class FilterNotFound(NotFound):
    """You have no saved filter with that id."""


class InvalidFilter(Invalid):
    """A saved filter needs a name of 1 to 60 characters and a query of 1 to 1,000."""


class TooManyFilters(Conflict):
    """You have 100 saved filters. Delete those that you no longer need."""

    cacheable = False


class SavedFilter(Record, frozen=True):
    """A filter of a list in the console."""

    id: UUID
    list: FilteredList
    """`players`, `accounts`, `actions`, `guilds`, `sanctions` or `reports`."""
    name: str
    query: str
    """The query of the list's address in the console, without the `?`."""
    saved_at: Instant


class SavedFilters(Record, frozen=True):
    """All saved filters of an account."""

    values: list[SavedFilter]


class NewFilter(Command, frozen=True, kw_only=True):
    user_id: UUID
    list: FilteredList
    name: str
    query: str


class FilterRemoval(Command, frozen=True, kw_only=True):
    user_id: UUID
    id: UUID


COLUMNS: LiteralString = "id, list, name, query, saved_at"


async def list_filters(reader: Queryable, user: UUID) -> SavedFilters:
    """All filters of an account, by list and name; there are at most `MAX_FILTERS`."""
    values = await reader.all(
        SavedFilter,
        f"SELECT {COLUMNS} FROM saved_filters WHERE user_id = $1 ORDER BY list, name_key",
        user,
    )
    return SavedFilters(values=values)


@operation
async def save(writer: Writer, commands: Sequence[NewFilter]) -> list[SavedFilter | Problem]:
    """Save filters; one with the same name on the same list is replaced."""
    await lock(writer, sorted({command.user_id for command in commands}))
    return [await _save(writer, command) for command in commands]


async def _save(writer: Writer, command: NewFilter) -> SavedFilter | Problem:
    name, query = command.name.strip(), command.query.removeprefix("?")
    if not _is_text(name, MAX_NAME_LENGTH):
        return InvalidFilter(None, field="name")
    if not _is_text(query, MAX_QUERY_LENGTH):
        return InvalidFilter(None, field="query")
    saved = await writer.all(
        SavedFilter,
        SAVE,
        uuid4(),
        command.user_id,
        command.list,
        name,
        fold(name),
        query,
        MAX_FILTERS,
    )
    return saved[0] if saved else TooManyFilters()


def _is_text(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


# Only one that is new is counted: replacing another is possible at the limit too.
SAVE: LiteralString = f"""
    INSERT INTO saved_filters (id, user_id, list, name, name_key, query)
    SELECT $1, $2::uuid, $3::text, $4, $5::text, $6
     WHERE (SELECT count(*) FROM saved_filters WHERE user_id = $2) < $7
        OR EXISTS (SELECT FROM saved_filters WHERE user_id = $2 AND list = $3 AND name_key = $5)
    ON CONFLICT ON CONSTRAINT saved_filters_name_once
    DO UPDATE SET name = excluded.name, query = excluded.query, saved_at = now()
    RETURNING {COLUMNS}
"""


@operation
async def remove(writer: Writer, commands: Sequence[FilterRemoval]) -> list[SavedFilter | Problem]:
    """Delete saved filters; returns what they were."""
    return [await _remove(writer, command) for command in commands]


async def _remove(writer: Writer, command: FilterRemoval) -> SavedFilter | Problem:
    removed = await writer.all(
        SavedFilter,
        f"DELETE FROM saved_filters WHERE id = $1 AND user_id = $2 RETURNING {COLUMNS}",
        command.id,
        command.user_id,
    )
    return removed[0] if removed else FilterNotFound()
