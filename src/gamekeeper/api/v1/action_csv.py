"""The audit log as CSV (RFC 4180), guarded against formula injection in spreadsheets."""

import csv
import io
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from gamekeeper.auth.principal import Principal
from gamekeeper.db.database import Reader
from gamekeeper.events.records import redacted
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.http import exports
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entry, Filters

MEDIA_TYPE = "text/csv; charset=utf-8"
MOST_ROWS = 100_000
MOST_SPARSE_PAGES = 500
"""Pages of a search that finds little: ten million actions."""

COLUMNS = (
    *("Id", "At", "Kind", "Actor", "ActorName", "PlayerId", "PlayerName", "UserId", "UserName"),
    *("ItemId", "ItemName", "Before", "After", "Reason", "RequestId", "Address", "Undoes"),
    *("UndoneBy", "ApprovedBy", "ApprovedByName"),
)
# As a spreadsheet reads them: also in full width, and after a tab or a line break.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


async def lines(
    reader: Reader, wanted: Sequence[Filters], still: Callable[[], Awaitable[Principal]]
) -> AsyncGenerator[bytes]:
    """
    All actions that match, in pieces; the next is read when the one before was taken.

    `still` is who calls, and raises once the caller has lost the permission.
    """
    yield _line(COLUMNS)
    cursor, rows, sparse, end = None, 0, 0, None
    while rows < MOST_ROWS and sparse < MOST_SPARSE_PAGES:
        size = min(exports.ROWS_AT_ONCE, MOST_ROWS - rows)
        page = await audit_log.list_actions_of_any(reader, wanted, cursor, size)
        names = await EntryNames.of(reader, page.values)
        caller = await still()
        async for piece in exports.sliced(
            _line(_row(entry, names, caller)) for entry in page.values
        ):
            yield piece
        cursor, rows = page.next, rows + len(page.values)
        if cursor is None:
            return
        sparse += len(page.values) < size
        end = page.searched_to or page.values[-1].at
    yield _line([f"There is more: continue with to={_cell(end)}", *[""] * (len(COLUMNS) - 1)])


def _row(entry: Entry, names: EntryNames, caller: Principal) -> list[str]:
    seen = names.beside(redacted(entry, emails=caller.sees_emails), accounts=caller.sees_accounts)
    fields = msgspec.structs.asdict(seen)
    return [_cell(fields[name]) for name in FIELDS]


FIELDS = [
    field.name
    for column in COLUMNS
    for field in msgspec.structs.fields(Entry)
    if field.encode_name == column
]


def _cell(value: Any) -> str:
    if value is None or value is msgspec.UNSET:
        return ""
    if isinstance(value, dict | list):
        value = msgspec.json.encode(value).decode()
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return f"'{text}" if text.startswith(FORMULAS) else text


def _line(cells: Sequence[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()
