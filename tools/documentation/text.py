"""Text of the code as Markdown: cells of a table, JSON."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

CODE = re.compile(r"(`[^`]*`)")


def plain(text: str) -> str:
    """Text in which only backticks mean something."""
    parts = CODE.split(text)
    parts[::2] = [part.replace("<", "&lt;").replace("*", "\\*") for part in parts[::2]]
    return "".join(parts)


def cell(text: str) -> str:
    return " ".join(plain(text).replace("|", "\\|").split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table and the line after it; nothing if it has no rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return []
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines, ""]


def pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def folded(kind: str, title: str, lines: Iterable[str], *, is_open: bool) -> list[str]:
    """A block that can be opened."""
    mark = "???+" if is_open else "???"
    inside = [f"    {line}".rstrip() for line in lines]
    return [f'{mark} {kind} "{title}"', "", *inside, ""]
