"""Callers with and without limits, who call the application in this process."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from uuid import UUID

import httpx2

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.limits import Limits
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from tests.make import BY

APPROVALS = "/api/v1/approvals"


class Caller:
    """A key, and calls with it to one or several applications in turn."""

    def __init__(self, key: str, key_id: UUID, apps: list[App]) -> None:
        self.id = key_id
        self.actor = f"key:{key_id}"
        self._headers = {"Authorization": f"Bearer {key}"}
        self._apps = apps
        self._calls = 0

    async def call(self, method: str, path: str, **about):
        self._calls += 1
        transport = httpx2.ASGITransport(self._apps[self._calls % len(self._apps)])
        headers = self._headers | about.pop("headers", {})
        async with httpx2.AsyncClient(transport=transport, base_url="http://gamekeeper") as client:
            return await client.request(method, path, headers=headers, **about)

    async def give(self, player: UUID | str, item: UUID, quantity: int = 1, **about):
        body = {"itemid": str(item), "quantity": quantity}
        return await self.call("POST", f"/api/v1/players/{player}/items/give", json=body, **about)

    async def approve(self, approval: str, **body: object):
        return await self.call("POST", f"{APPROVALS}/{approval}/approve", json=body)

    async def reject(self, approval: str, **body: object):
        return await self.call("POST", f"{APPROVALS}/{approval}/reject", json=body)

    async def approval(self, approval: str):
        answer = await self.call("GET", f"{APPROVALS}/{approval}")
        assert answer.status_code == 200, answer.text
        return answer.json()


async def make_caller(
    database: Database,
    apps: list[App],
    *scopes: str,
    by: AuditContext = BY,
    **limits: int,
) -> Caller:
    """A key with these scopes, or all of them, and these limits, or none."""
    order = NewKey(
        by=by,
        name="caller",
        scopes=scopes or None,
        limits=Limits(**limits) if limits else None,
    )
    key = str(await keys.create.one(database, order))
    newest = await database.reader.value(
        "SELECT id FROM api_keys ORDER BY created_at DESC, id LIMIT 1"
    )
    return Caller(key, newest, apps)


@asynccontextmanager
async def running(settings: Settings, databases: Iterable[Database]) -> AsyncIterator[list[App]]:
    """An application for each of these, as if each were a process."""
    apps = [App(settings, database) for database in databases]
    for app in apps:
        await app.start()
    try:
        yield apps
    finally:
        for app in apps:
            await app.stop()


def approval_id(answer) -> str:
    assert answer.status_code == 202, answer.text
    return answer.json()["Details"]["ApprovalId"]
