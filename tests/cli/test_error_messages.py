"""Errors that nobody foresaw are one line for people; those who ask get the traceback."""

import pytest

from gamekeeper.cli import error_messages
from gamekeeper.core.observability.log_throttle import LogThrottle
from gamekeeper.core.settings import BadSettings


def failed(error: Exception) -> Exception:
    try:
        raise error
    except type(error) as raised:
        return raised


def test_a_mistake_of_ours_is_said_without_its_traceback(monkeypatch):
    monkeypatch.delenv("GAMEKEEPER_LOG_LEVEL", raising=False)

    words = error_messages.explain(failed(ValueError("no such thing")))

    assert words.splitlines()[0] == "internal error: ValueError: no such thing"
    assert "Traceback" not in words
    assert "GAMEKEEPER_LOG_LEVEL=debug" in words


def test_who_asks_for_the_traceback_gets_it(monkeypatch):
    monkeypatch.setenv("GAMEKEEPER_LOG_LEVEL", "debug")

    assert "Traceback" in error_messages.explain(failed(ValueError("no such thing")))


def test_a_file_that_cannot_be_opened_is_not_a_fault_of_the_database(tmp_path):
    file = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as caught:
        file.read_bytes()

    assert error_messages.explain(caught.value) == f"{file}: No such file or directory."


def test_settings_are_explained_in_their_own_words():
    assert error_messages.explain(BadSettings("X must be 1.")) == "X must be 1."


def test_a_log_event_repeats_only_after_a_while_or_after_the_fault():
    throttle = LogThrottle()

    assert [throttle.is_due("a"), throttle.is_due("a"), throttle.is_due("b")] == [True, False, True]
    throttle.clear()
    assert throttle.is_due("a")
