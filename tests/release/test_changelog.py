"""The changelog, cut into the notes of a release."""

import tomllib

import pytest

from tools import release

TEXT = """# Changelog

## [Unreleased]

### Added

- A thing.

## [0.2.0] - 2026-12-01

### Fixed

- Another.

## [0.1.0] - 2026-11-16

- The first.
"""


def test_notes_are_what_stands_below_a_version_and_above_the_next():
    assert release.notes(TEXT, "0.2.0") == "### Fixed\n\n- Another."
    assert release.notes(TEXT, "0.1.0") == "- The first."
    assert release.notes(TEXT, "0.3.0") == ""


def test_a_cut_moves_what_was_unreleased_and_loses_nothing():
    cut = release.with_section(TEXT, "0.3.0", "2027-01-01")

    assert release.notes(cut, "Unreleased") == ""
    assert release.notes(cut, "0.3.0") == release.notes(TEXT, "Unreleased")
    assert cut.replace("## [0.3.0] - 2027-01-01\n\n", "") == TEXT
    with pytest.raises(release.NotReleasable, match="already"):
        release.with_section(cut, "0.3.0", "2027-01-01")
    with pytest.raises(release.NotReleasable, match="nothing"):
        release.with_section(cut, "0.4.0", "2027-01-01")


def test_our_own_changelog_can_be_cut():
    """Or has been: the version of pyproject.toml has notes either way."""
    text = (release.ROOT / "CHANGELOG.md").read_text()
    version = tomllib.loads((release.ROOT / "pyproject.toml").read_text())["project"]["version"]
    if not release.notes(text, version):
        text = release.with_section(text, version, "2026-11-16")

    assert "- " in release.notes(text, version)
