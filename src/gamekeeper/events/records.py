"""
Events: actions with the number that the chain gave them.

There is one log. An action is written with its change, the chain numbers it without
gaps, and that number is the event's id: who has seen N has seen all up to N that pass
the filter, and asks for what comes after it.
"""

from typing import LiteralString, TypeVar, get_args
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from gamekeeper.core.errors import Invalid
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.ledger.actions import Kind
from gamekeeper.ledger.audit_log import Entry
from gamekeeper.users.records import without_emails

E = TypeVar("E", bound=Entry)

LARGEST_PAGE = 1000
KINDS = frozenset(get_args(Kind))


class EventEntry(Entry, frozen=True, kw_only=True):
    """An action as an event: with its number, and as it was when it was done."""

    seq: int


class EventEntries(Record, frozen=True):
    values: list[EventEntry]
    next: int


class EventFilter(Struct, frozen=True, kw_only=True):
    """Which events somebody wants to hear of; None: any."""

    kinds: frozenset[str] | None = None
    player_id: UUID | None = None
    server_id: UUID | None = None

    def includes(self, event: "FeedEvent") -> bool:
        """Whether it is wanted; if by server, its place must be known: Feed.after."""
        entry = event.entry
        return (
            (self.kinds is None or entry.kind in self.kinds)
            and (self.player_id is None or entry.player_id == self.player_id)
            and (self.server_id is None or event.server_id == self.server_id)
        )


class UnknownKind(Invalid):
    """There are no events of that kind."""


def kinds(text: str | None) -> frozenset[str] | None:
    """The kinds in a list with commas; None, for all, if it names none."""
    if not text:
        return None
    named = frozenset(kind.strip().lower() for kind in text.split(","))
    if unknown := sorted(named - KINDS):
        raise UnknownKind(
            f"There are no events of the kind '{unknown[0]}'. "
            f"There are: {', '.join(sorted(KINDS))}."
        )
    return named


class FeedEvent:
    """An event in memory, written down once for all who are told of it."""

    __slots__ = ("_frame", "_json", "entry", "is_placed", "server_id")

    def __init__(self, entry: EventEntry) -> None:
        self.entry = entry
        self.server_id: UUID | None = None
        """Where its character was, some time after it was done; not known before `is_placed`."""
        self.is_placed = entry.player_id is None
        # Masked, and in full.
        self._json = [b"", b""]
        self._frame = [b"", b""]

    @property
    def seq(self) -> int:
        return self.entry.seq

    def json(self, *, emails: bool) -> bytes:
        """As one who may see personal information is told of it, or as the others are."""
        if not self._json[emails]:
            self._json[emails] = msgspec.json.encode(redacted(self.entry, emails=emails))
        return self._json[emails]

    def frame(self, *, emails: bool) -> bytes:
        """The same as a server-sent event."""
        if not self._frame[emails]:
            self._frame[emails] = b"id: %d\nevent: %s\ndata: %s\n\n" % (
                self.entry.seq,
                self.entry.kind.encode(),
                self.json(emails=emails),
            )
        return self._frame[emails]


def redacted(entry: E, *, emails: bool) -> E:
    """An action as one who may see personal information is told of it, or as the others are."""
    if emails:
        return entry
    return structs.replace(
        entry,
        before=without_emails(entry.before),
        after=without_emails(entry.after),
        address=None,
    )


async def page(reader: Reader, after: int, limit: int) -> list[FeedEvent]:
    """The next events, whatever they are about."""
    return [FeedEvent(entry) for entry in await reader.all(EventEntry, PAGE, after, limit)]


# Each action is found by its key in the month that its link names; joined any other way
# PostgreSQL would read whole months.
PAGE: LiteralString = """
    SELECT link.seq, action.*
      FROM (SELECT seq, action_id, action_at FROM chain WHERE seq > $1 ORDER BY seq LIMIT $2)
           AS link
     CROSS JOIN LATERAL (
               SELECT id, at, kind, actor, actor_name, player_id, user_id, item_id, before, after,
                      reason, request_id, address, undoes
                 FROM actions
                WHERE actions.id = link.action_id AND actions.at = link.action_at
                LIMIT 1
           ) AS action
     ORDER BY link.seq
"""


@single_flight
async def newest(reader: Reader) -> int:
    """The number of the last event; 0 before the first. Read once for all who wait for it."""
    return await reader.value("SELECT coalesce(max(seq), 0) FROM chain")
