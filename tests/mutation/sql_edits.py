"""Mutations of the SQL inside a string literal, found by patterns: our keywords are in capitals."""

import re
from collections.abc import Iterator

SQL = re.compile(r"\b(SELECT|UPDATE|DELETE|INSERT|WHERE|FROM|ORDER BY|UNION|AND|FOR UPDATE)\b")

PATTERNS = [
    ("SQL boundary", r"(?<= )<(?= )", "<="),
    ("SQL boundary", r"(?<= )<=(?= )", "<"),
    ("SQL boundary", r"(?<= )>(?= )", ">="),
    ("SQL boundary", r"(?<= )>=(?= )", ">"),
    ("SQL comparison", r"(?<= )<=?(?= )", ">"),
    ("SQL comparison", r"(?<= )>=?(?= )", "<"),
    ("SQL comparison", r"((?:WHERE|AND|OR|ON|WHEN|NOT)\s+\(?[\w.]+ )=(?= )", r"\1<>"),
    ("SQL comparison", r"(?<= )<>(?= )", "="),
    ("SQL comparison", r"= ANY ?\(", "<> ALL("),
    ("SQL AND/OR", r"\bOR\b(?! REPLACE)", "AND"),
    ("SQL UNION", r"\bUNION ALL\b", "UNION"),
    ("SQL UNION", r"\bUNION\b(?! ALL)", "UNION ALL"),
    ("SQL DISTINCT", r"\bDISTINCT (?!ON|FROM)", ""),
    ("SQL order", r"\bDESC\b", "ASC"),
    ("SQL order", r"(ORDER BY [\w.]+)(?=\s*(?:\"|\n|\)|FOR |LIMIT ))", r"\1 DESC"),
    ("SQL +/-", r"(?<=[\w)]) \+ (?=[\w($])", " - "),
    ("SQL +/-", r"(?<=[\w)]) - (?=[\w($])", " + "),
    ("SQL lock", r"FOR (NO KEY )?UPDATE( OF \w+)?( SKIP LOCKED| NOWAIT)?", ""),
    ("SQL lock", r"FOR (KEY )?SHARE( OF \w+)?", ""),
    ("SQL lock", r" SKIP LOCKED", ""),
    ("SQL clock", r"\bnow\(\)", "statement_timestamp()"),
    ("SQL clock", r"\bstatement_timestamp\(\)", "now()"),
    ("SQL LIMIT", r"\bLIMIT (\$?\w+)", r"LIMIT \1 + 1"),
    ("SQL LIMIT", r"\bLIMIT (\$?\w+)", r"LIMIT greatest(\1 - 1, 0)"),
    ("SQL NULL", r"\bIS NULL\b", "IS NOT NULL"),
    ("SQL NULL", r"\bIS NOT NULL\b", "IS NULL"),
    ("SQL EXISTS", r"\bNOT EXISTS\b", "EXISTS"),
    ("SQL EXISTS", r"(?<!IF )(?<!NOT )\bEXISTS\b(?= ?\()", "NOT EXISTS"),
    ("SQL min/max", r"\bmin\(", "max("),
    ("SQL min/max", r"\bmax\(", "min("),
    ("SQL min/max", r"\bleast\(", "greatest("),
    ("SQL min/max", r"\bgreatest\(", "least("),
]
COMPILED = [(kind, re.compile(pattern), new) for kind, pattern, new in PATTERNS]

AND = re.compile(r"\bAND\b")
RANGE = re.compile(r"BETWEEN (SYMMETRIC )?\S+ $")
CONDITION_END = re.compile(
    r"\n|\"|\bAND\b|\bOR\b|\b(ORDER|GROUP) BY\b|\bFOR |\bRETURNING\b|\bLIMIT\b|$"
)

Found = tuple[str, int, int, str]
"""The kind, where it begins and ends, and what replaces it."""


def edits(text: str) -> Iterator[Found]:
    if not SQL.search(text):
        return
    for kind, pattern, new in COMPILED:
        for match in pattern.finditer(text):
            yield kind, match.start(), match.end(), match.expand(new)
    for match in AND.finditer(text):
        if not RANGE.search(text[: match.start()]):
            yield "SQL AND/OR", match.start(), match.end(), "OR"
            yield from _dropped(text, match)


def _dropped(text: str, word: re.Match[str]) -> Iterator[Found]:
    """The condition after an AND, if it ends on the line and closes what it opens."""
    end = CONDITION_END.search(text, word.end())
    assert end is not None
    condition = text[word.end() : end.start()]
    if condition.count("(") == condition.count(")") and "BETWEEN" not in condition:
        yield "SQL condition", word.start(), end.start(), ""
