"""What operators install is what is tested: the same versions, each file by its hash."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def locked(name: str) -> dict[str, str]:
    """Each package's version, marker and hashes, by its name."""
    text = (ROOT / name).read_text()
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)
    return {entry.partition("==")[0]: entry.strip() for entry in entries if "==" in entry}


def pin(entry: str) -> str:
    return entry.partition("==")[2].split()[0]


def hashes(entry: str) -> set[str]:
    return set(re.findall(r"--hash=sha256:[0-9a-f]{64}", entry))


def test_the_lock_of_the_runtime_is_a_part_of_the_whole():
    whole, runtime = locked("requirements.lock"), locked("runtime.lock")

    assert runtime.keys() < whole.keys()
    for name, entry in runtime.items():
        assert hashes(entry), f"{name} has no hash"
        assert (pin(entry), hashes(entry)) == (pin(whole[name]), hashes(whole[name]))


def test_every_dependency_is_in_the_lock_of_the_runtime():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"] + project["build-system"]["requires"]
    names = {re.split(r"[<>=;\[ ]", one)[0] for one in wanted}

    assert names <= locked("runtime.lock").keys()
    assert "pytest" not in locked("runtime.lock")


def test_the_readme_installs_by_the_lock():
    readme = (ROOT / "README.md").read_text()

    assert "pip install --require-hashes --requirement runtime.lock\n" in readme
    assert "pip install .\n" not in readme
