"""
How long tests take, and in which order they run because of it.

`tests/durations.tsv` has the seconds of set-up, call and teardown, measured on two idle cores:
a line for each test that takes a tenth of a second or more, and one with `*` for the others of
its file. `pytest --record-durations` writes the lines of the files that it ran anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("durations.tsv")
PHASES = ("setup", "call", "teardown")
OTHERS = "*"
SHOWN_SECONDS = 0.1
NEW_SECONDS = 1.0
"""What a file without a line is taken for."""

Seconds = dict[str, float]
"""The seconds of each phase."""
Durations = dict[str, dict[str, Seconds]]
"""By file, then by test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-durations", action="store_true", help=f"Write the durations to {FILE.name}."
    )


def pytest_configure(config: pytest.Config) -> None:
    # With xdist the reports of all processes arrive in the one that started them.
    if config.getoption("--record-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    The files that take longest first, so that no process ends alone.

    Needs `--no-loadscope-reorder`, or xdist puts files with few tests last.
    """
    seconds = {file: _total(tests.values()) for file, tests in read().items()}
    files = {item.path: item.nodeid.partition("::")[0] for item in items}
    items.sort(key=lambda item: (-seconds.get(files[item.path], NEW_SECONDS), files[item.path]))


class Recorder:
    def __init__(self) -> None:
        self._found: Durations = defaultdict(lambda: defaultdict(dict))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file, _, test = report.nodeid.partition("::")
        self._found[file][test][report.when] = report.duration

    def pytest_sessionfinish(self) -> None:
        """Files that did not run keep their lines; those that are gone lose them."""
        known = {file: tests for file, tests in read().items() if Path(file).exists()}
        write(known | {file: _summed(tests) for file, tests in self._found.items()})


def read() -> Durations:
    durations: Durations = defaultdict(dict)
    for line in FILE.read_text("utf-8").splitlines() if FILE.exists() else ():
        file, test, *seconds = line.split("\t")
        durations[file][test] = dict(zip(PHASES, map(float, seconds), strict=True))
    return durations


def write(durations: Durations) -> None:
    lines = [
        "\t".join([file, test, *(f"{seconds.get(phase, 0):.2f}" for phase in PHASES)])
        for file, tests in sorted(durations.items())
        for test, seconds in sorted(tests.items())
    ]
    FILE.write_text("\n".join(lines) + "\n", "utf-8")


def _summed(tests: Mapping[str, Seconds]) -> dict[str, Seconds]:
    """The tests worth a line, and all others together."""
    shown = {test: each for test, each in tests.items() if sum(each.values()) >= SHOWN_SECONDS}
    others = [each for test, each in tests.items() if test not in shown]
    together = {phase: sum(each.get(phase, 0) for each in others) for phase in PHASES}
    return shown | {OTHERS: together}


def _total(tests: Iterable[Seconds]) -> float:
    return sum(second for each in tests for second in each.values())
