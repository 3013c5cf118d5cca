"""Values from the JSON of shops: of the expected type, or absent. Payloads are untrusted."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from gamekeeper.core.names import LONGEST_KEY
from gamekeeper.orders.content import AMOUNT, CURRENCY, PRODUCT, InvalidOrder


def object_at(payload: Any, *path: str) -> Mapping[str, Any]:
    """The object below these names; an empty one if it is absent."""
    for name in path:
        payload = payload.get(name) if isinstance(payload, Mapping) else None
    return payload if isinstance(payload, Mapping) else {}


def objects_at(payload: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects in the list of this name."""
    values: Any = payload.get(name)
    if not isinstance(values, list):
        return []
    return [value for value in values if isinstance(value, Mapping)]


def text_at(payload: Mapping[str, Any], name: str, longest: int = 128) -> str | None:
    """A text or a whole number as text; None if it is absent, empty or too long."""
    value = payload.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return value if isinstance(value, str) and 1 <= len(value) <= longest else None


def required(payload: Mapping[str, Any], name: str) -> str:
    found = text_at(payload, name)
    if found is None:
        raise InvalidOrder(f"The event has no '{name}'.", field=name)
    return found


def name_at(payload: Mapping[str, Any], name: str) -> str | None:
    """The name or id of an account or a character."""
    found = text_at(payload, name, LONGEST_KEY)
    return None if found is None or "\0" in found else found


def product_of(text: str | None) -> str:
    """A product's id; `unknown` for an unusable one, so that the order is still stored."""
    return text if text is not None and PRODUCT.fullmatch(text) else "unknown"


def quantity_of(value: Any) -> int:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return max(1, min(1_000_000, value)) if is_number else 1


def amount_of(value: Any) -> Decimal | None:
    """An amount in whole units of the currency."""
    text = str(value) if isinstance(value, int | float | str) else ""
    return Decimal(text) if AMOUNT.fullmatch(text) else None


def currency_of(value: Any) -> str | None:
    text = value.upper() if isinstance(value, str) else ""
    return text if CURRENCY.fullmatch(text) else None


def instant_of(value: Any) -> datetime | None:
    """A Unix time or an RFC 3339 text."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        if isinstance(value, int) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
