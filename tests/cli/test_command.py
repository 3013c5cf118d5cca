"""The form of a command: what it is given, and what it prints."""

import inspect
import json
from typing import Annotated

import pytest
import typer

from gamekeeper.cli.command import Depends, Output, TextTable, command
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from tests.server import environment

Word = Annotated[str, typer.Argument()]


def _loud(word: Word, marks: Annotated[int, typer.Option()] = 1) -> str:
    return word.upper() + "!" * marks


async def _number(database: Database, offset: Annotated[int, typer.Option()] = 0) -> int:
    return offset + await database.reader.value("SELECT 40")


Loud = Annotated[str, Depends(_loud)]
Number = Annotated[int, Depends(_number)]


@pytest.fixture
def _environment(settings, monkeypatch):
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)


def test_a_record_is_printed_as_json_or_in_parts(capsys):
    @command
    async def show(text: Loud) -> Output:
        return Output({"said": text}, text, None, TextTable(["a"], [["b"]]), {"c": "d"})

    show(word="hey", marks=2)
    assert capsys.readouterr().out == "HEY!!\na\nb\nc  d\n"
    show(word="hey", marks=1, as_json=True)
    assert json.loads(capsys.readouterr().out) == {"said": "HEY!"}


def test_an_exit_code_follows_the_output(capsys):
    @command
    def show() -> Output:
        return Output([], "wrong", code=3)

    for as_json in (False, True):
        with pytest.raises(typer.Exit) as ended:
            show(as_json=as_json)
        assert (ended.value.exit_code, capsys.readouterr().out != "") == (3, True)


def test_what_a_dependency_takes_is_an_option_in_its_place():
    @command
    async def show(database: Database, text: Loud, *, last: Word, number: Number) -> Output:
        """Show."""
        return Output((text, number, last))

    found = inspect.signature(show).parameters
    assert list(found) == ["word", "marks", "last", "offset", "as_json"]
    assert [found[name].default for name in ("marks", "offset", "as_json")] == [1, 0, False]
    assert (show.__name__, show.__doc__) == ("show", "Show.")


def test_a_command_of_lines_has_no_json(capsys):
    @command
    async def show(word: Word) -> str:
        return word

    assert list(inspect.signature(show).parameters) == ["word"]
    show(word="hey")
    assert capsys.readouterr().out == "hey\n"


@pytest.mark.usefixtures("_environment", "database")
def test_database_and_settings_are_given(settings, capsys):
    @command
    async def show(database: Database, settings: Settings, number: Number) -> Output:
        assert settings.database_url == database.settings.database_url
        return Output({"url": settings.database_url}, str(number))

    show(offset=2)
    assert capsys.readouterr().out == "42\n"


def test_a_wrong_option_is_refused_before_the_database_is_opened(monkeypatch):
    def refuse() -> str:
        raise typer.BadParameter("no")

    @command
    async def show(database: Database, text: Annotated[str, Depends(refuse)]) -> Output:
        return Output(text)

    monkeypatch.setattr(Settings, "read", lambda: pytest.fail("the settings were read"))
    with pytest.raises(typer.BadParameter):
        show()
