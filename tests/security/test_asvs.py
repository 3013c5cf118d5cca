"""The table of OWASP ASVS 5.0 (docs/asvs.md) is complete, and every test it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[2]

# Of the chapters 6 to 10, by level; level 3 is left out.
LEVEL_1 = """
    6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
    7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
    8.1.1 8.2.1 8.2.2 8.3.1
    9.1.1 9.1.2 9.1.3 9.2.1
    10.4.1 10.4.2 10.4.3 10.4.4 10.4.5
"""
LEVEL_2 = """
    6.1.2 6.1.3 6.2.9 6.2.10 6.2.11 6.2.12 6.3.3 6.3.4 6.4.3 6.4.4
    6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.1 6.6.2 6.6.3 6.8.1 6.8.2 6.8.3 6.8.4
    7.1.1 7.1.2 7.1.3 7.3.1 7.3.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 7.6.1 7.6.2
    8.1.2 8.2.3 8.4.1
    9.2.2 9.2.3 9.2.4
    10.1.1 10.1.2 10.2.1 10.2.2 10.3.1 10.3.2 10.3.3 10.3.4
    10.4.6 10.4.7 10.4.8 10.4.9 10.4.10 10.4.11
    10.5.1 10.5.2 10.5.3 10.5.4 10.5.5 10.6.1 10.6.2 10.7.1 10.7.2 10.7.3
"""
NOT_MET = {"10.4.4", "10.7.3"}
"""Whoever adds one decides it here."""

ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
EXCUSES = ("Not applicable: ", "Not met: ")


class Requirement(Struct, frozen=True):
    number: str
    level: int
    words: str
    shown_by: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        return TEST.findall(self.shown_by)


def by_number(number: str) -> list[int]:
    return [int(part) for part in number.split(".")]


TEXT = (ROOT / "docs" / "asvs.md").read_text()
TABLE = [
    Requirement(number, int(level), words, shown_by)
    for number, level, words, shown_by in ROW.findall(TEXT)
]


def test_every_requirement_has_one_row_with_its_level():
    wanted = dict.fromkeys(LEVEL_1.split(), 1) | dict.fromkeys(LEVEL_2.split(), 2)
    ordered = [(number, wanted[number]) for number in sorted(wanted, key=by_number)]
    assert [(row.number, row.level) for row in TABLE] == ordered


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.number)
def test_each_row_names_tests_or_says_why_not(row: Requirement):
    assert "PENDING" not in row.shown_by
    assert len(row.words) > 10
    if row.shown_by.startswith(EXCUSES):
        assert len(row.shown_by) > len("Not applicable: no SAML") - 1
    else:
        assert row.tests


def test_what_is_not_met_was_decided():
    assert {row.number for row in TABLE if row.shown_by.startswith("Not met: ")} == NOT_MET


def test_every_test_that_is_named_exists():
    named = TEST.findall(TEXT)
    assert len(set(named)) > 50
    assert [f"{path}::{name}" for path, name in named if name not in functions(path)] == []


@cache
def functions(path: str) -> frozenset[str]:
    file = ROOT / path
    if not file.exists():
        return frozenset()
    tree = ast.parse(file.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))
