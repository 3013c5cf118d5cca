"""``gamekeeper players history``: what was done to a character, and every slot that changed."""

from uuid import UUID

from gamekeeper.cli import names
from gamekeeper.cli.actions.changes import changed_values
from gamekeeper.cli.command import Output, TextTable, command
from gamekeeper.cli.names import FoundPlayer, Ids, shortened, shown
from gamekeeper.cli.options import Cursor, Limit
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.db.database import Database
from gamekeeper.history import timeline
from gamekeeper.history.timeline import Event, Posting


@command
async def history(
    database: Database,
    player: FoundPlayer,
    *,
    limit: Limit = 20,
    cursor: Cursor = None,
    ids: Ids = False,
    clock: Clock,
) -> Output:
    """Show all changes to a character, newest first, with every slot that changed."""
    found = await timeline.events(database.reader, str(player.id), cursor, limit)
    if not found.values:
        return Output(found, "No changes are recorded.")
    moved = [posting.item_id for event in found.values for posting in event.postings]
    known = await names.names_of(database.reader, "item", moved)
    actions = shortened([event.id for event in found.values], whole=ids)
    rows = [
        row
        for event in found.values
        for row in _rows(event, known, clock, actions[event.id], ids=ids)
    ]
    columns = [clock.heading, "what", "by", "changed", "slot", "quantity", "held", "why", "action"]
    more = f"Next page: --cursor {found.next}" if found.next else None
    return Output(found, TextTable(columns, rows), more)


def _rows(
    event: Event, known: dict[UUID, str], clock: TerminalClock, action: str, *, ids: bool
) -> list[list[str]]:
    """One row for each changed slot, at least one; the first row names the action."""
    undone = " (undone)" if event.undone_by else ""
    about = [clock.show(event.at), event.kind + undone, event.actor_name]
    moves = [
        [
            shown(known, posting.item_id, ids=ids),
            f"{posting.place}:{posting.slot}",
            f"{posting.quantity:+,} {counterparties(posting)}".strip(),
            f"{posting.held_before} > {posting.held_after}",
        ]
        for posting in event.postings
    ] or [[changed_values(event), "", "", ""]]
    first, *others = moves
    return [
        [*about, *first, event.reason or "", action],
        *(["", "", "", *move, "", ""] for move in others),
    ]


def counterparties(posting: Posting) -> str:
    """`to Bo` or `from Bo`; empty if nobody is on the other side."""
    names = " or ".join(party.name or str(party.player_id) for party in posting.counterparties)
    return names and f"{'from' if posting.quantity > 0 else 'to'} {names}"
