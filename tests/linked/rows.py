"""Devices and addresses of accounts, as rows, and sign-ins with them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from gamekeeper.auth import client_traces
from gamekeeper.auth.secrets import Vault
from gamekeeper.core import ids
from gamekeeper.db.database import Database
from gamekeeper.users.identities import links
from tests.make import sha

TABLES = {"device": "user_devices", "address": "user_addresses"}


def device_of(database: Database, device_id: str) -> UUID:
    return client_traces.device_hashes(Vault(database.settings), device_id)[-1]


async def seen(
    database: Database, user: UUID, *, by: str, value: Any, days: int = 1, ago: int = 0
) -> None:
    """An account was used from there on `days` days in a row, the last one `ago` days ago."""
    last = datetime.now(UTC) - timedelta(days=ago)
    sql: Any = f"""
        INSERT INTO {TABLES[by]} (user_id, {by}, first_seen, last_seen, days)
        VALUES ($1, $2, $4::timestamptz - make_interval(days => $3 - 1), $4,
                datemultirange(daterange(($4::timestamptz AT TIME ZONE 'UTC')::date - $3 + 1,
                                         ($4::timestamptz AT TIME ZONE 'UTC')::date, '[]')))
    """
    await database.write(lambda writer: writer.run(sql, user, value, days, last))


async def paid(
    database: Database, *, receiver: UUID, buyer: UUID | None, days_ago: int = 0
) -> None:
    """An order of one account that another one paid."""
    sql = """
        INSERT INTO orders (id, shop, order_id, state, user_id, buyer_id, paid_at)
        VALUES (gen_random_uuid(), 'shop', gen_random_uuid(), 'delivered', $1, $2,
                now() - make_interval(days => $3))
    """
    await database.write(lambda writer: writer.run(sql, receiver, buyer, days_ago))


async def linked_at(database: Database, user: UUID, *, subject: str) -> UUID:
    """An identity at Discord that an account has from now on."""
    sql = "INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, 'discord', $3)"
    identity = ids.new_id()
    await database.write(lambda writer: writer.run(sql, identity, user, subject))
    return identity


async def unlink(database: Database, identity: UUID) -> None:
    await database.write(lambda writer: links.remove(writer, [identity]))


async def sign_in(client: Any, name: str, device: str | None = None) -> Any:
    body = {"grant_type": "password", "username": name, "password": sha("secret")}
    return await client.post(
        "/api/oauth/token", json=body | ({"device_id": device} if device else {})
    )
