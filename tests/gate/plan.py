"""The runs of the gate and their sizes, from plan.toml; docs/reliability.md has them as a table."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct


class Run(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tests that the gate runs together, with the environment that gives them their full size."""

    name: str
    proves: str
    """What happens in it, for the table."""
    tests: tuple[str, ...] = ()
    """Paths or node ids."""
    command: tuple[str, ...] = ()
    """Instead of tests: a module and its arguments."""
    size: Mapping[str, str] = {}
    """Environment variables; without them the tests run at the size of CI."""
    marks: str = "not slow"
    in_ci: str
    in_gate: str
    minutes: int
    """Expected on two idle cores."""
    alone: bool = False
    """It measures time, so nothing may run beside it."""

    def files(self) -> list[str]:
        """The files of its tests, without the names of tests."""
        found = [test.partition("::")[0] for test in self.tests]
        return list(dict.fromkeys(found)) or [self.command[0].replace(".", "/") + ".py"]


def _read() -> Iterator[Run]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for name, about in table.items():
        yield msgspec.convert({"name": name} | about, Run)


RUNS = tuple(_read())


def chosen(names: str | None) -> Iterator[Run]:
    """The runs of a list of names with commas, or all."""
    by_name = {run.name: run for run in RUNS}
    for name in names.split(",") if names else by_name:
        if name not in by_name:
            raise SystemExit(f"There is no run {name!r}. Runs: {', '.join(by_name)}.")
        yield by_name[name]
