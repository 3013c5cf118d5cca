"""Rename characters: in the table of unique names and in every ordering by name."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.core.errors import Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging.orderings import ONLINE, PLAYERS, added, by_name, record_deltas, removed
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import names
from gamekeeper.players.characters import outcomes
from gamekeeper.players.lookup import unknown
from gamekeeper.players.names import NameClaims, NameTaken
from gamekeeper.players.records import Player
from gamekeeper.players.state import lock_all


class Renaming(Command, frozen=True, kw_only=True):
    player: str
    name: str
    staff: bool = False
    """Whether the name may contain reserved words that suggest staff."""


@operation
async def rename(writer: Writer, commands: Sequence[Renaming]) -> list[Player | Problem]:
    """Rename characters in list order; each command sees the result of the one before."""
    players = await lock_all(writer, [command.player for command in commands])
    rows = await writer.rows(
        "SELECT id, name FROM players WHERE id = ANY($1)", [player for player in players if player]
    )
    stored: dict[UUID, str] = {row["id"]: row["name"] for row in rows}
    now = dict(stored)
    wanted = [
        (player, command.name)
        for command, player in zip(commands, players, strict=True)
        if player and _misnamed(command) is None
    ]
    directory = await NameClaims.load(writer, wanted, stored)
    done: list[Action] = []
    refused: dict[int, Problem] = {}
    for number, (command, player) in enumerate(zip(commands, players, strict=True)):
        if player is None:
            refused[number] = unknown(command.player)
        elif refusal := _misnamed(command):
            refused[number] = refusal
        elif not directory.take(player, command.name, now[player]):
            refused[number] = NameTaken()
        elif command.name != now[player]:
            done.append(_renamed(command, player, now[player]))
            now[player] = command.name
    await directory.save(writer)
    await save_names(writer, stored, now)
    await actions.record(writer, done)
    # A character that is renamed twice in one list is shown under its last name.
    done_or_refused = [refused.get(number) or player for number, player in enumerate(players)]
    return await outcomes(writer, [outcome for outcome in done_or_refused if outcome])


def _misnamed(command: Renaming) -> Problem | None:
    return names.refusal(command.name, staff=command.staff)


def _renamed(command: Renaming, player: UUID, former: str) -> Action:
    return Action(
        kind="players.rename",
        by=command.by,
        player_id=player,
        before={"name": former},
        after={"name": command.name},
    )


async def save_names(writer: Writer, stored: Mapping[UUID, str], now: Mapping[UUID, str]) -> None:
    """Write the names of locked players; the caller saves the NameClaims (names.py)."""
    new = {player: name for player, name in now.items() if name != stored[player]}
    if not new:
        return
    keys = {player: by_name(fold(name), player) for player, name in new.items()}
    former = {player: by_name(fold(stored[player]), player) for player in new}
    await writer.run(
        """
        UPDATE players SET name = new.name, name_key = new.name_key
          FROM unnest($1::uuid[], $2::text[], $3::text[]) AS new (id, name, name_key)
         WHERE players.id = ANY($1) AND players.id = new.id
        """,
        list(new),
        list(new.values()),
        [fold(name) for name in new.values()],
    )
    playing = await writer.rows(
        """
        UPDATE presences SET list_key = new.list_key
          FROM unnest($1::uuid[], $2::bytea[]) AS new (player_id, list_key)
         WHERE presences.player_id = ANY($1) AND presences.player_id = new.player_id
        RETURNING presences.player_id
        """,
        list(keys),
        list(keys.values()),
    )
    moved = [(PLAYERS, player) for player in new]
    moved += [(ONLINE, row["player_id"]) for row in playing]
    await record_deltas(writer, [removed(listing, former[player]) for listing, player in moved])
    await record_deltas(writer, [added(listing, keys[player]) for listing, player in moved])
