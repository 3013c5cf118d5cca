"""
Compilation of a segment to SQL: one boolean expression over a row of `players`.

Values are parameters; the text consists of the constants in this file only. Each condition
that needs another table is written once, as the rows of its owners, and is used in two forms:

    each  a lookup by key for one character: for samples and pages, where few are examined
    all   one pass over the other table, hashed: for the count of all characters
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, LiteralString, cast

import msgspec
from msgspec import Struct

from gamekeeper.catalog import variables
from gamekeeper.catalog.variables import DEFAULTS, Variable, WrongVariableType
from gamekeeper.core.parsing import Scalar
from gamekeeper.ledger.places import HELD_BY_PLAYERS
from gamekeeper.players.records import SESSION_SECONDS
from gamekeeper.sanctions.in_force import IN_FORCE
from gamekeeper.segments.checks import Variables
from gamekeeper.segments.records import Condition, ConditionField, Definition, Match

Form = Literal["each", "all"]

SCANNED: LiteralString = """
    players.id, players.user_id, players.class_id, players.level, players.created_at,
    players.last_online, players.play_time_seconds
"""
"""The columns of `players` that conditions compare."""

SECONDS_PER_HOUR = 3600
RESTRICTIONS = ["ban", "mute", "trade_lock"]
JOINED: Mapping[Match, LiteralString] = {"all": " AND ", "any": " OR "}


class Compiled(Struct, frozen=True):
    where: LiteralString
    """A condition on `players`; never NULL."""
    args: list[Any]

    def after(self, position: int) -> LiteralString:
        """The placeholder of a parameter that the caller adds: 1 is the first after `args`."""
        return placeholder(len(self.args) + position)


def placeholder(number: int) -> LiteralString:
    # The number of a parameter is no literal for a type checker, but contains no text of others.
    return cast("LiteralString", f"${number}")


class _Compiler:
    """The expressions of one statement, and its parameters in order."""

    def __init__(self, form: Form, declared: Variables, started: datetime | None) -> None:
        self.form = form
        self.declared = declared
        self.args: list[Any] = []
        self._started = started
        self._now: LiteralString | None = None

    @property
    def now(self) -> LiteralString:
        """The start, or else the time of the statement by PostgreSQL's clock."""
        if self._now is None:
            started: LiteralString = "statement_timestamp()"
            self._now = started if self._started is None else self.add(self._started, "timestamptz")
        return self._now

    def add(self, value: object, kind: LiteralString) -> LiteralString:
        """A parameter of a type; returns its placeholder."""
        self.args.append(value)
        return f"{placeholder(len(self.args))}::{kind}"

    def owned(self, rows: LiteralString, owner: LiteralString = "players.id") -> LiteralString:
        """Whether `rows`, a SELECT of `owner_id`, has the character, or its account."""
        if self.form == "all":
            return f"{owner} IN ({rows})"
        # OFFSET 0 keeps PostgreSQL from turning the lookup into a pass over the other table.
        return f"EXISTS (SELECT FROM ({rows}) AS found WHERE found.owner_id = {owner} OFFSET 0)"


def compile_segment(
    definition: Definition,
    declared: Variables,
    form: Form,
    *,
    started: datetime | None = None,
) -> Compiled:
    """The condition that a character is a member; `started` stands for the present instant."""
    compiler = _Compiler(form, declared, started)
    groups: list[LiteralString] = [
        _joined(group.match, [_condition(compiler, condition) for condition in group.conditions])
        for group in definition.groups
    ]
    return Compiled(_joined(definition.match, groups), compiler.args)


def _joined(match: Match, parts: list[LiteralString]) -> LiteralString:
    joined: LiteralString = JOINED[match].join(parts)
    return f"({joined})"


def _condition(compiler: _Compiler, condition: Condition) -> LiteralString:
    met = EXPRESSIONS[condition.field](compiler, condition)
    return f"NOT ({met})" if condition.negate else f"({met})"


def _all_of(parts: list[LiteralString]) -> LiteralString:
    return " AND ".join(parts)


# ── Of the character itself ──


def _level(compiler: _Compiler, condition: Condition) -> LiteralString:
    return _in_range(compiler, "players.level", condition.at_least, condition.at_most)


