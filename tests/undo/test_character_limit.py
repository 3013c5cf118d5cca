"""Characters restored by an undo count against the limit of their account, as created ones do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec import structs

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import UndoConflict, Undoing, Undone
from gamekeeper.players import characters
from gamekeeper.players.characters import Deletion, TooManyCharacters
from tests.databases import SharedDatabase
from tests.history.ledgers import row_counts
from tests.make import BY, make_class, make_user
from tests.players.proofs import at_once, prove, total
from tests.players.test_characters import creation, last
from tests.torture.interleaver import overlap, stopping

LIMIT = 2


@pytest.fixture
async def database(settings: Settings, shared_database: SharedDatabase) -> Database:
    """A database in which an account may have two characters."""
    database = shared_database.database(structs.replace(settings, characters_per_user=LIMIT))
    await make_class(database)
    return database


@pytest.fixture
async def watcher(settings: Settings) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


async def create(database: Database, user: UUID, *names: str) -> list[UUID]:
    made = [await characters.create.one(database, creation(user, name)) for name in names]
    return [player.id for player in made]


async def delete(database: Database, player: UUID) -> UUID:
    await characters.delete.one(database, Deletion(by=BY, player=str(player)))
    return (await last(database))["id"]


async def undo(database: Database, *actions: UUID, partial: bool = False) -> list[Any]:
    orders = [Undoing(by=BY, action_id=action, partial=partial) for action in actions]
    return await execute.undo(database, orders)


def obstacle(outcome: Any) -> tuple[object, ...]:
    assert isinstance(outcome, UndoConflict), outcome
    in_the_way: Any = outcome.details["in_the_way"]
    [one] = in_the_way
    return one.reason, one.what, one.id, one.expected, one.found


async def test_a_full_account_gets_no_character_back_and_nothing_is_written(database):
    user = await make_user(database)
    ana, _ = await create(database, user, "Ana", "Bo")
    gone = await delete(database, ana)
    [cy] = await create(database, user, "Cy")
    before = await row_counts(database)

    expected = ("too_many_characters", "user", user, LIMIT, LIMIT)
    [preview] = await execute.undo.preview(database, [Undoing(by=BY, action_id=gone)])
    assert obstacle(preview) == expected
    for partial in (False, True):
        [refused] = await undo(database, gone, partial=partial)
        assert obstacle(refused) == expected
    assert await row_counts(database) == before

    await delete(database, cy)
    [back] = await undo(database, gone)
    assert isinstance(back, Undone)
    await prove(database)


async def test_the_undo_of_a_created_characters_undo_counts_too(database):
    """A creation undone and redone restores the character as well."""
    user = await make_user(database)
    await create(database, user, "Ana", "Bo")
    created = (await last(database))["id"]
    [undone] = await undo(database, created)
    await create(database, user, "Cy")

    [redone] = await undo(database, undone.id)

    assert obstacle(redone)[0] == "too_many_characters"
    assert await total(database, "players") == LIMIT


async def test_a_list_counts_its_own_restores_and_deletions(database):
    """Of two restores in one list the second is refused; a deletion in the list makes room."""
    user, other = await make_user(database), await make_user(database)
    ana, bo = await create(database, user, "Ana", "Bo")
    [eve] = await create(database, other, "Eve")
    gone = [await delete(database, player) for player in (ana, bo, eve)]
    await create(database, user, "Cy")
    created = (await last(database))["id"]

    first, second, neighbour = await undo(database, *gone)
    assert isinstance(first, Undone)
    assert obstacle(second)[0] == "too_many_characters"
    assert isinstance(neighbour, Undone)

    uncreated, back = await undo(database, created, gone[1])
    assert isinstance(uncreated, Undone)
    assert isinstance(back, Undone)
    assert await total(database, "players") == LIMIT + 1
    await prove(database)


async def test_twenty_restores_at_once_stay_within_the_limit(database):
    user = await make_user(database)
    gone: list[UUID] = []
    for number in range(10):
        [player] = await create(database, user, f"Ana{'abcdefghij'[number]}x")
        gone.append(await delete(database, player))

    outcomes = await at_once(database, (undo(database, action) for action in gone * 2))

    assert sum(isinstance(outcome, Undone) for [outcome] in outcomes) == LIMIT
    assert await total(database, "players") == LIMIT
    await prove(database)


Caller = Callable[[], Awaitable[object]]


@pytest.mark.parametrize("hold", [False, True], ids=["committed", "waited for"])
@pytest.mark.parametrize("creates", [False, True], ids=["restore", "creation"])
async def test_a_restore_sees_the_character_that_came_meanwhile(
    database, watcher, monkeypatch, *, creates: bool, hold: bool
):
    """One place is left. The late restore waits for the other, which takes the place."""
    user = await make_user(database)
    ana, bo = await create(database, user, "Ana", "Bo")
    late, other = await delete(database, ana), await delete(database, bo)
    await create(database, user, "Cy")
    stopping(monkeypatch)

    def restore(action: UUID) -> Caller:
        return lambda: undo(database, action)

    def make() -> Awaitable[object]:
        return create(database, user, "Dee")

    seen: Any = await overlap(
        watcher, restore(late), make if creates else restore(other), hold=hold
    )

    assert seen.waited == hold
    assert obstacle(seen.late[0])[0] == "too_many_characters"
    assert await total(database, "players") == LIMIT


async def test_a_creation_sees_the_character_that_was_restored_meanwhile(
    database, watcher, monkeypatch
):
    user = await make_user(database)
    [ana] = await create(database, user, "Ana")
    gone = await delete(database, ana)
    await create(database, user, "Bo")
    stopping(monkeypatch)

    async def late() -> object:
        try:
            return await characters.create.one(database, creation(user, "Cy"))
        except Problem as refusal:
            return refusal

    seen = await overlap(watcher, late, lambda: undo(database, gone), hold=True)

    assert seen.waited
    assert isinstance(seen.late, TooManyCharacters)
    assert await total(database, "players") == LIMIT
