"""The audit log command: list actions."""

from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli.options import Cursor, Limit, Since, Until, an_id
from gamekeeper.cli.terminal import AsJson, say, show_json, show_table, with_database
from gamekeeper.db.database import Database
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import Entries, Entry, Filters
from gamekeeper.players import lookup as players
from gamekeeper.users import lookup as users


def list_(
    *,
    actor: Annotated[str | None, typer.Option(help="key:<id>, user:<id> or system.")] = None,
    player: Annotated[str | None, typer.Option(help="A character's name or id.")] = None,
    user: Annotated[str | None, typer.Option(help="An account's name or id.")] = None,
    kind: Annotated[str | None, typer.Option(help="For example items.give.")] = None,
    item: Annotated[
        UUID | None, typer.Option(parser=an_id, metavar="ID", help="An item's id.")
    ] = None,
    since: Since = None,
    until: Until = None,
    limit: Limit = 50,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Show the audit log, newest first."""

    async def work(database: Database) -> Entries:
        reader = database.reader
        filters = Filters(
            actor=actor,
            player_id=await audit_log.whose(reader, player, players.find_player_id),
            user_id=await audit_log.whose(reader, user, users.find_user_id),
            kind=kind,
            item_id=item,
            since=since,
            until=until,
        )
        return await audit_log.list_actions(reader, filters, cursor, limit)

    found = with_database(work)
    if as_json:
        return show_json(found)
    show_table(["at", "what", "by", "on", "why", "id"], [_row(entry) for entry in found.values])
    return say(f"Go on with --cursor={found.next}" if found.next else "That is all.")


def _row(entry: Entry) -> list[str]:
    return [
        f"{entry.at:%Y-%m-%d %H:%M:%S}",
        f"{entry.kind}{' (undone)' if entry.undone_by else ''}",
        entry.actor_name,
        str(entry.player_id or entry.user_id or ""),
        entry.reason or "",
        str(entry.id),
    ]
