"""Character sheet endpoints: read, as of any instant, and save. Additions to the contract."""

from uuid import UUID

from gamekeeper.api.v1.players import READ, AsOf
from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.players import attributes, sheets
from gamekeeper.players.attributes import SheetSaving
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.sheet import FIELDS, InvalidSheet, LevelAboveClass, Sheet, SheetChange

routes = Routes("/api/v1/players")

MANAGE = "players.manage"


class Beginnings(Body, frozen=True):
    """Where a character begins and how it looks."""

    gender: int | None = None
    map_id: UUID | None = None
    map_name: str | None = None
    x: int | None = None
    y: int | None = None
    z: int | None = None
    dir: int | None = None
    sprite: str | None = None
    face: str | None = None
    name_color: str | None = None


@routes.get("/{key}/sheet", READ, raises=(PlayerNotFound,))
async def get_sheet(reader: Reader, key: str, query: AsOf) -> Sheet:
    """A character's sheet, now or as of an instant."""
    if query.at:
        return await sheets.as_of(reader, key, query.at)
    return await sheets.current(reader, key)


class SheetBody(Beginnings, frozen=True):
    class_id: UUID | None = None
    stat_points: int | None = None
    vitals: list[int] | None = None
    max_vitals: list[int] | None = None
    base_stats: list[int] | None = None
    stat_point_allocations: list[int] | None = None
    equipment: list[int] | None = None

    @property
    def change(self) -> SheetChange:
        return SheetChange(**{name: getattr(self, name) for name in FIELDS})


@routes.post(
    "/{key}/sheet", MANAGE, raises=(PlayerNotFound, InvalidSheet, UnknownClass, LevelAboveClass)
)
async def save_sheet(database: Database, by: AuditContext, key: str, body: SheetBody) -> Sheet:
    """Change what is given of a character's sheet, all of it or nothing."""
    order = SheetSaving(by=by, player=key, change=body.change)
    return await attributes.save_sheets.one(database, order)
