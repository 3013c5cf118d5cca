"""
Five times what the service can do, for two minutes, from callers who heed no Retry-After.

Takes minutes, so it is not part of CI: `just slow tests/http/test_overload.py`.
"""

import os
import random
import subprocess
from pathlib import Path

import httpx2
import pytest

from gamekeeper.auth import keys
from gamekeeper.demo import loader
from tests.crowd import Crowd, Outcome, crowd, quantile, request
from tests.make import BY
from tests.server import serving

SECONDS = float(os.environ.get("OVERLOAD_SECONDS", "120"))
TIMES = float(os.environ.get("OVERLOAD_TIMES", "5"))
CLIENTS = int(os.environ.get("OVERLOAD_CLIENTS", "1500"))
KINDS = os.environ.get("OVERLOAD_KINDS", "gift record page").split()
PLAYERS = 20_000
EACH = 300

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("schema_changes")]


async def test_too_much_load_takes_nothing_from_those_who_are_served(settings, database, tmp_path):
    await loader.fill(settings, players=PLAYERS, items=0, seed=1, on_progress=lambda *_: None)
    asked = await wanted(database)
    with serving(settings, tmp_path / "log", GAMEKEEPER_LOG_LEVEL="warning") as (url, process):
        port = httpx2.URL(url).port
        usual = Crowd(port=port, requests=asked, clients=64, seconds=5)
        await crowd(usual)
        peak = all_of(await crowd(usual))
        rate = peak.good / usual.seconds
        many = Crowd(port=port, requests=asked, clients=CLIENTS, seconds=SECONDS, rate=TIMES * rate)
        before = memory(process.pid)
        each = await crowd(many)
        after = memory(process.pid)
    over = all_of(each)
    goodput = over.good / SECONDS / rate
    print(
        f"\npeak {rate:,.0f}/s, p99 {peak.p99 * 1000:.0f} ms; at {TIMES:g} times as many for "
        f"{SECONDS:g} s {goodput:.0%} of it, p50 {over.median * 1000:.0f} p99 "
        f"{over.p99 * 1000:.0f} ms; {over.busy / SECONDS:,.0f}/s turned away, p50 "
        f"{quantile(over.busy_took, 0.5) * 1000:.0f} ms, {over.late / SECONDS:,.0f}/s not even "
        f"sent; memory {before} → {after} MB"
    )
    for kind, outcome in each.items():
        print(
            f"  {kind}: {outcome.good / SECONDS:,.0f}/s served, p50 {outcome.median * 1000:.0f} "
            f"p99 {outcome.p99 * 1000:.0f} ms; {outcome.busy / SECONDS:,.0f}/s not"
        )
    assert over.other == 0
    assert goodput >= 0.9
    assert over.p99 <= 3 * peak.p99
    assert after < 1.2 * before + 50


async def wanted(database) -> dict[str, list[str]]:
    key = str(await keys.create.one(database, keys.NewKey(by=BY, name="crowd")))
    rows = await database.reader.rows("SELECT id FROM players ORDER BY id LIMIT 2000")
    players = [str(row["id"]) for row in rows]
    item = await database.reader.value("SELECT id FROM items WHERE name = 'Gold Coin'")
    gift = f'{{"itemid": "{item}", "quantity": 1, "bankoverflow": true}}'
    chosen = random.Random(1).choices(players, k=EACH)
    texts = {
        "gift": [request("POST", f"/api/v1/players/{one}/items/give", key, gift) for one in chosen],
        "record": [request("GET", f"/api/v1/players/{one}", key) for one in chosen],
        "page": [
            request("GET", f"/api/v1/players?page={number}&pageSize=10", key)
            for number in range(EACH)
        ],
    }
    return {kind: texts[kind] for kind in KINDS}


def all_of(outcomes: dict[str, Outcome]) -> Outcome:
    total = Outcome()
    for outcome in outcomes.values():
        total.good += outcome.good
        total.busy += outcome.busy
        total.other += outcome.other
        total.late += outcome.late
        total.took += outcome.took
        total.busy_took += outcome.busy_took
    return total


def memory(pid: int) -> int:
    """Megabytes held by the processes of a server."""
    children = subprocess.run(
        ["pgrep", "--parent", str(pid)], capture_output=True, text=True, check=True
    )
    return sum(
        int(line.split()[1]) // 1024
        for child in children.stdout.split()
        for line in Path(f"/proc/{child}/status").read_text().splitlines()
        if line.startswith("VmRSS")
    )
