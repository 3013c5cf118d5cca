"""A search over realms has what each of them has, and says which did not answer."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from gamekeeper.app import App
from gamekeeper.auth import keys
from gamekeeper.db.database import Database
from tests.databases import cloned
from tests.make import BY, make_player
from tests.realms.searches import search

pytestmark = pytest.mark.deploy


@asynccontextmanager
async def realm(template: str, *names: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            key = await keys.create.one(database, keys.NewKey(by=BY, name="search"))
            for name in names:
                await make_player(database, name)
        app = App(settings)
        await app.start()
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app),
            base_url="http://gamekeeper",
            headers={"Authorization": f"Bearer {key}"},
        ) as client:
            yield client
        await app.stop()


def refuse(_: httpx2.Request) -> httpx2.Response:
    raise httpx2.ConnectError("down")


async def test_all_realms_are_searched_and_one_that_is_down_is_named(template):
    async with (
        realm(template, "Anabel", "Ben") as first,
        realm(template, "Anatol") as second,
        httpx2.AsyncClient(
            transport=httpx2.MockTransport(refuse), base_url="http://gamekeeper"
        ) as down,
    ):
        found = await search({"Dawn": first, "Dusk": second, "Night": down}, "ana")

    assert [(value["Realm"], value["Name"]) for value in found.values] == [
        ("Dawn", "Anabel"),
        ("Dusk", "Anatol"),
    ]
    assert found.missing == ["Night"]
