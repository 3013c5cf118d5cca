"""
Dates of the story: what a transaction has just written is dated back, before it commits.

The story is told by the operations of the product, which know one time only: now. So each
transaction of it ends here, where its actions, their ids and postings, and the rows they are
about get the time at which they are told to have happened. Nobody has seen them before, and the
chain is linked after the commit. It needs the rights of the tables' owner: the role that serves
can date nothing back (db/grants.py).
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.ids import id_at, milliseconds_of
from gamekeeper.db.database import Writer


class Untold(Struct, frozen=True, kw_only=True):
    """An action that this transaction wrote, as of now."""

    id: UUID
    kind: str
    request_id: str
    transaction: str | None

    @property
    def request(self) -> str:
        return self.request_id or str(self.id)


Plan = Callable[[Sequence[Untold]], Sequence[datetime]]
"""When each of these actions is told to have happened, never one before those before it."""


def evenly(first: datetime, last: datetime) -> Plan:
    """One after another, from `first` to `last`."""
    return lambda told: [first + (last - first) * n / len(told) for n in range(len(told))]


async def backdate(writer: Writer, plan: Plan) -> None:
    """Date back all that this transaction has written."""
    rows = await writer.rows(WRITTEN)
    told = [Untold(**dict(row)) for row in rows]
    moments = plan(told)
    first: dict[str, int] = {}
    for action in told:
        earliest = UUID(action.transaction) if action.transaction else action.id
        before = first.setdefault(action.request, milliseconds_of(earliest))
        first[action.request] = min(before, milliseconds_of(earliest))
    new = [
        id_at(action.id, at, milliseconds_of(action.id) - first[action.request])
        for action, at in zip(told, moments, strict=True)
    ]
    transactions = [
        _transaction(action, at, first[action.request])
        for action, at in zip(told, moments, strict=True)
    ]
    old = [action.id for action in told]
    await writer.run(POSTINGS, old, new, list(moments))
    await writer.run(LOSSES, old, new)
    await writer.run(ACTIONS, old, new, list(moments), transactions)
    await writer.run(UNDOES, old, new)
    await writer.run(GUILD_ACTIONS, old, new)
    await writer.run(HEADS)
    for statement in ABOUT:
        await writer.run(statement)


def _transaction(action: Untold, at: datetime, first: int) -> str | None:
    if action.transaction is None:
        return None
    id_ = UUID(action.transaction)
    return str(id_at(id_, at, milliseconds_of(id_) - first))


WRITTEN: LiteralString = """
    SELECT id, kind, request_id,
           coalesce(after ->> 'transaction', before ->> 'transaction') AS transaction
      FROM actions WHERE xid = pg_current_xact_id() ORDER BY id
"""

POSTINGS: LiteralString = """
    UPDATE postings SET action_id = told.new, at = told.at
      FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS told (old, new, at)
     WHERE xid = pg_current_xact_id() AND action_id = told.old
"""
LOSSES: LiteralString = """
    UPDATE postings SET loss_id = told.new FROM unnest($1::uuid[], $2::uuid[]) AS told (old, new)
     WHERE xid = pg_current_xact_id() AND loss_id = told.old
"""
# Without a position the chain is linked in the order of time.
ACTIONS: LiteralString = """
    UPDATE actions
       SET id = told.new, at = told.at, position = NULL,
           before = CASE WHEN before ? 'transaction'
                         THEN jsonb_set(before, '{transaction}', to_jsonb(told.transaction))
                         ELSE before END,
           after = CASE WHEN after ? 'transaction'
                        THEN jsonb_set(after, '{transaction}', to_jsonb(told.transaction))
                        ELSE after END
      FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[])
           AS told (old, new, at, transaction)
     WHERE xid = pg_current_xact_id() AND id = told.old
"""
UNDOES: LiteralString = """
    UPDATE actions SET undoes = told.new FROM unnest($1::uuid[], $2::uuid[]) AS told (old, new)
     WHERE xid = pg_current_xact_id() AND undoes = told.old
"""
GUILD_ACTIONS: LiteralString = """
    UPDATE guild_actions SET action_id = told.new
      FROM unnest($1::uuid[], $2::uuid[]) AS told (old, new)
     WHERE action_id = told.old
"""
HEADS: LiteralString = """
    UPDATE ledger_heads SET at = last.at
      FROM (SELECT player_id, max(at) AS at FROM postings
             WHERE xid = pg_current_xact_id() GROUP BY player_id) AS last
     WHERE ledger_heads.player_id = last.player_id
"""

# ── What the actions are about ──

_ACCOUNTS: LiteralString = """
    UPDATE users SET created_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'users.register' AND users.id = user_id
"""
_PASSWORDS: LiteralString = """
    UPDATE passwords SET changed_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'users.register'
       AND passwords.user_id = actions.user_id
"""
_CHARACTERS: LiteralString = """
    UPDATE players SET created_at = at, last_online = greatest(at, last_online) FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'players.create' AND players.id = player_id
"""
_ROLES: LiteralString = """
    UPDATE staff_roles SET granted_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'staff.grant'
       AND staff_roles.user_id = actions.user_id AND role = after ->> 'role'
"""
_GUILDS: LiteralString = """
    UPDATE guilds SET founded_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'guilds.create'
       AND guilds.id = (after ->> 'guild_id')::uuid
