"""
The sdist: the same bytes from the same commit, and all that the wheel is built from.

The wheel takes a build of the console; `.ci/wheel` makes it twice and compares.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tools import bill_of_materials, release

pytestmark = pytest.mark.deploy

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NEEDED = {
    *("pyproject.toml", "hatch_build.py", "runtime.lock", "package-lock.json", ".npmrc"),
    *("LICENSE", "README.md", "console/index.html", "clients/typescript/package.json"),
    *("src/gamekeeper/app.py", "src/gamekeeper/commit.txt", "deploy/chart/Chart.yaml"),
}


@pytest.fixture(scope="module")
def sdists(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two of them, from copies in other places, of other ages and with other rights."""
    return [
        _built(tmp_path_factory.mktemp("first"), age=0, umask=0o022),
        _built(tmp_path_factory.mktemp("second") / "deeper", age=86_400, umask=0o077),
    ]


def _built(folder: Path, *, age: int, umask: int) -> Path:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=release.ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release.ROOT / name, copy)
        os.utime(copy, (1_700_000_000 + age, 1_700_000_000 + age))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", "built"],
        cwd=folder,
        env=os.environ | {"SOURCE_DATE_EPOCH": "1800000000", "SOURCE_COMMIT": COMMIT},
        umask=umask,
        capture_output=True,
        check=True,
    )
    [made] = (folder / "built").iterdir()
    return made


def test_the_same_commit_gives_the_same_sdist(sdists: list[Path]):
    first, second = sdists

    assert first.name == second.name == f"gamekeeper-{release.version()}.tar.gz"
    assert first.read_bytes() == second.read_bytes()


def test_the_sdist_has_all_that_the_wheel_is_built_from(sdists: list[Path]):
    with tarfile.open(sdists[0]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
        note = packed.extractfile(f"gamekeeper-{release.version()}/src/gamekeeper/commit.txt")
        assert note is not None
        assert note.read().decode().strip() == COMMIT

    assert names >= NEEDED
    assert not [name for name in names if name.startswith((".venv", "node_modules", "built"))]


def test_checksums_are_those_that_sha256sum_reads(tmp_path: Path):
    (tmp_path / "one").write_text("a")
    (tmp_path / "two").write_text("b")

    release.checksums(tmp_path)

    command = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "one: OK\ntwo: OK\n")


def test_a_bill_of_materials_lists_what_is_needed_and_not_what_builds():
    def part(name: str) -> dict[str, str]:
        return {"bom-ref": name, "name": name}

    bill = {
        "metadata": {"component": part("gamekeeper")},
        "components": [part("msgspec"), part("rich"), part("pygments"), part("hatchling")],
        "dependencies": [
            {"ref": "gamekeeper", "dependsOn": ["msgspec", "rich"]},
            {"ref": "rich", "dependsOn": ["pygments"]},
            {"ref": "pygments"},
            {"ref": "msgspec"},
            {"ref": "hatchling", "dependsOn": ["pygments"]},
        ],
    }

    kept = bill_of_materials.needed(bill)

    assert [component["name"] for component in kept["components"]] == [
        "msgspec",
        "rich",
        "pygments",
    ]
    assert "hatchling" not in {dependency["ref"] for dependency in kept["dependencies"]}
