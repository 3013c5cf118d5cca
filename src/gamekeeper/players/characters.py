"""
Creation and deletion of characters; `name_changes` renames them, `attributes` changes them.

Each records an action in the same transaction, and each can be undone. A deleted character
is archived (archive.py); while it is online, only its own game server may delete it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID, uuid4

import msgspec
from msgspec import structs

from gamekeeper.catalog import classes as catalog
from gamekeeper.catalog.files import Class
from gamekeeper.core.errors import Conflict, NotFound, Problem
from gamekeeper.core.names import fold
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging.orderings import PLAYERS, RANK, added, by_name, by_rank, record_deltas
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.players import archive, memberships, names, sheet
from gamekeeper.players.lookup import unknown
from gamekeeper.players.memberships import OwnsGuild
from gamekeeper.players.names import NameClaims, NameTaken
from gamekeeper.players.records import COLUMNS, JOINS, Player
from gamekeeper.players.sheet import Sheet, SheetChange
from gamekeeper.players.state import lock_all


class UserNotFound(NotFound):
    """No user has that id."""


class TooManyCharacters(Conflict):
    """The account already has the maximum number of characters."""


# A sentence of Intersect, which its clients compare: it stays as it is.
class PlayerOnline(Conflict):
    """Failed to delete player because they are online!"""

    cacheable = False


class Creation(Command, frozen=True, kw_only=True):
    user_id: UUID
    name: str
    class_id: UUID
    begins: SheetChange = SheetChange()
    """The initial location and appearance; the rest comes from the class."""
    staff: bool = False
    """Whether the name may contain reserved words that suggest staff."""


class Deletion(Command, frozen=True, kw_only=True):
    player: str
    server_id: UUID | None = None
    """The game server that deletes it; the caller must hold its lease."""


async def records(writer: Writer, players: Sequence[UUID]) -> dict[UUID, Player]:
    """The Player records of characters, read inside the transaction that changes them."""
    found = await writer.all(
        Player,
        f"SELECT {COLUMNS} FROM players {JOINS} WHERE players.id = ANY($1)",
        list(players),
    )
    return {player.id: player for player in found}


# ── Creating ──


@operation
async def create(writer: Writer, commands: Sequence[Creation]) -> list[Player | Problem]:
    """Create characters of level 1, each with the initial values of its class."""
    users = sorted({command.user_id for command in commands})
    # Locked before they are counted: concurrent creations must not exceed the limit together.
    there = await _lock_users(writer, users)
    owned = await character_counts(writer, users)
    classes = await catalog.find_classes(writer, {command.class_id for command in commands})
    new = [(uuid4(), command) for command in commands]
    wanted = [(player, command.name) for player, command in new if _misnamed(command) is None]
    directory = await NameClaims.load(writer, wanted, {})
    begun: dict[UUID, Sheet] = {}
    refused: dict[UUID, Problem] = {}
    for player, command in new:
        try:
            begins = _created(writer, command, there, classes)
            if owned[command.user_id] >= writer.settings.characters_per_user:
                raise TooManyCharacters(None, most=writer.settings.characters_per_user)
            if not directory.take(player, command.name):
                raise NameTaken
        except Problem as problem:
            refused[player] = problem
        else:
            owned[command.user_id] += 1
            begun[player] = begins
    await directory.save(writer)
    made = {player: command for player, command in new if player in begun}
    await _insert(writer, made, begun)
    shown = await records(writer, list(made))
    return [refused.get(player) or shown[player] for player, _ in new]


async def _lock_users(writer: Writer, users: Sequence[UUID]) -> set[UUID]:
    """Lock accounts, in id order, so that no other transaction adds characters to them."""
    rows = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", list(users)
    )
    return {row["id"] for row in rows}


async def character_counts(writer: Writer, users: Sequence[UUID]) -> Counter[UUID]:
    """How many characters each account has."""
    rows = await writer.rows(
        "SELECT user_id, count(*) AS count FROM players WHERE user_id = ANY($1) GROUP BY user_id",
        list(users),
    )
    return Counter({row["user_id"]: row["count"] for row in rows})


def _misnamed(command: Creation) -> Problem | None:
    return names.refusal(command.name, staff=command.staff)


def _created(
    writer: Writer, command: Creation, users: set[UUID], classes: Mapping[UUID, Class]
) -> Sheet:
    """The sheet of a new character; raises a Problem if the creation is refused."""
    if command.user_id not in users:
        raise UserNotFound(f"No user with id '{command.user_id}'.")
    if refusal := _misnamed(command):
        raise refusal
    kind = sheet.checked_class(classes.get(command.class_id), 1)
    blank = sheet.blank(kind)
    return sheet.merged(blank, command.begins, inventory_slots=writer.settings.inventory_slots)


async def _insert(
    writer: Writer, made: Mapping[UUID, Creation], begun: Mapping[UUID, Sheet]
) -> None:
    rows: list[dict[str, Any]] = [
        {
            "id": player,
            "user_id": command.user_id,
            "name": command.name,
            "name_key": fold(command.name),
        }
        | structs.asdict(begun[player])
        for player, command in made.items()
    ]
    if not rows:
        return
    await writer.run(INSERT, msgspec.json.encode(rows).decode())
    await record_deltas(
        writer,
        [
            delta
            for player, command in made.items()
            for delta in (
                added(RANK, by_rank(1, 0, player)),
                added(PLAYERS, by_name(fold(command.name), player)),
            )
        ],
    )
    await actions.record(
        writer,
        [
            Action(
                kind="players.create",
                by=command.by,
                player_id=player,
                after=described(command.name, command.user_id, command.class_id, 1),
            )
            for player, command in made.items()
        ],
    )


INSERT: LiteralString = """
    INSERT INTO players (id, user_id, name, name_key, class_id, gender, stat_points, vitals,
                         max_vitals, base_stats, stat_point_allocations, equipment, map_id,
                         map_name, x, y, z, dir, sprite, face, name_color)
    SELECT id, user_id, name, name_key, class_id, gender, stat_points, vitals,
           max_vitals, base_stats, stat_point_allocations, equipment, map_id,
           map_name, x, y, z, dir, sprite, face, name_color
      FROM json_populate_recordset(NULL::players, $1::text::json)
