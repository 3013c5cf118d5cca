"""
The console in a real browser, on the world of `gamekeeper try`: a server, a worker, weeks of
history. One world serves all tests of a process, so each test changes people of its own.
"""

import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Browser, BrowserContext, StorageState, expect

from gamekeeper.api import console
from tests import processes
from tests.console.game import Game
from tests.console.visit import DESK, PHONE, ConsoleVisit
from tests.pages.conftest import browser as browser
from tests.server import free_port

PLAYERS = 300
expect.set_options(timeout=processes.PATIENCE * 1000)
RUNNING = os.environ.get("CONSOLE_WORLD")
"""What a `gamekeeper try --json` that runs already has told: for whoever writes these tests."""
FRESH_SECONDS = 300
"""Some changes want a sign-in of the last ten minutes; an older one is made anew."""


class World:
    """A running `gamekeeper try`."""

    def __init__(self, told: dict[str, str]) -> None:
        self.url = told["url"]
        self.owner = told["owner"]
        self.key = told["key"]
        self.database_url = told["databaseUrl"]

    def run(self, *words: str) -> str:
        """What a command of ours says, at the terminal of the operator."""
        env = os.environ | {
            "GAMEKEEPER_DATABASE_URL": self.database_url,
            "GAMEKEEPER_PUBLIC_URL": self.url,
        }
        done = processes.run([sys.executable, "-m", "gamekeeper", *words], env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def link(self, name: str) -> str:
        """An address that signs this member of the staff in, once."""
        return json.loads(self.run("staff", "link", name, "--json"))["address"]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    if not (console.BUILT / "index.html").is_file():
        if "CI" not in os.environ:
            pytest.skip("the console is not built: just console")
        pytest.fail("the console is not built")
    if RUNNING:
        yield World(json.loads(Path(RUNNING).read_text()))
        return
    with trying(PLAYERS, tmp_path_factory.mktemp("try")) as world:
        yield world


@contextmanager
def trying(players: int, directory: Path, patience: float = processes.PATIENCE) -> Iterator[World]:
    """A world of its own, with so many players."""
    log, told = directory / "log", directory / "told.json"
    command = [sys.executable, "-m", "gamekeeper", "try", "--json"]
    command += ["--port", str(free_port()), "--players", str(players)]
    with (
        log.open("wb") as errors,
        told.open("wb") as out,
        processes.running(command, stdout=out, stderr=errors) as process,
    ):
        deadline = time.monotonic() + patience
        while not told.read_text().endswith("\n"):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield World(json.loads(told.read_text()))


class SignIns:
    """Who is signed in already: each member of the staff signs in seldom, by a link."""

    def __init__(self, browser: Browser, world: World) -> None:
        self._browser = browser
        self._world = world
        self._states: dict[str, tuple[float, StorageState]] = {}

    async def context(self, name: str, **about) -> BrowserContext:
        at, state = self._states.get(name, (0.0, None))
        if state is None or time.monotonic() - at > FRESH_SECONDS:
            state = await self.sign_in(name)
            self._states[name] = time.monotonic(), state
        return await self._browser.new_context(storage_state=state, **about)

    async def sign_in(self, name: str) -> StorageState:
        """A session of its own, which others do not use."""
        context = await self._browser.new_context()
        page = await context.new_page()
        await page.goto(self._world.link(name))
        await page.get_by_role("navigation").first.wait_for()
        state = await context.storage_state()
        await context.close()
        return state


@pytest.fixture(scope="session")
def sign_ins(browser: Browser, world: World) -> SignIns:
    return SignIns(browser, world)


class Visits:
    """Members of the staff, each in a browser of their own."""

    def __init__(self, sign_ins: SignIns, url: str) -> None:
        self._sign_ins = sign_ins
        self._url = url
        self.all: list[ConsoleVisit] = []

    async def by(self, name: str, *, on_phone: bool = False) -> ConsoleVisit:
        about = {"is_mobile": True, "has_touch": True} if on_phone else {}
        return await self.of(
            await self._sign_ins.context(
                name,
                viewport=PHONE if on_phone else DESK,
                reduced_motion="reduce",
                timezone_id="UTC",
                **about,
            )
        )

    async def of(self, context: BrowserContext) -> ConsoleVisit:
        context.set_default_timeout(processes.PATIENCE * 1000)
        visit = ConsoleVisit(context, await context.new_page(), self._url)
        self.all.append(visit)
        return visit


@pytest.fixture
async def game(world: World) -> AsyncIterator[Game]:
    async with httpx2.AsyncClient(timeout=processes.PATIENCE) as client:
        yield Game(client, f"{world.url}/api/v1", world.key)


@pytest.fixture
async def visits(sign_ins: SignIns, world: World) -> AsyncIterator[Visits]:
    visits = Visits(sign_ins, world.url)
    yield visits
    for visit in visits.all:
        await visit.context.close()
    for visit in visits.all:
        visit.check()


@pytest.fixture
async def visit(visits: Visits, world: World) -> ConsoleVisit:
    """The owner at a desk."""
    return await visits.by(world.owner)
