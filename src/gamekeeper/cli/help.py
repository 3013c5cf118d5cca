"""Simplified help: `ITEM` and `NUMBER` instead of `{ITEM} <str>` and `<int range>`."""

import re
from typing import Any

TYPE = re.compile(r" <([A-Za-z\[\] ]+)>$")
WORDS = {"int": "NUMBER", "int range": "NUMBER", "path": "FILE", "file": "FILE", "UUID": "ID"}


class PlainParameter:
    """The description of a parameter, without Typer's types and braces."""

    def __init__(self, parameter: Any) -> None:
        self._usage, self._record = parameter.get_usage_pieces, parameter.get_help_record
        self._is_argument: bool = parameter.param_type_name == "argument"

    def usage(self, context: Any) -> list[str]:
        return [piece.replace("{", "").replace("}", "") for piece in self._usage(context)]

    def record(self, context: Any) -> tuple[str, str] | None:
        found = self._record(context)
        if found is None:
            return None
        name, text = found
        # An argument has its own name; an option needs a word for its value.
        return TYPE.sub("" if self._is_argument else _word, name), text


def _word(found: re.Match[str]) -> str:
    return f" {WORDS.get(found[1], 'TEXT')}"


def plainly(parameters: list[Any]) -> list[Any]:
    """The same parameters, with simplified help."""
    for parameter in parameters:
        if "get_help_record" not in vars(parameter):
            plain = PlainParameter(parameter)
            parameter.get_usage_pieces = plain.usage
            parameter.get_help_record = plain.record
    return parameters