def _in_range(
    compiler: _Compiler, number: LiteralString, least: int | None, most: int | None
) -> LiteralString:
    parts: list[LiteralString] = []
    if least is not None:
        parts.append(f"{number} >= {compiler.add(least, 'bigint')}")
    if most is not None:
        parts.append(f"{number} <= {compiler.add(most, 'bigint')}")
    return _all_of(parts)


def _class(compiler: _Compiler, condition: Condition) -> LiteralString:
    return f"players.class_id = {compiler.add(condition.id, 'uuid')}"


def _created(compiler: _Compiler, condition: Condition) -> LiteralString:
    return _in_time(compiler, condition, lambda instant: f"players.created_at >= {instant}")


def _account_created(compiler: _Compiler, condition: Condition) -> LiteralString:
    def since(instant: LiteralString) -> LiteralString:
        rows: LiteralString = f"SELECT id AS owner_id FROM users WHERE created_at >= {instant}"
        return compiler.owned(rows, "players.user_id")

    return _in_time(compiler, condition, since)


def _last_online(compiler: _Compiler, condition: Condition) -> LiteralString:
    """While online, now; else the end of the last session, or the creation if it never played."""

    def since(instant: LiteralString) -> LiteralString:
        # A server may have died, and no worker has ended its sessions yet.
        rows: LiteralString = f"""
            SELECT presences.player_id AS owner_id
              FROM presences JOIN servers ON servers.id = presences.server_id
             WHERE greatest(presences.joined_at, least(servers.lease_until, {compiler.now}))
                   >= {instant}
        """
        present = compiler.owned(rows)
        return f"(coalesce(players.last_online, players.created_at) >= {instant} OR {present})"

    return _in_time(compiler, condition, since)


def _in_time(
    compiler: _Compiler, condition: Condition, since: Callable[[LiteralString], LiteralString]
) -> LiteralString:
    parts: list[LiteralString] = []
    if condition.since is not None:
        parts.append(since(compiler.add(condition.since, "timestamptz")))
    if condition.before is not None:
        parts.append(f"NOT ({since(compiler.add(condition.before, 'timestamptz'))})")
    if condition.within_days is not None:
        days = compiler.add(condition.within_days, "int")
        parts.append(since(f"({compiler.now} - make_interval(days => {days}))"))
    return _all_of(parts)


def _hours_played(compiler: _Compiler, condition: Condition) -> LiteralString:
    """With the session that goes on, as in the character's record."""

    def more_than(seconds: int) -> LiteralString:
        limit = compiler.add(seconds, "bigint")
        rows: LiteralString = f"""
            SELECT presences.player_id AS owner_id
              FROM presences
              JOIN servers ON servers.id = presences.server_id
              JOIN players AS present ON present.id = presences.player_id
             WHERE present.play_time_seconds + {SESSION_SECONDS} > {limit}
        """
        return f"(players.play_time_seconds > {limit} OR {compiler.owned(rows)})"

    parts: list[LiteralString] = []
    if condition.at_least is not None:
        parts.append(more_than(condition.at_least * SECONDS_PER_HOUR - 1))
    if condition.at_most is not None:
        parts.append(f"NOT {more_than(condition.at_most * SECONDS_PER_HOUR)}")
    return _all_of(parts)


def _online(compiler: _Compiler, _: Condition) -> LiteralString:
    return compiler.owned(
        """
        SELECT presences.player_id AS owner_id
          FROM presences JOIN servers ON servers.id = presences.server_id
         WHERE servers.lease_until > statement_timestamp()
        """
    )


# ── In other tables ──


def _item(compiler: _Compiler, condition: Condition) -> LiteralString:
    item = compiler.add(condition.id, "uuid")
    rows: LiteralString = f"SELECT owner_id FROM ({HELD_BY_PLAYERS}) AS held WHERE item_id = {item}"
    # Every stack has at least one, so that for one nothing needs to be added up.
    if condition.at_least is not None and condition.at_least > 1:
        quantity = compiler.add(condition.at_least, "bigint")
        rows = f"{rows} GROUP BY owner_id HAVING sum(quantity) >= {quantity}"
    # PostgreSQL guesses a few hundred owners of any item, and would look up each of a million
    # characters by its key. IS TRUE makes it hash the owners instead.
    return f"({compiler.owned(rows)}) IS TRUE"


