"""
Client traces: the device and the address that an account is used from, for linked accounts.

A game client may send an id of its device, whatever it calls so. Only a keyed hash (HMAC) of it
is stored, under the oldest of GAMEKEEPER_PASSWORD_KEYS: adding a key changes no device, removing
the oldest makes every device a new one (docs/decisions/0064-linked-accounts.md).
"""

from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Annotated, LiteralString
from uuid import UUID

from msgspec import Meta, Struct

from gamekeeper.auth import credentials
from gamekeeper.core.errors import Invalid
from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Database, Queryable, Writer
from gamekeeper.sanctions import access_bans
from gamekeeper.sanctions.access_bans import AccessBanned, BannedAccess

if TYPE_CHECKING:  # Its cryptography takes a while to import, and commands load this module.
    from gamekeeper.auth.secrets import Vault

LONGEST_DEVICE_ID = 128
DeviceIdText = Annotated[str, Meta(max_length=LONGEST_DEVICE_ID)]
"""A field of a request with an id of a device, as the client calls it."""
MAX_DEVICES = 20
MAX_ADDRESSES = 50
"""Kept for one account: beyond them, those seen on the fewest days go first."""


class InvalidDeviceId(Invalid):
    """'deviceid' must be 1 to 128 characters, without control characters."""


class InvalidClientAddress(Invalid):
    """'address' must be an IPv4 or IPv6 address."""


class ClientTrace(Struct, frozen=True):
    """Where an account is used from, as far as it is known."""

    address: str | None
    """IPv6 by the /64."""
    devices: tuple[UUID, ...] = ()
    """The hash of one device under each key, the oldest key last."""

    @property
    def device(self) -> UUID | None:
        """The hash that is stored."""
        return self.devices[-1] if self.devices else None


NOWHERE = ClientTrace(None)


def of_client(vault: "Vault", address: str, device_id: str | None) -> ClientTrace:
    """The trace of a caller at an address that may have sent an id of its device."""
    return ClientTrace(canonical_address(address), device_hashes(vault, device_id))


def canonical_address(address: str) -> str | None:
    """The address as it is stored, for IPv6 the /64, as one home has many; None if it is none."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    if isinstance(parsed, IPv6Address):
        # Without the zone, which no other machine knows.
        return str(ip_network(f"{IPv6Address(int(parsed))}/64", strict=False))
    return str(parsed)


def device_hashes(vault: "Vault", device_id: str | None) -> tuple[UUID, ...]:
    if device_id is None:
        return ()
    if not 1 <= len(device_id) <= LONGEST_DEVICE_ID or not device_id.isprintable():
        raise InvalidDeviceId(None, field="deviceid")
    return tuple(UUID(bytes=found[:16]) for found in vault.hmacs(f"device;{device_id}"))


async def check(reader: Queryable, trace: ClientTrace) -> None:
    """Raise AccessBanned if an access ban stops the device or the address."""
    found = (await find_stopped(reader, [trace])).get(0)
    if found:
        raise AccessBanned(found.text, code=found.code, until=found.until)


async def find_stopped(reader: Queryable, traces: Sequence[ClientTrace]) -> dict[int, BannedAccess]:
    """By their positions, the access bans that stop these traces."""
    asked = [
        (position, device, trace.address if number == 0 else None)
        for position, trace in enumerate(traces)
        # A ban may have been imposed under another key.
        for number, device in enumerate(trace.devices or (None,))
    ]
    return await access_bans.find_stopped(reader, asked)


async def note(writer: Writer, seen: Sequence[tuple[UUID, ClientTrace]]) -> None:
    """Store that accounts were used from there, in one statement."""
    if rows := [(user, trace.address, trace.device) for user, trace in seen if trace != NOWHERE]:
        await writer.run(NOTE, *columns(rows), *_bounds(writer))


async def remember(writer: Writer, user: UUID, source: str, trace: ClientTrace) -> None:
    """Store a correct password's source for the login throttle, and the trace with it."""
    await writer.run(
        NOTE_AND_REMEMBER,
        [user],
        [trace.address],
        [trace.device],
        *_bounds(writer),
        user,
        source,
    )


def _bounds(writer: Writer) -> tuple[int, int, int]:
    return writer.settings.linked_account_days, MAX_ADDRESSES, MAX_DEVICES


