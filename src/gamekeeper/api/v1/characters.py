"""Endpoints that create, rename, change and delete characters. Additions to the contract."""

from uuid import UUID

from gamekeeper.api.path_parameters import PlayerKey, UserKey
from gamekeeper.api.v1.sheets import MANAGE, Beginnings
from gamekeeper.api.v1.transactions import FenceMissing
from gamekeeper.catalog.classes import UnknownClass
from gamekeeper.core.schemas import Body
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes
from gamekeeper.players import attributes, characters, name_changes
from gamekeeper.players.attributes import ClassChange, Promotion
from gamekeeper.players.characters import Creation, Deletion, PlayerOnline, TooManyCharacters
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.memberships import OwnsGuild
from gamekeeper.players.name_changes import Renaming
from gamekeeper.players.names import InvalidName, NameTaken
from gamekeeper.players.progress import InvalidProgress
from gamekeeper.players.records import Player
from gamekeeper.players.sheet import InvalidSheet, LevelAboveClass, SheetChange
from gamekeeper.servers import deletion
from gamekeeper.servers.deletion import ServersDeletion
from gamekeeper.servers.leases import Fenced, LeaseHolder, ServerNotFound
from gamekeeper.servers.owners import ServerOwned
from gamekeeper.users import lookup as users
from gamekeeper.users.lookup import UserNotFound

routes = Routes("/api/v1/players")
owners = Routes("/api/v1/users")


class CreatePlayer(Beginnings, frozen=True, kw_only=True):
    name: str
    """
    2 to 20 letters or digits of one script, at least one of them a letter, with single spaces,
    `-`, `'` or `_` between them.
    """
    class_id: UUID
    """The class's id."""


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
async def create_player(
    database: Database, by: AuditContext, key: UserKey, body: CreatePlayer
) -> Player:
    """Create a character of level 1, with what its class begins with."""
    begins = {name: getattr(body, name) for name in Beginnings.__struct_fields__}
    order = Creation(
        by=by,
        user_id=await users.find_user_id(database.reader, key),
        name=body.name,
        class_id=body.class_id,
        begins=SheetChange(**begins),
    )
    return await characters.create.one(database, order)


class DeletePlayer(Body, frozen=True):
    server: UUID | None = None
    """The game server that deletes it, if it plays there."""
    fence: int | None = None
    """The fencing number that came with the lease."""


@routes.delete(
    "/{key}",
    MANAGE,
    raises=(
        *(PlayerNotFound, PlayerOnline, OwnsGuild),
        *(FenceMissing, ServerNotFound, ServerOwned, Fenced),
    ),
)
async def delete_player(
    database: Database, by: AuditContext, key: PlayerKey, body: DeletePlayer
) -> Player:
    """Delete an offline character with everything it has, and return its last state."""
    if (body.server is None) != (body.fence is None):
        raise FenceMissing
    if body.server is None:
        return await characters.delete.one(database, Deletion(by=by, player=key))
    holder = LeaseHolder(body.server, body.fence or 0)
    return await deletion.delete.one(database, ServersDeletion(by=by, holder=holder, player=key))


class RenamePlayer(Body, frozen=True):
    name: str
    """The new name, as `name` of a new character."""


@routes.post("/{key}/name", MANAGE, raises=(PlayerNotFound, InvalidName, NameTaken))
async def rename_player(
    database: Database, by: AuditContext, key: PlayerKey, body: RenamePlayer
) -> Player:
    """Rename a character."""
    return await name_changes.rename.one(database, Renaming(by=by, player=key, name=body.name))


class ChangeClass(Body, frozen=True):
    class_id: UUID
    """The class's id."""


@routes.post("/{key}/class", MANAGE, raises=(PlayerNotFound, UnknownClass, LevelAboveClass))
async def change_class(
    database: Database, by: AuditContext, key: PlayerKey, body: ChangeClass
) -> Player:
    """Change the class of a character, with its base stats and vitals."""
    order = ClassChange(by=by, player=key, class_id=body.class_id)
    return await attributes.change_class.one(database, order)


class SetLevel(Body, frozen=True):
    level: int
    """At least 1; capped at the maximum of the class."""


@routes.post("/{key}/level", MANAGE, raises=(PlayerNotFound, InvalidProgress))
async def set_level(database: Database, by: AuditContext, key: PlayerKey, body: SetLevel) -> Player:
    """Set the level of a character; its experience becomes 0."""
    return await attributes.set_level.one(database, Promotion(by=by, player=key, level=body.level))
