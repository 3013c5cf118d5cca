"""
Rules of operators: typed, few shapes, at most a hundred, so that applying them stays cheap.

A rule flags: what exceeds it becomes a finding. Or it also holds: a gift by an API caller that
would exceed it waits for approval (players/holds.py). The transactions of game servers are never
held: the game has already happened, and a server that waits for a person stops the game.
"""

import re
from collections.abc import Sequence
from typing import Any, Literal, LiteralString
from uuid import UUID

from gamekeeper.core.errors import Conflict, Invalid, NotFound, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

Shape = Literal["created_per_hour", "given_per_day", "received_by_new_account"]
Effect = Literal["flag", "hold"]

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
MAX_RULES = 100
MAX_QUANTITY = 2**53
MAX_DAYS = 365


class RuleNotFound(NotFound):
    """No economy rule has that name."""


class InvalidRule(Invalid):
    """A rule's name has 1 to 40 lower-case letters, digits, '-' or '_'."""


class TooManyRules(Conflict):
    """There are already 100 economy rules. Delete one first."""

    cacheable = False


class EconomyRule(Record, frozen=True, kw_only=True):
    name: str
    shape: Shape
    """
    The count: `created_per_hour` in the whole game, `given_per_day` by each staff member and
    API key (days of UTC), or `received_by_new_account` while the account is younger than `Days`.
    """
    item_id: UUID | None
    """Null: the value of all items, by the values of the catalog."""
    item_name: str | None
    more_than: int
    """The rule is exceeded by more than this."""
    days: int | None
    """The age in days up to which an account is new; null for the other shapes."""
    effect: Effect
    """`flag`: a finding. `hold`: also, gifts beyond it by API callers wait for approval."""
    changed_at: Instant
    changed_by_name: str


class RuleChange(Command, frozen=True, kw_only=True):
    """A rule as it shall be from now on."""

    name: str
    shape: Shape
    item_id: UUID | None
    more_than: int
    days: int | None
    effect: Effect


class RuleRemoval(Command, frozen=True, kw_only=True):
    name: str


COLUMNS: LiteralString = """
    rule.name, shape, item_id, items.name AS item_name, more_than, days, effect, changed_at,
    changed_by_name
"""
JOINED: LiteralString = "economy_rules AS rule LEFT JOIN items ON items.id = rule.item_id"


async def list_rules(reader: Reader) -> list[EconomyRule]:
    return await reader.all(EconomyRule, f"SELECT {COLUMNS} FROM {JOINED} ORDER BY rule.name")


async def find_rule(reader: Queryable, name: str) -> EconomyRule:
    found = await _find(reader, name)
    if found is None:
        raise missing(name)
    return found


async def _find(reader: Queryable, name: str) -> EconomyRule | None:
    if not NAME.fullmatch(name):
        return None
    sql: LiteralString = f"SELECT {COLUMNS} FROM {JOINED} WHERE rule.name = $1"
    found = await reader.all(EconomyRule, sql, name)
    return found[0] if found else None


@operation
async def change(writer: Writer, commands: Sequence[RuleChange]) -> list[EconomyRule | Problem]:
    """Create rules, or replace those of the same names."""
    return [await _changed(writer, command) for command in commands]


async def _changed(writer: Writer, command: RuleChange) -> EconomyRule | Problem:
    if refused := _invalid(command):
        return refused
    # One lock for all rules: two new ones at once must not exceed the limit together.
    await writer.run("SELECT pg_advisory_xact_lock(58, 0)")
    if command.item_id and not await _item_exists(writer, command.item_id):
        return InvalidRule("No item has that id.", field="itemid")
    before = await _find(writer, command.name)
    if before is None and await writer.value("SELECT count(*) FROM economy_rules") >= MAX_RULES:
        return TooManyRules()
    if before and _counts_otherwise(before, command):
        # Its counters are of something else. They are deleted with it.
        await writer.run("DELETE FROM economy_rules WHERE name = $1", command.name)
    await writer.run(STORE, *_stored(command))
    after = await find_rule(writer, command.name)
    await _record(writer, "rules.change", command, before, after)
    return after


STORE: LiteralString = """
    INSERT INTO economy_rules (name, shape, item_id, more_than, days, effect, changed_by_name)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (name) DO UPDATE
       SET more_than = excluded.more_than, effect = excluded.effect, changed_at = now(),
           changed_by_name = excluded.changed_by_name
"""


def _stored(command: RuleChange) -> tuple[object, ...]:
    what = (command.name, command.shape, command.item_id, command.more_than)
    return (*what, command.days, command.effect, command.by.name)


def _counts_otherwise(before: EconomyRule, command: RuleChange) -> bool:
    return (before.shape, before.item_id, before.days) != (
        command.shape,
        command.item_id,
        command.days,
    )


async def _item_exists(writer: Writer, item: UUID) -> bool:
    return await writer.value("SELECT EXISTS (SELECT FROM items WHERE id = $1)", item)


@operation
async def remove(writer: Writer, commands: Sequence[RuleRemoval]) -> list[EconomyRule | Problem]:
    """Delete rules; their findings stay."""
    return [await _removed(writer, command) for command in commands]


async def _removed(writer: Writer, command: RuleRemoval) -> EconomyRule | Problem:
    await writer.run("SELECT pg_advisory_xact_lock(58, 0)")
    before = await _find(writer, command.name)
    if before is None:
        return missing(command.name)
    await writer.run("DELETE FROM economy_rules WHERE name = $1", command.name)
    await _record(writer, "rules.remove", command, before, None)
    return before


async def _record(
    writer: Writer,
    kind: actions.Kind,
    command: Command,
    before: EconomyRule | None,
    after: EconomyRule | None,
) -> None:
    item = (after or before or command).item_id  # pyright: ignore[reportAttributeAccessIssue]
    states = [rule and _facts(rule) for rule in (before, after)]
    action = Action(kind=kind, by=command.by, item_id=item, before=states[0], after=states[1])
    await actions.record(writer, [action])


def _facts(rule: EconomyRule) -> dict[str, Any]:
    facts = {
        "rule": rule.name,
        "shape": rule.shape,
        "item_id": rule.item_id,
        "more_than": rule.more_than,
        "days": rule.days,
        "effect": rule.effect,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _invalid(command: RuleChange) -> InvalidRule | None:
    if not NAME.fullmatch(command.name):
        return InvalidRule(field="name")
    if not 0 <= command.more_than <= MAX_QUANTITY:
        return InvalidRule("'morethan' must be 0 to 9007199254740992.", field="morethan")
    if (command.shape == "received_by_new_account") != (command.days is not None):
        return InvalidRule(
            "'days' is needed for 'received_by_new_account', and only there.", field="days"
        )
    if command.days is not None and not 1 <= command.days <= MAX_DAYS:
        return InvalidRule("'days' must be 1 to 365.", field="days")
    return None


def missing(name: str) -> RuleNotFound:
    return RuleNotFound(f"No economy rule is named '{name[:64]}'.")
