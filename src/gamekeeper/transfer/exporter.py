"""
Export of a whole game as JSON Lines, in the form that an import reads.

One snapshot, in the order of the ids, some thousands at a time: it may run while the service
runs, and takes the same memory for any number. Deleted characters are left out, and so are erased
accounts with their sanctions.
"""

from collections.abc import AsyncIterator, Mapping
from typing import BinaryIO, LiteralString
from uuid import UUID

import msgspec
from msgspec import UNSET

from gamekeeper.core.progress import StepCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Writer, prepare
from gamekeeper.ledger.snapshots import lane
from gamekeeper.transfer import stored, stored_guilds
from gamekeeper.transfer.chunk_import import SHAPES, Phase
from gamekeeper.transfer.lines import GuildLine, Line, PlayerLine, UserLine
from gamekeeper.transfer.positions import find_positions

WINDOW = 2_000
GUILD_WINDOW = 100
"""Fewer: a guild may have thousands of members, and a bank of thousands of slots."""

IDS: dict[Phase, LiteralString] = {
    "users": "SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2",
    "players": "SELECT id FROM players WHERE id > $1 ORDER BY id LIMIT $2",
    "guilds": "SELECT id FROM guilds WHERE id > $1 ORDER BY id LIMIT $2",
    "sanctions": """
        SELECT id FROM sanctions
         WHERE id > $1 AND EXISTS (SELECT FROM users WHERE users.id = user_id)
         ORDER BY id LIMIT $2
    """,
    "game_variables": """
        SELECT variable_id AS id FROM game_variables
         WHERE variable_id > $1 ORDER BY variable_id LIMIT $2
    """,
}
TOTAL: LiteralString = """
    SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM players)
         + (SELECT count(*) FROM guilds) + (SELECT count(*) FROM sanctions)
         + (SELECT count(*) FROM game_variables)
"""


class Exported(msgspec.Struct):
    """How many lines of each kind were written."""

    users: int = 0
    players: int = 0
    guilds: int = 0
    sanctions: int = 0
    game_variables: int = 0


async def send(
    settings: Settings,
    out: BinaryIO,
    *,
    private: bool = False,
    on_progress: StepCallback = lambda done, total: None,
) -> Exported:
    """Write a whole game; emails, languages, passwords and notes only if `private`."""
    encoder, done = msgspec.json.Encoder(), Exported()
    async with lane(settings) as connection:
        await prepare(connection)
        reader = Writer(connection, settings)
        total, written = await reader.value(TOTAL), 0
        for phase in SHAPES:
            async for lines in _windows(reader, phase, private=private):
                out.write(encoder.encode_lines(lines))
                written += len(lines)
                setattr(done, phase, getattr(done, phase) + len(lines))
                on_progress(written, total)
    return done


async def _windows(reader: Writer, phase: Phase, *, private: bool) -> AsyncIterator[list[Line]]:
    """All lines of a phase in the order of their ids, some at a time."""
    last, size = UUID(int=0), GUILD_WINDOW if phase == "guilds" else WINDOW
    while ids := [row["id"] for row in await reader.rows(IDS[phase], last, size)]:
        yield await _read(reader, phase, ids, private=private)
        last = ids[-1]


async def _read(reader: Writer, phase: Phase, ids: list[UUID], *, private: bool) -> list[Line]:
    match phase:
        case "users":
            users = await stored.read_users(reader, ids, private=private)
            return [_exported(line) for line in users.values()]
        case "players":
            return await _positioned(
                reader, await stored.read_players(reader, ids, private=private)
            )
        case "guilds":
            return await _positioned(reader, await stored_guilds.read_guilds(reader, ids))
        case "sanctions":
            found = await stored_guilds.read_sanctions(reader, ids, private=private)
            return list(found.values())
        case "game_variables":
            return list((await stored_guilds.read_game_variables(reader, ids)).values())


def _exported(line: UserLine) -> UserLine:
    # A mute is a sanction, with a line of its own: with both an import would impose two.
    line.is_muted = line.mute_reason = UNSET
    # Absent and not null, so that versions without languages can import the file.
    line.language = line.language or UNSET
    return line


async def _positioned(
    reader: Writer, lines: Mapping[UUID, PlayerLine] | Mapping[UUID, GuildLine]
) -> list[Line]:
    for owner, position in (await find_positions(reader, lines)).items():
        lines[owner].position = position
    return list(lines.values())
