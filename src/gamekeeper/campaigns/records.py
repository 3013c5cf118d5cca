"""The shapes of campaigns: the work, the campaign, its recipients and the report of a dry run."""

from typing import Literal
from uuid import UUID

from msgspec import field

from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Instant, Record

MAX_NAME_LENGTH = 80
MAX_OPEN = 50
"""Campaigns that have not ended."""
DEFAULT_PER_SECOND = 2_000
MAX_PER_SECOND = 10_000
MAX_LETTER_DAYS = 365

CampaignState = Literal[
    "preparing", "ready", "running", "paused", "stopped", "finished", "reversing", "reversed"
]
RecipientState = Literal["waiting", "done", "skipped", "refused", "reversed", "kept"]
WorkKind = Literal["letter", "give", "take", "variable", "spell"]

ENDED: tuple[CampaignState, ...] = ("stopped", "finished", "reversed")


class CampaignItem(Record, frozen=True, kw_only=True):
    item_id: UUID
    quantity: int


class CampaignWork(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The work that is done for each recipient. The kind decides which fields apply."""

    kind: WorkKind
    """`letter`, `give`, `take`, `variable` or `spell`."""
    subject: str | None = None
    """`letter`: its subject, 1 to 100 characters."""
    text: str | None = None
    """`letter`: its text, at most 2,000 characters."""
    items: list[CampaignItem] = field(default_factory=list)
    """`letter`: at most 10 stacks of items. `give` and `take`: exactly one."""
    expires_in_days: int | None = None
    """`letter`: when it expires, 1 to 365 days after it was sent; by default 30."""
    overflow_to_bank: bool | None = None
    """`give`: whether what has no room in the inventory goes to the bank."""
    id: UUID | None = None
    """`variable` and `spell`: its id."""
    value: Scalar | None = None
    """`variable`: the new value."""


class Campaign(Record, frozen=True, kw_only=True):
    """A campaign, and how far it is."""

    id: UUID
    name: str
    segment: str
    """The segment whose members it is for. A later change of the segment does not matter."""
    work: CampaignWork
    reason: str | None
    per_second: int
    """The most recipients a second."""
    state: CampaignState
    """
    `preparing` while recipients are collected, `ready` to be started, `running`, `paused`,
    `stopped`, `finished`, `reversing` or `reversed`.
    """
    created_at: Instant
    created_by_name: str
    started_at: Instant | None
    started_by_name: str | None
    approved_by_name: str | None
    """The approver, if the start exceeded the limits of the person who started it."""
    reversed_by_name: str | None
    """The person who reversed it."""
    ended_at: Instant | None
    recipients: int
    """The number of recipients; while `preparing`, those found so far."""
    done: int
    """Recipients whose work is done."""
    skipped: int
    """Recipients who left the segment before their turn."""
    refused: int
    """Recipients whose work was not possible, for example for lack of room."""
    reversed: int
    """Recipients whose work was reversed completely."""
    kept: int
    """Recipients who keep all or a part, because it was used."""
    fault: str | None
    """Why the worker paused it, if it did."""


class Campaigns(Record, frozen=True, kw_only=True):
    values: list[Campaign]
    """Newest first."""
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class KeptItem(Record, frozen=True, kw_only=True):
    """Pieces of an item that a reversal could not take back."""

    item_id: UUID
    wanted: int
    """The quantity that was given."""
    taken: int
    """The quantity that was taken back."""


class CampaignRecipient(Record, frozen=True, kw_only=True):
    player_id: UUID
    name: str | None
    """Null if the character no longer exists."""
    state: RecipientState
    """`waiting`, `done`, `skipped`, `refused`, `reversed` or `kept`."""
    code: str | None
    """The code of the error, if it was refused or could not be reversed."""
    kept: list[KeptItem]
    """The items that the reversal could not take back."""
    at: Instant | None
    """When it was its turn."""


class CampaignRecipients(Record, frozen=True, kw_only=True):
    values: list[CampaignRecipient]
    """By the id of the character."""
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class DryRunItem(Record, frozen=True, kw_only=True):
    """The effect of a campaign on the supply of an item."""

    item_id: UUID
    pieces: int
    """Pieces created, or removed if negative, if the work is done for all recipients."""
    supply: int
    """The current supply."""
    value: int | None
    """The value of the pieces by the catalog; null if the item has none."""


class DryRunRefusal(Record, frozen=True, kw_only=True):
    code: str
    """The code of the error."""
    recipients: int
    """Recipients of the sample with this error."""


class DryRunSample(Record, frozen=True, kw_only=True):
    player_id: UUID
    name: str
    before: int | None
    """The pieces of the first item that the character has now; null if the work has no item."""
    after: int | None
    """The pieces it would have."""
    code: str | None
    """The code of the error, if the work is not possible."""


class CampaignDryRun(Record, frozen=True, kw_only=True):
    """The effect of a campaign; tried on a sample, and rolled back."""

    recipients: int
    sampled: int
    """The size of the sample, at most 200, spread over all recipients."""
    possible: int
    """Of the sample, the number for which the work is possible."""
    skipped: int
    """Of the sample, how many have left the segment."""
    refused: list[DryRunRefusal]
    items: list[DryRunItem]
    samples: list[DryRunSample]
    """At most 20 of the sample."""
