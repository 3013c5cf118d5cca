"""Character queries: find, show; inventory, bank, spells, variables, sessions; at an instant."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Annotated, TypeVar
from uuid import UUID

import msgspec
import typer

from gamekeeper.cli import names
from gamekeeper.cli.names import Ids, PlayerKey, shown
from gamekeeper.cli.options import AtOption, Limit
from gamekeeper.cli.terminal import AsJson, say, show_facts, show_json, show_table, with_database
from gamekeeper.cli.times import InUtc, TerminalClock
from gamekeeper.core.schemas import Page, Window
from gamekeeper.core.search import Search
from gamekeeper.db.database import Database, Reader
from gamekeeper.history import as_of
from gamekeeper.players import items, roster
from gamekeeper.players import spells as spellbooks
from gamekeeper.players import variables as variable_values
from gamekeeper.players.records import NOTHING, Items, Player, Slot
from gamekeeper.players.spells import KnownSpell
from gamekeeper.players.variables import PlayerVariable
from gamekeeper.servers import sessions as session_history
from gamekeeper.servers.sessions import Sessions
from gamekeeper.users.lookup import names_of_users

T = TypeVar("T")

NO_BUFFS = {0}


def find(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Part of the name.")],
    *,
    page: Annotated[int, typer.Option(help="Page number, starting at 0.", min=0)] = 0,
    ids: Ids = False,
    as_json: AsJson = False,
) -> None:
    """Find characters by name, fifty at a time."""

    async def work(database: Database) -> tuple[Page[Player], dict[UUID, str]]:
        reader = database.reader
        found = await roster.list_players(reader, Window.of(page, 50), Search.of(text))
        return found, await names_of_users(reader, [one.user_id for one in found.values])

    found, owners = with_database(work)
    if as_json:
        return show_json(found)
    if not found.total:
        return say(f"No character has a name like '{text}'.")
    rows = [
        [
            one.name,
            f"{one.class_name} {one.level}",
            shown(owners, one.user_id),
            "online" if one.online else "",
            *([str(one.id)] if ids else []),
        ]
        for one in found.values
    ]
    show_table(["character", "class", "account", "", *(["id"] if ids else [])], rows)
    return say(f"Page {found.page}, {found.count} of {found.total}.")


def show(key: PlayerKey, *, utc: InUtc = False, as_json: AsJson = False) -> None:
    """Show a character: class, level, account, location and play times."""

    async def work(database: Database) -> tuple[Player, dict[UUID, str]]:
        found = await names.player(database.reader, key)
        return found, await names_of_users(database.reader, [found.user_id])

    found, owners = with_database(work)
    if as_json:
        return show_json(found)
    clock = TerminalClock(utc=utc)
    hours, minutes = divmod(found.play_time_seconds // 60, 60)
    return show_facts(
        {
            "character": found.name,
            "id": str(found.id),
            "account": shown(owners, found.user_id),
            "class": f"{found.class_name}, level {found.level}",
            "experience": f"{found.exp:,}" + _to_next(found.experience_to_next_level),
            "vitals": ", ".join(
                f"{now:,} of {most:,}"
                for now, most in zip(found.vitals, found.max_vitals, strict=False)
            ),
            "place": f"{found.map_name or found.map_id} at {found.x}, {found.y}"
            if found.map_name or found.map_id.int
            else "nowhere yet",
            "online": "yes" if found.online else "no",
            "last online": clock.exact(found.last_online) if found.last_online else "never",
            "created": clock.exact(found.creation_date),
            "played": f"{hours:,} h {minutes} min",
        }
    )


def _to_next(missing: int) -> str:
    return "" if missing < 0 else f"; level up at {missing:,}"


def inventory(
    key: PlayerKey,
    *,
    at: AtOption = None,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show a character's inventory, now or at a past time."""
    _show_place("inventory", key, at, ids=ids, utc=utc, as_json=as_json)


