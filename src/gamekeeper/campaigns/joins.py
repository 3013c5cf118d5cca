"""
Lazy campaigns: a letter that is created when a character next joins a game server.

The letter and the mark of the pair (campaign, character) are in the transaction of the join, so
that a retry, two servers at once or a kill repeat nothing. A join without a lazy campaign costs one
look at an index, and one of a character that has its letters reads its marks only.

Locks: the characters, then at most one part of the counts of each campaign, in the order of the
campaigns. A pause or stop locks the campaign and all its parts, and no character.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import LiteralString
from uuid import UUID

import asyncpg

from gamekeeper.campaigns import counts, steps, storage
from gamekeeper.campaigns.storage import RecipientOutcome, StoredCampaign
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.core.ids import NIL
from gamekeeper.core.observability import loggers
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import RetryTransaction, Writer
from gamekeeper.db.operations import operation
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.state import lock_all
from gamekeeper.segments import members
from gamekeeper.servers import presence
from gamekeeper.servers.presence import Joining, PresenceChange

LETTERS_AT_ONCE = 100
"""In one join: it must not take long. The worker sends the others within a minute."""

Waiting = Mapping[UUID, Sequence[UUID]]
"""The characters that may get a letter, by campaign."""

TEMPORARY = (
    *(Unavailable, OSError, TimeoutError, RetryTransaction),
    *(asyncpg.TransactionRollbackError, asyncpg.InterfaceError),
)
"""Faults of the whole transaction, which its caller repeats or reports."""

log = loggers.get_logger()


@operation
async def join(writer: Writer, commands: Sequence[PresenceChange]) -> list[Joining | Problem]:
    """Let characters join servers, and send them the letters of lazy campaigns."""
    campaigns = await storage.find_open(writer)
    if not campaigns:
        return await presence.join(writer, commands)
    # The conditions count as the character was before it joined: "offline for 90 days" never holds
    # afterwards. The locks of the join come later, and the marks are read again under them.
    keys = [key for command in commands for key in command.players]
    waiting = await _waiting(writer, campaigns, keys)
    outcomes = await presence.join(writer, commands)
    joined = {
        each.player_id
        for outcome in outcomes
        if not isinstance(outcome, Problem)
        for each in outcome.values
    }
    await _deliver_or_skip(writer, campaigns, _bounded(waiting, joined))
    return outcomes


async def _waiting(
    writer: Writer, campaigns: Sequence[StoredCampaign], keys: Sequence[str]
) -> Waiting:
    """The characters that are members of a campaign and have no letter of it yet."""
    players = {player for player in await find_player_ids(writer, keys) if player}
    rows = await writer.rows(
        WAITING,
        [campaign.id for campaign in campaigns],
        [campaign.created_at for campaign in campaigns],
        list(players),
    )
    waiting: dict[UUID, list[UUID]] = {}
    for row in rows:
        waiting.setdefault(row["campaign_id"], []).append(row["player_id"])
    return {
        campaign.id: await still_members(writer, campaign, waiting[campaign.id])
        for campaign in campaigns
        if campaign.id in waiting
    }


# A refusal, for example by a full mailbox, is no reason to go without the letter for ever.
WAITING: LiteralString = """
    SELECT campaign.id AS campaign_id, players.id AS player_id
      FROM unnest($1::uuid[], $2::timestamptz[]) AS campaign (id, created_at)
      JOIN players ON players.id = ANY($3) AND players.created_at <= campaign.created_at
     WHERE NOT EXISTS (
               SELECT FROM campaign_recipients AS recipient
                WHERE recipient.campaign_id = campaign.id AND recipient.player_id = players.id
                  AND state <> 'refused')
     ORDER BY 1, 2
