"""A transaction by its id: all its actions, on every side, with the items that moved."""

from datetime import datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Reader
from gamekeeper.history import timeline
from gamekeeper.history.entry_names import EntryNames
from gamekeeper.history.timeline import Event
from gamekeeper.ledger import audit_log
from gamekeeper.ledger import transactions as ledger
from gamekeeper.ledger.transactions import TransactionNotFound
from gamekeeper.players.lookup import Party, names_of, parties


class TransactionRecord(Record, frozen=True):
    """A transaction: its actor, time, reason and changes."""

    id: UUID
    at: datetime
    """RFC 3339."""
    actor: str
    actor_name: str
    reason: str | None
    players: list[Party]
    """The characters that it changed."""
    is_undone: bool
    """Whether it is completely undone."""
    actions: list[Event]
    """On every side, in the order in which they were recorded."""


async def find_transaction(reader: Reader, transaction: UUID) -> TransactionRecord:
    found = await ledger.members(reader, [transaction])
    if transaction not in found:
        raise TransactionNotFound(f"No transaction with id '{transaction}'.")
    entries = await audit_log.find_actions(reader, found[transaction])
    players = list(dict.fromkeys(entry.player_id for entry in entries if entry.player_id))
    names = await names_of(reader, players)
    first = entries[0]
    return TransactionRecord(
        id=transaction,
        at=first.at,
        actor=first.actor,
        actor_name=first.actor_name,
        reason=first.reason,
        players=parties(names, players),
        is_undone=all(entry.undone_by for entry in entries),
        actions=await timeline.with_postings(reader, entries),
    )


async def with_names(
    reader: Reader, found: TransactionRecord, *, accounts: bool
) -> TransactionRecord:
    """The same transaction, with names beside ids; those of accounts only with `accounts`."""
    items = timeline.moved_items(found.actions)
    names = await EntryNames.of(reader, found.actions, items)
    named = [names.beside(event, accounts=accounts) for event in found.actions]
    return structs.replace(
        found, actions=[timeline.with_moved_names(event, names.items) for event in named]
    )