async def note_refresh(database: Database, refresh_token: str, trace: ClientTrace) -> None:
    """Store where the tokens of a sign-in were refreshed from; `refresh_token` is the new one."""

    async def work(writer: Writer) -> None:
        rows = await writer.rows(
            """
            UPDATE token_families SET address = $2::text::inet,
                                      device = coalesce($3, token_families.device)
              FROM refresh_tokens
             WHERE hash = $1 AND token_families.user_id = refresh_tokens.user_id
               AND token_families.id = family_id
            RETURNING token_families.user_id
            """,
            credentials.digest(refresh_token),
            trace.address,
            trace.device,
        )
        await note(writer, [(row["user_id"], trace) for row in rows])

    await database.write(work)


# A row that was seen today is written at most every ten minutes: some clients sign in before
# every call. The rows are written in the order of their keys, against deadlocks.
NOTED: LiteralString = """
    seen AS (
        SELECT DISTINCT user_id, address::inet, device
          FROM unnest($1::uuid[], $2::text[], $3::uuid[]) AS seen (user_id, address, device)
    ), today AS (
        SELECT statement_timestamp() AS now,
               (statement_timestamp() AT TIME ZONE 'UTC')::date AS day
    ), noted_addresses AS (
        INSERT INTO user_addresses (user_id, address, first_seen, last_seen, days)
        SELECT DISTINCT user_id, address, now, now, datemultirange(daterange(day, day, '[]'))
          FROM seen, today WHERE address IS NOT NULL ORDER BY user_id, address
        ON CONFLICT (user_id, address) DO UPDATE
           SET last_seen = greatest(user_addresses.last_seen, excluded.last_seen),
               days = user_addresses.days * datemultirange(
                          daterange(lower(excluded.days) - $4::int, NULL)) + excluded.days
         WHERE NOT user_addresses.days @> excluded.days
            OR user_addresses.last_seen < excluded.last_seen - interval '10 minutes'
    ), noted_devices AS (
        INSERT INTO user_devices (user_id, device, first_seen, last_seen, days)
        SELECT DISTINCT user_id, device, now, now, datemultirange(daterange(day, day, '[]'))
          FROM seen, today WHERE device IS NOT NULL ORDER BY user_id, device
        ON CONFLICT (user_id, device) DO UPDATE
           SET last_seen = greatest(user_devices.last_seen, excluded.last_seen),
               days = user_devices.days * datemultirange(
                          daterange(lower(excluded.days) - $4::int, NULL)) + excluded.days
         WHERE NOT user_devices.days @> excluded.days
            OR user_devices.last_seen < excluded.last_seen - interval '10 minutes'
    ), trimmed_addresses AS (
        DELETE FROM user_addresses USING (
               SELECT user_id, address,
                      row_number() OVER (PARTITION BY user_id
                                         ORDER BY (SELECT sum(upper(span) - lower(span))
                                                     FROM unnest(days) AS span) DESC,
                                                  last_seen DESC, address) AS place
                 FROM user_addresses
                WHERE user_id = ANY($1)
                  -- Not those of this statement, which writes them.
                  AND (user_id, address) NOT IN (SELECT user_id, address FROM seen
                                                  WHERE address IS NOT NULL)) AS ranked
         WHERE user_addresses.user_id = ranked.user_id
           AND user_addresses.address = ranked.address AND place >= $5
    ), trimmed_devices AS (
        DELETE FROM user_devices USING (
               SELECT user_id, device,
                      row_number() OVER (PARTITION BY user_id
                                         ORDER BY (SELECT sum(upper(span) - lower(span))
                                                     FROM unnest(days) AS span) DESC,
                                                  last_seen DESC, device) AS place
                 FROM user_devices
                WHERE user_id = ANY($1)
                  AND (user_id, device) NOT IN (SELECT user_id, device FROM seen
                                                 WHERE device IS NOT NULL)) AS ranked
         WHERE user_devices.user_id = ranked.user_id
           AND user_devices.device = ranked.device AND place >= $6
    )
"""
NOTE: LiteralString = f"WITH {NOTED} SELECT"
NOTE_AND_REMEMBER: LiteralString = f"""
    WITH {NOTED}
    INSERT INTO known_sources (user_id, source) VALUES ($7, $8)
    ON CONFLICT (user_id, source) DO UPDATE SET seen_at = excluded.seen_at
"""
"""The same, and the source of a correct password for the login throttle."""
