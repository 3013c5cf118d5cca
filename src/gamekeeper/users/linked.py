"""
Linked accounts: other accounts on the same devices and addresses, that one paid orders for, or
that had the same identity.

Every link says what is shared, on how many days and by how many accounts, never a bare score:

    strong   a device that at most 5 accounts used; an identity that at most 5 accounts had
    likely   an address that at most 10 accounts used, both on 3 days or more; orders that one
             account paid for the other on 3 days or more, if it is so with at most 10 accounts
    weak     the rest; a device or address of more accounts (a café, a carrier) is marked as shared

The cost is bounded: of one account the devices and addresses are few, and of each at most 30 other
accounts are read, the latest first; of orders, the last 200; of former identities, the last 100.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, LiteralString
from uuid import UUID

from msgspec import structs

from gamekeeper.auth.client_traces import MAX_ADDRESSES, MAX_DEVICES
from gamekeeper.core import names, sign_in_sources
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Queryable
from gamekeeper.sanctions.in_force import BANNED, NOT_OVER
from gamekeeper.users.lookup import UserNotFound

MAX_LINKED = 50
MAX_OTHERS = 30
"""Other accounts that are read of one device or address, or for payments."""
MAX_ORDERS = 200
MAX_IDENTITIES = 100
MAX_ACCOUNTS = {"device": 5, "address": 10, "payment": 10, "identity": 5}
"""With more accounts, it counts as shared."""
LIKELY_DAYS = 3

LinkKind = Literal["device", "address", "payment", "identity"]
Strength = Literal["strong", "likely", "weak"]
STRENGTHS: tuple[Strength, ...] = ("strong", "likely", "weak")


class AccountLink(Record, frozen=True, kw_only=True):
    """A device, an address or an identity that two accounts share, or orders that one paid."""

    by: LinkKind
    """`device`, `address`, `payment` or `identity`; later versions may add others."""
    strength: Strength
    """`strong`, `likely` or `weak`."""
    days_in_common: int
    """
    The days (UTC) on which both accounts used it, or on which one paid for the other; 0 for an
    identity, which only one account has at a time.
    """
    first_seen: Instant
    """The first use by the other account, its link with the identity, or the first payment."""
    last_seen: Instant
    """The last use by the other account, the end of its link, or the last payment."""
    is_shared: bool
    """More than 5 accounts of a device or an identity, more than 10 of an address or payments."""
    accounts: int
    """How many accounts used it; counted to 31."""
    device: UUID | None
    """The device; null unless `By` is `device`."""
    address: str | None
    """The address, IPv6 by the /64; null for callers without `users.personal`."""
    issuer: str | None
    """The service of the identity; null unless `By` is `identity`."""


class LinkedAccount(Record, frozen=True, kw_only=True):
    user_id: UUID
    user_name: str
    is_banned: bool
    strength: Strength
    """That of the strongest link: `strong`, `likely` or `weak`."""
    summary: str
    """The strongest link in words, for example `Same device, 14 days in common`."""
    links: list[AccountLink]
    """The strongest first."""


class SeenClient(Record, frozen=True, kw_only=True):
    """A device or an address that the account itself was used from."""

    by: Literal["device", "address"]
    device: UUID | None
    address: str | None
    """Null for callers without `users.personal`."""
    days: int
    """The days (UTC) on which it was used."""
    first_seen: Instant
    last_seen: Instant
    accounts: int
    """How many accounts used it; counted to 31."""
    is_shared: bool
    is_banned: bool
    """Whether an access ban stops it."""


class LinkedAccounts(Record, frozen=True, kw_only=True):
    user_id: UUID
    user_name: str
    is_banned: bool
    values: list[LinkedAccount]
    """At most 50 accounts, the strongest links first."""
    is_cut: bool
    """Whether there may be more: of each device and address at most 30 accounts are read."""
    seen: list[SeenClient]
    """The devices and addresses of the account, the last used first."""


async def list_linked(reader: Queryable, user: UUID, *, addresses: bool) -> LinkedAccounts:
    """The accounts that are linked with one; without `addresses`, from nowhere."""
    devices = await reader.rows(BY_DEVICE, user, MAX_DEVICES, MAX_OTHERS)
    places = await reader.rows(BY_ADDRESS, user, MAX_ADDRESSES, MAX_OTHERS)
    payments = await reader.rows(BY_PAYMENT, user, MAX_ORDERS, MAX_OTHERS)
    identities = await reader.rows(BY_IDENTITY, user, MAX_IDENTITIES, MAX_OTHERS)
    rows = [*devices, *places, *payments, *identities]
    found: dict[UUID, list[AccountLink]] = {}
    for row in rows:
        if row["user_id"] is not None:
            found.setdefault(row["user_id"], []).append(_link(row))
    ranked = sorted(found, key=lambda other: _rank(found[other]))
    known = {row["id"]: row for row in await reader.rows(ACCOUNTS, [user, *ranked[:MAX_LINKED]])}
    if user not in known:
        raise UserNotFound(names.missing("user", str(user)))
    linked = LinkedAccounts(
        user_id=user,
        user_name=known[user]["name"],
        is_banned=known[user]["is_banned"],
        values=[
            _account(known[other], found[other])
            for other in ranked[:MAX_LINKED]
            # One that was erased meanwhile is left out.
            if other in known
        ],
        is_cut=len(ranked) > MAX_LINKED or any(row["accounts"] > MAX_OTHERS for row in rows),
        seen=_seen([*devices, *places]),
    )
    return linked if addresses else _without_addresses(linked)


def _link(row: Any) -> AccountLink:
    by, accounts, common = row["by"], row["accounts"], row["days_in_common"]
    is_shared = accounts > MAX_ACCOUNTS[by]
    return AccountLink(
        by=by,
        strength=strength_of(by, common, is_shared=is_shared),
        days_in_common=common,
        first_seen=row["first_seen"],
        last_seen=row["last_seen"],
        is_shared=is_shared,
        accounts=accounts,
        device=row["device"],
        address=row["address"],
        issuer=row["issuer"],
    )


def strength_of(by: str, days_in_common: int, *, is_shared: bool) -> Strength:
    """How much a link says."""
    if is_shared:
        return "weak"
    if by in ("device", "identity"):
        return "strong"
    return "likely" if days_in_common >= LIKELY_DAYS else "weak"


def summary_of(link: AccountLink) -> str:
    """A link in words."""
    days = "1 day" if link.days_in_common == 1 else f"{link.days_in_common} days"
    if link.by == "payment":
        many = " (payments with many accounts)" if link.is_shared else ""
        return f"One account paid for the other on {days}{many}"
    if link.by == "identity":
        return f"Same account at {sign_in_sources.label_of({}, link.issuer or '')}"
    if link.is_shared:
        many = f"{link.accounts} accounts" if link.accounts <= MAX_OTHERS else "many accounts"
        return f"Same shared {link.by} ({many}), {days} in common"
    return f"Same {link.by}, {days} in common"


def _rank(links: Iterable[AccountLink]) -> tuple[int, int, float]:
    """The order of accounts: the strongest link, days in common, the last use."""
    return min(_link_rank(link) for link in links)


def _link_rank(link: AccountLink) -> tuple[int, int, float]:
    return STRENGTHS.index(link.strength), -link.days_in_common, -link.last_seen.timestamp()


def _account(row: Any, links: Sequence[AccountLink]) -> LinkedAccount:
    ordered = sorted(links, key=_link_rank)
    return LinkedAccount(
        user_id=row["id"],
        user_name=row["name"],
        is_banned=row["is_banned"],
        strength=ordered[0].strength,
        summary=summary_of(ordered[0]),
        links=ordered,
    )


def _seen(rows: Sequence[Any]) -> list[SeenClient]:
    """The devices and addresses of the account: each stands in a row for each other account."""
    own = {(row["by"], row["device"], row["address"]): row for row in rows}
    found = [
        SeenClient(
            by=by,
            device=device,
            address=address,
            days=row["own_days"],
            first_seen=row["own_first"],
            last_seen=row["own_last"],
            accounts=row["accounts"],
            is_shared=row["accounts"] > MAX_ACCOUNTS[by],
            is_banned=row["is_stopped"],
        )
        for (by, device, address), row in own.items()
    ]
    return sorted(found, key=lambda client: client.last_seen, reverse=True)


def _without_addresses(linked: LinkedAccounts) -> LinkedAccounts:
    return structs.replace(
        linked,
        values=[
            structs.replace(
                account, links=[structs.replace(link, address=None) for link in account.links]
            )
            for account in linked.values
        ],
        seen=[structs.replace(client, address=None) for client in linked.seen],
    )


ACCOUNTS: LiteralString = f"SELECT id, name, {BANNED} AS is_banned FROM users WHERE id = ANY($1)"

BY_DEVICE: LiteralString = f"""
    SELECT 'device' AS by, own.device, NULL AS address, NULL AS issuer, own.first_seen AS own_first,
           own.last_seen AS own_last, other.*,
           (SELECT coalesce(sum(upper(span) - lower(span)), 0)::int FROM unnest(own.days) AS span)
               AS own_days,
           (SELECT coalesce(sum(upper(span) - lower(span)), 0)::int
              FROM unnest(own.days * other.days) AS span) AS days_in_common,
           (1 + count(other.user_id) OVER (PARTITION BY own.device))::int AS accounts,
           EXISTS (SELECT FROM access_bans
                    WHERE access_bans.device = own.device AND {NOT_OVER}) AS is_stopped
      FROM (SELECT device, first_seen, last_seen, days FROM user_devices
             WHERE user_id = $1 ORDER BY last_seen DESC, device LIMIT $2) AS own
      LEFT JOIN LATERAL (
           SELECT user_id, first_seen, last_seen, days FROM user_devices
            WHERE device = own.device AND user_id <> $1
            ORDER BY last_seen DESC, user_id DESC LIMIT $3) AS other ON true
