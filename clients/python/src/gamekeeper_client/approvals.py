"""Approvals: the endpoints under /api/v1/approvals."""

from typing import Literal

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import Approval


class Approvals(Group[How]):
    """Changes beyond somebody's limits, which another approves or rejects."""

    @reads("/api/v1/approvals")
    def list_page(
        self,
        page: int = 0,
        page_size: int = 50,
        *,
        state: Literal["pending", "approved", "rejected", "expired"] | None = None,
        limit: int | None = None,
        names: bool = False,
    ) -> Page[Approval]:
        """A page of the requests, newest first; without the scope `approvals`, of your own."""
        ...

    list = every(list_page)

    @reads("/api/v1/approvals/{approval_id}")
    def get(self, approval_id: Id) -> Approval:
        """One request, and what became of it."""
        ...

    @posts("/api/v1/approvals/{approval_id}/approve")
    def approve(
        self, approval_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Approval:
        """Approve a change, which carries it out at once."""
        ...

    @posts("/api/v1/approvals/{approval_id}/reject")
    def reject(
        self, approval_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Approval:
        """Reject a change: it is not carried out."""
        ...
