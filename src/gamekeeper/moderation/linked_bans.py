"""Bans of linked accounts: ordinary bans of an account and of those that are linked with it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.moderation import sanctions
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.sanctions.records import Sanction
from gamekeeper.users import linked, lookup
from gamekeeper.users.linked import MAX_LINKED

MAX_BANNED = MAX_LINKED + 1


class NotLinked(Invalid):
    """The account is not linked with this one. Ban it by itself."""


class LinkedBan(Command, frozen=True, kw_only=True):
    """A ban of an account and of accounts that are linked with it."""

    user_id: UUID
    users: Sequence[UUID]
    ends_at: datetime | None = None
    duration: timedelta | None = None
    reason: str = ""
    message: str = ""
    caller: Principal
    dry_run: bool = False


class LinkedBanOutcome(Record, frozen=True, kw_only=True):
    """The result for one account."""

    user_id: UUID
    user_name: str
    is_done: bool
    """Whether the account is banned by this call; in a dry run, whether it would be."""
    sanction_id: UUID | None
    """Null if it is refused, or in a dry run."""
    code: str | None
    """The code of the ban; null if it is refused, or in a dry run."""
    ends_at: Instant | None
    """The end of the ban; null: permanent, or refused."""
    refusal: str | None
    """The code of the error; null if it is done."""
    message: str
    """The text for the player, or why it is refused."""


class LinkedBanResult(Struct, frozen=True):
    outcomes: list[LinkedBanOutcome]


@operation
async def ban_linked(
    writer: Writer, commands: Sequence[LinkedBan]
) -> list[LinkedBanResult | Problem]:
    """Ban accounts that are linked with one; those that are refused do not stop the others."""
    return [LinkedBanResult(await _banned(writer, command)) for command in commands]


async def _banned(writer: Writer, command: LinkedBan) -> list[LinkedBanOutcome]:
    known = await linked.list_linked(writer, command.user_id, addresses=False)
    ours = {command.user_id, *(account.user_id for account in known.values)}
    users = list(dict.fromkeys(command.users))
    chosen = [user for user in users if user in ours]
    # Locked in the order of their ids, in one statement, as a single ban does.
    act = sanctions.preview if command.dry_run else sanctions.impose
    made = await act(writer, [_imposition(command, user) for user in chosen])
    outcomes: dict[UUID, Sanction | NewSanction | Problem] = dict(zip(chosen, made, strict=True))
    names = await lookup.names_of_users(writer, users)
    return [
        _outcome(user, names.get(user, ""), outcomes.get(user) or NotLinked()) for user in users
    ]


def _imposition(command: LinkedBan, user: UUID) -> Imposition:
    return Imposition(
        # The idempotency key belongs to the whole.
        by=structs.replace(command.by, key=None),
        user=str(user),
        kind="ban",
        ends_at=command.ends_at,
        duration=command.duration,
        reason=command.reason,
        message=command.message,
        # A second click must not ban everybody twice.
        once=True,
        caller=command.caller,
    )


def _outcome(user: UUID, name: str, outcome: Sanction | NewSanction | Problem) -> LinkedBanOutcome:
    is_refused = isinstance(outcome, Problem)
    is_made = isinstance(outcome, Sanction)
    return LinkedBanOutcome(
        user_id=user,
        user_name=name,
        is_done=not is_refused,
        sanction_id=outcome.id if is_made else None,
        code=outcome.code if is_made else None,
        ends_at=None if is_refused else outcome.ends_at,
        refusal=outcome.code if is_refused else None,
        message=str(outcome) if is_refused else outcome.message,
    )
