"""Accounts and characters as they are stored, in the form of lines: for exports and to compare."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from msgspec import UNSET

from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Queryable
from gamekeeper.players.inventory import NO_BUFFS
from gamekeeper.sanctions.in_force import STANDING
from gamekeeper.transfer.letters import read_letters
from gamekeeper.transfer.lines import (
    BagLine,
    BagSlotLine,
    PasswordField,
    PlayerLine,
    SlotLine,
    SpellLine,
    UserLine,
)
from gamekeeper.users.accounts import POWERS

NAMES_OF_POWERS = sorted(POWERS)


# ── Accounts ──


async def read_users(
    reader: Queryable, ids: Sequence[UUID], *, private: bool = True
) -> dict[UUID, UserLine]:
    """Accounts by id; emails, languages and password records only if `private`."""
    asked = list(ids)
    variables: defaultdict[UUID, dict[UUID, Scalar]] = defaultdict(dict)
    for user, variable, value, kind in await reader.rows(USER_VARIABLES, asked):
        variables[user][variable] = float(value) if kind == "number" else value
    return {
        row["id"]: _user(row, variables[row["id"]], private=private)
        for row in await reader.rows(USERS, asked)
    }


def _user(row: Any, variables: dict[UUID, Scalar], *, private: bool) -> UserLine:
    line = UserLine(
        id=row["id"],
        name=row["name"],
        powers=[power for power in NAMES_OF_POWERS if row[power]],
        is_muted=row["is_muted"],
        mute_reason=row["mute_reason"],
        created_at=row["created_at"],
        variables=variables,
    )
    if private:
        line.email = row["email"]
        line.language = row["language"]
        line.password = PasswordField(sealed=row["sealed"]) if row["sealed"] else UNSET
    return line


USERS: LiteralString = f"""
    SELECT id, name, email, language, editor, ban, kick, mute, api, personal_information,
           user_query, user_management, {STANDING}, created_at, sealed
      FROM users LEFT JOIN passwords ON user_id = id
     WHERE id = ANY($1)
     ORDER BY id
"""

USER_VARIABLES: LiteralString = """
    SELECT user_id, variable_id, value, type
      FROM user_variables JOIN variables ON variables.id = variable_id
     WHERE user_id = ANY($1)
     ORDER BY user_id, variable_id
"""


# ── Characters ──


async def read_players(
    reader: Queryable, ids: Sequence[UUID], *, private: bool = True
) -> dict[UUID, PlayerLine]:
    """Characters by id, with all they have; the texts of letters only if `private`."""
    asked = list(ids)
    letters = await read_letters(reader, asked, private=private)
    places = await _places(reader, asked)
    spells: defaultdict[UUID, list[SpellLine]] = defaultdict(list)
    for player, slot, spell in await reader.rows(SPELLS, asked):
        spells[player].append(SpellLine(slot=slot, spell_id=spell))
    variables: defaultdict[UUID, dict[UUID, Scalar]] = defaultdict(dict)
    for player, variable, value, kind in await reader.rows(VARIABLES, asked):
        # PostgreSQL writes 1e300 as an integer of 301 digits.
        variables[player][variable] = float(value) if kind == "number" else value
    extras = {row["player_id"]: row["data"] for row in await reader.rows(EXTRAS, asked)}
    return {
        row["id"]: PlayerLine(
            **row,
            inventory=places[row["id"], "inventory"],
            bank=places[row["id"], "bank"],
            mailbox=letters[row["id"]],
            spells=spells[row["id"]],
            variables=variables[row["id"]],
            extras=extras.get(row["id"], UNSET),
        )
        for row in await reader.rows(PLAYERS, asked)
    }


async def _places(
    reader: Queryable, players: list[UUID]
) -> defaultdict[tuple[UUID, str], list[SlotLine]]:
    bags = {
        row["id"]: BagLine(id=row["id"], slot_count=row["slot_count"], slots=[])
        for row in await reader.rows(BAGS, players)
    }
    for bag, slot, item, quantity, buffs in await reader.rows(BAG_SLOTS, players):
        inside = BagSlotLine(
            slot=slot, item_id=item, quantity=quantity, stat_buffs=stat_buffs(buffs)
        )
        bags[bag].slots.append(inside)
    found: defaultdict[tuple[UUID, str], list[SlotLine]] = defaultdict(list)
    for player, place, slot, item, quantity, buffs, bag in await reader.rows(SLOTS, players):
        found[player, place].append(
            SlotLine(
                slot=slot,
                item_id=item,
                quantity=quantity,
                stat_buffs=stat_buffs(buffs),
                bag=bags[bag] if bag else None,
            )
        )
    return found


def stat_buffs(stored: list[int]) -> tuple[int, ...]:
    """The one default tuple if there are none: msgspec leaves a field out if it is that object."""
    return tuple(stored) if any(stored) else NO_BUFFS


PLAYERS: LiteralString = """
    SELECT id, user_id, name, class_id, gender, level, exp, stat_points, vitals, max_vitals,
           base_stats, stat_point_allocations, equipment, map_id, map_name, x, y, z, dir,
           sprite, face, name_color, last_online, created_at, play_time_seconds
      FROM players
     WHERE id = ANY($1)
     ORDER BY id
"""

EXTRAS: LiteralString = "SELECT player_id, data FROM player_extras WHERE player_id = ANY($1)"

BAGS: LiteralString = "SELECT id, slot_count FROM bags WHERE player_id = ANY($1)"

BAG_SLOTS: LiteralString = """
    SELECT bag_id, slot, item_id, quantity, stat_buffs
      FROM bag_slots
     WHERE player_id = ANY($1)
     ORDER BY player_id, bag_id, slot
"""

SLOTS: LiteralString = """
    SELECT player_id, place::text, slot, item_id, quantity, stat_buffs, bag_id
      FROM slots
     WHERE player_id = ANY($1)
     ORDER BY player_id, place, slot
"""

SPELLS: LiteralString = """
    SELECT player_id, slot, spell_id
      FROM player_spells
     WHERE player_id = ANY($1)
     ORDER BY player_id, slot
"""

VARIABLES: LiteralString = """
    SELECT player_id, variable_id, value, type
      FROM player_variables JOIN variables ON variables.id = variable_id
     WHERE player_id = ANY($1)
     ORDER BY player_id, variable_id
"""