"""
BY_ADDRESS: LiteralString = f"""
    SELECT 'address' AS by, NULL::uuid AS device, abbrev(own.address) AS address, NULL AS issuer,
           own.first_seen AS own_first, own.last_seen AS own_last, other.*,
           (SELECT coalesce(sum(upper(span) - lower(span)), 0)::int FROM unnest(own.days) AS span)
               AS own_days,
           (SELECT coalesce(sum(upper(span) - lower(span)), 0)::int
              FROM unnest(own.days * other.days) AS span) AS days_in_common,
           (1 + count(other.user_id) OVER (PARTITION BY own.address))::int AS accounts,
           EXISTS (SELECT FROM access_bans
                    WHERE network >>= own.address AND {NOT_OVER}) AS is_stopped
      FROM (SELECT address, first_seen, last_seen, days FROM user_addresses
             WHERE user_id = $1 ORDER BY last_seen DESC, address LIMIT $2) AS own
      LEFT JOIN LATERAL (
           SELECT user_id, first_seen, last_seen, days FROM user_addresses
            WHERE address = own.address AND user_id <> $1
            ORDER BY last_seen DESC, user_id DESC LIMIT $3) AS other ON true
"""
# The last orders first, then those of two accounts: so that a long history is not read in vain.
BY_PAYMENT: LiteralString = """
    SELECT 'payment' AS by, NULL::uuid AS device, NULL AS address, NULL AS issuer, user_id,
           days_in_common, first_seen, last_seen, (1 + count(*) OVER ())::int AS accounts
      FROM (SELECT other AS user_id, min(at) AS first_seen, max(at) AS last_seen,
                   count(DISTINCT (at AT TIME ZONE 'UTC')::date)::int AS days_in_common
              FROM ((SELECT buyer_id AS other, coalesce(paid_at, created_at) AS at FROM orders
                      WHERE user_id = $1 ORDER BY id DESC LIMIT $2)
                    UNION ALL
                    (SELECT user_id, coalesce(paid_at, created_at) FROM orders
                      WHERE buyer_id = $1 ORDER BY id DESC LIMIT $2)) AS recent
             WHERE other <> $1
             GROUP BY other ORDER BY last_seen DESC, other LIMIT $3) AS others
"""
BY_IDENTITY: LiteralString = """
    SELECT 'identity' AS by, NULL::uuid AS device, NULL AS address, own.issuer, other.*,
           0 AS days_in_common,
           (1 + count(*) OVER (PARTITION BY own.issuer, own.subject))::int AS accounts
      FROM (SELECT issuer, subject FROM identities WHERE user_id = $1
            UNION
            (SELECT issuer, subject FROM former_identities
              WHERE user_id = $1 ORDER BY unlinked_at DESC LIMIT $2)) AS own
     CROSS JOIN LATERAL (
           SELECT user_id, min(linked_at) AS first_seen, max(last_at) AS last_seen
             FROM (SELECT user_id, linked_at, coalesce(last_used_at, linked_at) AS last_at
                     FROM identities WHERE (issuer, subject) = (own.issuer, own.subject)
                   UNION ALL
                   SELECT user_id, linked_at, unlinked_at
                     FROM former_identities WHERE (issuer, subject) = (own.issuer, own.subject))
                  AS had
            WHERE user_id <> $1
            GROUP BY user_id ORDER BY last_seen DESC, user_id DESC LIMIT $3) AS other
"""
