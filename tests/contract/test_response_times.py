"""The time of an answer tells nobody which accounts there are, nor which password is right."""

from pathlib import Path
from statistics import median
from time import perf_counter
from uuid import uuid4

import httpx2
import pytest

from gamekeeper.db.database import Database
from tests.contract.sign_in import TOKEN, from_anywhere, make_signer
from tests.make import sha

pytestmark = pytest.mark.torture

ROUNDS = 40
"""Samples of each kind, taken in turns, so that a busy machine is as unfair to each of them."""
LOWEST, HIGHEST = 0.8, 1.25
"""
How far two medians may be apart.

A path without its hash takes a tenth of the time of one that has it, and one
with two takes twice as long; both are far outside, and a busy machine is not.
"""


@pytest.fixture(scope="module")
def url(server_behind_a_proxy: tuple[str, Path]) -> str:
    return server_behind_a_proxy[0]


async def seconds(client: httpx2.AsyncClient, name: str, password: str, status: int) -> float:
    """How long the token endpoint takes to refuse, which it must do with this status."""
    fields = {"grant_type": "password", "username": name, "password": sha(password)}
    headers = from_anywhere()
    begun = perf_counter()
    answer = await client.post(TOKEN, json=fields, headers=headers)
    taken = perf_counter() - begun
    assert answer.status_code == status, answer.text
    return taken


async def forgive_all_but(database: Database, name: str) -> None:
    await database.write(
        lambda writer: writer.run(
            "DELETE FROM guess_budgets WHERE subject <> $1", f"account:{name}"
        )
    )


async def block(database: Database, name: str) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO guess_budgets (subject, failures, streak, blocked_until)
            VALUES ($1, 9, 9, now() + interval '1 hour')
            """,
            f"account:{name}",
        )
    )


async def test_wrong_unknown_and_throttled_take_the_same_time(client, database):
    known, blocked = await make_signer(database), await make_signer(database)
    await block(database, blocked)
    taken: dict[str, list[float]] = {"wrong": [], "unknown": [], "throttled": []}
    for number in range(ROUNDS + 3):
        await forgive_all_but(database, blocked)
        samples = {
            "wrong": await seconds(client, known, "no", 400),
            "unknown": await seconds(client, f"nobody-{uuid4().hex[:8]}", "no", 400),
            "throttled": await seconds(client, blocked, "secret", 429),
        }
        # The first ones open connections and make what later ones find ready.
        if number >= 3:
            for kind, sample in samples.items():
                taken[kind].append(sample)

    medians = {kind: median(samples) for kind, samples in taken.items()}
    shown = ", ".join(f"{kind} {1000 * middle:.1f} ms" for kind, middle in medians.items())
    print(f"\nmedians of {ROUNDS}: {shown}")
    for kind in ("unknown", "throttled"):
        assert LOWEST <= medians[kind] / medians["wrong"] <= HIGHEST, shown
