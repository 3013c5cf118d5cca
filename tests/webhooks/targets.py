"""
Processes that send to webhooks as the worker does, and tell what they called.

Each errand has a process of its own, forked from one that has imported everything. What it
called is what the interpreter reports of every socket, whoever opens it
(`sys.addaudithook`). Whatever lies outside this machine is noted and then not called.
Names that end in `.example` are asked of a name server on this machine.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import dns.asyncresolver
import dns.resolver
import msgspec
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core import ids
from gamekeeper.core.settings import Hidden, Settings
from gamekeeper.db.database import Database
from gamekeeper.egress import targets
from gamekeeper.events.webhooks import signatures
from gamekeeper.events.webhooks.attempts import DeliveryState, Sender, WebhookMessage
from tests import processes
from tests.deadlines import PATIENCE

LETTER = WebhookMessage(message="evt_1", seq=1, kind="variables.set", body=b'{"data":1}')


class Errand(Struct, frozen=True, kw_only=True):
    urls: list[str]
    names_port: int = 0
    hosts: str = ""
    """What the operator has named."""
    ports: list[int] = []
    """Allowed besides those that always are: nobody listens on 443 in a test."""
    env: dict[str, str] = {}
    """Variables of its process."""


class Told(Struct, frozen=True):
    """Of one URL: what came of it, and the addresses that were called."""

    url: str
    status: int | None
    fault: str | None
    called: list[str]


class Knocker:
    """Has a new process for each errand."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    async def knock(self, errand: Errand) -> list[Told]:
        """Send to each URL, one after the other."""
        async with asyncio.timeout(PATIENCE):
            said = await asyncio.to_thread(self._ask, msgspec.json.encode(errand))
        return msgspec.json.decode(said, type=list[Told])

    def _ask(self, errand: bytes) -> bytes:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(errand + b"\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()


@contextmanager
def knocking() -> Iterator[Knocker]:
    command = [sys.executable, "-m", "tests.webhooks.targets"]
    pipe, root = subprocess.PIPE, Path(__file__).parents[2]
    with processes.running(command, stdin=pipe, stdout=pipe, cwd=root) as process:
        yield Knocker(process)


async def _send(errand: Errand, called: list[str]) -> list[Told]:
    settings = Settings(database_url=Hidden("postgresql://x/y"), webhook_hosts=errand.hosts)
    targets.PORTS |= frozenset(errand.ports)
    told = []
    async with Database.open(settings) as database:
        vault = Vault(settings)
        post = Sender(database, vault, _resolver(errand.names_port))
        for url in errand.urls:
            called.clear()
            outcome = await post.attempt(_webhook(vault, url), LETTER)
            told.append(Told(url, outcome.status, outcome.fault, list(called)))
    return told


def _webhook(vault: Vault, url: str) -> DeliveryState:
    id_ = ids.new_id()
    return DeliveryState(
        id=id_,
        url=url,
        kinds=None,
        emails=False,
        secret=vault.encrypt(f"webhook {id_}", signatures.new_secret()),
        old_secret=None,
        enabled=True,
        position=0,
        attempts=0,
        pause=0,
        waiting=None,
        waiting_seq=None,
    )


def _resolver(port: int) -> targets.Resolve:
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], port
    # Asked a second time, the name server would give its next answer.
    resolver.timeout = targets.RESOLVE_SECONDS

    async def resolve(host: str, port: int) -> list[str]:
        if not host.endswith(".example"):
            return await targets.look_up(host, port)
        found: list[str] = []
        for kind in ("A", "AAAA"):
            answer = await resolver.resolve(host, kind, raise_on_no_answer=False)
            found += [str(one) for one in answer]
        return found

    return resolve


def _listen(called: list[str]) -> None:
    def hear(event: str, args: Sequence[Any]) -> None:
        if event == "socket.connect" and args[0].type == socket.SOCK_STREAM:
            address = str(args[1][0])
            called.append(address)
            if not ip_address(address).is_loopback:
                raise OSError("not called in a test")

    sys.addaudithook(hear)


def _run(errand: Errand) -> None:
    os.environ.update(errand.env)
    called: list[str] = []
    _listen(called)
    told = asyncio.run(_send(errand, called))
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    for line in sys.stdin.buffer:
        if (child := os.fork()) == 0:
            _run(msgspec.json.decode(line, type=Errand))
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
