"""
Selection of a bulk undo: the actions of one actor, or those by which items left characters.

Actions that took something from a character are found by their postings, whoever the actor was: a
game server writes the trades of all its players with one key. Two queries, no join: both tables are
partitioned by month, and each query names the months that it needs.

An undo is never selected by character. It is a decision of staff, and a second bulk undo over
the same time would revert the first one.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.ledger import retention
from gamekeeper.ledger.audit_log import CLOCK_SKEW, earliest
from gamekeeper.ledger.kinds.registry import ACTION_KINDS, sql_names
from gamekeeper.ledger.places import IS_TRADE
from gamekeeper.ledger.transactions import MovedItems, moved_kind, siblings

What = Literal["left", "all"]
"""`left`: actions by which items or spells left the characters; `all`: every change of them."""

# Ids are time-ordered except for clock skew; so bounds on them limit the index scan.
OF_ACTOR: LiteralString = "actor = $1 AND at BETWEEN $2 AND $3 AND id BETWEEN $4 AND $5"

LEFT: LiteralString = f"""
    id = ANY($1) AND at >= $2 AND at < $3 AND id BETWEEN $4 AND $5
    AND kind IN ({sql_names(kind for kind in ACTION_KINDS.values() if kind.bulk_undo == "left")})
"""

# Not the creation and deletion of characters: other actions need the character to exist.
ALL: LiteralString = f"""
    player_id = ANY($1) AND at >= $2 AND at < $3 AND id BETWEEN $4 AND $5
    AND kind IN ({sql_names(kind for kind in ACTION_KINDS.values() if kind.bulk_undo)})
"""


class Selection(Struct, frozen=True):
    """A condition on actions and its arguments, $1 to $5."""

    condition: LiteralString
    arguments: tuple[Any, ...]
    owners: frozenset[UUID] = frozenset()
    """The characters, if it selects by character."""

    @property
    def is_by_character(self) -> bool:
        return self.condition != OF_ACTOR


def of_actor(actor: str, since: datetime, until: datetime) -> Selection:
    """All actions of an actor from `since` to `until`, both included."""
    return Selection(OF_ACTOR, (actor, *_span(since, until)))


async def of_characters(
    reader: Queryable, owners: Sequence[UUID], since: datetime, until: datetime, what: What
) -> Selection:
    """
    Actions about characters of one account, from `since` on and before `until`.

    Raises if postings of that time were dropped: what left by them would be missing.
    """
    wanted: list[UUID] = list(owners)
    if what == "left":
        gone = await _gone(reader, owners, since, until)
        inside = await _inside(reader, owners, since, until) if len(owners) > 1 else set[UUID]()
        wanted = [*(gone - inside), *await _forgotten(reader, owners, since, until)]
    await retention.check(reader, since)
    condition = LEFT if what == "left" else ALL
    return Selection(condition, (wanted, *_span(since, until)), frozenset(owners))


async def characters_of(reader: Queryable, user: UUID) -> list[UUID]:
    """The characters that an account has now; deleted ones must be restored first."""
    rows = await reader.rows("SELECT id FROM players WHERE user_id = $1 ORDER BY id", user)
    return [row["id"] for row in rows]


def _span(since: datetime, until: datetime) -> tuple[datetime, datetime, UUID, UUID]:
    return since, until, earliest(since, None, -CLOCK_SKEW), earliest(until, None, CLOCK_SKEW)


# By the primary key, which begins with the player; the times leave the months in question.
GONE: LiteralString = """
    SELECT DISTINCT action_id
      FROM (SELECT action_id
              FROM postings
             WHERE player_id = ANY($1) AND at BETWEEN $2 AND $3
             GROUP BY player_id, action_id, item_id, stat_buffs, bag_id
            HAVING sum(quantity) < 0) AS fewer
"""


async def _gone(
    reader: Queryable, owners: Sequence[UUID], since: datetime, until: datetime
) -> set[UUID]:
    """The actions after which one of the characters had fewer of something than before."""
    rows = await reader.rows(
        GONE,
        list(owners),
        # The times of an action and of its postings differ.
        since - CLOCK_SKEW,
        until + CLOCK_SKEW,
    )
    return {row["action_id"] for row in rows}


async def _inside(
    reader: Queryable, owners: Sequence[UUID], since: datetime, until: datetime
) -> set[UUID]:
    """The actions of transactions that only moved items from one of the characters to another."""
    rows = await reader.rows(
        f"""
        SELECT xid::text AS xid
          FROM postings
         WHERE player_id = ANY($1) AND at BETWEEN $2 AND $3 AND {IS_TRADE}
         GROUP BY xid
        HAVING count(DISTINCT player_id) > 1
        """,
        list(owners),
        since - CLOCK_SKEW,
        until + CLOCK_SKEW,
    )
    xids = [row["xid"] for row in rows]
    if not xids:
        return set()
    members = await siblings(reader, xids)
    transaction = {action: trade for trade, actions in members.items() for action in actions}
    balances: dict[UUID, Counter[Any]] = defaultdict(Counter)
    for moved in await _postings(reader, owners, xids, since, until):
        if trade := transaction.get(moved.action_id):
            balances[trade][moved_kind(moved)] += moved.quantity
    return {
        action
        for trade, balance in balances.items()
        if min(balance.values()) >= 0
        for action in members[trade]
    }


async def _postings(
    reader: Queryable,
    owners: Sequence[UUID],
    xids: Sequence[str],
    since: datetime,
    until: datetime,
) -> list[MovedItems]:
    """What the characters lost and received in these database transactions."""
    rows = await reader.rows(
        """
        SELECT player_id, action_id, item_id, stat_buffs, bag_id, sum(quantity)::bigint AS quantity
          FROM postings
         WHERE player_id = ANY($1) AND xid = ANY($2::text[]::xid8[]) AND at BETWEEN $3 AND $4
         GROUP BY player_id, action_id, item_id, stat_buffs, bag_id
        """,
        list(owners),
        xids,
        since - CLOCK_SKEW,
        until + CLOCK_SKEW,
    )
    return [MovedItems.of(row) for row in rows]


async def _forgotten(
    reader: Queryable, owners: Sequence[UUID], since: datetime, until: datetime
) -> list[UUID]:
    """The actions by which the characters lost a spell."""
    rows = await reader.rows(
        """
        SELECT id
          FROM actions
         WHERE player_id = ANY($1) AND at >= $2 AND at < $3 AND id BETWEEN $4 AND $5
           AND kind = 'spells.forget'
        """,
        list(owners),
        *_span(since, until),
    )
    return [row["id"] for row in rows]
