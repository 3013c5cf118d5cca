"""Descriptions and examples for the OpenAPI document: transactions read and undone."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import ANA, POTION
from gamekeeper.core.errors import Problem
from gamekeeper.history.timeline import Event, Posting
from gamekeeper.history.trail import Trail, TrailHolder, Transfer
from gamekeeper.history.transactions import TransactionRecord
from gamekeeper.history.undo.plan import Change
from gamekeeper.history.undo.transactions import UndoneAction, UndoneTransaction
from gamekeeper.http.openapi import Example
from gamekeeper.ledger.transactions import TransactionNotFound
from gamekeeper.players.lookup import ItemOwner, Party

TRADE = UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f11")
TRADE_UNDONE = UUID("019cf01a-3b20-7c63-9f50-7d9b1e3c5a12")
GIVEN, RECEIVED = (
    UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f12"),
    UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f13"),
)
BO = UUID("0c6a4f5e-8f0b-4d1c-9a77-3f2f6f9f1b21")
PARTIES = [Party(player_id=ANA, name="Ana Lyra"), Party(player_id=BO, name="Bo Reed")]
WHEN = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)


def _side(action: UUID, player: Party, other: Party, quantity: int) -> Event:
    named = {"player_id": str(other.player_id), "name": other.name}
    return Event(
        id=action,
        at=WHEN,
        kind="items.move",
        actor="key:2f4b6d80-3a5c-4e7f-8b1d-5c7e9a0b2d10",
        actor_name="northreach",
        player_id=player.player_id,
        user_id=None,
        item_id=POTION,
        before=None,
        after={"transaction": str(TRADE), "counterparties": [named]},
        reason="trade",
        request_id="9d1f3b5c7e9a0b2d4f6a8c0e1d3b5f70",
        address=None,
        undoes=None,
        postings=[
            Posting(
                seq=212,
                place="inventory",
                inside=None,
                slot=0,
                item_id=POTION,
                quantity=quantity,
                against="move",
                held_before=max(0, -quantity),
                held_after=max(0, quantity),
                stat_buffs=[0, 0, 0, 0, 0],
                bag_id=None,
                counterparties=[other],
            )
        ],
    )


SHOWN_TRADE = TransactionRecord(
    id=TRADE,
    at=WHEN,
    actor="key:2f4b6d80-3a5c-4e7f-8b1d-5c7e9a0b2d10",
    actor_name="northreach",
    reason="trade",
    players=PARTIES,
    is_undone=False,
    actions=[
        _side(GIVEN, PARTIES[0], PARTIES[1], -5),
        _side(RECEIVED, PARTIES[1], PARTIES[0], 5),
    ],
)


def _undone(action: UUID, player: Party, quantity: int) -> UndoneAction:
    back = Change(what="item", id=POTION, place="inventory", slot=0, quantity=quantity)
    return UndoneAction(
        id=UUID(int=TRADE_UNDONE.int + abs(quantity + 6)),
        undoes=action,
        kind="items.move",
        player_id=player.player_id,
        player_name=player.name,
        done=[back],
    )


UNDONE_TRADE = UndoneTransaction(
    id=TRADE_UNDONE,
    undoes=TRADE,
    dry_run=False,
    players=PARTIES,
    actions=[_undone(GIVEN, PARTIES[0], 5), _undone(RECEIVED, PARTIES[1], -5)],
)


TRAIL = Trail(
    is_exact=False,
    is_complete=True,
    transfers=[
        Transfer(
            at=WHEN,
            action_id=GIVEN,
            transaction_id=TRADE,
            quantity=5,
            stat_buffs=[0, 0, 0, 0, 0],
            giver=ItemOwner(player_id=ANA, guild_id=None, name="Ana Lyra"),
            receivers=[ItemOwner(player_id=BO, guild_id=None, name="Bo Reed")],
        )
    ],
    holders=[TrailHolder(player_id=BO, guild_id=None, name="Bo Reed", quantity=5)],
)

TRADE_EXAMPLES = {
    "follow_item": Example(answer=TRAIL),
    "follow_bag": Example(answer=structs.replace(TRAIL, is_exact=True)),
    "get_transaction": Example(answer=SHOWN_TRADE),
    "undo_transaction": Example(body={"dryrun": False, "reason": "a swindle"}, answer=UNDONE_TRADE),
}

TRADE_REFUSALS: dict[type[Problem], Problem] = {
    TransactionNotFound: TransactionNotFound(f"No transaction with id '{TRADE}'."),
}
