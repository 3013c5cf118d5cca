"""Sanctions and appeals, as rows."""

from typing import Any
from uuid import UUID, uuid4

from gamekeeper.db.database import Database
from tests.make import make_user

CODE = "A1B2-C3D4"


async def make_sanction(database: Database, code: str = CODE, **about: object) -> UUID:
    """A ban without end of an account of its own, unless told otherwise."""
    row: dict[str, Any] = {
        "id": uuid4(),
        "code": code,
        "kind": "ban",
        "user_id": about.get("user_id") or await make_user(database),
        "message": "You used a bot.",
        "reason": "seen by three players",
        "imposed_by": "user:moderator",
        "imposed_by_name": "Mod",
    } | about
    await _insert(database, "sanctions", row)
    return row["id"]


async def make_appeal(database: Database, sanction: UUID, **about: object) -> UUID:
    """An appeal that waits."""
    row: dict[str, Any] = {"id": uuid4(), "sanction_id": sanction, "text": "It was not me."} | about
    await _insert(database, "appeals", row)
    return row["id"]


async def _insert(database: Database, table: str, row: dict[str, Any]) -> None:
    places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    sql: Any = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"
    await database.write(lambda writer: writer.run(sql, *row.values()))
