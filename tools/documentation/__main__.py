"""
Put the pages of the documentation site together, and build or serve them.

    python -m tools.documentation          writes .site/pages and .site/html
    python -m tools.documentation serve    the same, on http://127.0.0.1:8001, until Ctrl-C

A broken link or anchor fails the build. See docs/decisions/0047-the-documentation-site.md.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.documentation import api_reference, cli_reference, error_reference
from tools.documentation.pages import ROOT, BrokenLink, Pages

SITE = ROOT / ".site"
MARK = ROOT / "src/gamekeeper/api/static/mark.svg"
ADDRESS = "127.0.0.1:8001"


def assemble(folder: Path) -> None:
    """Write every page, from a clean start."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = Pages(folder)
    pages.copy()
    document = api_reference.document()
    generated = {
        **api_reference.pages(document),
        **error_reference.pages(document),
        **cli_reference.pages(),
    }
    for name, text in generated.items():
        pages.write(name, text)
    shutil.copyfile(MARK, folder / "assets" / MARK.name)


def zensical(*arguments: str) -> int:
    """Run the builder of this environment at the root, where mkdocs.yml is."""
    command = [sys.executable, "-m", "zensical", *arguments]
    env = os.environ | ({} if sys.stderr.isatty() else {"NO_COLOR": "1"})
    return subprocess.run(command, cwd=ROOT, check=False, env=env).returncode


def main() -> int:
    parser = argparse.ArgumentParser(prog="documentation", description=__doc__.splitlines()[1])
    parser.add_argument("do", nargs="?", default="build", choices=["build", "serve"])
    parser.add_argument("--address", default=ADDRESS, help=f"host and port; default: {ADDRESS}")
    asked = parser.parse_args()
    try:
        assemble(SITE / "pages")
    except BrokenLink as broken:
        return int(bool(sys.stderr.write(f"{broken}\n")))
    try:
        if asked.do == "serve":
            return zensical("serve", "--dev-addr", asked.address)
        return zensical("build", "--clean", "--strict")
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
