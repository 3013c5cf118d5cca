"""
The audit log and the item ledger, written in the transaction of the change itself.

An action says who did what, to whom, when and why: there is no change without its action and
no action without its change. An action never contains a secret.

A posting moves items between two accounts (double entry). One account is a slot of a
character or of a guild; the other is named: a grant, a removal, an import, the demo. So for
each item the slots of all and the named accounts always add up to zero, and the content of a
slot follows from its postings alone. What passes between two of them is against `move` or
`guild` on both sides, so these two accounts are always at zero.
"""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core import failpoints, ids, tasks
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.kinds.records import Kind
from gamekeeper.ledger.places import Against, PlaceName

MANAGED: Mapping[str, bool] = {"managed": True}
"""
In `after` of a new password or email that another account or a key set, without the password.

Approvals read it (approvals/requesters.py): whoever set a password could sign in with it.
"""


class Action(Struct, frozen=True, kw_only=True):
    id: UUID = msgspec.field(default_factory=ids.new_id)
    kind: Kind
    by: AuditContext
    player_id: UUID | None = None
    user_id: UUID | None = None
    item_id: UUID | None = None
    before: Any = None
    after: Any = None
    undoes: UUID | None = None


class LedgerPosting(Struct, frozen=True, kw_only=True):
    player_id: UUID
    """The owner of the slot: a character or, if the place is `guild`, a guild."""
    action_id: UUID
    place: PlaceName
    inside: UUID | None = None
    slot: int
    item_id: UUID
    held_before: int
    held_after: int
    stat_buffs: tuple[int, ...]
    bag_id: UUID | None
    against: Against
    loss_id: UUID | None = None
    """The action that took the items which this undo or restore returns, or takes again."""
    seq: int | None = None
    """Its number among the player's postings, once it is written."""

    @property
    def quantity(self) -> int:
        """How many were added to the slot; negative if removed."""
        return self.held_after - self.held_before


# The number of the last posting of player $1 up to time $2. Times are in the order of the
# numbers, so a query can use the index on numbers.
LAST_SEQ: LiteralString = """
    coalesce((SELECT seq
                FROM postings
               WHERE player_id = $1 AND at <= $2
               ORDER BY seq DESC
               LIMIT 1), 0)
"""


async def write(
    writer: Writer, actions: Sequence[Action], postings: Sequence[LedgerPosting]
) -> None:
    """Insert actions and their postings; the usual few of both in one statement."""
    if actions and postings and max(len(actions), len(postings)) <= tasks.PIECE:
        await writer.run(POST_AND_RECORD, *_posting_columns(postings), *_action_columns(actions))
        failpoints.reach("after_ledger")
        return
    await post(writer, postings)
    for some in tasks.pieces(actions):
        await record(writer, some)


async def record(writer: Writer, actions: Sequence[Action]) -> None:
    """Insert actions, all in one statement."""
    if actions:
        await writer.run(RECORD, *_action_columns(actions))


def _action_columns(actions: Sequence[Action]) -> list[Sequence[Any]]:
    return columns([_row(action) for action in actions])


def _row(action: Action) -> tuple[Any, ...]:
    by = action.by
    return (
        *(action.id, action.kind, by.actor, by.name),
        *(action.player_id, action.user_id, action.item_id),
        *(_json(action.before), _json(action.after)),
        *(by.reason, by.request_id, by.address, action.undoes),
        *((by.approved_by.actor, by.approved_by.name) if by.approved_by else (None, None)),
    )


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()


async def post(writer: Writer, postings: Sequence[LedgerPosting]) -> None:
    """
    Insert postings, numbered on from each player's last. The players must be locked.

    The time is read under the lock and never runs backwards for a player, so the order
    of numbers is the order of time.
    """
    for some in tasks.pieces(postings):
        await writer.run(POST, *_posting_columns(some))
        failpoints.reach("after_ledger")


def _posting_columns(postings: Sequence[LedgerPosting]) -> list[Sequence[Any]]:
    return columns(
        [
            (
                *(posting.player_id, posting.action_id),
                *(posting.place, posting.inside, posting.slot, posting.item_id),
                *(posting.held_before, posting.held_after),
                # An array of arrays must be rectangular, and lists of buffs differ in length.
                f"{{{','.join(map(str, posting.stat_buffs))}}}",
                *(posting.bag_id, posting.against, posting.loss_id),
            )
            for posting in postings
        ]
    )


_RECORD: LiteralString = """
    INSERT INTO actions (id, kind, actor, actor_name, player_id, user_id, item_id,
                         before, after, reason, request_id, address, undoes, approved_by,
                         approved_by_name)
    SELECT id, kind, actor, actor_name, player_id, user_id, item_id,
           before::jsonb, after::jsonb, reason, request_id, address, undoes, approved_by,
           approved_by_name
      FROM unnest({arrays})
           AS new (id, kind, actor, actor_name, player_id, user_id, item_id,
                   before, after, reason, request_id, address, undoes, approved_by,
                   approved_by_name)
"""
RECORD: LiteralString = _RECORD.replace(
    "{arrays}",
    """$1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[],
       $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::uuid[], $14::text[],
       $15::text[]""",
)

# clock_timestamp(), not now(): that is the transaction's start, before it waited for the lock.
# greatest(), because the clock may have been set back since the last posting.
POST: LiteralString = """
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
"""

POST_AND_RECORD: LiteralString = (
    "WITH recorded AS ("
    + _RECORD.replace(
        "{arrays}",
        """$13::uuid[], $14::text[], $15::text[], $16::text[], $17::uuid[], $18::uuid[],
           $19::uuid[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[],
           $25::uuid[], $26::text[], $27::text[]""",
    )
    + POST.replace("WITH new AS", "), new AS")
)
