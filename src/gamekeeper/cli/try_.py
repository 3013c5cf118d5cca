"""``gamekeeper try``: a temporary server with its own PostgreSQL and demo data."""

import asyncio
import http.client
import os
import shlex
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.status import Status

from gamekeeper.auth import keys
from gamekeeper.cli.cluster import PrivateCluster
from gamekeeper.cli.serve import DRAIN_SECONDS
from gamekeeper.cli.subprocesses import Child
from gamekeeper.cli.terminal import AsJson, error_console, say, warn
from gamekeeper.core.errors import Conflict
from gamekeeper.core.schemas import Reply
from gamekeeper.core.settings import PREFIX, Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import COMMAND_LINE
from gamekeeper.demo import loader

HOST = "127.0.0.1"
USUAL_PORT = 8000
GIFT = "Health Potion"
NEWLINE = "\\n"
"""What curl writes after an answer."""

Environment = dict[str, str]

Port = Annotated[
    int | None,
    typer.Option(
        help=f"The port to listen on; default: {USUAL_PORT}, or a free port.",
        min=1,
        max=65535,
        show_default=False,
    ),
]


class PortTaken(Conflict):
    """The port is already in use."""


class TryOptions(Struct, frozen=True, kw_only=True):
    """The options of the command."""

    players: int
    seed: int
    port: int | None
    days: int
    """Of history."""
    opens: bool
    """Whether to open the console in a browser."""
    as_json: bool


class TryInfo(Reply, frozen=True):
    """The URLs and credentials, and one player and one item for example requests."""

    console: str
    """It signs the owner in, once, within an hour."""
    owner: str
    documentation: str
    url: str
    key: str
    username: str
    password: str
    database_url: str
    player: str
    item: str


