"""The rows of the spells that characters know; what is in them is decided in memory (state.py)."""

from collections.abc import Mapping
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.players.overlay import Overlay

Page = tuple[UUID, int]
"""A character and the number of its slot."""


async def save(
    writer: Writer, books: Overlay[Page, UUID], changed: Mapping[Page, UUID | None]
) -> None:
    """Write the slots that changed."""
    gone = [page for page in changed if books.stored(page)]
    if gone:
        await writer.run(
            """
            DELETE FROM player_spells
             WHERE player_id = ANY($1)
               AND (player_id, slot) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))
            """,
            [player for player, _ in gone],
            [slot for _, slot in gone],
        )
    taught = {page: spell for page, spell in changed.items() if spell}
    if taught:
        await writer.run(
            """
            INSERT INTO player_spells (player_id, slot, spell_id)
            SELECT * FROM unnest($1::uuid[], $2::int[], $3::uuid[])
            """,
            [player for player, _ in taught],
            [slot for _, slot in taught],
            list(taught.values()),
        )
