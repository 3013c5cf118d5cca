"""What an import of the catalog did."""

from uuid import UUID

from msgspec import Struct


class CatalogChange(Struct, frozen=True):
    id: UUID
    name: str
    fields: dict[str, tuple[object, object]]
    """The old and the new value of each field that differs."""


class Added(Struct, frozen=True):
    id: UUID
    name: str


class Changes(Struct, frozen=True):
    """What an import did to one table."""

    table: str
    added: list[Added]
    changed: list[CatalogChange]
    unchanged: int
