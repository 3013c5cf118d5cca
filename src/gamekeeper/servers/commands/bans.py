"""
Bans take effect at once: they end the sign-ins of the account and kick its online characters.

Staff, imports and the move from Intersect impose sanctions here, so that a ban does the same
wherever it comes from.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import structs

from gamekeeper.auth import openid_sessions, tokens
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.sanctions import changes
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.sanctions.records import Sanction
from gamekeeper.servers.commands import outbox
from gamekeeper.servers.commands.outbox import NewCommand
from gamekeeper.servers.commands.payloads import LONGEST_TEXT
from gamekeeper.users import lookup


async def lock(writer: Writer, users: Sequence[UUID]) -> None:
    """Lock the characters of accounts, then the accounts: nobody joins or signs in meanwhile."""
    await writer.run(
        "SELECT FROM players WHERE user_id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(users)
    )
    await lookup.lock(writer, users)


async def impose(writer: Writer, new: Sequence[NewSanction]) -> list[Sanction]:
    """Store sanctions and enforce the bans among them. The accounts must be locked (`lock`)."""
    made = await changes.insert(writer, new)
    await _enforce(writer, made, {sanction.id: sanction.by for sanction in new})
    return made


async def _enforce(
    writer: Writer, imposed: Sequence[Sanction], by: Mapping[UUID, AuditContext]
) -> None:
    """
    End the sign-ins of banned accounts and kick their characters; `by` says who imposed each ban.

    A ban of a character ends no sign-in. A ban that starts later needs nothing now: lookups of
    sign-ins check for bans too.
    """
    bans = [sanction for sanction in imposed if sanction.kind == "ban" and sanction.in_force]
    if not bans:
        return
    users = sorted({ban.user_id for ban in bans if ban.player_id is None})
    await tokens.end_all(writer, users)
    await openid_sessions.end_all(writer, users)
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
