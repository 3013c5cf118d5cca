"""
Commands to characters that move between game servers, while servers and the API are killed.

Each is carried out exactly once or honestly not done: none is lost, none is carried out twice,
and what was reported as never fetched was never carried out. `TORTURE_COMMANDS`,
`TORTURE_CHARACTERS`, `TORTURE_REALMS`, `TORTURE_REALM_KILLS`, `TORTURE_API_KILLS` and
`TORTURE_COMMAND_SECONDS` say how much; `just gate` raises them.
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from gamekeeper_client import AsyncGamekeeper, GamekeeperError, RetryPolicy
from gamekeeper_client.command_journal import INTERRUPTED

from gamekeeper.auth import keys
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.servers.commands import expiry
from tests import processes
from tests.deadlines import PATIENCE
from tests.make import BY, make_player, make_user
from tests.torture.service import Service

pytestmark = pytest.mark.torture

COMMANDS = int(os.environ.get("TORTURE_COMMANDS", "300"))
CHARACTERS = int(os.environ.get("TORTURE_CHARACTERS", "60"))
REALMS = int(os.environ.get("TORTURE_REALMS", "3"))
REALM_KILLS = int(os.environ.get("TORTURE_REALM_KILLS", "4"))
API_KILLS = int(os.environ.get("TORTURE_API_KILLS", "2"))
SENDERS = 16
ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/python/src"
SECONDS = int(os.environ.get("TORTURE_COMMAND_SECONDS", "10"))
"""For how long a command waits to be fetched."""
POINTS = ("after_commit", "before_commit", "after_first_byte")


class Arena:
    """The service, the game servers, and who kills them."""

    def __init__(self, settings: Settings, folder: Path, key: str, players: list[str]) -> None:
        self._folder, self._key = folder, key
        self._service = Service(settings, folder / "log")
        self._realms: list[subprocess.Popen[Any]] = []
        self.players = players
        self.died: Counter[str] = Counter()
        self.sent: dict[str, str] = {}
        """The command that each idempotency key was answered with."""
        (folder / "players").write_text("\n".join(players))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._service.port}"

    async def start(self) -> None:
        await self._service.start()
        self._realms = [self._realm(number) for number in range(REALMS)]

    def _realm(self, number: int) -> subprocess.Popen[Any]:
        arguments = [self.url, self._key, str(self._folder), f"realm-{number}", str(number)]
        with (self._folder / "realms.log").open("ab") as log:
            return processes.start(
                [sys.executable, "-m", "tests.torture.realm", *arguments, str(REALMS)],
                env=os.environ | {"PYTHONPATH": str(CLIENT)},
                cwd=ROOT,
                stderr=log,
            )

    def close(self) -> None:
        for realm in self._realms:
            processes.kill(realm)
        self._service.kill()

    async def send_all(self) -> None:
        todo = iter(range(COMMANDS))
        async with AsyncGamekeeper(self.url, self._key, retries=RetryPolicy(attempts=40)) as client:
            await asyncio.gather(*(self._send(client, todo) for _ in range(SENDERS)))

    async def _send(self, client: AsyncGamekeeper, todo: Any) -> None:
        for number in todo:
            key = f"command-{number}"
            while key not in self.sent:
                try:
                    sent = await client.commands.send(
                        self.players[number % len(self.players)],
                        "custom",
                        payload={"number": number},
                        when="next_join" if number % 5 == 0 else "now",
                        seconds=SECONDS,
                        idempotency_key=key,
                    )
                except GamekeeperError:
                    await asyncio.sleep(0.2)
                else:
                    self.sent[key] = sent.id

    async def kill_realms(self) -> None:
        """One after the other, evenly over the run; each is started again at once."""
        for number in range(REALM_KILLS):
            await self._until(number / (REALM_KILLS + 1))
            place = random.randrange(REALMS)
            processes.kill(self._realms[place])
            self._realms[place] = self._realm(place)
            self.died["game server"] += 1

    async def kill_api(self) -> None:
        """At points in the middle of a change, and in the middle of an answer."""
        for number in range(API_KILLS):
            await self._until((number + 0.5) / (API_KILLS + 1))
            self._service.kill()
            point = POINTS[number % len(POINTS)]
            await self._service.start(f"{point}:kill:{random.randint(5, 30)}")
            async with asyncio.timeout(PATIENCE):
                while not self._service.died:
                    await asyncio.sleep(0.02)
            self._service.kill()
            await self._service.start()
            self.died[point] += 1

    async def _until(self, share: float) -> None:
        while len(self.sent) < COMMANDS * share:
            await asyncio.sleep(0.02)

    def carried_out(self) -> Counter[str]:
        """How often each command was carried out, by the notes of the game servers."""
        files = self._folder.glob("*.effects")
        return Counter(line for file in files for line in file.read_text().split())


async def test_each_command_is_carried_out_once_or_honestly_not(
    settings: Settings, database: Database, tmp_path: Path
):
    key = await keys.create.one(database, keys.NewKey(by=BY, name="torture"))
    owner = await make_user(database)
    players = [str(await make_player(database, user=owner)) for _ in range(CHARACTERS)]
    arena = Arena(settings, tmp_path, str(key), players)
    begun = time.monotonic()
    try:
        await arena.start()
        await everybody_online(database)
        await asyncio.gather(arena.send_all(), arena.kill_realms(), arena.kill_api())
        await settled(database)
    finally:
        arena.close()
    rows = await database.reader.rows(STATES)
    states = {str(row["id"]): row for row in rows}
    effects = arena.carried_out()
    print(f"\n{COMMANDS:,} commands in {time.monotonic() - begun:.0f} s, killed {arena.died}")
    print("\n".join(f"{many:10,} {what}" for what, many in counted(rows).items()))

    assert len(arena.sent) == COMMANDS
    assert sorted(arena.sent.values()) == sorted(states), "each was stored once, none was lost"
    assert [one for one, many in effects.items() if many > 1] == [], "carried out twice"
    assert effects.keys() <= states.keys()
    assert [one for one, row in states.items() if dishonest(row, effects[one])] == []
    assert counted(rows)["done"] > COMMANDS / 2
    assert arena.died.total() == REALM_KILLS + API_KILLS


STATES = "SELECT id, state, answer, delivered_to FROM commands"


def dishonest(row: Any, carried_out: int) -> bool:
    """Whether what is said of a command is not what was done."""
    match row["state"]:
        case "done":
            return carried_out != 1
        case "failed":
            return row["answer"] != INTERRUPTED and carried_out != 0
        case "expired":
            return row["delivered_to"] is None and carried_out != 0
        case _:
            return True


def counted(rows: list[Any]) -> Counter[str]:
    return Counter(
        "expired, never answered"
        if row["state"] == "expired" and row["delivered_to"]
        else row["state"]
        for row in rows
    )


async def everybody_online(database: Database) -> None:
    async with asyncio.timeout(PATIENCE):
        while await database.reader.value("SELECT count(*) FROM presences") < CHARACTERS:
            await asyncio.sleep(0.1)


async def settled(database: Database) -> None:
    """Wait until nothing is open any more: answered, or its time is over."""
    async with asyncio.timeout(SECONDS + 30 + PATIENCE):
        while await database.reader.value(OPEN):
            await asyncio.sleep(0.5)
    await expiry.sweep(database)


OPEN = """
    SELECT count(*) FROM commands
     WHERE state IN ('waiting', 'delivered') AND expires_at > clock_timestamp()
"""
