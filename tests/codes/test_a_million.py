"""
A million codes: how long their download takes, and how much memory.

Takes minutes, so it is not part of CI: `just slow tests/codes/test_a_million.py`.
"""

import resource
import time

import pytest

from gamekeeper.auth.secrets import Vault
from gamekeeper.codes import batches, generation, lookup
from gamekeeper.codes.batches import BatchCommand, NewBatch
from gamekeeper.codes.records import MAX_CODES
from tests.make import BY

MAX_KILOBYTES = 32 * 1024
"""What the process may grow by: a million codes as text alone are 64 MiB."""
SLOWEST_PER_SECOND = 5_000

pytestmark = pytest.mark.slow


async def test_a_million_codes_are_made_in_bounded_memory(database):
    order = NewBatch(by=BY, campaign="spring", name="Spring", codes=MAX_CODES, subject="Hello")
    batch = await batches.create.one(database, order)
    command, vault = BatchCommand(by=BY, batch_id=batch.id), Vault(database.settings)
    lines, last, before, begun = 0, b"", _peak_kilobytes(), time.perf_counter()
    async for piece in generation.pieces(database, vault, command):
        lines += piece.count(b"\n")
        last = piece
    seconds, grown = time.perf_counter() - begun, _peak_kilobytes() - before
    size = await database.reader.value("SELECT pg_total_relation_size('codes')")
    print(f"{MAX_CODES:,} codes in {seconds:.1f} s: {MAX_CODES / seconds:,.0f} a second")
    print(f"{grown / 1024:.1f} MiB of memory, {size / 2**20:.0f} MiB of disk")
    assert lines == MAX_CODES + 1
    assert grown < MAX_KILOBYTES
    assert MAX_CODES / seconds > SLOWEST_PER_SECOND
    assert (await batches.activate.one(database, command)).state == "active"
    found = await lookup.look_up(database.reader, vault, last.decode().splitlines()[-1])
    assert (found.used, found.batch.id) == (0, batch.id)


def _peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
