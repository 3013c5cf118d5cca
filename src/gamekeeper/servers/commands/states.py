"""
The state machine of a command: what may happen to it in which state.

A command is delivered to one server only, ever. So it is carried out at most once, as long as
that server does not repeat an id; and a command that was never answered is reported as such.
"""

from collections.abc import Mapping
from typing import Literal

State = Literal["waiting", "delivered", "done", "failed", "expired"]
Happening = Literal["fetch", "done", "failed", "overdue"]

TRANSITIONS: Mapping[tuple[State, Happening], State] = {
    ("waiting", "fetch"): "delivered",
    ("waiting", "overdue"): "expired",
    # Again, to the same server: its process did not get the response, or was restarted.
    ("delivered", "fetch"): "delivered",
    ("delivered", "done"): "done",
    ("delivered", "failed"): "failed",
    ("delivered", "overdue"): "expired",
    # Late, from the server that it was delivered to: the truth replaces the guess.
    ("expired", "done"): "done",
    ("expired", "failed"): "failed",
}
"""The next state. What is not listed cannot happen: `done` and `failed` are final."""

SETTLED: frozenset[State] = frozenset({"done", "failed", "expired"})
"""Nobody need wait any longer."""


def following(state: State, happening: Happening) -> State | None:
    """The state after something happened; None if it cannot happen in this state."""
    return TRANSITIONS.get((state, happening))
