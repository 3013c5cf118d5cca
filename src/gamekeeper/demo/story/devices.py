"""Devices and addresses of the story: two accounts of one person, and a café."""

from datetime import datetime, timedelta
from typing import LiteralString
from uuid import UUID

from gamekeeper.db.arrays import columns
from gamekeeper.db.database import Database, Writer
from gamekeeper.demo.story.cast import DUPER, FENCE, HERO, LOUD, LUCKY

# Of the blocks for documentation (RFC 5737), so that they are nobody's.
HOME, CAFE = "203.0.113.24", "198.51.100.7"
LAPTOP = UUID("6f1d3b5a-9c2e-4d70-8b41-2a7e5c9f0d13")

USED_ON_DAYS = {
    ("device", DUPER.account): (LAPTOP, 20),
    ("device", FENCE.account): (LAPTOP, 14),
    ("address", DUPER.account): (HOME, 20),
    ("address", FENCE.account): (HOME, 14),
    ("address", LOUD.account): (CAFE, 2),
    ("address", LUCKY.account): (CAFE, 1),
    ("address", HERO.account): (CAFE, 1),
}
"""On how many days in a row, until yesterday."""


async def store(database: Database, *, now: datetime) -> None:
    """Store where some accounts of the story were used from."""
    last = now - timedelta(days=1)
    devices, addresses = (
        [(name, str(what), days) for (by, name), (what, days) in USED_ON_DAYS.items() if by == kind]
        for kind in ("device", "address")
    )

    async def insert(writer: Writer) -> None:
        await writer.run(DEVICES, *columns(devices), last)
        await writer.run(ADDRESSES, *columns(addresses), last)

    await database.write(insert)


DAYS: LiteralString = """
    datemultirange(daterange(($4::timestamptz AT TIME ZONE 'UTC')::date - days + 1,
                             ($4::timestamptz AT TIME ZONE 'UTC')::date, '[]'))
"""
DEVICES: LiteralString = f"""
    INSERT INTO user_devices (user_id, device, first_seen, last_seen, days)
    SELECT id, what::uuid, $4::timestamptz - make_interval(days => days - 1), $4, {DAYS}
      FROM unnest($1::text[], $2::text[], $3::int[]) AS used (account, what, days)
      JOIN users ON name_key = lower(account)
    ON CONFLICT DO NOTHING
"""
ADDRESSES: LiteralString = f"""
    INSERT INTO user_addresses (user_id, address, first_seen, last_seen, days)
    SELECT id, what::inet, $4::timestamptz - make_interval(days => days - 1), $4, {DAYS}
      FROM unnest($1::text[], $2::text[], $3::int[]) AS used (account, what, days)
      JOIN users ON name_key = lower(account)
    ON CONFLICT DO NOTHING
"""
