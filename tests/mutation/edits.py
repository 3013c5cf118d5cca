"""
Mutations of a module: edits of its source, each of which plants one small bug.

An edit replaces bytes, because `ast` counts columns in bytes. Annotations, decorators, docstrings,
assertions and log lines are left alone: no test should depend on them.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tests.mutation import sql_edits


class Edit(NamedTuple):
    kind: str
    start: int
    end: int
    text: str


class Source:
    """The bytes of a module, with the positions of its nodes."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.tree = ast.parse(content)
        lengths = [len(line) for line in content.splitlines(keepends=True)]
        self._lines = [sum(lengths[:number]) for number in range(len(lengths))]

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.content[self.start(node) : self.end(node)].decode()

    def replaced(self, kind: str, node: ast.expr | ast.stmt, text: str) -> Edit:
        return Edit(kind, self.start(node), self.end(node), text)

    def between(
        self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str
    ) -> Iterator[Edit]:
        """Replace an operator, which is not a node of its own."""
        gap = self.content[self.end(left) : self.start(right)]
        at = gap.find(old.encode())
        if at >= 0:
            begin = self.end(left) + at
            yield Edit(kind, begin, begin + len(old), new)


def edits(source: Source) -> Iterator[Edit]:
    for node in _mutable(source.tree):
        yield from _of(source, node)


IGNORED_FIELDS = {"annotation", "returns", "decorator_list", "type_params", "bases", "type_comment"}
DECLARATIONS = {"frozen", "kw_only", "strict", "eq", "omit_defaults", "slots"}
"""Arguments that describe a class or guard against our own mistakes."""


def _mutable(node: ast.AST) -> Iterator[ast.AST]:
    for field, value in ast.iter_fields(node):
        if field in IGNORED_FIELDS or (isinstance(node, ast.ClassDef) and field == "keywords"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_ignored(child):
                yield child
                # Up to Python 3.11 the nodes inside an f-string have no usable position.
                if not isinstance(child, ast.JoinedStr):
                    yield from _mutable(child)


def _is_ignored(node: ast.AST) -> bool:
    match node:
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            return True
        case ast.keyword(arg=name):
            return name in DECLARATIONS
    return False


def _of(source: Source, node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Compare():
            yield from _comparisons(source, node)
        case ast.BoolOp():
            old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from source.between("and/or", left, right, old, new)
        case ast.UnaryOp(op=ast.Not()):
            begin, end = source.start(node), source.start(node.operand)
            brackets = source.content[begin + len("not") : end].decode().lstrip()
            yield Edit("not", begin, end, brackets)
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not _is_text(node):
            old, new = ("+", "-") if isinstance(node.op, ast.Add) else ("-", "+")
            yield from source.between("+/-", node.left, node.right, old, new)
        case ast.Constant(value=bool() as value):
            yield source.replaced("True/False", node, str(not value))
        case ast.Constant(value=int() | float() as value):
            yield source.replaced("number", node, f"{value + 1}")
            yield source.replaced("number", node, f"({value - 1})")
        case ast.Constant(value=str()) | ast.JoinedStr():
            yield from _sql(source, node)
        case ast.Call(func=ast.Name(id=name)) if name in OPPOSITES:
            yield source.replaced(f"{name}()", node.func, OPPOSITES[name])
        case ast.If() | ast.IfExp() | ast.While():
            yield from _conditions(source, node.test)
        case ast.comprehension():
            for condition in node.ifs:
                yield source.replaced("filter", condition, _decided(source, condition, "or True"))
        case ast.stmt():
            yield from _statements(source, node)


OPPOSITES = {
    "min": "max",
    "max": "min",
    "any": "all",
    "all": "any",
    "sorted": "list",
    "reversed": "list",
}

BOUNDARIES = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
NEGATIONS = {
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}


def _comparisons(source: Source, node: ast.Compare) -> Iterator[Edit]:
    operands = [node.left, *node.comparators]
    for operator, left, right in zip(node.ops, operands, node.comparators, strict=False):
        for kind, table in (("boundary", BOUNDARIES), ("comparison", NEGATIONS)):
            if words := table.get(type(operator)):
                yield from source.between(kind, left, right, *words)


def _conditions(source: Source, test: ast.expr) -> Iterator[Edit]:
    yield source.replaced("condition", test, _decided(source, test, "and False"))
    yield source.replaced("condition", test, _decided(source, test, "or True"))


def _decided(source: Source, test: ast.expr, words: str) -> str:
    """The condition stays, because it may bind a name."""
    return f"(({source.text(test)}) {words})"


def _statements(source: Source, node: ast.stmt) -> Iterator[Edit]:
    match node:
        case ast.Return(value=ast.expr() as value) if source.text(value) != "None":
            yield source.replaced("return None", value, "None")
        case ast.Expr(value=ast.Await()):
            yield source.replaced("dropped await", node, "pass")
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            yield source.replaced("dropped statement", node, "pass")
        case ast.AugAssign():
            yield source.replaced("dropped statement", node, "pass")
            if isinstance(node.op, ast.Add | ast.Sub):
                old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
                yield from source.between("+/-", node.target, node.value, old, new)


def _is_text(node: ast.BinOp) -> bool:
    """Whether it joins strings: the difference of two is only a TypeError."""
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str | bytes))
        for part in ast.walk(node)
    )


def _sql(source: Source, node: ast.expr) -> Iterator[Edit]:
    text, begin = source.text(node), source.start(node)
    for kind, start, end, new in sql_edits.edits(text):
        before = len(text[:start].encode())
        yield Edit(kind, begin + before, begin + before + len(text[start:end].encode()), new)
