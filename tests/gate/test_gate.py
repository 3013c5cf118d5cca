"""The gate: its plan names what is there, its results are stored, and its pages are of them."""

import pytest

from tests.gate import pages, plan, results
from tests.gate.execution import Gate
from tests.gate.plan import RUNS, Run
from tests.gate.results import ROOT, CaseResult, Result

QUICK = """
import os

def test_passes():
    print("size", os.environ.get("SIZE", "small"))

def test_fails():
    assert False
"""


def quick(name: str, tests: str, **others: object) -> Run:
    about = {"proves": "", "in_ci": "", "in_gate": "", "minutes": 1} | others
    return Run(name=name, tests=(tests,), **about)  # pyright: ignore[reportArgumentType]


@pytest.fixture
def file(tmp_path):
    (tmp_path / "test_quick.py").write_text(QUICK)
    return f"{tmp_path}/test_quick.py"


async def outcomes(tmp_path, *runs: Run, full_size: bool = True) -> dict[str, Result]:
    gate = Gate(tmp_path / "logs", seed=7, full_size=full_size, places=2)
    return {result.name: result async for result in gate.run_all(runs)}


@pytest.mark.deploy
async def test_a_result_has_what_each_test_printed_at_its_size(tmp_path, file):
    run = quick("quick", f"{file}::test_passes", size={"SIZE": "full"})

    found = (await outcomes(tmp_path, run))["quick"]

    assert (found.outcome, found.seed, found.size) == ("passed", 7, {"SIZE": "full"})
    [test] = found.tests
    assert (test.name, test.outcome, test.printed) == ("test_passes", "passed", ["size full"])


@pytest.mark.deploy
async def test_a_failure_and_a_run_without_tests_are_no_success(tmp_path, file):
    failing = quick("failing", file)
    empty = quick("empty", file, marks="slow")

    found = await outcomes(tmp_path, failing, empty)

    assert found["failing"].outcome == "failed"
    assert {test.outcome for test in found["failing"].tests} == {"passed", "failed"}
    assert found["empty"].outcome == "ran nothing"


def test_every_file_and_every_variable_of_the_plan_exists():
    for run in RUNS:
        texts = [(ROOT / file).read_text("utf-8") for file in run.files()]
        assert all(any(name in text for text in texts) for name in run.size), run.name
        for test in run.tests:
            file, _, function = test.partition("::")
            assert not function or f"def {function}(" in (ROOT / file).read_text(), test


def test_every_torture_test_is_in_the_plan():
    files = {file for run in RUNS for file in run.files()}
    found = {f"tests/torture/{file.name}" for file in (ROOT / "tests/torture").glob("test_*.py")}
    assert found - files == NOT_IN_THE_GATE


# CI runs them at their full size.
NOT_IN_THE_GATE = {
    "tests/torture/test_begin.py",
    "tests/torture/test_cursors.py",
    "tests/torture/test_sign_in_every_call.py",
}


def test_the_pages_are_those_of_the_stored_results():
    stored = results.stored()
    text = pages.RELIABILITY.read_text("utf-8")
    assert pages.with_table(text, stored) == text
    assert pages.page(stored) == pages.PAGE.read_text("utf-8")


def test_a_stored_result_is_shown_with_its_commit_and_machine(tmp_path):
    result = Result(
        name="trades",
        outcome="passed",
        day="2026-11-19",
        commit="0123456789abcdef",
        is_changed=False,
        machine="2 cores",
        load=0.5,
        beside=["kills"],
        size={"TORTURE_TRADES": "10000"},
        seed=1,
        seconds=120,
        tests=[CaseResult(name="test", outcome="passed", seconds=119.0, printed=["10,000 trades"])],
    )
    results.write(result, tmp_path)

    stored = results.stored(tmp_path)

    assert stored == {"trades": result}
    shown = pages.page(stored)
    assert "Passed, 1 of 1 tests, 2 minutes. 2026-11-19, commit 012345678; 2 cores" in shown
    assert "beside it ran kills" in shown
    assert "10,000 trades" in shown
    rows = [row for row in pages.table(stored) if "reliability-gate.md#trades" in row]
    assert len(rows) == 1


def test_an_unknown_run_is_refused_with_the_list():
    with pytest.raises(SystemExit, match="There is no run 'killz'"):
        list(plan.chosen("killz"))
