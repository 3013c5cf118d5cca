"""A website that signs in before every call leaves nothing that grows."""

import asyncio

import pytest

from gamekeeper.auth.tokens import MOST_FAMILIES
from gamekeeper.db import retention
from tests.server import serving
from tests.torture.sign_in_every_call import Load, measure_room, prepare

pytestmark = pytest.mark.torture

CLIENTS = 8
FEWEST = 3 * MOST_FAMILIES
"""So many sign-ins that a row for each could not be overlooked."""
OWN = MOST_FAMILIES + CLIENTS
"""An account has so many sign-ins of its own; those at the same moment do not see each other."""
LIVE = {
    # The others share one, or two if the time for which one is shared ends meanwhile.
    "token_families": OWN + 2,
    "access_tokens": OWN + 2,
    "refresh_tokens": OWN,
    "known_sources": 1,
    "user_addresses": 1,
    "guess_budgets": 2,
}


async def test_sign_ins_leave_no_more_than_is_live(settings, database, tmp_path):
    await prepare(database)
    with serving(settings, tmp_path / "log") as (url, _):
        before = await measure_room(database)
        load = Load()
        for _ in range(30):
            await load.send(CLIENTS, 2, url)
            if len(load.sign_in_seconds) >= FEWEST:
                break
        after = await measure_room(database)
        await retention.sweep(database, asyncio.Event())
        swept = await measure_room(database)

    assert len(load.sign_in_seconds) >= FEWEST
    # A sign-in may be the last thing before the end, but no token is refused.
    assert len(load.call_seconds) >= len(load.sign_in_seconds) - load.refused.total()
    assert not [refusal for refusal in load.refused if not refusal.startswith(("429", "503"))]
    for room in (after, swept):
        grown = room.grown(before)
        assert {table: rows for table, rows in grown.items() if rows > LIVE.get(table, 0)} == {}
