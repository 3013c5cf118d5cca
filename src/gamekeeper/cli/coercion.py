"""
Coercion of command-line values without Pydantic, where Typer would import it for nothing.

Typer coerces every value by a Pydantic type adapter, and the import alone takes as long as
the whole command. Strings, integers, absent values and values with a parser of ours need
none; Typer handles all other values and all invalid ones.
"""

from typing import Any, Protocol

UNKNOWN = object()
MAX_DIGITS = 19
"""Maximum digits of an integer; Typer handles longer ones."""


class Parameter(Protocol):
    """The parts of a Typer parameter that are used here."""

    required: bool
    multiple: bool
    nargs: int
    callback: Any
    type_descriptor: Any
    process_value: Any


class QuickCoercion:
    """Replaces the `process_value` of one parameter."""

    def __init__(self, parameter: Parameter) -> None:
        self._parameter, self._otherwise = parameter, parameter.process_value

    def __call__(self, context: Any, value: Any) -> Any:
        parameter = self._parameter
        coerced = self._coerced(value)
        if coerced is UNKNOWN or (parameter.required and coerced in (None, ())):
            return self._otherwise(context, value)
        if parameter.callback is not None:
            return parameter.callback(context, parameter, coerced)
        return coerced

    def _coerced(self, value: Any) -> Any:
        several = self._parameter.multiple or self._parameter.nargs == -1
        if value is None:
            return () if several else None
        if self._parameter.nargs not in (1, -1):
            return UNKNOWN
        if not several:
            return self._single(value)
        # Typer would show the default of a list as the list itself.
        parts = (
            [self._single(single) for single in value] if isinstance(value, list | tuple) else None
        )
        return UNKNOWN if parts is None or UNKNOWN in parts else parts

    def _single(self, value: Any) -> Any:
        about = self._parameter.type_descriptor
        if about.parameter_info.parser is not None:
            return about.parameter_info.parser(value) if isinstance(value, str) else UNKNOWN
        wanted = _element(about.annotation)
        if wanted is str and isinstance(value, str):
            return value
        return _integer(about.parameter_info, value) if wanted is int else UNKNOWN


def _element(annotation: Any) -> Any:
    """The type of one value: of a list's elements, or the annotation itself."""
    return annotation.__args__[0] if getattr(annotation, "__origin__", None) is list else annotation


def _integer(about: Any, value: Any) -> Any:
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) < MAX_DIGITS):
            return UNKNOWN
        value = int(value)
    least, most = about.min, about.max
    inside = (least is None or value >= least) and (most is None or value <= most)
    return value if inside else UNKNOWN


def quicken(parameters: list[Any]) -> list[Any]:
    """The same parameters, with quick coercion."""
    for parameter in parameters:
        if not isinstance(parameter.process_value, QuickCoercion):
            parameter.process_value = QuickCoercion(parameter)
    return parameters
