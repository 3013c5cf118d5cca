"""The same walks with repairs of a whole character: bulk undos, and imports of earlier exports."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from gamekeeper.db.database import Database, Writer
from gamekeeper.history.undo import bulk
from gamekeeper.history.undo.bulk import Sweep
from gamekeeper.history.undo.selection import What
from gamekeeper.ledger.places import HELD, IS_TRANSFER
from gamekeeper.transfer import stored
from gamekeeper.transfer.character_changes import RefusedLines, change_players
from gamekeeper.transfer.known_catalog import KnownCatalog
from gamekeeper.transfer.lines import PlayerLine
from gamekeeper.transfer.positions import find_positions
from tests.make import BY
from tests.security.sequences import Party, Step, Walk


class RepairWalk(Walk):
    def __init__(self, database: Database, item: UUID, party: Party) -> None:
        super().__init__(database, item, party)
        self.exports: list[dict[UUID, PlayerLine]] = []
        """The characters after each step."""
        self.imported = 0
        """How many items imports have created."""

    def options(self) -> list[Step]:
        return super().options() + [
            Step(do, who, about)
            for do in ("sweep", "sweep_all", "import")
            for who in range(len(self.players))
            # After the last step nothing is to be undone or to be changed.
            for about in range(len(self.steps) - 1)
        ]

    async def take_step(self, writer: Writer, step: Step) -> bool:
        if not await super().take_step(writer, step):
            return False
        if step.do in ("sweep", "sweep_all", "import"):
            # Not one action: a bulk undo is several, and an import cannot be undone.
            self.actions[-1] = None
        self.exports.append(await _export(writer, self.players))
        return True

    def copy(self) -> "RepairWalk":
        other = RepairWalk(self.database, self.item, self.party)
        self._copy_to(other)
        other.exports, other.imported = list(self.exports), self.imported
        return other

    @property
    def granted(self) -> int:
        return super().granted + self.imported

    # ── The steps ──

    async def _sweep(self, writer: Writer, step: Step, what: What = "left") -> Any:
        now: datetime = await writer.value("SELECT clock_timestamp()")
        order = Sweep(
            by=BY,
            player_id=self.players[step.who],
            since=self.instants[step.about],
            until=now + timedelta(seconds=1),
            what=what,
        )
        await bulk.sweep_at_once.one(writer, order)
        rows = await writer.rows(
            """
            SELECT undoes FROM actions
             WHERE undoes IS NOT NULL AND at > $1 AND player_id = ANY($2)
            """,
            self.instants[-1],
            self.players,
        )
        undone = {row["undoes"] for row in rows}
        for number, action in enumerate(self.actions):
            if action in undone:
                self._turn(number, holds=False)
        return order if undone else None

    async def _sweep_all(self, writer: Writer, step: Step) -> Any:
        return await self._sweep(writer, step, "all")

    async def _import(self, writer: Writer, step: Step) -> Any:
        """
        Import an earlier export over the living game.

        As it is, with a position, it is refused or changes nothing. Without the position it brings
        back at most what the character lost since, and nothing that went to another owner.
        """
        player = self.players[step.who]
        line = self.exports[step.about].get(player)
        if line is None or await _change(writer, line) != "refused":
            return None
        lost = await writer.value(LOST, player, self.instants[step.about])
        before = await writer.value(TOTAL, player)
        if await _change(writer, replace(line, position=UNSET)) != "changed":
            return None
        created = await writer.value(TOTAL, player) - before
        assert created <= max(0, lost), (self.steps, step, created, lost)
        self.imported += max(0, created)
        return line


async def _export(writer: Writer, players: list[UUID]) -> dict[UUID, PlayerLine]:
    lines = await stored.read_players(writer, players)
    for player, position in (await find_positions(writer, lines)).items():
        lines[player].position = position
    return lines


async def _change(writer: Writer, line: PlayerLine) -> str:
    catalog = await KnownCatalog.load(writer)
    try:
        changed = await change_players(writer, {1: line}, catalog, BY, overwrite=False)
    except RefusedLines:
        return "refused"
    return "changed" if changed else "same"


TOTAL = f"SELECT coalesce(sum(quantity), 0)::int FROM ({HELD}) AS held WHERE owner_id = $1"
LOST = f"""
    SELECT -coalesce(sum(quantity), 0)::int
      FROM postings WHERE player_id = $1 AND at > $2 AND NOT {IS_TRANSFER}
"""
