"""
Event records: actions of the audit log with their sequence number in the hash chain.

There is one log. An action is written with its change, the chain numbers it without gaps, and
that number is the event's id: a listener that has seen N has seen all matching events up to
N, and resumes after N. The one gap is before the restore of a backup: the numbers that were
given after the backup are never given again.
"""

from typing import LiteralString, TypeVar
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.db.queries import single_flight
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.ledger.audit_log import Entry, UnknownKind
from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from gamekeeper.users.records import without_emails

E = TypeVar("E", bound=Entry)

LARGEST_PAGE = 1000


class EventEntry(Entry, frozen=True, kw_only=True):
    """An action as it was when it was done: `UndoneBy` is null, an undo is an event of its own."""

    seq: int
    """The event's id: by one more than that of the event before it."""


class EventEntries(Record, frozen=True):
    """Events, oldest first."""

    values: list[EventEntry]
    next: int
    """The `after` of the next page."""


class EventFilter(Struct, frozen=True, kw_only=True):
    """Filter on events; None: any value."""

    kinds: frozenset[str] | None = None
    player_id: UUID | None = None
    server_id: UUID | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether `next_place` can tell what matches."""
        return self.kinds is not None or self.player_id is not None

    def includes(self, event: "FeedEvent") -> bool:
        """Whether the event matches; a filter by server needs `Feed.after(placed=True)`."""
        entry = event.entry
        return (
            (self.kinds is None or entry.kind in self.kinds)
            and (self.player_id is None or entry.player_id == self.player_id)
            and (self.server_id is None or event.is_for_all or self.server_id in event.servers)
        )


def kinds(text: str | None) -> frozenset[str] | None:
    """Parse a comma-separated list of kinds; None, for all, if it is empty."""
    if not text:
        return None
    named = frozenset(kind.strip().lower() for kind in text.split(","))
    if unknown := sorted(named - ACTION_KINDS.keys()):
        raise UnknownKind(
            f"The event kind '{unknown[0]}' does not exist. "
            f"Choose one of: {', '.join(sorted(ACTION_KINDS))}."
        )
    return named


class EventView(Struct, frozen=True, kw_only=True):
    """What a listener may see of an event, and asked for."""

    emails: bool
    names: bool = False
    accounts: bool = False
    """With `names`: whether also those of accounts."""


class FeedEvent:
    """An event in memory, serialized once for all listeners."""

    __slots__ = ("_frame", "_json", "entry", "is_placed", "names", "servers")

    def __init__(self, entry: EventEntry) -> None:
        self.entry = entry
        self.servers = _addressed(entry)
        """Where its character, or its account's characters, were some time after the commit."""
        self.is_placed = entry.player_id is None and self.account is None
        self.names: EntryNames | None = None
        """Of the whole batch it was named with; None until somebody asks for names."""
        # Without and with personal information.
        self._json = [b"", b""]
        self._frame = [b"", b""]

    @property
    def account(self) -> UUID | None:
        """The account, if the servers of all its characters must know."""
        entry = self.entry
        return entry.user_id if entry.player_id is None and _concerns_servers(entry) else None

    @property
    def is_for_all(self) -> bool:
        """Whether every server must know: a variable of the game was set, or set back."""
        entry = self.entry
        return entry.player_id is None and entry.user_id is None and _concerns_servers(entry)

    @property
    def seq(self) -> int:
        return self.entry.seq

    def json(self, *, emails: bool) -> bytes:
        """The event as JSON; without `emails`, personal information is redacted."""
        if not self._json[emails]:
            self._json[emails] = msgspec.json.encode(redacted(self.entry, emails=emails))
        return self._json[emails]

    def frame(self, *, emails: bool) -> bytes:
        """The same as a server-sent event."""
        if not self._frame[emails]:
            self._frame[emails] = self._framed(self.json(emails=emails))
        return self._frame[emails]

    def seen_frame(self, view: EventView) -> bytes:
        """As a listener sees it; names need `Feed.after(named=True)`, and are not cached here."""
        if not view.names:
            return self.frame(emails=view.emails)
        assert self.names is not None
        entry = redacted(self.entry, emails=view.emails)
        entry = self.names.beside(entry, accounts=view.accounts)
        return self._framed(msgspec.json.encode(entry))

    def _framed(self, data: bytes) -> bytes:
        about = (self.entry.seq, self.entry.kind.encode(), data)
        return b"id: %d\nevent: %s\ndata: %s\n\n" % about


