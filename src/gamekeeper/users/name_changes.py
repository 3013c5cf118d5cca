"""Rename accounts: in the tables of unique names and in the ordering by name."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Invalid, Problem
from gamekeeper.core.names import fold, look
from gamekeeper.db import unique_names
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.db.paging.orderings import USERS, added, by_name, record_deltas, removed
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import accounts, ranks, records, skeletons
from gamekeeper.users.accounts import CLAIM_NAME, InvalidUsername
from gamekeeper.users.lookup import lock_keys
from gamekeeper.users.play_time import with_play_time
from gamekeeper.users.ranks import Management
from gamekeeper.users.records import User


class UsernameTaken(Invalid):
    """Name already taken."""


class UserRenaming(Command, frozen=True, kw_only=True):
    user: str
    name: str
    staff: bool = False
    """Whether the name may be a reserved word that suggests staff."""
    manager: Principal | None = None
    """The caller; None: the command line."""
    sees_emails: bool = False


@operation
async def rename(writer: Writer, orders: Sequence[UserRenaming]) -> list[User | Problem]:
    """Rename accounts in list order; each order sees the result of the one before."""
    users = await lock_keys(writer, [order.user for order in orders])
    outranked = await ranks.refusals(
        writer,
        [Management(order.manager, user) for order, user in zip(orders, users, strict=True)],
    )
    outcomes: list[User | Problem] = []
    for order, user, above in zip(orders, users, outranked, strict=True):
        if user is None:
            outcomes.append(accounts.missing(order.user))
        else:
            refusal = above or await _rename(writer, order, user)
            outcomes.append(refusal or await _shown(writer, order, user))
    return outcomes


async def _shown(writer: Writer, order: UserRenaming, user: UUID) -> User:
    rows = await writer.rows(f"SELECT {records.COLUMNS} FROM users WHERE id = $1", user)
    [shown] = await with_play_time(writer, rows, sees_emails=order.sees_emails)
    return shown


async def _rename(writer: Writer, order: UserRenaming, user: UUID) -> Problem | None:
    """Rename one account; returns the refusal, if there is one."""
    try:
        accounts.check_name(order.name, staff=order.staff)
    except InvalidUsername:
        # The sentence that Intersect's clients know.
        return InvalidUsername("Invalid name.")
    former: str = await writer.value("SELECT name FROM users WHERE id = $1", user)
    if former == order.name:
        return None
    if not await _claim(writer, user, former, order.name):
        return UsernameTaken()
    await writer.run(
        "UPDATE users SET name = $2, name_key = $3 WHERE id = $1",
        user,
        order.name,
        fold(order.name),
    )
    await record_deltas(writer, [removed(USERS, by_name(fold(former), user))])
    await record_deltas(writer, [added(USERS, by_name(fold(order.name), user))])
    action = Action(
        kind="users.rename",
        by=order.by,
        user_id=user,
        before={"name": former},
        after={"name": order.name},
    )
    await actions.record(writer, [action])
    return None


async def _claim(writer: Writer, user: UUID, former: str, name: str) -> bool:
    """Claim the new name and its skeleton, and release the former; False if one is not free."""
    is_new_key, is_new_look = fold(former) != fold(name), look(former) != look(name)
    if is_new_key and not await unique_names.claim(writer, CLAIM_NAME, [fold(name)], [user]):
        return False
    if is_new_look and not await skeletons.claim(writer, [name], [user]):
        await _release_key(writer, user, name)
        return False
    if is_new_key:
        await _release_key(writer, user, former)
    if is_new_look:
        await skeletons.release(writer, [former], [user])
    return True


async def _release_key(writer: Writer, user: UUID, name: str) -> None:
    await writer.run(
        "DELETE FROM user_names WHERE name_key = $1 AND user_id = $2", fold(name), user
    )
