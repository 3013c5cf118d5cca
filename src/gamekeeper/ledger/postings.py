"""
Postings: every item that comes or goes, from an account to an account.

One account is a slot of a character; the other is named: a grant, a removal, an
import, the demo. So for each item the slots of all characters and the named
accounts always add up to nothing, and what lies in a slot can be worked out from
its postings alone.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from gamekeeper import ending, failing
from gamekeeper.database import Writer

Against = Literal["grant", "removal", "import", "demo", "undo", "restore", "move"]


class Posting(Struct, frozen=True, kw_only=True):
    player_id: UUID
    action_id: UUID
    place: Literal["inventory", "bank", "bag"]
    inside: UUID | None = None
    slot: int
    item_id: UUID
    held_before: int
    held_after: int
    stat_buffs: tuple[int, ...]
    bag_id: UUID | None
    against: Against
    loss_id: UUID | None = None
    """The action that took what an undo or a restore gives back, or takes again."""


async def post(writer: Writer, postings: Sequence[Posting]) -> None:
    """
    Write postings down, numbered on from each player's last. The players must be locked.

    The time is taken under the lock and never runs backwards for a player, so that
    the order of numbers is the order of time.
    """
    for some in ending.pieces(postings):
        await _post(writer, some)


async def _post(writer: Writer, postings: Sequence[Posting]) -> None:
    await writer.run(
        """
        WITH new AS (
            SELECT *, row_number() OVER (PARTITION BY player_id ORDER BY position) AS number,
                   count(*) OVER (PARTITION BY player_id) AS numbers
              FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::int[], $6::uuid[],
                          $7::int[], $8::int[], $9::text[], $10::uuid[], $11::text[],
                          $12::uuid[])
                   WITH ORDINALITY
                   AS new (player_id, action_id, place, inside, slot, item_id, held_before,
                           held_after, stat_buffs, bag_id, against, loss_id, position)
        ), heads AS (
            INSERT INTO ledger_heads AS old (player_id, seq, at)
            SELECT player_id, count(*), clock_timestamp() FROM new GROUP BY player_id
            ON CONFLICT (player_id) DO UPDATE
               SET seq = old.seq + excluded.seq, at = greatest(old.at, excluded.at)
            RETURNING player_id, seq, at
        )
        INSERT INTO postings (player_id, seq, at, action_id, place, inside, slot, item_id,
                              quantity, against, held_before, held_after, stat_buffs, bag_id,
                              loss_id)
        SELECT player_id, heads.seq - numbers + number, heads.at, action_id, place, inside, slot,
               item_id, held_after - held_before, against, held_before, held_after,
               stat_buffs::int[], bag_id, loss_id
          FROM new JOIN heads USING (player_id)
        """,
        [posting.player_id for posting in postings],
        [posting.action_id for posting in postings],
        [posting.place for posting in postings],
        [posting.inside for posting in postings],
        [posting.slot for posting in postings],
        [posting.item_id for posting in postings],
        [posting.held_before for posting in postings],
        [posting.held_after for posting in postings],
        [f"{{{','.join(map(str, posting.stat_buffs))}}}" for posting in postings],
        [posting.bag_id for posting in postings],
        [posting.against for posting in postings],
        [posting.loss_id for posting in postings],
    )
    failing.reach("after_ledger")