"""


async def still_members(
    writer: Writer, campaign: StoredCampaign, players: Sequence[UUID]
) -> list[UUID]:
    """Those of the characters for whom the conditions of a campaign hold now."""
    return await members.still_members(
        writer, campaign.definition, players, started=campaign.created_at
    )


def _bounded(waiting: Waiting, joined: Collection[UUID]) -> Waiting:
    """Those of the characters that joined, and no more than a join can serve."""
    room, bounded = LETTERS_AT_ONCE, dict[UUID, list[UUID]]()
    for campaign, players in waiting.items():
        bounded[campaign] = [player for player in players if player in joined][:room]
        room -= len(bounded[campaign])
    return bounded


async def _deliver_or_skip(
    writer: Writer, campaigns: Sequence[StoredCampaign], waiting: Waiting
) -> None:
    """Send letters; a fault that nobody foresaw must not keep players out of the game."""
    if not any(waiting.values()):
        return
    await writer.run("SAVEPOINT letters")
    try:
        await deliver(writer, campaigns, waiting)
    except TEMPORARY:
        raise
    except Exception:
        log.exception("lazy_letters_failed", campaigns=[str(campaign) for campaign in waiting])
        await writer.run("ROLLBACK TO SAVEPOINT letters")
    await writer.run("RELEASE SAVEPOINT letters")


async def deliver(writer: Writer, campaigns: Sequence[StoredCampaign], waiting: Waiting) -> None:
    """
    Send the letters of campaigns to characters, which must be locked, and mark them.

    A campaign that was paused, has ended or has as many recipients as it may have sends none.
    """
    lists = {campaign.id: waiting.get(campaign.id, ()) for campaign in campaigns}
    marks = await _marks(writer, lists)
    due = {
        campaign: [player for player in players if marks.get((campaign, player)) in UNMARKED]
        for campaign, players in lists.items()
    }
    # All before the first letter, which may lock counters of economy rules.
    parts = {
        campaign: await counts.lock_part(writer, campaign, len(players))
        for campaign, players in sorted(due.items())
        if players
    }
    for campaign in campaigns:
        if part := parts.get(campaign.id):
            number, room = part
            players = due[campaign.id][:room]
            outcomes = await _send(writer, campaign, players)
            again = sum((campaign.id, player) in marks for player in players)
            await save_marks(writer, campaign.id, outcomes, number, refused_before=again)


UNMARKED = (None, "refused")


async def _marks(writer: Writer, lists: Waiting) -> dict[tuple[UUID, UUID], str]:
    """The states of recipients that are stored."""
    pairs = [(campaign, player) for campaign, players in lists.items() for player in players]
    if not pairs:
        return {}
    rows = await writer.rows(
        """
        SELECT campaign_id, player_id, state
          FROM campaign_recipients
          JOIN unnest($1::uuid[], $2::uuid[]) AS wanted (campaign_id, player_id)
         USING (campaign_id, player_id)
        """,
        *columns(pairs),
    )
    return {(row["campaign_id"], row["player_id"]): row["state"] for row in rows}


async def _send(
    writer: Writer, campaign: StoredCampaign, players: Sequence[UUID]
) -> list[RecipientOutcome]:
    refusals = await steps.execute(writer, campaign.starter(), campaign.shown.work, players)
    return [
        RecipientOutcome(player, "refused", refusal.code)
        if refusal
        else RecipientOutcome(player, "done")
        for player, refusal in zip(players, refusals, strict=True)
    ]


async def save_marks(
    writer: Writer,
    campaign: UUID,
    outcomes: Sequence[RecipientOutcome],
    part: int,
    *,
    refused_before: int = 0,
) -> None:
    """Mark recipients, and count them in a part; some of them may have been refused before."""
    rows = [(outcome.player, outcome.state, outcome.code) for outcome in outcomes]
    await writer.run(
        """
        INSERT INTO campaign_recipients AS old (campaign_id, player_id, state, code, at)
        SELECT $1, player_id, state, code, statement_timestamp()
          FROM unnest($2::uuid[], $3::text[], $4::text[]) AS new (player_id, state, code)
        ON CONFLICT (campaign_id, player_id) DO UPDATE
           SET state = excluded.state, code = excluded.code, at = excluded.at
         WHERE old.state = 'refused'
        """,
        campaign,
        *columns(rows),
    )
    done = sum(outcome.state == "done" for outcome in outcomes)
    await writer.run(
        """
        UPDATE campaign_counts SET room = room - $3, done = done + $3, refused = refused + $4
         WHERE campaign_id = $1 AND part = $2
        """,
        campaign,
        part,
        done,
        len(outcomes) - done - refused_before,
    )


async def sweep(writer: Writer, campaign: StoredCampaign, limit: int) -> int | None:
    """
    Send letters to some of those who are in the game already; how many were examined.

    None: all were examined, and the next call begins again. The campaign must be locked.
    """
    found = await next_present(writer, campaign, limit)
    players = [player for player in await lock_all(writer, list(map(str, found))) if player]
    present = await still_members(writer, campaign, players)
    await deliver(writer, [campaign], {campaign.id: present})
    await storage.set_cursor(writer, campaign.id, found[-1] if len(found) == limit else None)
    return len(found) if len(found) == limit else None


async def next_present(writer: Writer, campaign: StoredCampaign, limit: int) -> list[UUID]:
    """The next characters in the game that have no mark of a campaign."""
    rows = await writer.rows(
        """
        SELECT presences.player_id
          FROM presences
          JOIN servers ON servers.id = presences.server_id
          JOIN players ON players.id = presences.player_id
         WHERE presences.player_id > $2 AND players.created_at <= $3
           AND servers.lease_until > statement_timestamp()
           AND NOT EXISTS (
                   SELECT FROM campaign_recipients AS recipient
                    WHERE recipient.campaign_id = $1
                      AND recipient.player_id = presences.player_id)
         ORDER BY presences.player_id
         LIMIT $4
        """,
        campaign.id,
        campaign.cursor or NIL,
        campaign.created_at,
        limit,
    )
    return [row["player_id"] for row in rows]


async def give_up(writer: Writer, campaign: StoredCampaign) -> int:
    """Mark the next character as one for whom the letter fails."""
    found = await next_present(writer, campaign, 1)
    for player in found:
        await lock_all(writer, [str(player)])
        part = await counts.lock_part(writer, campaign.id, 1)
        if part and (campaign.id, player) not in await _marks(writer, {campaign.id: [player]}):
            outcome = RecipientOutcome(player, "refused", "internal_error")
            await save_marks(writer, campaign.id, [outcome], part[0])
        await storage.set_cursor(writer, campaign.id, player)
    return len(found)
