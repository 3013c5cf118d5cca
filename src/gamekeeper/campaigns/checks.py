"""Checks of a campaign before it is created: its name, its pace and its work."""

from gamekeeper.campaigns.records import (
    MAX_LETTER_DAYS,
    MAX_NAME_LENGTH,
    MAX_PER_SECOND,
    CampaignWork,
    WorkKind,
)
from gamekeeper.catalog.items import UnknownItem, find_items
from gamekeeper.catalog.spells import find_spells
from gamekeeper.catalog.variables import find_variables
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Queryable
from gamekeeper.players.mailbox.drafts import Draft
from gamekeeper.players.mailbox.records import LetterItem, LetterSender
from gamekeeper.players.rules import MAX_HELD, InvalidQuantity


class InvalidCampaign(Invalid):
    """The campaign is not valid."""


FIELDS: dict[WorkKind, frozenset[str]] = {
    "letter": frozenset({"subject", "text", "items", "expires_in_days"}),
    "give": frozenset({"items", "overflow_to_bank"}),
    "take": frozenset({"items"}),
    "variable": frozenset({"id", "value"}),
    "spell": frozenset({"id"}),
}
"""The fields that each kind of work may have, beside `kind`."""
REQUIRED: dict[WorkKind, frozenset[str]] = {
    "letter": frozenset({"subject"}),
    "give": frozenset({"items"}),
    "take": frozenset({"items"}),
    "variable": frozenset({"id", "value"}),
    "spell": frozenset({"id"}),
}


def check(name: str, per_second: int, work: CampaignWork) -> None:
    """Raise InvalidCampaign, InvalidLetter or InvalidQuantity."""
    if not 1 <= len(name.strip()) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidCampaign(
            f"'name' must be 1 to {MAX_NAME_LENGTH} printable characters.", field="name"
        )
    if not 1 <= per_second <= MAX_PER_SECOND:
        raise InvalidCampaign(f"'perSecond' must be 1 to {MAX_PER_SECOND:,}.", field="persecond")
    _check_fields(work)
    if work.kind == "letter":
        _check_letter(work)
    elif work.kind in ("give", "take") and len(work.items) != 1:
        raise InvalidCampaign(f"'{work.kind}' needs exactly one item.", field="work.items")
    if any(not 1 <= item.quantity <= MAX_HELD for item in work.items):
        raise InvalidQuantity


def _check_fields(work: CampaignWork) -> None:
    names = [name for name in work.__struct_fields__ if name != "kind"]
    given = {name for name in names if getattr(work, name) not in (None, [])}
    for name in sorted(given - FIELDS[work.kind]):
        raise InvalidCampaign(f"'{work.kind}' has no '{name}'.", field=f"work.{name}")
    for name in sorted(REQUIRED[work.kind] - given):
        raise InvalidCampaign(f"'{work.kind}' needs '{name}'.", field=f"work.{name}")


def _check_letter(work: CampaignWork) -> None:
    if work.expires_in_days is not None and not 1 <= work.expires_in_days <= MAX_LETTER_DAYS:
        raise InvalidCampaign(
            f"'expiresInDays' must be 1 to {MAX_LETTER_DAYS}.", field="work.expiresindays"
        )
    Draft(
        sender=LetterSender(kind="staff"),
        subject=work.subject or "",
        text=work.text or "",
        items=tuple(
            LetterItem(item_id=item.item_id, quantity=item.quantity) for item in work.items
        ),
    ).check()


async def check_objects(reader: Queryable, work: CampaignWork) -> None:
    """Raise if the catalog lacks an item, variable or spell of the work."""
    wanted = {item.item_id for item in work.items}
    if wanted - (await find_items(reader, wanted)).keys():
        raise UnknownItem
    if work.id is not None:
        found = await (find_spells if work.kind == "spell" else find_variables)(reader, [work.id])
        if not found:
            raise InvalidCampaign(f"The catalog has no {work.kind} with this id.", field="work.id")
