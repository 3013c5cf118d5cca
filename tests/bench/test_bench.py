"""The bench measures what it says, on a small world; and says so when it does not."""

import json
import subprocess
import sys
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree

import asyncpg
import pytest

from bench import equivalence, fixture, plot, programs, ratios, report, servers, statements
from bench.cases import CASES
from bench.fixture import NotLoopback, Wanted
from bench.machine import Machine
from bench.programs import Figures, Load
from bench.rounds import BARE, Lap, Plan
from bench.statements import Bare, at, script
from gamekeeper.db.database import Database
from tests import processes
from tests.databases import SERVER

pytestmark = pytest.mark.torture

ROOT = Path(__file__).parents[2]
WANTED = Wanted(server=SERVER, players=60, items=0, keep=False)
LOAD = Load(seconds=1, connections=2)


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", "--server", SERVER, *arguments]
    return processes.run(command, cwd=ROOT, timeout=300)


async def databases() -> int:
    connection = await asyncpg.connect(SERVER.format("postgres"))
    try:
        return await connection.fetchval(
            "SELECT count(*) FROM pg_database WHERE datname LIKE 'gamekeeper_bench_%'"
        )
    finally:
        await connection.close()


async def test_a_short_run_gives_shares_and_leaves_nothing():
    before = await databases()

    cases = ["by-id", "rank-random", "rank-last", "give", "token"]
    run = bench(
        *("--players", "500", "--rounds", "1", "--seconds", "1", "--connections", "4"),
        *("--workers", "1", "--only", ",".join(cases), "--no-warm-up", "--json"),
    )

    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert [row["case"] for row in told["rows"]] == cases
    for row in told["rows"]:
        assert row["faults"] == []
        assert 0 < row["share"]["median"] < 2
        assert 0 < row["served"]["p50"] <= row["served"]["p99"]
        assert 0 < row["bare"]["p50"] <= row["bare"]["p99"]
    assert await databases() == before


async def test_both_sides_must_do_the_same_and_every_answer_counts(tmp_path):
    """A bare give that leaves out the action is found, and so is a load that is refused."""
    async with fixture.database(WANTED) as settings:
        world = await fixture.fill(settings, WANTED, lambda step, done, total: None)
        async with Database.open(settings) as database:
            bares = {case.name: await case.bare(database, world) for case in CASES}
        async with servers.running(settings, [1], tmp_path) as [server]:
            await equivalence.prove(server, world, bares)
            whole = bares["give"].statements[0]
            for good, bad in (
                ("'grant'", "'import'"),
                ("FROM held\n        RETURNING body", "FROM held WHERE false\n RETURNING body"),
                ("old.quantity +", "1 + old.quantity +"),
            ):
                assert good in whole
                wrong = Bare(statements=[whole.replace(good, bad)], keys=60)
                with pytest.raises(equivalence.NotTheSame, match="leaves other rows"):
                    await equivalence.prove(server, world, bares | {"give": wrong})
            (tmp_path / "lines").write_text("/api/v1/players/nobody-of-that-name\n")
            call = ["GET", str(tmp_path / "lines"), world.key]
            refused = await programs.wrk(LOAD, server.url, call)
            wrong = Bare(statements=["SELECT 1/0"])
            failed = await programs.pgbench(LOAD, settings.database_url, wrong, tmp_path, 0)

    assert "answers were not 2xx" in (refused.fault or "")
    assert "division by zero" in (failed.fault or "")


@pytest.mark.parametrize(
    "server",
    [
        "postgresql://postgres@db.example.com:5432/{}",
        "postgresql://postgres@10.0.0.7/{}",
        "postgresql://postgres@127.0.0.1:5432/{}?host=db.example.com",
        "postgresql:///{}",
    ],
)
def test_only_this_machine_is_loaded(server):
    with pytest.raises(NotLoopback):
        fixture.require_loopback(server)


