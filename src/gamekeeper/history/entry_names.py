"""
Names beside the ids of actions, for people who read: of items, characters and accounts.

Two statements for a page, however many actions are on it: one for the items, one for the
characters and accounts.
"""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, structs

from gamekeeper.core.names import parse_guid
from gamekeeper.db.database import Reader
from gamekeeper.ledger.audit_log import Entry
from gamekeeper.players import display_names
from gamekeeper.players.lookup import CHARACTER_NAMES

E = TypeVar("E", bound=Entry)

# Marked, because nothing keeps an imported character from having the id of an account: its
# name must not be shown to a caller who may not read accounts.
PEOPLE: LiteralString = f"""
    SELECT id, name, false AS is_account FROM ({CHARACTER_NAMES}) AS characters
    UNION ALL
    SELECT id, name, true FROM users WHERE id = ANY($2)
"""


class EntryNames(Struct, frozen=True):
    """The names of what some actions were done to, by id."""

    items: dict[UUID, str]
    players: dict[UUID, str]
    users: dict[UUID, str]

    @classmethod
    async def of(
        cls, reader: Reader, entries: Sequence[Entry], items: Iterable[UUID] = ()
    ) -> "EntryNames":
        """The names for these actions, and those of further items."""
        players = {entry.player_id for entry in entries if entry.player_id}
        users = {entry.user_id for entry in entries if entry.user_id}
        rows = (
            await reader.lookups.rows(PEOPLE, sorted(players), sorted(users))
            if players or users
            else []
        )
        return cls(
            items=await display_names.item_names(
                reader, [*(entry.item_id for entry in entries), *items]
            ),
            players={row["id"]: row["name"] for row in rows if not row["is_account"]},
            users={row["id"]: row["name"] for row in rows if row["is_account"]},
        )

    def beside(self, entry: E, *, accounts: bool) -> E:
        """The action with names; without `accounts`, none of an account."""
        return structs.replace(
            entry,
            item_name=self.items.get(entry.item_id, "") if entry.item_id else None,
            player_name=self.players.get(entry.player_id) if entry.player_id else None,
            user_name=(self.users.get(entry.user_id) if entry.user_id else None)
            if accounts
            else UNSET,
            items=UNSET
            if entry.items is UNSET
            else [
                structs.replace(item, item_name=self.items.get(item.item_id, ""))
                for item in entry.items
            ],
        )


# In one statement: a page of a timeline mentions few of each.
CATALOG: LiteralString = """
    SELECT id, name FROM spells WHERE id = ANY($1)
    UNION ALL
    SELECT id, name FROM variables WHERE id = ANY($1)
    UNION ALL
    SELECT id, name FROM classes WHERE id = ANY($1)
"""
NAMED_KEYS = ("spell_id", "variable_id", "class_id")


async def state_names(reader: Reader, entries: Sequence[Entry]) -> dict[str, str]:
    """The names of the spells, variables and classes in the states of actions, by id."""
    found = {
        id_ for entry in entries for state in (entry.before, entry.after) for id_ in _ids(state)
    }
    if not found:
        return {}
    rows = await reader.lookups.rows(CATALOG, sorted(found))
    return {str(row["id"]): row["name"] for row in rows}


def _ids(state: Any) -> set[UUID]:
    """The ids in a state, or one level below: a sheet and a character have a class."""
    if not isinstance(state, dict):
        return set()
    parts = [state, *(part for part in state.values() if isinstance(part, dict))]
    values = [part.get(key) for part in parts for key in NAMED_KEYS]
    return {id_ for value in values if isinstance(value, str) and (id_ := parse_guid(value))}
