"""A managed PostgreSQL: nobody is a superuser, and somebody else creates the extension."""

from collections.abc import AsyncIterator
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.migrate import MigrationFailed, migrate
from tests.databases import admin, cloned

pytestmark = pytest.mark.deploy


@pytest.fixture
async def managed() -> AsyncIterator[tuple[Settings, Settings]]:
    """An empty database: as its owner, and as a role that may create tables and no more."""
    role = f"managed_{uuid4().hex[:12]}"
    async with cloned("template1") as settings:
        connection = await asyncpg.connect(settings.database_url)
        await connection.execute(f"CREATE ROLE {role} LOGIN")
        await connection.execute(f"GRANT CREATE ON SCHEMA public TO {role}")
        await connection.close()
        parts = urlsplit(settings.database_url)
        url = parts._replace(netloc=f"{role}@{parts.hostname}:{parts.port}").geturl()
        yield settings, structs.replace(settings, database_url=Hidden(url))
    await admin(f"DROP ROLE {role}")


async def test_migrate_needs_no_more_than_tables_if_the_extension_is_there(managed):
    owner, role = managed
    with pytest.raises(MigrationFailed, match="permission denied to create extension"):
        await migrate(role)

    connection = await asyncpg.connect(owner.database_url)
    await connection.execute("CREATE EXTENSION pg_trgm")
    await connection.close()

    assert "0002_users" in await migrate(role)
    assert await migrate(role) == []
