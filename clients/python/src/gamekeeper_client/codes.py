"""Redeem codes: the endpoints under /api/v1/codes and /api/v1/me/codes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import CodeBatch, CodeFacts, CodeRedemption, RedeemedCode


class Codes(Group[How]):
    """Redeem codes: batches, redemptions, and one code. `gamekeeper codes create` makes files."""

    @reads("/api/v1/codes/batches")
    def page(
        self, *, campaign: str | None = None, cursor: Id | None = None, limit: int = 20
    ) -> Cursor[CodeBatch]:
        """A page of batches, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/codes/batches/{batch_id}")
    def get(self, batch_id: Id) -> CodeBatch:
        """One batch, and how many of its codes were redeemed."""
        ...

    @posts("/api/v1/codes/batches")
    def create(
        self,
        campaign: str,
        name: str,
        codes: int,
        subject: str,
        *,
        text: str = "",
        items: Sequence[Mapping[str, Any]] | None = None,
        uses: int = 1,
        prefix: str | None = None,
        starts_at: datetime | None = None,
        expires_at: datetime | None = None,
        expires_in_days: int = 30,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> CodeBatch:
        """
        Create a batch without codes; its download makes them, and then it can be activated.

        Each item is `{"itemid": "…", "quantity": 5}`.
        """
        ...

    @posts("/api/v1/codes/batches/{batch_id}/activate")
    def activate(
        self, batch_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> CodeBatch:
        """Activate a batch whose codes were downloaded: they can be redeemed."""
        ...

    @posts("/api/v1/codes/batches/{batch_id}/revoke")
    def revoke(
        self, batch_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> CodeBatch:
        """Revoke all codes of a batch for good."""
        ...

    @reads("/api/v1/codes/batches/{batch_id}/redemptions")
    def redemptions(
        self, batch_id: Id, *, cursor: Id | None = None, limit: int = 100
    ) -> Cursor[CodeRedemption]:
        """A page of the redemptions of a batch, newest first."""
        ...

    all_redemptions = every(redemptions)

    @posts("/api/v1/codes/look-up", keyed=False)
    def look_up(self, code: str) -> CodeFacts:
        """One code: its batch, and who redeemed it."""
        ...

    @posts("/api/v1/codes/revoke", keyed=False)
    def revoke_code(self, code: str, *, reason: str | None = None) -> CodeFacts:
        """Revoke one code for good."""
        ...

    @posts("/api/v1/codes/redeem")
    def redeem(
        self,
        code: str,
        *,
        account: str | None = None,
        character: str | None = None,
        idempotency_key: Key = None,
    ) -> RedeemedCode:
        """Redeem a code for an account, or for a character."""
        ...

    @posts("/api/v1/me/codes")
    def redeem_mine(
        self, code: str, *, character: str | None = None, idempotency_key: Key = None
    ) -> RedeemedCode:
        """Redeem a code as the account of the token."""
        ...