"""


def described(name: str, user: UUID, kind: UUID, level: int) -> dict[str, Any]:
    """An action's state for a created or deleted character; the archive has the rest."""
    return {"character": {"name": name, "user_id": user, "class_id": kind, "level": level}}


async def outcomes(writer: Writer, done: Sequence[UUID | Problem]) -> list[Player | Problem]:
    """The Problems as they are, and each player's record after the whole list."""
    shown = await records(writer, [outcome for outcome in done if isinstance(outcome, UUID)])
    return [shown[outcome] if isinstance(outcome, UUID) else outcome for outcome in done]


# ── Deleting ──


@operation
async def delete(writer: Writer, commands: Sequence[Deletion]) -> list[Player | Problem]:
    """Delete characters with all they have; returns their records before the deletion."""
    players = await lock_all(writer, [command.player for command in commands])
    shown = await records(writer, [player for player in players if player])
    servers = await playing(writer, list(shown))
    owners = await memberships.owners(writer, list(shown))
    gone: dict[UUID, Action] = {}
    answers: list[Player | Problem] = []
    for command, player in zip(commands, players, strict=True):
        if player is None or player in gone:
            answers.append(unknown(command.player))
        elif servers.get(player, command.server_id) != command.server_id:
            answers.append(PlayerOnline())
        elif player in owners:
            answers.append(OwnsGuild())
        else:
            gone[player] = deleted(command, shown[player])
            answers.append(shown[player])
    await archive.put_away(
        writer, {player: action.id for player, action in gone.items()}, "removal"
    )
    await actions.record(writer, list(gone.values()))
    return answers


def deleted(command: Command, player: Player) -> Action:
    before = described(player.name, player.user_id, player.class_id, player.level)
    return Action(kind="players.delete", by=command.by, player_id=player.id, before=before)


async def playing(writer: Writer, players: Sequence[UUID]) -> dict[UUID, UUID]:
    """The live game server of each player who is online."""
    rows = await writer.rows(
        """
        SELECT player_id, server_id
          FROM presences JOIN servers ON servers.id = server_id
         WHERE player_id = ANY($1) AND lease_until > clock_timestamp()
        """,
        list(players),
    )
    return {row["player_id"]: row["server_id"] for row in rows}
