"""A PgBouncer of one's own, in front of the tests' PostgreSQL, with the settings of our docs."""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import structs

from gamekeeper.core.settings import Hidden, Settings
from tests import processes
from tests.databases import SERVER
from tests.deadlines import PATIENCE
from tests.server import free_port

PAGE = Path(__file__).parents[1] / "docs" / "operate" / "pgbouncer.md"


def documented() -> str:
    """The section [pgbouncer] that the page shows."""
    [block] = re.findall(r"```ini\n\[pgbouncer\]\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return block


@contextmanager
def pooled(
    settings: Settings, folder: Path, *, mode: str = "session", options: str | None = None
) -> Iterator[Settings]:
    """The same settings, with PgBouncer between; `options` instead of those of the page."""
    server, port = urlsplit(SERVER), free_port()
    lines = documented() if options is None else options
    file = folder / f"pgbouncer-{port}.ini"
    file.write_text(
        f"[databases]\n* = host={server.hostname} port={server.port} user={server.username}\n"
        f"[pgbouncer]\n{re.sub('pool_mode = .*', '', lines)}\npool_mode = {mode}\n"
        f"listen_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
    )
    command = ["pgbouncer", "--quiet", str(file)]
    if os.getuid() == 0:
        # It refuses to run as root.
        command[1:1] = ["--user", "nobody"]
    path = os.environ["PATH"] + ":/usr/sbin"
    process = processes.start(command, env=os.environ | {"PATH": path}, stderr=subprocess.DEVNULL)
    place = f"{server.username}@127.0.0.1:{port}{urlsplit(settings.database_url).path}"
    try:
        _wait(port, process)
        yield structs.replace(settings, database_url=Hidden(f"postgresql://{place}"))
    finally:
        processes.kill(process)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None, "pgbouncer did not start"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("pgbouncer does not answer")
