"""Examples for the OpenAPI document: game server operations."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.openapi_text.examples import ANA, PLAYERS, POTION
from gamekeeper.api.v1.servers import StoppedServer
from gamekeeper.api.v1.transactions import TransactionOutcome, TransactionOutcomes
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import Page, Window
from gamekeeper.http.openapi import Example
from gamekeeper.players.moves import InvalidMove
from gamekeeper.servers.leases import Lease, Server, ServerNotFound
from gamekeeper.servers.online_history import OnlineHistory, OnlineThen
from gamekeeper.servers.presence import Changed, Joined, Joining
from gamekeeper.servers.registration import ServerNameTaken
from gamekeeper.servers.sessions import Session, Sessions
from gamekeeper.servers.transactions import Done, Stood

# The first server of the world of `gamekeeper try`, whose lease never ends.
SERVER = UUID("1b63420f-6c31-4b98-b5bb-b5f9121d47ee")
NEW = UUID("7e9a0b2d-4c6e-4f80-9a1c-3d5e7f90b212")
FENCE = 0

LEASE = Lease(
    id=SERVER,
    name="Ravenmoor",
    fence=FENCE,
    lease_until=datetime(2026, 3, 14, 18, 22, 35, tzinfo=UTC),
    lease_seconds=30,
    heartbeat_seconds=10,
)
REGISTERED = structs.replace(LEASE, id=NEW, name="Southmere", fence=8)
SHOWN = Server(
    id=SERVER,
    name="Ravenmoor",
    alive=True,
    online=412,
    registered_at=datetime(2026, 3, 14, 6, 0, 2, tzinfo=UTC),
    lease_until=datetime(2026, 3, 14, 18, 22, 35, tzinfo=UTC),
)
COMING = {"fence": FENCE, "players": ["Ana Lyra", "Bo"]}

LOOT = {
    "transactions": [
        {
            "key": "ravenmoor-7-120933",
            "moves": [
                {"do": "items", "itemid": str(POTION), "quantity": 2, "to": "Ana Lyra"},
                {"do": "progress", "player": "Ana Lyra", "gain": 40},
            ],
            "reason": "wolf",
        }
    ],
}
LOOTED = TransactionOutcome(
    key="ravenmoor-7-120933",
    status=200,
    replayed=False,
    done=Done(
        id=UUID("019cede2-7a10-7b52-8e4f-6c8a0d2b4f11"), players=[Stood(player_id=ANA, seq=212)]
    ),
    failure=None,
)

SERVER_EXAMPLES = {
    "list_online_players": Example(answer=PLAYERS),
    "list_online_history": Example(
        answer=OnlineHistory(
            span="hour",
            values=[
                OnlineThen(
                    at=datetime(2026, 3, 14, 18, tzinfo=UTC),
                    average=388.25,
                    lowest=361,
                    highest=412,
                )
            ],
        )
    ),
    "list_sessions": Example(
        answer=Sessions(
            values=[
                Session(
                    server_id=SERVER,
                    server_name="Ravenmoor",
                    joined_at=datetime(2026, 3, 14, 17, 2, 11, tzinfo=UTC),
                    left_at=None,
                )
            ],
            next=None,
        )
    ),
    "list_servers": Example(answer=Page.of([SHOWN], 1, Window.of(0, 5))),
    "register_server": Example(body={"name": "Southmere", "id": str(NEW)}, answer=REGISTERED),
    "renew_lease": Example(body={"fence": FENCE}, answer=LEASE),
    "join_server": Example(
        body=COMING,
        answer=Joining(
            values=[Joined(player_id=ANA, seq=211, moved_from=None, restrictions=[])],
            unknown=["Bo"],
            refused=[],
        ),
    ),
    "leave_server": Example(body=COMING, answer=Changed(changed=1, not_here=["Bo"])),
    "visit_bank": Example(
        body={"fence": FENCE, "opened": ["Ana Lyra"], "closed": ["Bo"]},
        answer=Changed(changed=1, not_here=["Bo"]),
    ),
    "execute_transactions": Example(body=LOOT, answer=TransactionOutcomes(values=[LOOTED])),
    "stop_server": Example(body={"fence": FENCE}, answer=StoppedServer(id=SERVER, fence=FENCE)),
}

SERVER_REFUSALS: dict[type[Problem], Problem] = {
    ServerNotFound: ServerNotFound(f"No server with id '{SERVER}'."),
    InvalidMove: InvalidMove("That needs 'player'.", field="player"),
    ServerNameTaken: ServerNameTaken("Another server is named 'Ravenmoor'."),
}
