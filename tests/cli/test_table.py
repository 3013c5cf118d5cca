"""Tables fit the terminal, and lose nothing."""

import pytest

from gamekeeper.cli import table
from tests.cli.command import gamekeeper
from tests.make import make_user

ID = "01a1e0d0-5d49-760e-8000-000000000000"
ROWS = [["ana", "a long reason that goes on and on", ID], ["名前名前", "short", ID]]


def test_without_a_width_each_row_is_one_line():
    header, *lines = table.lines(["name", "why", "id"], ROWS)

    assert header.split() == ["name", "why", "id"]
    assert len(lines) == 2
    # The columns are aligned on a terminal, where wide characters take two.
    assert [table.cells(line[: line.index(ID)]) for line in lines] == [45, 45]


@pytest.mark.parametrize("width", [70, 60])
def test_a_narrow_terminal_wraps_text_and_never_an_id(width):
    lines = table.lines(["name", "why", "id"], ROWS, width)

    assert max(map(table.cells, lines)) <= width
    assert sum(ID in line for line in lines) == 2
    assert " ".join(" ".join(lines).split()).count("goes") == 1


def test_what_cannot_be_narrower_is_wider():
    lines = table.lines(["id"], [[ID]], 10)

    assert lines == ["id", ID]


def test_no_rows_are_only_a_header():
    assert table.lines(["a", "b"], [], 5) == ["a  b"]


async def test_what_is_piped_has_no_escape_codes_and_no_wrapping(settings, database):
    await make_user(database, "ana")

    shown = gamekeeper(settings, "users", "list", COLUMNS="20").stdout

    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 3
