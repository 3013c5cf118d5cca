"""The recipients of a campaign, page by page."""

from typing import LiteralString
from uuid import UUID

import msgspec

from gamekeeper.campaigns.records import (
    CampaignRecipient,
    CampaignRecipients,
    KeptItem,
    RecipientState,
)
from gamekeeper.campaigns.storage import find_campaign
from gamekeeper.core.ids import NIL
from gamekeeper.core.schemas import LARGEST_PAGE
from gamekeeper.db.database import Reader


async def list_recipients(
    reader: Reader,
    campaign: UUID,
    state: RecipientState | None,
    cursor: UUID | None,
    limit: int,
) -> CampaignRecipients:
    """A page of the recipients of a campaign, by id: all, or those in one state."""
    await find_campaign(reader, campaign)
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.rows(
        RECIPIENTS if state is None else RECIPIENTS_IN_STATE,
        campaign,
        cursor or NIL,
        limit + 1,
        *([] if state is None else [state]),
    )
    values = [
        CampaignRecipient(**{**row, "kept": msgspec.convert(row["kept"] or [], list[KeptItem])})
        for row in rows[:limit]
    ]
    return CampaignRecipients(
        values=values, next=values[-1].player_id if len(rows) > limit else None
    )


_RECIPIENTS: LiteralString = """
    SELECT recipient.player_id, players.name, state, code, kept, at
      FROM (SELECT * FROM campaign_recipients
             WHERE campaign_id = $1 AND player_id > $2 {state}
             ORDER BY player_id LIMIT $3) AS recipient
      LEFT JOIN players ON players.id = recipient.player_id
     ORDER BY recipient.player_id
"""
RECIPIENTS = _RECIPIENTS.replace("{state}", "")
RECIPIENTS_IN_STATE = _RECIPIENTS.replace("{state}", "AND state = $4")
