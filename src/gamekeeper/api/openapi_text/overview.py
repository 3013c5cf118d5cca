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
