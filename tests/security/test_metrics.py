"""Nobody grows the metrics, and making them holds nobody up (attack 10, review 2)."""

import asyncio
import socket
import sys

import httpx2

from gamekeeper.core.observability import exposition
from tests import processes
from tests.deadlines import until
from tests.server import environment, free_port, serving


def methods(text: str) -> set[str]:
    lines = [line for line in text.splitlines() if line.startswith("gamekeeper_requests_total{")]
    return {line.partition('method="')[2].partition('"')[0] for line in lines}


async def test_invented_methods_are_counted_as_one(client, monkeypatch):
    monkeypatch.setattr(exposition, "FRESH_SECONDS", 0.0)
    for number in range(30):
        await client.request(f"INVENTED{number}", "/nowhere")
    text = (await client.get("/metrics")).text

    assert not [method for method in methods(text) if method.startswith("INVENTED")]
    assert 'method="other",route="unknown"' in text


async def test_many_who_ask_at_once_are_told_from_one_rendering(client):
    answers = await asyncio.gather(*(client.get("/metrics") for _ in range(20)))
    assert len({answer.content for answer in answers}) == 1


async def test_metrics_can_have_an_address_of_their_own(settings, tmp_path):
    own = f"127.0.0.1:{free_port()}"
    with serving(settings, tmp_path / "log", GAMEKEEPER_METRICS_ADDRESS=own) as (url, _):
        assert httpx2.get(url + "/livez").status_code == 200
        assert httpx2.get(url + "/metrics").status_code == 404
        text = httpx2.get(f"http://{own}/metrics", trust_env=False).text
    assert 'gamekeeper_requests_total{method="GET",route="/livez",status="200"}' in text


async def test_a_worker_whose_metrics_address_is_taken_works_without(settings, tmp_path):
    """The same variable for `serve` and `worker` on one machine must not stop mails."""
    log = tmp_path / "log"
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        env = environment(settings, GAMEKEEPER_METRICS_ADDRESS=address)
        command = [sys.executable, "-m", "gamekeeper", "worker"]
        with log.open("wb") as stream, processes.running(command, env=env, stderr=stream):

            async def has_started() -> bool:
                return "worker_started" in log.read_text()

            await until(has_started, "the worker works")

    [said] = [line for line in log.read_text().splitlines() if "metrics_unavailable" in line]
    assert "GAMEKEEPER_METRICS_ADDRESS" in said
