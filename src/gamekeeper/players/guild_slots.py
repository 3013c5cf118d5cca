"""The rows of the slots of guilds' banks; what is in them is decided in memory (inventory.py)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.players.stacks import Spot, Stack


async def load(writer: Writer, guilds: Sequence[UUID]) -> list[tuple[UUID, int, Stack]]:
    """The filled slots of the banks of `guilds`."""
    rows = await writer.rows(
        """
        SELECT guild_id, slot, item_id, quantity, stat_buffs
          FROM guild_slots
         WHERE guild_id = ANY($1)
        """,
        list(guilds),
    )
    return [
        (guild, slot, Stack(item_id=item, quantity=quantity, stat_buffs=tuple(buffs)))
        for guild, slot, item, quantity, buffs in rows
    ]


async def save(writer: Writer, changed: Mapping[Spot, Stack | None]) -> None:
    """Write those of the changed slots that are of guilds."""
    now = {
        (guild, slot): stack for (guild, place, slot), stack in changed.items() if place == "guild"
    }
    gone = [spot for spot, stack in now.items() if stack is None]
    if gone:
        await writer.run(
            """
            DELETE FROM guild_slots
             WHERE (guild_id, slot) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))
            """,
            [guild for guild, _ in gone],
            [slot for _, slot in gone],
        )
    filled = {spot: stack for spot, stack in now.items() if stack}
    if filled:
        await writer.run(
            """
            INSERT INTO guild_slots (guild_id, slot, item_id, quantity, stat_buffs)
            SELECT guild_id, slot, item_id, quantity, stat_buffs::int[]
              FROM unnest($1::uuid[], $2::int[], $3::uuid[], $4::int[], $5::text[])
                   AS new (guild_id, slot, item_id, quantity, stat_buffs)
            ON CONFLICT (guild_id, slot) DO UPDATE
               SET item_id = excluded.item_id, quantity = excluded.quantity,
                   stat_buffs = excluded.stat_buffs
            """,
            [guild for guild, _ in filled],
            [slot for _, slot in filled],
            [stack.item_id for stack in filled.values()],
            [stack.quantity for stack in filled.values()],
            [f"{{{','.join(map(str, stack.stat_buffs))}}}" for stack in filled.values()],
        )
