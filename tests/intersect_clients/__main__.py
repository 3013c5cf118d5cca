"""
Replay all recordings and write the pages on compatibility: `just compatibility`.

With words, only the recordings whose files contain one of them are replayed, and wrong calls are
printed instead.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from gamekeeper.db.migrate import migrate
from tests.databases import cloned, name_of
from tests.intersect_clients import matrix, recordings
from tests.intersect_clients.stage import prepared, replayed


async def main(words: list[str]) -> None:
    files = [*recordings.PROGRAMS, recordings.ENDPOINTS]
    chosen = [file for file in files if not words or any(word in file.stem for word in words)]
    found = []
    with tempfile.TemporaryDirectory(prefix="gamekeeper-recordings-") as folder:
        async with cloned("template1") as settings:
            await migrate(settings)
            async with prepared(name_of(settings)) as stage:
                for file in chosen:
                    found.append(await replayed(stage, file, Path(folder)))
                    _show(found[-1])
    if not words:
        for name, text in matrix.pages(found[:-1], found[-1]).items():
            (matrix.DOCS / name).write_text(text, "utf-8")


def _show(one: matrix.Replayed) -> None:
    for version, outcomes in one.outcomes.items():
        right = sum(matrix.is_right(outcome) for outcome in outcomes)
        print(f"{one.recording.name}, {version}: {right} of {len(outcomes)}", flush=True)
        for outcome in outcomes:
            if bool(outcome.faults) != bool(outcome.call.impossible):
                wrong = "; ".join(outcome.faults) or "possible after all"
                print(f"  {outcome.call.send}: {wrong}\n    {outcome.answer[:200]}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
