"""
Requests that are nearly right, by the thousand: no fault of ours, no hang, no leak.

`FUZZ_SEED` chooses others, `FUZZ_REQUESTS` how many; `just slow tests/security` sends a million.
"""

import asyncio
import os
import re
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from gamekeeper.auth import keys, tokens
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.deadlines import PATIENCE
from tests.ledger.chains import link
from tests.make import BY, make_user, proved, sha
from tests.security.fuzzer import ZERO_ID, Call, Fuzzer, World
from tests.security.raw_connections import Answer, Lane
from tests.security.versions import THIS
from tests.server import serving

pytestmark = [pytest.mark.torture, pytest.mark.usefixtures("schema_changes")]

SEED = int(os.environ.get("FUZZ_SEED", "20261115"))
REQUESTS = int(os.environ.get("FUZZ_REQUESTS", "20000"))
LANES = 12
GROWTH_MB = 60
"""
Between a quarter of the way and the end: caches are full by then. Libraries of passkeys, jobs and
texts are imported when the first request needs them, which may be later: up to 20 MB.
"""
GUID = re.compile(rb'"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"')
READY = b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


class Run:
    """So many requests at one server, and what was wrong with the answers."""

    def __init__(self, port: int, process: int, fuzzer: Fuzzer, world: World) -> None:
        self._port, self._process = port, process
        self._fuzzer, self._world = fuzzer, world
        self._left = 0
        self.statuses: Counter[int] = Counter()
        self.wrong: list[str] = []

    async def send(self, count: int) -> int:
        """Send them; the memory of the server afterwards, in MB."""
        self._left = count
        await asyncio.gather(*(self._drive(Lane(self._port)) for _ in range(LANES)))
        return _memory(self._process)

    async def _drive(self, lane: Lane) -> None:
        while self._left > 0:
            self._left -= 1
            call = self._fuzzer.call()
            try:
                async with asyncio.timeout(PATIENCE):
                    answer = await lane.ask(call.raw, has_body=call.method != "HEAD")
            except TimeoutError:
                self.wrong.append(f"no answer after {PATIENCE:g} s: {call}")
                return
            self._look_at(call, answer)
        await lane.close()

    def _look_at(self, call: Call, answer: Answer | None) -> None:
        self.statuses[answer.status if answer else 0] += 1
        if answer is None:
            return
        self._world.seen.extend(guid.decode() for guid in GUID.findall(answer.body)[:3])
        if answer.status == 500:
            self.wrong.append(f"500: {call}")
        elif answer.status >= 400 and answer.body and not _is_refusal(answer.body):
            self.wrong.append(f"{answer.status} of another shape: {call}: {answer.body[:200]!r}")


def _is_refusal(body: bytes) -> bool:
    try:
        said = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return False
    return {"Message", "Code", "RequestId"} <= said.keys() or "error" in said


def _memory(server: int) -> int:
    """Megabytes of the processes that serve."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    sizes = [Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in children]
    return sum(map(int, sizes)) * os.sysconf("SC_PAGE_SIZE") // 2**20


async def world_of(database: Database) -> World:
    """The demo's characters and things, and the credentials of all kinds of callers."""

    async def ids(sql: str) -> list[str]:
        return [str(row[0]) for row in await database.reader.rows(sql)]

    everything = await keys.create.one(database, keys.NewKey(by=BY, name="everything"))
    single = [
        await keys.create.one(database, keys.NewKey(by=BY, name=scope, scopes=(scope,)))
        for scope in SCOPES
    ]
    user = await make_user(database, "signer", password="right", api=True, user_query=True)
    issued = await tokens.issue.one(database, await proved(database, user))
    players = await ids("SELECT id FROM players ORDER BY id LIMIT 8")
    items = await ids("SELECT id FROM items ORDER BY id LIMIT 12")
    bags = await ids("SELECT bag_id FROM bag_owners ORDER BY bag_id LIMIT 8")
    users = [*await ids("SELECT name FROM users ORDER BY id LIMIT 6"), "signer"]
    hashes = [sha("right"), sha("demo"), sha("wrong")]
    return World(
        names=await ids("SELECT name FROM players ORDER BY id LIMIT 8"),
        passwords=hashes,
        credentials=[*[str(everything)] * 150, *map(str, [*single, issued.access, issued.refresh])],
        by_field={
            "key": [*players, *users, "k1", "k2", "k3"],
            **dict.fromkeys(("player", "players", "from", "to", "opened", "closed"), players),
            **dict.fromkeys(("itemid", "item", "item_id"), items),
            **dict.fromkeys(("frombag", "tobag", "bag_id"), bags or [ZERO_ID]),
            **dict.fromkeys(("spellid",), await ids("SELECT id FROM spells LIMIT 8")),
            **dict.fromkeys(
                ("variableid", "variable_id"), await ids("SELECT id FROM variables LIMIT 8")
            ),
            **dict.fromkeys(("username", "actor", "user"), users),
            **dict.fromkeys(("password", "authorization"), hashes),
            "grant_type": ["password", "refresh_token"],
            "email": ["a@example.org", "b@example.org", "ü@example.org"],
            "url": ["https://8.8.8.8/hook", "https://127.0.0.1/", "http://8.8.8.8/"],
            "kinds": ["items.give", "items.give,items.take", "*"],
            "after": ["latest", "0", "1", "99999999999"],
        },
    )


def secrets(settings: Settings, world: World) -> list[bytes]:
    long = [*world.credentials, *world.passwords]
    return [one.encode() for one in {*long, str(settings.database_url)}]


async def run(settings: Settings, database: Database, folder: Path, count: int) -> None:
    world, log = await world_of(database), folder / "log"
    print(f"\nFUZZ_SEED={SEED}", flush=True)
    with serving(settings, log) as (url, process):
        port = int(url.rpartition(":")[2])
        sent, begun = Run(port, process.pid, Fuzzer(SEED, world), world), time.monotonic()
        early = await sent.send(count // 4)
        late = await sent.send(count - count // 4)
        seconds = time.monotonic() - begun
        answer = await Lane(port).ask(READY)
    print(f"{count:,} in {seconds:.0f} s, {early} MB then {late} MB: {dict(sent.statuses)}")
    assert sent.wrong == [], f"with FUZZ_SEED={SEED}"
    assert answer is not None
    assert answer.status == 200
    assert late < early + GROWTH_MB
    written = log.read_bytes()
    assert b"Traceback" not in written
    assert not [secret for secret in secrets(settings, world) if secret in written]
    assert sent.statuses[200] > count / 10, "most of it was refused at the door"
    await link(database)
    THIS.verify(settings)


@pytest.mark.parametrize("count", [REQUESTS, pytest.param(1_000_000, marks=pytest.mark.slow)])
async def test_nothing_that_is_sent_is_a_fault_of_ours(settings, database, tmp_path, count):
    THIS.run(settings, "demo", "--players", "200")
    await run(settings, database, tmp_path, count)
