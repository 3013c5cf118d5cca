"""
Dashboards and alerts against the real thing: Prometheus scrapes a loaded `serve` and `worker`.

Every query of every panel and every alert parses and, but for those that only have data when
something has failed, returns data.
"""

import asyncio
import contextlib
import json
import shutil
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx2
import pytest
import yaml
from msgspec import structs

from gamekeeper.auth import keys
from gamekeeper.core.settings import Hidden, Settings
from tests import processes
from tests.deadlines import PATIENCE, until
from tests.make import BY, join, make_item, make_player, make_server, make_user
from tests.server import environment, free_port, serving
from tests.webhooks.receivers import receiver
from tools import dashboards

pytestmark = pytest.mark.engines

FOLDER = dashboards.FOLDER
ALERTS = FOLDER.parents[1] / "alerts.yml"
SECONDS = 6
"""How long there is load: several scrapes, one a second."""

ONLY_IN_FAILURE = {
    "Failing routes": "no route answers 5xx",
    "Retries": "no transactions collide",
    "Lock waits": "nobody holds a lock for long",
    "Faults": "PostgreSQL is there",
    "Replica": "there is no replica",
    "Replica lag": "there is no replica",
    "Replica left": "there is no replica",
}
"""Panels that are empty in a healthy installation without a replica, and why."""

CONFIGURATION = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [{alerts}]
scrape_configs:
  - {{job_name: gamekeeper-serve, static_configs: [{{targets: ["{serve}"]}}]}}
  - {{job_name: gamekeeper-worker, static_configs: [{{targets: ["{worker}"]}}]}}
