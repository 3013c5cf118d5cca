"""`just failover`: the drill from a terminal."""

import asyncio
import os
import sys

from tests import processes
from tests.failover import disks, drill, nodes, options, report
from tests.failover.drill import Failover

PRIVATE = "DRILL_HAS_PRIVATE_MOUNTS"


def main() -> None:
    chosen, where_to = options.parse(sys.argv[1:])
    if missing := nodes.MISSING or ("disk" in chosen.kinds and disks.MISSING):
        sys.exit(f"Cannot run this drill: {missing}.")
    if "disk" in chosen.kinds and PRIVATE not in os.environ:
        # The mounts end with this process, however it ends.
        again = ["unshare", "--mount", sys.executable, "-m", "tests.failover", *sys.argv[1:]]
        os.execvpe(again[0], again, os.environ | {PRIVATE: "1"})
    processes.watch()
    machine = report.machine()
    finished = asyncio.run(drill.run(chosen, _say))
    described = report.described(finished, machine)
    print(report.section(described))
    if where_to.report:
        report.written(where_to.report, described)
    if where_to.docs:
        report.document(described)


def _say(failover: Failover) -> None:
    proof = failover.proof
    election = "no promotion" if failover.election is None else f"{failover.election:.1f} s"
    print(
        f"{failover.kind}: {election}, {failover.without_writes:.1f} s without writes; "
        f"{proof.acknowledged:,} acknowledged, {proof.lost} lost, {proof.doubled} doubled, "
        f"{proof.events:,} events, {proof.events_lost} gone; "
        f"{'proved' if proof.holds else proof.problems}",
        flush=True,
    )


if __name__ == "__main__":
    main()
