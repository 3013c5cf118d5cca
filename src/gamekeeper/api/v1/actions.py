"""Audit log endpoints: who did what, to whom, when and why."""

from datetime import datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.callers import Callers
from gamekeeper.api.path_parameters import ActionId, TransactionId
from gamekeeper.api.v1 import action_csv
from gamekeeper.auth.principal import Principal
from gamekeeper.catalog.items import UnknownItem, find_items
from gamekeeper.core.errors import RoleRequired
from gamekeeper.core.schemas import Query
from gamekeeper.db.database import Reader
from gamekeeper.events.records import redacted
from gamekeeper.history.entry_items import with_items
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.history.transactions import TransactionRecord, find_transaction, with_names
from gamekeeper.http.exports import TooManyExports
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.responses import Response
from gamekeeper.http.routing import Routes
from gamekeeper.ledger import audit_log
from gamekeeper.ledger.audit_log import ActionNotFound, Entries, Entry, Filters, UnknownKind
from gamekeeper.ledger.transactions import TransactionNotFound
from gamekeeper.players.lookup import PlayerNotFound, find_player_id
from gamekeeper.users import actors
from gamekeeper.users.actors import UnknownActor
from gamekeeper.users.lookup import UserNotFound, find_user_id

routes = Routes("/api/v1/actions")
transactions = Routes("/api/v1/transactions")

READ = "actions.read"


class ActionExport(Query, frozen=True):
    actor: str | None = None
    """
    Only actions of this actor: `key:<id>`, `user:<id>`, `cli:<name>` or `system`; or a name,
    for every account, key and command-line user with this name.
    """
    player: str | None = None
    """Only actions on this character: its name or id."""
    user: str | None = None
    """Only actions on this account: its name or id."""
    kind: str | None = None
    """Only actions of this kind, for example `items.give`."""
    item: UUID | None = None
    """Only actions with this item: its id."""
    reason: str | None = None
    """Only actions whose reason contains this, case-insensitive; at most 100 characters."""
    from_: datetime | None = None
    """Only actions at this instant or later, for example `2026-03-14T18:00:00Z`."""
    to: datetime | None = None
    """Only actions at this instant or earlier."""


class ActionFilters(ActionExport, frozen=True):
    cursor: str | None = None
    """The cursor of the next page: `Next` of the previous response."""
    limit: int = 50
    """The page size, 1 to 100; values out of range are clamped."""
    names: bool = False
    """
    Whether to show names beside the ids of items and characters, and of accounts for callers
    with the scope `users.query`.
    """
    items: bool = False
    """Whether to include the items that each action gave or took, as `Items`."""


NOT_FILTERS = (PlayerNotFound, UserNotFound, UnknownActor, UnknownKind, UnknownItem)


@routes.get("", READ, raises=NOT_FILTERS, priority=LOW)
async def list_actions(reader: Reader, caller: Principal, query: ActionFilters) -> Entries:
    """
    The audit log, newest first.

    With `reason`, a page searches at most 20,000 actions, so it may have few results or none
    and still a `Next`. `SearchedTo` is the time of the last action searched.
    """
    wanted = await _filters(reader, caller, query)
    entries = await audit_log.list_actions_of_any(reader, wanted, query.cursor, query.limit)
    seen = [redacted(entry, emails=caller.sees_emails) for entry in entries.values]
    if query.items:
        seen = await with_items(reader, seen)
    if query.names:
        moved = [item.item_id for entry in seen for item in entry.items or ()]
        known = await EntryNames.of(reader, seen, moved)
        seen = [known.beside(entry, accounts=caller.sees_accounts) for entry in seen]
    return structs.replace(entries, values=seen)


@routes.get(
    "/export",
    READ,
    raises=(*NOT_FILTERS, TooManyExports),
    priority=LOW,
    media_type="text/csv",
)
async def export_actions(
    reader: Reader, callers: Callers, caller: Principal, request: Request, query: ActionExport
) -> Response:
    """
    The audit log as a CSV file with names, at most 100,000 rows, newest first.

    If there are more, the last row names the `to` of the next export. A cell that a
    spreadsheet would read as a formula starts with an apostrophe. Each caller can run one
    export at a time, and each serving process two.
    """
    wanted = await _filters(reader, caller, query)

    async def still() -> Principal:
        known = await callers.authenticate(request)
        if not known.may(READ):
            raise RoleRequired(READ)
        return known

    return Response(
        body=b"",
        content_type=action_csv.MEDIA_TYPE,
        headers=[("Content-Disposition", 'attachment; filename="actions.csv"')],
        stream=action_csv.lines(reader, wanted, still),
        is_export=True,
    )


async def _filters(reader: Reader, caller: Principal, query: ActionExport) -> list[Filters]:
    """What a query asks for; several, which exclude each other, if actors share a name."""
    filters = Filters(
        player_id=await audit_log.subject_id(reader, query.player or None, find_player_id),
        user_id=await audit_log.subject_id(reader, query.user or None, find_user_id),
        kind=audit_log.check_kind(query.kind),
        item_id=await _item(reader, query.item),
        reason=audit_log.check_reason(query.reason),
        since=query.from_,
        until=query.to,
    )
    if not query.actor:
        return [filters]
    found = await actors.find_actors(reader, query.actor, names_users=caller.sees_accounts)
    return [structs.replace(filters, actor=actor.actor, actor_name=actor.name) for actor in found]


async def _item(reader: Reader, item: UUID | None) -> UUID | None:
    """Refuse an item that never was; one that was removed from the catalog is in the log."""
    if item is None or await find_items(reader, [item]):
        return item
    if not (await audit_log.list_actions(reader, Filters(item_id=item), limit=1)).values:
        raise UnknownItem(f"There is no item with id '{item}'.")
    return item


class OneAction(Query, frozen=True):
    names: bool = False
    """
    Whether to show names beside the ids of items and characters, and of accounts for callers
    with the scope `users.query`.
    """


@routes.get("/{id}", READ, raises=(ActionNotFound,))
async def get_action(
    reader: Reader,
    caller: Principal,
    id: ActionId,  # noqa: A002
    query: OneAction,
) -> Entry:
    """One action, by its id."""
    entry = redacted(await audit_log.find_action(reader, id), emails=caller.sees_emails)
    if not query.names:
        return entry
    known = await EntryNames.of(reader, [entry])
    return known.beside(entry, accounts=caller.sees_accounts)


class OneTransaction(Query, frozen=True):
    names: bool = False
    """
    Whether to show names beside the ids of items and characters, and of accounts for callers
    with the scope `users.query`.
    """


@transactions.get("/{id}", READ, raises=(TransactionNotFound,), priority=LOW)
async def get_transaction(
    reader: Reader,
    caller: Principal,
    id: TransactionId,  # noqa: A002
    query: OneTransaction,
) -> TransactionRecord:
    """One transaction, by its id: every side of it, with the items that moved and their owners."""
    found = await find_transaction(reader, id)
    if query.names:
        found = await with_names(reader, found, accounts=caller.sees_accounts)
    seen = [redacted(event, emails=caller.sees_emails) for event in found.actions]
    return structs.replace(found, actions=seen)
