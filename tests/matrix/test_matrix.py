"""The matrix: its page is that of the stored results, and what it names exists."""

import json

import pytest

from tests.gate.results import ROOT
from tests.matrix import results
from tests.matrix.installation import HERE
from tests.matrix.results import PairResult
from tests.matrix.versions import CORE, POSTGRESQLS, Pair, chosen, find_debian

RESULT = PairResult(
    python="3.13.0",
    postgresql="18.4",
    part="core",
    outcome="failed",
    passed=1200,
    skipped=3,
    failed=["tests.ledger.test_losses::test_one"],
    seconds=600,
    day="2026-11-19",
    commit="0123456789abcdef",
    is_changed=False,
    machine="2 cores",
)


def test_the_page_is_that_of_the_stored_results():
    assert results.page(results.stored()) == results.PAGE.read_text("utf-8")


def test_a_stored_result_is_shown_with_what_failed(tmp_path):
    pair = Pair("3.13", 18)
    results.write(pair, RESULT, tmp_path)

    stored = results.stored(tmp_path)

    assert stored == {pair: RESULT}
    shown = results.page(stored)
    assert "| Python 3.13 | not tested | not tested | not tested | core: failed |" in shown
    assert "1,200 tests passed, 1 failed, 3 skipped" in shown
    assert "just matrix --core --only 3.13/18" in shown
    assert "* `tests.ledger.test_losses::test_one`" in shown


def test_every_file_of_the_core_exists():
    assert [path for path in CORE if not (ROOT / path).exists()] == []


def test_every_server_is_installed_or_in_the_lock():
    packages = json.loads((HERE / "package-lock.json").read_text())["packages"]
    for major in POSTGRESQLS:
        locked = packages.get(f"node_modules/postgresql-{major}")
        assert (locked and locked["version"].startswith(f"{major}.")) or find_debian(major)


def test_an_unknown_pair_is_refused_with_the_list():
    with pytest.raises(SystemExit, match=r"There is no pair '3\.9/15'"):
        list(chosen("3.9/15"))
