"""Callers with limits get no codes: a redemption counts against no limit."""

from gamekeeper.auth import keys
from gamekeeper.auth.keys import NewKey
from gamekeeper.auth.limits import Limits
from tests.codes.mint import BATCHES, Mint, good, refused
from tests.make import BY

NEED_NO_LIMITS = (403, "codes_need_no_limits")


async def test_a_caller_with_limits_makes_and_activates_no_codes(client, database):
    """Neither of a batch of its own, nor of one that a colleague without limits created."""
    mint = await Mint.make(client, database)
    new = NewKey(by=BY, name="limited", limits=Limits(pieces_per_day=5))
    limited = {"Authorization": f"Bearer {await keys.create.one(database, new)}"}
    batch = await mint.create()
    kept = await mint.download(batch)

    for path in (BATCHES, f"{BATCHES}/{batch}/download", f"{BATCHES}/{batch}/activate"):
        answer = await client.post(path, json=mint.wanted(), headers=limited)
        assert refused(answer) == NEED_NO_LIMITS, path

    # The codes of the colleague are still those that count.
    await mint.activate(batch)
    good(await mint.redeem(kept[0]))
    # Taking codes away is possible for all.
    assert (await client.post(f"{BATCHES}/{batch}/revoke", headers=limited)).status_code == 200
