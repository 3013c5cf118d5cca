"""An account to try things on, and what the checks and changes of it take."""

from typing import Any
from uuid import UUID, uuid4

from msgspec import Struct

from gamekeeper.db.database import Database
from tests.make import make_user, sha


class Account(Struct, frozen=True):
    """Its password is `secret`."""

    id: UUID
    name: str
    email: str

    @classmethod
    async def make(cls, database: Database, **about: Any) -> "Account":
        name = f"Ana-{uuid4().hex[:8]}"
        email = f"{name}@example.org"
        user = await make_user(database, name, email=email, password="secret", **about)
        return cls(user, name, email)

    def path(self, rest: str = "") -> str:
        return f"/api/v1/users/{self.name}{rest}"


def body(rest: str, **about: str) -> dict[str, str]:
    """What a check or change takes if it is to succeed, but for what is said otherwise."""
    if rest == "/password/validate":
        return {"password": sha("secret")} | about
    new = f"new-{uuid4().hex[:8]}@example.org" if "email" in rest else sha("better")
    if "manage" in rest:
        return {"new": new} | about
    return {"new": new, "authorization": sha("secret")} | about
