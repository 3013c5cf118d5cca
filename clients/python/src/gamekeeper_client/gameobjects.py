"""Game objects: the endpoints under /api/v1/gameobjects."""

from gamekeeper_client.calls import Group, How, Id, every, posts, reads
from gamekeeper_client.fields import JsonObject, LegacyPage, Page
from gamekeeper_client.records import ObjectEntry, ObjectNames


class GameObjects(Group[How]):
    """Everything that the game's editor knows, by the keys of the Intersect Engine."""

    @reads("/api/v1/gameobjects/{object_type}")
    def page(
        self, object_type: str, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[JsonObject]:
        """A page of the objects of a type (`item`, `map`, `quest`, …), by name."""
        ...

    all = every(page)

    @posts("/api/v1/gameobjects/{object_type}", keyed=False)
    def page_by_post(
        self, object_type: str, page: int = 0, count: int = 100
    ) -> LegacyPage[ObjectEntry]:
        """The same in the older envelope, each object beside its id."""
        ...

    @reads("/api/v1/gameobjects/{object_type}/names")
    def names(self, object_type: str) -> ObjectNames:
        """The names alone of the objects of a type, on one page."""
        ...

    @posts("/api/v1/gameobjects/{object_type}/names", keyed=False)
    def names_by_id(self, object_type: str) -> JsonObject:
        """The names of the objects of a type, by their ids."""
        ...

    @reads("/api/v1/gameobjects/{object_type}/{object_id}")
    def get(self, object_type: str, object_id: Id) -> JsonObject:
        """One object, with all its keys."""
        ...

    @reads("/api/v1/gameobjects/time")
    def day_cycle(self) -> JsonObject:
        """The light of the game at each time of its day."""
        ...
