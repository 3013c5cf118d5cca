"""The part of values.schema.json that follows from the settings of the service."""

from typing import Any, Literal, get_args, get_origin

from msgspec import inspect, structs

from gamekeeper.core.environment import DESCRIPTIONS
from gamekeeper.core.settings import Hidden, Settings

BY_THE_CHART = {"metrics_address"}
"""What the chart sets by itself."""
NOT_IN_A_CLUSTER = {"fail_point", "actor"}
"""One is for tests, the other for a person at the command line."""

FIELDS = {field.name: field.type for field in structs.fields(Settings)}
SECRETS = {name for name, kind in FIELDS.items() if kind is Hidden or Hidden in get_args(kind)}
PLAIN = FIELDS.keys() - SECRETS - BY_THE_CHART - NOT_IN_A_CLUSTER


def settings() -> dict[str, Any]:
    """The schema of each setting that is no secret."""
    return {
        name: {"description": DESCRIPTIONS[name], **_schema(name)}
        for name in FIELDS
        if name in PLAIN
    }


def secret_keys() -> dict[str, Any]:
    """The schema of each reference to a secret: the key in the Secret."""
    key = {"type": "string", "pattern": "^[-._a-zA-Z0-9]+$"}
    return {name: {"description": DESCRIPTIONS[name], **key} for name in FIELDS if name in SECRETS}


def _schema(name: str) -> dict[str, Any]:
    about = inspect.type_info(FIELDS[name])
    if isinstance(about, inspect.UnionType):
        # None is the default that nobody writes.
        [about] = [part for part in about.types if not isinstance(part, inspect.NoneType)]
    if isinstance(about, inspect.LiteralType):
        # `about` has them sorted.
        kind = FIELDS[name]
        return {"enum": list(get_args(kind) if get_origin(kind) is Literal else about.values)}
    if isinstance(about, inspect.BoolType):
        return {"type": "boolean"}
    if isinstance(about, inspect.IntType | inspect.FloatType):
        lowest, highest = _bounds(about)
        kind = "integer" if isinstance(about, inspect.IntType) else "number"
        return {"type": kind, **lowest, **highest}
    assert isinstance(about, inspect.StrType), f"{name}: say here how its values look in a chart"
    longest = {} if about.max_length is None else {"maxLength": about.max_length}
    return {"type": "string", **longest}


def _bounds(about: inspect.IntType | inspect.FloatType) -> tuple[dict[str, Any], dict[str, Any]]:
    lowest = {"exclusiveMinimum": about.gt} if about.gt is not None else {}
    if about.ge is not None:
        lowest = {"minimum": about.ge}
    highest = {"exclusiveMaximum": about.lt} if about.lt is not None else {}
    if about.le is not None:
        highest = {"maximum": about.le}
    return lowest, highest
