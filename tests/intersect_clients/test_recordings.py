"""Programs that were written for the Intersect Engine accept what this service answers."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.intersect_clients import matrix
from tests.intersect_clients.matrix import Replayed
from tests.intersect_clients.recordings import ENDPOINTS, PROGRAMS
from tests.intersect_clients.stage import PreparedWorld, prepared, replayed

pytestmark = pytest.mark.torture


@pytest.fixture(scope="module")
async def stage(template: str) -> AsyncIterator[PreparedWorld]:
    async with prepared(template) as stage:
        yield stage


@pytest.fixture(scope="module")
def heard() -> dict[Path, Replayed]:
    """What was replayed so far: the page needs all of it."""
    return {}


@pytest.mark.parametrize("file", [*PROGRAMS, ENDPOINTS], ids=lambda file: file.stem)
async def test_every_call_is_right_unless_it_cannot_be(file, stage, heard, tmp_path):
    heard[file] = one = await replayed(stage, file, tmp_path)

    for version, outcomes in one.outcomes.items():
        assert outcomes, "a recording without calls shows nothing"
        wrong = [
            f"{version} {outcome.call.send} ({outcome.call.what}): {outcome.faults}"
            for outcome in outcomes
            if bool(outcome.faults) != bool(outcome.call.impossible)
        ]
        assert wrong == [], "\n".join(wrong)


async def test_the_pages_are_up_to_date(stage, heard, tmp_path):
    for file in (*PROGRAMS, ENDPOINTS):
        if file not in heard:
            heard[file] = await replayed(stage, file, tmp_path)
    pages = matrix.pages([heard[file] for file in PROGRAMS], heard[ENDPOINTS])

    written = {name: (matrix.DOCS / name).read_text("utf-8") for name in pages}
    assert written == pages, "`just compatibility` writes them"
