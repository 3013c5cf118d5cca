"""Text and examples for the OpenAPI document: the search for everything, and the overview."""

from datetime import UTC, datetime

from gamekeeper.api.openapi_text.examples import ACTION, PLAYER, POTION, USER
from gamekeeper.api.openapi_text.servers import NEW, SHOWN
from gamekeeper.http.openapi import Example
from gamekeeper.ledger.action_counts import ActionCount
from gamekeeper.ledger.verifications import ChainState
from gamekeeper.operations.overview.alerts import Alert
from gamekeeper.operations.overview.figures import (
    ActionHours,
    Newcomers,
    OnlineNow,
    OnlinePoint,
    ServersNow,
    SupplyChange,
    SupplyChanges,
)
from gamekeeper.operations.overview.game import PARTS, GameOverview
from gamekeeper.operations.overview.search import (
    FoundItem,
    FoundPlayer,
    FoundUser,
    SearchResult,
)

NAMED_PLAYER = FoundPlayer(
    id=PLAYER.id,
    name=PLAYER.name,
    level=PLAYER.level,
    class_name=PLAYER.class_name,
    user_id=PLAYER.user_id,
    online=PLAYER.online,
)

AT = datetime(2026, 3, 14, 18, 22, 5, tzinfo=UTC)
HOUR = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)

OVERVIEW = GameOverview(
    at=AT,
    shown=list(PARTS),
    online=OnlineNow(
        now=412, sampled_at=HOUR, curve=[OnlinePoint(at=HOUR, average=404.7, highest=415)]
    ),
    servers=ServersNow(alive=1, stopped=0, total=1, values=[SHOWN]),
    newcomers=Newcomers(accounts_day=31, accounts_week=188, characters_day=44, characters_week=260),
    actions=ActionHours(
        since=HOUR,
        counted_until=AT,
        values=[ActionCount(hour=HOUR, kind="items.give", count=1204)],
    ),
    supply=SupplyChanges(
        since=datetime(2026, 3, 13, tzinfo=UTC),
        values=[
            SupplyChange(item_id=POTION, item_name="Health Potion", came=900, went=250, change=650)
        ],
    ),
    staff_actions=[ACTION],
    chain=ChainState(
        verified_at=HOUR, verified_through=ACTION.id, verified_through_at=ACTION.at, breaches=0
    ),
    alerts=[
        Alert(
            code="lease_lost",
            message="The game server 'Southmere' lost its lease; its players are offline.",
            since=HOUR,
            target="server",
            target_id=NEW,
            target_name="Southmere",
        )
    ],
    pending_approvals=2,
)

OVERVIEW_FIELDS = {
    "GameOverview.At": "When it was read.",
    "GameOverview.Shown": "The parts that the caller may see: `online`, `servers`, `newcomers`, "
    "`actions`, `staff_actions`, `chain`, `supply`, `alerts`, `pending_approvals`. The "
    "others are empty.",
    "GameOverview.PendingApprovals": "How many requests wait for approval; null without "
    "`approvals`.",
    "GameOverview.StaffActions": "The last ten actions of staff and of the command line in 30 "
    "days, with names, newest first.",
    "GameOverview.Chain": "When `gamekeeper actions verify` last verified the hash chain of the "
    "audit log, and with which result.",
    "ChainState.VerifiedAt": "When; null: never.",
    "ChainState.VerifiedThrough": "The last action that was verified.",
    "ChainState.VerifiedThroughAt": "When that was done.",
    "ChainState.Breaches": "How many breaches were found; 0: the log was as it was written.",
    "OnlineNow.SampledAt": "When it was last sampled for the curve; null: never.",
    "OnlineNow.Curve": "The last 24 hours in steps of ten minutes, oldest first. Longer spans: "
    "`/players/online/history`.",
    "ServersNow.Stopped": "Servers that ended their lease themselves: they are not down.",
    "ServersNow.Values": "The first fifty by name.",
    "Newcomers.AccountsDay": "Of the last 24 whole hours and the one that goes on; null without "
    "`users.query`.",
    "Newcomers.AccountsWeek": "Of the last seven days; null without `users.query`.",
    "Newcomers.CharactersDay": "Of the last 24 whole hours and the one that goes on.",
    "Newcomers.CharactersWeek": "Of the last seven days.",
    "ActionHours.CountedUntil": "The time of the last action that was counted, some seconds ago; "
    "null: none yet. It is that of `Newcomers` too.",
    "ActionCount.Hour": "When the hour began.",
    "SupplyChanges.Since": "The beginning of yesterday in UTC.",
    "SupplyChanges.Values": "The ten items that changed most.",
    "Alert.Code": "`worker_stopped`, `chain_lagging`, `chain_unverified`, `chain_breached`, "
    "`webhook_failing`, `webhook_off` or `lease_lost`.",
    "Alert.Since": "Since when; null if that is not known.",
    "Alert.Target": "What it is about: `worker`, `chain`, `webhook` or `server`.",
    "Alert.TargetId": "Which webhook or server.",
    "Alert.TargetName": "The URL of the webhook, or the name of the server.",
    "SearchQuery.q": "A part of a name or, for callers that see emails, of an email; an id; the "
    "code of a sanction or its first half; the first 8 digits or more of an action's id. 2 to 64 "
    "characters, `lyra` for example.",
    "SearchResult.Searched": "The groups that the caller may see: `players`, `users`, `items`, "
    "`sanctions`, `actions`, `transactions`. The others are empty.",
    "FoundUser.Email": "Masked for callers that do not see emails.",
    "FoundSanction.InForce": "Whether it is in force now.",
    "FoundTransaction.Actions": "How many actions it consists of.",
}

OVERVIEW_EXAMPLES = {
    "get_overview": Example(answer=OVERVIEW),
    "search_everything": Example(
        answer=SearchResult(
            searched=["players", "users", "items", "sanctions", "actions", "transactions"],
            players=[NAMED_PLAYER],
            users=[FoundUser(id=USER.id, name=USER.name, email=USER.email)],
            items=[FoundItem(id=POTION, name="Health Potion", type="consumable")],
            sanctions=[],
            actions=[],
            transactions=[],
        )
    ),
}