"""


def panels() -> list[tuple[str, str, str]]:
    """Dashboard, title and query of each target of each panel."""
    return [
        (file.name, panel["title"], target["expr"])
        for file in sorted(FOLDER.glob("*.json"))
        for panel in json.loads(file.read_text())["panels"]
        for target in panel.get("targets", [])
    ]


def test_the_files_are_what_the_tool_writes():
    assert {file.name for file in FOLDER.glob("*.json")} == dashboards.DASHBOARDS.keys()
    for name, made in dashboards.DASHBOARDS.items():
        assert (FOLDER / name).read_text() == dashboards.text(made), "run tools/dashboards.py"


def test_panels_have_titles_of_their_own_and_do_not_overlap():
    for made in dashboards.DASHBOARDS.values():
        titles = [panel["title"] for panel in made["panels"]]
        assert len(titles) == len(set(titles))
        cells = [
            (x, y)
            for place in (panel["gridPos"] for panel in made["panels"])
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        ]
        assert len(cells) == len(set(cells))
        assert max(x for x, _ in cells) < dashboards.WIDTH


@contextmanager
def prometheus(directory: Path, serve: str, worker: str) -> Iterator[str]:
    program = shutil.which("prometheus")
    assert program, "prometheus is not there: apt-get install prometheus"
    address = f"127.0.0.1:{free_port()}"
    file = directory / "prometheus.yml"
    file.write_text(CONFIGURATION.format(alerts=ALERTS, serve=serve, worker=worker))
    command = [program, f"--config.file={file}", f"--web.listen-address={address}"]
    command += [f"--storage.tsdb.path={directory / 'data'}"]
    with (
        (directory / "prometheus.log").open("wb") as log,
        processes.running(command, stderr=log, stdout=log),
    ):
        yield f"http://{address}"


@contextmanager
def working(settings: Settings, address: str, log: Path) -> Iterator[None]:
    env = environment(
        settings, GAMEKEEPER_METRICS_ADDRESS=address, GAMEKEEPER_WEBHOOK_HOSTS="127.0.0.1:*"
    )
    command = [sys.executable, "-m", "gamekeeper", "worker"]
    with log.open("wb") as stream, processes.running(command, env=env, stderr=stream):
        yield


async def world(database) -> tuple[str, str]:
    """A player who is online, an account and an item; a key for all, and the item."""
    player = await make_player(database, "Ana")
    await make_user(database, "bea", email="bea@example.org")
    await join(database, player, await make_server(database))
    item = await make_item(database, inventory_stack=1_000_000)
    return await keys.create.one(database, keys.NewKey(by=BY, name="load")), str(item)


@asynccontextmanager
async def game(url: str, key: str, item: str) -> AsyncIterator[None]:
    """A little of everything, for the length of the block."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        receiver() as target,
        httpx2.AsyncClient(base_url=url, headers=headers, timeout=PATIENCE) as client,
    ):
        made = await client.post("/api/v1/webhooks", json={"url": target.url})
        assert made.status_code == 200, made.text
        tasks = [asyncio.create_task(one) for one in (_play(client, item), _follow(client))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _play(client: httpx2.AsyncClient, item: str) -> None:
    """Looks, gifts, passwords right and wrong, a mail, and a page that does not exist."""
    gift = {"itemid": item, "quantity": 1}
    login = {"grant_type": "password", "username": "nobody", "password": "0" * 64}
    while True:
        await asyncio.gather(
            *(client.get("/api/v1/players/Ana") for _ in range(5)),
            *(client.post("/api/v1/players/Ana/items/give", json=gift) for _ in range(3)),
            client.get("/api/v1/players/rank"),
            client.get("/api/v1/players/Nobody"),
            client.get("/api/v1/users/bea/password/reset"),
            client.post("/api/oauth/token", data=login),
        )
        await asyncio.sleep(0.05)


async def _follow(client: httpx2.AsyncClient) -> None:
    headers = {"Accept": "text/event-stream"}
    async with client.stream("GET", "/api/v1/events", headers=headers) as events:
        async for _ in events.aiter_bytes():
            pass


async def test_every_query_returns_data_from_a_loaded_server(database, settings, tmp_path):
    of_serve, of_worker = (f"127.0.0.1:{free_port()}" for _ in range(2))
    env = {"GAMEKEEPER_METRICS_ADDRESS": of_serve, "GAMEKEEPER_WEBHOOK_HOSTS": "127.0.0.1:*"}
    key, item = await world(database)
    # Nobody listens there, so the mail waits for its next attempt.
    settings = structs.replace(settings, smtp_url=Hidden(f"smtp://127.0.0.1:{free_port()}"))
    with contextlib.ExitStack() as stack:
        stack.enter_context(working(settings, of_worker, tmp_path / "worker.log"))
        url, _ = stack.enter_context(
            serving(settings, tmp_path / "serve.log", "--workers", "2", **env)
        )
        server = stack.enter_context(prometheus(tmp_path, of_serve, of_worker))
        async with (
            httpx2.AsyncClient(base_url=server, timeout=PATIENCE, trust_env=False) as client,
            game(url, key, item),
        ):
            await until(lambda: _has(client, "gamekeeper_players_online == 1"), "lags are scraped")
            await until(lambda: _has(client, DELIVERED), "webhooks deliver", pause=0.3)
            await until(lambda: _has(client, MAILED), "a mail is tried", pause=0.3)
            await asyncio.sleep(SECONDS)
            empty = {title for _, title, query in panels() if not await _found(client, query)}
            assert await _has(client, "sum(gamekeeper_event_streams) == 1")
            leaders = await _found(client, "sum by (duty) (gamekeeper_leader) == 1")
            rules = yaml.safe_load(ALERTS.read_text())
            for rule in (rule for group in rules["groups"] for rule in group["rules"]):
                await _found(client, rule["expr"])
            firing = await _found(client, 'ALERTS{alertstate="firing"}')

    assert empty <= ONLY_IN_FAILURE.keys()
    duties = {leader["metric"]["duty"] for leader in leaders}
    assert duties == {
        *(
            "campaigns",
            "schedules",
            "counts",
            "economy",
            "findings",
            "lags",
            "lists",
            "sequencer",
            "sweeper",
            "webhooks",
        ),
    }
    assert firing == []


DELIVERED = 'rate(gamekeeper_webhook_deliveries_total{outcome="delivered"}[30s]) > 0'
MAILED = "gamekeeper_mails_total"


async def _has(client: httpx2.AsyncClient, query: str) -> bool:
    try:
        return bool(await _found(client, query))
    except httpx2.TransportError:
        return False  # Prometheus is starting.


async def _found(client: httpx2.AsyncClient, query: str) -> list[dict]:
    query = query.replace("$__rate_interval", "30s")
    answer = await client.get("/api/v1/query", params={"query": query, "time": time.time()})
    if answer.status_code == 503:
        return []  # Prometheus is starting.
    assert answer.status_code == 200, f"{query}: {answer.text}"
    return answer.json()["data"]["result"]
