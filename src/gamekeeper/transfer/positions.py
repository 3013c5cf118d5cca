"""
Positions: whether the items of a character or a guild moved since they were exported.

An export records the number of the last posting of each character and guild. If that number is
another one here, items went to or came from others since, and making the character what the file
says would create them a second time: such a line is refused. A line without a position, from
another game or an older export, is refused if items were handed on since the last import, or if
the ledger of that time was dropped (retention): the number outlives dropped postings, but the
transfers do not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from msgspec import UNSET

from gamekeeper.db.database import Queryable, Writer
from gamekeeper.ledger.places import TRANSFERS
from gamekeeper.transfer.lines import Fault, GuildLine, PlayerLine

PositionedLine = PlayerLine | GuildLine
MOVED = (
    "its items moved since the export (position {here} here, {file} in the file), so they could "
    "exist twice; export again, leave the line out, or import with --overwrite"
)
HANDED = (
    "it traded or used a guild bank since the last import, so items could exist twice; leave the "
    "line out, or import with --overwrite"
)
DROPPED = (
    "the ledger since its last import was dropped, so items that moved since could exist twice; "
    "export again, leave the line out, or import with --overwrite"
)


async def find_positions(reader: Queryable, ids: Iterable[UUID]) -> dict[UUID, int]:
    """The position of each character or guild."""
    asked = list(ids)
    found = dict.fromkeys(asked, 0)
    for owner, number in await reader.rows(HEADS_AND_SHIFTS, asked):
        found[owner] += number
    return found


HEADS: LiteralString = "SELECT player_id, seq FROM ledger_heads WHERE player_id = ANY($1)"
HEADS_AND_SHIFTS: LiteralString = f"""
    {HEADS} UNION ALL SELECT id, shift FROM import_positions WHERE id = ANY($1)
"""


async def keep_positions(writer: Writer, lines: Iterable[PositionedLine]) -> None:
    """Make the positions of what was just imported those of its lines."""
    wanted = {line.id: line.position for line in lines if line.position is not UNSET}
    if not wanted:
        return
    rows = await writer.rows(HEADS, list(wanted))
    seqs = {row["player_id"]: row["seq"] for row in rows}
    await writer.run(
        """
        INSERT INTO import_positions AS old (id, shift)
        SELECT id, shift FROM unnest($1::uuid[], $2::bigint[]) AS new (id, shift) ORDER BY id
        ON CONFLICT (id) DO UPDATE SET shift = excluded.shift WHERE old.shift <> excluded.shift
        """,
        list(wanted),
        [position - seqs.get(owner, 0) for owner, position in wanted.items()],
    )


async def find_moved(
    reader: Queryable,
    lines: Mapping[int, PositionedLine],
    there: Mapping[UUID, PositionedLine],
) -> list[Fault]:
    """The lines whose items differ from what is stored, and moved here since the export."""
    differing = {
        number: line
        for number, line in lines.items()
        if line.id in there and _has_other_items(line, there[line.id])
    }
    if not differing:
        return []
    here = await find_positions(reader, [line.id for line in differing.values()])
    unmarked = [line.id for line in differing.values() if line.position is UNSET]
    reasons = await _since_last_import(reader, unmarked) if unmarked else {}
    return [
        Fault(number, "id", reasons[line.id])
        if line.position is UNSET
        else Fault(number, "position", MOVED.format(here=here[line.id], file=line.position))
        for number, line in differing.items()
        if line.id in reasons or line.position not in (UNSET, here[line.id])
    ]


async def _since_last_import(reader: Queryable, ids: Sequence[UUID]) -> dict[UUID, str]:
    """The characters and guilds that handed items on since their last import, or may have."""
    dropped = await reader.rows(DROPPED_SINCE, ids)
    handed = await reader.rows(HANDED_SINCE, ids, TRANSFERS)
    return {row["player_id"]: DROPPED for row in dropped} | {
        row["player_id"]: HANDED for row in handed
    }


HANDED_SINCE: LiteralString = """
    SELECT DISTINCT player_id
      FROM postings
     WHERE player_id = ANY($1) AND against = ANY($2)
       AND seq > coalesce((SELECT max(seq) FROM postings AS imported
                            WHERE imported.player_id = postings.player_id
                              AND imported.against = 'import'), 0)
"""


# A kept posting of an import has all later ones beside it: months are dropped oldest first.
DROPPED_SINCE: LiteralString = """
    SELECT player_id
      FROM opening_heads
     WHERE player_id = ANY($1)
       AND NOT EXISTS (SELECT FROM postings
                        WHERE postings.player_id = opening_heads.player_id
                          AND postings.against = 'import')
"""


def _has_other_items(line: PositionedLine, before: PositionedLine) -> bool:
    return any(
        (given := getattr(line, place)) is not UNSET and given != getattr(before, place)
        for place in ("inventory", "bank")
        if hasattr(line, place)
    )
