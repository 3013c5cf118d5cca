"""Examples of errors for the OpenAPI document, where the message contains details."""

from gamekeeper.api.openapi_text.examples import GIFT, IN_THE_WAY, UNDO
from gamekeeper.api.openapi_text.webhooks import HOOK
from gamekeeper.auth.authorisation import EnrolmentRequired, SecondFactorRequired
from gamekeeper.catalog.variables import WrongVariableType
from gamekeeper.core.errors import (
    BodyTooFragmented,
    BodyTooSlow,
    MethodNotAllowed,
    Problem,
    RateLimitExceeded,
    RoleRequired,
    RouteNotFound,
    TooManyRequests,
)
from gamekeeper.events.retention import EventsExpired, EventsUnknown
from gamekeeper.events.webhooks.records import WebhookNotFound
from gamekeeper.history.undo.execute import AlreadyUndone, NotUndoable, UndoConflict
from gamekeeper.http.cross_site import CrossSiteRequest
from gamekeeper.ledger.audit_log import ActionNotFound
from gamekeeper.ledger.kinds.registry import WHY_NOT
from gamekeeper.players.lookup import PlayerNotFound
from gamekeeper.players.rules import BagInsideBag, NotEnoughItems, SlotOccupied
from gamekeeper.servers.transactions import Stale, TradeLocked
from gamekeeper.users.accounts import UsernameTaken
from gamekeeper.users.common_passwords import GuessablePassword
from gamekeeper.users.emails import InvalidEmail
from gamekeeper.users.lookup import UserNotFound
from gamekeeper.users.passwords import InvalidPasswordHash

REFUSALS: dict[type[Problem], Problem] = {
    PlayerNotFound: PlayerNotFound("No player with name 'Ana Lyra'."),
    UserNotFound: UserNotFound("No user with name 'ana'."),
    UsernameTaken: UsernameTaken("Account already exists with username 'ana'."),
    InvalidEmail: InvalidEmail("Malformed email address 'ana@'."),
    ActionNotFound: ActionNotFound(f"No action with id '{GIFT}'."),
    EventsExpired: EventsExpired(None, oldest=64_180),
    EventsUnknown: EventsUnknown(None, newest=81_207),
    WebhookNotFound: WebhookNotFound(f"No webhook with id '{HOOK}'."),
    AlreadyUndone: AlreadyUndone(None, by=UNDO),
    NotUndoable: NotUndoable(WHY_NOT["users.password"], kind="users.password"),
    UndoConflict: UndoConflict(None, in_the_way=[IN_THE_WAY]),
    InvalidPasswordHash: InvalidPasswordHash(
        "'password' must be 64 hexadecimal digits.", field="password"
    ),
    GuessablePassword: GuessablePassword(None, field="password"),
    NotEnoughItems: NotEnoughItems(None, held=3),
    WrongVariableType: WrongVariableType("'Monsters Slain' takes an integer.", type="integer"),
    RoleRequired: RoleRequired("users.manage"),
    TooManyRequests: TooManyRequests(30),
    RateLimitExceeded: RateLimitExceeded(2, "list"),
}

UNLISTED: tuple[type[Problem], ...] = (
    # Of every operation that is called with the cookie of a browser session.
    CrossSiteRequest,
    SecondFactorRequired,
    EnrolmentRequired,
    # Of every operation but health checks.
    RateLimitExceeded,
    # Of no operation, or of the connection.
    RouteNotFound,
    MethodNotAllowed,
    BodyTooSlow,
    BodyTooFragmented,
    # The failures of a transaction that no other operation has.
    BagInsideBag,
    SlotOccupied,
    Stale,
    TradeLocked,
)
