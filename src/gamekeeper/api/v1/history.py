"""Character history endpoints: timeline, sessions, item changes, restore."""

from datetime import UTC, datetime
from typing import Literal

from msgspec import structs

from gamekeeper.api.path_parameters import BagId, ItemId, PlayerKey
from gamekeeper.approvals import requests
from gamekeeper.approvals.requests import BEYOND_LIMITS
from gamekeeper.auth.principal import Principal
from gamekeeper.core.schemas import Body, Query
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.records import redacted
from gamekeeper.history import moments, restore, timeline, trail
from gamekeeper.history.moments import Moments
from gamekeeper.history.restore import Restoration, Restored
from gamekeeper.history.restore_rules import HeldSlot
from gamekeeper.history.timeline import ItemChanges, Timeline
from gamekeeper.history.trail import Trail
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.routing import Routes
from gamekeeper.ledger.retention import AtTooOld
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.rules import BagNotFound, InventoryFull
from gamekeeper.servers import played_days, sessions
from gamekeeper.servers.played_days import PlayedDays
from gamekeeper.servers.sessions import Sessions

routes = Routes("/api/v1/players")


class Reading(Query, frozen=True):
    cursor: str | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""
    names: bool = False
    """Whether to show names beside the ids of items, spells and variables."""


# Needs actions.read: like the audit log, it shows actors and their addresses.
@routes.get(
    "/{key}/history", "players.read", "actions.read", raises=(PlayerNotFound,), priority=LOW
)
async def list_history(
    reader: Reader, caller: Principal, key: PlayerKey, query: Reading
) -> Timeline:
    """A character's timeline: all changes, newest first, with every item that moved."""
    page = await timeline.events(reader, key, query.cursor, query.limit)
    if query.names:
        page = await timeline.with_names(reader, page, accounts=caller.sees_accounts)
    seen = [redacted(event, emails=caller.sees_emails) for event in page.values]
    return structs.replace(page, values=seen)


class Played(Query, frozen=True):
    before: datetime | None = None
    """Only sessions that started before this instant."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""


@routes.get("/{key}/sessions", "players.read", raises=(PlayerNotFound,), priority=LOW)
async def list_sessions(reader: Reader, key: PlayerKey, query: Played) -> Sessions:
    """The sessions of a character with their servers, newest first."""
    return await sessions.played(reader, key, query.before, query.limit)


class SessionDays(Query, frozen=True):
    to: datetime | None = None
    """The last day is the one of this instant in UTC; by default today."""
    days: int = 365
    """The number of days, 1 to 366; values out of range are clamped."""


@routes.get("/{key}/sessions/days", "players.read", raises=(PlayerNotFound,), priority=LOW)
async def list_session_days(reader: Reader, key: PlayerKey, query: SessionDays) -> PlayedDays:
    """The play time of a character per day, in UTC, for at most a year."""
    last = (query.to or datetime.now(UTC)).astimezone(UTC).date()
    return await played_days.played_days(reader, key, last, query.days)


class Between(Query, frozen=True):
    from_: datetime
    """The first of the two instants, for example `2026-03-14T18:00:00Z`."""
    to: datetime | None = None
    """The second of the two instants; by default now."""
    names: bool = False
    """Whether to show names beside the ids of items, spells and variables."""


@routes.get("/{key}/items/changes", "players.read", raises=(PlayerNotFound, AtTooOld), priority=LOW)
async def list_item_changes(reader: Reader, key: PlayerKey, query: Between) -> ItemChanges:
    """The differences in a character's items between two instants, per item and place."""
    until = query.to or datetime.max.replace(tzinfo=UTC)
    found = await timeline.changes(reader, key, query.from_, until)
    return await timeline.with_item_names(reader, found) if query.names else found


class MomentsBetween(Query, frozen=True):
    from_: datetime | None = None
    """Only actions at this instant or later, for example `2026-03-14T18:00:00Z`."""
    to: datetime | None = None
    """Only actions at this instant or earlier."""


@routes.get("/{key}/moments", "players.read", raises=(PlayerNotFound,), priority=LOW)
async def list_moments(reader: Reader, key: PlayerKey, query: MomentsBetween) -> Moments:
    """The times a character changed, with the kinds and ids of the actions, oldest first."""
    return await moments.list_moments(reader, key, query.from_, query.to)


class TrailSince(Query, frozen=True):
    from_: datetime
    """The first instant, for example `2026-03-14T18:00:00Z`."""


# Needs actions.read: like the timeline, it shows who traded with whom.
@routes.get(
    "/{key}/items/{item_id}/trail",
    "players.read",
    "actions.read",
    raises=(PlayerNotFound, AtTooOld),
    priority=LOW,
)
async def follow_item(reader: Reader, key: PlayerKey, item_id: ItemId, query: TrailSince) -> Trail:
    """
    The recipients of an item that a character gave away since an instant, and later ones.

    Items are counted and have no identity: these are flows of the item, not the path of one
    piece.
    """
    return await trail.of_item(reader, key, item_id, query.from_)


@routes.get(
    "/bag/{bag_id}/trail", "players.read", "actions.read", raises=(BagNotFound,), priority=LOW
)
async def follow_bag(reader: Reader, bag_id: BagId) -> Trail:
    """The owners of a bag over time, and its current one; exact, because a bag has an id."""
    return await trail.of_bag(reader, bag_id)


class RestoreSlot(Body, frozen=True):
    place: Literal["inventory", "bank"]
    slot: int


class RestoreItems(Body, frozen=True):
    at: datetime
    """The instant to compare with, for example `2026-03-14T18:00:00Z`."""
    slots: list[RestoreSlot] | None = None
    """Only items that were in these slots; by default, in any slot. JSON bodies only."""
    dry_run: bool = False
    """Whether to only show what would be restored."""
    reason: str | None = None
    """The reason, for the audit log; you can send the header `X-Reason` instead."""


@routes.post(
    "/{key}/items/restore",
    "players.items",
    raises=(PlayerNotFound, InventoryFull, AtTooOld, *BEYOND_LIMITS),
)
async def restore_items(
    database: Database, by: AuditContext, key: PlayerKey, body: RestoreItems
) -> Restored:
    """
    Restore the items that a character held at an instant and has lost since, all or nothing.

    Items are never copied: an item that the character still has in any place, or has given to
    another, is not lost. Items return to their old slots if these are free, otherwise to where
    a gift would go. A bag returns empty, as it was when it was taken. A dry run shows what
    would be restored and changes nothing.
    """
    order = Restoration(
        by=by,
        player=key,
        at=body.at,
        spots=None
        if body.slots is None
        else frozenset(HeldSlot(slot.place, slot.slot) for slot in body.slots),
        dry_run=body.dry_run,
    )
    return await requests.carry_out(database, restore.restore, order)
