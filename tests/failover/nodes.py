"""Three PostgreSQL servers under Patroni, with the files of docs/operate/failover.md."""

import asyncio
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import asyncpg
import httpx2

from gamekeeper.core import tasks
from tests import processes
from tests.db.proxy import Proxy, proxy
from tests.deadlines import PATIENCE, until
from tests.failover import disks
from tests.server import free_port

PAGE = Path(__file__).parents[2] / "docs/operate/failover.md"
PATRONI, ETCD = shutil.which("patroni"), shutil.which("etcd")
MISSING = None if PATRONI and ETCD else "patroni and etcd are not installed (.ci/failover)"
ASKING_SECONDS = 3.0


def block(kind: str, beginning: str) -> str:
    """A file of the page, with the values of its first machine."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    [text] = [text for text in found if text.startswith(beginning)]
    return text


def replaced(text: str, *pairs: tuple[str, object]) -> str:
    for old, new in pairs:
        assert old in text, f"{PAGE.name} no longer has {old}"
        text = text.replace(old, str(new))
    return text


def identity() -> dict[str, Any]:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return {}
    account = pwd.getpwnam("postgres")
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


class Node:
    """One server with its Patroni; the others and etcd reach it through proxies."""

    def __init__(self, name: str, directory: Path, network: Proxy, etcd: Proxy, port: int) -> None:
        self.name = name
        self.port = port
        self.api = free_port()
        self.network, self.etcd = network, etcd
        self._directory = directory
        self.disk = directory / "disk"
        self._data = self.disk / "data"
        self._patroni: subprocess.Popen[bytes] | None = None

    def configure(self, settings: dict[str, object]) -> None:
        text = replaced(
            block("yaml", "scope:"),
            ("node1", self.name),
            ("10.0.0.1:8008", f"127.0.0.1:{self.api}"),
            # Without use_proxies Patroni asks etcd for its address, and goes past the proxy.
            (
                "10.0.0.1:2379,10.0.0.2:2379,10.0.0.3:2379",
                f"127.0.0.1:{self.etcd.port}\n  use_proxies: true",
            ),
            ("connect_address: 10.0.0.1:5432", f"connect_address: 127.0.0.1:{self.network.port}"),
            ("10.0.0.1:5432", f"127.0.0.1:{self.port}"),
            ("10.0.0.0/24", "127.0.0.1/32"),
            ("/var/lib/postgresql/15/gamekeeper", self._data),
            ("/var/lib/postgresql/patroni.pgpass", self._directory / "pgpass"),
            ("/var/run/postgresql", self._directory),
        )
        for name, value in settings.items():
            text, count = re.subn(rf"^(\s+{name}:) .*$", rf"\1 {value}", text, flags=re.MULTILINE)
            assert count == 1, name
        (self._directory / "config.yml").write_text(text)

    @property
    def url(self) -> str:
        return f"postgresql://postgres:choose-a-password@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        with (self._directory / "log").open("ab") as log:
            self._patroni = processes.start(
                [str(PATRONI), str(self._directory / "config.yml")],
                cwd=self._directory,
                stdout=log,
                stderr=log,
                **identity(),
            )

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to Patroni, and to PostgreSQL with all its children."""
        pids = [self._patroni.pid] if self._patroni else []
        with suppress(OSError):
            postmaster = int((self._data / "postmaster.pid").read_text().split()[0])
            children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text()
            pids += [postmaster, *map(int, children.split())]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGKILL)
        if self._patroni:
            processes.kill(self._patroni)

    async def ask(self, path: str) -> httpx2.Response | None:
        url = f"http://127.0.0.1:{self.api}{path}"
        try:
            async with httpx2.AsyncClient(timeout=ASKING_SECONDS) as client:
                return await client.get(url)
        except httpx2.HTTPError:
            return None

    async def promoted(self) -> None:
        while True:
            try:
                connection = await asyncpg.connect(self.url, timeout=ASKING_SECONDS)
                try:
                    while await connection.fetchval("SELECT pg_is_in_recovery()"):
                        await asyncio.sleep(0.1)
                    return
                finally:
                    connection.terminate()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.1)

    async def is_primary(self) -> bool:
        answer = await self.ask("/primary")
        return answer is not None and answer.status_code == 200

    @property
    def log(self) -> str:
        return (self._directory / "log").read_text(errors="replace")[-3000:]


