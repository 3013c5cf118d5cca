"""Character sheet endpoints: read, as of any instant, and save. Additions to the contract."""

from uuid import UUID

from gamekeeper.api.path_parameters import PlayerKey
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
    """The gender as the game encodes it, 0 to 255."""
    map_id: UUID | None = None
    """The target map of a warp; a message is shown only on this map."""
    map_name: str | None = None
    """The name of the map; at most 255 characters."""
    x: int | None = None
    """The position on the map."""
    y: int | None = None
    """The position on the map."""
    z: int | None = None
    """The position on the map."""
    dir: int | None = None
    """The direction, 0 to 255."""
    sprite: str | None = None
    """The file of its sprite; at most 255 characters."""
    face: str | None = None
    """The file of its face; at most 255 characters."""
    name_color: str | None = None
    """`#RRGGBB` or `#AARRGGBB`; empty for the game's own choice."""


@routes.get("/{key}/sheet", READ, raises=(PlayerNotFound,))
async def get_sheet(reader: Reader, key: PlayerKey, query: AsOf) -> Sheet:
    """A character's sheet, now or as of an instant."""
    if query.at:
        return await sheets.as_of(reader, key, query.at)
    return await sheets.current(reader, key)


class SheetBody(Beginnings, frozen=True):
    class_id: UUID | None = None
    """The class's id."""
    stat_points: int | None = None
    """Points that are not spent yet."""
    vitals: list[int] | None = None
    """Health, mana; neither above its `maxvitals`. JSON bodies only."""
    max_vitals: list[int] | None = None
    """Health, mana; `vitals` fall with them. JSON bodies only."""
    base_stats: list[int] | None = None
    """Attack, ability power, defense, magic resist, speed. JSON bodies only."""
    stat_point_allocations: list[int] | None = None
    """As `basestats`. JSON bodies only."""
    equipment: list[int] | None = None
    """
    For each equipment slot, at most 32, the inventory slot worn in it, or -1. JSON bodies only.
    """

    @property
    def change(self) -> SheetChange:
        return SheetChange(**{name: getattr(self, name) for name in FIELDS})


@routes.post(
    "/{key}/sheet", MANAGE, raises=(PlayerNotFound, InvalidSheet, UnknownClass, LevelAboveClass)
)
async def save_sheet(
    database: Database, by: AuditContext, key: PlayerKey, body: SheetBody
) -> Sheet:
    """Change the given fields of a character's sheet, all or nothing."""
    order = SheetSaving(by=by, player=key, change=body.change)
    return await attributes.save_sheets.one(database, order)
