"""Events of the characters on one server: what a game server must hear of, and no more."""

import asyncio
import random
import time
from contextlib import suppress
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest

from tests.contract.outcomes import outcome, refusal
from tests.deadlines import PATIENCE
from tests.events.listeners import listening
from tests.events.test_events import latest
from tests.make import make_player, make_variable

PATH = "/api/v1/events"
SECONDS = 5
CHARACTERS = 6


class Realm:
    """A game server: it lets characters join, reads them, and keeps what it knows by the stream."""

    def __init__(self, client, port: int, key: str, variable: UUID) -> None:
        self._client, self._port, self._key, self._variable = client, port, key, variable
        self._last = 0
        self._told: dict[str, int] = {}
        self.lease: dict = {}
        self.known: dict[str, int] = {}
        self.wrong: list[str] = []
        self.heard = 0

    async def register(self) -> None:
        answer = await self._client.post("/api/v1/servers", json={"name": f"R {uuid4().hex[:8]}"})
        self.lease = answer.json()
        latest = await self._client.get(PATH, params={"after": "latest"})
        self._last = latest.json()["Next"]

    async def call(self, what: str, player: UUID) -> None:
        sent = {"fence": self.lease["Fence"], "players": [str(player)]}
        answer = await self._client.post(f"/api/v1/servers/{self.lease['Id']}/{what}", json=sent)
        assert answer.status_code == 200, answer.text

    async def join(self, player: UUID) -> None:
        await self.call("join", player)
        read = await self._client.get(f"/api/v1/players/{player}/variables/{self._variable}")
        # What was told while we read may be newer than what we read.
        known = max(read.json()["Value"], self._told.pop(str(player), 0))
        self.known[str(player)] = known

    async def leave(self, player: UUID) -> None:
        del self.known[str(player)]
        await self.call("leave", player)

    async def follow(self) -> None:
        """Listen for ever, from time to time anew."""
        while True:
            query = f"?server={self.lease['Id']}"
            async with listening(self._port, self._key, query=query, after=self._last) as stream:
                ends = time.monotonic() + random.uniform(0.2, 1)
                async for event in stream:
                    self._last = int(event.id or self._last)
                    if event.event:
                        self._hear(event.data["PlayerId"], event.data["After"]["value"])
                    if time.monotonic() > ends:
                        break

    def _hear(self, player: str, value: int) -> None:
        self.heard += 1
        self._told[player] = value
        known = self.known.get(player)
        if known is None:
            return
        if value > known + 1:
            self.wrong.append(f"{player} came to {value} after {known}")
        self.known[player] = max(known, value)


@pytest.fixture(scope="module")
def port(url: str) -> int:
    return urlsplit(url).port or 0


@pytest.fixture(scope="module")
async def variable(database) -> UUID:
    return await make_variable(database)


@pytest.fixture
async def realm(client, port, key, variable) -> Realm:
    realm = Realm(client, port, key, variable)
    await realm.register()
    return realm


async def put(client, player: UUID, variable: UUID, value: int) -> None:
    answer = await client.post(
        f"/api/v1/players/{player}/variables/{variable}", json={"value": value}
    )
    assert answer.status_code == 200, answer.text


async def told(client, realm: Realm, begin: int, last: int) -> list[tuple[str, int]]:
    """Who is said to have come to which value, once all up to `last` can be read."""
    asked = {"after": begin, "server": realm.lease["Id"]}
    async with asyncio.timeout(PATIENCE):
        while (page := (await client.get(PATH, params=asked)).json())["Next"] < last:
            await asyncio.sleep(0.05)
    return [(event["PlayerId"], event["After"]["value"]) for event in page["Values"]]


async def test_a_server_is_told_of_those_on_it(client, database, realm, variable):
    here, elsewhere = [await make_player(database) for _ in range(2)]
    await realm.call("join", here)
    begin = await latest(client, database)
    for value, player in enumerate([here, elsewhere, here], 1):
        await put(client, player, variable, value)

    assert await told(client, realm, begin, begin + 3) == [(str(here), 1), (str(here), 3)]


async def test_who_left_is_told_of_no_more_and_who_came_is(client, database, realm, variable):
    """At the moment when an event is first asked for by server; so each is looked at in turn."""
    leaving, coming = [await make_player(database) for _ in range(2)]
    await realm.call("join", leaving)
    begin = await latest(client, database)
    for value, player in enumerate([leaving, coming], 1):
        await put(client, player, variable, value)
    assert await told(client, realm, begin, begin + 2) == [(str(leaving), 1)]

    await realm.call("leave", leaving)
    await realm.call("join", coming)
    for value, player in enumerate([leaving, coming], 3):
        await put(client, player, variable, value)
    assert await told(client, realm, begin + 2, begin + 4) == [(str(coming), 4)]


async def test_only_a_server_that_there_is_has_events(client):
    unknown = uuid4()
    assert outcome(await client.get(PATH, params={"server": str(unknown)})) == refusal(
        404, "server_not_found", f"No server with id '{unknown}'."
    )
    malformed = await client.get(PATH, params={"server": "Realm"})
    assert (malformed.status_code, malformed.json()["Details"]) == (400, {"Field": "server"})


@pytest.mark.torture
async def test_what_a_server_reads_and_what_it_is_told_meet_without_a_gap(
    client, database, realm, variable
):
    """However often characters come and go and the stream breaks, while they are changed."""
    players = [await make_player(database) for _ in range(CHARACTERS)]
    for player in players:
        await put(client, player, variable, 0)
    until = time.monotonic() + SECONDS
    following = asyncio.create_task(realm.follow())
    values = await asyncio.gather(
        *(_change(client, player, variable, until) for player in players),
        *(_come_and_go(realm, player, until) for player in players),
    )
    expected = {str(player): value for player, value in zip(players, values, strict=False)}
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while realm.known != expected and not realm.wrong:
                await asyncio.sleep(0.05)
    following.cancel()
    assert realm.wrong == []
    assert realm.known == expected
    assert realm.heard > 0


async def _change(client, player: UUID, variable: UUID, until: float) -> int:
    value = 0
    while time.monotonic() < until:
        value += 1
        await put(client, player, variable, value)
        await asyncio.sleep(random.uniform(0, 0.02))
    return value


async def _come_and_go(realm: Realm, player: UUID, until: float) -> None:
    """Come, stay for a moment, go, and in the end be there."""
    while time.monotonic() < until:
        await realm.join(player)
        await asyncio.sleep(random.uniform(0.1, 0.6))
        await realm.leave(player)
        await asyncio.sleep(random.uniform(0, 0.3))
    await realm.join(player)
