"""
Game objects, as clients of the Intersect Engine read them: items, maps, quests and the rest.

Its versions 0.6 and 0.7 list them by POST, 0.8 by GET, in envelopes that differ.
"""

from uuid import UUID

from gamekeeper.api.path_parameters import ObjectId, ObjectType
from gamekeeper.catalog import objects
from gamekeeper.catalog.objects import InvalidObjectType, ObjectNotFound
from gamekeeper.core.parsing import JsonObject
from gamekeeper.core.schemas import (
    LegacyPage,
    LegacyPaging,
    LenientPaging,
    Page,
    Record,
    Window,
)
from gamekeeper.db.database import Reader
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes

# The scope of the catalog, of which these are another view.
routes = Routes("/api/v1/gameobjects", roles=["players.read"])

SMALLEST_PAGE = 5


class ObjectPaging(LegacyPaging, frozen=True):
    count: int = 5
    """The page size, 5 to 100."""

    @property
    def window(self) -> Window:
        return Window.of(self.page, max(SMALLEST_PAGE, self.count))


class ObjectQuery(LenientPaging, frozen=True):
    page_size: int = 10
    """The page size, 5 to 100."""

    @property
    def window(self) -> Window:
        return Window.of(self.page, max(SMALLEST_PAGE, self.page_size), self.limit)


class ObjectEntry(Record, frozen=True):
    """An object and its id."""

    key: UUID
    """The object's id."""
    value: JsonObject
    """The object, with every key of its type in the engine."""


# Not Page[…]: the OpenAPI document has no name for a page of something that has none.
class ObjectPage(Record, frozen=True):
    """A page of objects."""

    total: int
    page: int
    page_size: int
    count: int
    values: list[JsonObject]


class ObjectNames(Record, frozen=True):
    """The names of all objects of a type, as one page."""

    total: int
    page: int
    page_size: int
    count: int
    values: list[str]


@routes.get("/time")
async def get_day_cycle(reader: Reader) -> JsonObject:
    """The light of the game at each time of its day."""
    return await objects.day_cycle(reader)


@routes.post("/{object_type}", raises=(InvalidObjectType,), priority=LOW)
async def list_game_objects_by_post(
    reader: Reader, object_type: ObjectType, body: ObjectPaging
) -> LegacyPage[ObjectEntry]:
    """The objects of a type, by name, each beside its id."""
    found, total = await objects.list_objects(reader, objects.parse_type(object_type), body.window)
    entries = [ObjectEntry(key=facts["Id"], value=facts) for facts in found]
    return LegacyPage.of(Page.of(entries, total, body.window))


@routes.get("/{object_type}", raises=(InvalidObjectType,), priority=LOW)
async def list_game_objects(
    reader: Reader, object_type: ObjectType, query: ObjectQuery
) -> ObjectPage:
    """The objects of a type, by name."""
    found, total = await objects.list_objects(reader, objects.parse_type(object_type), query.window)
    window = query.window
    return ObjectPage(
        total=total, page=window.page, page_size=window.size, count=len(found), values=found
    )


@routes.post("/{object_type}/names", raises=(InvalidObjectType,), priority=LOW)
async def list_game_object_names_by_post(
    reader: Reader, object_type: ObjectType
) -> dict[UUID, str]:
    """The names of the objects of a type, by their ids; at most 10,000."""
    return await objects.object_names(reader, objects.parse_type(object_type))


@routes.get("/{object_type}/names", raises=(InvalidObjectType,), priority=LOW)
async def list_game_object_names(reader: Reader, object_type: ObjectType) -> ObjectNames:
    """The names alone of the objects of a type, all on one page; at most 10,000."""
    names = list((await objects.object_names(reader, objects.parse_type(object_type))).values())
    return ObjectNames(
        total=len(names), page=0, page_size=len(names), count=len(names), values=names
    )


@routes.get("/{object_type}/{object_id}", raises=(InvalidObjectType, ObjectNotFound))
async def get_game_object(
    reader: Reader, object_type: ObjectType, object_id: ObjectId
) -> JsonObject:
    """One object, with all its keys."""
    return await objects.find_object(reader, objects.parse_type(object_type), object_id)
