"""The client as it is published, and every place where it runs."""

import os
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from gamekeeper_client import AsyncGamekeeper
from playwright.async_api import Browser

from gamekeeper.db.database import Database
from gamekeeper.http.cookies import DEVELOPMENT_NAME
from tests import processes
from tests.clients.conftest import client, database, key, log, proxy, settings, url
from tests.clients.proxies import Proxy
from tests.clients.typescript.sides import (
    NODE,
    PACKAGE,
    ROOT,
    TSC,
    NodeSide,
    PageSide,
    Side,
    needed,
    node,
)
from tests.pages.conftest import browser, visit
from tests.staff.make import make_staff
from tests.staff.signed_in import open_session

__all__ = ["browser", "client", "database", "key", "log", "proxy", "settings", "url", "visit"]

NODES = {"node-24": NODE, "node-20": Path("/usr/bin/node")}


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what is made of the OpenAPI document."""
    needed(TSC)
    document = processes.run([sys.executable, str(ROOT / "tools/openapi.py")])
    assert document.returncode == 0, document.stderr
    folder = tmp_path_factory.mktemp("generated")
    node("generate.mjs", folder, typed=document.stdout)
    return folder


@pytest.fixture(scope="session")
def built(generated: Path) -> None:
    # Other workers compile at the same time: they must never see half of the file.
    whole = PACKAGE / "src" / f"schema.{os.getpid()}.tmp"
    shutil.copyfile(generated / "schema.ts", whole)
    whole.replace(PACKAGE / "src/schema.ts")
    node(TSC)


@pytest.fixture(params=[*NODES, "chromium"])
async def side(
    request: pytest.FixtureRequest,
    built: None,
    proxy: Proxy,
    key: str,
    database: Database,
    browser: Browser,
) -> AsyncIterator[Side]:
    if request.param in NODES:
        program = NODES[request.param]
        if program != NODE and not program.exists():
            pytest.skip(f"there is no {program} here")
        yield NodeSide(program, proxy.url, key)
        return
    context = await browser.new_context()
    session = await open_session(database, await make_staff(database, "owner"))
    await context.add_cookies(
        [{"name": DEVELOPMENT_NAME, "value": str(session.cookie), "url": proxy.url}]
    )
    yield await PageSide.open(context, proxy.url)
    await context.close()


@pytest.fixture
async def direct(url: str, key: str) -> AsyncIterator[AsyncGamekeeper]:
    """Another caller, whose connection does not fail."""
    async with AsyncGamekeeper(url, key) as client:
        yield client
