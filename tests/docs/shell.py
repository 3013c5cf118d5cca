"""Shell blocks of the documentation, run as a reader would paste them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.deadlines import PATIENCE

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/python/src"
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PREPARED = re.compile(
    r"^(export (URL|KEY|GAMEKEEPER_DATABASE_URL)=(http|gk_|postgresql).*"
    r"|sudo .*|pip .*|\. \.venv.*|gamekeeper (serve|worker|try))$",
    re.MULTILINE,
)
"""Lines that only prepare: what they would set, install or start is there."""


def blocks(page: str, begin: str = "") -> list[str]:
    """The shell blocks of a page, from a heading on."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return [PREPARED.sub("true", block) for block in BLOCK.findall(text[text.index(begin) :])]


def pasted(commands: list[str], folder: Path, **env: str) -> str:
    """What a shell says to all of them, one after the other; the first failure is the last."""
    # A shell finds our commands as it does in an activated environment.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    modules = [str(CLIENT), *filter(None, [os.environ.get("PYTHONPATH")])]
    given = os.environ | env | {"PATH": path, "HOME": str(folder)}
    given["PYTHONPATH"] = os.pathsep.join(modules)
    script = "\n".join(["set -euo pipefail", *commands])
    done = subprocess.run(
        ["bash", "-c", script],
        env=given,
        cwd=ROOT,
        timeout=PATIENCE,
        capture_output=True,
        text=True,
        input="violet otter 42\n",  # a password, where a command asks for one
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def errors(said: str) -> list[str]:
    """The codes of the API's errors in what was said."""
    return re.findall(r'"Code":"(\w+)","RequestId"', said)
