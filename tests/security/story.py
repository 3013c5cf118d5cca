"""What callers do in a day, in an order that does not change, and what they are answered."""

import re
from typing import Any
from uuid import UUID

import httpx2

from tests.make import sha

Heard = list[tuple[str, int, Any]]

GUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)")
SECRET = re.compile(r"gk[a-z]*_\w+|whsec_\S+")
NEVER_THE_SAME = {".issued", ".expires", "PlayTimeSeconds", "RequestId", "Seq", "Next"}


class Caller:
    """Calls one server and notes what it hears, without what differs from run to run."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client
        self.heard: Heard = []
        self._guids: dict[str, str] = {}

    async def ask(self, method: str, path: str, **body: object) -> Any:
        answer = await self.client.request(method, path, json=body if method == "POST" else None)
        said = answer.json()
        self.heard.append((f"{method} {self._plain(path)}", answer.status_code, self._plain(said)))
        return said

    def _plain(self, said: Any) -> Any:
        if isinstance(said, dict):
            return {k: self._plain(v) for k, v in said.items() if k not in NEVER_THE_SAME}
        if isinstance(said, list):
            return [self._plain(one) for one in said]
        if not isinstance(said, str):
            return said
        said = GUID.sub(lambda found: self._named(found[0]), said)
        return SECRET.sub("a secret", INSTANT.sub("an instant", said))

    def _named(self, guid: str) -> str:
        return self._guids.setdefault(guid, f"guid {len(self._guids)}")


class World:
    """The names of what the demo has made: of the same seed they are the same everywhere."""

    def __init__(self, players: list[str], item: UUID, spell: UUID, variable: UUID) -> None:
        self.players = players
        self.item, self.spell, self.variable = str(item), str(spell), str(variable)


async def read(caller: Caller, world: World) -> None:
    """Everything that is only looked at."""
    for path in ("players", "players/rank", "players/online", "players/online/count", "users"):
        await caller.ask("GET", f"/api/v1/{path}")
    await caller.ask("GET", "/api/v1/players?page=3&pageSize=7")
    await caller.ask("GET", f"/api/v1/players?search={world.players[0][:3]}")
    for path in ("players/online", "players", "users"):
        await caller.ask("POST", f"/api/v1/{path}", page=1, count=3)
    for path in ("", "/variables", "/items", "/items/bank", "/spells", "/history", "/sessions"):
        await caller.ask("GET", f"/api/v1/players/{world.players[0]}{path}")
    for path in ("servers", "economy/items?pageSize=3", f"economy/items/{world.item}", "webhooks"):
        await caller.ask("GET", f"/api/v1/{path}")


async def write(caller: Caller, world: World) -> None:
    """Everything that is changed."""
    await _players(caller, world)
    await _users(caller)
    await _servers(caller, world)
    await _history(caller, world)


async def _players(caller: Caller, world: World) -> None:
    ana = f"/api/v1/players/{world.players[0]}"
    give = {"itemid": world.item, "quantity": 5, "bankoverflow": True}
    await caller.ask("POST", f"{ana}/items/give", **give)
    await caller.ask("POST", f"{ana}/items/take", itemid=world.item, quantity=2)
    await caller.ask("POST", f"{ana}/items/take", itemid=world.item, quantity=2_000_000)
    await caller.ask("POST", f"{ana}/variables/{world.variable}", value=7)
    await caller.ask("POST", f"{ana}/spells/teach", spellid=world.spell)
    await caller.ask("POST", f"{ana}/spells/forget", spellid=world.spell)


async def _users(caller: Caller) -> None:
    mira, users = {"username": "Mira", "password": sha("right")}, "/api/v1/users"
    await caller.ask("POST", f"{users}/register", **mira, email="mira@example.org")
    await caller.ask("POST", f"{users}/register", **mira, email="other@example.org")
    await caller.ask("POST", f"{users}/mira/password/validate", password=sha("right"))
    await caller.ask("POST", f"{users}/mira/password/validate", password=sha("wrong"))
    change = {"new": "new@example.org", "authorization": sha("right")}
    await caller.ask("POST", f"{users}/mira/email/change", **change)
    change = {"new": sha("next"), "authorization": sha("right")}
    await caller.ask("POST", f"{users}/mira/password/change", **change)
    await caller.ask("POST", f"{users}/mira/manage/email/change", new="third@example.org")
    await caller.ask("POST", f"{users}/mira/manage/password/change", new=sha("last"))
    await caller.ask("GET", f"{users}/mira/password/reset")
    await caller.ask("GET", f"{users}/mira")
    await caller.ask("GET", f"{users}/mira/players")


async def _servers(caller: Caller, world: World) -> None:
    """Joining and leaving, the list of who is online meanwhile, and trades on the server."""
    lease = await caller.ask("POST", "/api/v1/servers", name="Realm")
    server, fence = f"/api/v1/servers/{lease['Id']}", lease["Fence"]
    few = world.players[:4]
    await caller.ask("POST", f"{server}/join", fence=fence, players=few)
    await caller.ask("POST", f"{server}/bank", fence=fence, opened=few[:1])
    await caller.ask("POST", f"{server}/heartbeat", fence=fence)
    for path in ("players/online?pageSize=100", "players/online/count"):
        await caller.ask("GET", f"/api/v1/{path}")
    await caller.ask("POST", "/api/v1/players/online", page=0, count=100)
    move = {"do": "items", "itemid": world.item, "quantity": 1, "from": few[0], "to": few[1]}
    progress = {"do": "progress", "player": few[1], "gain": 5}
    trades = [{"key": "trade-1", "moves": [move, progress]}, {"key": "trade-2", "moves": [move]}]
    for _ in range(2):
        about = {"server": lease["Id"], "fence": fence, "transactions": trades}
        await caller.ask("POST", "/api/v1/transactions", **about)
    await caller.ask("POST", f"{server}/leave", fence=fence, players=few[2:])
    for path in ("players/online?pageSize=100", "players/online/count", "players/rank"):
        await caller.ask("GET", f"/api/v1/{path}")
    await caller.ask("POST", f"{server}/stop", fence=fence)


async def _history(caller: Caller, world: World) -> None:
    ana = f"/api/v1/players/{world.players[0]}"
    log = await caller.ask("GET", "/api/v1/actions?kind=items.take&limit=1")
    await caller.ask("POST", f"/api/v1/actions/{log['Values'][0]['Id']}/undo")
    since = "at=2026-01-01T00:00:00Z"
    await caller.ask("GET", f"{ana}/items/inventory?{since}")
    await caller.ask("POST", f"{ana}/items/restore", at="2099-01-01T00:00:00Z", dryrun=True)
    hook = {"url": "https://8.8.8.8/hook", "kinds": "items.give"}
    webhook = await caller.ask("POST", "/api/v1/webhooks", **hook)
    await caller.ask("DELETE", f"/api/v1/webhooks/{webhook['Id']}")
