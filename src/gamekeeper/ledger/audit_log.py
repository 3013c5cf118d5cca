"""
Audit log queries: actions, newest first, with filters and keyset pagination.

A page starts at the id where the last one ended, not at a row offset, so page 1000 costs as
much as page 1. The key is the id and not the time, so two actions of the same instant are
neither repeated nor skipped.

No index finds a part of a reason. So a page looks through at most `MOST_SEARCHED` of the actions
that the other filters leave, and says how far back it came; the next one goes on from there.
"""

import base64
import binascii
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, structs

from gamekeeper.core.errors import Invalid, InvalidQuery, NotFound
from gamekeeper.core.names import nearest, parse_guid
from gamekeeper.core.schemas import LARGEST_PAGE, Instant, Record
from gamekeeper.db.database import Reader
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.ledger.undoable import Undos

MAX_ID = UUID(int=2**128 - 1)
CLOCK_SKEW = timedelta(hours=1)
"""Clock skew allowed between an id, made just before its row is written, and the row's time."""
MOST_SEARCHED = 20_000
"""The most actions whose reasons one page looks through."""
LONGEST_SEARCH = 100


class UnknownKind(Invalid):
    """The event kind does not exist."""


class ActionNotFound(NotFound):
    """No action has that id."""


class ActionItem(Record, frozen=True):
    """A change of one item of the character; negative for a loss."""

    item_id: UUID
    quantity: int
    """Negative for a loss."""
    item_name: str | UnsetType = UNSET
    """With `names`: the item's name."""


class Entry(Record, frozen=True):
    """One action."""

    id: UUID
    at: datetime
    """RFC 3339."""
    kind: str
    """The kind of action: `items.give`, `users.email`, `undo` and so on."""
    actor: str
    """
    The credential that was used: `key:<id>` or `user:<id>`; `system` for the command line, or
    `cli:<name>` with the name the user gave, which is not authenticated.
    """
    actor_name: str
    """The name of the key or account at that time."""
    player_id: UUID | None
    user_id: UUID | None
    item_id: UUID | None
    before: Any
    """The state before; its fields depend on `Kind`. Never a secret."""
    after: Any
    """The state after."""
    reason: str | None
    """The caller's reason: `X-Reason`, or `reason` in the body."""
    request_id: str
    address: str | None
    """
    The address of the caller; empty for the command line. Null for callers without
    `users.personal`.
    """
    undoes: UUID | None
    """The action that this one undid."""
    undone_by: UUID | None = None
    """The action that undid this one and was not itself undone."""
    approved_by: str | None = None
    """The approver, if it exceeded the limits of `Actor`; null otherwise."""
    approved_by_name: str | None = None
    """The name of `ApprovedBy`."""
    item_name: str | UnsetType | None = UNSET
    """With `names`: the name of `ItemId`; null if that is null."""
    player_name: str | UnsetType | None = UNSET
    """
    With `names`, but not in a character's history: the name of `PlayerId`, also of a deleted
    character; null if it is erased, or if the id is null.
    """
    user_name: str | UnsetType | None = UNSET
    """
    With `names`, for callers with `users.query`, but not in a character's history: the name of
    `UserId`; null if the account is gone, or if the id is null.
    """
    items: list[ActionItem] | UnsetType = UNSET
    """
    With `items`, in the audit log: the quantity of each item that the character gained or lost.
    Items that only changed their place are omitted.
    """


class Entries(Record, frozen=True):
    """Part of the log, newest first."""

    values: list[Entry]
    next: str | None
    """The `cursor` of the next page; null on the last page."""
    searched_to: Instant | None = None
    """
    With `reason` and a `Next`: the time of the last action searched, shown or not. Otherwise
    null.
    """


class Filters(Struct, frozen=True, kw_only=True):
    """Filters on actions; None: any value."""

    actor: str | None = None
    player_id: UUID | None = None
    user_id: UUID | None = None
    kind: str | None = None
    item_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None
    actor_name: str | None = None
    account_sanctions: bool | None = None
    """Only sanctions of whole accounts."""
    reason: str | None = None
    """A part of the reason, case-insensitive."""


