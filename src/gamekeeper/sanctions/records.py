"""Sanctions as they are stored and shown."""

from collections.abc import Sequence
from typing import Literal, LiteralString, get_args
from uuid import UUID

from msgspec import structs

from gamekeeper.core.errors import NotFound
from gamekeeper.core.names import parse_guid
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable
from gamekeeper.sanctions import codes
from gamekeeper.sanctions.in_force import IN_FORCE

SanctionKind = Literal["ban", "mute", "trade_lock", "warning", "note"]
KINDS: tuple[SanctionKind, ...] = get_args(SanctionKind)


class SanctionNotFound(NotFound):
    """No sanction has that id or code."""


class Sanction(Record, frozen=True, kw_only=True):
    id: UUID
    code: str
    """The code for the player, for example in an appeal."""
    kind: SanctionKind
    """`ban`, `mute`, `trade_lock`, `warning` or `note`."""
    user_id: UUID
    """The account, also if it is on one character."""
    user_name: str = ""
    player_id: UUID | None
    """Null: the whole account."""
    player_name: str | None = None
    """Null if it is on the account, or the character was deleted."""
    starts_at: Instant
    ends_at: Instant | None
    """Null: permanent."""
    in_force: bool
    """Whether it is active: started, not ended, not lifted."""
    reason: str
    """For staff."""
    message: str
    """The text for the player."""
    template: str | None
    """The template it was imposed from."""
    step: int | None
    """The step of the template, from 1."""
    evidence: list[str]
    """Links, for staff."""
    excerpt_lines: int = 0
    """How many chat messages are evidence: GET `/api/v1/sanctions/{key}/excerpt`."""
    case_id: UUID | None = None
    """The case that was closed with it."""
    imposed_at: Instant
    imposed_by: str
    """The actor who imposed it: `key:<id>`, `user:<id>`, `cli:<name>` or `system`."""
    imposed_by_name: str
    lifted_at: Instant | None
    lifted_by: str | None
    lifted_by_name: str | None
    lift_reason: str | None

    def redacted(self) -> "Sanction":
        """The same without what only those see who may read sanctions."""
        return structs.replace(self, reason="", evidence=[], excerpt_lines=0)


COLUMNS: LiteralString = f"""
    id, code, kind, user_id, player_id, starts_at, nullif(ends_at, 'infinity') AS ends_at,
    {IN_FORCE} AS in_force, reason, message, template, step, evidence,
    (SELECT count(*)::int FROM sanction_excerpts WHERE sanction_id = sanctions.id)
        AS excerpt_lines,
    (SELECT cases.id FROM cases WHERE cases.sanction_id = sanctions.id
      ORDER BY closed_at LIMIT 1) AS case_id,
    imposed_at, imposed_by, imposed_by_name, lifted_at, lifted_by, lifted_by_name, lift_reason
"""


async def find_sanctions(reader: Queryable, keys: Sequence[str]) -> list[Sanction | None]:
    """The sanction with each id or code, without the names of whom it is about."""
    ids = [parse_guid(key) for key in keys]
    spelled = [None if id_ else codes.parse(key) for key, id_ in zip(keys, ids, strict=True)]
    found = await reader.all(
        Sanction,
        f"SELECT {COLUMNS} FROM sanctions WHERE id = ANY($1) OR code = ANY($2)",
        [id_ for id_ in ids if id_],
        [code for code in spelled if code],
    )
    known: dict[object, Sanction] = {sanction.id: sanction for sanction in found}
    known |= {sanction.code: sanction for sanction in found}
    return [known.get(id_ or code) for id_, code in zip(ids, spelled, strict=True)]


async def find_by_ids(reader: Queryable, ids: Sequence[UUID]) -> list[Sanction]:
    """The sanctions with these ids, oldest first, without names."""
    return await reader.all(
        Sanction,
        f"SELECT {COLUMNS} FROM sanctions WHERE id = ANY($1) ORDER BY imposed_at, id",
        list(ids),
    )


def missing(key: str) -> SanctionNotFound:
    return SanctionNotFound(f"No sanction with id or code '{key[:64]}'.")
