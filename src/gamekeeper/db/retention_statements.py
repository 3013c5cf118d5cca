"""Statements of retention: a rule says which rows of a table expire, and what happens to them."""

from collections.abc import Callable
from typing import LiteralString

from msgspec import Struct

from gamekeeper.core.settings import Settings


class Rule(Struct, frozen=True, kw_only=True):
    """The retention rule of one table: which rows expire, and when."""

    name: LiteralString
    table: LiteralString
    key: LiteralString
    age: LiteralString
    """The column from which the time is counted; there is an index on it."""
    days: Callable[[Settings], int] = lambda _: 0
    hours: Callable[[Settings], int] = lambda _: 0
    """As well as the days, for rows of which there may be many."""
    where: LiteralString = "true"
    unless: LiteralString = "false"
    """A condition on rows of another table that must be swept first."""

    def seconds(self, settings: Settings) -> int:
        """How old a row becomes."""
        return self.days(settings) * 86_400 + self.hours(settings) * 3600

    @property
    def is_dependent(self) -> bool:
        return self.unless != "false"

    @property
    def statement(self) -> LiteralString:
        """Delete at most $1 rows older than $2 seconds, the oldest first."""
        # Checked twice: a row may have been renewed since it was found.
        oldest: LiteralString = "statement_timestamp() - make_interval(secs => $2)"
        expired: LiteralString = f"{self.where} AND {self.age} < {oldest}"
        return f"""
            {self.change}
             WHERE ({self.key}) IN
                   (SELECT {self.key} FROM {self.table}
                     WHERE {expired} AND NOT ({self.unless})
                     ORDER BY {self.age} LIMIT $1)
               AND {expired}
        """

    @property
    def change(self) -> LiteralString:
        return f"DELETE FROM {self.table}"

    @property
    def oldest(self) -> LiteralString:
        """The age in seconds of the oldest row, expired or not."""
        return f"""
            (SELECT extract(epoch FROM now() - {self.age})::float8
               FROM {self.table} WHERE {self.where} ORDER BY {self.age} LIMIT 1)
                AS "{self.name}"
        """


class Emptied(Rule, frozen=True, kw_only=True):
    """A rule that sets columns to NULL and keeps the row."""

    columns: tuple[LiteralString, ...]

    @property
    def change(self) -> LiteralString:
        emptied: LiteralString = ", ".join([f"{column} = NULL" for column in self.columns])
        return f"UPDATE {self.table} SET {emptied}"
