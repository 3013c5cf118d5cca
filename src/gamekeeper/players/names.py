"""
Character names: validation and uniqueness.

A name is taken if a character has it, in any letter case, or has one that looks like it
(confusables, UTS 39). Each rule has its table of unique keys: see `db/unique_names.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString
from uuid import UUID

from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.core.names import fold, is_name, is_staff_word, look
from gamekeeper.db import unique_names
from gamekeeper.db.database import Database, Writer

JOINERS = " -'_"
WINDOW = 2_000
"""Characters per step of the backfill."""


# Sentences of Intersect, which its clients compare: they stay as they are.
class InvalidName(Invalid):
    """Invalid name."""


class NameTaken(Conflict):
    """Name already taken."""


def refusal(name: str, *, staff: bool = False) -> InvalidName | None:
    """The error if the name is not allowed; only `staff` may use reserved words."""
    if not is_name(name, joiners=JOINERS):
        return InvalidName()
    if not staff and is_staff_word(name):
        return InvalidName("This name is reserved or looks like a reserved one.")
    return None


class NameClaims:
    """
    The owners of some names: loaded, changed in memory, saved.

    `load` claims the wanted names, so no other transaction can take them before this one
    ends. `save` releases the claims that were not used.
    """

    def __init__(self) -> None:
        self._keys = _Directory("name", fold)
        self._looks = _Directory("look", look)

    @classmethod
    async def load(
        cls,
        writer: Writer,
        wanted: Sequence[tuple[UUID, str]],
        held: Mapping[UUID, str],
        *,
        dry_run: bool = False,
    ) -> "NameClaims":
        """
        Load and claim the `wanted` names; `held` are the characters' present names, if any.

        In a `dry_run` they are only loaded.
        """
        names = cls()
        for directory in (names._keys, names._looks):
            await directory.load(writer, wanted, held.values(), dry_run=dry_run)
        return names

    def is_free(self, player: UUID, name: str, former: str | None = None) -> bool:
        # A new spelling of the own name, such as another letter case, looks like the former one.
        alike = former is not None and look(former) == look(name)
        return self._keys.is_free(player, name) and (alike or self._looks.is_free(player, name))

    def take(self, player: UUID, name: str, former: str | None = None) -> bool:
        """Give a character a name in place of its former one; False if it is not free."""
        if not self.is_free(player, name, former):
            return False
        if former is not None:
            self.release(player, former)
        self._keys.put(player, name)
        self._looks.put(player, name)
        return True

    def take_as_is(self, player: UUID, name: str, former: str) -> bool:
        """As `take`, for an imported name: it may look like another's, but not be the same."""
        if not self._keys.is_free(player, name):
            return False
        self.release(player, former)
        self._keys.put(player, name)
        self._looks.put(player, name)
        return True

    def release(self, player: UUID, name: str) -> None:
        self._keys.release(player, name)
        self._looks.release(player, name)

    def savepoint(self) -> tuple[dict[str, UUID], dict[str, UUID]]:
        return self._keys.savepoint(), self._looks.savepoint()

    def rollback(self, savepoint: tuple[dict[str, UUID], dict[str, UUID]]) -> None:
        self._keys.rollback(savepoint[0])
        self._looks.rollback(savepoint[1])

    async def save(self, writer: Writer) -> None:
        await self._keys.save(writer)
        await self._looks.save(writer)


class _Directory:
    """One of the two tables of unique keys: folded names or confusable skeletons."""

    def __init__(self, which: str, key_of: Any) -> None:
        self._sql = STATEMENTS[which]
        self._key_of = key_of
        self._stored: dict[str, UUID] = {}
        self._now: dict[str, UUID] = {}

    async def load(
        self,
        writer: Writer,
        wanted: Sequence[tuple[UUID, str]],
        held: Iterable[str],
        *,
        dry_run: bool,
    ) -> None:
        keys = [self._key_of(name) for _, name in wanted]
        claimed: dict[str, UUID] = {}
        if keys and not dry_run:
            rows = await writer.rows(self._sql["claim"], keys, [player for player, _ in wanted])
            claimed = {row["key"]: row["player_id"] for row in rows}
        every = list({*keys, *map(self._key_of, held)})
        rows = await writer.rows(self._sql["owners"], every)
        self._stored = {row["key"]: row["player_id"] for row in rows}
        # A key that was claimed just now has no owner yet.
        self._now = {key: who for key, who in self._stored.items() if key not in claimed}

    def is_free(self, player: UUID, name: str) -> bool:
        return self._now.get(self._key_of(name), player) == player

    def put(self, player: UUID, name: str) -> None:
        self._now.setdefault(self._key_of(name), player)

    def release(self, player: UUID, name: str) -> None:
        if self._now.get(self._key_of(name)) == player:
            del self._now[self._key_of(name)]

    def savepoint(self) -> dict[str, UUID]:
        return dict(self._now)

    def rollback(self, savepoint: dict[str, UUID]) -> None:
        self._now = savepoint

    async def save(self, writer: Writer) -> None:
        gone = [key for key in self._stored if key not in self._now]
        new = {key: who for key, who in self._now.items() if self._stored.get(key) != who}
        if gone:
            await writer.run(self._sql["give_up"], gone)
        if new:
            await writer.run(self._sql["enter"], list(new), list(new.values()))