def _addressed(entry: EventEntry) -> frozenset[UUID]:
    """The server that a command was sent to, so that its stream has it."""
    if entry.kind != "commands.send" or entry.player_id or not isinstance(entry.after, dict):
        return frozenset()
    return frozenset({UUID(entry.after["server_id"])})


def _concerns_servers(entry: EventEntry) -> bool:
    """Whether more servers must know than that of one character."""
    kind = ACTION_KINDS.get(entry.kind)
    if kind and kind.concerns_servers:
        return True
    # A variable that an undo set back, but not one of a guild. Of what else it undid, nothing
    # concerns servers.
    about = entry.after
    if entry.kind != "undo" or not isinstance(about, dict) or "guild_id" in about:
        return False
    return "variable_id" in about


def redacted(entry: E, *, emails: bool) -> E:
    """The action; without `emails`, personal information is redacted."""
    if emails:
        return entry
    return structs.replace(
        entry,
        before=without_emails(entry.before),
        after=without_emails(entry.after),
        address=None,
    )


async def page(reader: Reader, after: int, limit: int) -> list[FeedEvent]:
    """The next events, unfiltered."""
    return [FeedEvent(entry) for entry in await reader.all(EventEntry, PAGE, after, limit)]


# LATERAL finds each action by its key in the partition that its link names; with another join
# PostgreSQL would read whole partitions.
PAGE: LiteralString = """
    SELECT link.seq, action.*
      FROM (SELECT seq, action_id, action_at FROM chain WHERE seq > $1 ORDER BY seq LIMIT $2)
           AS link
     CROSS JOIN LATERAL (
               SELECT id, at, kind, actor, actor_name, player_id, user_id, item_id, before, after,
                      reason, request_id, address, undoes, approved_by, approved_by_name
                 FROM actions
                WHERE actions.id = link.action_id AND actions.at = link.action_at
                LIMIT 1
           ) AS action
     ORDER BY link.seq
"""


@single_flight
async def next_place(reader: Reader, wanted: EventFilter, after: int, most: int) -> int:
    """
    The id before the next event of the wanted kinds and character.

    At most `most` events are searched; if none of them matches, it is the id of the last.
    """
    kinds = None if wanted.kinds is None else sorted(wanted.kinds)
    place = await reader.lookups.value(NEXT_PLACE, after, most, kinds, wanted.player_id)
    return after if place is None else place


# In one statement: two could be answered by different replicas, and the one behind would lack
# events up to where the other searched.
NEXT_PLACE: LiteralString = """
    SELECT coalesce(
        (SELECT link.seq - 1
           FROM (SELECT seq, action_id, action_at FROM chain WHERE seq > $1 ORDER BY seq LIMIT $2)
                AS link
          CROSS JOIN LATERAL (
                    SELECT FROM actions
                     WHERE actions.id = link.action_id AND actions.at = link.action_at
                       AND ($3::text[] IS NULL OR kind = ANY($3))
                       AND ($4::uuid IS NULL OR player_id = $4)
                     LIMIT 1
                ) AS action
          ORDER BY link.seq
          LIMIT 1),
        (SELECT max(seq)
           FROM (SELECT seq FROM chain WHERE seq > $1 ORDER BY seq LIMIT $2) AS searched))
"""


@single_flight
async def newest(reader: Reader) -> int:
    """The number of the last event; 0 before the first. Concurrent callers share one query."""
    return await reader.value("SELECT coalesce(max(seq), 0) FROM chain")
