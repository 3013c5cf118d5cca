"""A real server over sockets, and sight of its database, for tests that are no coroutines."""

import asyncio
import http.client
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import asyncpg
import msgspec

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.deadlines import PATIENCE
from tests.make import BY, make_item, make_player, make_spell, make_user, make_variable
from tests.server import serving
from tests.torture import books
from tests.torture.world import BANK, INVENTORY, SPELLS, Catalog, Reply, Thing, Wish

SMALL = {
    "GAMEKEEPER_INVENTORY_SLOTS": str(INVENTORY),
    "GAMEKEEPER_BANK_SLOTS": str(BANK),
    "GAMEKEEPER_SPELL_SLOTS": str(SPELLS),
    "GAMEKEEPER_LOG_LEVEL": "error",
}
"""Everything is soon full."""
IDLE = 5.0
"""The server hangs up on who says nothing for 15 s; a line that rested this long dials anew."""


class Arena:
    """A server, a catalog, two lines to call it on, and a look at the database."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._loop = asyncio.new_event_loop()
        self._connection: Any = self._wait(asyncpg.connect(str(settings.database_url)))
        self._open = Database.open(settings)
        self._database: Database = self._wait(self._open.__aenter__())
        self._key, self._owner, self.catalog = self._wait(self._make())
        address = urlsplit(url)
        self.lines = [Line(address.hostname or "", address.port or 0, self._key) for _ in range(2)]

    def close(self) -> None:
        for line in self.lines:
            line.close()
        self._wait(self._open.__aexit__(None, None, None))
        self._wait(self._connection.close())
        self._loop.close()

    def _wait(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    async def _make(self) -> tuple[str, UUID, Catalog]:
        key = await keys.create.one(self._database, keys.NewKey(by=BY, name="torture"))
        return str(key), await make_user(self._database), await _catalog(self._database)

    def new_player(self) -> tuple[str, UUID]:
        """A character with nothing; its name is nobody else's."""
        name = f"p{uuid4().hex[:12]}"
        return name, self._wait(make_player(self._database, name, user=self._owner))

    def breaches(self, players: list[UUID]) -> list[str]:
        return self._wait(books.breaches(self._connection, players))

    def rows(self, sql: str, *args: object) -> list[Any]:
        return self._wait(self._connection.fetch(sql, *args))


class Line:
    """One connection to the server; a wish can be sent without waiting for its answer."""

    def __init__(self, host: str, port: int, key: str) -> None:
        self._http = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._used = time.monotonic()

    def close(self) -> None:
        self._http.close()

    def send(self, wish: Wish) -> None:
        headers = self._headers | {"X-Request-Id": wish.id}
        if wish.key is not None:
            headers["Idempotency-Key"] = wish.key
        self._ask("POST", wish.path, msgspec.json.encode(wish.body), headers)

    def heard(self) -> Reply:
        answer = self._http.getresponse()
        replayed = answer.headers.get("Idempotency-Replayed") == "true"
        return Reply(answer.status, msgspec.json.decode(answer.read()), replayed)

    def ask(self, wish: Wish) -> Reply:
        self.send(wish)
        return self.heard()

    def look(self, path: str) -> Any:
        self._ask("GET", path, None, self._headers)
        answer = self._http.getresponse()
        assert answer.status == 200, answer.status
        return msgspec.json.decode(answer.read())

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
        if time.monotonic() - self._used > IDLE:
            self._http.close()
        self._http.request(method, path, body, headers)
        self._used = time.monotonic()


@contextmanager
def arena(settings: Settings, log: Path) -> Iterator[Arena]:
    with serving(settings, log, **SMALL) as (url, _):
        made = Arena(url, settings)
        try:
            yield made
        finally:
            made.close()


async def _catalog(database: Database) -> Catalog:
    """A potion that piles up, a sword that does not, a relic no bank takes, and a bag."""
    potion = await make_item(database, inventory_stack=5, bank_stack=7)
    sword = await make_item(database, "Sword", type="equipment")
    relic = await make_item(database, "Relic", inventory_stack=3, bankable=False)
    bag = await make_item(database, "Satchel", type="bag", bag_slots=2)
    things = [
        Thing(id=str(potion), carried=5, banked=7),
        Thing(id=str(sword)),
        Thing(id=str(relic), carried=3, bankable=False),
        Thing(id=str(bag), bag=True),
    ]
    spells = {str(await make_spell(database, f"Spell {n}", bound=n == 0)): n == 0 for n in range(5)}
    kinds = ("integer", "boolean", "string")
    return Catalog(
        things={thing.id: thing for thing in things},
        spells=spells,
        variables={str(await make_variable(database, kind, kind)): kind for kind in kinds},
    )
