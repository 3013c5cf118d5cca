"""
Export of all accounts and characters as JSON Lines, in the form that an import reads.

One snapshot, in the order of the ids, some thousands at a time: it may run while the service
runs, and takes the same memory for any number. Deleted characters are left out.
"""

from collections.abc import Callable
from typing import BinaryIO, LiteralString
from uuid import UUID

import msgspec

from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Writer, prepare
from gamekeeper.ledger.snapshots import lane
from gamekeeper.transfer import stored
from gamekeeper.transfer.lines import PlayerLine, UserLine

WINDOW = 2_000

USERS: LiteralString = "SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2"
PLAYERS: LiteralString = "SELECT id FROM players WHERE id > $1 ORDER BY id LIMIT $2"

ExportProgress = Callable[[int, int], None]
"""Progress callback: how many lines were written, and about how many there are."""


class Exported(msgspec.Struct):
    users: int = 0
    players: int = 0


async def send(
    settings: Settings,
    out: BinaryIO,
    *,
    private: bool = False,
    tell: ExportProgress = lambda done, total: None,
) -> Exported:
    """Write every account and every character; emails and passwords only if `private`."""
    encoder, done = msgspec.json.Encoder(), Exported()
    async with lane(settings) as connection:
        await prepare(connection)
        reader = Writer(connection, settings)
        total = await reader.value(
            "SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM players)"
        )
        last = UUID(int=0)
        while ids := [row["id"] for row in await reader.rows(USERS, last, WINDOW)]:
            users = await stored.read_users(reader, ids, private=private)
            done.users += _write(out, encoder, list(users.values()))
            last = ids[-1]
            tell(done.users, total)
        last = UUID(int=0)
        while ids := [row["id"] for row in await reader.rows(PLAYERS, last, WINDOW)]:
            players = await stored.read_players(reader, ids)
            done.players += _write(out, encoder, list(players.values()))
            last = ids[-1]
            tell(done.users + done.players, total)
    return done


def _write(
    out: BinaryIO, encoder: msgspec.json.Encoder, lines: list[UserLine] | list[PlayerLine]
) -> int:
    out.write(encoder.encode_lines(lines))
    return len(lines)
