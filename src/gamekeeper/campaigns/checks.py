"""Checks of a campaign before it is created: its name, its pace and its work."""

from datetime import datetime

from gamekeeper.campaigns.records import (
    DEFAULT_MAX_RECIPIENTS,
    MAX_DURATION,
    MAX_LETTER_DAYS,
    MAX_NAME_LENGTH,
    MAX_ON_JOIN,
    MAX_OPEN,
    MAX_PER_SECOND,
    MAX_RECIPIENTS,
    CampaignWork,
    WorkKind,
)
from gamekeeper.catalog.items import UnknownItem, find_items
from gamekeeper.catalog.spells import find_spells
from gamekeeper.catalog.variables import find_variables
from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.players.mailbox.drafts import Draft
from gamekeeper.players.mailbox.records import LetterItem, LetterSender
from gamekeeper.players.rules import MAX_HELD, InvalidQuantity
from gamekeeper.servers.commands import payloads


class InvalidCampaign(Invalid):
    """The campaign is not valid."""


class TooManyCampaigns(Conflict):
    """There are already 50 campaigns that have not ended. Stop one first."""

    cacheable = False


FIELDS: dict[WorkKind, frozenset[str]] = {
    "letter": frozenset({"subject", "text", "items", "expires_in_days"}),
    "give": frozenset({"items", "overflow_to_bank"}),
    "take": frozenset({"items"}),
    "variable": frozenset({"id", "value"}),
    "spell": frozenset({"id"}),
    "message": frozenset({"text", "color"}),
    "announcement": frozenset({"text", "color"}),
}
"""The fields that each kind of work may have, beside `kind`."""
REQUIRED: dict[WorkKind, frozenset[str]] = {
    "letter": frozenset({"subject"}),
    "give": frozenset({"items"}),
    "take": frozenset({"items"}),
    "variable": frozenset({"id", "value"}),
    "spell": frozenset({"id"}),
    "message": frozenset({"text"}),
    "announcement": frozenset({"text"}),
}


def check(name: str, per_second: int, work: CampaignWork) -> None:
    """Raise InvalidCampaign, InvalidLetter, InvalidCommand or InvalidQuantity."""
    if not 1 <= len(name.strip()) <= MAX_NAME_LENGTH or not name.isprintable():
        raise InvalidCampaign(
            f"'name' must be 1 to {MAX_NAME_LENGTH} printable characters.", field="name"
        )
    if not 1 <= per_second <= MAX_PER_SECOND:
        raise InvalidCampaign(f"'perSecond' must be 1 to {MAX_PER_SECOND:,}.", field="persecond")
    _check_fields(work)
    if work.kind == "letter":
        _check_letter(work)
    elif work.kind in ("message", "announcement"):
        payloads.checked("message", work.message())
    elif work.kind in ("give", "take") and len(work.items) != 1:
        raise InvalidCampaign(f"'{work.kind}' needs exactly one item.", field="work.items")
    if any(not 1 <= item.quantity <= MAX_HELD for item in work.items):
        raise InvalidQuantity


def check_end(ends_at: datetime | None, now: datetime) -> None:
    """Raise InvalidCampaign if the end has passed, or is too far away."""
    if ends_at is not None and not now < ends_at <= now + MAX_DURATION:
        raise InvalidCampaign("'endsAt' must be within the next 5 years.", field="endsat")


def check_reversible(work: CampaignWork, *, has_end: bool) -> None:
    """Raise InvalidCampaign if the work has an end, and cannot be taken back."""
    if has_end and work.kind in ("message", "announcement"):
        raise InvalidCampaign(f"'{work.kind}' has no end: it cannot be taken back.", field="endsat")


def check_on_join(
    work: CampaignWork, *, on_join: bool, has_end: bool, max_recipients: int | None
) -> int | None:
    """
    The bound of a campaign on joining; None for others.

    Raises InvalidCampaign if the work cannot wait until recipients join.
    """
    if not on_join:
        if max_recipients is not None:
            raise InvalidCampaign("'maxRecipients' needs 'onJoin'.", field="maxrecipients")
        return None
    if work.kind != "letter":
        raise InvalidCampaign(
            f"'onJoin' needs a letter; the work is '{work.kind}'.", field="onjoin"
        )
    if not has_end:
        raise InvalidCampaign("'onJoin' needs an end.", field="endsat")
    bound = DEFAULT_MAX_RECIPIENTS if max_recipients is None else max_recipients
    if not 1 <= bound <= MAX_RECIPIENTS:
        raise InvalidCampaign(
            f"'maxRecipients' must be 1 to {MAX_RECIPIENTS:,}.", field="maxrecipients"
        )
    return bound


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


async def check_number(writer: Writer, *, on_join: bool) -> None:
    """Raise TooManyCampaigns."""
    # Two at once must not exceed the limit together.
    await writer.run("SELECT pg_advisory_xact_lock(70, 0)")
    [row] = await writer.rows(
        """
        SELECT count(*) AS campaigns, count(*) FILTER (WHERE on_join) AS on_join
          FROM campaigns
         WHERE state NOT IN ('stopped', 'finished', 'reversed')
        """
    )
    if row["campaigns"] >= MAX_OPEN:
        raise TooManyCampaigns
    if on_join and row["on_join"] >= MAX_ON_JOIN:
        raise TooManyCampaigns(
            f"There are already {MAX_ON_JOIN} campaigns with 'onJoin' that have not ended. "
            "Stop one first."
        )


async def check_objects(reader: Queryable, work: CampaignWork) -> None:
    """Raise if the catalog lacks an item, variable or spell of the work."""
    wanted = {item.item_id for item in work.items}
    if wanted - (await find_items(reader, wanted)).keys():
        raise UnknownItem
    if work.id is not None:
        found = await (find_spells if work.kind == "spell" else find_variables)(reader, [work.id])
        if not found:
            raise InvalidCampaign(f"The catalog has no {work.kind} with this id.", field="work.id")
