"""The timeline of a character: what was done to it, and every slot that changed."""

from uuid import UUID

from gamekeeper.cli import names
from gamekeeper.cli.changes import changed_values
from gamekeeper.cli.names import Ids, PlayerKey, shortened, shown
from gamekeeper.cli.options import Cursor, Limit
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.db.database import Database
from gamekeeper.history import timeline
from gamekeeper.history.timeline import Event, Posting, Timeline


def history(
    key: PlayerKey,
    *,
    limit: Limit = 20,
    cursor: Cursor = None,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show all changes to a character, newest first, with every slot that changed."""

    async def work(database: Database) -> tuple[Timeline, dict[UUID, str]]:
        reader = database.reader
        player = await names.player(reader, key)
        page = await timeline.events(reader, str(player.id), cursor, limit)
        moved = [posting.item_id for event in page.values for posting in event.postings]
        return page, await names.names_of(reader, "item", moved)

    found, known = with_database(work)
    if as_json:
        return show_json(found)
    if not found.values:
        return say("Nothing was done to it.")
    clock = TerminalClock(utc=utc)
    actions = shortened([event.id for event in found.values], whole=ids)
    show_table(
        [clock.heading, "what", "by", "changed", "slot", "quantity", "held", "why", "action"],
        [
            row
            for event in found.values
            for row in _rows(event, known, clock, actions[event.id], ids=ids)
        ],
    )
    return say(f"Next page: --cursor {found.next}") if found.next else None


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
    names = " or ".join(one.name or str(one.player_id) for one in posting.counterparties)
    return names and f"{'from' if posting.quantity > 0 else 'to'} {names}"
