"""
The contract is tried on `gamekeeper serve` as a process of its own, over a socket.

All files share one server and one database, emptied after each file, so whoever counts what
is there makes it in a file of its own.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gamekeeper.core.settings import Settings
from tests.clients.shared_server import database, key, settings
from tests.contract.sign_in import behind_a_proxy
from tests.databases import ServedDatabase
from tests.own_server import client, log
from tests.server import serving

__all__ = ["client", "database", "key", "log", "settings"]


@pytest.fixture(scope="session")
def shared_server(served_database: ServedDatabase) -> None:
    """Start the shared server; the time counts for the session and not for a test."""
    assert served_database.url


@pytest.fixture(scope="session")
def server_behind_a_proxy(
    shared_server: None, served_database: ServedDatabase, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Path]]:
    """The URL and the log of a server that believes X-Forwarded-For, for files that sign in."""
    log = tmp_path_factory.mktemp("proxied") / "log"
    with behind_a_proxy(served_database.settings, log) as url:
        yield url, log


@pytest.fixture(scope="module")
def url(
    settings: Settings,
    log: Path,
    served_database: ServedDatabase,
    request: pytest.FixtureRequest,
) -> Iterator[str]:
    """Where the server is."""
    if settings is served_database.settings:
        request.getfixturevalue("shared_server")
        yield served_database.url
    else:
        with serving(settings, log) as (url, _):
            yield url
