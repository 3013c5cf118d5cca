"""Progress: the level and experience of characters."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.core.parsing import INT64
from gamekeeper.db.database import Queryable, Writer
from gamekeeper.db.paging.orderings import RANK, added, by_rank, record_deltas, removed


class InvalidProgress(Invalid):
    """The level must be from 1 to the class maximum; experience must be at least 0."""


class Progress(Struct, frozen=True):
    level: int
    exp: int
    highest: int

    @property
    def is_possible(self) -> bool:
        return 1 <= self.level <= self.highest and 0 <= self.exp < INT64.stop

    @property
    def shown(self) -> dict[str, int]:
        """The form in which an action records it."""
        return {"level": self.level, "exp": self.exp}


def advance(before: Progress, *, level: int | None, exp: int | None, gain: int | None) -> Progress:
    """Set level and experience, then add `gain`; raises InvalidProgress if out of bounds."""
    after = Progress(
        before.level if level is None else level,
        (before.exp if exp is None else exp) + (gain or 0),
        before.highest,
    )
    if not after.is_possible:
        raise InvalidProgress(None, highest=before.highest)
    return after


async def read_progress(reader: Queryable, players: Sequence[UUID]) -> dict[UUID, Progress]:
    rows = await reader.rows(
        """
        SELECT players.id, level, exp, max_level
          FROM players JOIN classes ON classes.id = class_id
         WHERE players.id = ANY($1)
        """,
        list(players),
    )
    return {row["id"]: Progress(row["level"], row["exp"], row["max_level"]) for row in rows}


async def set_levels_and_exp(writer: Writer, changed: Mapping[UUID, Progress]) -> None:
    """Only this statement changes level or experience. The caller must lock the players."""
    if not changed:
        return
    before = await writer.rows(
        """
        UPDATE players SET level = new.level, exp = new.exp
          FROM unnest($1::uuid[], $2::int[], $3::bigint[]) AS new (id, level, exp)
          JOIN players AS old ON old.id = new.id
         WHERE players.id = ANY($1) AND players.id = new.id
        RETURNING players.id, old.level, old.exp
        """,
        list(changed),
        [progress.level for progress in changed.values()],
        [progress.exp for progress in changed.values()],
    )
    gone = [removed(RANK, by_rank(row["level"], row["exp"], row["id"])) for row in before]
    there = [added(RANK, by_rank(new.level, new.exp, player)) for player, new in changed.items()]
    await record_deltas(writer, gone + there)
