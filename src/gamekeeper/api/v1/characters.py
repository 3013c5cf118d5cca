"""Characters created, renamed, changed and deleted; their sheets. Additions to the contract."""

from uuid import UUID

from msgspec import structs

from gamekeeper.api.v1.players import READ, AsOf
from gamekeeper.api.v1.transactions import FenceMissing
from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.database import Database, Reader
from gamekeeper.operations import By
from gamekeeper.players import attributes, characters, name_changes, sheets
from gamekeeper.players.attributes import ClassChange, Promotion, SheetSaving
from gamekeeper.players.characters import Creation, Deletion, PlayerOnline, TooManyCharacters
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.name_changes import Renaming
from gamekeeper.players.names import InvalidName, NameTaken
from gamekeeper.players.progress import InvalidProgress
from gamekeeper.players.records import Player
from gamekeeper.players.sheet import InvalidSheet, LevelAboveClass, Sheet, SheetChange
from gamekeeper.routing import Routes
from gamekeeper.servers import deletion
from gamekeeper.servers.deletion import ServersDeletion
from gamekeeper.servers.leases import Fenced, Holder, ServerNotFound
from gamekeeper.servers.owners import ServerOwned
from gamekeeper.shapes import Body
from gamekeeper.users import lookup as users
from gamekeeper.users.lookup import UserNotFound

routes = Routes("/api/v1/players")
owners = Routes("/api/v1/users")

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


class CreatePlayer(Beginnings, frozen=True, kw_only=True):
    name: str
    class_id: UUID


@owners.post(
    "/{key}/players",
    MANAGE,
    raises=(
        UserNotFound,
        InvalidName,
        UnknownClass,
        InvalidSheet,
        TooManyCharacters,
        NameTaken,
    ),
)
async def create_player(database: Database, by: By, key: str, body: CreatePlayer) -> Player:
    """Create a character of level 1, with what its class begins with."""
    begins = {name: getattr(body, name) for name in Beginnings.__struct_fields__}
    order = Creation(
        by=by,
        user_id=await users.find(database.reader, key),
        name=body.name,
        class_id=body.class_id,
        begins=SheetChange(**begins),
    )
    return await characters.create.one(database, order)


class DeletePlayer(Body, frozen=True):
    server: UUID | None = None
    fence: int | None = None


@routes.delete(
    "/{key}",
    MANAGE,
    raises=(PlayerNotFound, PlayerOnline, FenceMissing, ServerNotFound, ServerOwned, Fenced),
)
async def delete_player(database: Database, by: By, key: str, body: DeletePlayer) -> Player:
    """Delete a character that is not online with all it has, and show what it was."""
    if (body.server is None) != (body.fence is None):
        raise FenceMissing
    if body.server is None:
        return await characters.delete.one(database, Deletion(by=by, player=key))
    holder = Holder(body.server, body.fence or 0)
    return await deletion.delete.one(database, ServersDeletion(by=by, holder=holder, player=key))


class RenamePlayer(Body, frozen=True):
    name: str


@routes.post("/{key}/name", MANAGE, raises=(PlayerNotFound, InvalidName, NameTaken))
async def rename_player(database: Database, by: By, key: str, body: RenamePlayer) -> Player:
    """Give a character another name."""
    return await name_changes.rename.one(database, Renaming(by=by, player=key, name=body.name))


class ChangeClass(Body, frozen=True):
    class_id: UUID


@routes.post("/{key}/class", MANAGE, raises=(PlayerNotFound, UnknownClass, LevelAboveClass))
async def change_class(database: Database, by: By, key: str, body: ChangeClass) -> Player:
    """Give a character another class, with its base stats and vitals."""
    order = ClassChange(by=by, player=key, class_id=body.class_id)
    return await attributes.change_class.one(database, order)


class SetLevel(Body, frozen=True):
    level: int


@routes.post("/{key}/level", MANAGE, raises=(PlayerNotFound, InvalidProgress))
async def set_level(database: Database, by: By, key: str, body: SetLevel) -> Player:
    """Give a character a level, without experience in it."""
    return await attributes.set_level.one(database, Promotion(by=by, player=key, level=body.level))


@routes.get("/{key}/sheet", READ, raises=(PlayerNotFound,))
async def get_sheet(reader: Reader, key: str, query: AsOf) -> Sheet:
    """A character's sheet, now or as of an instant."""
    if query.at:
        return await sheets.as_of(reader, key, query.at)
    return await sheets.current(reader, key)


class SaveSheet(Beginnings, frozen=True):
    class_id: UUID | None = None
    stat_points: int | None = None
    vitals: list[int] | None = None
    max_vitals: list[int] | None = None
    base_stats: list[int] | None = None
    stat_point_allocations: list[int] | None = None
    equipment: list[int] | None = None


@routes.post(
    "/{key}/sheet", MANAGE, raises=(PlayerNotFound, InvalidSheet, UnknownClass, LevelAboveClass)
)
async def save_sheet(database: Database, by: By, key: str, body: SaveSheet) -> Sheet:
    """Change what is given of a character's sheet, all of it or nothing."""
    change = SheetChange(**structs.asdict(body))
    return await attributes.save_sheets.one(database, SheetSaving(by=by, player=key, change=change))
