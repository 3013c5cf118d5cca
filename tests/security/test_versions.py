"""Which version an upgrade is tested from, found by the tags of a small repository."""

import subprocess
from pathlib import Path

import pytest

from tests.security.versions import committed, released_before


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def commit(folder: Path, *tags: str) -> None:
    git(folder, "commit", "--allow-empty", "--message=x")
    for tag in tags:
        git(folder, "tag", tag)


def test_the_version_before_is_the_last_release_before_this_commit(tmp_path: Path):
    git(tmp_path, "init")
    commit(tmp_path)
    assert released_before(tmp_path) is None
    commit(tmp_path, "v0.1.0", "experiment")
    # A release is tested against the one before it, not against itself.
    assert released_before(tmp_path) is None
    commit(tmp_path)
    assert released_before(tmp_path) == "v0.1.0"
    commit(tmp_path, "v0.2.0")
    assert released_before(tmp_path) == "v0.1.0"
    commit(tmp_path, "nightly")
    commit(tmp_path)
    assert released_before(tmp_path) == "v0.2.0"


def test_a_shallow_clone_finds_none_and_is_told_what_to_fetch(tmp_path: Path):
    whole, shallow = tmp_path / "whole", tmp_path / "shallow"
    whole.mkdir()
    git(whole, "init")
    commit(whole, "v0.1.0")
    commit(whole)
    git(tmp_path, "clone", "--depth=1", whole.as_uri(), str(shallow))

    assert released_before(shallow) is None
    with pytest.raises(AssertionError, match="git fetch --unshallow --tags"):
        committed("f" * 40, tmp_path / "taken")
