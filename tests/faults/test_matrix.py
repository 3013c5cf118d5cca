"""The fault matrix is complete, and each of its tests exists and is run."""

from collections import Counter

from tests.faults import matrix
from tests.faults.matrix import CELLS, PLACES, ROOT
from tests.gate.plan import RUNS

COUNTS = {"process": 5, "postgresql": 5, "replica": 5, "redis": 6, "worker": 5, "mail": 6} | {
    "webhook": 6,
    "disk": 6,
    "clock": 6,
    "network": 8,
}
"""Of the faults at each place; a removed cell needs a reason here."""
BY_HAND = {"tests/failover/test_drill.py"}
"""`just failover` runs it: it takes two minutes for each failover."""
SLOW = "pytest.mark.slow"


def test_every_place_has_all_its_faults():
    assert list(PLACES) == list(dict.fromkeys(cell.place for cell in CELLS))
    assert Counter(cell.place for cell in CELLS) == COUNTS
    assert len({(cell.place, cell.fault) for cell in CELLS}) == len(CELLS) == 58


def test_every_fault_has_tests_or_a_reason_why_it_cannot_happen():
    for cell in CELLS:
        assert bool(cell.tests) != bool(cell.impossible), cell
        assert bool(cell.expected) != bool(cell.impossible), cell


def test_every_test_exists_and_ci_or_the_gate_runs_it():
    in_gate = {file for run in RUNS for file in run.files()}
    for cell in CELLS:
        for test in cell.tests:
            file, _, function = test.partition("::")
            text = (ROOT / file).read_text("utf-8")
            assert f"def {function or 'test_'}" in text, test
            assert SLOW not in text or file in in_gate | BY_HAND, test


def test_the_page_is_the_matrix():
    assert matrix.PAGE.read_text("utf-8") == matrix.page()
