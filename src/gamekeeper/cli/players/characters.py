"""``gamekeeper players`` find, show, sessions, create, rename, delete."""

from typing import Annotated

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.names import FoundPlayer, FoundUser, Ids, PlayerKey, shown
from gamekeeper.cli.options import Limit
from gamekeeper.cli.times import Clock, InUtc, TerminalClock
from gamekeeper.core.schemas import Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database
from gamekeeper.players import characters, name_changes, roster
from gamekeeper.players.characters import Creation, Deletion
from gamekeeper.players.name_changes import Renaming
from gamekeeper.servers import sessions as session_history
from gamekeeper.users.lookup import names_of_users


@command
async def find(
    database: Database,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of the name.")],
    *,
    page: Annotated[int, typer.Option(help="Page number, starting at 0.", min=0)] = 0,
    ids: Ids = False,
) -> Output:
    """Find characters by name, fifty at a time."""
    found = await roster.list_players(database.reader, Window.of(page, 50), Search.of(text))
    owners = await names_of_users(database.reader, [player.user_id for player in found.values])
    if not found.total:
        return Output(found, f"No character has a name like '{text}'.")
    rows = [
        [
            player.name,
            f"{player.class_name} {player.level}",
            shown(owners, player.user_id),
            "online" if player.online else "",
            *([str(player.id)] if ids else []),
        ]
        for player in found.values
    ]
    table = TextTable(["character", "class", "account", "", *(["id"] if ids else [])], rows)
    return Output(found, table, f"Page {found.page}, {found.count} of {found.total}.")


@command
async def show(database: Database, player: FoundPlayer, *, clock: Clock) -> Output:
    """Show a character: class, level, account, location and play times."""
    owners = await names_of_users(database.reader, [player.user_id])
    hours, minutes = divmod(player.play_time_seconds // 60, 60)
    vitals = zip(player.vitals, player.max_vitals, strict=False)
    facts = {
        "character": player.name,
        "id": str(player.id),
        "account": shown(owners, player.user_id),
        "class": f"{player.class_name}, level {player.level}",
        "experience": f"{player.exp:,}" + _to_next(player.experience_to_next_level),
        "vitals": ", ".join(f"{now:,} of {most:,}" for now, most in vitals),
        "place": f"{player.map_name or player.map_id} at {player.x}, {player.y}"
        if player.map_name or player.map_id.int
        else "not in the game yet",
        "online": "yes" if player.online else "no",
        "last online": clock.exact(player.last_online) if player.last_online else "never",
        "created": clock.exact(player.creation_date),
        "played": f"{hours:,} h {minutes} min",
    }
    return Output(player, facts)


def _to_next(missing: int) -> str:
    return "" if missing < 0 else f"; level up at {missing:,}"


@command
async def sessions(
    database: Database,
    player: FoundPlayer,
    *,
    before: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Only sessions that started before this time."),
    ] = None,
    limit: Limit = 20,
    ids: Ids = False,
    utc: InUtc = False,
) -> Output:
    """Show a character's sessions and their servers, newest first."""
    clock = TerminalClock(utc=utc)
    then = clock.maybe(before)
    found = await session_history.played(database.reader, str(player.id), then, limit)
    if not found.values:
        return Output(found, f"{player.name} has no sessions{' before that' if then else ''}.")
    rows = [
        [
            clock.show(session.joined_at),
            clock.show(session.left_at) or "still online",
            f"{session.server_name} {session.server_id}" if ids else session.server_name,
        ]
        for session in found.values
    ]
    table = TextTable([clock.heading.replace("at", "joined", 1), "left", "server"], rows)
    return Output(found, table, found.next and f"Next page: --before {found.next.isoformat()}")


@change("players.manage")
async def create(
    database: Database,
    owner: FoundUser,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The character's name.")],
    class_key: Annotated[str, typer.Argument(metavar="CLASS", help="A class's name or id.")],
    *,
    by: By,
) -> Output:
    """Create a level 1 character with the initial values of its class."""
    kind = await names.entry(database.reader, "class", class_key)
    order = Creation(by=by, user_id=owner.id, name=name, class_id=kind.id, staff=True)
    made = await characters.create.one(database, order)
    return Output(made, f"Created {made.name}, {made.id}.")


@change("players.manage")
async def rename(
    database: Database,
    key: PlayerKey,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    *,
    by: By,
) -> Output:
    """Rename a character."""
    player = await names.player(database.reader, key)
    order = Renaming(by=by, player=str(player.id), name=name, staff=True)
    renamed = await name_changes.rename.one(database, order)
    return Output(renamed, f"{key} is now called {renamed.name}.")


@change("players.manage")
async def delete(database: Database, player: FoundPlayer, *, by: By) -> Output:
    """Delete an offline character and everything it has; this can be undone."""
    gone = await characters.delete.one(database, Deletion(by=by, player=str(player.id)))
    return Output(gone, f"Deleted {gone.name}, {gone.id}.")
