"""The rows of the items in letters; what is in them is decided in memory (inventory.py)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.players.stacks import InLetter, Spot, Stack


async def load(
    writer: Writer, players: Sequence[UUID], letters: Sequence[UUID] | None
) -> list[tuple[Spot, Stack]]:
    """The items in letters of `players`; None: in all of their letters."""
    rows = await writer.rows(
        """
        SELECT player_id, letter_id, slot, item_id, quantity, stat_buffs, bag_id
          FROM letter_slots
         WHERE player_id = ANY($1) AND ($2::uuid[] IS NULL OR letter_id = ANY($2))
        """,
        list(players),
        None if letters is None else list(letters),
    )
    return [
        (
            (player, InLetter(letter), slot),
            Stack(item_id=item, quantity=quantity, stat_buffs=tuple(buffs), bag_id=bag),
        )
        for player, letter, slot, item, quantity, buffs, bag in rows
    ]


async def fill(writer: Writer, filled: Mapping[Spot, Stack]) -> None:
    """Write those of the slots that are of letters."""
    rows = [
        (
            *(player, container.letter_id, slot, stack.item_id, stack.quantity),
            # Buffs as text: unnest flattens an array of arrays.
            f"{{{','.join(map(str, stack.stat_buffs))}}}",
            stack.bag_id,
        )
        for (player, container, slot), stack in filled.items()
        if isinstance(container, InLetter)
    ]
    if rows:
        await writer.run(
            """
            INSERT INTO letter_slots (player_id, letter_id, slot, item_id, quantity, stat_buffs,
                                      bag_id)
            SELECT player_id, letter_id, slot, item_id, quantity, stat_buffs::int[], bag_id
              FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::int[], $6::text[],
                          $7::uuid[])
                   AS new (player_id, letter_id, slot, item_id, quantity, stat_buffs, bag_id)
            ON CONFLICT (player_id, letter_id, slot) DO UPDATE
               SET item_id = excluded.item_id, quantity = excluded.quantity,
                   stat_buffs = excluded.stat_buffs, bag_id = excluded.bag_id
            """,
            *columns(rows),
        )


async def empty(writer: Writer, spots: Sequence[Spot]) -> None:
    """Delete those of the slots that are of letters."""
    rows = [
        (player, container.letter_id, slot)
        for player, container, slot in spots
        if isinstance(container, InLetter)
    ]
    if rows:
        await writer.run(
            """
            DELETE FROM letter_slots
             WHERE player_id = ANY($1)
               AND (player_id, letter_id, slot)
                   IN (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]))
            """,
            *columns(rows),
        )
