"""Email addresses: syntax validation, uniqueness by folded form, change of address."""

from collections.abc import Mapping, Sequence
from typing import LiteralString
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core import names
from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.core.names import fold
from gamekeeper.db import unique_names
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.users import email_verification, ranks, records, verified_emails
from gamekeeper.users.lookup import UserNotFound, lock_keys
from gamekeeper.users.ranks import Management

MAX_EMAIL_LENGTH = 254
MAX_LOCAL_PART_LENGTH = 64

CLAIM_EMAIL: LiteralString = """
    INSERT INTO user_emails (email_key, user_id)
    SELECT * FROM unnest($1::text[], $2::uuid[]) AS wanted (email_key, user_id)
     ORDER BY email_key
    ON CONFLICT DO NOTHING
    RETURNING user_id AS owner
"""


class InvalidEmail(Invalid):
    """The email address is not valid."""


class EmailTaken(Conflict):
    """Email address already in use."""


class NewEmail(Command, frozen=True, kw_only=True):
    user: str
    email: str
    manager: Principal | None = None
    """The caller that changes it without the password; None: the owner, or the command line."""


def normal(email: str) -> str:
    """Return the normalised address (domain in lower case), or raise InvalidEmail."""
    # Imported here: it takes a tenth of a second, and few commands need it.
    from email_validator import EmailNotValidError, validate_email

    try:
        if len(email) > MAX_EMAIL_LENGTH or len(email.rpartition("@")[0]) > MAX_LOCAL_PART_LENGTH:
            raise InvalidEmail("The email address is too long.")
        return validate_email(email, check_deliverability=False).normalized
    except EmailNotValidError:
        raise InvalidEmail(f"Malformed email address '{email}'.") from None


@operation
async def change(writer: Writer, orders: Sequence[NewEmail]) -> list[records.ChangedUser | Problem]:
    """Give users new addresses. `email` must be normalised already."""
    users = await lock_keys(writer, [order.user for order in orders])
    outranked = await ranks.refusals(
        writer,
        [
            Management(order.manager, user, takes_over=True)
            for order, user in zip(orders, users, strict=True)
        ],
    )
    # A caller that may not change the account must not learn which account has an address.
    allowed = [None if above else user for user, above in zip(users, outranked, strict=True)]
    owners = await _claim(writer, orders, allowed)
    refusals = [
        above or _refusal(order, user, owners)
        for order, user, above in zip(orders, users, outranked, strict=True)
    ]
    new = {
        user: order.email
        for order, user, refusal in zip(orders, users, refusals, strict=True)
        if user and not refusal
    }
    await _record(writer, orders, users, refusals)
    await _replace(writer, new)
    rows = await writer.rows(f"SELECT {records.COLUMNS} FROM users WHERE id = ANY($1)", list(new))
    now = {row["id"]: records.changed_user(row) for row in rows}
    return [
        refusal or now[user]
        for refusal, user in zip(refusals, users, strict=True)
        if refusal or user
    ]


async def _record(
    writer: Writer,
    orders: Sequence[NewEmail],
    users: Sequence[UUID | None],
    refusals: Sequence[Problem | None],
) -> None:
    """Record the actions, each with the address that the previous one left."""
    rows = await writer.rows(
        "SELECT id, email FROM users WHERE id = ANY($1)", [user for user in users if user]
    )
    email = {row["id"]: row["email"] for row in rows}
    done = []
    for order, user, refusal in zip(orders, users, refusals, strict=True):
        if user and not refusal:
            before = {"email": email[user]}
            after = {"email": order.email, **(actions.MANAGED if order.manager else {})}
            done.append(
                Action(kind="users.email", by=order.by, user_id=user, before=before, after=after)
            )
            email[user] = order.email
    await actions.record(writer, done)


def _refusal(order: NewEmail, user: UUID | None, owners: dict[str, UUID]) -> Problem | None:
    if user is None:
        return UserNotFound(names.missing("user", order.user))
    return None if owners[fold(order.email)] == user else EmailTaken()


async def _claim(
    writer: Writer, orders: Sequence[NewEmail], users: Sequence[UUID | None]
) -> dict[str, UUID]:
    """Claim the addresses as unique names; return the owner of each."""
    wanted: dict[str, UUID] = {}
    for order, user in zip(orders, users, strict=True):
        if user:
            wanted.setdefault(fold(order.email), user)
    await unique_names.claim(writer, CLAIM_EMAIL, list(wanted), list(wanted.values()))
    rows = await writer.rows(
        "SELECT email_key, user_id FROM user_emails WHERE email_key = ANY($1)", list(wanted)
    )
    return {row["email_key"]: row["user_id"] for row in rows}


async def _replace(writer: Writer, new: Mapping[UUID, str]) -> None:
    """Write the addresses that were free, and release those they replace."""
    await give_up_others(writer, new)
    await write(writer, new)


async def give_up_others(writer: Writer, emails: Mapping[UUID, str]) -> None:
    """Release all addresses of these users except the given ones."""
    await writer.run(
        "DELETE FROM user_emails WHERE user_id = ANY($1) AND email_key <> ALL($2)",
        list(emails),
        [fold(email) for email in emails.values()],
    )


async def write(writer: Writer, new: Mapping[UUID, str], *, mails: bool = True) -> None:
    """Write the addresses, which are claimed for these users already; mail both about it."""
    if mails:
        await email_verification.begin(writer, new)
    await writer.run(
        """
        UPDATE users SET email = new.email
          FROM unnest($1::uuid[], $2::text[]) AS new (id, email)
         WHERE users.id = ANY($1) AND users.id = new.id
        """,
        list(new),
        list(new.values()),
    )
    await verified_emails.forget(writer, new)
    await email_verification.void(writer, new)
    # A reset link in the old mailbox must stop working.
    await writer.run(
        "UPDATE password_resets SET used_at = now() WHERE user_id = ANY($1) AND used_at IS NULL",
        list(new),
    )
