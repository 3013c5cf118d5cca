"""The completion of a recovery: what it refuses, and that a refusal changes nothing."""

import sys
from collections.abc import AsyncIterator

import pytest

from gamekeeper.auth import keys
from gamekeeper.auth.keys import KeyNotFound
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.operations.backup import epochs, recovery
from gamekeeper.operations.backup.recovery import (
    NothingRecovered,
    RecoveryCompleted,
    RecoveryFailed,
    RecoveryOrder,
)
from gamekeeper.operations.backup.target import DatabaseInUse
from tests import processes
from tests.backup.world import empty
from tests.databases import cloned, name_of
from tests.ledger.chains import act, link, tamper
from tests.make import BY
from tests.server import environment

pytestmark = pytest.mark.deploy

KEEP = RecoveryOrder(by=BY, keep_keys=("website",))


@pytest.fixture
async def recovered(template: str) -> AsyncIterator[Settings]:
    """As if PostgreSQL had come back with it: two keys that are live again, and a few links."""
    async with cloned(template) as settings:
        async with Database.open(settings) as database:
            for name in ("website", "stolen"):
                await keys.create.one(database, keys.NewKey(by=BY, name=name))
            await act(database, 3)
            await link(database)
        yield settings


async def live(settings: Settings) -> list[str]:
    async with Database.open(settings) as database:
        rows = await database.reader.rows(
            "SELECT name FROM api_keys WHERE revoked_at IS NULL ORDER BY name"
        )
    return [row["name"] for row in rows]


async def completed(settings: Settings, order: RecoveryOrder = KEEP) -> recovery.RecoveredDatabase:
    return await recovery.complete(settings, order, await recovery.look(settings, order))


async def test_it_revokes_once(recovered):
    done = await completed(recovered)

    assert (done.steps.keys_revoked, done.steps.keys_kept) == (["stolen"], ["website"])
    assert (await live(recovered), done.links) == (["website"], 5)
    with pytest.raises(RecoveryCompleted, match="Already done at"):
        await completed(recovered)


async def test_a_restored_backup_needs_no_completion(loaded):
    async with cloned(name_of(loaded[0])) as settings:
        with pytest.raises(RecoveryCompleted):
            await recovery.look(settings, RecoveryOrder(by=BY))


async def test_after_a_breach_nothing_is_revoked_unless_it_is_accepted(recovered):
    await tamper(recovered, "UPDATE actions SET reason = 'another' WHERE kind = 'variables.set'")

    with pytest.raises(RecoveryFailed, match="Nothing was revoked"):
        await completed(recovered)
    assert await live(recovered) == ["stolen", "website"]

    accepted = RecoveryOrder(by=BY, accept_breaches=True)
    assert (await completed(recovered, accepted)).breaches
    assert await live(recovered) == []


async def test_a_database_in_use_is_refused(recovered):
    async with Database.open(recovered) as database:
        await database.reader.value("SELECT 1")
        with pytest.raises(DatabaseInUse, match="Stop serve, worker"):
            await completed(recovered)


async def test_an_unknown_key_and_an_empty_database_are_refused(recovered):
    with pytest.raises(KeyNotFound, match="It has: stolen, website"):
        await completed(recovered, RecoveryOrder(by=BY, keep_keys=("webiste",)))
    async with empty() as nothing:
        with pytest.raises(NothingRecovered):
            await completed(nothing)


@pytest.mark.parametrize("words", [[], ["--dry-run"]], ids=["another name", "dry run"])
async def test_without_confirmation_nothing_is_revoked(recovered, words):
    command = [sys.executable, "-m", "gamekeeper", "recovered", *words]
    done = processes.run(command, typed="another\n", env=environment(recovered))

    assert done.returncode == (0 if words else 1), done.stderr
    assert "Nothing was changed" in done.stdout or "nothing was changed" in done.stderr
    assert await live(recovered) == ["stolen", "website"]


async def test_a_server_without_a_target_has_nothing_to_complete(recovered):
    async with Database.open(recovered) as database:
        assert await epochs.incomplete(database.reader) is None
        await epochs.check(database.reader)
