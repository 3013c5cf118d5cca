"""The figures of docs/operate/failover.md are those of the last drills, and a loss is noticed."""

from collections import Counter
from uuid import uuid4

import pytest

from tests.failover import drill, options, proofs, report
from tests.failover.crowd import Expected
from tests.failover.proofs import Proof


def proof(**about: int) -> Proof:
    counts = {"acknowledged": 90, "lost": 0, "doubled": 0, "events": 100, "events_lost": 0}
    problems = [f"{name}: {count}" for name, count in about.items()]
    return Proof(**counts | about, problems=problems)


def made(asynchronous: bool, *proofs: Proof) -> report.Drill:
    failovers = [
        drill.Failover(
            kind=kind,
            election=election,
            without_writes=19.5,
            resumed=None if election is None else 0.5,
            acknowledged=50,
            proof=each,
        )
        for (kind, election), each in zip((("kill", 19.0), ("disk", None)), proofs, strict=True)
    ]
    chosen = options.Options(failovers=2, asynchronous=asynchronous)
    finished = drill.Finished(
        options=chosen, failovers=failovers, answers={"503 outcome_unknown": 3}, streams=2
    )
    return report.Drill(
        day="2026-11-18", machine="2 cores", load=1.5, versions="patroni 3.0.2", finished=finished
    )


def test_the_page_has_the_figures_of_the_last_drills():
    drills = report.read()
    text = report.PAGE.read_text("utf-8")

    assert report.page(text, drills) == text
    assert report.plot(drills) == report.PLOT.read_text("utf-8")


def test_a_run_takes_the_place_of_the_last_one_with_its_settings(tmp_path, monkeypatch):
    for name in ("PAGE", "RUNS", "PLOT"):
        monkeypatch.setattr(report, name, tmp_path / name)
    report.PAGE.write_text(f"Before\n{report.BEGIN}old{report.END}\nafter\n")
    asynchronous = made(True, proof(lost=7, events_lost=2), proof())

    report.document(made(False, proof(), proof()))
    report.document(asynchronous)
    report.document(asynchronous)

    assert [each.name for each in report.read()] == [
        "tuned settings, synchronous",
        "tuned settings, asynchronous",
    ]
    text = report.PAGE.read_text()
    assert text.startswith(f"Before\n{report.BEGIN}")
    assert text.endswith(f"{report.END}\nafter\n")
    assert "| disk full | 1 | none is | 19.5 s, 19.5 s |  |\n" in text
    assert "killed (`kill -9`) | 1 | 19.0 s | 19.5 s, 19.5 s | 0.5 s | 7 |" in text
    assert "7 acknowledged changes were lost" in text
    assert "1 of 2 proofs held" in text


def test_every_difference_is_found():
    owner, recruit = uuid4(), uuid4()
    expected = Expected(Counter({owner: 3}), Counter({"items.give": 3}), {recruit})
    same = Expected(Counter({owner: 3}), Counter({"items.give": 3, "demo.fill": 1}), {recruit})

    assert list(proofs.differences(same, expected)) == []
    for changed in (
        Expected(Counter({owner: 2}), same.actions, same.recruited),
        Expected(Counter({owner: 3, recruit: 1}), same.actions, same.recruited),
        Expected(same.held, Counter({"items.give": 4}), same.recruited),
        Expected(same.held, same.actions, set()),
    ):
        assert len(list(proofs.differences(changed, expected))) == 1


@pytest.mark.parametrize("words", ["--kinds fire", "--operations steal", "--clients 0"])
def test_a_wrong_option_is_refused(words, capsys):
    with pytest.raises(SystemExit):
        options.parse(words.split())
    assert "just failover: error:" in capsys.readouterr().err


def test_options_choose_patroni_and_the_order_of_the_faults():
    words = "--failovers 3 --kinds kill,cut --settings default --asynchronous --report x"
    chosen, where_to = options.parse(words.split())

    assert chosen.order == ["kill", "cut", "kill"]
    assert chosen.patroni == options.PATRONI["default"] | {"synchronous_mode": "false"}
    assert (chosen.clients, where_to.report, where_to.docs) == (64, "x", False)
