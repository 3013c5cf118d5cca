"""A ban does the same wherever it comes from: staff, an import, or the move from Intersect."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import pytest

from gamekeeper.auth import tokens
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.servers import presence
from gamekeeper.servers.leases import LeaseHolder
from gamekeeper.servers.presence import PresenceChange
from gamekeeper.transfer.intersect import bans as intersect
from gamekeeper.transfer.lines import SanctionLine
from gamekeeper.transfer.sanction_changes import add_sanctions
from tests.make import BY, join, make_player, make_server, make_user, proved
from tests.torture.interleaver import overlap, stopping
from tests.transfer.worlds import bring, named

LIFTED = {"lifted_at": "2026-11-17T00:00:00Z", "lift_reason": "Appealed."}
LATER = {"starts_at": "2098-01-01T00:00:00Z"}
OVER = {"starts_at": "2026-01-01T00:00:00Z", "ends_at": "2026-01-02T00:00:00Z"}
TOKENS = "SELECT count(*) FROM token_families WHERE revoked_at IS NULL"


@pytest.fixture
async def ana(database: Database) -> UUID:
    """An account that is signed in, with Hero and Mule on a game server; Bo is there too."""
    user = await make_user(database, "ana", password="secret", api=True)
    await tokens.issue.one(database, await proved(database, user))
    server = await make_server(database)
    for player in (
        await make_player(database, "Hero", user=user),
        await make_player(database, "Mule", user=user),
        await make_player(database, "Bo"),
    ):
        await join(database, player, server)
    return user


def line(user: UUID, **about: Any) -> dict[str, Any]:
    plain = {"kind": "sanction", "id": named("ban"), "type": "ban", "user_id": str(user)}
    return plain | {"message": "No bots."} | about


async def kicked(database: Database) -> dict[str, tuple[str, dict[str, str]]]:
    rows = await database.reader.rows(
        """
        SELECT name, kind, state, payload, commands.reason
          FROM commands JOIN players ON players.id = commands.player_id
         ORDER BY name
        """
    )
    assert {(row["kind"], row["reason"]) for row in rows} <= {("kick", None)}
    return {row["name"]: (row["state"], row["payload"]) for row in rows}


async def by_staff(database: Database, user: UUID, _: Path) -> None:
    order = Imposition(by=BY, kind="ban", user=str(user), message="No bots.", reason="SECRET")
    await sanctions.impose.one(database, order)


async def by_import(database: Database, user: UUID, folder: Path) -> None:
    report = await bring(database.settings, folder, line(user, reason="SECRET"))
    assert report.faults == []


async def from_intersect(database: Database, user: UUID, _: Path) -> None:
    ban = NewSanction(by=BY, kind="ban", user_id=user, message="No bots.", reason="SECRET")
    await intersect.store_bans(database, [ban], BY, dry_run=False)


@pytest.mark.parametrize("ban", [by_staff, by_import, from_intersect], ids=lambda ban: ban.__name__)
async def test_a_ban_ends_sign_ins_and_kicks_who_is_online(database, ana, tmp_path, ban):
    assert await database.reader.value(TOKENS) == 1

    await ban(database, ana, tmp_path)

    told = ("waiting", {"Text": "No bots."})
    assert await kicked(database) == {"Hero": told, "Mule": told}
    assert await database.reader.value(TOKENS) == 0


async def test_an_imported_ban_of_a_character_kicks_only_the_character(database, ana, tmp_path):
    hero = await database.reader.value("SELECT id FROM players WHERE name = 'Hero'")

    await bring(database.settings, tmp_path, line(ana, player_id=str(hero)))

    assert list(await kicked(database)) == ["Hero"]
    assert await database.reader.value(TOKENS) == 1


@pytest.mark.parametrize("about", [LIFTED, LATER, OVER, {"type": "mute"}], ids=str)
async def test_an_import_kicks_for_no_other_sanction(database, ana, tmp_path, about):
    report = await bring(database.settings, tmp_path, line(ana, **about))

    assert (report.faults, report.sanctions.added) == ([], 1)
    assert await kicked(database) == {}
    assert await database.reader.value(TOKENS) == 1


async def test_a_repeated_import_kicks_once_and_a_dry_run_nobody(database, ana, tmp_path):
    await bring(database.settings, tmp_path, line(ana), dry_run=True)
    assert await kicked(database) == {}

    for _ in range(2):
        await bring(database.settings, tmp_path, line(ana))

    assert await database.reader.value("SELECT count(*) FROM commands") == 2


@pytest.fixture
async def watcher(settings: Settings) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(settings.database_url)
    yield connection
    await connection.close()


async def test_who_joins_during_the_import_of_a_ban_is_refused(database, watcher, monkeypatch):
    """The import locks the characters, so the join waits and then sees the ban."""
    user = await make_user(database, "ana")
    await make_player(database, "Hero", user=user)
    server = await make_server(database)
    change = PresenceChange(by=BY, players=["Hero"], holder=LeaseHolder(server, 0))
    ban = msgspec.convert(line(user), SanctionLine)
    stopping(monkeypatch)

    seen: Any = await overlap(
        watcher,
        lambda: presence.join.one(database, change),
        lambda: database.write(lambda writer: add_sanctions(writer, [ban], BY)),
        hold=True,
    )

    assert seen.waited
    assert [one.player for one in seen.late.refused] == ["Hero"]
    assert await database.reader.value("SELECT count(*) FROM presences") == 0
