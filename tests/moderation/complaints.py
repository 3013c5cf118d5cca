"""Reports and cases as tests make them."""

from typing import Any

import httpx2

REPORTS = "/api/v1/reports"
CASES = "/api/v1/cases"


async def report(
    client: httpx2.AsyncClient, reporter: str, player: str, headers: Any = None, **about: object
) -> httpx2.Response:
    body = {"reporter": reporter, "player": player, "category": "harassment", **about}
    return await client.post(REPORTS, json=body, headers=headers or {})


async def filed(client: httpx2.AsyncClient, reporter: str, player: str, **about: object) -> Any:
    answer = await report(client, reporter, player, **about)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def queue(client: httpx2.AsyncClient, headers: Any = None, **query: Any) -> list[Any]:
    answer = await client.get(CASES, params=query, headers=headers or {})
    assert answer.status_code == 200, answer.text
    return answer.json()["Values"]


async def only_case(client: httpx2.AsyncClient) -> Any:
    [case] = await queue(client)
    return case


async def details(client: httpx2.AsyncClient, case: str, headers: Any = None) -> Any:
    answer = await client.get(f"{CASES}/{case}", headers=headers or {})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def close(client: httpx2.AsyncClient, case: str, headers: Any = None, **about: object) -> Any:
    return await client.post(f"{CASES}/{case}/close", json=about, headers=headers or {})


def refused(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["Code"]


def without_key(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """The same application for a browser, whose cookie counts only without a key."""
    return httpx2.AsyncClient(transport=client._transport, base_url=client.base_url)
