"""Character records: the read model of players, slots and bags, and its SQL columns."""

from typing import LiteralString
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field, structs

from gamekeeper.core.ids import NIL
from gamekeeper.core.schemas import Instant, Record


class Player(Record, frozen=True):
    name: str
    in_bank: bool
    """The bank window is open; only ever true while online."""
    user_id: UUID
    max_vitals: list[int]
    """Health, mana."""
    id: UUID
    class_id: UUID
    class_name: str
    gender: int
    level: int
    exp: int
    experience_to_next_level: int
    """-1 at the highest level."""
    stat_points: int
    vitals: list[int]
    """Health, mana."""
    base_stats: list[int]
    """Attack, ability power, defense, magic resist, speed."""
    stat_point_allocations: list[int]
    """As `BaseStats`."""
    equipment: list[int]
    """For each equipment slot the inventory slot worn in it, or -1."""
    map_id: UUID
    map_name: str
    x: int
    y: int
    z: int
    dir: int
    sprite: str
    face: str
    online: bool
    last_online: Instant
    """RFC 3339. While online, since when; else until when; if it never played, when it was made."""
    creation_date: Instant
    """RFC 3339."""
    play_time_seconds: int
    """With the time since it joined, while online."""
    dead: bool
    """Always false: only the game knows."""
    account_name: str | UnsetType = UNSET
    """With `details`, for callers with `users.query`: the name of `UserId`."""
    server_id: UUID | UnsetType | None = UNSET
    """With `details`: the server that it plays on now; null if it is offline."""
    server_name: str | UnsetType | None = UNSET
    """With `details`: the name of `ServerId`."""


READ_COLUMNS = sum(field.required for field in structs.fields(Player))
"""How many of its fields COLUMNS has; `details` are read apart."""


class Slot(Record, frozen=True):
    """One numbered place for items, empty or not."""

    slot: int
    bag_id: UUID | None = None
    """The bag in this slot of the inventory, or null."""
    item_id: UUID = NIL
    """All zero, with `Quantity` 0, if the slot is empty."""
    quantity: int = 0
    stat_buffs: list[int] = field(default_factory=lambda: [0] * 5)
    """Attack, ability power, defense, magic resist, speed."""
    item_name: str | UnsetType = UNSET
    """With `names`: the item's name, empty if the slot is."""


class Items(Record, frozen=True, rename="camel"):
    inventory: list[Slot]
    bank: list[Slot]


class Bag(Record, frozen=True):
    id: UUID
    slot_count: int
    slots: list[Slot]


# Of the session that goes on. A lease without end is one of the demo, whose play does not count.
SESSION_SECONDS: LiteralString = """
    CASE WHEN isfinite(servers.lease_until)
         THEN floor(extract(epoch FROM greatest(
             interval '0', least(now(), servers.lease_until) - presences.joined_at)))::bigint
         ELSE 0 END
"""

# The columns of a Player, for a SELECT whose FROM has players and JOINS.
# Online means joined to a game server whose lease is alive by the database's clock.
COLUMNS: LiteralString = f"""
    players.name,
    presences.in_bank IS TRUE AND servers.lease_until > statement_timestamp() AS in_bank,
    players.user_id,
    players.max_vitals, players.id, players.class_id, classes.name AS class_name,
    players.gender, players.level, players.exp,
    CASE WHEN players.level >= classes.max_level THEN -1
         -- By logarithms, because the power itself may be too large for any number.
         WHEN (players.level - 1) * ln(1 + classes.exp_increase / 100.0::float8)
              > ln(9e18 / classes.base_exp::float8)
         THEN 9000000000000000000
         ELSE floor(classes.base_exp
                  * power(1 + classes.exp_increase / 100.0::float8, players.level - 1))::bigint
    END AS experience_to_next_level,
    players.stat_points, players.vitals, players.base_stats, players.stat_point_allocations,
    players.equipment, players.map_id, players.map_name, players.x, players.y, players.z,
    players.dir, players.sprite, players.face,
    coalesce(servers.lease_until > statement_timestamp(), false) AS online,
    CASE WHEN servers.lease_until > statement_timestamp() THEN presences.joined_at
         -- Its server died, and nobody has written down yet that its session ended with it.
         -- Who never played: since it was made. Clients fail on null, and Intersect has none.
         ELSE coalesce(greatest(players.last_online, presences.joined_at, servers.lease_until),
                       players.created_at)
    END AS last_online,
    players.created_at AS creation_date,
    players.play_time_seconds + {SESSION_SECONDS} AS play_time_seconds,
    false AS dead
"""
JOINS: LiteralString = """
    JOIN classes ON classes.id = players.class_id
    LEFT JOIN (presences JOIN servers ON servers.id = presences.server_id)
           ON presences.player_id = players.id
"""


class Holding(Struct, frozen=True, kw_only=True):
    """How many of one item a player holds, and where; what is in bags is not counted."""

    total: int
    bank: int
    inventory: int