async def test_random_pages_are_other_pages_on_both_sides():
    async with fixture.database(WANTED) as settings:
        world = await fixture.fill(settings, WANTED, lambda step, done, total: None)
        async with Database.open(settings) as database:
            [case] = [case for case in CASES if case.name == "rank-random"]
            bare = await case.bare(database, world)
        connection = await asyncpg.connect(settings.database_url)
        [statement] = bare.statements
        pages = [await connection.fetch(at(statement, one + 1)) for one in range(bare.keys)]
        await connection.close()

    found = [row["id"] for page in pages for row in page]
    assert (bare.keys, len(found), len(set(found))) == (12, 60, 60)
    asked = {line.rpartition("=")[2] for line in case.call(world).lines}
    assert asked == {str(page) for page in range(12)}


def test_what_is_missing_is_told_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")

    with pytest.raises(programs.ProgramMissing, match="apt-get install wrk"):
        programs.require()


def test_what_pgbench_would_take_for_a_variable_is_never_in_a_statement():
    """An id that begins with a letter, after a colon; one that begins with a digit is harmless."""
    for change in (statements.giving, statements.taking):
        statement = change("key:abcdef00-0000-4000-8000-000000000000", UUID(int=1))
        assert script(Bare(statements=[statement], keys=9)).count("|| 'abcdef00-") == 2

    with pytest.raises(AssertionError, match="variables"):
        script(Bare(statements=["SELECT 'key:abcdef'::text"]))


def test_more_connections_than_there_are_is_refused_before_anything_is_done():
    run = bench("--connections", "80", "--workers", "16")

    assert run.returncode == 1
    assert "max_connections" in run.stderr


# ── What is made of the laps ──


def lap(number: int, workers: int, rate: float, fault: str | None = None) -> Lap:
    figures = Figures(rate=rate, p50=1.0, p99=9.0, fault=fault)
    return Lap(case="by-id", round=number, workers=workers, figures=figures)


def test_a_share_is_of_its_own_round_and_a_void_round_does_not_count():
    laps = [lap(1, BARE, 1000), lap(2, BARE, 100), lap(3, BARE, 400), lap(4, BARE, 1000)]
    laps += [lap(1, 1, 100), lap(2, 1, 30), lap(3, 1, 80), lap(4, 1, 900, "7 answers were not 2xx")]

    [row] = ratios.rows(laps)

    assert row.share == ratios.Spread(0.2, 0.1, 0.3)
    assert row.rounds == 3
    assert row.served.rate == 80
    assert row.faults == ["player by id, service with 1, round 4: 7 answers were not 2xx"]


def test_the_paper_has_every_figure_and_the_picture_a_bar_for_each(tmp_path):
    laps = [lap(1, BARE, 1000), lap(1, 1, 613), lap(1, 2, 0, "3 answers were not 2xx")]
    rows = ratios.rows(laps)
    plan = Plan(wanted=WANTED, load=LOAD, rounds=1, warm_up=False, workers=(1, 2), cases=("by-id",))
    machine = Machine(
        processor="Abacus",
        cores=2,
        memory_gib=4,
        kernel="6",
        python="3.11",
        wrk="4",
        postgresql="15",
        settings={"fsync": "on"},
        load=0.5,
    )

    report.write(tmp_path, plan, machine, rows, "python -m bench")

    text = (tmp_path / "benchmarks.md").read_text()
    assert "| player by id | 1 | 1,000 | 1.00 | 9.00 | 613 | 1.00 | 9.00 | 0.61 |" in text
    assert "| player by id | 2 | void |" in text
    assert "* player by id, service with 2, round 1: 3 answers were not 2xx" in text
    assert "Abacus, 2 cores" in text
    picture = ElementTree.fromstring((tmp_path / "benchmarks.svg").read_text())
    words = [node.text for node in picture.iter() if node.tag.endswith("text")]
    assert "0.61" in words
    assert "void: see the notes" in words
    assert [f"{peer.name} {peer.share:.2f}" in words for peer in plot.PEERS] == [True] * 3
