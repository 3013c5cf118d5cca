"""
Mails to the owners of accounts about identities that were linked or unlinked.

Whoever did it: a stranger who knows the password, staff, or the owner.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.core import ids
from gamekeeper.db import jobs
from gamekeeper.db.database import Reader, Writer

MAIL = "identity_mail"
MAILS_A_DAY = 10
"""For one account: the mailbox may belong to somebody else."""


class IdentityNotice(Struct, frozen=True, kw_only=True):
    """A link that was made or removed; also the job that mails it."""

    id: UUID
    user_id: UUID
    issuer: str
    is_linked: bool


class NoticeRecipient(Struct, frozen=True, kw_only=True):
    name: str
    email: str
    language: str | None


async def queue(writer: Writer, changed: Sequence[tuple[UUID, str]], *, is_linked: bool) -> None:
    """Enqueue mails about accounts and issuers, after the actions are recorded."""
    if writer.settings.smtp_url is None or not changed:
        return
    counts = await _changes_of_a_day(writer, [user for user, _ in changed])
    notices = [
        IdentityNotice(id=ids.new_id(), user_id=user, issuer=issuer, is_linked=is_linked)
        for user, issuer in changed
        if counts.get(user, 0) <= MAILS_A_DAY
    ]
    await jobs.enqueue(writer, MAIL, notices)


async def _changes_of_a_day(writer: Writer, users: Sequence[UUID]) -> Mapping[UUID, int]:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    # The bound of the ids keeps the walk of the index short, that of the time the partitions few.
    rows = await writer.rows(
        """
        SELECT user_id, count(*) AS changes FROM actions
         WHERE user_id = ANY($1) AND id > $2 AND at > $3
           AND kind IN ('identities.link', 'identities.unlink')
         GROUP BY user_id
        """,
        list(users),
        ids.id_at(ids.NIL, yesterday),
        yesterday,
    )
    return {row["user_id"]: row["changes"] for row in rows}


async def addressee(reader: Reader, notice: IdentityNotice) -> NoticeRecipient | None:
    """Return the recipient of a notice, or None if the account was erased."""
    return await reader.one(
        NoticeRecipient,
        "SELECT name, email, language FROM users WHERE id = $1",
        notice.user_id,
    )
