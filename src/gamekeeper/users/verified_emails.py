"""
Verified email addresses: which accounts have proven that they receive mail at their address.

The proof is of one address. An account that gets another one is unverified until it proves that.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, LiteralString
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable, Reader, Writer
from gamekeeper.db.queries import batched_query

Method = Literal["mail", "reset", "staff", "import"]
"""The proof: a mailed link or code, a completed password reset, a member of staff, an import."""

IS_VERIFIED: LiteralString = """
    EXISTS (SELECT FROM verified_emails AS proof
             WHERE proof.user_id = users.id AND proof.email = users.email)
"""
"""A condition on a row of `users`."""


class Verification(Struct, frozen=True, kw_only=True):
    verified_at: datetime
    method: Method


@batched_query
async def verifications(reader: Reader, users: Sequence[UUID]) -> dict[UUID, Verification]:
    """When and how the accounts verified their addresses; of those that did."""
    rows = await reader.rows(
        """
        SELECT proof.user_id, proof.verified_at, proof.method
          FROM verified_emails AS proof JOIN users ON users.id = proof.user_id
         WHERE proof.user_id = ANY($1) AND proof.email = users.email
        """,
        list(users),
    )
    return {row[0]: Verification(verified_at=row[1], method=row[2]) for row in rows}


async def is_verified(reader: Queryable, user: UUID) -> bool:
    """Whether the account has proven its present address; false if there is no such account."""
    sql: LiteralString = f"SELECT {IS_VERIFIED} FROM users WHERE id = $1"
    return bool(await reader.value(sql, user))


async def record(writer: Writer, methods: Mapping[UUID, Method]) -> list[UUID]:
    """
    Store that the accounts proved their present addresses; return those for which that is new.

    A first reset is new even after another proof: only whoever resets has the password from then
    on, while a link can be clicked for a stranger who registered with this address.
    """
    rows = await writer.rows(
        """
        INSERT INTO verified_emails AS former (user_id, email, method)
        SELECT users.id, users.email, new.method
          FROM unnest($1::uuid[], $2::text[]) AS new (id, method) JOIN users USING (id)
         ORDER BY users.id
        ON CONFLICT (user_id) DO UPDATE
           SET email = excluded.email, method = excluded.method, verified_at = now()
         WHERE former.email <> excluded.email
            OR (excluded.method = 'reset' AND former.method <> 'reset')
        RETURNING user_id
        """,
        list(methods),
        list(methods.values()),
    )
    return [row["user_id"] for row in rows]


async def forget(writer: Writer, emails: Mapping[UUID, str]) -> None:
    """Delete the proofs of other addresses than these, which the accounts have now."""
    await writer.run(
        """
        DELETE FROM verified_emails AS proof
         USING unnest($1::uuid[], $2::text[]) AS new (user_id, email)
         WHERE proof.user_id = new.user_id AND proof.email <> new.email
        """,
        list(emails),
        list(emails.values()),
    )
