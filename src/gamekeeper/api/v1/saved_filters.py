"""Saved filters of the console: one's own, listed, saved and deleted."""

from gamekeeper.api.path_parameters import FilterId
from gamekeeper.api.v1.session import NoSession, context_of
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.users.staff import saved_filters
from gamekeeper.users.staff.saved_filters import (
    FilteredList,
    FilterNotFound,
    FilterRemoval,
    InvalidFilter,
    NewFilter,
    SavedFilter,
    SavedFilters,
    TooManyFilters,
)

routes = Routes("/api/v1/me/filters")


@routes.get("", raises=(NoSession,))
async def list_saved_filters(
    database: Database, caller: Principal, request: Request
) -> SavedFilters:
    """Your saved filters, by list and name; at most 100."""
    # Not from a replica: a filter is in the menu as soon as it is saved.
    return await saved_filters.list_filters(database.reader, context_of(caller, request).user_id)


class SaveFilter(Body, frozen=True):
    list: FilteredList
    """The list: `players`, `accounts`, `actions`, `guilds`, `sanctions` or `reports`."""
    name: str
    """1 to 60 characters. A filter of the list with this name, in any letter case, is replaced."""
    query: str
    """The query of the list's address in the console, at most 1,000 characters."""


@routes.post("", raises=(NoSession, InvalidFilter, TooManyFilters))
async def save_filter(
    database: Database, caller: Principal, request: Request, by: AuditContext, body: SaveFilter
) -> SavedFilter:
    """Save a filter of a list for yourself. Its address can be shared with anyone on the staff."""
    command = NewFilter(
        by=by,
        user_id=context_of(caller, request).user_id,
        list=body.list,
        name=body.name,
        query=body.query,
    )
    return await saved_filters.save.one(database, command)


@routes.delete("/{id}", raises=(NoSession, FilterNotFound))
async def delete_filter(
    database: Database,
    caller: Principal,
    request: Request,
    by: AuditContext,
    id: FilterId,  # noqa: A002
) -> SavedFilter:
    """Delete one of your saved filters."""
    command = FilterRemoval(by=by, user_id=context_of(caller, request).user_id, id=id)
    return await saved_filters.remove.one(database, command)
