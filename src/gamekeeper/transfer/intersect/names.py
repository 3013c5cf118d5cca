"""
Names of imported accounts and characters: unique after folding, by a stated rule.

Of those with the same name the one that played last keeps it, and the others get a number:
`Bob` becomes `Bob2`. A name that somebody has here already counts as kept by that one.
"""

from collections import defaultdict
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.names import LONGEST_KEY, fold, parse
from gamekeeper.db.database import Queryable
from gamekeeper.transfer.intersect.notes import NoteKind, Notes

WINDOW = 20_000


class Candidate(Struct):
    """A name, and how it ranks among equal ones."""

    id: UUID
    name: str
    activity: str
    """The date of the last play, as stored: the larger is the later."""


class Taken(Struct):
    """Who has which folded names here."""

    owners: dict[str, UUID]

    @classmethod
    async def load(cls, reader: Queryable, keys: list[str], *, users: bool) -> "Taken":
        sql = USER_NAMES if users else PLAYER_NAMES
        owners: dict[str, UUID] = {}
        for start in range(0, len(keys), WINDOW):
            rows = await reader.rows(sql, keys[start : start + WINDOW])
            owners |= {row["name_key"]: row["owner"] for row in rows}
        return cls(owners)


USER_NAMES = "SELECT name_key, user_id AS owner FROM user_names WHERE name_key = ANY($1)"
PLAYER_NAMES = "SELECT name_key, player_id AS owner FROM player_names WHERE name_key = ANY($1)"


async def settle(
    reader: Queryable, candidates: list[Candidate], notes: Notes, *, users: bool
) -> dict[UUID, str]:
    """The name of each, unique among them and here; notes say which are new."""
    kind: NoteKind = "account_renamed" if users else "character_renamed"
    usable = {candidate.id: usable_name(candidate.name, candidate.id) for candidate in candidates}
    groups: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[fold(usable[candidate.id])].append(candidate)
    taken = await Taken.load(reader, list(groups), users=users)
    names: dict[UUID, str] = {}
    losers: list[Candidate] = []
    for key, group in groups.items():
        group.sort(key=lambda one: (one.activity, one.id), reverse=True)
        owner = taken.owners.get(key)
        first = next((candidate for candidate in group if owner in (None, candidate.id)), None)
        for candidate in group:
            if candidate is first:
                names[candidate.id] = usable[candidate.id]
            else:
                losers.append(candidate)
    await _number(reader, losers, usable, names, set(groups), users=users)
    for candidate in candidates:
        if names[candidate.id] != candidate.name:
            notes.add(
                kind,
                candidate.name or candidate.id,
                f"{names[candidate.id]} ({_why(candidate, usable)})",
            )
    return names


def _why(one: Candidate, usable: dict[UUID, str]) -> str:
    if usable[one.id] != one.name:
        return "the old name is not valid here"
    return "another one with this name played later or already exists here"


async def _number(
    reader: Queryable,
    losers: list[Candidate],
    usable: dict[UUID, str],
    names: dict[UUID, str],
    keys: set[str],
    *,
    users: bool,
) -> None:
    """Give numbers to those who lost their name; who has one here already keeps it."""
    losers.sort(key=lambda one: one.id)
    present = await _present(reader, [loser.id for loser in losers], users=users)
    rest: list[Candidate] = []
    for loser in losers:
        now = present.get(loser.id, "")
        if _is_numbered(now, usable[loser.id]) and fold(now) not in keys:
            names[loser.id] = now
            keys.add(fold(now))
        else:
            rest.append(loser)
    counters: dict[str, int] = {}
    for candidate in rest:
        base = fold(usable[candidate.id])
        number = counters.get(base, 2)
        while not await _is_free(
            reader, key := fold(_numbered(usable[candidate.id], number)), keys, users=users
        ):
            number += 1
        counters[base] = number + 1
        names[candidate.id] = _numbered(usable[candidate.id], number)
        keys.add(key)


async def _present(reader: Queryable, ids: list[UUID], *, users: bool) -> dict[UUID, str]:
    """The names that they have here now."""
    rows = await reader.rows(USERS if users else PLAYERS, ids) if ids else []
    return {row["id"]: row["name"] for row in rows}


async def _is_free(reader: Queryable, key: str, keys: set[str], *, users: bool) -> bool:
    return key not in keys and not (await Taken.load(reader, [key], users=users)).owners


USERS = "SELECT id, name FROM users WHERE id = ANY($1)"
PLAYERS = "SELECT id, name FROM players WHERE id = ANY($1)"


def _numbered(name: str, number: int) -> str:
    return f"{name[: LONGEST_KEY - len(str(number))]}{number}"


def _is_numbered(name: str, base: str) -> bool:
    digits = len(name) - len(name.rstrip("0123456789"))
    return any(
        _numbered(base, int(name[-count:])) == name
        for count in range(1, min(digits, 9) + 1)
        if name[-count] != "0"
    )


def usable_name(name: str, owner: UUID) -> str:
    """The name itself if it can be stored and found; else one as near as can be."""
    short = name[:LONGEST_KEY]
    if parse(short) is None:
        short = "".join(char for char in short if parse(char) is not None)
    if not short.strip():
        return f"Nameless {owner.hex[:8]}"
    if not isinstance(parse(short), str) or len(fold(short)) > 4 * LONGEST_KEY:
        return f"Name {owner.hex[:8]}"
    return short
