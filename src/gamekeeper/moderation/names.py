"""The names of those whom sanctions are about, beside their ids."""

from collections.abc import Sequence

from msgspec import structs

from gamekeeper.db.database import Queryable
from gamekeeper.sanctions.records import Sanction


async def with_names(reader: Queryable, found: Sequence[Sanction]) -> list[Sanction]:
    """The sanctions with the names of their accounts and characters; two queries for all."""
    if not found:
        return []
    users = await reader.rows(
        "SELECT id, name FROM users WHERE id = ANY($1)",
        list({sanction.user_id for sanction in found}),
    )
    players = await reader.rows(
        "SELECT id, name FROM players WHERE id = ANY($1)",
        list({sanction.player_id for sanction in found if sanction.player_id}),
    )
    names = {row["id"]: row["name"] for row in [*users, *players]}
    return [
        structs.replace(
            sanction,
            user_name=names.get(sanction.user_id, ""),
            # A deleted character keeps its sanctions, without a name.
            player_name=names.get(sanction.player_id) if sanction.player_id else None,
        )
        for sanction in found
    ]