STATEMENTS: dict[str, dict[str, LiteralString]] = {
    "name": {
        # In key order, so that two lists with common keys cannot deadlock.
        "claim": """
            INSERT INTO player_names (name_key, player_id)
            SELECT key, player_id
              FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS new (key, player_id, place)
             ORDER BY key, place
            ON CONFLICT DO NOTHING
            RETURNING name_key AS key, player_id
        """,
        "owners": "SELECT name_key AS key, player_id FROM player_names WHERE name_key = ANY($1)",
        "give_up": "DELETE FROM player_names WHERE name_key = ANY($1)",
        "enter": """
            INSERT INTO player_names (name_key, player_id)
            SELECT key, player_id
              FROM unnest($1::text[], $2::uuid[]) AS new (key, player_id)
             ORDER BY key
            ON CONFLICT (name_key) DO UPDATE SET player_id = excluded.player_id
        """,
    },
    "look": {
        "claim": """
            INSERT INTO player_skeletons (skeleton, player_id)
            SELECT key, player_id
              FROM unnest($1::text[], $2::uuid[]) WITH ORDINALITY AS new (key, player_id, place)
             ORDER BY key, place
            ON CONFLICT DO NOTHING
            RETURNING skeleton AS key, player_id
        """,
        "owners": """
            SELECT skeleton AS key, player_id FROM player_skeletons WHERE skeleton = ANY($1)
        """,
        "give_up": "DELETE FROM player_skeletons WHERE skeleton = ANY($1)",
        "enter": """
            INSERT INTO player_skeletons (skeleton, player_id)
            SELECT key, player_id
              FROM unnest($1::text[], $2::uuid[]) AS new (key, player_id)
             ORDER BY key
            ON CONFLICT (skeleton) DO UPDATE SET player_id = excluded.player_id
        """,
    },
}


async def backfill(database: Database) -> int:
    """
    Backfill the confusable skeletons of characters that were not created by the API.

    Each step is one transaction, so it may run while the service runs. Of names that looked
    alike before this rule existed, one is entered; all keep their names.
    """
    last, entered = UUID(int=0), 0
    while rows := await database.reader.rows(
        """
        SELECT id, name FROM players WHERE id > $1 ORDER BY id LIMIT $2
        """,
        last,
        WINDOW,
    ):
        last = rows[-1]["id"]
        entered += await _enter(database, rows)
    return entered


async def _enter(database: Database, rows: Sequence[Any]) -> int:
    known = await database.reader.rows(
        "SELECT player_id FROM player_skeletons WHERE player_id = ANY($1)",
        [row["id"] for row in rows],
    )
    missing = {row["id"] for row in rows} - {row["player_id"] for row in known}
    if not missing:
        return 0

    async def work(writer: Writer) -> set[UUID]:
        # Lock the players, so that none is renamed or deleted meanwhile.
        there = await writer.rows(
            "SELECT id, name FROM players WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
            list(missing),
        )
        return await unique_names.claim(
            writer, ENTER_LOOKS, [look(row["name"]) for row in there], [row["id"] for row in there]
        )

    return len(await database.write(work))


ENTER_LOOKS: LiteralString = """
    INSERT INTO player_skeletons (skeleton, player_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS wanted (skeleton, player_id)
     ORDER BY skeleton
    ON CONFLICT DO NOTHING
    RETURNING player_id AS owner
"""
