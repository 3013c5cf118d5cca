"""``gamekeeper actions list``: the audit log."""

from collections.abc import Iterable
from typing import Annotated, Any
from uuid import UUID

import typer
from msgspec.structs import replace

from gamekeeper.catalog import items as catalog_items
from gamekeeper.cli import names
from gamekeeper.cli.actions.changes import changed_values
from gamekeeper.cli.command import Output, TextTable, command
from gamekeeper.cli.names import Ids, shortened, shown
from gamekeeper.cli.options import Cursor, Limit, Since, Until
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Database, Reader
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entry, Filters
from gamekeeper.players.lookup import names_of
from gamekeeper.users.actors import find_actors
from gamekeeper.users.lookup import names_of_users

ACTOR = "The actor: a name, key:NAME, user:NAME, cli:NAME or system."


@command
async def list_(
    database: Database,
    *,
    actor: Annotated[str | None, typer.Option(metavar="ACTOR", help=ACTOR)] = None,
    player: Annotated[
        str | None, typer.Option(metavar="CHARACTER", help="A character's name or id.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(metavar="ACCOUNT", help="An account's name or id.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="For example items.give.")
    ] = None,
    item: Annotated[str | None, typer.Option(metavar="ITEM", help="An item's name or id.")] = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    ids: Ids = False,
    clock: Clock,
) -> Output:
    """Show the audit log, newest first."""
    begin, end = clock.period(since, until)
    filters = Filters(kind=audit_log.check_kind(kind), since=begin, until=end)
    narrowed = await _narrowed(database.reader, filters, player, user, item)
    wanted = await _of_actors(database.reader, narrowed, actor)
    found = await audit_log.list_actions_of_any(database.reader, wanted, cursor, limit)
    if not found.values:
        return Output(found, "No action matches.")
    known = await _names(database.reader, found.values)
    actions = shortened([entry.id for entry in found.values], whole=ids)
    rows = [[*_row(entry, known, clock, ids=ids), actions[entry.id]] for entry in found.values]
    columns = [clock.heading, "what", "quantity", "of", "on", "by", "why", "action"]
    more = f"Next page: --cursor {found.next}" if found.next else "End of the list."
    return Output(found, TextTable(columns, rows), more)


async def _narrowed(
    reader: Reader, filters: Filters, player: str | None, user: str | None, item: str | None
) -> Filters:
    """The filters, with names resolved. An id is not looked up: actions outlive their subjects."""
    if player is not None:
        id_ = parse_guid(player) or (await names.player(reader, player)).id
        filters = replace(filters, player_id=id_)
    if user is not None:
        filters = replace(filters, user_id=parse_guid(user) or (await names.user(reader, user)).id)
    if item is not None:
        filters = replace(filters, item_id=(await names.entry(reader, "item", item)).id)
    return filters


async def _of_actors(reader: Reader, filters: Filters, actor: str | None) -> list[Filters]:
    if actor is None:
        return [filters]
    found = await find_actors(reader, actor, names_users=True)
    return [replace(filters, actor=actor.actor, actor_name=actor.name) for actor in found]


async def _names(reader: Reader, entries: Iterable[Entry]) -> dict[UUID, str]:
    entries = list(entries)
    known = await catalog_items.find_items(
        reader, {entry.item_id for entry in entries if entry.item_id}
    )
    players = await names_of(reader, [entry.player_id for entry in entries if entry.player_id])
    users = await names_of_users(reader, [entry.user_id for entry in entries if entry.user_id])
    found = {item_id: item.name for item_id, item in known.items()} | users | players
    for thing in SUBJECTS.values():
        subjects = [subject for entry in entries if (subject := _subject(entry))]
        found |= await names.names_of(
            reader, thing, [id_ for what, id_ in subjects if what == thing]
        )
    return found


def _row(entry: Entry, known: dict[UUID, str], clock: TerminalClock, *, ids: bool) -> list[str]:
    return [
        clock.show(entry.at),
        f"{entry.kind}{' (undone)' if entry.undone_by else ''}",
        _how_many(entry),
        shown(known, entry.item_id, ids=ids) or _about(entry, known),
        shown(known, entry.player_id or entry.user_id, ids=ids),
        _by(entry),
        entry.reason or "",
    ]


def _by(entry: Entry) -> str:
    if entry.approved_by_name is None:
        return entry.actor_name
    return f"{entry.actor_name}, approved by {entry.approved_by_name}"


def _how_many(entry: Entry) -> str:
    """The change of what the character holds of the item."""
    before, after = _number(entry.before), _number(entry.after)
    return "" if before is None or after is None or before == after else f"{after - before:+,}"


def _number(state: Any) -> int | None:
    total = state.get("total") if isinstance(state, dict) else None
    return total if isinstance(total, int) else None


SUBJECTS: dict[str, names.Thing] = {"spell_id": "spell", "variable_id": "variable"}


def _subject(entry: Entry) -> tuple[names.Thing, UUID] | None:
    """The spell or variable that an action is about."""
    for state in (entry.after, entry.before):
        for field, thing in SUBJECTS.items():
            if isinstance(state, dict) and (found := parse_guid(str(state.get(field)))):
                return thing, found
    return None


def _about(entry: Entry, known: dict[UUID, str]) -> str:
    """What an action that moved no items was about: its spell, or the values it changed."""
    if subject := _subject(entry):
        value = entry.after.get("value") if isinstance(entry.after, dict) else None
        name = shown(known, subject[1])
        return name if value is None else f"{name} = {value}"
    return changed_values(entry)