COLUMNS: LiteralString = """
    id, at, kind, actor, actor_name, player_id, user_id, item_id, before, after, reason,
    request_id, address, undoes, approved_by, approved_by_name
"""

# For each filter, the condition if it is given and if it is not. With one condition for
# both cases (`$3 IS NULL OR actor = $3`) PostgreSQL would not use its indexes.
CONDITIONS: dict[str, tuple[LiteralString, LiteralString]] = {
    "actor": ("actor = $3", "$3::text IS NULL"),
    "player_id": ("player_id = $4", "$4::uuid IS NULL"),
    "user_id": ("user_id = $5", "$5::uuid IS NULL"),
    "kind": ("kind = $6", "$6::text IS NULL"),
    "item_id": ("item_id = $7", "$7::uuid IS NULL"),
    "since": ("at >= $8 AND id >= $9", "$8::timestamptz IS NULL AND $9::uuid IS NULL"),
    "until": ("at <= $10", "$10::timestamptz IS NULL"),
    "actor_name": ("actor_name = $11", "$11::text IS NULL"),
    "account_sanctions": (
        "player_id IS NULL AND kind IN ('sanctions.impose', 'sanctions.lift')",
        "true",
    ),
}


async def list_actions(
    reader: Reader,
    filters: Filters,
    cursor: str | None = None,
    limit: int = LARGEST_PAGE,
    largest: int = LARGEST_PAGE,
) -> Entries:
    """A page of the actions that match the filters, newest first, from the cursor on."""
    limit = max(1, min(largest, limit))
    given = structs.asdict(filters)
    chosen: list[LiteralString] = [CONDITIONS[name][given[name] is None] for name in CONDITIONS]
    conditions: LiteralString = " AND ".join(chosen)
    arguments = (
        min(id_before(cursor), earliest(filters.until, MAX_ID, CLOCK_SKEW)),
        limit + 1,
        *(given[name] for name in list(CONDITIONS)[:6]),
        earliest(filters.since, None, -CLOCK_SKEW),
        filters.until,
        filters.actor_name,
    )
    if filters.reason is not None:
        return await _search(reader, filters.reason, conditions, arguments, limit)
    found = await reader.all(
        Entry,
        f"""
        SELECT {COLUMNS}
          FROM actions
         WHERE id < $1 AND {conditions}
         ORDER BY id DESC
         LIMIT $2
        """,
        *arguments,
    )
    more = cursor_of(found[limit - 1].id) if len(found) > limit else None
    return Entries(values=await _with_undoing(reader, found[:limit]), next=more)


async def _search(
    reader: Reader, reason: str, conditions: LiteralString, arguments: Sequence[Any], limit: int
) -> Entries:
    """
    A page of the actions that meet the conditions and have this in their reason.

    It ends where it is full or the search has looked at as many as it may: a page with few
    actions or none, and a `next`.
    """
    rows = await reader.rows(
        f"""
        SELECT {COLUMNS}, strpos(lower(reason), lower($12)) > 0 AS is_found, number
          FROM (SELECT {COLUMNS}, row_number() OVER (ORDER BY id DESC) AS number
                  FROM actions
                 WHERE id < $1 AND {conditions}
                 ORDER BY id DESC
                 LIMIT $13) AS searched
         WHERE strpos(lower(reason), lower($12)) > 0 OR number = $13
         ORDER BY id DESC
         LIMIT $2
        """,
        *arguments,
        reason,
        MOST_SEARCHED,
    )
    found = [_entry(row) for row in rows if row["is_found"]]
    last = found[limit - 1] if len(found) > limit else None
    if last is None and rows and rows[-1]["number"] == MOST_SEARCHED:
        last = _entry(rows[-1])
    return Entries(
        values=await _with_undoing(reader, found[:limit]),
        next=cursor_of(last.id) if last else None,
        searched_to=last.at if last else None,
    )


def _entry(row: Any) -> Entry:
    about = dict(row)
    del about["is_found"], about["number"]
    return Entry(**about)


