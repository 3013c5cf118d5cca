"""The C# library, compiled by Mono, on a real server."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from gamekeeper_client import AsyncGamekeeper

from tests.clients.conftest import database, key, log, proxy, settings, url
from tests.clients.csharp.games import (
    COMPILER,
    LIBRARY,
    PROGRAM,
    RUNNER,
    Game,
    compiled,
    needed,
    playing,
)
from tests.clients.proxies import Proxy

__all__ = ["database", "key", "log", "proxy", "settings", "url"]

Play = Callable[..., AbstractAsyncContextManager[Game]]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    needed(COMPILER, RUNNER)
    return compiled(tmp_path_factory.mktemp("csharp") / "Gamekeeper.Client.dll", LIBRARY)


@pytest.fixture(scope="session")
def program(library: Path) -> Path:
    return compiled(library.with_name("program.exe"), PROGRAM, library=library)


@pytest.fixture
def play(program: Path, proxy: Proxy, key: str, tmp_path: Path) -> Play:
    """Begins a game through the proxy; its journal survives it."""
    wanted: dict[str, Any] = {"url": proxy.url, "key": key, "name": tmp_path.name}
    return partial(playing, program, **wanted, journal=tmp_path / "journal")


@pytest.fixture
async def direct(url: str, key: str) -> AsyncIterator[AsyncGamekeeper]:
    """Another caller, whose connection does not fail."""
    async with AsyncGamekeeper(url, key) as client:
        yield client
