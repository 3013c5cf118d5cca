"""Commands that run the service: migrate, serve, worker."""

import asyncio
import multiprocessing
import os
import shutil
import signal
import tempfile
from typing import Annotated

import typer
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from gamekeeper import logs
from gamekeeper.cli.terminal import AsJson, say, show_json
from gamekeeper.settings import BadSettings, Settings
from gamekeeper.users.vault import Vault

DRAIN_SECONDS = 20


def migrate(*, as_json: AsJson = False) -> None:
    """
    Bring the database to the schema of this version.

    Safe to run at any time and by several at once: what is missing is applied in
    order, each step whole or not at all. Run it before serving a new version.
    """
    # Only here: the job queue behind it takes a second to import, and no other command needs it.
    from gamekeeper import migrate as migration

    applied = asyncio.run(migration.migrate(Settings.read()))
    if as_json:
        show_json({"applied": applied})
    else:
        say("\n".join(f"applied {name}" for name in applied) or "Nothing to do.")


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(help="Processes; about one a core.", min=1, max=64)] = 1,
    production: Annotated[
        bool, typer.Option("--production", help="Refuse settings meant for development.")
    ] = False,
) -> None:
    """
    Serve the HTTP interface.

    Stops gently on SIGTERM: no new connections, and requests under way have 20
    seconds to finish. /livez, /readyz and /metrics tell how it is.
    """
    settings = Settings.read()
    Vault(settings)
    faults = settings.unfit_for_production()
    if production and faults:
        raise BadSettings("not fit for production:\n  " + "\n  ".join(faults))
    logs.configure(settings)
    # Workers that begin afresh, not as copies of this process: the counters choose
    # how to count when they are imported.
    multiprocessing.set_start_method("spawn", force=True)
    counters = tempfile.mkdtemp(prefix="gamekeeper-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
    try:
        Granian(
            "gamekeeper.app:from_environment",
            factory=True,
            address=host,
            port=port,
            workers=workers,
            interface=Interfaces.ASGI,
            websockets=False,
            log_level=LogLevels.warning,
            workers_kill_timeout=DRAIN_SECONDS,
            respawn_failed_workers=True,
        ).serve()
    finally:
        shutil.rmtree(counters, ignore_errors=True)


def worker() -> None:
    """
    Carry out jobs: send mails, sweep up what has expired.

    Run at least one beside `serve`; any number may run.
    """
    from gamekeeper import worker as working

    settings = Settings.read()
    logs.configure(settings)

    async def work() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await working.run(settings, stop)

    asyncio.run(work())
