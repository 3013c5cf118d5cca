"""The report of an import: what came, what has another name, and what was left out."""

from collections.abc import Iterator

from msgspec import Struct, field

from gamekeeper.transfer.importer import ImportReport, TransferCounts
from gamekeeper.transfer.intersect.bans import SanctionCounts
from gamekeeper.transfer.intersect.notes import MEANINGS, Note, NoteKind, Notes

LEFT_OUT = (
    "reset codes of passwords",
    "tokens of the old API",
    "the last internet address and the play time of accounts",
    "the logs of the game",
)
"""What is never moved, in any game."""


class GameCounts(Struct):
    """What the source holds."""

    accounts: int = 0
    characters: int = 0
    inventory: int = 0
    bank: int = 0
    in_bags: int = 0
    spells: int = 0
    variables: int = 0


class IntersectReport(Struct):
    """What an import did, or with `dry_run` would do."""

    source: str
    migrations: dict[str, str]
    dry_run: bool
    found: GameCounts
    warnings: list[str] = []
    catalog: dict[str, TransferCounts] = field(default_factory=dict)
    users: TransferCounts = field(default_factory=TransferCounts)
    players: TransferCounts = field(default_factory=TransferCounts)
    sanctions: SanctionCounts = field(default_factory=SanctionCounts)
    sections: dict[str, TransferCounts] = field(default_factory=dict)
    newer_here: list[str] = []
    """Names of what was changed here since the import before, and so was left alone."""
    counts: dict[NoteKind, int] = field(default_factory=dict)
    notes: list[Note] = []
    faults: list[str] = []
    left_out: tuple[str, ...] = LEFT_OUT
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def is_change(self) -> bool:
        parts = [*self.catalog.values(), self.users, self.players, *self.sections.values()]
        bans = self.sanctions
        return any(part.added or part.changed for part in parts) or bool(bans.added or bans.lifted)

    def take(self, done: ImportReport, names: dict[str, str]) -> None:
        """Add what became of accounts and characters."""
        self.users, self.players = done.users, done.players
        self.newer_here = [names.get(str(owner), str(owner)) for owner in done.newer]
        self.faults = [str(fault) for fault in done.faults]

    def take_notes(self, notes: Notes) -> None:
        self.counts = dict(notes.counts)
        self.notes = sorted(notes.kept, key=lambda one: (one.kind, one.about))


def lines(report: IntersectReport, *, most: int) -> Iterator[str]:
    """The report for people, at most so many examples of each kind."""
    yield f"From {report.source}, the engine's migration {report.migrations['playerdata']}."
    yield from (f"Note: {warning}" for warning in report.warnings)
    for kind, count in sorted(report.counts.items()):
        yield f"{MEANINGS[kind]} ({count:,}):"
        examples = [note for note in report.notes if note.kind == kind][:most]
        for note in examples:
            yield f"    {note.about}{': ' if note.detail else ''}{note.detail}"
        if count > len(examples):
            yield f"    … and {count - len(examples):,} more."
    if report.newer_here:
        yield (
            f"{len(report.newer_here):,} accounts and characters were changed here since the last "
            "import and are kept:"
        )
        yield from (f"    {name}" for name in report.newer_here[:most])
    yield f"Never imported: {', '.join(report.left_out)}."
