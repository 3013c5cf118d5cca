"""The rows of bags: which there are, how large each is, and who has it."""

from collections.abc import Mapping
from uuid import UUID

from gamekeeper.db.database import Writer


async def add(writer: Writer, bags: Mapping[UUID, UUID], sizes: Mapping[UUID, int]) -> None:
    owners = list(bags.values())
    await writer.run(
        """
        INSERT INTO bags (player_id, id, slot_count)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[])
        """,
        owners,
        list(bags),
        [sizes[bag] for bag in bags],
    )
    await writer.run(
        "INSERT INTO bag_owners (bag_id, player_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])",
        list(bags),
        owners,
    )


async def remove(writer: Writer, bags: Mapping[UUID, UUID]) -> None:
    # Explicit: bag_owners may be on another machine, which no cascade reaches.
    await writer.run("DELETE FROM bag_owners WHERE bag_id = ANY($1)", list(bags))
    await writer.run(
        """
        DELETE FROM bags
         WHERE player_id = ANY($1)
           AND (player_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        list(bags.values()),
        list(bags),
    )
