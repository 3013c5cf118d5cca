"""Text and examples for the OpenAPI document: what was done, when and by whom, for consoles."""

from datetime import UTC, date, datetime

from gamekeeper.api.openapi_text.examples import GIFT, PLAYER, POTION, SIGN_IN
from gamekeeper.history.moments import Moment, Moments
from gamekeeper.http.openapi import Example
from gamekeeper.ledger.economy.movements import ItemMovement, ItemMovements
from gamekeeper.servers.played_days import PlayedDay, PlayedDays
from gamekeeper.users.sign_ins import SignInRecord, SignIns

AT = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)


ACTIVITY_EXAMPLES: dict[str, Example] = {
    "list_sign_ins": Example(
        answer=SignIns(
            values=[
                SignInRecord(
                    kind="session",
                    id=SIGN_IN,
                    at=AT,
                    method="totp",
                    address="203.0.113.9",
                    user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0",
                )
            ],
            next=None,
        )
    ),
    "list_moments": Example(
        answer=Moments(values=[Moment(at=AT, kind="items.give", action_id=GIFT)], is_complete=True)
    ),
    "list_item_movements": Example(
        answer=ItemMovements(
            item_id=POTION,
            item_name="Health Potion",
            since=date(2026, 3, 8),
            values=[
                ItemMovement(
                    at=AT,
                    quantity=5000,
                    source="grant",
                    player_id=PLAYER.id,
                    player_name=PLAYER.name,
                    action_id=GIFT,
                    kind="items.give",
                )
            ],
        )
    ),
    "list_session_days": Example(
        answer=PlayedDays(
            from_=date(2025, 3, 15),
            to=AT.date(),
            values=[PlayedDay(day=AT.date(), seconds=5400, sessions=2)],
        )
    ),
}
