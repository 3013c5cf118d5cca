"""Rows that are written in bulk, by COPY."""

from collections.abc import Sequence
from typing import Any

from gamekeeper.db.database import Writer

Rows = list[tuple[Any, ...]]


async def copy(writer: Writer, table: str, columns: Sequence[str], rows: Rows) -> None:
    if rows:
        await writer.connection.copy_records_to_table(table, columns=columns, records=rows)
