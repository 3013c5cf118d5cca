"""Text and examples for the OpenAPI document: what was done, when and by whom, for consoles."""

from datetime import UTC, date, datetime

from gamekeeper.api.openapi_text.examples import GIFT, PLAYER, POTION, SIGN_IN
from gamekeeper.api.openapi_text.fields import FIELDS
from gamekeeper.history.moments import Moment, Moments
from gamekeeper.http.openapi import Example
from gamekeeper.ledger.economy.movements import ItemMovement, ItemMovements
from gamekeeper.servers.played_days import PlayedDay, PlayedDays
from gamekeeper.users.sign_ins import SignInRecord, SignIns

AT = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)

EXPORTED = ("actor", "player", "user", "kind", "item", "reason", "from", "to")

ACTIVITY_FIELDS = {
    **{f"ActionExport.{name}": FIELDS[f"ActionFilters.{name}"] for name in EXPORTED},
    "SignInPaging.cursor": FIELDS["ActionFilters.cursor"],
    "SignInPaging.limit": FIELDS["ActionFilters.limit"],
    "SignIns.Next": FIELDS["Entries.Next"],
    "SignInRecord.Kind": "`session`: with a browser; `token`: by `/api/oauth/token`.",
    "SignInRecord.Id": "Of the session, or the `token_id` that came with the tokens.",
    "SignInRecord.Method": "`password`, `totp`, `passkey` or `recovery`.",
    "SignInRecord.Address": "Where the browser called from; null for tokens, and for callers "
    "without `users.personal`.",
    "SignInRecord.UserAgent": "The browser's own words; null for tokens.",
    "SignInRecord.IsShared": "Whether later ones for tokens by the same client count as this one.",
    "SignInRecord.ExpiresAt": "When its tokens expire; null for a browser.",
    "SignInRecord.EndedAt": "When somebody ended it; null if nobody did.",
    "SessionDays.to": "The last day is the one of this instant in UTC; by default today.",
    "SessionDays.days": "How many days, 1 to 366; out of range, the nearest is taken.",
    "PlayedDays.From": "The first day of those asked for.",
    "PlayedDays.To": "The last day.",
    "PlayedDays.Values": "The days on which the character played, oldest first; others are left "
    "out.",
    "PlayedDay.Sessions": "How many sessions were under way on that day.",
    "MomentsBetween.from": FIELDS["ActionFilters.from"],
    "MomentsBetween.to": FIELDS["ActionFilters.to"],
    "Moments.Values": "The newest 500 of the time asked for, oldest first.",
    "Moments.IsComplete": "Whether these are all; otherwise narrow the time.",
    "Moment.Kind": FIELDS["Entry.Kind"],
    "ServerCurve": "How many were on one game server.",
    "ServerCurve.ServerId": "Null: all servers together but the twenty with most players.",
    "ServerCurve.ServerName": "Null if there is no such server any more.",
    "ServerCurve.Averages": "One for each of the `Values` of the whole game, in their order.",
    "LargestOfDays.days": "How many days, 1 to 92, including today.",
    "LargestOfDays.limit": FIELDS["ActionFilters.limit"],
    "ItemMovements.Since": "The first of the days, in UTC.",
    "ItemMovements.Values": "The largest first.",
    "ItemMovement.Quantity": "How many came to the character in all; negative if they went.",
    "ItemMovement.Source": "Where from or to, as in the flows of an item: `grant`, `removal`, "
    "`move` (from or to another character), `undo` and so on.",
    "ItemMovement.PlayerName": "Null if the character was deleted.",
    "ItemMovement.Kind": FIELDS["Entry.Kind"],
}

OPTIONAL_CURVES = {
    "OnlineHistory.Servers": "With `servers`: the twenty servers with most players, then all "
    "others together. Stacked they are the curve of the game.",
}

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
