"""
The fault matrix: each fault at each place, with its tests; `just faults` writes its page.

matrix.toml has the cells, docs/reliability-faults.md shows them.
"""

import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reliability-faults.md"
WIDTH = 105

PLACES = {
    "process": "A process of the API",
    "postgresql": "PostgreSQL",
    "replica": "A replica or standby",
    "redis": "Redis",
    "worker": "A worker",
    "mail": "The mail server",
    "webhook": "The target of a webhook",
    "disk": "A disk",
    "clock": "A clock",
    "network": "The network between",
}
ABOUT = """
What happens when a part of an installation fails, and the tests that show it. `just faults` writes
this page from `tests/faults/matrix.toml`; do not edit it by hand. CI runs these tests, except the
failovers (`just failover`) and the overload, which [the gate](reliability.md) runs.
"""


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fault at one place."""

    place: str
    fault: str
    expected: str = ""
    tests: tuple[str, ...] = ()
    """Paths or node ids."""
    impossible: str = ""
    """Why it cannot happen; then there are no tests."""


def _read() -> Iterator[Cell]:
    table: Mapping[str, list[dict[str, object]]] = tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text("utf-8")
    )
    for place, cells in table.items():
        for cell in cells:
            yield msgspec.convert({"place": place} | cell, Cell)


CELLS = tuple(_read())


def page() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from ("# Faults", "", textwrap.fill(ABOUT.strip(), WIDTH))
    for place, title in PLACES.items():
        yield from ("", f"## {title}", "", "| Fault | What happens | Tests |", "|---|---|---|")
        for cell in CELLS:
            if cell.place == place:
                yield f"| {cell.fault} | {cell.expected or cell.impossible} | {_tests(cell)} |"


def _tests(cell: Cell) -> str:
    return "<br>".join(f"`{test}`" for test in cell.tests) or "cannot happen"


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} is written: {len(CELLS)} faults.\n")
