"""Tables of text that fit the width of a terminal."""

from collections.abc import Sequence
from itertools import zip_longest

GAP = "  "
NARROWEST = 12
"""A column of text is not made narrower than this; a single word, such as an id, is not cut."""


def lines(
    columns: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None
) -> list[str]:
    """
    The header and the rows, aligned; cells that are too wide for `width` are wrapped.

    A table that cannot be made narrow enough is wider: half an id is useless.
    """
    table = [columns, *rows]
    wide = [max(map(cells, column)) for column in zip(*table, strict=True)]
    if width is not None:
        wide = _fitted(wide, [_narrowest(column) for column in zip(*table, strict=True)], width)
    return [line for row in table for line in _row(row, wide)]


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _narrowest(column: Sequence[str]) -> int:
    words = [word for cell in column for word in cell.split()]
    return max([min(NARROWEST, max(map(cells, column))), *map(cells, words)])


def _fitted(wide: list[int], narrowest: list[int], width: int) -> list[int]:
    """Take the missing columns from the widest cells that can be wrapped."""
    wide = list(wide)
    excess = sum(wide) + len(GAP) * (len(wide) - 1) - width
    while excess > 0:
        room, place = max(
            (width if width > least else 0, place)
            for place, (width, least) in enumerate(zip(wide, narrowest, strict=True))
        )
        if not room:
            return wide
        wide[place] -= 1
        excess -= 1
    return wide


def _row(row: Sequence[str], wide: Sequence[int]) -> list[str]:
    wrapped = [_wrapped(cell, width) for cell, width in zip(row, wide, strict=True)]
    return [
        GAP.join(
            text + " " * (width - cells(text)) for text, width in zip(parts, wide, strict=True)
        ).rstrip()
        for parts in zip_longest(*wrapped, fillvalue="")
    ]


def _wrapped(text: str, width: int) -> list[str]:
    if cells(text) <= width:
        return [text]
    found = [""]
    for word in text.split(" "):
        longer = f"{found[-1]} {word}" if found[-1] else word
        if cells(longer) <= width:
            found[-1] = longer
        else:
            found.append(word)
    return [line for line in found if line]
