"""Callers with few rights: keys with some scopes, and accounts with some powers."""

from typing import Any
from uuid import uuid4

from gamekeeper.auth import keys, tokens
from gamekeeper.db.database import Database
from tests.make import BY, make_user, proved

PASSWORD = "secret"


async def key_with(database: Database, *scopes: str) -> dict[str, str]:
    """The headers of a key that has exactly these scopes."""
    order = keys.NewKey(by=BY, name=f"key-{uuid4().hex[:8]}", scopes=scopes)
    return {"Authorization": f"Bearer {await keys.create.one(database, order)}"}


async def account_with(database: Database, *powers: str) -> tuple[str, dict[str, str]]:
    """The name of a new account that has these powers and api, and the headers of its token."""
    name = f"staff-{uuid4().hex[:8]}"
    columns: dict[str, Any] = dict.fromkeys({"api", *powers}, True)
    user = await make_user(database, name, password=PASSWORD, **columns)
    issued = await tokens.issue.one(database, await proved(database, user))
    return name, {"Authorization": f"Bearer {issued.access}"}
