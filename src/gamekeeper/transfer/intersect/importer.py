"""
Import of a game of the Intersect Engine: convert it to lines, then import those (transfer).

Everything is read from the source first, so a source that goes away in the middle changes
nothing here. Then come the catalog, accounts and characters, bans and mutes, and the rest, each
step complete in itself: an interrupted import is continued by running it again.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from time import perf_counter
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.catalog import importer as catalogs
from gamekeeper.core.errors import Invalid
from gamekeeper.core.progress import ProgressCallback
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.db.operations import AuditContext
from gamekeeper.transfer import importer as transfer
from gamekeeper.transfer.importer import TransferCounts
from gamekeeper.transfer.intersect import bans, catalog
from gamekeeper.transfer.intersect.accounts import Accounts
from gamekeeper.transfer.intersect.catalog import GameCatalog
from gamekeeper.transfer.intersect.characters import Characters
from gamekeeper.transfer.intersect.notes import Notes
from gamekeeper.transfer.intersect.report import GameCounts, IntersectReport
from gamekeeper.transfer.intersect.sections import SectionContext, store_sections
from gamekeeper.transfer.intersect.sources import Source, migration
from gamekeeper.transfer.intersect.workspace import workspace

NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL
MOST_SLOTS = 1000
"""The largest setting; a slot beyond it is an error in the data."""

SLOTS = {
    "Player_Items": ("inventory_slots", "ItemId"),
    "Player_Bank": ("bank_slots", "ItemId"),
    "Player_Spells": ("spell_slots", "SpellId"),
}
"""Tables of slots: the setting that limits them, and the column that fills one."""


class TooFewSlots(Invalid):
    """The game has more slots than the settings allow."""


class Options(Struct, frozen=True, kw_only=True):
    zone: tzinfo = UTC
    """Of the game's server: the last time a character was online is stored in its local time."""
    max_level: int | None = None
    dry_run: bool = False


async def bring(
    settings: Settings,
    source: Source,
    by: AuditContext,
    options: Options,
    on_progress: ProgressCallback = lambda step, done, total: None,
) -> IntersectReport:
    """Import a game, or with `dry_run` only say what an import would do."""
    run = _Run(settings, source, by, options, on_progress)
    with workspace() as folder:
        async with Database.open(settings) as database:
            return await run.all(database, folder / "game.jsonl")


class _Run:
    """One run of an import."""

    def __init__(
        self,
        settings: Settings,
        source: Source,
        by: AuditContext,
        options: Options,
        on_progress: ProgressCallback,
    ) -> None:
        self.settings, self.source, self.by = settings, source, by
        self.options, self.on_progress = options, on_progress
        self.notes = Notes()
        # In one pass over each: they are the largest tables by far.
        slots = {
            table: source.players.extent(table, "Slot", filled, below=MOST_SLOTS)
            for table, (_, filled) in SLOTS.items()
        }
        check_slots(settings, slots)
        versions = {"playerdata": migration(source.players), "gamedata": migration(source.game)}
        self.report = IntersectReport(
            source=source.name,
            migrations=versions,
            dry_run=options.dry_run,
            found=_counted(source, slots),
            warnings=source.warnings,
        )

    async def all(self, database: Database, path: Path) -> IntersectReport:
        with self._timed("read"):
            game = catalog.read_catalog(self.source, self.notes, max_level=self.options.max_level)
            accounts, characters = await self._convert(database, game, path)
        with self._timed("catalog"):
            await self._catalog(database, game)
        with self._timed("accounts and characters"):
            done = await transfer.bring(
                self.settings,
                path,
                self.by,
                dry_run=self.options.dry_run,
                moves_in=game.catalog,
                on_progress=self.on_progress,
            )
        names = {str(owner): name for owner, name in (accounts.names | characters.names).items()}
        self.report.take(done, names)
        if not self.report.faults:
            with self._timed("bans and mutes"):
                await self._bans(database, accounts.names)
            with self._timed("rest"):
                self.on_progress("Rest", 0, 1)
                context = SectionContext(
                    database, self.source, game, self.by, self.notes, self.report
                )
                await store_sections(context, accounts.names, characters.names)
                self.on_progress("Rest", 1, 1)
        self.report.take_notes(self.notes)
        return self.report

    async def _convert(
        self, database: Database, game: GameCatalog, path: Path
    ) -> tuple[Accounts, Characters]:
        """Write all accounts and characters as lines into a file."""
        accounts = Accounts(self.source, self.notes)
        await accounts.settle(database.reader)
        options = self.options
        characters = Characters(self.source, game, self.settings, options.zone, self.notes)
        await characters.settle(database.reader, accounts.names)
        total, done = len(accounts.names) + len(characters.names), 0
        encoder = msgspec.json.Encoder()
        with os.fdopen(os.open(path, NEW_FILE, 0o600), "wb") as file:
            for lines in (accounts.lines(), characters.lines()):
                for line in lines:
                    file.write(encoder.encode(line) + b"\n")
                    done += 1
                    if done % 1000 == 0 or done == total:
                        self.on_progress("Read", done, total)
        return accounts, characters

    async def _catalog(self, database: Database, game: GameCatalog) -> None:
        self.on_progress("Catalog", 0, 1)
        changes = await catalogs.bring(
            database, game.catalog, self.by, dry_run=self.options.dry_run
        )
        self.report.catalog = {
            change.table: TransferCounts(len(change.added), len(change.changed), change.unchanged)
            for change in changes
        }
        self.on_progress("Catalog", 1, 1)

    async def _bans(self, database: Database, users: dict[UUID, str]) -> None:
        wanted = list(bans.read_bans(self.source, users, self.by, self.notes, datetime.now(UTC)))
        self.report.sanctions = await bans.store_bans(
            database, wanted, self.by, dry_run=self.options.dry_run
        )

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        begun = perf_counter()
        yield
        self.report.seconds[step] = round(perf_counter() - begun, 3)


def check_slots(settings: Settings, slots: Mapping[str, tuple[int, int]]) -> None:
    """
    Refuse to begin with fewer slots than the game uses, and say which setting to change.

    `slots` has how many of each table are filled, and the highest of them.
    """
    wrong: list[str] = []
    for table, (_, highest) in slots.items():
        name, _ = SLOTS[table]
        if highest >= getattr(settings, name):
            wrong.append(f"GAMEKEEPER_{name.upper()}={highest + 1}")
    if wrong:
        raise TooFewSlots(
            f"Characters of this game use more slots than the settings allow. Set "
            f"{' and '.join(wrong)}, or more, and import again."
        )


def _counted(source: Source, slots: Mapping[str, tuple[int, int]]) -> GameCounts:
    players = source.players
    return GameCounts(
        accounts=players.count("Users"),
        characters=players.count("Players"),
        inventory=slots["Player_Items"][0],
        bank=slots["Player_Bank"][0],
        in_bags=players.count("Bag_Items", "ItemId"),
        spells=slots["Player_Spells"][0],
        variables=players.count("Player_Variables"),
    )
