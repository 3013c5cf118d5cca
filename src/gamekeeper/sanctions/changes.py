"""
Changes of sanctions: rows with a fresh code, and lifted ones, each with its action.

An action tells everybody who reads the audit log that a sanction was imposed, on whom and
until when, and what the player reads. The reason and the evidence are not in it: they are
for those who may read sanctions. Of chat lines it has the hash, so that the chain proves them.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct, field, structs

from gamekeeper.core import ids
from gamekeeper.core.errors import InternalError
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions import codes, excerpts
from gamekeeper.sanctions.excerpts import ExcerptLine
from gamekeeper.sanctions.records import Sanction, SanctionKind, find_by_ids

ATTEMPTS = 5
"""Fresh codes for those that are taken; one in a million million is."""


class SanctionOrigin(Struct, kw_only=True):
    """Of a sanction from another database: who imposed it there and when, and who lifted it."""

    imposed_at: datetime | None = None
    """None: now."""
    imposed_by: str
    imposed_by_name: str
    lifted_at: datetime | None = None
    lifted_by: str | None = None
    lifted_by_name: str | None = None
    lift_reason: str | None = None


class NewSanction(Struct, frozen=True, kw_only=True):
    by: AuditContext
    kind: SanctionKind
    user_id: UUID
    player_id: UUID | None = None
    id: UUID = field(default_factory=ids.new_id)
    code: str | None = None
    """None: a random one."""
    starts_at: datetime | None = None
    """None: now."""
    ends_at: datetime | None = None
    """None: permanent."""
    reason: str = ""
    message: str = ""
    template: str | None = None
    step: int | None = None
    evidence: Sequence[str] = ()
    excerpt: Sequence[ExcerptLine] = ()
    """Chat lines that are evidence."""
    origin: SanctionOrigin | None = None
    """None: imposed now, by `by`."""


class Release(Struct, frozen=True, kw_only=True):
    """A sanction that is to be lifted."""

    by: AuditContext
    id: UUID
    reason: str


async def insert(writer: Writer, new: Sequence[NewSanction]) -> list[Sanction]:
    """Store sanctions and their actions. The accounts must be locked."""
    made: dict[UUID, Sanction] = {}
    for _ in range(ATTEMPTS):
        left = [sanction for sanction in new if sanction.id not in made]
        if not left:
            break
        made |= {sanction.id: sanction for sanction in await _insert_free(writer, left)}
    if len(made) < len(new):
        raise InternalError
    frozen = await excerpts.freeze(writer, {sanction.id: sanction.excerpt for sanction in new})
    await actions.record(
        writer,
        [_imposed(sanction, made[sanction.id], frozen.get(sanction.id)) for sanction in new],
    )
    return [made[sanction.id] for sanction in new]


async def _insert_free(writer: Writer, new: Sequence[NewSanction]) -> list[Sanction]:
    """Insert sanctions; those whose code is taken are left out."""
    rows = await writer.rows(INSERT, *columns(_row(sanction) for sanction in new))
    return await find_by_ids(writer, [row["id"] for row in rows])


def _row(new: NewSanction) -> tuple[Any, ...]:
    origin = new.origin or SanctionOrigin(imposed_by=new.by.actor, imposed_by_name=new.by.name)
    return (
        *(new.id, new.code or codes.new_code(), new.kind, new.user_id, new.player_id),
        *(new.starts_at, new.ends_at, new.reason, new.message, new.template, new.step),
        msgspec.json.encode(new.evidence).decode(),
        *structs.astuple(origin),
    )


INSERT: LiteralString = """
    INSERT INTO sanctions (id, code, kind, user_id, player_id, starts_at, ends_at, reason,
                           message, template, step, evidence, imposed_at, imposed_by,
                           imposed_by_name, lifted_at, lifted_by, lifted_by_name, lift_reason)
    SELECT id, code, kind, user_id, player_id, coalesce(starts_at, now()),
           coalesce(ends_at, 'infinity'), reason, message, template, step,
           ARRAY(SELECT jsonb_array_elements_text(evidence::jsonb)),
           coalesce(imposed_at, now()), imposed_by, imposed_by_name, lifted_at, lifted_by,
           lifted_by_name, lift_reason
      FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::timestamptz[],
                  $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::int[],
                  $12::text[], $13::timestamptz[], $14::text[], $15::text[],
                  $16::timestamptz[], $17::text[], $18::text[], $19::text[])
           AS new (id, code, kind, user_id, player_id, starts_at, ends_at, reason, message,
                   template, step, evidence, imposed_at, imposed_by, imposed_by_name, lifted_at,
                   lifted_by, lifted_by_name, lift_reason)
    ON CONFLICT (code) DO NOTHING
    RETURNING id
"""


async def mark_lifted(writer: Writer, wanted: Sequence[Release]) -> dict[UUID, Sanction]:
    """Lift sanctions and record it; one that is lifted already is left out. Lock the accounts."""
    if not wanted:
        return {}
    rows = await writer.rows(
        """
        UPDATE sanctions
           SET lifted_at = now(), lifted_by = actor, lifted_by_name = actor_name,
               lift_reason = why
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[])
               AS new (sanction_id, actor, actor_name, why)
         WHERE sanctions.id = new.sanction_id AND lifted_at IS NULL
        RETURNING id
        """,
        [release.id for release in wanted],
        [release.by.actor for release in wanted],
        [release.by.name for release in wanted],
        [release.reason for release in wanted],
    )
    done = {
        sanction.id: sanction for sanction in await find_by_ids(writer, [row["id"] for row in rows])
    }
    await actions.record(
        writer, [_lifted(release, done[release.id]) for release in wanted if release.id in done]
    )
    return done


def _imposed(new: NewSanction, made: Sanction, frozen: dict[str, Any] | None) -> Action:
    about = {"starts_at": made.starts_at, "ends_at": made.ends_at, "message": made.message}
    ladder = {"template": made.template, "step": made.step} if made.template else {}
    evidence = {"excerpt": frozen} if frozen else {}
    return Action(
        kind="sanctions.impose",
        by=_without_reason(new.by),
        user_id=made.user_id,
        player_id=made.player_id,
        after=_named(made) | about | ladder | evidence,
    )


def _lifted(wanted: Release, done: Sanction) -> Action:
    return Action(
        kind="sanctions.lift",
        by=_without_reason(wanted.by),
        user_id=done.user_id,
        player_id=done.player_id,
        before=_named(done) | {"ends_at": done.ends_at},
        after=_named(done) | {"lifted_at": done.lifted_at},
    )


def _without_reason(by: AuditContext) -> AuditContext:
    """A request's `reason` is also the audit log's, whose readers may not read sanctions."""
    return structs.replace(by, reason=None)


def _named(sanction: Sanction) -> dict[str, Any]:
    return {"sanction_id": sanction.id, "code": sanction.code, "kind": sanction.kind}
