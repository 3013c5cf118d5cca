"""The client is tried on `gamekeeper serve` as a process of its own, one for each file."""

from collections.abc import AsyncIterator

import pytest
from gamekeeper_client import AsyncGamekeeper, Gamekeeper

from tests.clients.proxies import Proxy, proxying
from tests.own_server import database, key, log, settings, url

__all__ = ["database", "key", "log", "settings", "url"]


@pytest.fixture
async def proxy(url: str) -> AsyncIterator[Proxy]:
    async with proxying(url) as proxy:
        yield proxy


@pytest.fixture
def sync(proxy: Proxy, key: str):
    with Gamekeeper(proxy.url, key) as client:
        yield client


@pytest.fixture
async def client(proxy: Proxy, key: str) -> AsyncIterator[AsyncGamekeeper]:
    async with AsyncGamekeeper(proxy.url, key) as client:
        yield client
