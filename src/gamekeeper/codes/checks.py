"""Checks of a batch before it is created: its names, numbers, times and letter."""

import re
from collections.abc import Iterable
from datetime import timedelta

from gamekeeper.catalog.items import StoredItem, UnknownItem, find_items
from gamekeeper.codes.records import (
    MAX_CAMPAIGN_LENGTH,
    MAX_CODES,
    MAX_LETTER_DAYS,
    MAX_NAME_LENGTH,
    MAX_PREFIX_LENGTH,
    MAX_USES,
    CodeBatch,
    CodeItem,
)
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable
from gamekeeper.players.mailbox.drafts import Draft, InvalidLetter
from gamekeeper.players.mailbox.records import MAX_ITEMS, LetterItem, LetterSender

CAMPAIGN = re.compile(rf"[a-z0-9][a-z0-9._-]{{0,{MAX_CAMPAIGN_LENGTH - 1}}}")
PREFIX = re.compile(rf"[A-Z0-9]{{1,{MAX_PREFIX_LENGTH}}}")
SENDER = LetterSender(kind="system", name="Redeem code")


class InvalidCodeBatch(Invalid):
    """The batch of codes is not valid."""


def check(batch: CodeBatch) -> None:
    """Raise InvalidCodeBatch, InvalidLetter or InvalidQuantity."""
    if not CAMPAIGN.fullmatch(batch.campaign):
        raise InvalidCodeBatch(
            f"'campaign' must be 1 to {MAX_CAMPAIGN_LENGTH} lower-case letters, digits, dots, "
            "hyphens or underscores.",
            field="campaign",
        )
    if not 1 <= len(batch.name) <= MAX_NAME_LENGTH or not batch.name.isprintable():
        raise InvalidCodeBatch(
            f"'name' must be 1 to {MAX_NAME_LENGTH} printable characters.", field="name"
        )
    if batch.prefix is not None and not PREFIX.fullmatch(batch.prefix):
        raise InvalidCodeBatch(
            f"'prefix' must be 1 to {MAX_PREFIX_LENGTH} letters A to Z or digits.", field="prefix"
        )
    _check_range("codes", batch.codes, MAX_CODES)
    _check_range("uses", batch.uses, MAX_USES)
    _check_range("expiresInDays", batch.expires_in_days, MAX_LETTER_DAYS)
    if batch.starts_at and batch.expires_at and batch.starts_at >= batch.expires_at:
        raise InvalidCodeBatch("'expiresAt' must be after 'startsAt'.", field="expiresat")
    draft_of(batch).check()


def _check_range(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InvalidCodeBatch(f"'{name}' must be 1 to {most:,}.", field=name.lower())


async def check_items(reader: Queryable, items: Iterable[CodeItem]) -> None:
    """Raise if the catalog lacks an item, or a letter has no room for all of them."""
    wanted = list(items)
    known = await find_items(reader, {item.item_id for item in wanted})
    if any(item.item_id not in known for item in wanted):
        raise UnknownItem
    if sum(_stacks(known[item.item_id], item.quantity) for item in wanted) > MAX_ITEMS:
        raise InvalidLetter(f"A letter holds at most {MAX_ITEMS} stacks.", field="items")


def _stacks(item: StoredItem, quantity: int) -> int:
    # Each bag is a stack of its own.
    return quantity if item.bag_slots else 1


def draft_of(batch: CodeBatch) -> Draft:
    """The letter that a code of the batch gives."""
    return Draft(
        sender=SENDER,
        subject=batch.subject,
        text=batch.text,
        items=tuple(
            LetterItem(item_id=item.item_id, quantity=item.quantity) for item in batch.items
        ),
        lifetime=timedelta(days=batch.expires_in_days),
    )
