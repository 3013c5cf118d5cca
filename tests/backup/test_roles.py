"""Two roles, neither of them a superuser, as the documentation recommends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.migrate import migrate
from gamekeeper.operations.backup import creation
from gamekeeper.operations.backup.target import ExtensionNotMovable
from tests.backup.world import restored
from tests.databases import SERVER, admin
from tests.ledger.chains import act, link
from tests.make import BY

pytestmark = pytest.mark.deploy


def by(role: str, name: str) -> Settings:
    url = SERVER.format(name).replace("//postgres@", f"//{role}@")
    return Settings(database_url=Hidden(url))


@asynccontextmanager
async def owned() -> AsyncIterator[tuple[str, str, str, str]]:
    """Two roles, and two databases of the first."""
    owner, serving, one, other = (f"gamekeeper_test_{uuid4().hex[:12]}" for _ in range(4))
    await admin(f"CREATE ROLE {owner} LOGIN", f"CREATE ROLE {serving} LOGIN")
    made = "CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'"
    await admin(made.format(one, owner), made.format(other, owner))
    try:
        yield owner, serving, one, other
    finally:
        await admin(f"DROP DATABASE {one} WITH (FORCE)", f"DROP DATABASE {other} WITH (FORCE)")
        await admin(f"DROP ROLE {owner}", f"DROP ROLE {serving}")


async def test_the_role_that_serves_backs_up_and_the_owner_restores(tmp_path: Path):
    async with owned() as (owner, serving, one, other):
        await migrate(by(owner, one), serving)
        async with Database.open(by(serving, one)) as database:
            await act(database, 2)
            await link(database)
        made = await creation.create(by(serving, one), tmp_path, BY)
        assert made.recorded
        assert made.manifest.app_roles == [serving]

        done = await restored(by(owner, other), Path(made.directory))
        assert done.roles_missing == []
        async with Database.open(by(serving, other)) as database:
            await act(database, 1)
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await database.write(lambda writer: writer.run("DELETE FROM actions"))

        # PostgreSQL lets only a superuser move the extension that both contents need.
        async with Database.open(by(serving, other)) as database:
            actions = await database.reader.value("SELECT count(*) FROM actions")
        with pytest.raises(ExtensionNotMovable, match="Nothing was changed"):
            await restored(by(owner, other), Path(made.directory), replace=True)
        async with Database.open(by(serving, other)) as database:
            assert await database.reader.value("SELECT count(*) FROM actions") == actions
