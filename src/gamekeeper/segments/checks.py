"""Checks of conditions: which fields apply, their ranges, and whether their objects exist."""

from collections.abc import Iterable, Mapping
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.catalog import variables
from gamekeeper.catalog.variables import Owner, Variable, WrongVariableType
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable
from gamekeeper.segments.records import (
    MAX_CONDITIONS,
    MAX_DESCRIPTION_LENGTH,
    MAX_GROUPS,
    NAME,
    Condition,
    ConditionField,
    Definition,
)

MAX_DAYS = 36_500
MAX_HOURS = 10**9


class InvalidSegment(Invalid):
    """A name has 1 to 40 lower-case letters, digits, '-' or '_'."""


class FieldRule(Struct, frozen=True):
    """Which fields of a condition apply besides `field` and `negate`."""

    needs_one_of: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    allows: frozenset[str] = frozenset()

    @property
    def known(self) -> frozenset[str]:
        return self.needs_one_of | self.needs | self.allows


RANGE = frozenset({"at_least", "at_most"})
TIMES = frozenset({"since", "before", "within_days"})
OPERANDS = RANGE | TIMES | {"id", "equals", "kind", "list"}
_VARIABLE = FieldRule(needs=frozenset({"id"}), needs_one_of=RANGE | {"equals"})

RULES: Mapping[ConditionField, FieldRule] = {
    "level": FieldRule(needs_one_of=RANGE),
    "class": FieldRule(needs=frozenset({"id"})),
    "created": FieldRule(needs_one_of=TIMES),
    "account_created": FieldRule(needs_one_of=TIMES),
    "last_online": FieldRule(needs_one_of=TIMES),
    "hours_played": FieldRule(needs_one_of=RANGE),
    "online": FieldRule(),
    "item": FieldRule(needs=frozenset({"id"}), allows=frozenset({"at_least"})),
    "player_variable": _VARIABLE,
    "user_variable": _VARIABLE,
    "guild": FieldRule(allows=frozenset({"id"})),
    "sanction": FieldRule(allows=frozenset({"kind"})),
    "list": FieldRule(needs=frozenset({"list"})),
}

OWNERS: Mapping[ConditionField, Owner] = {"player_variable": "player", "user_variable": "user"}

EXISTING: Mapping[ConditionField, LiteralString] = {
    "class": "SELECT id FROM classes WHERE id = ANY($1)",
    "item": "SELECT id FROM items WHERE id = ANY($1)",
    "guild": "SELECT id FROM guilds WHERE id = ANY($1)",
}

Variables = Mapping[tuple[ConditionField, UUID], Variable]
"""The declared variables of a definition, by the field of the condition and their id."""


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise InvalidSegment(field="name")


def check_description(text: str) -> str:
    """The description without space around it, or InvalidSegment."""
    text = text.strip()
    if len(text) > MAX_DESCRIPTION_LENGTH or not text.isprintable():
        raise InvalidSegment(
            f"'description' must be one line of at most {MAX_DESCRIPTION_LENGTH} characters.",
            field="description",
        )
    return text


def check(definition: Definition) -> None:
    """Raise InvalidSegment unless every condition is complete and within its ranges."""
    if not 1 <= len(definition.groups) <= MAX_GROUPS:
        raise InvalidSegment(f"A segment needs 1 to {MAX_GROUPS} groups.", field="groups")
    if not all(group.conditions for group in definition.groups):
        raise InvalidSegment("A group needs at least one condition.", field="groups")
    if len(definition.conditions) > MAX_CONDITIONS:
        raise InvalidSegment(
            f"A segment has at most {MAX_CONDITIONS} conditions in all groups.", field="groups"
        )
    for condition in definition.conditions:
        _check_operands(condition)
        _check_ranges(condition)


