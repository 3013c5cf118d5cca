"""Commands that run the service: migrate (schema), serve (HTTP server), worker (job queue)."""

import asyncio
import multiprocessing
import os
import shutil
import signal
import tempfile
from importlib.metadata import version
from typing import Annotated, Any

import asyncpg
import structlog
import typer
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.common import AbstractServer

from gamekeeper.auth.secrets import Vault
from gamekeeper.cli import listener
from gamekeeper.cli.command import Output, change
from gamekeeper.cli.listener import ListenAddress
from gamekeeper.cli.terminal import warn
from gamekeeper.core.errors import Unavailable
from gamekeeper.core.observability import exposition, logging, traces
from gamekeeper.core.production import unfit_for_production
from gamekeeper.core.settings import BadSettings, Settings
from gamekeeper.db import grants, schema_files
from gamekeeper.db.database import Database, TablesMissing
from gamekeeper.db.outages import ServerAddress
from gamekeeper.operations.backup import epochs
from gamekeeper.operations.backup.epochs import RecoveryIncomplete
from gamekeeper.players import names
from gamekeeper.users import skeletons

DRAIN_SECONDS = 20
MOST_CONNECTIONS = 10_000
"""Connection limit of one process; at the limit it accepts none: slow clients must not fill it."""

IDLE_SECONDS = 15
"""Keep-alive and header timeout: for the head of a connection's first or next request."""

LARGEST_BUFFER = 64 * 1024
"""Read and write buffer of one connection in bytes; also the limit of a request's head."""

OUTDATED = (
    "The schema is older than this version, so some requests fail and /readyz answers 503. "
    "Run: gamekeeper migrate"
)

# Granian's messages go to our log, written by the log thread, which may block.
SERVER_LOG = {
    "handlers": {
        "console": {"class": "gamekeeper.core.observability.logging.ServerHandler"},
        "access": {"class": "logging.NullHandler"},
    }
}

log = structlog.get_logger()


@change()
async def migrate(
    settings: Settings,
    *,
    app_role: Annotated[
        str | None,
        typer.Option(
            help="The PostgreSQL role of the service; it can append to history, not alter it."
        ),
    ] = None,
) -> Output:
    """
    Migrate the database to the schema of this version.

    Safe to run at any time and concurrently: it applies missing migrations in
    order, each in one transaction or safe to repeat. Run it before you serve a new
    version. It also creates the monthly partitions of history up to a year ahead; if
    the worker's role does not own the tables, run it at least once a year.

    With --app-role, run it as the owner of the tables and serve as the named
    role: that role gets the privileges that the service needs, and can neither change
    nor remove actions and postings. The role is stored; later runs do not need the option.
    """
    # Imported here: its job queue takes a second to import, and few commands need it.
    from gamekeeper.db import migrate as migration

    applied = await migration.migrate(settings, app_role)
    async with Database.open(settings) as database:
        await skeletons.backfill(database)
        await names.backfill(database)
    lines = [f"applied {name}" for name in applied] or ["Nothing to do."]
    return Output({"applied": applied}, *lines)


Production = Annotated[
    bool, typer.Option("--production", help="Refuse to start with development settings.")
]


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=1, max=65535)] = 8000,
    workers: Annotated[
        int, typer.Option(help="Number of processes; about one per core.", min=1, max=64)
    ] = 1,
    production: Production = False,
) -> None:
    """
    Serve the HTTP API.

    Graceful shutdown on SIGTERM: no new connections, and requests in flight have 20
    seconds to finish. /livez, /readyz and /metrics report its health.
    """
    settings = Settings.read()
    _check_keys(settings, production=production)
    endpoint = ListenAddress.resolve(host, port)
    with listener.reserved(endpoint):
        logging.configure(settings)
        _warn_of_development_keys(settings)
        asyncio.run(_check_database(settings))
        # Spawn, not fork: prometheus_client chooses its multiprocess mode when it is imported.
        multiprocessing.set_start_method("spawn", force=True)
        counters = tempfile.mkdtemp(prefix="gamekeeper-metrics-")
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = counters
        try:
            exposition.serve_metrics(settings)
            listener.when_it_answers(
                endpoint, lambda: _announce(settings, endpoint, workers, production=production)
            )
            _server(endpoint, workers).serve()
        finally:
            shutil.rmtree(counters, ignore_errors=True)


