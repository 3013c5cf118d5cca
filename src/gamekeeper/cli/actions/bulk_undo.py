"""Bulk undo at the command line: all pages of it, added up, as tables or JSON."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from gamekeeper.cli import names
from gamekeeper.cli.command import Output, TextTable
from gamekeeper.cli.terminal import progress
from gamekeeper.cli.times import TerminalClock
from gamekeeper.core.errors import Invalid
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo import bulk
from gamekeeper.history.undo.bulk import Sweep, Swept
from gamekeeper.history.undo.conflicts import TradeObstacle
from gamekeeper.history.undo.outcomes import Left, Tally
from gamekeeper.history.undo.recipients import UndoRecipient, UndoRecipientItem
from gamekeeper.history.undo.selection import What
from gamekeeper.users.actors import find_only_actor

COUNTS = ("undone", "partly", "already_undone", "covered", "left")
RECIPIENT_COUNTS = ("found", "undone", "partly", "already_undone", "left")
USAGE = "Use an action's id, or --actor with --from and --to, or --player or --user with --from."
NOBODY = "(no recipient: used up, sold or dropped)"


class Whose(Struct, frozen=True, kw_only=True):
    """The name or id of an actor, a character or an account: exactly one."""

    actor: str | None
    player: str | None
    user: str | None

    def check(self, action: str | None, *, everything: bool) -> None:
        """Refuse a command that names none or several of them, or an action besides."""
        named = [name for name in (action, self.actor, self.player, self.user) if name is not None]
        is_by_character = self.player is not None or self.user is not None
        if len(named) != 1 or (everything and not is_by_character):
            raise Invalid(USAGE)

    def span(
        self, clock: TerminalClock, since: str | None, until: str | None
    ) -> tuple[datetime, datetime]:
        """The instants of --from and --to; --to is now by default, except for an actor."""
        begin, end = clock.period(since, until if self.actor is not None else until or "now")
        if begin is None or end is None:
            raise Invalid(USAGE)
        return begin, end

    async def sweep(
        self,
        reader: Reader,
        span: tuple[datetime, datetime],
        *,
        by: AuditContext,
        what: What,
        partial: bool,
    ) -> Sweep:
        """The bulk undo of that time, with names resolved."""
        actor, player, user = self.actor, self.player, self.user
        return Sweep(
            by=by,
            actor=None if actor is None else await find_only_actor(reader, actor),
            player_id=None if player is None else (await names.player(reader, player)).id,
            user_id=None if user is None else (await names.user(reader, user)).id,
            since=span[0],
            until=span[1],
            what=what,
            partial=partial,
        )


async def run(database: Database, sweep: Sweep, *, dry_run: bool) -> Output:
    """Undo, and show the result. Exit code 1: something was not undone."""
    swept = await _all(database, sweep, dry_run=dry_run)
    kinds = [
        [tally.kind, str(tally.found), *(str(getattr(tally, name)) for name in COUNTS)]
        for tally in swept.kinds
    ]
    tables = [
        TextTable(["kind", "found", "undone", "partly", "already undone", "covered", "left"], kinds)
    ]
    if swept.recipients:
        columns = ["recipient", "found", "undone", "partly", "already undone", "left", "returned"]
        tables.append(TextTable(columns, [_recipient(recipient) for recipient in swept.recipients]))
    if swept.left:
        rows = [[str(left.id), left.kind, _why(left)] for left in swept.left]
        tables.append(TextTable(["not undone", "kind", "why"], rows))
    end = "Dry run: nothing was undone." if swept.dry_run else "Done."
    return Output(swept, *tables, end, code=1 if swept.left else 0)


def _recipient(one: UndoRecipient) -> list[str]:
    items = [
        f"{item.returned} of {item.quantity} {item.item_name or item.item_id}" for item in one.items
    ]
    who = (one.name or str(one.player_id)) if one.player_id else NOBODY
    return [who, *(str(getattr(one, name)) for name in RECIPIENT_COUNTS), ", ".join(items)]


def _why(left: Left) -> str:
    """The refusal and, of conflicts with a character, whose they are and how many are there."""
    conflicts = [
        f"{obstacle.player_name}: {obstacle.reason.replace('_', ' ')}"
        + ("" if obstacle.wanted is None else f", {obstacle.possible} of {obstacle.wanted}")
        + _handed_on(obstacle)
        for obstacle in left.in_the_way
        if obstacle.player_name
    ]
    return " ".join([left.message, *(f"{conflict}." for conflict in conflicts)])


def _handed_on(obstacle: TradeObstacle) -> str:
    to = dict.fromkeys(
        owner.name or str(owner.player_id or owner.guild_id)
        for transfer in obstacle.handed_on
        for owner in transfer.to
    )
    return f", passed on to {', '.join(to)}" if to else ""


async def _all(database: Database, sweep: Sweep, *, dry_run: bool) -> Swept:
    """Call the bulk undo until its last page, and add up the results."""
    total: Swept | None = None
    with progress("actions") as tell:
        while True:
            swept: Swept = await bulk.sweep(database, sweep, dry_run=dry_run)
            total = _added(total, swept) if total else swept
            looked_at = sum(getattr(tally, name) for tally in total.kinds for name in COUNTS)
            tell(looked_at, sum(tally.found for tally in total.kinds))
            if swept.next is None:
                return total
            sweep = replace(sweep, cursor=swept.next)


def _added(total: Swept, page: Swept) -> Swept:
    return replace(
        page,
        kinds=_tallies(total.kinds, page.kinds),
        left=[*total.left, *page.left],
        recipients=_recipients([*total.recipients, *page.recipients]),
    )


def _tallies(before: Sequence[Tally], now: Sequence[Tally]) -> list[Tally]:
    """Counts added up; `found` is of all pages already."""
    known = {tally.kind: tally for tally in before}
    return [
        replace(
            tally,
            **{name: getattr(tally, name) + getattr(known[tally.kind], name) for name in COUNTS},
        )
        if tally.kind in known
        else tally
        for tally in now
    ]


def _recipients(pages: Sequence[UndoRecipient]) -> list[UndoRecipient]:
    """One entry for each recipient, in the order in which the pages name them."""
    found: dict[object, UndoRecipient] = {}
    for page in pages:
        known = found.get(page.player_id)
        found[page.player_id] = (
            replace(
                page,
                items=_items([*known.items, *page.items]),
                conflicts=[*known.conflicts, *page.conflicts],
                **{name: getattr(known, name) + getattr(page, name) for name in RECIPIENT_COUNTS},
            )
            if known
            else page
        )
    return list(found.values())


def _items(items: Sequence[UndoRecipientItem]) -> list[UndoRecipientItem]:
    found: dict[object, UndoRecipientItem] = {}
    for item in items:
        known = found.get(item.item_id)
        found[item.item_id] = (
            replace(
                item,
                quantity=known.quantity + item.quantity,
                returned=known.returned + item.returned,
            )
            if known
            else item
        )
    return list(found.values())
