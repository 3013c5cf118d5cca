"""The drill at its smallest; `just failover` runs it at any size."""

import pytest

from tests.failover import drill, nodes
from tests.failover.options import Options

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(nodes.MISSING is not None, reason=nodes.MISSING or ""),
]


async def test_failovers_lose_and_double_nothing():
    kinds = ("switchover", "cut")
    finished = await drill.run(Options(failovers=2, clients=8, kinds=kinds), print)

    assert [failover.kind for failover in finished.failovers] == list(kinds)
    assert all(failover.proof.holds for failover in finished.failovers)
