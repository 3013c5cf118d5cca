"""A version of Gamekeeper out of the history, run beside the one that is tested."""

import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from gamekeeper.core.settings import Settings
from tests import processes
from tests.server import environment, serving

ROOT = Path(__file__).parents[2]


class Version:
    """The source of one version; its dependencies are those that are installed."""

    def __init__(self, source: Path) -> None:
        self._env = {"PYTHONPATH": str(source)}

    def run(self, settings: Settings, *words: str) -> str:
        """What a command says; it must succeed."""
        command = [sys.executable, "-m", "gamekeeper", *words]
        done = processes.run(command, env=environment(settings, **self._env))
        assert done.returncode == 0, f"gamekeeper {' '.join(words)}:\n{done.stdout}{done.stderr}"
        return done.stdout

    @contextmanager
    def serving(self, settings: Settings, log: Path) -> Iterator[str]:
        with serving(settings, log, **self._env) as (url, _):
            yield url

    @contextmanager
    def working(self, settings: Settings, log: Path) -> Iterator[None]:
        command = [sys.executable, "-m", "gamekeeper", "worker"]
        env = environment(settings, **self._env)
        with log.open("wb") as stream, processes.running(command, env=env, stderr=stream):
            yield

    def verify(self, settings: Settings, *, links: bool = True) -> None:
        """Prove the ledger, the counts of the lists and, by its links, the log of actions."""
        assert msgspec.json.decode(self.run(settings, "ledger", "verify", "--json"))["holds"]
        self.run(settings, "lists", "verify")
        if links:
            self.run(settings, "actions", "verify")


THIS = Version(ROOT / "src")


def released_before(root: Path = ROOT) -> str | None:
    """The tag of the last release that this tree comes after; None if there is none yet."""
    # Not of this commit itself: a release is tested against the one before it.
    asked = ["git", "-C", str(root), "describe", "--tags", "--abbrev=0", "--match=v[0-9]*", "HEAD^"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    return told.stdout.strip() if told.returncode == 0 else None


def committed(commit: str, folder: Path) -> Version:
    """The version of a commit, taken out of git into `folder`."""
    archive = ["git", "-C", str(ROOT), "archive", "--format=tar", commit, "src"]
    taken = subprocess.run(archive, capture_output=True, check=False)
    assert taken.returncode == 0, (
        f"The version before this one is commit {commit}, and this clone does not have it: "
        "fetch the history (git fetch --unshallow --tags) and try again. "
        f"git says: {taken.stderr.decode().strip()}"
    )
    with tarfile.open(fileobj=io.BytesIO(taken.stdout)) as packed:
        packed.extractall(folder, filter="data")
    return Version(folder / "src")
