"""Sections that come after accounts and characters: objects, variables of accounts, guilds."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.transfer.intersect import guilds, objects, variables
from gamekeeper.transfer.intersect.catalog import GameCatalog
from gamekeeper.transfer.intersect.guilds import GuildReader
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.report import IntersectReport
from gamekeeper.transfer.intersect.sources import Source


class SectionContext(Struct):
    """What all sections share."""

    database: Database
    source: Source
    game: GameCatalog
    by: AuditContext
    notes: Notes
    report: IntersectReport

    @property
    def dry_run(self) -> bool:
        return self.report.dry_run


async def store_sections(
    context: SectionContext, users: Mapping[UUID, str], players: Mapping[UUID, str]
) -> None:
    """Bring what has a table here; say what has none."""
    await _objects(context)
    await _variables(context, users)
    await _guilds(context, players)


async def _has(context: SectionContext, table: str, rows: int) -> bool:
    """Whether there is a table for it; without one, and with rows, it is noted as left out."""
    there = await context.database.reader.value("SELECT to_regclass($1) IS NOT NULL", table)
    if rows and not there:
        context.notes.add("section_left_out", table, f"{rows:,} rows")
    return bool(rows and there)


async def _objects(context: SectionContext) -> None:
    wanted = list(objects.read_objects(context.source.game, context.notes))
    if await _has(context, "catalog_objects", len(wanted)):
        context.report.sections["objects"] = await objects.store_objects(
            context.database,
            wanted,
            context.by,
            context.source.name,
            dry_run=context.dry_run,
        )


async def _variables(context: SectionContext, users: Mapping[UUID, str]) -> None:
    source, game, notes = context.source, context.game, context.notes
    parts = {
        "user_variables": (
            variables.ACCOUNTS,
            variables.read_account_variables(source, game, users, notes),
        ),
        "game_variables": (variables.GAME, variables.read_game_variables(source, game, notes)),
    }
    for table, (section, wanted) in parts.items():
        if not await _has(context, table, len(wanted)):
            continue
        counts, newer = await variables.store_variables(
            context.database, section, wanted, context.by, dry_run=context.dry_run
        )
        context.report.sections[table.replace("_", " ")] = counts
        context.report.newer_here += [
            f"{table} of {users.get(owner, 'the game')}" for owner in newer
        ]


async def _guilds(context: SectionContext, players: Mapping[UUID, str]) -> None:
    if not await _has(context, "guilds", context.source.players.count("Guilds")):
        return
    found = GuildReader(context.source, context.game, players, context.notes).guilds()
    context.report.sections["guilds"] = await guilds.store_guilds(
        context.database, found, context.by, context.notes, dry_run=context.dry_run
    )
