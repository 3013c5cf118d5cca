"""
Instrumentation of the database layer: what it reports, to whoever counts it.

`core.metrics` counts it for Prometheus. Commands do not import that, because it takes as much
CPU as the rest of a command; so this module imports nothing, and reports to nobody until then.
"""

from collections.abc import Sequence


class Meter:
    """Counts nothing; `core.metrics` puts one in its place that counts."""

    def connection_acquired(self, pool: str, seconds: float) -> None:
        """A connection of a pool was acquired, after so long."""

    def batch_ended(
        self, operation: str, waited: float, seconds: float, outcomes: Sequence[object]
    ) -> None:
        """A batch of calls ended; the first of them had waited for it."""

    def commands_locked(self, operation: str, commands: int) -> None:
        """Commands of a batch wait for rows that other transactions lock."""

    def transaction_retried(self, reason: str) -> None:
        """A transaction was rolled back and begins again."""

    def transaction_committed(self, seconds: float) -> None:
        """A COMMIT took so long."""

    def database_failed(self, fault: str) -> None:
        """PostgreSQL was away, full or busy."""

    def leader_changed(self, duty: str, *, leads: bool) -> None:
        """This process has become the leader of a duty, or is not the leader."""

    def actions_linked(self, number: int) -> None:
        """Actions were linked into the hash chain."""


meter = Meter()
"""Where reports go: read it at each report, because it is replaced."""


def report_to(other: Meter) -> None:
    global meter
    meter = other


def name_of(step: object) -> str:
    """The name of an operation or a query in metrics: `players.items.give`."""
    module: str = getattr(step, "__module__", "")
    return f"{module.removeprefix('gamekeeper.')}.{getattr(step, '__name__', '')}"
