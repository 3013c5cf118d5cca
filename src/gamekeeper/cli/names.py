"""Names on the command line: accepted wherever an id is, and shown instead of ids."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, TypeVar
from uuid import UUID

import typer

from gamekeeper.catalog import lookup as catalog
from gamekeeper.catalog.lookup import Named, Thing, did_you_mean
from gamekeeper.cli.command import Depends
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import nearest, parse_guid
from gamekeeper.core.schemas import Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database, Reader
from gamekeeper.players import lookup as players
from gamekeeper.players import roster
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.records import Player
from gamekeeper.users.records import User

T = TypeVar("T")

Ids = Annotated[bool, typer.Option("--ids", help="Show ids as well as names.")]
PlayerKey = Annotated[str, typer.Argument(metavar="CHARACTER", help="A name or id.")]
UserKey = Annotated[str, typer.Argument(metavar="ACCOUNT", help="A username or id.")]
ItemKey = Annotated[str, typer.Argument(metavar="ITEM", help="An item's name or id.")]

SHORT = 23
"""
Characters of a short id: the milliseconds and the whole counter of an id (core/ids.py).

Actions of one batch have the same milliseconds and differ in the counter's last digits.
"""


async def player(reader: Reader, key: str) -> Player:
    """The character with this name or id; otherwise a refusal with the nearest names."""
    try:
        return await players.find_player(reader, key)
    except PlayerNotFound as missing:
        near = await _similar_players(reader, key)
        raise PlayerNotFound(f"{missing}{did_you_mean(near)}") from None


async def _player(database: Database, key: PlayerKey) -> Player:
    return await player(database.reader, key)


FoundPlayer = Annotated[Player, Depends(_player)]
"""The character that the argument CHARACTER names."""


async def _similar_players(reader: Reader, key: str) -> list[str]:
    if parse_guid(key):
        return []
    try:
        found = await roster.list_players(reader, Window.of(0, 10), Search.of(key))
    except InvalidQuery:
        return []
    names = [player.name for player in found.values]
    return nearest(key, names) or names[:3]


async def user(reader: Reader, key: str) -> User:
    """The account with this name or id; otherwise a refusal with the nearest names."""
    from gamekeeper.users import accounts
    from gamekeeper.users.lookup import UserNotFound

    try:
        return await accounts.find_user(reader, key, sees_emails=True)
    except UserNotFound as missing:
        if parse_guid(key):
            raise
        try:
            found = await accounts.list_users(
                reader, Window.of(0, 10), Search.of(key), sees_emails=True
            )
        except InvalidQuery:
            raise missing from None
        names = [user.name for user in found.values]
        raise UserNotFound(f"{missing}{did_you_mean(nearest(key, names) or names[:3])}") from None


async def _user(database: Database, key: UserKey) -> User:
    return await user(database.reader, key)


FoundUser = Annotated[User, Depends(_user)]
"""The account that the argument ACCOUNT names."""


async def entry(reader: Reader, thing: Thing, key: str) -> Named:
    return await catalog.find_entry(reader, thing, key)


async def _item(database: Database, item: ItemKey) -> Named:
    return await entry(database.reader, "item", item)


FoundItem = Annotated[Named, Depends(_item)]
"""The item of the catalog that the argument ITEM names."""


async def names_of(reader: Reader, thing: Thing, ids: Iterable[UUID]) -> dict[UUID, str]:
    return await catalog.names_of(reader, thing, ids)


def shown(names: Mapping[UUID, str], one: UUID | None, *, ids: bool = False) -> str:
    """The name of an id; with `ids` both; an id without a name as it is."""
    if one is None:
        return ""
    name = names.get(one)
    if name is None:
        return str(one)
    return f"{name} {one}" if ids else name


def shortened(actions: Sequence[UUID], *, whole: bool = False) -> dict[UUID, str]:
    """The beginnings of actions' ids that tell them apart, for `actions undo`; or whole ids."""
    unique = len({str(action)[:SHORT] for action in actions}) == len(set(actions))
    length = SHORT if unique and not whole else None
    return {action: str(action)[:length] for action in actions}
