"""The rows of campaigns: find, list and lock them, and page through their recipients."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.campaigns import counts
from gamekeeper.campaigns.records import (
    Campaign,
    Campaigns,
    CampaignState,
    CampaignWork,
    KeptItem,
    RecipientState,
)
from gamekeeper.core.errors import NotFound
from gamekeeper.core.ids import NIL
from gamekeeper.core.schemas import LARGEST_PAGE
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Approver, AuditContext
from gamekeeper.ledger.audit_log import MAX_ID
from gamekeeper.segments.records import Definition


class CampaignNotFound(NotFound):
    """No campaign has that id."""


class StoredCampaign(Struct, frozen=True, kw_only=True):
    """A campaign, and what only the worker needs of it."""

    shown: Campaign
    definition: Definition
    created_at: datetime
    started_by: str | None = None
    approved_by: str | None = None
    reversed_by: str | None = None
    cursor: UUID | None = None

    @property
    def id(self) -> UUID:
        return self.shown.id

    def starter(self) -> AuditContext:
        """
        Who does the work, in the audit log: whoever started the campaign.

        Its request id is the campaign's, by which a reversal finds the actions. Limits were
        counted for the whole campaign when it was started.
        """
        approver = self.approved_by and Approver(
            self.approved_by, self.shown.approved_by_name or ""
        )
        by = self._by(self.started_by, self.shown.started_by_name)
        return replace(by, approved_by=approver or None)

    def reverser(self) -> AuditContext:
        """Who undoes the work, in the audit log: whoever reversed the campaign."""
        return self._by(self.reversed_by, self.shown.reversed_by_name)

    def _by(self, actor: str | None, name: str | None) -> AuditContext:
        assert actor is not None
        assert name is not None
        return AuditContext(
            actor=actor, name=name, request_id=str(self.id), reason=self.shown.reason
        )


_FIELDS: LiteralString = """
    id, name, segment, work, reason, per_second, state, created_at, created_by_name, started_at,
    started_by_name, approved_by_name, reversed_by_name, ended_at, ends_at, on_join, max_recipients,
    schedule_id, skipped, reversed, kept, fault
"""
_COUNTS: LiteralString = "recipients, done, refused"
# Those of a lazy campaign are in parts (0072_lazy_campaigns.sql).
_SHOWN: LiteralString = f"""
    {_FIELDS},
    (recipients + (SELECT coalesce(sum(part.done + part.refused), 0)
                     FROM campaign_counts AS part WHERE campaign_id = id))::int AS recipients,
    (done + (SELECT coalesce(sum(part.done), 0)
               FROM campaign_counts AS part WHERE campaign_id = id))::int AS done,
    (refused + (SELECT coalesce(sum(part.refused), 0)
                  FROM campaign_counts AS part WHERE campaign_id = id))::int AS refused
"""
_HIDDEN: LiteralString = "definition, started_by, approved_by, reversed_by, cursor"
_STORED: LiteralString = f"{_SHOWN}, {_HIDDEN}"
_SHOWN_FIELDS = [name.strip() for name in f"{_FIELDS}, {_COUNTS}".split(",")]


async def find_campaign(reader: Queryable, campaign: UUID) -> Campaign:
    rows = await reader.rows(f"SELECT {_SHOWN} FROM campaigns WHERE id = $1", campaign)
    if not rows:
        raise missing(campaign)
    return campaign_of(rows[0])


async def find_stored(reader: Queryable, campaign: UUID) -> StoredCampaign:
    """A campaign with what only the worker needs of it."""
    rows = await reader.rows(f"SELECT {_STORED} FROM campaigns WHERE id = $1", campaign)
    if not rows:
        raise missing(campaign)
    return _stored(rows[0])


async def list_campaigns(reader: Reader, cursor: UUID | None, limit: int) -> Campaigns:
    """A page of campaigns, newest first."""
    limit = max(1, min(limit, LARGEST_PAGE))
    rows = await reader.rows(
        f"SELECT {_SHOWN} FROM campaigns WHERE id < $1 ORDER BY id DESC LIMIT $2",
        cursor or MAX_ID,
        limit + 1,
    )
    shown = [campaign_of(row) for row in rows[:limit]]
    return Campaigns(values=shown, next=shown[-1].id if len(rows) > limit else None)


async def lock(writer: Writer, campaign: UUID) -> StoredCampaign:
    """A campaign, which nobody else can change until the transaction ends."""
    rows = await writer.rows(f"SELECT {_STORED} FROM campaigns WHERE id = $1 FOR UPDATE", campaign)
    if not rows:
        raise missing(campaign)
    return _stored(rows[0])


async def find_open(reader: Queryable) -> list[StoredCampaign]:
    """The lazy campaigns that deliver letters now, by id; without their counts."""
    rows = await reader.rows(OPEN)
    return [_stored(row) for row in rows]


OPEN: LiteralString = f"""
    SELECT {_FIELDS}, {_COUNTS}, {_HIDDEN} FROM campaigns
     WHERE on_join AND state = 'running' AND ends_at > statement_timestamp()
     ORDER BY id
