"""Equipment: the inventory slots whose items a character wears."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.db.database import Writer


async def take_off(writer: Writer, slots: Sequence[tuple[UUID, int]]) -> None:
    """Unequip slots whose item has left them."""
    await writer.run(
        """
        UPDATE players
           SET equipment = (SELECT array_agg(CASE WHEN worn = ANY(gone.slots) THEN -1 ELSE worn END
                                             ORDER BY position)
                              FROM unnest(equipment) WITH ORDINALITY AS each (worn, position))
          FROM (SELECT player_id, array_agg(slot) AS slots
                  FROM unnest($1::uuid[], $2::int[]) AS gone (player_id, slot)
                 GROUP BY player_id) AS gone
         WHERE players.id = ANY($1) AND players.id = gone.player_id
           AND players.equipment && gone.slots
        """,
        [player for player, _ in slots],
        [slot for _, slot in slots],
    )
