"""
Templates of sanctions, and their ladders: what the first, second and third time costs.

Sanctions that were imposed from a template on an account, or on its characters, and not lifted
are counted; the next one is the step after. Beyond the last step it stays the last.
"""

import re
from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.core.errors import Invalid, NotFound, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.sanctions.records import SanctionKind

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MOST_STEPS = 20
LONGEST_SECONDS = 2**31 - 1


class TemplateNotFound(NotFound):
    """No sanction template has that name."""


class InvalidTemplate(Invalid):
    """A template needs a name (lower-case letters, digits, '-', '_') and 1 to 20 steps."""


class LadderStep(Struct, frozen=True, kw_only=True):
    """What is imposed at one step; without a duration it has no end."""

    kind: SanctionKind
    duration_seconds: int | None = None


class ShownStep(Record, frozen=True):
    kind: SanctionKind
    duration_seconds: int | None
    """Null: permanent."""


class SanctionTemplate(Record, frozen=True, kw_only=True):
    name: str
    message: str
    """The default text for the player."""
    steps: list[ShownStep]
    changed_at: Instant
    changed_by_name: str

    def step(self, times: int) -> tuple[int, ShownStep]:
        """The number, from 1, and the content of the next step after so many `times`."""
        number = min(times + 1, len(self.steps))
        return number, self.steps[number - 1]


class TemplateChange(Command, frozen=True, kw_only=True):
    """A template as it shall be from now on."""

    name: str
    message: str
    steps: Sequence[LadderStep]


class TemplateRemoval(Command, frozen=True, kw_only=True):
    name: str


COLUMNS: LiteralString = "name, message, steps, changed_at, changed_by_name"


async def list_templates(reader: Reader) -> list[SanctionTemplate]:
    rows = await reader.rows(f"SELECT {COLUMNS} FROM sanction_templates ORDER BY name")
    return [_template(row) for row in rows]


async def find_template(reader: Reader, name: str) -> SanctionTemplate:
    found = await find_templates(reader, [name])
    if name not in found:
        raise missing(name)
    return found[name]


async def find_templates(reader: Queryable, names: Sequence[str]) -> dict[str, SanctionTemplate]:
    rows = await reader.rows(
        f"SELECT {COLUMNS} FROM sanction_templates WHERE name = ANY($1)",
        [name for name in names if NAME.fullmatch(name)],
    )
    return {row["name"]: _template(row) for row in rows}


async def times(
    reader: Queryable, users: Sequence[UUID], names: Sequence[str]
) -> dict[tuple[UUID, str], int]:
    """How often each account was sanctioned from each template, without what was lifted."""
    rows = await reader.rows(
        """
        SELECT user_id, template, count(*) AS times
          FROM sanctions
         WHERE user_id = ANY($1) AND template = ANY($2) AND lifted_at IS NULL
         GROUP BY user_id, template
        """,
        list(users),
        list(names),
    )
    return {(row["user_id"], row["template"]): row["times"] for row in rows}


@operation
async def change(
    writer: Writer, commands: Sequence[TemplateChange]
) -> list[SanctionTemplate | Problem]:
    """Make templates, or replace those of the same names; sanctions that were imposed stay."""
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: TemplateChange) -> SanctionTemplate | Problem:
    if refused := _invalid(command):
        return refused
    # An advisory lock and not a row: the template may not exist yet.
    await writer.run("SELECT pg_advisory_xact_lock(hashtextextended($1, 31))", command.name)
    before = (await find_templates(writer, [command.name])).get(command.name)
    [row] = await writer.rows(
        f"""
        INSERT INTO sanction_templates (name, message, steps, changed_by_name)
        VALUES ($1, $2, $3::text::jsonb, $4)
        ON CONFLICT (name) DO UPDATE
           SET message = excluded.message, steps = excluded.steps, changed_at = now(),
               changed_by_name = excluded.changed_by_name
        RETURNING {COLUMNS}
        """,
        command.name,
        command.message,
        msgspec.json.encode(command.steps).decode(),
        command.by.name,
    )
    after = _template(row)
    await _record(writer, "templates.change", command, before, after)
    return after


@operation
async def remove(
    writer: Writer, commands: Sequence[TemplateRemoval]
) -> list[SanctionTemplate | Problem]:
    """Remove templates; the sanctions that were imposed from them stay, and keep their names."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: TemplateRemoval) -> SanctionTemplate | Problem:
    if not NAME.fullmatch(command.name):
        return missing(command.name)
    rows = await writer.rows(
        f"DELETE FROM sanction_templates WHERE name = $1 RETURNING {COLUMNS}", command.name
    )
    if not rows:
        return missing(command.name)
    before = _template(rows[0])
    await _record(writer, "templates.remove", command, before, None)
    return before


async def _record(
    writer: Writer,
    kind: actions.Kind,
    command: Command,
    before: SanctionTemplate | None,
    after: SanctionTemplate | None,
) -> None:
    states = [
        template
        and {"template": template.name, "message": template.message, "steps": _steps(template)}
        for template in (before, after)
    ]
    await actions.record(
        writer, [Action(kind=kind, by=command.by, before=states[0], after=states[1])]
    )


def _steps(template: SanctionTemplate) -> list[dict[str, Any]]:
    return [msgspec.structs.asdict(step) for step in template.steps]


def _invalid(command: TemplateChange) -> InvalidTemplate | None:
    if not NAME.fullmatch(command.name) or not 1 <= len(command.steps) <= MOST_STEPS:
        return InvalidTemplate()
    for number, step in enumerate(command.steps, 1):
        seconds = step.duration_seconds
        if seconds is not None and not 1 <= seconds <= LONGEST_SECONDS:
            return InvalidTemplate(f"The duration of step {number} must be at least a second.")
    return None


def _template(row: Any) -> SanctionTemplate:
    steps = [
        ShownStep(kind=step["kind"], duration_seconds=step["duration_seconds"])
        for step in row["steps"]
    ]
    return SanctionTemplate(
        name=row["name"],
        message=row["message"],
        steps=steps,
        changed_at=row["changed_at"],
        changed_by_name=row["changed_by_name"],
    )


def missing(name: str) -> TemplateNotFound:
    return TemplateNotFound(f"No sanction template is named '{name[:64]}'.")