"""


async def insert(writer: Writer, campaign: StoredCampaign, created_by: str) -> None:
    shown = campaign.shown
    await writer.run(
        """
        INSERT INTO campaigns (id, name, segment, definition, work, reason, per_second, created_at,
                               created_by, created_by_name, ends_at, schedule_id, state, on_join,
                               max_recipients)
        VALUES ($1, $2, $3, $4::text::jsonb, $5::text::jsonb, $6, $7, $8, $9, $10, $11, $12, $13,
                $14, $15)
        """,
        shown.id,
        shown.name,
        shown.segment,
        msgspec.json.encode(campaign.definition).decode(),
        msgspec.json.encode(shown.work).decode(),
        shown.reason,
        shown.per_second,
        campaign.created_at,
        created_by,
        shown.created_by_name,
        shown.ends_at,
        shown.schedule_id,
        shown.state,
        shown.on_join,
        shown.max_recipients,
    )


class RecipientOutcome(Struct, frozen=True):
    """What became of one recipient."""

    player: UUID
    state: RecipientState
    code: str | None = None
    kept: Sequence[KeptItem] = ()


async def next_recipients(
    writer: Writer, campaign: StoredCampaign, state: RecipientState, limit: int
) -> list[UUID]:
    """The recipients whose turn it is next."""
    rows = await writer.rows(
        """
        SELECT player_id FROM campaign_recipients
         WHERE campaign_id = $1 AND state = $2 AND player_id > $3
         ORDER BY player_id LIMIT $4
        """,
        campaign.id,
        state,
        campaign.cursor or NIL,
        limit,
    )
    return [row["player_id"] for row in rows]


async def add_recipients(
    writer: Writer, campaign: StoredCampaign, players: Sequence[UUID], cursor: UUID | None
) -> None:
    """Add recipients that were found, and the position up to which all were examined."""
    await writer.run(
        "INSERT INTO campaign_recipients (campaign_id, player_id) SELECT $1, unnest($2::uuid[])",
        campaign.id,
        list(players),
    )
    await writer.run(
        "UPDATE campaigns SET cursor = $2, recipients = recipients + $3 WHERE id = $1",
        campaign.id,
        cursor,
        len(players),
    )


async def save_outcomes(
    writer: Writer, campaign: StoredCampaign, outcomes: Sequence[RecipientOutcome]
) -> None:
    """Write what became of recipients, count them, and move the cursor behind them."""
    rows = [
        (
            *(outcome.player, outcome.state, outcome.code),
            msgspec.json.encode(outcome.kept).decode() if outcome.kept else None,
        )
        for outcome in outcomes
    ]
    await writer.run(
        """
        UPDATE campaign_recipients AS recipient
           SET state = new.state, code = new.code, kept = new.kept::jsonb,
               at = statement_timestamp()
          FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
               AS new (player_id, state, code, kept)
         WHERE campaign_id = $1 AND recipient.player_id = new.player_id
        """,
        campaign.id,
        *columns(rows),
    )
    counted = [sum(outcome.state == state for outcome in outcomes) for state in COUNTED]
    await writer.run(
        """
        UPDATE campaigns
           SET cursor = $2, done = done + $3, skipped = skipped + $4, refused = refused + $5,
               reversed = reversed + $6, kept = kept + $7
         WHERE id = $1
        """,
        campaign.id,
        max(outcome.player for outcome in outcomes),
        *counted,
    )


async def set_cursor(writer: Writer, campaign: UUID, cursor: UUID | None) -> None:
    await writer.run("UPDATE campaigns SET cursor = $2 WHERE id = $1", campaign, cursor)


COUNTED: tuple[RecipientState, ...] = ("done", "skipped", "refused", "reversed", "kept")


async def enter(
    writer: Writer, campaign: UUID, state: CampaignState, fault: str | None = None
) -> Campaign:
    """Put a campaign into a state, in which it begins with its first recipient."""
    # First: this waits for joins that deliver, so that the counts below include theirs.
    await counts.set_open(writer, campaign, is_open=state == "running")
    [row] = await writer.rows(
        f"""
        UPDATE campaigns
           SET state = $2, fault = $3,
               -- A pause keeps the position.
               cursor = CASE WHEN $2 IN ('paused', 'running') AND state <> 'ready' THEN cursor END,
               ended_at = CASE WHEN $2 IN ('stopped', 'finished', 'reversed') THEN now() END
         WHERE id = $1
        RETURNING {_SHOWN}
        """,
        campaign,
        state,
        fault,
    )
    return campaign_of(row)


async def set_starter(writer: Writer, campaign: UUID, by: AuditContext) -> None:
    approver = by.approved_by
    await writer.run(
        """
        UPDATE campaigns
           SET started_at = now(), started_by = $2, started_by_name = $3, approved_by = $4,
               approved_by_name = $5
         WHERE id = $1
        """,
        campaign,
        by.actor,
        by.name,
        approver and approver.actor,
        approver and approver.name,
    )


async def set_reverser(writer: Writer, campaign: UUID, by: AuditContext) -> None:
    sql = "UPDATE campaigns SET reversed_by = $2, reversed_by_name = $3 WHERE id = $1"
    await writer.run(sql, campaign, by.actor, by.name)


def campaign_of(row: Mapping[str, Any]) -> Campaign:
    fields = {name: row[name] for name in _SHOWN_FIELDS}
    return Campaign(**{**fields, "work": msgspec.convert(row["work"], CampaignWork)})


def _stored(row: Mapping[str, Any]) -> StoredCampaign:
    return StoredCampaign(
        shown=campaign_of(row),
        definition=msgspec.convert(row["definition"], Definition),
        created_at=row["created_at"],
        started_by=row["started_by"],
        approved_by=row["approved_by"],
        reversed_by=row["reversed_by"],
        cursor=row["cursor"],
    )


def missing(campaign: UUID) -> CampaignNotFound:
    return CampaignNotFound(f"No campaign has the id '{campaign}'.")
