"""Nobody grows the metrics, and making them holds nobody up (attack 10, review 2)."""

import asyncio

import httpx2

from tests.server import free_port, serving


def methods(text: str) -> set[str]:
    lines = [line for line in text.splitlines() if line.startswith("gamekeeper_requests_total{")]
    return {line.partition('method="')[2].partition('"')[0] for line in lines}


async def test_invented_methods_are_counted_as_one(client):
    for number in range(30):
        await client.request(f"INVENTED{number}", "/nowhere")
    await asyncio.sleep(0.6)
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