def bank(
    key: PlayerKey,
    *,
    at: AtOption = None,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show a character's bank, now or at a past time."""
    _show_place("bank", key, at, ids=ids, utc=utc, as_json=as_json)


def _show_place(
    place: items.Place, key: str, at: str | None, *, ids: bool, utc: bool, as_json: bool
) -> None:
    then = TerminalClock(utc=utc).maybe(at)

    async def read(reader: Reader, player: str) -> list[Slot]:
        if then is None:
            return await items.slots(reader, player, place)
        return await as_of.slots(reader, player, place, then)

    name, slots, known = _of_player(key, read, lambda slots: [one.item_id for one in slots])
    if as_json:
        return show_json([_named(slot, known) for slot in slots])
    had = "has" if then is None else "had"
    where = "carries" if then is None else "carried"
    if not _filled(slots):
        nothing = f"{where} nothing" if place == "inventory" else f"{had} nothing in the bank"
        return say(f"{name} {nothing}.")
    show_table(_columns(ids=ids), _slot_rows(slots, known, ids=ids))
    return say(f"{len(_filled(slots))} of {len(slots)} slots are filled.")


def _of_player(
    key: str,
    read: Callable[[Reader, str], Awaitable[list[T]]],
    ids_in: Callable[[list[T]], Sequence[UUID]],
    thing: names.Thing = "item",
) -> tuple[str, list[T], dict[UUID, str]]:
    """The character's name, what was read of it, and the names of the entries in that."""

    async def work(database: Database) -> tuple[str, list[T], dict[UUID, str]]:
        reader = database.reader
        player = await names.player(reader, key)
        found = await read(reader, str(player.id))
        return player.name, found, await names.names_of(reader, thing, ids_in(found))

    return with_database(work)


def _filled(slots: Sequence[Slot]) -> list[Slot]:
    return [slot for slot in slots if slot.item_id != NOTHING]


def _columns(*, ids: bool) -> list[str]:
    return ["slot", "item", "quantity", "stat buffs", *(["item's id", "bag's id"] if ids else [])]


def _slot_rows(slots: Sequence[Slot], known: dict[UUID, str], *, ids: bool) -> list[list[str]]:
    return [
        [
            str(slot.slot),
            shown(known, slot.item_id),
            f"{slot.quantity:,}",
            "" if set(slot.stat_buffs) <= NO_BUFFS else " ".join(f"{b:+}" for b in slot.stat_buffs),
            *([str(slot.item_id), str(slot.bag_id or "")] if ids else []),
        ]
        for slot in _filled(slots)
    ]


def _named(record: msgspec.Struct, known: dict[UUID, str]) -> dict[str, object]:
    """A record as the API shows it, with the name of its entry of the catalog."""
    about: dict[str, object] = msgspec.to_builtins(record)
    ids = [getattr(record, name, None) for name in ("item_id", "spell_id", "variable_id")]
    return {**about, "Name": next((known.get(one) for one in ids if one), None)}


def spells(
    key: PlayerKey,
    *,
    at: AtOption = None,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show the spells that a character knows, now or at a past time."""
    then = TerminalClock(utc=utc).maybe(at)

    async def read(reader: Reader, player: str) -> list[KnownSpell]:
        if then is None:
            return await spellbooks.known_spells(reader, player)
        return await as_of.spells(reader, player, then)

    def ids_in(found: list[KnownSpell]) -> list[UUID]:
        return [one.spell_id for one in found]

    name, found, known = _of_player(key, read, ids_in, "spell")
    if as_json:
        return show_json([_named(one, known) for one in found])
    if not found:
        return say(f"{name} knows no spells." if then is None else f"{name} knew no spells.")
    rows = [[str(one.slot), shown(known, one.spell_id, ids=ids)] for one in found]
    return show_table(["slot", "spell"], rows)


def variables(
    key: PlayerKey,
    *,
    at: AtOption = None,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show the variables set for a character, now or at a past time."""
    then = TerminalClock(utc=utc).maybe(at)

    async def read(reader: Reader, player: str) -> list[PlayerVariable]:
        if then is None:
            return await variable_values.all_set(reader, player)
        return await as_of.variables_set(reader, player, then)

    def ids_in(found: list[PlayerVariable]) -> list[UUID]:
        return [one.variable_id for one in found]

    name, found, known = _of_player(key, read, ids_in, "variable")
    if as_json:
        return show_json([_named(one, known) for one in found])
    if not found:
        return say(f"No variable {'is' if then is None else 'was'} set for {name}.")
    rows = [[shown(known, one.variable_id, ids=ids), str(one.value)] for one in found]
    return show_table(["variable", "value"], rows)


def sessions(
    key: PlayerKey,
    *,
    before: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Only sessions that started before this time."),
    ] = None,
    limit: Limit = 20,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show a character's sessions and their servers, newest first."""
    clock = TerminalClock(utc=utc)
    then = clock.maybe(before)

    async def work(database: Database) -> tuple[str, Sessions]:
        player = await names.player(database.reader, key)
        return player.name, await session_history.played(
            database.reader, str(player.id), then, limit
        )

    name, found = with_database(work)
    if as_json:
        return show_json(found)
    if not found.values:
        return say(f"{name} has no sessions{' before that' if then else ''}.")
    rows = [
        [
            clock.show(one.joined_at),
            clock.show(one.left_at) or "still there",
            f"{one.server_name} {one.server_id}" if ids else one.server_name,
        ]
        for one in found.values
    ]
    show_table([clock.heading.replace("at", "joined", 1), "left", "server"], rows)
    return say(f"Next page: --before {found.next.isoformat()}") if found.next else None


def at(
    key: PlayerKey,
    instant: Annotated[str, typer.Argument(metavar="TIME", help="For example 'yesterday 18:00'.")],
    *,
    ids: Ids = False,
    utc: InUtc = False,
    as_json: AsJson = False,
) -> None:
    """Show a character's items, spells and variables at a past time."""
    clock = TerminalClock(utc=utc)
    then = clock.at(instant)
    name, past = with_database(lambda database: _past(database.reader, key, then))
    known, records = past.names, past.held
    if as_json:
        lists: dict[str, Sequence[msgspec.Struct]] = {
            "inventory": records.inventory,
            "bank": records.bank,
            "spells": past.spells,
            "variables": past.variables,
        }
        return show_json(
            {"at": then}
            | {what: [_named(one, known) for one in found] for what, found in lists.items()}
        )
    say(f"{name} at {clock.exact(then)}:")
    for place, slots in (("inventory", records.inventory), ("bank", records.bank)):
        say("", f"{place}: {len(_filled(slots))} of {len(slots)} slots filled")
        if _filled(slots):
            show_table(_columns(ids=ids), _slot_rows(slots, known, ids=ids))
    say("", f"spells: {', '.join(shown(known, one.spell_id, ids=ids) for one in past.spells)}")
    for one in past.variables:
        say(f"variable {shown(known, one.variable_id, ids=ids)}: {one.value}")
    return None


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """A character at an instant, and the names of what it had."""

    held: Items
    spells: list[KnownSpell]
    variables: list[PlayerVariable]
    names: dict[UUID, str]


async def _past(reader: Reader, key: str, then: datetime) -> tuple[str, Past]:
    player = await names.player(reader, key)
    own = str(player.id)
    held = await as_of.carried(reader, own, then)
    knew = await as_of.spells(reader, own, then)
    had = await as_of.variables_set(reader, own, then)
    slots = [slot.item_id for slot in [*held.inventory, *held.bank]]
    known = await names.names_of(reader, "item", slots)
    known |= await names.names_of(reader, "spell", [one.spell_id for one in knew])
    known |= await names.names_of(reader, "variable", [one.variable_id for one in had])
    return player.name, Past(held=held, spells=knew, variables=had, names=known)
