"""
Print the size and shape of the code: `python -m tools.metrics [--at COMMIT] [--json]`.

`--beside COMMIT` adds a column with the figures of that commit. Migrations are not counted. A
figure is a reason to look at a place, not a target.
"""

import argparse
import ast
import io
import json
import subprocess
import tarfile
import tempfile
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/gamekeeper")
ROOT_OF_ERRORS = "Problem"
LONG_FUNCTION = 40
"""More lines than this, from `def` to the last one."""
COMPLEX_FUNCTION = 10
"""A higher cyclomatic complexity than this."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.IfExp, ast.Assert),
    *(ast.ExceptHandler, ast.match_case, ast.comprehension),
)


@dataclass(frozen=True)
class Metrics:
    lines: int
    files: int
    packages: int
    """Folders directly below the root."""
    public_names: int
    """Functions, classes and constants of modules, without a leading underscore."""
    comments_per_100_lines: float
    functions: int
    functions_over_40_lines: int
    functions_over_complexity_10: int
    error_classes: int
    """Classes below `Problem`, itself included."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.metrics", description=__doc__)
    parser.add_argument("--at", metavar="COMMIT", help="this commit instead of the work tree")
    parser.add_argument("--beside", metavar="COMMIT", help="a commit to compare with")
    parser.add_argument("--json", action="store_true", help="print an object for each tree")
    options = parser.parse_args()
    trees = [options.beside] if options.beside else []
    trees.append(options.at)
    measured = {commit or "work tree": measure_commit(commit) for commit in trees}
    if options.json:
        print(json.dumps({tree: asdict(metrics) for tree, metrics in measured.items()}, indent=2))  # noqa: T201
    else:
        print(table(measured))  # noqa: T201


def table(measured: dict[str, Metrics]) -> str:
    """A line for each figure, a column for each tree."""
    columns = [asdict(metrics) for metrics in measured.values()]
    lines = [f"{'':<30}" + "".join(f"{tree[:12]:>14}" for tree in measured)]
    for name in columns[0]:
        figures = "".join(f"{column[name]:>14,}" for column in columns)
        lines.append(f"{name.replace('_', ' '):<30}{figures}")
    return "\n".join(lines)


def measure_commit(commit: str | None, source: Path = SOURCE) -> Metrics:
    """The figures of a commit; without one, of the work tree."""
    if commit is None:
        return measure(ROOT / source)
    with _checked_out(commit, source) as folder:
        return measure(folder / source)


@contextmanager
def _checked_out(commit: str, source: Path) -> Iterator[Path]:
    archive = subprocess.run(
        ["git", "archive", commit, "--", str(source)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        yield Path(folder)


def measure(folder: Path) -> Metrics:
    files = [file for file in sorted(folder.rglob("*.py")) if "migrations" not in file.parts]
    texts = [file.read_text() for file in files]
    trees = [ast.parse(text) for text in texts]
    lines = sum(len(text.splitlines()) for text in texts)
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, Function)]
    return Metrics(
        lines=lines,
        files=len(files),
        packages=len({*folder.glob("*/__init__.py")}),
        public_names=sum(len(_public_names(tree)) for tree in trees),
        comments_per_100_lines=round(sum(map(_comments, texts)) * 100 / max(lines, 1), 1),
        functions=len(functions),
        functions_over_40_lines=sum(_lines(function) > LONG_FUNCTION for function in functions),
        functions_over_complexity_10=sum(
            complexity(function) > COMPLEX_FUNCTION for function in functions
        ),
        error_classes=_below(ROOT_OF_ERRORS, trees),
    )


def _public_names(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update(
                name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            )
    return {name for name in names if not name.startswith("_")}


def _comments(text: str) -> int:
    """Comments, those beside code included; docstrings are not comments."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def _lines(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def complexity(function: Function) -> int:
    """
    The cyclomatic complexity: one, and one for each branch.

    A comprehension is a branch, and so is each of its conditions. A function inside another counts
    for itself only.
    """
    found = 1
    for node in _own_nodes(function):
        if isinstance(node, BRANCHES):
            found += 1
        if isinstance(node, ast.comprehension):
            found += len(node.ifs)
        if isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
    return found


def _own_nodes(parent: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(parent):
        if not isinstance(node, Function):
            yield node
            yield from _own_nodes(node)


def _below(root: str, trees: Iterable[ast.Module]) -> int:
    """How many classes there are of a name or below it; two of one name are two."""
    classes = [
        (node.name, {ast.unparse(base).rsplit(".", 1)[-1] for base in node.bases})
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    found = {root}
    while more := {name for name, bases in classes if bases & found} - found:
        found |= more
    return sum(name == root or bool(bases & found) for name, bases in classes)


if __name__ == "__main__":
    main()
