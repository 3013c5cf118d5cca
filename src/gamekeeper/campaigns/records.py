"""The shapes of campaigns: the work, the campaign, its recipients and the report of a dry run."""

from datetime import timedelta
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
MAX_ON_JOIN = 20
"""Lazy campaigns that have not ended: each join looks at those that run."""
DEFAULT_MAX_RECIPIENTS = 1_000_000
MAX_RECIPIENTS = 10_000_000
MAX_DURATION = timedelta(days=366 * 5)
"""How far ahead a campaign can end."""

CampaignState = Literal[
    "preparing", "ready", "running", "paused", "stopped", "finished", "reversing", "reversed"
]
RecipientState = Literal["waiting", "done", "skipped", "refused", "reversed", "kept"]
WorkKind = Literal["letter", "give", "take", "variable", "spell", "message", "announcement"]

SCOPES: dict[WorkKind, str] = {
    "letter": "players.items",
    "give": "players.items",
    "take": "players.items",
    "variable": "players.variables",
    "spell": "players.spells",
    "message": "commands",
    "announcement": "commands",
}
"""The scope of each kind of work. A campaign must not be a way around it."""
ENDED: tuple[CampaignState, ...] = ("stopped", "finished", "reversed")


class CampaignItem(Record, frozen=True, kw_only=True):
    item_id: UUID
    quantity: int


class CampaignWork(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The work that is done for each recipient. The kind decides which fields apply."""

    kind: WorkKind
    """`letter`, `give`, `take`, `variable`, `spell`, `message` or `announcement`."""
    subject: str | None = None
    """`letter`: its subject, 1 to 100 characters."""
    text: str | None = None
    """
    `letter`: its text, at most 2,000 characters. `message` and `announcement`: the text,
    1 to 500 characters.
    """
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
    color: str | None = None
    """`message` and `announcement`: `#RRGGBB`, or `#AARRGGBB` with the opacity first."""

    def message(self) -> dict[str, str]:
        """The payload of the command that a message or an announcement is."""
        said = {"Text": self.text, "Color": self.color}
        return {name: value for name, value in said.items() if value is not None}


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
    ends_at: Instant | None
    """
    When the worker reverses it; null: never. A campaign with `OnJoin` delivers until then, and is
    not reversed.
    """
    on_join: bool
    """Whether a recipient gets the letter on joining a game server, and not at the start."""
    max_recipients: int | None
    """With `OnJoin`: how many characters get the letter at most."""
    schedule_id: UUID | None
    """The schedule that created it, if one did."""
    recipients: int
    """
    The number of recipients; while `preparing`, those found so far. With `OnJoin`, those who have
    joined.
    """
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
    """With `OnJoin`: the current members of the segment, or an estimate of them."""
    sampled: int
    """The size of the sample, at most 200; without `OnJoin` spread over all recipients."""
    possible: int
    """Of the sample, the number for which the work is possible."""
    skipped: int
    """Of the sample, how many have left the segment."""
    refused: list[DryRunRefusal]
    items: list[DryRunItem]
    samples: list[DryRunSample]
    """At most 20 of the sample."""
