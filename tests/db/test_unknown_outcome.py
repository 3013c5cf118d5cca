"""A COMMIT without an answer: the caller is told, and a retry with the key changes nothing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.core.errors import OutcomeUnknown
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database, Writer
from tests.db.proxy import Proxy, database_proxy
from tests.make import BY, make_item, make_player


@pytest.fixture
async def way(settings: Settings) -> AsyncIterator[tuple[Proxy, Settings]]:
    async with database_proxy(settings) as made:
        yield made


@pytest.fixture
def network(way: tuple[Proxy, Settings]) -> Proxy:
    return way[0]


@pytest.fixture
def through(way: tuple[Proxy, Settings]) -> Settings:
    return way[1]


@asynccontextmanager
async def serving(settings: Settings, key: object) -> AsyncIterator[httpx2.AsyncClient]:
    app = App(settings)
    await app.start()
    try:
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app),
            base_url="http://gamekeeper",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            yield client
    finally:
        await app.stop()


async def test_who_gave_no_key_is_told_and_who_did_gets_the_reply(database, through, network):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="unknown"))
    ana = await make_player(database, "ana")
    body = {"itemid": str(await make_item(database, inventory_stack=1000)), "quantity": 1}
    path = f"/api/v1/players/{ana}/items/give"
    async with serving(through, key) as client:
        network.lose_answer_to = b"COMMIT"
        lost = await client.post(path, json=body)
        once = {"Idempotency-Key": uuid4().hex}
        network.lose_answer_to = b"COMMIT"
        kept = await client.post(path, json=body, headers=once)
        replies = [await client.post(path, json=body, headers=once) for _ in range(2)]

    for answer in (lost, kept):
        assert (answer.status_code, answer.json()["Code"]) == (503, "outcome_unknown")
        assert "retry-after" not in answer.headers
    assert [reply.status_code for reply in replies] == [200, 200]
    # One of the lost request and one with the key, although that was sent three times.
    assert replies[0].json()["quantity"]["total"] == 2
    assert replies[0].content == replies[1].content
    assert await database.reader.value("SELECT sum(quantity) FROM slots") == 2


async def test_before_the_commit_nothing_is_unknown(database, through, network):
    """The transaction cannot have been committed, so the caller may simply try again."""

    async def work(writer: Writer) -> None:
        network.lose_answer_to = b"SELECT 7"
        await writer.value("SELECT 7")

    async with Database.open(through) as ours:
        with pytest.raises(Exception) as raised:
            await ours.write(work)
    assert raised.value.code == "unavailable"
    assert raised.value.headers == [("Retry-After", "1")]


async def test_a_commit_that_fails_has_a_known_outcome(database):
    """A deferred constraint is checked by the COMMIT, which PostgreSQL answers with an error."""

    async def work(writer: Writer) -> None:
        await writer.run("CREATE TEMPORARY TABLE pair (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        await writer.run("INSERT INTO pair VALUES (1), (1)")

    with pytest.raises(Exception) as raised:
        await database.write(work)
    assert not isinstance(raised.value, OutcomeUnknown)
    assert "pair_n_key" in str(raised.value)
