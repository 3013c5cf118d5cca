"""Batches of redeem codes, their redemptions, and the bounds of their parts."""

from typing import Literal
from uuid import UUID

from gamekeeper.core.errors import NotFound
from gamekeeper.core.schemas import Instant, Record

MAX_CODES = 1_000_000
MAX_USES = 1_000_000
MAX_NAME_LENGTH = 80
MAX_PREFIX_LENGTH = 12
MAX_CAMPAIGN_LENGTH = 64
MAX_LETTER_DAYS = 365
DEFAULT_LETTER_DAYS = 30

BatchState = Literal["draft", "ready", "active", "revoked"]


class CodeBatchNotFound(NotFound):
    """No batch of codes has that id."""


class CodeItem(Record, frozen=True):
    item_id: UUID
    quantity: int


class CodeBatch(Record, frozen=True):
    """A batch of codes that give the same letter."""

    id: UUID
    campaign: str
    """An account can redeem one code of all batches of a campaign, once."""
    name: str
    """For staff; players do not see it."""
    prefix: str | None
    """The prefix of each code, by which people recognise it."""
    codes: int
    """How many codes the batch has."""
    uses: int
    """How many accounts can redeem each code."""
    starts_at: Instant | None
    """From when codes can be redeemed; null: from the activation."""
    expires_at: Instant | None
    """Until when codes can be redeemed; null: no limit."""
    subject: str
    text: str
    items: list[CodeItem]
    """The items in the letter."""
    expires_in_days: int
    """How many days after its redemption the letter expires."""
    state: BatchState
    """
    `draft`: not all codes were downloaded; `ready`: they were, and the batch can be activated;
    `active`; `revoked`: no code can be redeemed.
    """
    redeemed: int
    """How many redemptions there are, of all codes."""
    created_at: Instant
    created_by_name: str
    activated_at: Instant | None
    revoked_at: Instant | None
    revoked_by_name: str | None


class CodeBatches(Record, frozen=True):
    values: list[CodeBatch]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class RedeemedCode(Record, frozen=True):
    """The letter that a redemption gave, and its character."""

    id: UUID
    campaign: str
    player_id: UUID
    """The character that received the letter."""
    letter_id: UUID
    """The letter in its mailbox, with the items."""
    subject: str
    items: list[CodeItem]
    redeemed_at: Instant


class CodeRedemption(Record, frozen=True):
    """One redemption of a code."""

    id: UUID
    batch_id: UUID
    user_id: UUID | None
    """The account; null after its erasure."""
    player_id: UUID | None
    """The character; null after an erasure."""
    player_name: str | None
    """Its present name, or the last one of a deleted character."""
    player_deleted: bool
    """Whether the character was deleted: another one can have its name by now."""
    letter_id: UUID
    redeemed_at: Instant


class CodeRedemptions(Record, frozen=True):
    values: list[CodeRedemption]
    next: UUID | None
    """The cursor of the next page; null: that was the last."""


class CodeFacts(Record, frozen=True):
    """One code: its batch, and who redeemed it."""

    batch: CodeBatch
    used: int
    """How often it was redeemed."""
    revoked_at: Instant | None
    """When this code was revoked; null also if only the batch was."""
    redemptions: list[CodeRedemption]
    """The last 100 redemptions, newest first."""
