"""
A process that sends to webhooks as the worker does, and tells what it called.

What it called is what the interpreter reports of every socket, whoever opens it
(`sys.addaudithook`). Whatever lies outside this machine is noted and then not called.
Names that end in `.example` are asked of a name server on this machine.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
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
from gamekeeper.webhooks import signatures, targets
from gamekeeper.webhooks.attempts import DeliveryState, Sender, WebhookMessage
from tests.deadlines import PATIENCE
from tests.processes import ended

LETTER = WebhookMessage(message="evt_1", seq=1, kind="variables.set", body=b'{"data":1}')


class Errand(Struct, frozen=True, kw_only=True):
    urls: list[str]
    names_port: int = 0
    hosts: str = ""
    """What the operator has named."""
    ports: list[int] = []
    """Allowed besides those that always are: nobody listens on 443 in a test."""


class Told(Struct, frozen=True):
    """Of one URL: what came of it, and the addresses that were called."""

    url: str
    status: int | None
    fault: str | None
    called: list[str]


async def knock(errand: Errand, **env: str) -> list[Told]:
    """Have a new process send to each URL, one after the other."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.webhooks.targets",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env=os.environ | env,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            said, _ = await process.communicate(msgspec.json.encode(errand))
    finally:
        await ended(process)
    assert process.returncode == 0
    return msgspec.json.decode(said, type=list[Told])


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


def main() -> None:
    errand = msgspec.json.decode(sys.stdin.buffer.read(), type=Errand)
    called: list[str] = []
    _listen(called)
    told = asyncio.run(_send(errand, called))
    sys.stdout.buffer.write(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
