"""The values that an action changed, in one line: level 3 → 4, exp 120 → 0."""

from collections.abc import Mapping
from typing import Any

from gamekeeper.ledger.audit_log import Entry

MAX_VALUES = 3


def changed_values(entry: Entry) -> str:
    """The first changed values, with those before; empty if the action has none to show."""
    before, after = _fields(entry.before), _fields(entry.after)
    changed = [
        f"{field} {_change(before.get(field), value)}"
        for field, value in after.items()
        if value != before.get(field) and _plain(value)
    ]
    return ", ".join([*changed[:MAX_VALUES], *(["…"] if len(changed) > MAX_VALUES else [])])


def _fields(state: Any) -> Mapping[str, Any]:
    """The fields of a recorded state; those of a character's sheet are one level below."""
    if not isinstance(state, dict):
        return {}
    sheet = state.get("sheet")
    return sheet if isinstance(sheet, dict) else state


def _change(before: object, after: object) -> str:
    was, now = _plain(before), _plain(after)
    return f"{was} → {now}" if was else now


def _plain(value: object) -> str:
    """A value as people read it; empty for one that does not fit in a line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list) and all(isinstance(number, int) for number in value):
        return "/".join(map(str, value))
    return ""