def try_(
    *,
    players: Annotated[
        int, typer.Option(help="Number of players in the demo data.", min=1, max=1_000_000)
    ] = 500,
    random_seed: Annotated[
        int, typer.Option(help="Random seed: the same number creates the same data.")
    ] = 1,
    port: Port = None,
    days: Annotated[
        int, typer.Option(help="Days of history up to now; 0: none.", min=0, max=60)
    ] = 14,
    open_: Annotated[
        bool, typer.Option("--open", help="Open the console in a browser, signed in.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """
    Run a temporary server with demo data until Ctrl-C.

    Requires only PostgreSQL's programs on this machine. It runs its own database in
    a temporary directory, ignores your settings and does not touch your databases.
    When it stops, it removes everything.
    """
    options = TryOptions(
        players=players, seed=random_seed, port=port, days=days, opens=open_, as_json=as_json
    )
    console = error_console()
    asyncio.run(_until_interrupted(_run(options, console)))
    # All is done; one more Ctrl-C must not look like a failure.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warn("Stopped. All data was deleted.")


async def _until_interrupted(work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until it ends or a signal arrives; ignore further signals during cleanup."""
    task = asyncio.ensure_future(work)
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup wants it
        numbers.append(signal.SIGHUP)
    for number in numbers:
        loop.add_signal_handler(number, lambda: task.cancelling() or task.cancel())
    with suppress(asyncio.CancelledError):
        await task


async def _run(options: TryOptions, console: Console) -> None:
    port = _free_port(options.port)
    url = f"http://{HOST}:{port}"
    async with AsyncExitStack() as stack:
        with console.status("Starting PostgreSQL") as status:
            cluster = await stack.enter_async_context(PrivateCluster.start())
            ours = _environment(cluster, url)
            settings = Settings.read(ours)
            # It starts while the demo data is loaded, and is not ready before the tables are.
            serve = ["serve", "--host", HOST, "--port", str(port)]
            server = await stack.enter_async_context(_command("server", serve, cluster, ours))
            await _fill(settings, options, status)
            worker = await stack.enter_async_context(_command("worker", ["worker"], cluster, ours))
            status.update("Starting the server")
            await server.ready(lambda: asyncio.to_thread(_answers, port))
            info = await _info(settings, url)
        if options.as_json:
            say(msgspec.json.encode(info).decode())
        else:
            say(*_for_people(info, options).split("\n"))
        if options.opens:
            await asyncio.to_thread(webbrowser.open, info.console)
        await _first_to_die(cluster.process, server, worker)


def _environment(cluster: PrivateCluster, url: str) -> Environment:
    return {
        f"{PREFIX}DATABASE_URL": cluster.url,
        f"{PREFIX}PUBLIC_URL": url,
        f"{PREFIX}GAME_NAME": "Eldermoor",
        # The log is read only if the server dies; a line for each request would only grow it.
        f"{PREFIX}LOG_LEVEL": "warning",
        # The examples of the documentation create a second one.
        f"{PREFIX}CHARACTERS_PER_USER": "10",
        # The owner signs in by the link of this command and has no second factor to verify.
        f"{PREFIX}STAFF_STEP_UP": "off",
        # Whoever tries webhooks has the program that receives them on this machine.
        f"{PREFIX}WEBHOOK_HOSTS": f"{HOST}:*",
    }


async def _fill(settings: Settings, options: TryOptions, status: Status) -> None:
    def on_progress(step: str, done: int, total: int) -> None:
        status.update(f"Filling the world: {step}, {done:,} of {total:,}")

    status.update("Creating the tables")
    # These take a second to import.
    from gamekeeper.cli import example_account, example_staff
    from gamekeeper.db import migrate
    from gamekeeper.demo.story.playback import play_story

    await migrate.migrate(settings)
    now = datetime.now(UTC).replace(microsecond=0)
    began = now - timedelta(days=options.days) if options.days else None
    # One more is the example's.
    players = max(1, options.players - 1)
    await loader.fill(
        settings, players=players, seed=options.seed, now=now, began=began, on_progress=on_progress
    )
    async with Database.open(settings) as database:
        await example_account.create(database, began)
        dated = (began, now) if began else None
        await example_staff.create(database, example_account.PASSWORD, dated)
        if began:
            name = example_account.PLAYER
            await play_story(
                database,
                now=now,
                days=options.days,
                seed=options.seed,
                example=name,
                on_progress=on_progress,
            )


async def _first_to_die(*children: Child) -> None:
    deaths = [asyncio.ensure_future(child.died()) for child in children]
    try:
        [first, *_], _ = await asyncio.wait(deaths, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for death in deaths:
            death.cancel()
    raise first.result()


# ── The server ──


def _free_port(wanted: int | None) -> int:
    """The wanted port, or else the usual one, or else any."""
    for port in [wanted] if wanted else [USUAL_PORT, 0]:
        with socket.socket() as probe, suppress(OSError):
            # Connections of the last server may be in TIME_WAIT; only a listener is a conflict.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((HOST, port))
            return probe.getsockname()[1]
    raise PortTaken(f"Port {wanted} is in use. Omit --port to use a free one.")


@asynccontextmanager
async def _command(
    name: str, arguments: list[str], cluster: PrivateCluster, ours: Environment
) -> AsyncIterator[Child]:
    """Run a command of ours as a process of its own."""
    # Its temporary files are removed with the cluster's directory.
    others = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    env = others | ours | {"TMPDIR": str(cluster.directory)}
    async with Child.start(
        f"The {name}",
        # -P: do not import a gamekeeper.py from the current directory.
        [sys.executable, "-P", "-m", "gamekeeper", *arguments],
        log=cluster.directory / f"{name}.log",
        ends=[(signal.SIGTERM, DRAIN_SECONDS + 5.0)],
        env=env,
    ) as child:
        yield child


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


# ── Output ──


async def _info(settings: Settings, url: str) -> TryInfo:
    from gamekeeper.api import example_world
    from gamekeeper.cli.example_staff import OWNER
    from gamekeeper.users import lookup
    from gamekeeper.users.staff import sign_in_links
    from gamekeeper.users.staff.sign_in_links import LONGEST_MINUTES, NewLink

    async with Database.open(settings) as database:
        key = await keys.create.one(database, keys.NewKey(by=COMMAND_LINE, name="try"))
        owner = await lookup.find_user_id(database.reader, OWNER)
        link = NewLink(by=COMMAND_LINE, user_id=owner, minutes=LONGEST_MINUTES)
        made = await sign_in_links.make.one(database, link)
    return TryInfo(
        console=sign_in_links.address(settings, made.code),
        owner=made.name,
        documentation=f"{url}/api/docs",
        url=url,
        key=str(key),
        username=example_world.USER,
        password=example_world.PASSWORD,
        database_url=str(settings.database_url),
        player=example_world.PLAYER,
        item=str(example_world.POTION),
    )


def _for_people(info: TryInfo, options: TryOptions) -> str:
    players = f"{info.url}/api/v1/players"
    player = f"{players}/{quote(info.player)}"
    gift = ["-d", f"itemid={info.item}", "-d", "quantity=1"]
    secret = sha256(info.password.encode()).hexdigest()
    token = ["-d", "grant_type=password", "-d", f"username={info.username}"]
    token += ["-d", f"password={secret}", f"{info.url}/api/oauth/token"]
    setting = f"{PREFIX}DATABASE_URL={info.database_url}", f"{PREFIX}PUBLIC_URL={info.url}"
    history = f" and {options.days} days of history" if options.days else ""
    link = shlex.join(["env", *setting, "gamekeeper", "staff", "link", info.owner])
    return f"""\
Gamekeeper is running, with a world of {max(2, options.players):,} players{history}.

  Console        {info.console}
  Documentation  {info.documentation}
  API key        {info.key}
  Account        {info.username}, password {info.password}
  Address        {info.url}
  Database       psql {shlex.quote(info.database_url)}

The console link signs you in as {info.owner}, the owner, once, within an hour. For a new link:
{link}

In the documentation, choose Authorize and paste the key; the examples use this world.
Or paste these commands into another terminal.

The three best players:
{_curl(info, f"{players}/rank?pageSize=3")}

{info.player} and the inventory:
{_curl(info, player, f"{player}/items/inventory")}

Give {info.player} a {GIFT}; repeating the command gives it only once:
{_curl(info, "-H", "Idempotency-Key: order-1", *gift, f"{player}/items/give")}

A token for the account {info.username}; the password is sent as its SHA-256 hash:
{shlex.join(["curl", "-w", NEWLINE, *token])}

Press Ctrl-C to stop and delete all data."""


def _curl(info: TryInfo, *arguments: str) -> str:
    authorization = f"Authorization: Bearer {info.key}"
    return shlex.join(["curl", "-w", NEWLINE, "-H", authorization, *arguments])
