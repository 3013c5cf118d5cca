"""The figures that tools/metrics.py prints are those of the code it reads."""

import ast
from dataclasses import replace
from pathlib import Path

from tools import metrics

MODULE = '''
"""Items."""

MOST_ITEMS = 5  # of the game's rules
_cache = {}

# The root of what a rule can refuse.
class Problem(Exception): ...

class NotFound(Problem): ...

class ItemNotFound(errors.NotFound): ...

class Item: ...

def find(items): return [item for item in items if item and item.id]

def _find(): ...
'''


def complexity(text: str) -> int:
    [function] = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    return metrics.complexity(function)


def test_a_small_tree_is_counted(tmp_path):
    for package in ("items", "items/migrations", "empty"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "items" / "rules.py").write_text(MODULE)
    (tmp_path / "empty" / "__init__.py").write_text("class ItemNotFound(Problem): ...\n")
    (tmp_path / "items" / "migrations" / "first.py").write_text("A = 1\n")

    assert metrics.measure(tmp_path) == metrics.Metrics(
        lines=19,
        files=3,
        packages=2,
        public_names=7,
        comments_per_100_lines=10.5,
        functions=2,
        functions_over_40_lines=0,
        functions_over_complexity_10=0,
        error_classes=4,
    )


def test_every_branch_adds_one_to_the_complexity():
    assert complexity("def f(): pass") == 1
    assert complexity("def f(a):\n  if a and a > 1: return 1\n  elif a: return 2") == 4
    assert complexity("def f(a): return [one for one in a if one if one.id]") == 4
    assert complexity("def f(a):\n  match a:\n    case 1: pass\n    case _: pass") == 3
    assert complexity("def f():\n  try: pass\n  except KeyError: pass\n  except OSError: pass") == 3


def test_an_inner_function_counts_for_itself():
    assert complexity("def f(a):\n  def g():\n    if a: pass\n  if a: g()") == 2


def test_a_commit_is_printed_beside_the_work_tree():
    source = Path("src/gamekeeper/core")
    commit = metrics.measure_commit("HEAD", source)
    tree = replace(commit, lines=1234)

    heads, lines, *_ = metrics.table({"HEAD": commit, "work tree": tree}).splitlines()

    assert commit.files >= 10
    assert heads.split() == ["HEAD", "work", "tree"]
    assert lines.split() == ["lines", f"{commit.lines:,}", "1,234"]
