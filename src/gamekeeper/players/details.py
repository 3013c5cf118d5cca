"""What people read in a list of characters beside the record: the account and the server."""

from collections.abc import Sequence
from typing import LiteralString, TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from gamekeeper.core.schemas import Page
from gamekeeper.db.database import Reader
from gamekeeper.players.records import Player

P = TypeVar("P", bound=Player)

DETAILS: LiteralString = """
    SELECT wanted.id, users.name AS account, servers.id AS server_id, servers.name AS server
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted (id, user_id)
      LEFT JOIN users ON users.id = wanted.user_id
      LEFT JOIN presences ON presences.player_id = wanted.id
      LEFT JOIN servers ON servers.id = presences.server_id
                       AND servers.lease_until > statement_timestamp()
"""


async def with_details(reader: Reader, players: Sequence[P], *, accounts: bool) -> list[P]:
    """The characters with server and, with `accounts`, account names, by one statement."""
    if not players:
        return []
    rows = await reader.lookups.rows(
        DETAILS, [player.id for player in players], [player.user_id for player in players]
    )
    found = {row["id"]: row for row in rows}
    return [
        replace(
            player,
            account_name=(row["account"] or "") if accounts else UNSET,
            server_id=row["server_id"],
            server_name=row["server"],
        )
        for player in players
        for row in [found[player.id]]
    ]


async def in_page(reader: Reader, page: Page[P], *, accounts: bool) -> Page[P]:
    """A page of characters with the same."""
    return replace(page, values=await with_details(reader, page.values, accounts=accounts))