"""
_MEMBERS: LiteralString = """
    UPDATE guild_members SET joined_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind IN ('guilds.create', 'guilds.join')
       AND guild_members.player_id = actions.player_id
"""
_SANCTIONS: LiteralString = """
    UPDATE sanctions
       SET imposed_at = at, starts_at = starts_at - (now() - at), ends_at = ends_at - (now() - at)
      FROM actions
     WHERE xid = pg_current_xact_id() AND actions.kind = 'sanctions.impose'
       AND sanctions.id = (after ->> 'sanction_id')::uuid
"""
# The log says it as well, in the spelling of all its times.
_PERIODS: LiteralString = """
    UPDATE actions
       SET after = after || jsonb_strip_nulls(jsonb_build_object(
               'starts_at', to_char(starts_at AT TIME ZONE 'UTC',
                                    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'ends_at', CASE WHEN isfinite(ends_at)
                               THEN to_char(ends_at AT TIME ZONE 'UTC',
                                            'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END))
      FROM sanctions
     WHERE xid = pg_current_xact_id() AND actions.kind = 'sanctions.impose'
       AND sanctions.id = (after ->> 'sanction_id')::uuid
"""
_LIFTED: LiteralString = """
    UPDATE sanctions SET lifted_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND actions.kind = 'sanctions.lift'
       AND sanctions.id = (after ->> 'sanction_id')::uuid
"""
_LIFTINGS: LiteralString = """
    UPDATE actions
       SET after = jsonb_set(after, '{lifted_at}', to_jsonb(to_char(
               at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
     WHERE xid = pg_current_xact_id() AND kind = 'sanctions.lift'
"""
_APPEALS: LiteralString = """
    UPDATE appeals
       SET opened_at = CASE WHEN kind = 'appeals.open' THEN at ELSE opened_at END,
           decided_at = CASE WHEN kind = 'appeals.decide' THEN at ELSE decided_at END
      FROM actions
     WHERE xid = pg_current_xact_id() AND kind = $1 AND appeals.id = (after ->> 'appeal_id')::uuid
"""

_REPORTS: LiteralString = """
    UPDATE reports SET filed_at = at, last_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'reports.file'
       AND reports.id = (after ->> 'report_id')::uuid
"""
_CASES: LiteralString = """
    UPDATE cases
       SET opened_at = (SELECT min(filed_at) FROM reports WHERE case_id = cases.id),
           last_report_at = (SELECT max(last_at) FROM reports WHERE case_id = cases.id)
      FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'reports.file'
       AND cases.id = (after ->> 'case_id')::uuid
"""
_CLAIMS: LiteralString = """
    UPDATE cases SET claimed_at = at, first_claimed_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'cases.claim'
       AND cases.id = (after ->> 'case_id')::uuid
"""
_NOTES: LiteralString = """
    UPDATE case_notes SET at = actions.at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'cases.note'
       AND case_notes.id = (after ->> 'note_id')::uuid
"""
_LETTERS: LiteralString = """
    UPDATE letters SET sent_at = at, expires_at = expires_at - (sent_at - at) FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'mail.send'
       AND letters.player_id = actions.player_id AND letters.id = (after ->> 'letter_id')::uuid
"""
_CLAIMED_LETTERS: LiteralString = """
    UPDATE letters SET ended_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'mail.claim'
       AND letters.player_id = actions.player_id AND letters.id = (after ->> 'letter_id')::uuid
"""
_PRODUCTS: LiteralString = """
    UPDATE shop_products SET changed_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'products.change'
       AND shop = after ->> 'shop' AND product = after ->> 'product'
"""
_ORDERS: LiteralString = """
    UPDATE orders SET created_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'orders.receive'
       AND orders.id = (after ->> 'order')::uuid
"""
_ORDER_LINES: LiteralString = """
    UPDATE order_lines SET delivered_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'mail.send'
       AND order_lines.letter_id = (after ->> 'letter_id')::uuid
"""
# A line that was refunded before keeps its date.
_REFUNDED_LINES: LiteralString = """
    UPDATE order_lines SET ended_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'orders.refund' AND ended_at > at
       AND order_lines.order_id = (after ->> 'order')::uuid
"""
_WITHDRAWN_LETTERS: LiteralString = """
    UPDATE letters SET ended_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'orders.return'
       AND letters.player_id = actions.player_id AND letters.id = (after ->> 'letter_id')::uuid
"""
_CLOSED_CASES: LiteralString = """
    UPDATE cases SET closed_at = at FROM actions
     WHERE xid = pg_current_xact_id() AND kind = 'cases.close'
       AND cases.id = (after ->> 'case_id')::uuid
"""

ABOUT: tuple[LiteralString, ...] = (
    *(_ACCOUNTS, _PASSWORDS, _CHARACTERS, _ROLES, _GUILDS, _MEMBERS),
    *(_SANCTIONS, _PERIODS, _LIFTED, _LIFTINGS),
    *(_REPORTS, _CASES, _CLAIMS, _NOTES, _CLOSED_CASES, _LETTERS, _CLAIMED_LETTERS),
    *(_PRODUCTS, _ORDERS, _ORDER_LINES, _REFUNDED_LINES, _WITHDRAWN_LETTERS),
    *(_APPEALS.replace("$1", "'appeals.open'"), _APPEALS.replace("$1", "'appeals.decide'")),
)
