"""A copy of the tree in which one mutant after the other is tried."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from msgspec import Struct

from tests import processes
from tests.mutation import killers
from tests.mutation.selection import Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "clients/python", "tools", "bench", "examples", "docs", "deploy")
FILES = ("pyproject.toml", "CONTRIBUTING.md", "CHANGELOG.md", "README.md")

UNMARKED = "not (browser or engines or deploy or torture or slow)"
STAGE_SECONDS = 120
"""Of each set the quickest tests run, as many as take this long on two idle cores."""
RUN_SECONDS = 900
"""A run that takes longer has hung in a place where the limit of a test cannot end it."""


class Verdict(Struct, frozen=True):
    outcome: str
    """`killed`, `timed out` or `survived`."""
    test: str
    """The first that failed."""
    seconds: float


class Failure(Struct, frozen=True):
    test: str
    words: str

    @property
    def outcome(self) -> str:
        return "timed out" if "Timeout (>" in self.words else "killed"


HUNG = Failure("", "Timeout (>")


class Copy:
    """The tree as it is, on a PostgreSQL that all copies share."""

    def __init__(self, directory: Path, server: str, unsound: set[str]) -> None:
        self._directory = directory
        self._unsound = unsound
        self._sound: set[str] = set()
        for name in COPIED:
            shutil.copytree(ROOT / name, directory / name, ignore=IGNORED, symlinks=True)
        for name in FILES:
            shutil.copy(ROOT / name, directory)
        self._failure = directory / "failure.json"
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(directory / "src"), str(directory)]),
            "GAMEKEEPER_TEST_SERVER": server,
            "TEST_PATIENCE": "30",
            "MUTATION_SECONDS": str(STAGE_SECONDS),
            "MUTATION_FAILURE": str(self._failure),
        }
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def trial(self, mutant: Mutant) -> Verdict:
        begun = time.monotonic()
        for tests in (killers.likely(mutant.module), killers.wider(mutant.module)):
            while failure := self._mutated(mutant, tests):
                if self._is_sound(failure.test or tests[0]):
                    seconds = time.monotonic() - begun
                    return Verdict(failure.outcome, failure.test, seconds)
        return Verdict("survived", "", time.monotonic() - begun)

    def _mutated(self, mutant: Mutant, tests: list[str]) -> Failure | None:
        file = self._directory / "src" / "gamekeeper" / mutant.module
        sound = file.read_bytes()
        self._write(file, mutant.source)
        try:
            return self._failure_of(tests)
        finally:
            self._write(file, sound)

    def _is_sound(self, test: str) -> bool:
        """Whether a test passes without the mutant; else no verdict may rest on it."""
        if test not in self._sound:
            if failure := self._failure_of([test]):
                if not failure.test:
                    raise RuntimeError("the tests do not run", failure.words)
                self._unsound.add(failure.test)
                return False
            self._sound.add(test)
        return True

    def _failure_of(self, tests: list[str]) -> Failure | None:
        """The first test that fails; without a name if pytest could not start or did not end."""
        command = [sys.executable, "-m", "pytest", "-p", "tests.mutation.quickest_first"]
        command += ["-p", "no:cacheprovider", "-p", "no:xdist", "-x", "--tb=short"]
        command += ["-m", UNMARKED, *(f"--deselect={test}" for test in self._unsound), *tests]
        self._failure.unlink(missing_ok=True)
        try:
            done = processes.run(
                command, cwd=self._directory, env=self._environment, timeout=RUN_SECONDS
            )
        except subprocess.TimeoutExpired:
            return HUNG
        if done.returncode in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return None
        if self._failure.exists():
            return Failure(*json.loads(self._failure.read_text()))
        return Failure("", done.stdout + done.stderr)

    def _write(self, file: Path, content: bytes) -> None:
        """Without its bytecode: a change within a second, of the same length, would go unseen."""
        file.write_bytes(content)
        Path(cache_from_source(str(file))).unlink(missing_ok=True)


IGNORED = shutil.ignore_patterns("node_modules", "__pycache__", ".hypothesis")


def cpu_seconds() -> float:
    """What the trials have used so far, without PostgreSQL."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
