"""Variables of accounts and of the game itself, by the same rule as characters (marks)."""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.catalog.variables import Owner, Variable
from gamekeeper.core.parsing import Scalar
from gamekeeper.db.database import Database, Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.transfer.importer import TransferCounts
from gamekeeper.transfer.intersect.catalog import GameCatalog
from gamekeeper.transfer.intersect.characters import variable_value
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.sources import Source
from gamekeeper.transfer.intersect.values import ZERO, guid_bytes
from gamekeeper.transfer.marks import Mark, MarkKind, find_marks, write_marks

Values = dict[UUID, Scalar]


class Section(Struct, frozen=True):
    """A table of values: whose they are, and how they are read and written."""

    kind: MarkKind
    read: LiteralString
    clear: LiteralString
    write: LiteralString


ACCOUNTS = Section(
    "user_variables",
    """SELECT user_id AS owner, variable_id, value FROM user_variables
        WHERE user_id = ANY($1) ORDER BY variable_id""",
    "DELETE FROM user_variables WHERE user_id = ANY($1)",
    """INSERT INTO user_variables (user_id, variable_id, value)
       SELECT owner, variable_id, value::jsonb
         FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (owner, variable_id, value)""",
)
GAME = Section(
    "game_variables",
    """SELECT owner, variable_id, value FROM game_variables CROSS JOIN unnest($1::uuid[]) AS owner
        ORDER BY variable_id""",
    "DELETE FROM game_variables WHERE $1::uuid[] IS NOT NULL",
    """INSERT INTO game_variables (variable_id, value)
       SELECT variable_id, value::jsonb
         FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS new (owner, variable_id, value)""",
)


def read_account_variables(
    source: Source, game: GameCatalog, users: Mapping[UUID, str], notes: Notes
) -> dict[UUID, Values]:
    """The values of each account that has some."""
    known = owned_by(game, "user")
    found: defaultdict[UUID, Values] = defaultdict(dict)
    for raw_user, raw, value in source.players.rows(
        "User_Variables", ["UserId", "VariableId", "Value"]
    ):
        own = guid_bytes(raw_user)
        user = UUID(bytes=own) if own else ZERO
        if user not in users:
            notes.add("orphan", "User_Variables", f"{value!r:.60} has no account")
            continue
        put_value(found[user], known, raw, value, users[user], notes)
    return {user: dict(sorted(values.items())) for user, values in found.items() if values}


def read_game_variables(source: Source, game: GameCatalog, notes: Notes) -> dict[UUID, Values]:
    """The values of the game, under the zero id."""
    known = owned_by(game, "game")
    found: Values = {}
    for raw, value in source.game.rows("ServerVariables", ["Id", "Value"]):
        if value is not None:
            put_value(found, known, raw, value, "the game", notes)
    return {ZERO: dict(sorted(found.items()))} if found else {}


def owned_by(game: GameCatalog, owner: Owner) -> dict[UUID, Variable]:
    return {variable.id: variable for variable in game.catalog.variables if variable.owner == owner}


def put_value(
    found: Values, known: Mapping[UUID, Variable], raw: Any, value: Any, who: str, notes: Notes
) -> None:
    own = guid_bytes(raw)
    variable = known.get(UUID(bytes=own)) if own else None
    if variable is None:
        notes.add("variable_unknown", who, f"{raw!r:.50} = {value!r:.80}: LEFT OUT")
        return
    read = variable_value(variable, value)
    if read is None:
        notes.add("variable_value", who, f"{variable.name}: {value!r:.80}: LEFT OUT")
    else:
        found[variable.id] = read


async def store_variables(
    database: Database,
    section: Section,
    wanted: Mapping[UUID, Values],
    by: AuditContext,
    *,
    dry_run: bool,
) -> tuple[TransferCounts, list[UUID]]:
    """Bring what is new or changed there; returns also whose were changed here."""
    ids = list(wanted)
    marks = await find_marks(database.reader, section.kind, ids)
    there = await _stored(await database.reader.rows(section.read, ids))
    counts, newer, todo = TransferCounts(), list[UUID](), dict[UUID, Values]()
    for owner, values in wanted.items():
        mark, now = marks.get(owner), there.get(owner, {})
        if now == values or (mark is not None and mark.source == digest(values)):
            counts.unchanged += 1
        elif now and (mark is None or mark.stored != digest(now)):
            newer.append(owner)
        else:
            todo[owner] = values
            counts.changed += bool(now)
            counts.added += not now
    if todo and not dry_run:
        await database.write(lambda writer: _write(writer, section, todo, by))
    return counts, newer


async def _stored(rows: list[Any]) -> dict[UUID, Values]:
    found: defaultdict[UUID, Values] = defaultdict(dict)
    for row in rows:
        found[row["owner"]][row["variable_id"]] = row["value"]
    return dict(found)


async def _write(
    writer: Writer, section: Section, todo: Mapping[UUID, Values], by: AuditContext
) -> None:
    ids = list(todo)
    await writer.run(section.clear, ids)
    rows = [
        (owner, variable, msgspec.json.encode(value).decode())
        for owner, values in todo.items()
        for variable, value in values.items()
    ]
    await writer.run(section.write, *map(list, zip(*rows, strict=True)))
    there = await _stored(await writer.rows(section.read, ids))
    marks = {variable: Mark(digest(todo[variable]), digest(there[variable])) for variable in ids}
    await write_marks(writer, section.kind, marks)
    after = {section.kind: {"owners": len(todo), "values": len(rows)}}
    await actions.record(writer, [Action(kind="players.import", by=by, after=after)])


def digest(value: object) -> bytes:
    return hashlib.sha256(msgspec.json.encode(value)).digest()