class Nodes:
    def __init__(self, nodes: list[Node], *, synchronous: bool) -> None:
        self.nodes = nodes
        self._synchronous = synchronous

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://gamekeeper:secret@{hosts}/gamekeeper?target_session_attrs=read-write"

    async def primary(self) -> Node | None:
        said = await asyncio.gather(*(node.is_primary() for node in self.nodes))
        return next((node for node, yes in zip(self.nodes, said, strict=True) if yes), None)

    async def promoted(self, old: Node) -> None:
        """Wait until PostgreSQL on another node than the old leader leaves recovery."""
        waiting = [asyncio.create_task(node.promoted()) for node in self.nodes if node is not old]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        await tasks.end(waiting)

    async def settled(self) -> Node:
        """Wait until there is a leader with two standbys that stream from it; the leader."""
        found: list[Node] = []

        async def is_settled() -> bool:
            leader = await self.primary()
            answer = await leader.ask("/cluster") if leader else None
            if leader is None or answer is None:
                return False
            found[:] = [leader]
            members = answer.json()["members"]
            roles = [member["role"] for member in members]
            return _is_whole(members) and ("sync_standby" in roles) == self._synchronous

        await until(is_settled, "three servers with a leader and standbys", 0.5)
        return found[0]

    async def switch_over(self, leader: Node) -> None:
        url = f"http://127.0.0.1:{leader.api}/switchover"
        async with httpx2.AsyncClient(timeout=PATIENCE) as client:
            answer = await client.post(url, json={"leader": leader.name})
        assert answer.status_code in (200, 202), answer.text


def _is_whole(members: list[dict[str, Any]]) -> bool:
    states = [member["state"] for member in members if member["role"] != "leader"]
    lags = [member.get("lag", 0) for member in members]
    return (
        len(members) == 3
        and set(states) <= {"running", "streaming"}
        and all(isinstance(lag, int) and lag < 1 << 20 for lag in lags)
    )


@contextmanager
def running(settings: dict[str, object], *, small_disks: bool = False) -> Iterator[Nodes]:
    """etcd and three nodes, if wanted with disks of their own; `settings` replaces values."""
    directory = Path(tempfile.mkdtemp(prefix="gamekeeper-failover-", dir="/tmp"))
    try:
        _own(directory)
        with ExitStack() as mounts, _started(directory, settings, mounts, small_disks) as nodes:
            yield Nodes(nodes, synchronous=settings.get("synchronous_mode") != "false")
    finally:
        shutil.rmtree(directory, ignore_errors=True)


@contextmanager
def _started(
    directory: Path, settings: dict[str, object], mounts: ExitStack, small_disks: bool
) -> Iterator[list[Node]]:
    etcd, ports = free_port(), [free_port() for _ in range(3)]
    nodes: list[Node] = []
    with _etcd(directory / "etcd", etcd), _network([*ports, etcd, etcd, etcd]) as proxies:
        for number, port in enumerate(ports):
            place = directory / f"node{number + 1}"
            place.mkdir()
            _own(place)
            (place / "disk").mkdir()
            if small_disks:
                mounts.enter_context(disks.mounted(place / "disk"))
            _own(place / "disk")
            nodes.append(Node(place.name, place, proxies[number], proxies[number + 3], port))
            nodes[-1].configure(settings)
        try:
            for node in nodes:
                node.start()
            yield nodes
        except BaseException:
            for node in nodes:
                print(node.name, node.log)
            raise
        finally:
            for node in nodes:
                node.kill()


@contextmanager
def _network(targets: list[int]) -> Iterator[list[Proxy]]:
    """Proxies in a thread of their own: a test that waits must not cut Patroni off from etcd."""
    loop, opened = asyncio.new_event_loop(), AsyncExitStack()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def open_all() -> list[Proxy]:
        return [await opened.enter_async_context(proxy(target)) for target in targets]

    try:
        yield asyncio.run_coroutine_threadsafe(open_all(), loop).result(PATIENCE)
    finally:
        asyncio.run_coroutine_threadsafe(opened.aclose(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _own(directory: Path) -> None:
    if who := identity():
        os.chown(directory, who["user"], who["group"])
    directory.chmod(0o700)


def _etcd(directory: Path, port: int) -> Any:
    peer, here = free_port(), "http://127.0.0.1"
    text = replaced(
        block("ini", "ETCD_NAME"),
        (",node2=http://10.0.0.2:2380,node3=http://10.0.0.3:2380", ""),
        ("http://10.0.0.1:2380", f"{here}:{peer}"),
        ("http://10.0.0.1:2379", f"{here}:{port}"),
    )
    env = dict(line.split("=", 1) for line in text.splitlines())
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [str(ETCD), "--data-dir", str(directory)]
    return processes.running(command, env=os.environ | env, **quiet)