def _guild(compiler: _Compiler, condition: Condition) -> LiteralString:
    rows: LiteralString = "SELECT player_id AS owner_id FROM guild_members"
    if condition.id is not None:
        rows = f"{rows} WHERE guild_id = {compiler.add(condition.id, 'uuid')}"
    return compiler.owned(rows)


def _sanction(compiler: _Compiler, condition: Condition) -> LiteralString:
    kinds = compiler.add([condition.kind] if condition.kind else RESTRICTIONS, "text[]")
    on_account: LiteralString = f"""
        SELECT user_id AS owner_id FROM sanctions
         WHERE player_id IS NULL AND kind = ANY({kinds}) AND {IN_FORCE}
    """
    on_character: LiteralString = f"""
        SELECT player_id AS owner_id FROM sanctions
         WHERE player_id IS NOT NULL AND kind = ANY({kinds}) AND {IN_FORCE}
    """
    account = compiler.owned(on_account, "players.user_id")
    return f"{account} OR {compiler.owned(on_character)}"


def _list(compiler: _Compiler, condition: Condition) -> LiteralString:
    name = compiler.add(condition.list, "text")
    return compiler.owned(
        f"SELECT player_id AS owner_id FROM segment_list_players WHERE list = {name}"
    )


# ── Variables ──

VARIABLE_ROWS: Mapping[ConditionField, tuple[LiteralString, LiteralString]] = {
    "player_variable": (
        "SELECT player_id AS owner_id FROM player_variables WHERE variable_id =",
        "players.id",
    ),
    "user_variable": (
        "SELECT user_id AS owner_id FROM user_variables WHERE variable_id =",
        "players.user_id",
    ),
}


def _variable(compiler: _Compiler, condition: Condition) -> LiteralString:
    """
    A value that was never set counts as the default of its type.

    Only set values are stored. So if the default meets the condition, those are looked for that
    do not meet it.
    """
    assert condition.id is not None
    variable = compiler.declared.get((condition.field, condition.id))
    if variable is None or not _is_comparable(condition, variable):
        return "false"
    variable_id = compiler.add(condition.id, "uuid")
    start, owner = VARIABLE_ROWS[condition.field]
    met = _value(compiler, condition, variable)
    if _is_met(condition, DEFAULTS[variable.type], variable):
        return f"NOT {compiler.owned(f'{start} {variable_id} AND NOT ({met})', owner)}"
    return compiler.owned(f"{start} {variable_id} AND {met}", owner)


def _is_comparable(condition: Condition, variable: Variable) -> bool:
    """Whether the value is of the variable's type, which may have changed since it was saved."""
    try:
        return condition.equals is None or variables.typed(variable, condition.equals) is not None
    except WrongVariableType:
        return False


def _value(compiler: _Compiler, condition: Condition, variable: Variable) -> LiteralString:
    if condition.equals is not None:
        wanted = msgspec.json.encode(variables.typed(variable, condition.equals)).decode()
        return f"value = {compiler.add(wanted, 'text')}::jsonb"
    # A value that was set before the variable's type changed may be no number.
    number: LiteralString = "CASE jsonb_typeof(value) WHEN 'number' THEN value::numeric ELSE 0 END"
    return _in_range(compiler, f"({number})", condition.at_least, condition.at_most)


def _is_met(condition: Condition, value: Scalar, variable: Variable) -> bool:
    if condition.equals is not None:
        return value == variables.typed(variable, condition.equals)
    number = float(value) if isinstance(value, int | float) else 0.0
    least, most = condition.at_least, condition.at_most
    return (least is None or number >= least) and (most is None or number <= most)


EXPRESSIONS: Mapping[ConditionField, Callable[[_Compiler, Condition], LiteralString]] = {
    "level": _level,
    "class": _class,
    "created": _created,
    "account_created": _account_created,
    "last_online": _last_online,
    "hours_played": _hours_played,
    "online": _online,
    "item": _item,
    "player_variable": _variable,
    "user_variable": _variable,
    "guild": _guild,
    "sanction": _sanction,
    "list": _list,
}
