"""
The chat around a report: what its reporter and the reported account said, and what others said.

Of private messages only those between the two are in it. A report may name chat lines; those of
anybody else are ignored, so that nobody can have strangers' words frozen by naming ids.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer
from gamekeeper.sanctions.excerpts import ExcerptLine
from gamekeeper.servers.chat import lines
from gamekeeper.servers.chat.lines import AROUND, ChatLine

MAX_LINES = 200
"""The chat lines of one report, with its repetitions."""


class Incident(Struct, frozen=True, kw_only=True):
    """Where and when something happened, and between which accounts."""

    at: datetime
    reporter_id: UUID
    user_id: UUID
    server_id: UUID | None
    message_ids: Sequence[UUID]
    """The lines that are meant."""


async def chat_around(writer: Writer, incidents: Sequence[Incident]) -> list[list[ExcerptLine]]:
    """The lines around each incident, oldest first: at most 200, the nearest ones."""
    if not incidents:
        return []
    nearby = await writer.rows(
        NEARBY,
        list(range(len(incidents))),
        [incident.at for incident in incidents],
        [incident.reporter_id for incident in incidents],
        [incident.user_id for incident in incidents],
        [incident.server_id for incident in incidents],
        AROUND,
    )
    ids = {row["id"] for row in nearby}
    meant = {id_ for incident in incidents for id_ in incident.message_ids}
    found = {line.id: line for line in await lines.find(writer, sorted(ids | meant))}
    characters = await _characters(writer, incidents)
    chosen: list[list[ExcerptLine]] = []
    for number, incident in enumerate(incidents):
        ranks = {row["id"]: row["rank"] for row in nearby if row["number"] == number}
        for id_ in incident.message_ids:
            if id_ in found and _is_between(found[id_], incident, characters):
                ranks[id_] = 0
        chosen.append(_nearest([(rank, found[id_]) for id_, rank in ranks.items()], incident.at))
    return chosen


def _nearest(ranked: Sequence[tuple[int, ChatLine]], at: datetime) -> list[ExcerptLine]:
    by_distance = sorted(ranked, key=lambda one: (one[0], abs(one[1].said_at - at)))
    kept = [line for _, line in by_distance[:MAX_LINES]]
    kept.sort(key=lambda line: (line.said_at, line.id))
    return [lines.excerpt_line(line) for line in kept]


async def _characters(writer: Writer, incidents: Sequence[Incident]) -> dict[UUID, UUID]:
    """The account of each character of the two accounts."""
    users = {user for each in incidents for user in (each.reporter_id, each.user_id)}
    rows = await writer.rows("SELECT id, user_id FROM players WHERE user_id = ANY($1)", list(users))
    return {row["id"]: row["user_id"] for row in rows}


def _is_between(line: ChatLine, incident: Incident, characters: dict[UUID, UUID]) -> bool:
    """Whether one of the two said it, and in private only to the other."""
    two = {incident.reporter_id, incident.user_id}
    if line.user_id not in two:
        return False
    heard_by = characters.get(line.target_id) if line.target_id else None
    return line.channel != "pm" or heard_by in two - {line.user_id}


# Each part is one walk of an index, with a limit: a busy server says thousands of lines in ten
# minutes. The reported account first, then the reporter, then what others said beside them.
NEARBY: LiteralString = """
    SELECT incident.number, nearby.id, min(nearby.rank) AS rank
      FROM unnest($1::int[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[])
           AS incident (number, at, reporter_id, user_id, server_id)
     CROSS JOIN LATERAL (
           (SELECT id, 1 AS rank FROM chat_messages
             WHERE chat_messages.user_id = incident.user_id
               AND said_at BETWEEN incident.at - $6::interval AND incident.at + $6::interval
               AND (channel <> 'pm'
                    OR target_id IN (SELECT players.id FROM players
                                      WHERE players.user_id = incident.reporter_id))
             ORDER BY said_at DESC, id DESC LIMIT 100)
           UNION ALL
           (SELECT id, 2 FROM chat_messages
             WHERE chat_messages.user_id = incident.reporter_id
               AND said_at BETWEEN incident.at - $6::interval AND incident.at + $6::interval
               AND (channel <> 'pm'
                    OR target_id IN (SELECT players.id FROM players
                                      WHERE players.user_id = incident.user_id))
             ORDER BY said_at DESC, id DESC LIMIT 100)
           UNION ALL
           (SELECT id, 3 FROM chat_messages
             WHERE chat_messages.server_id = incident.server_id
               AND said_at BETWEEN incident.at - $6::interval AND incident.at
               AND channel IN ('local', 'global')
             ORDER BY said_at DESC, id DESC LIMIT 100)
           UNION ALL
           (SELECT id, 3 FROM chat_messages
             WHERE chat_messages.server_id = incident.server_id
               AND said_at BETWEEN incident.at AND incident.at + $6::interval
               AND channel IN ('local', 'global')
             ORDER BY said_at, id LIMIT 50)
           ) AS nearby
     GROUP BY incident.number, nearby.id
"""