def _check_operands(condition: Condition) -> None:
    rule = RULES[condition.field]
    given = {name for name in OPERANDS if getattr(condition, name) is not None}
    if unknown := given - rule.known:
        raise _refused(condition, f"does not use '{_spelled(min(unknown))}'")
    if missing := rule.needs - given:
        raise _refused(condition, f"needs '{_spelled(min(missing))}'")
    if rule.needs_one_of and not given & rule.needs_one_of:
        words = " or ".join(f"'{_spelled(name)}'" for name in sorted(rule.needs_one_of))
        raise _refused(condition, f"needs {words}")
    if "equals" in given and given & RANGE:
        raise _refused(condition, "takes 'equals', or 'atleast' and 'atmost'")


def _check_ranges(condition: Condition) -> None:
    if condition.within_days is not None and not 1 <= condition.within_days <= MAX_DAYS:
        raise _refused(condition, f"needs 'withindays' from 1 to {MAX_DAYS}")
    if condition.field == "item" and condition.at_least is not None and condition.at_least < 1:
        raise _refused(condition, "needs 'atleast' of 1 or more")
    if condition.field in ("level", "hours_played"):
        for number in (condition.at_least, condition.at_most):
            if number is not None and not 0 <= number <= MAX_HOURS:
                raise _refused(condition, f"needs numbers from 0 to {MAX_HOURS}")
    if condition.list is not None and not NAME.fullmatch(condition.list):
        raise _refused(condition, "names a list that does not exist")


async def check_objects(reader: Queryable, definition: Definition) -> None:
    """Raise InvalidSegment if a class, item, guild, variable or list does not exist."""
    for field, sql in EXISTING.items():
        wanted = _ids(definition, field)
        rows = await reader.rows(sql, list(wanted)) if wanted else []
        if absent := wanted - {row["id"] for row in rows}:
            raise InvalidSegment(f"No {field} has the id {min(absent)}.", field="groups")
    declared = await find_variables(reader, definition)
    for condition in definition.conditions:
        if condition.field in OWNERS and condition.id is not None:
            _check_variable(condition, declared.get((condition.field, condition.id)))
    lists = list_names(definition)
    rows = (
        await reader.rows("SELECT name FROM segment_lists WHERE name = ANY($1)", list(lists))
        if lists
        else []
    )
    if gone := lists - {row["name"] for row in rows}:
        raise InvalidSegment(f"No list is named '{min(gone)}'.", field="groups")


def _check_variable(condition: Condition, variable: Variable | None) -> None:
    if variable is None:
        raise InvalidSegment(
            f"No {OWNERS[condition.field]} variable has the id {condition.id}.", field="groups"
        )
    if condition.equals is not None:
        try:
            variables.typed(variable, condition.equals)
        except WrongVariableType as wrong:
            raise InvalidSegment(str(wrong), field="groups") from None
    elif variable.type not in ("integer", "number"):
        raise InvalidSegment(
            f"'{variable.name}' has no order. Use 'equals' instead of 'atleast' and 'atmost'.",
            field="groups",
        )


async def find_variables(reader: Queryable, definition: Definition) -> Variables:
    """The variables that conditions compare; one that no longer exists is left out."""
    found: dict[tuple[ConditionField, UUID], Variable] = {}
    for field, owner in OWNERS.items():
        if wanted := _ids(definition, field):
            declared = await variables.find_variables(reader, wanted, owner)
            found |= {(field, variable.id): variable for variable in declared.values()}
    return found


def list_names(definition: Definition) -> set[str]:
    """The names of the lists that a definition uses."""
    return {condition.list for condition in definition.conditions if condition.list is not None}


def _ids(definition: Definition, field: ConditionField) -> set[UUID]:
    return set(_ids_of(definition.conditions, field))


def _ids_of(conditions: Iterable[Condition], field: ConditionField) -> Iterable[UUID]:
    return (
        condition.id
        for condition in conditions
        if condition.field == field and condition.id is not None
    )


def _spelled(name: str) -> str:
    return name.replace("_", "")


def _refused(condition: Condition, what: str) -> InvalidSegment:
    return InvalidSegment(f"The condition '{condition.field}' {what}.", field="groups")
