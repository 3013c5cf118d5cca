"""What a ban does at once: it ends the sign-ins of its account, and kicks who is in the game."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import structs

from gamekeeper.auth import tokens
from gamekeeper.commands import outbox
from gamekeeper.commands.outbox import NewCommand
from gamekeeper.commands.payloads import LONGEST_TEXT
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.sanctions.records import Sanction


async def enforce(
    writer: Writer, imposed: Sequence[Sanction], by: Mapping[UUID, AuditContext]
) -> None:
    """
    Carry out the bans among new sanctions; `by` says who imposed each.

    One of a character ends no sign-in. One that begins later needs nothing now, and ends the
    sign-ins when it begins: whoever looks one up looks for bans too. The characters and the
    accounts must be locked, so that nobody joins or signs in meanwhile.
    """
    bans = [one for one in imposed if one.kind == "ban" and one.in_force]
    if not bans:
        return
    await tokens.end_all(writer, sorted({one.user_id for one in bans if one.player_id is None}))
    online = await _online(writer, bans)
    await outbox.send(
        writer,
        [
            NewCommand(
                # Who reads commands need not read sanctions, nor why they were imposed.
                by=structs.replace(by[ban.id], reason=None),
                kind="kick",
                player=str(player),
                payload={"Text": text} if (text := ban.message[:LONGEST_TEXT].strip()) else {},
            )
            for player, ban in online.items()
        ],
    )


async def _online(writer: Writer, bans: Sequence[Sanction]) -> dict[UUID, Sanction]:
    """The banned characters that are in the game, each with a ban that is about it."""
    rows = await writer.rows(
        """
        SELECT players.id, players.user_id
          FROM players JOIN presences ON presences.player_id = players.id
         WHERE players.user_id = ANY($1)
         ORDER BY players.id
        """,
        [ban.user_id for ban in bans],
    )
    return {
        row["id"]: ban
        for row in rows
        for ban in bans
        if ban.user_id == row["user_id"] and ban.player_id in (None, row["id"])
    }
