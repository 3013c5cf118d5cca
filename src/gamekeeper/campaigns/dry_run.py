"""
Dry run of a campaign: its work is tried on a sample of the recipients, and rolled back.

What it would create is exact, because the number of recipients is. For how many it is possible is
known of the sample only.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.campaigns import steps, storage
from gamekeeper.campaigns.records import (
    CampaignDryRun,
    CampaignWork,
    DryRunItem,
    DryRunRefusal,
    DryRunSample,
)
from gamekeeper.campaigns.storage import StoredCampaign
from gamekeeper.catalog.items import find_items
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database, Reader, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger.economy import supply
from gamekeeper.ledger.places import STORAGES
from gamekeeper.segments import counts, members

TRIAL = AuditContext(actor="system", name="dry run")
"""Of actions that are rolled back; without limits, because nothing is given."""

SAMPLE = 200
SHOWN = 20

SIGN = {"letter": 1, "give": 1, "take": -1}
"""Whether the work creates items or removes them."""


class _RolledBack(Exception):
    """Carries the report out of the transaction that is not committed."""

    def __init__(self, report: CampaignDryRun) -> None:
        super().__init__()
        self.report = report


async def dry_run(database: Database, campaign: UUID) -> CampaignDryRun:
    """Try the work of a campaign on a sample, and report; nothing is changed."""
    stored = await storage.find_stored(database.reader, campaign)
    recipients = await _recipients(database.reader, stored)
    pieces = _pieces(stored.shown.work, recipients)
    effects = [await _effect(database, item, count) for item, count in pieces.items()]
    sample = await _sampled(database.reader, stored)

    async def attempt(writer: Writer) -> None:
        raise _RolledBack(await _tried(writer, campaign, recipients, sample, effects))

    try:
        await database.write(attempt)
    except _RolledBack as rolled_back:
        return rolled_back.report
    raise AssertionError("the transaction was not rolled back")


async def _recipients(reader: Reader, campaign: StoredCampaign) -> int:
    """The number of recipients; of a lazy campaign, of those who are members now."""
    bound = campaign.shown.max_recipients
    if bound is None:
        return campaign.shown.recipients
    found = await counts.preview(reader, campaign.definition, exact=False)
    return min(bound, found.count)


async def _sampled(reader: Reader, campaign: StoredCampaign) -> dict[UUID, str]:
    """The names of some recipients, by id; of a lazy campaign, of some members."""
    if campaign.shown.on_join:
        page = await members.list_members(reader, campaign.definition, None, SAMPLE)
        return {member.id: member.name for member in page.values}
    step = max(1, campaign.shown.recipients // SAMPLE)
    rows = await reader.rows(SAMPLED, campaign.id, step, SAMPLE)
    return {row["player_id"]: row["name"] for row in rows}


def _pieces(work: CampaignWork, recipients: int) -> Counter[UUID]:
    pieces: Counter[UUID] = Counter()
    for item in work.items:
        pieces[item.item_id] += SIGN.get(work.kind, 0) * item.quantity * recipients
    return pieces


async def _effect(database: Database, item: UUID, pieces: int) -> DryRunItem:
    reader = database.reader
    economy = await supply.find_item_economy(reader, item, 1)
    value = (await find_items(reader, [item]))[item].value
    return DryRunItem(
        item_id=item,
        pieces=pieces,
        supply=economy.total,
        value=None if value is None else value * abs(pieces),
    )


async def _tried(
    writer: Writer,
    campaign_id: UUID,
    recipients: int,
    names: Mapping[UUID, str],
    effects: Sequence[DryRunItem],
) -> CampaignDryRun:
    campaign = await storage.lock(writer, campaign_id)
    players = list(names)
    present = await members.still_members(
        writer, campaign.definition, players, started=campaign.created_at
    )
    shown = present[:SHOWN]
    item = effects[0].item_id if effects else None
    before = await _held(writer, shown, item)
    refusals = await steps.execute(writer, TRIAL, campaign.shown.work, present) if present else []
    after = await _held(writer, shown, item)
    codes = Counter(refusal.code for refusal in refusals if refusal)
    return CampaignDryRun(
        recipients=recipients,
        sampled=len(players),
        possible=refusals.count(None),
        skipped=len(players) - len(present),
        refused=[DryRunRefusal(code=code, recipients=count) for code, count in codes.most_common()],
        items=list(effects),
        samples=[
            _sample(player, names[player], refusal, before, after)
            for player, refusal in zip(shown, refusals, strict=False)
        ],
    )


def _sample(
    player: UUID,
    name: str,
    refusal: Problem | None,
    before: Mapping[UUID, int] | None,
    after: Mapping[UUID, int] | None,
) -> DryRunSample:
    return DryRunSample(
        player_id=player,
        name=name,
        before=None if before is None else before.get(player, 0),
        after=None if after is None else after.get(player, 0),
        code=refusal.code if refusal else None,
    )


# Every so many recipients, so that old and new characters are among them.
SAMPLED: LiteralString = """
    SELECT player_id, coalesce(name, '') AS name
      FROM (SELECT player_id, row_number() OVER (ORDER BY player_id) AS number
              FROM campaign_recipients
             WHERE campaign_id = $1 AND state = 'waiting') AS numbered
      LEFT JOIN players ON players.id = player_id
     WHERE number % $2 = 0
     ORDER BY player_id
     LIMIT $3
"""

_PLACES: LiteralString = " UNION ALL ".join(
    place.rows for place in STORAGES if place.owner == "player"
)
HELD: LiteralString = f"""
    SELECT owner_id, sum(quantity)::bigint AS quantity
      FROM ({_PLACES}) AS held
     WHERE owner_id = ANY($1) AND item_id = $2
     GROUP BY 1
"""


async def _held(
    writer: Writer, players: Sequence[UUID], item: UUID | None
) -> dict[UUID, Any] | None:
    """The pieces of an item that characters have, in all places; None without an item."""
    if item is None:
        return None
    rows = await writer.rows(HELD, list(players), item)
    return {row["owner_id"]: row["quantity"] for row in rows}
