"""Sanctions and appeals, as rows."""

from datetime import UTC, datetime
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


async def make_case(database: Database, **about: object) -> UUID:
    """An open case about an account of its own, with a report of another one."""
    user = about.get("user_id") or await make_user(database)
    row: dict[str, Any] = {
        "id": uuid4(),
        "user_id": user,
        "player_id": uuid4(),
        "category": "harassment",
        "categories": ["harassment"],
        "severity": 3,
        "reports": 1,
        "reporters": 1,
        "priority": 3,
    } | about
    await _insert(database, "cases", row)
    report = {
        "id": uuid4(),
        "case_id": row["id"],
        "reporter_id": await make_user(database),
        "user_id": user,
        "player_id": row["player_id"],
        "category": "harassment",
        "text": "He insults me.",
        "happened_at": datetime.now(UTC),
    }
    await _insert(database, "reports", report)
    return row["id"]


async def _insert(database: Database, table: str, row: dict[str, Any]) -> None:
    places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
    sql: Any = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"
    await database.write(lambda writer: writer.run(sql, *row.values()))
