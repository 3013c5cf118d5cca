"""The page docs/compatibility.md, written from what the replays showed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tests.intersect_clients.recordings import Recording
from tests.intersect_clients.replay import Outcome

FILE = Path(__file__).parents[2] / "docs/compatibility.md"

HEAD = """\
# Compatibility with Intersect Engine clients

Gamekeeper answers the API of the Intersect Engine, so programs that were written for the engine
work without changes. This page shows which, call by call. It is written by `just compatibility`,
which replays what each program sends to a running server and applies the condition that its code
applies to the answer; a test says when the page is out of date. The recordings, in
`tests/intersect_clients`, hold facts of the wire and no code of the programs. They were
written down from notes on the traffic and the source of the programs. Where the notes leave open
in which order or with which body a call is sent, we chose: a recording is no capture.

## Client programs

A call is right if the program accepts the answer. Some calls can never be right, for a reason that
the next table names; the program works without them.

"""

WEBSITE = """
## A website that signs in before every call

Two of these programs ask for a new token before every call. With the default settings one address
may sign in 600 times a minute, which is ten calls a second. A website with more visitors needs

* `GAMEKEEPER_RATE_LIMITS="sign-in 6000/minute"`, the calls a minute that it makes at most;
* above 20 calls a second also `GAMEKEEPER_ANONYMOUS_RATE`: who signs in has no credential yet;
* above 100 calls a second also `read`, `list` and `write` in `GAMEKEEPER_RATE_LIMITS`: all calls
  are of one account.

The tables do not grow: beyond an account's first 32 sign-ins, those from one address share one
token ([0034](decisions/0034-long-tokens-and-shared-sign-ins.md)). Equal sign-ins that wait at the
same time share one password check, and each process lets eight of one address in at a time.
`python -m tests.torture.sign_in_every_call 1000 60` measures it (`just sign-ins`).
"""

ENDPOINTS = """
## The whole API

Every endpoint of the engine's server, asked for as versions 0.6 to 0.7 and as version 0.8. Whoever
sends `Accept: application/vnd.intersect.0.8+json` gets the shapes of 0.8, everybody else those
of 0.7. A dash means that the version has no such call. Calls that change or delete characters and
guilds need an API key with the scope `players.manage` or `guilds.manage`, which no account's token
has: in the engine any token could do it.

"""


class Replayed(Struct, frozen=True):
    """A recording, and what its replays showed by version."""

    recording: Recording
    outcomes: Mapping[str, Sequence[Outcome]]

    @property
    def first(self) -> Sequence[Outcome]:
        return self.outcomes["0.7"]


def is_right(outcome: Outcome) -> bool:
    return not outcome.faults


def usable(replayed: Replayed) -> str:
    wrong = [one for one in replayed.first if one.faults]
    if any(one.call.essential for one in wrong):
        return "no"
    if any(not one.call.impossible for one in wrong):
        return "partly"
    if wrong:
        return f"yes, except {len(wrong)} call{'s' if len(wrong) > 1 else ''}"
    return "yes"


def page(programs: Sequence[Replayed], endpoints: Replayed) -> str:
    parts = [
        HEAD,
        _table(
            ("Program", "Kind", "Usable", "Calls right", "Waits for an answer"),
            [_program(one) for one in programs],
        ),
        "\n### Calls that are not right\n\n",
        _table(("Program", "Call", "Why"), [row for one in programs for row in _wrong(one)]),
        "\n### What else to know\n\n",
        "".join(
            f"* **{one.recording.name}**: {one.recording.note}\n"
            for one in programs
            if one.recording.note
        ),
        WEBSITE,
        ENDPOINTS,
        _table(("Request", "What for", "0.7", "0.8"), _endpoints(endpoints)),
    ]
    return "".join(parts)


def _program(one: Replayed) -> tuple[str, ...]:
    right = sum(is_right(outcome) for outcome in one.first)
    recording = one.recording
    return (
        f"{recording.name}<br>{recording.repository}",
        recording.kind,
        usable(one),
        f"{right} of {len(one.first)}",
        recording.time_limit,
    )


def _wrong(one: Replayed) -> list[tuple[str, ...]]:
    return [
        (
            one.recording.name,
            f"{outcome.call.what}: `{outcome.call.send}`",
            outcome.call.impossible or "; ".join(outcome.faults),
        )
        for outcome in one.first
        if outcome.faults
    ]


def _endpoints(replayed: Replayed) -> list[tuple[str, ...]]:
    found = {
        version: {id(outcome.call): outcome for outcome in outcomes}
        for version, outcomes in replayed.outcomes.items()
    }
    return [
        (
            f"`{call.send}`",
            f"{call.what} (with an API key)" if call.api_key else call.what,
            *(_mark(found[version].get(id(call))) for version in ("0.7", "0.8")),
        )
        for call in replayed.recording.calls
    ]


def _mark(outcome: Outcome | None) -> str:
    if outcome is None:
        return "–"
    if is_right(outcome):
        return "yes"
    return f"no: {outcome.call.impossible}" if outcome.call.impossible else "no"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
