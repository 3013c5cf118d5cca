"""Appeal endpoints: for players by the code of a sanction, for staff the queue and decisions."""

from gamekeeper.api.path_parameters import AppealId
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import TooManyRequests
from gamekeeper.core.schemas import Body, Page, Paging
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.load_shedding import LOW
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Routes
from gamekeeper.moderation import appeal_queue, appeals
from gamekeeper.moderation.appeal_queue import Appeal
from gamekeeper.moderation.appeals import AppealState, AppealStatus
from gamekeeper.users.ranks import Outranked

routes = Routes("/api/v1/appeals")
public = Routes("/api/v1/appeals", roles=None)

READ = "sanctions.read"
MANAGE = "sanctions.manage"


class SubmitAppeal(Body, frozen=True):
    code: str
    """
    The code shown to the player, `XXXX-XXXX`; in any letter case, with or without the
    hyphen.
    """
    text: str
    """The player's statement, 1 to 4000 characters; visible only to staff."""


@public.post(
    "",
    raises=(
        appeals.InvalidAppeal,
        appeals.UnknownSanctionCode,
        appeals.SanctionOver,
        appeals.AppealPending,
        appeals.NoAppealsLeft,
        TooManyRequests,
    ),
)
async def submit_appeal(database: Database, by: AuditContext, body: SubmitAppeal) -> AppealStatus:
    """Appeal a sanction by its code. Needs no account: a banned player cannot sign in."""
    return await appeals.appeal(database, body.code, body.text, by)


class FindAppealStatus(Body, frozen=True):
    code: str
    """
    The code shown to the player, `XXXX-XXXX`; in any letter case, with or without the
    hyphen.
    """


@public.post("/status", raises=(appeals.UnknownSanctionCode, TooManyRequests))
async def find_appeal_status(
    database: Database, request: Request, body: FindAppealStatus
) -> AppealStatus:
    """
    What the player may know of a sanction, by its code, and what was answered.

    A POST, because a code in a URL would be in logs and histories.
    """
    return await appeals.find_status(database, body.code, request.address)


class AppealQuery(Paging, frozen=True):
    state: AppealState | None = None
    """
    Only these: `open`, `lifted`, `kept`, or `closed` because the sanction ended before
    a decision.
    """


@routes.get("", READ, priority=LOW)
async def list_appeals(reader: Reader, caller: Principal, query: AppealQuery) -> Page[Appeal]:
    """The queue of appeals: open ones first, the oldest first; then the others, newest first."""
    return await appeal_queue.list_appeals(reader, query.state, query.window, caller)


@routes.get("/{id}", READ, raises=(appeal_queue.AppealNotFound,))
async def get_appeal(
    reader: Reader,
    caller: Principal,
    id: AppealId,  # noqa: A002
) -> Appeal:
    """One appeal, by its id."""
    return await appeal_queue.find_appeal(reader, id, caller)


class DecideAppeal(Body, frozen=True):
    lift: bool
    """Whether to lift the sanction, in the same transaction; otherwise it is kept."""
    answer: str
    """The answer to the player, 1 to 2000 characters."""
    # Read by `AuditContext`, as the reason of every change.
    reason: str | None = None
    """The reason, only for staff: hidden from the player and the audit log."""


@routes.post(
    "/{id}/decide",
    MANAGE,
    raises=(
        appeal_queue.InvalidAnswer,
        appeal_queue.AppealNotFound,
        appeal_queue.AppealDecided,
        appeal_queue.AppealClosed,
        appeal_queue.OwnAppeal,
        Outranked,
    ),
)
async def decide_appeal(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: AppealId,  # noqa: A002
    body: DecideAppeal,
) -> Appeal:
    """
    Lift or keep the sanction, with an answer to the player. An appeal is decided once.

    Without `sanctions.read` the answer has neither the player's text nor the sanction's reason
    and evidence.
    """
    order = appeal_queue.AppealDecision(
        by=by,
        appeal_id=id,
        lift=body.lift,
        answer=appeal_queue.check_answer(body.answer),
        caller=caller,
    )
    return await appeal_queue.decide.one(database, order)