async def list_actions_of_any(
    reader: Reader,
    filters: Sequence[Filters],
    cursor: str | None,
    limit: int,
    largest: int = LARGEST_PAGE,
) -> Entries:
    """A page of the actions that match any of the filters, which exclude each other."""
    limit = max(1, min(largest, limit))
    pages = [await list_actions(reader, selection, cursor, limit, largest) for selection in filters]
    if len(pages) == 1:
        return pages[0]
    # Each page is complete from the cursor to where it ends, so all are to the nearest end.
    ends = [page for page in pages if page.next]
    nearest_end = max(ends, key=lambda page: id_before(page.next), default=None)
    end = id_before(nearest_end.next) if nearest_end else UUID(int=0)
    found = sorted((entry for page in pages for entry in page.values), key=_id, reverse=True)
    shown = [entry for entry in found if entry.id >= end]
    if len(shown) > limit:
        last = shown[limit - 1]
        searched = last.at if any(selection.reason for selection in filters) else None
        return Entries(values=shown[:limit], next=cursor_of(last.id), searched_to=searched)
    if nearest_end is None:
        return Entries(values=shown, next=None)
    return structs.replace(nearest_end, values=shown)


def _id(entry: Entry) -> UUID:
    return entry.id


async def find_action(reader: Reader, action: UUID) -> Entry:
    found = await reader.all(Entry, f"SELECT {COLUMNS} FROM actions WHERE id = $1", action)
    if not found:
        raise ActionNotFound(f"No action with id '{action}'.")
    [entry] = await _with_undoing(reader, found)
    return entry


async def find_actions(reader: Reader, ids: Sequence[UUID]) -> list[Entry]:
    """The actions with these ids, oldest first."""
    found = await reader.all(
        Entry, f"SELECT {COLUMNS} FROM actions WHERE id = ANY($1) ORDER BY id", list(ids)
    )
    return await _with_undoing(reader, found)


def check_kind(kind: str | None) -> str | None:
    """The kind in its own spelling, or a refusal with the nearest kinds."""
    if not kind:
        return None
    if (spelled := kind.strip().lower()) in ACTION_KINDS:
        return spelled
    near = nearest(kind, ACTION_KINDS)
    raise UnknownKind(
        f"There are no actions of the kind '{kind}'. "
        + (f"Closest matches: {', '.join(near)}. " if near else "")
        + f"Choose one of: {', '.join(sorted(ACTION_KINDS))}."
    )


def check_reason(text: str | None) -> str | None:
    """What to look for in reasons, or a refusal of a text that is too long."""
    if text and len(text) > LONGEST_SEARCH:
        raise InvalidQuery(
            f"'reason' must have at most {LONGEST_SEARCH} characters.", field="reason"
        )
    return text or None


async def _with_undoing(reader: Reader, entries: Sequence[Entry]) -> list[Entry]:
    """The entries, each with the undo in effect, if any."""
    undos = await Undos.of(reader, [entry.id for entry in entries])
    return [structs.replace(entry, undone_by=undos.of_action(entry.id)) for entry in entries]


async def subject_id(
    reader: Reader, key: str | None, find: Callable[[Reader, str], Awaitable[UUID]]
) -> UUID | None:
    """
    The id for the name or id of an action's subject; None without a key.

    An id is not looked up: actions outlive their subjects.
    """
    return None if key is None else parse_guid(key) or await find(reader, key)


def cursor_of(last: UUID) -> str:
    return base64.urlsafe_b64encode(last.bytes).rstrip(b"=").decode()


def id_before(cursor: str | None) -> UUID:
    """Decode a cursor to an id; an empty cursor is the first page."""
    if not cursor:
        return MAX_ID
    try:
        return UUID(bytes=base64.b64decode(cursor + "==", altchars=b"-_", validate=True))
    except (ValueError, binascii.Error):
        raise InvalidQuery("'cursor' must be the 'Next' of an answer.", field="cursor") from None


def earliest(at: datetime | None, otherwise: Any, apart: timedelta) -> Any:
    """The lowest id of the time `at`, shifted by `apart` for clock skew."""
    if at is None:
        return otherwise
    milliseconds = int((at.timestamp() + apart.total_seconds()) * 1000)
    return UUID(int=max(0, min(2**48 - 1, milliseconds)) << 80)
