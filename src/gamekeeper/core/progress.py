"""Progress callbacks: what long work calls, so that a caller can show how far it is."""

from collections.abc import Callable

ProgressCallback = Callable[[str, int, int], None]
"""Gets the name of the step, how much of it is done, and how much there is."""

StepCallback = Callable[[int, int], None]
"""The same for work of one step: how much is done, and how much there is."""


def silent(step: str, done: int, total: int) -> None:
    """Show nothing."""
