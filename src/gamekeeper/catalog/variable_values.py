"""
Values of variables, by owner: characters, accounts and guilds have a table each, of one form.

The game's own variables have no owner and a table of another form (`game_variables`); they share
the rules, which are `assign` here and the types in `catalog.variables`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, LiteralString, NamedTuple, TypeVar
from uuid import UUID

import msgspec

from gamekeeper.catalog import variables
from gamekeeper.catalog.variables import Owner, Variable
from gamekeeper.core.errors import Problem
from gamekeeper.core.parsing import Scalar
from gamekeeper.db import unique_names
from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.unique_names import ByKey

K = TypeVar("K")

Values = dict[tuple[UUID, UUID], Scalar]
"""By owner and variable."""


class OwnedValue(NamedTuple):
    """A variable, and its value for one owner."""

    variable: Variable
    value: Scalar


class Assignment(NamedTuple, Generic[K]):
    """A value to set."""

    key: K | Problem
    """The owner of the value; a refusal if the owner does not exist."""
    variable_id: UUID
    value: Scalar


class Assigned(NamedTuple):
    """A value that was set, and the former one."""

    variable: Variable
    former: Scalar | None
    value: Scalar

    def states(self, **about: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """The states of an action, before and after."""
        about |= {"variable_id": self.variable.id}
        return about | {"value": self.former}, about | {"value": self.value}


def assign(
    declared: Mapping[UUID, Variable],
    now: Mapping[tuple[K, UUID], Scalar],
    wanted: Iterable[Assignment[K]],
    missing: Callable[[UUID], Problem],
) -> tuple[list[Assigned | Problem], dict[tuple[K, UUID], Scalar | None]]:
    """Decide what is set and what is refused; returns the outcomes and the values to save."""
    changed: dict[tuple[K, UUID], Scalar | None] = {}
    outcomes: list[Assigned | Problem] = []
    for key, variable_id, value in wanted:
        try:
            if isinstance(key, Problem):
                raise key
            if variable_id not in declared:
                raise missing(variable_id)
            variable = declared[variable_id]
            new = variables.typed(variable, value)
        except Problem as refusal:
            outcomes.append(refusal)
            continue
        spot = key, variable_id
        outcomes.append(Assigned(variable, changed.get(spot, now.get(spot)), new))
        changed[spot] = new
    return outcomes, changed


class VariableTable:
    """The values of all owners of one kind."""

    def __init__(
        self, owner: Owner, owners: LiteralString, table: LiteralString, column: LiteralString
    ) -> None:
        self._owner: Owner = owner
        list_set: LiteralString = f"""
            SELECT key, variable_id, variables.name, type, value
              FROM {{owners}}
              LEFT JOIN LATERAL (
                   SELECT variable_id, value FROM {table} WHERE {column} = {owners}.id OFFSET 0
                   ) AS own ON true
              LEFT JOIN variables ON variables.id = variable_id
             ORDER BY variable_id
        """
        find: LiteralString = f"""
            SELECT key, variable_id, value
              FROM {{owners}}
              LEFT JOIN LATERAL (
                   SELECT variable_id, value FROM {table}
                    WHERE {column} = {owners}.id AND variable_id = ANY($2) OFFSET 0
                   ) AS own ON true
        """
        self._list_set = ByKey.of(owners, list_set)
        self._find = ByKey.of(owners, find)
        self._read: LiteralString = f"""
            SELECT {column} AS owner, variable_id, value FROM {table}
             WHERE {column} = ANY($1) AND variable_id = ANY($2)
        """
        self._read_all: LiteralString = f"""
            SELECT {column} AS owner, variable_id, value FROM {table} WHERE {column} = ANY($1)
             ORDER BY variable_id
        """
        self._unset: LiteralString = f"""
            DELETE FROM {table}
             WHERE {column} = ANY($1)
               AND ({column}, variable_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """
        self._write: LiteralString = f"""
            INSERT INTO {table} ({column}, variable_id, value)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[])
            ON CONFLICT ({column}, variable_id) DO UPDATE SET value = excluded.value
        """

    async def list_set(self, reader: Reader, keys: Sequence[str]) -> dict[str, list[OwnedValue]]:
        """The values that are set, of the owners with these names or ids."""
        found = await unique_names.read(reader, self._list_set, keys)
        return {
            key: [
                OwnedValue(
                    Variable(id=variable, name=name, type=kind, owner=self._owner),
                    variables.shown(kind, value),
                )
                for _, variable, name, kind, value in rows
                if variable
            ]
            for key, rows in found.items()
        }

    async def find(
        self, reader: Reader, wanted: Sequence[tuple[str, UUID]]
    ) -> dict[tuple[str, UUID], OwnedValue | None]:
        """
        Single values, unset ones with the default of their type.

        An unknown owner is left out. None: owners of this kind have no such variable.
        """
        declared = await variables.find_variables(
            reader, {variable for _, variable in wanted}, self._owner
        )
        keys = [key for key, _ in wanted]
        found = await unique_names.read(reader, self._find, keys, list(declared))
        value = {(key, row["variable_id"]): row["value"] for key in found for row in found[key]}
        return {
            (key, variable_id): OwnedValue(
                variable, variables.shown(variable.type, value.get((key, variable_id)))
            )
            if (variable := declared.get(variable_id))
            else None
            for key, variable_id in wanted
            if key in found
        }

    async def assign(
        self,
        writer: Writer,
        wanted: Sequence[Assignment[UUID]],
        missing: Callable[[UUID], Problem],
    ) -> list[Assigned | Problem]:
        """Set values of locked owners; the last one for the same variable wins."""
        declared = await variables.find_variables(
            writer, {assignment.variable_id for assignment in wanted}, self._owner
        )
        owners = [assignment.key for assignment in wanted if isinstance(assignment.key, UUID)]
        now = await self.values(writer, owners, list(declared))
        outcomes, changed = assign(declared, now, wanted, missing)
        await self.save(writer, changed)
        return outcomes

    async def values(
        self, reader: Queryable, owners: Sequence[UUID], ids: Iterable[UUID]
    ) -> Values:
        """The values that are set, of these owners and variables."""
        rows = await reader.rows(self._read, list(owners), list(ids))
        return {(row["owner"], row["variable_id"]): variables.stored(row["value"]) for row in rows}

    async def all_values(
        self, reader: Queryable, owners: Sequence[UUID]
    ) -> dict[UUID, dict[UUID, Scalar]]:
        """All values that are set, by owner and variable."""
        found: dict[UUID, dict[UUID, Scalar]] = {}
        for row in await reader.rows(self._read_all, list(owners)):
            value = variables.stored(row["value"])
            assert value is not None
            found.setdefault(row["owner"], {})[row["variable_id"]] = value
        return found

    async def save(
        self, writer: Writer, changed: Mapping[tuple[UUID, UUID], Scalar | None]
    ) -> None:
        """Write the values of locked owners; None unsets one."""
        if unset := [spot for spot, value in changed.items() if value is None]:
            await writer.run(self._unset, *map(list, zip(*unset, strict=True)))
        if assigned := {spot: value for spot, value in changed.items() if value is not None}:
            await writer.run(
                self._write,
                *map(list, zip(*assigned, strict=True)),
                [msgspec.json.encode(value).decode() for value in assigned.values()],
            )


PLAYER_VARIABLES = VariableTable("player", "players", "player_variables", "player_id")
USER_VARIABLES = VariableTable("user", "users", "user_variables", "user_id")
GUILD_VARIABLES = VariableTable("guild", "guilds", "guild_variables", "guild_id")
