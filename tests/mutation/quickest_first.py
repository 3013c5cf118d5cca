"""
A plugin of pytest for runs that end with the first failure: the quickest tests run first.

It leaves out tests that do not fit into MUTATION_SECONDS, as measured in `tests/durations.tsv`,
and writes the first failure to the file MUTATION_FAILURE. It ends a test that hangs, and lets slow
ones pass: only wrong results count.
"""

import json
import os
from collections import Counter
from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import pytest

HANG_SECONDS = 40
"""A test without a lane takes five seconds at most, on two idle cores."""


def pytest_configure() -> None:
    # Not imported at the top: pytest warns of plugins that another one imported before.
    vars(import_module("tests.guards"))["LONGEST_SECONDS"] = float("inf")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    """The order is ours: other plugins have sorted and deselected before."""
    yield
    known = import_module("tests.durations").read()
    seconds = _estimates(known, [item.nodeid for item in items])
    items.sort(key=lambda item: seconds[item.nodeid])
    left = float(os.environ.get("MUTATION_SECONDS", "inf"))
    fitting = []
    for item in items:
        left -= seconds[item.nodeid]
        if left > 0:
            fitting.append(item)
            item.add_marker(pytest.mark.timeout(HANG_SECONDS), append=False)
    config.hook.pytest_deselected(items=items[len(fitting) :])
    items[:] = fitting


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def _note(report: pytest.CollectReport | pytest.TestReport) -> None:
    file = Path(os.environ["MUTATION_FAILURE"])
    if report.failed and not file.exists():
        file.write_text(json.dumps([report.nodeid, report.longreprtext]))


def _estimates(known: dict[str, dict[str, dict[str, float]]], nodes: list[str]) -> dict[str, float]:
    """Seconds of each test: its own line in the file, or its part of the line of all others."""
    places = {node: node.partition("::") for node in nodes}
    own = {
        node: sum(known[file][test].values())
        for node, (file, _, test) in places.items()
        if test in known.get(file, {})
    }
    others = Counter(places[node][0] for node in nodes if node not in own)
    shares = {
        file: sum(known.get(file, {}).get("*", {}).values()) / count
        for file, count in others.items()
    }
    return own | {node: shares[places[node][0]] for node in nodes if node not in own}
