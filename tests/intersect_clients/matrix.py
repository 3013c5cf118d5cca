"""The pages on compatibility with Intersect, written from what the replays showed."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tests.intersect_clients.recordings import Recording
from tests.intersect_clients.replay import Outcome

DOCS = Path(__file__).parents[2] / "docs"
PROGRAMS_PAGE = "compatibility.md"

HEAD = """\
# Compatibility with Intersect clients

Gamekeeper implements the API of the Intersect Engine, so programs that were written for the
engine work without changes. This page lists the programs that were tested. `just compatibility`
writes it: it replays the requests of each program to a running server, and applies the condition
that the program's code applies to the response. A test fails if the page is out of date. The
recordings, in `tests/intersect_clients`, contain requests and conditions, and no code of the
programs. They were written from notes on the traffic and the source of the programs. Where the
notes do not contain the order or the body of a call, we chose one: a recording is not a capture.

All endpoints, call by call: [players, accounts and guilds](reference/intersect-players.md), [game
objects, server, chat and logs](reference/intersect-game.md).

## Client programs

A call is right if the program accepts the response. Some calls can never be right, for the reason
in the next table; the program works without them.

"""

WEBSITE = """
## A website that signs in before every call

Two of these programs request a new token before every call. With the default settings one address
can sign in 600 times a minute, which is ten calls a second. A website with more visitors needs

* `GAMEKEEPER_RATE_LIMITS="sign-in 6000/minute"`, the maximum number of its calls per minute;
* above 20 calls a second also `GAMEKEEPER_ANONYMOUS_RATE`, because a sign-in has no credential yet;
* above 100 calls a second also `read`, `list` and `write` in `GAMEKEEPER_RATE_LIMITS`, because all
  calls belong to one account.

The tables do not grow: beyond an account's first 32 sign-ins, those from one address share one
token ([0034](decisions/0034-long-tokens-and-shared-sign-ins.md)). Equal sign-ins that wait at the
same time share one password check, and each process lets eight of one address in at a time.
`python -m tests.torture.sign_in_every_call 1000 60` measures it (`just sign-ins`).
"""

ENDPOINTS = """\
# Intersect API: {title}

Endpoints of the Intersect server, requested as versions 0.6 to 0.7 and as version 0.8, written by
`just compatibility`. A client that sends `Accept: application/vnd.intersect.0.8+json` gets the
formats of 0.8, all others those of 0.7. A dash means that the version does not have the call.
Calls that change or delete characters and guilds need an API key with the scope `players.manage`
or `guilds.manage`, which no account's token has: in Intersect any token could do it. The client
programs that were tested: [compatibility](../compatibility.md).

"""

PEOPLE = ("/api/v1/players", "/api/v1/users", "/api/v1/guilds")
"""What the paths of the first of both pages of endpoints begin with."""


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


def pages(programs: Sequence[Replayed], endpoints: Replayed) -> dict[str, str]:
    """The texts, by file in docs/."""
    rows = _endpoints(endpoints)
    people = [row for row in rows if _path(row).startswith(PEOPLE)]
    rest = [row for row in rows if row not in people]
    return {
        PROGRAMS_PAGE: _programs(programs),
        "reference/intersect-players.md": _calls("players, accounts and guilds", people),
        "reference/intersect-game.md": _calls("game objects, server, chat and logs", rest),
    }


def _path(row: Sequence[str]) -> str:
    return row[0].strip("`").partition(" ")[2]


def _calls(title: str, rows: Sequence[Sequence[str]]) -> str:
    return ENDPOINTS.format(title=title) + _table(("Request", "What for", "0.7", "0.8"), rows)


def _programs(programs: Sequence[Replayed]) -> str:
    parts = [
        HEAD,
        _table(
            ("Program", "Kind", "Usable", "Calls right", "Waits for a response"),
            [_program(program) for program in programs],
        ),
        "\n### Calls that are not right\n\n",
        _table(
            ("Program", "Call", "Why"), [row for program in programs for row in _wrong(program)]
        ),
        "\n### Notes\n\n",
        "".join(
            f"* **{program.recording.name}**: {program.recording.note}\n"
            for program in programs
            if program.recording.note
        ),
        WEBSITE,
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