def _announce(
    settings: Settings, endpoint: ListenAddress, workers: int, *, production: bool
) -> None:
    """Report the address, the database and the mode."""
    url = f"http://{endpoint.reachable}"
    database = ServerAddress.of(settings.database_url)
    if not logging.is_for_people(settings):
        log.info(
            "listening",
            address=str(endpoint),
            documentation=f"{url}/api/docs",
            database=f"{database.database} at {database.server}",
            production=production,
            workers=workers,
            version=version("gamekeeper"),
        )
        return
    mode = "production" if production else "development; with real accounts use --production"
    warn(
        f"Gamekeeper {version('gamekeeper')} listens on http://{endpoint}\n"
        f"  Documentation  {url}/api/docs\n"
        f"  Database       {database.database} at {database.server}\n"
        f"  Mode           {mode}\n"
        f"  Processes      {workers}\n"
        "Press Ctrl-C to stop."
    )


def _server(endpoint: ListenAddress, workers: int) -> AbstractServer[Any]:
    return Granian(
        "gamekeeper.app:from_environment",
        factory=True,
        address=endpoint.address,
        port=endpoint.port,
        workers=workers,
        interface=Interfaces.ASGI,
        # Of the two protocols only HTTP/1 has a timeout for silent clients.
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=IDLE_SECONDS * 1000, max_buffer_size=LARGEST_BUFFER
        ),
        backpressure=MOST_CONNECTIONS,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=SERVER_LOG,
        workers_kill_timeout=DRAIN_SECONDS,
        respawn_failed_workers=True,
    )


def _check_keys(settings: Settings, *, production: bool) -> None:
    """Raise BadSettings if keys are malformed or, in production, settings are for development."""
    Vault(settings)
    traces.check(settings)
    faults = unfit_for_production(settings)
    if production and faults:
        raise BadSettings("refusing to start with --production:\n  " + "\n  ".join(faults))


def _warn_of_development_keys(settings: Settings) -> None:
    if names := settings.development_keys:
        log.warning(
            "development_keys",
            settings=names,
            reason="These keys are public. Where real people have accounts make your own, "
            "and start with --production.",
        )


async def _check_database(settings: Settings) -> None:
    """
    Log database problems. The server starts without a database, but not without a valid URL, and
    not on one whose recovery was not completed: revoked credentials would be valid again.
    """
    async with Database.open(settings) as database:
        try:
            applied = await database.reader.value("SELECT max(name) FROM migrations")
            newest = schema_files.numbered()[-1][0]
            if applied is None or applied < newest:
                log.warning("schema_outdated", applied=applied, newest=newest, reason=OUTDATED)
            if await grants.is_alterable(database.reader):
                log.warning("history_alterable", reason=grants.WARNING)
            await epochs.check(database.reader)
        except TablesMissing as missing:
            log.error("tables_missing", reason=str(missing))  # noqa: TRY400  the reason is known
        except asyncpg.InsufficientPrivilegeError as refusal:
            log.error("privileges_missing", reason=f"{refusal}. {grants.NOT_GRANTED}")  # noqa: TRY400
        except RecoveryIncomplete:
            raise
        except Unavailable as away:
            # The log has the reason already: database_unavailable.
            if isinstance(away.__cause__, asyncpg.ClientConfigurationError):
                raise BadSettings(f"GAMEKEEPER_DATABASE_URL: {away.__cause__}.") from None


def worker(*, production: Production = False) -> None:
    """
    Run background jobs: send emails and webhooks, delete expired rows (retention).

    Run at least one alongside `serve`; any number may run. With GAMEKEEPER_METRICS_ADDRESS it
    serves /metrics there: an address of its own, not that of `serve`.
    """
    from gamekeeper import worker as working

    settings = Settings.read()
    _check_keys(settings, production=production)
    logging.configure(settings)
    _warn_of_development_keys(settings)
    try:
        exposition.serve_metrics(settings)
    except BadSettings as taken:
        # Mails and webhooks matter more: `serve` may have the same variable on this machine.
        log.error("metrics_unavailable", reason=str(taken))  # noqa: TRY400

    async def work() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await working.run(settings, stop)

    asyncio.run(work())
