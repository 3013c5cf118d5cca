"""Deletion of characters by their game server, which must hold its lease (fencing)."""

from collections.abc import Sequence

from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion
from gamekeeper.players.records import Player
from gamekeeper.servers import leases
from gamekeeper.servers.leases import LeaseHolder


class ServersDeletion(Command, frozen=True, kw_only=True):
    holder: LeaseHolder
    player: str


@operation
async def delete(writer: Writer, commands: Sequence[ServersDeletion]) -> list[Player | Problem]:
    """Delete characters that play on the callers' servers, or on none."""
    holders = {command.holder: command.by for command in commands}
    kept_out: dict[LeaseHolder, Problem | None] = {}
    # Lock order: servers before players, each in id order.
    for holder in sorted(holders, key=lambda one: (one.server_id, one.fence)):
        kept_out[holder] = await leases.hold(writer, holder, holders[holder])
    admitted = [command for command in commands if kept_out[command.holder] is None]
    done = iter(await characters.delete(writer, [_deletion(command) for command in admitted]))
    return [kept_out[command.holder] or next(done) for command in commands]


def _deletion(command: ServersDeletion) -> Deletion:
    return Deletion(by=command.by, player=command.player, server_id=command.holder.server_id)
