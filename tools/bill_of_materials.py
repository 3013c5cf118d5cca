"""
The bills of materials (SBOM, CycloneDX) of a release: one of the wheel, one of its console.

The first lists what runs: the versions of runtime.lock that the wheel needs, read from an
environment in which it is installed. runtime.lock also has what builds the wheel; those are left
out, because nobody runs them. The second lists what is packed into the console.
"""

import json
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
UV = ROOT / ".venv/bin/uv"
NPM = ROOT / ".ci/npm"
CYCLONEDX = ROOT / ".release-tools/venv/bin/cyclonedx-py"


def write(source: Path, wheel: Path, folder: Path, *, date: str) -> None:
    """Write both into `folder`; `date` is the date of the release, in seconds since 1970."""
    stem = "-".join(wheel.name.split("-")[:2])
    instant = datetime.fromtimestamp(int(date), UTC).isoformat()
    for name, bill in (
        (f"{stem}.cdx.json", of_the_wheel(source, wheel)),
        (f"{stem}-console.cdx.json", of_the_console(source)),
    ):
        # Both differ from run to run otherwise.
        bill.pop("serialNumber", None)
        bill["metadata"]["timestamp"] = instant
        (folder / name).write_text(json.dumps(bill, indent=2, sort_keys=True) + "\n")


def of_the_wheel(source: Path, wheel: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-sbom-") as folder:
        python = Path(folder) / "venv/bin/python"
        run(UV, "venv", "--quiet", python.parents[1])
        install = (UV, "pip", "install", "--quiet", "--python", python)
        run(*install, "--require-hashes", "--requirement", source / "runtime.lock")
        run(*install, "--no-deps", wheel)
        told = run(
            *(CYCLONEDX, "environment", "--output-reproducible", "--output-format", "JSON"),
            *("--pyproject", source / "pyproject.toml", "--mc-type", "application"),
            *("--output-file", "-", python),
        )
    return needed(json.loads(told))


def of_the_console(source: Path) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="gamekeeper-sbom-") as parent:
        # npm also names the whole, by its folder; in the repository that has no version.
        folder = Path(parent) / "gamekeeper"
        for name in ("", "console", "clients/typescript"):
            (folder / name).mkdir(parents=True)
            shutil.copy(source / name / "package.json", folder / name)
        shutil.copy(source / "package-lock.json", folder)
        run(NPM, "pkg", "set", "name=gamekeeper", "version=0.0.0", at=folder)
        told = run(
            *(NPM, "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"),
            *("--package-lock-only", "--omit", "dev", "--workspace", "console"),
            at=folder,
        )
    return json.loads(told)


def needed(bill: dict[str, Any]) -> dict[str, Any]:
    """The bill without what its subject does not need, directly or through something else."""
    needs = {one["ref"]: one.get("dependsOn", []) for one in bill["dependencies"]}
    found: set[str] = set()
    waiting = [bill["metadata"]["component"]["bom-ref"]]
    while waiting:
        ref = waiting.pop()
        if ref not in found:
            found.add(ref)
            waiting += needs.get(ref, [])
    return bill | {
        "components": [one for one in bill["components"] if one["bom-ref"] in found],
        "dependencies": [one for one in bill["dependencies"] if one["ref"] in found],
    }


def run(*command: object, at: Path | None = None) -> str:
    words = list(map(str, command))
    return subprocess.run(words, cwd=at, stdout=subprocess.PIPE, text=True, check=True).stdout
