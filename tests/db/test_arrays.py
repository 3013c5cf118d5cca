"""Rows become array parameters."""

import pytest

from gamekeeper.db.arrays import columns


def test_each_column_is_a_tuple():
    assert columns([(1, "a", None), (2, "b", True)]) == [(1, 2), ("a", "b"), (None, True)]


def test_a_row_with_a_column_too_few_is_refused():
    """Values would otherwise move to the parameters of their neighbours."""
    with pytest.raises(ValueError, match="shorter"):
        columns([(1, "a"), (2,)])


def test_without_rows_there_is_no_statement():
    with pytest.raises(AssertionError):
        columns([])
