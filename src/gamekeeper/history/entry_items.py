"""How many of which items came and went by each action of a page, without the slots."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from msgspec import structs

from gamekeeper.db.database import Reader
from gamekeeper.history.timeline import POSTING_SKEW, transaction_ids
from gamekeeper.ledger.audit_log import ActionItem, Entry


async def with_items(reader: Reader, entries: Sequence[Entry]) -> list[Entry]:
    """Actions with the balance of each item. What only changed its place has none."""
    if not entries:
        return []
    times = [entry.at for entry in entries]
    xids = await transaction_ids(reader, entries)
    rows = await reader.rows(
        """
        SELECT action_id, item_id, sum(quantity)::bigint AS quantity
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND action_id = ANY($3)
           AND at BETWEEN $4 AND $5
         GROUP BY action_id, item_id
        HAVING sum(quantity) <> 0
         ORDER BY action_id, item_id
        """,
        list({entry.player_id for entry in entries if entry.player_id}),
        list(set(xids.values())),
        [entry.id for entry in entries],
        # Partition pruning: only the months in question are scanned.
        min(times) - POSTING_SKEW,
        max(times) + POSTING_SKEW,
    )
    found: dict[UUID, list[ActionItem]] = defaultdict(list)
    for row in rows:
        found[row["action_id"]].append(ActionItem(item_id=row["item_id"], quantity=row["quantity"]))
    return [structs.replace(entry, items=found[entry.id]) for entry in entries]
