"""Campaigns: the endpoints under /api/v1/campaigns."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import Campaign, CampaignDryRun, CampaignRecipient

State = Literal["waiting", "done", "skipped", "refused", "reversed", "kept"]
Work = Mapping[str, Any]
"""What each recipient gets: `{"kind": "letter", "subject": "Sorry", "items": [...]}`."""


class Campaigns(Group[How]):
    """Work for every member of a segment."""

    @reads("/api/v1/campaigns")
    def page(self, *, cursor: str | None = None, limit: int = 20) -> Cursor[Campaign]:
        """A page of campaigns, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/campaigns/{campaign_id}")
    def get(self, campaign_id: Id) -> Campaign:
        """One campaign, and how far it is."""
        ...

    @posts("/api/v1/campaigns")
    def create(
        self,
        name: str,
        segment: str,
        work: Work,
        *,
        per_second: int = 2000,
        ends_at: datetime | None = None,
        on_join: bool = False,
        max_recipients: int | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Campaign:
        """Create a campaign for the members of a segment; nothing is done before it is started."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/dry-run", keyed=False)
    def dry_run(self, campaign_id: Id) -> CampaignDryRun:
        """Try a campaign on a sample, and change nothing."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/start")
    def start(
        self, campaign_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Campaign:
        """Start a campaign that is ready."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/pause")
    def pause(
        self, campaign_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Campaign:
        """Pause a running campaign."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/resume")
    def resume(
        self, campaign_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Campaign:
        """Continue a paused campaign where it was."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/stop")
    def stop(
        self, campaign_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Campaign:
        """End a campaign for good."""
        ...

    @posts("/api/v1/campaigns/{campaign_id}/reverse")
    def reverse(
        self, campaign_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Campaign:
        """Undo a campaign for every recipient, as far as it is possible."""
        ...

    @reads("/api/v1/campaigns/{campaign_id}/recipients")
    def recipients(
        self,
        campaign_id: Id,
        *,
        state: State | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Cursor[CampaignRecipient]:
        """A page of the recipients of a campaign, by id."""
        ...

    all_recipients = every(recipients)
