"""What a finding is, and how it is stored."""

from typing import Literal, LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Record

Measure = Literal["created", "destroyed", "given", "traded", "accounts", "received"]
FindingState = Literal["open", "acknowledged"]


class FindingNotFound(NotFound):
    """No finding has that id."""


class EconomyFinding(Record, frozen=True, kw_only=True):
    """An unusual increase, or a rule that was exceeded."""

    id: UUID
    state: FindingState
    """`open` or `acknowledged`."""
    measure: Measure
    """
    The measure: items `created`, `destroyed`, `given` (by staff or an API key) or `traded`,
    new `accounts`, or items `received` by a new account.
    """
    rule: str | None
    """The name of the rule that was exceeded; null: an hour unlike those of the weeks before."""
    item_id: UUID | None
    """Null for new accounts, and for rules about the value of all items."""
    item_name: str | None
    actor: str | None
    """Of a rule about gifts: the giver, as in the audit log; null without `actions.read`."""
    actor_name: str | None
    user_id: UUID | None
    """
    Of a rule about new accounts: the account; null without `users.query`, and after it was erased.
    """
    began_at: Instant
    ended_at: Instant
    """Unusual hours in a row are one finding."""
    quantity: int
    usual: int | None
    """The usual quantity in one hour; null for a rule."""
    threshold: int
    """The quantity beyond which it is found."""
    found_at: Instant
    acknowledged_at: Instant | None
    acknowledged_by: str | None
    acknowledged_by_name: str | None
    note: str | None
    """The note of the acknowledgement."""

    def redacted(self, *, actors: bool, accounts: bool) -> "EconomyFinding":
        """Without who gave or which account it is about, unless the caller may see them."""
        return structs.replace(
            self,
            actor=self.actor if actors else None,
            actor_name=self.actor_name if actors else None,
            user_id=self.user_id if accounts else None,
        )


COLUMNS: LiteralString = """
    findings.id, CASE WHEN acknowledged_at IS NULL THEN 'open' ELSE 'acknowledged' END AS state,
    measure, rule, item_id, items.name AS item_name, actor,
    CASE WHEN actor LIKE 'user:%'
         THEN (SELECT name FROM users WHERE users.id = substr(actor, 6)::uuid)
         WHEN actor LIKE 'key:%'
         THEN (SELECT name FROM api_keys WHERE api_keys.id = substr(actor, 5)::uuid)
         ELSE actor END AS actor_name, user_id, began_at, ended_at, quantity,
    usual, threshold, found_at, acknowledged_at, acknowledged_by, acknowledged_by_name, note
"""
JOINED: LiteralString = "findings LEFT JOIN items ON items.id = findings.item_id"

OPEN: LiteralString = f"""
    SELECT findings.id, measure, rule, item_id, items.name AS item_name, quantity, usual, began_at
      FROM {JOINED}
     WHERE acknowledged_at IS NULL
     ORDER BY findings.id DESC
     LIMIT 20
"""
