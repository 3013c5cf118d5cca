"""The mutants of `just mutants --random`: each kind is made, compiles, and is picked by a seed."""

from pathlib import Path

import pytest

from tests.mutation import equivalents, killers
from tests.mutation.selection import Mutant, compiles, modules, mutants, pick
from tests.mutation.trials import ROOT

PACKAGE = ROOT / "src" / "gamekeeper"


@pytest.fixture
def mutated(tmp_path: Path):
    def mutate(source: str) -> list[Mutant]:
        (tmp_path / "module.py").write_text(source)
        return mutants(tmp_path, "module.py")

    return mutate


PYTHON = [
    ("boundary", "a < b", "a <= b"),
    ("boundary", "a >= b", "a > b"),
    ("comparison", "a < b", "a >= b"),
    ("comparison", "a == b", "a != b"),
    ("comparison", "a is not b", "a is b"),
    ("comparison", "a not in b", "a in b"),
    ("and/or", "a and b", "a or b"),
    ("and/or", "a or b", "a and b"),
    ("not", "not a", "a"),
    ("+/-", "a + b", "a - b"),
    ("+/-", "a += b", "a -= b"),
    ("number", "a = 5", "a = 6"),
    ("number", "a = 5", "a = (4)"),
    ("True/False", "a = True", "a = False"),
    ("min()", "min(a)", "max(a)"),
    ("any()", "any(a)", "all(a)"),
    ("sorted()", "sorted(a)", "list(a)"),
    ("reversed()", "reversed(a)", "list(a)"),
    ("condition", "if a: b()", "if ((a) and False): b()"),
    ("condition", "b if a else c", "b if ((a) or True) else c"),
    ("filter", "[a for a in b if a]", "[a for a in b if ((a) or True)]"),
    ("dropped statement", "a(b)", "pass"),
    ("dropped statement", "a += b", "pass"),
    ("dropped statement", "raise a", "pass"),
    ("dropped await", "async def a(): await b", "async def a(): pass"),
    ("return None", "def a(): return b", "def a(): return None"),
]
SQL = [
    ("SQL boundary", "SELECT WHERE a < b", "SELECT WHERE a <= b"),
    ("SQL boundary", "SELECT WHERE a >= b", "SELECT WHERE a > b"),
    ("SQL comparison", "SELECT WHERE a = b", "SELECT WHERE a <> b"),
    ("SQL comparison", "SELECT WHERE a = ANY($1)", "SELECT WHERE a <> ALL($1)"),
    ("SQL AND/OR", "WHERE a AND b", "WHERE a OR b"),
    ("SQL AND/OR", "WHERE a OR b", "WHERE a AND b"),
    ("SQL condition", "WHERE a AND b = (c) ORDER BY d", "WHERE a ORDER BY d"),
    ("SQL UNION", "SELECT 1 UNION ALL SELECT 2", "SELECT 1 UNION SELECT 2"),
    ("SQL DISTINCT", "SELECT DISTINCT a", "SELECT a"),
    ("SQL order", "SELECT ORDER BY a DESC", "SELECT ORDER BY a ASC"),
    ("SQL order", "SELECT ORDER BY a LIMIT 1", "SELECT ORDER BY a DESC LIMIT 1"),
    ("SQL +/-", "SELECT a + b", "SELECT a - b"),
    ("SQL lock", "SELECT a FOR UPDATE", "SELECT a "),
    ("SQL lock", "SELECT a FOR NO KEY UPDATE SKIP LOCKED", "SELECT a FOR NO KEY UPDATE"),
    ("SQL clock", "SELECT now()", "SELECT statement_timestamp()"),
    ("SQL clock", "SELECT statement_timestamp()", "SELECT now()"),
    ("SQL LIMIT", "SELECT LIMIT $1", "SELECT LIMIT $1 + 1"),
    ("SQL LIMIT", "SELECT LIMIT 5", "SELECT LIMIT greatest(5 - 1, 0)"),
    ("SQL NULL", "SELECT a IS NULL", "SELECT a IS NOT NULL"),
    ("SQL EXISTS", "SELECT NOT EXISTS (b)", "SELECT EXISTS (b)"),
    ("SQL EXISTS", "SELECT EXISTS (b)", "SELECT NOT EXISTS (b)"),
    ("SQL min/max", "SELECT least(a, b)", "SELECT greatest(a, b)"),
]


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [*PYTHON, *((kind, f'a = "{before}"', f'a = "{after}"') for kind, before, after in SQL)],
)
def test_each_kind_is_made(mutated, kind: str, before: str, after: str):
    made = [(mutant.kind, mutant.source.decode()) for mutant in mutated(before)]
    assert (kind, after) in made


@pytest.mark.parametrize(
    "source",
    [
        '"""SELECT a AND b"""',
        "assert a == 5",
        "log.info('five', five=5)",
        "a: Literal[5]",
        "@retry(5)\ndef a() -> Literal[5]: ...",
        "zip(a, b, strict=True)[c]",
        "class A(Struct, frozen=True): ...",
        "a = 'you and I > they'",
        "a = 'WHERE a BETWEEN $1 AND $2'",
    ],
)
def test_what_no_test_should_notice_is_left_alone(mutated, source: str):
    assert [mutant for mutant in mutated(source) if mutant.kind != "dropped statement"] == []


def test_columns_are_counted_in_bytes(mutated):
    (mutant,) = mutated("a = 'ä' < b")[:1]
    assert mutant.source.decode() == "a = 'ä' <= b"


def test_every_mutant_of_a_module_compiles():
    made = mutants(PACKAGE, "players/rules.py")
    assert len(made) > 100
    assert [mutant.after for mutant in made if not compiles(mutant)] == []


def test_a_seed_picks_the_same_mutants_again_one_of_each_line():
    made = mutants(PACKAGE, "players/rules.py")
    first, again, other = (pick(made, 20, seed) for seed in (7, 7, 8))
    assert first == again
    assert first != other
    assert len({mutant.line for mutant in first}) == 20


def test_a_key_names_the_place_and_stays_when_lines_move(mutated):
    source = "class A:\n    def b(self):\n        if c < d:\n            e()\n"
    here, moved = mutated(source)[0], mutated("import f\n\n" + source)[0]
    assert here.line != moved.line
    assert here.key == moved.key
    assert (here.function, here.before) == ("A.b", "if c < d:")
    assert mutated("LIMITS = 5")[0].function == "LIMITS"


def test_every_module_has_tests_that_exist():
    named = {
        test
        for module in modules(PACKAGE)
        for test in killers.likely(module) + killers.wider(module)
    }
    assert [test for test in sorted(named) if not (ROOT / test).exists()] == []


def test_every_known_equivalent_is_still_a_mutant():
    known = set(equivalents.read())
    made = {mutant.key for module, *_ in known for mutant in mutants(PACKAGE, module)}
    assert sorted(known - made) == []
