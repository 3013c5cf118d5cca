"""
One search for everything: players, accounts, items, sanctions, actions, transactions and orders.

Of each group the best five, and only of the groups that the caller may see. Every statement
reads a bounded number of rows (db/name_search.py), and the groups are read at the same time.
Names with a typo are left to the searches for players and for accounts.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, LiteralString, TypeVar
from uuid import UUID

from msgspec import Struct, structs

from gamekeeper.auth.principal import Principal
from gamekeeper.catalog.lists import PART
from gamekeeper.core.errors import InvalidQuery
from gamekeeper.core.names import LONGEST_KEY, parse_guid
from gamekeeper.core.schemas import Record
from gamekeeper.core.search import SHORTEST, Search
from gamekeeper.db import name_search
from gamekeeper.db.database import Reader
from gamekeeper.db.name_search import NameTable
from gamekeeper.ledger import transactions
from gamekeeper.ledger.action_ids import FULL, HEX, SHORTEST_PREFIX
from gamekeeper.orders.content import ORDER_ID
from gamekeeper.orders.lists import BY_ORDER_ID
from gamekeeper.orders.records import OrderState
from gamekeeper.players.roster import PLAYER_NAMES
from gamekeeper.sanctions.in_force import IN_FORCE
from gamekeeper.users.directory import EMAILS, USER_NAMES
from gamekeeper.users.records import masked

MAX_HITS = 5
"""Hits of a group."""


class FoundPlayer(Record, frozen=True):
    id: UUID
    name: str
    level: int
    class_name: str
    user_id: UUID
    online: bool


class FoundUser(Record, frozen=True):
    id: UUID
    name: str
    email: str
    """Masked for callers without access to email addresses."""


class FoundItem(Record, frozen=True):
    id: UUID
    name: str
    type: str


class FoundSanction(Record, frozen=True):
    id: UUID
    code: str
    kind: str
    user_id: UUID
    player_id: UUID | None
    imposed_at: datetime
    in_force: bool
    """Whether it is active now."""


class FoundAction(Record, frozen=True):
    id: UUID
    at: datetime
    kind: str
    actor_name: str


class FoundTransaction(Record, frozen=True):
    id: UUID
    actions: int
    """The number of its actions."""


class FoundOrder(Record, frozen=True):
    id: UUID
    shop: str
    order_id: str
    """The shop's own id of the order."""
    state: OrderState


H = TypeVar("H", FoundPlayer, FoundUser)


class SearchResult(Record, frozen=True):
    """The results, the best of each group first."""

    searched: list[str]
    """
    The groups that the caller may see: `players`, `users`, `items`, `sanctions`, `actions`,
    `transactions`, `orders`. The others are empty.
    """
    players: list[FoundPlayer]
    users: list[FoundUser]
    items: list[FoundItem]
    sanctions: list[FoundSanction]
    actions: list[FoundAction]
    transactions: list[FoundTransaction]
    orders: list[FoundOrder]
    """By the exact id of the shop, of all shops."""


class Wanted(Struct, frozen=True):
    """What a text may mean."""

    search: Search
    guid: UUID | None
    order: str | None
    """The shop's id of an order, as it is written; None: it cannot be one."""

    @classmethod
    def of(cls, text: str) -> "Wanted":
        text = text.strip()
        if not SHORTEST <= len(text) <= LONGEST_KEY:
            raise InvalidQuery(f"'q' must have {SHORTEST} to {LONGEST_KEY} characters.", field="q")
        order = text if ORDER_ID.fullmatch(text) else None
        return cls(Search.required(text), parse_guid(text), order)

    @property
    def code(self) -> str | None:
        """The beginning of a sanction's code, at least its first half; None: it cannot be one."""
        plain = self.search.name.upper().replace("-", "").replace(" ", "")
        if not CODE.fullmatch(plain):
            return None
        return f"{plain[:4]}-{plain[4:]}" if len(plain) > HALF else plain

    @property
    def digits(self) -> str | None:
        """The beginning of an action's id; None: it cannot be one."""
        plain = self.search.name.strip("{}").replace("-", "")
        is_one = HEX.fullmatch(plain) and SHORTEST_PREFIX <= len(plain) <= FULL
        return plain if is_one else None


HALF = 4
CODE = re.compile(r"[0-9A-Z]{4,8}")


async def find(reader: Reader, text: str, caller: Principal) -> SearchResult:
    """The best hits of every group that the caller may see."""
    wanted = Wanted.of(text)
    # Nothing is read for a group that the caller may not see.
    groups = [group for group in GROUPS if caller.may(group.scope)]
    hits = await asyncio.gather(*(group.find(reader, wanted, caller) for group in groups))
    found: dict[str, Any] = {group.name: [] for group in GROUPS}
    found |= {group.name: ours for group, ours in zip(groups, hits, strict=True)}
    return SearchResult(searched=[group.name for group in groups], **found)


# ── Characters and accounts ──


async def _players(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundPlayer]:
    ids = [wanted.guid] if wanted.guid else await _named(reader, PLAYER_NAMES, wanted.search)
    rows = await reader.lookups.all(FoundPlayer, PLAYERS, ids) if ids else []
    return _in_order(rows, ids)


PLAYERS: LiteralString = """
    SELECT players.id, players.name, level, classes.name AS class_name, user_id,
           coalesce(lease_until > statement_timestamp(), false) AS online
      FROM players
      JOIN classes ON classes.id = class_id
      LEFT JOIN (presences JOIN servers ON servers.id = server_id) ON player_id = players.id
     WHERE players.id = ANY($1)
"""


async def _users(reader: Reader, wanted: Wanted, caller: Principal) -> list[FoundUser]:
    ids = [wanted.guid] if wanted.guid else await _named(reader, USER_NAMES, wanted.search)
    # Nothing here reads the emails for callers who do not see them.
    if caller.sees_emails and not wanted.guid and len(ids) < MAX_HITS:
        hits = await name_search.containing(reader, EMAILS, wanted.search, MAX_HITS)
        ids = list(dict.fromkeys([*ids, *hits]))[:MAX_HITS]
    if not ids:
        return []
    sql: LiteralString = "SELECT id, name, email FROM users WHERE id = ANY($1)"
    found = _in_order(await reader.lookups.all(FoundUser, sql, ids), ids)
    if caller.sees_emails:
        return found
    return [structs.replace(user, email=masked(user.email)) for user in found]


async def _named(reader: Reader, names: NameTable, search: Search) -> list[UUID]:
    return list(await name_search.best(reader, names, search, MAX_HITS))


def _in_order(found: Sequence[H], ids: Sequence[UUID]) -> list[H]:
    known = {result.id: result for result in found}
    return [known[id_] for id_ in ids if id_ in known]


# ── The catalog, by part of a name ──


async def _items(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundItem]:
    return await reader.lookups.all(
        FoundItem,
        f"""
        SELECT id, name, type
          FROM items
         WHERE id = $2 OR {PART}
         ORDER BY strpos(normalize(lower(name), NFKC), $1) <> 1, lower(name) COLLATE "C", id
         LIMIT $3
        """,
        wanted.search.name,
        wanted.guid,
        MAX_HITS,
    )


# ── By code and by id ──


async def _sanctions(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundSanction]:
    code = wanted.code
    if code is None:
        return []
    return await reader.lookups.all(
        FoundSanction,
        f"""
        SELECT id, code, kind, user_id, player_id, imposed_at, {IN_FORCE} AS in_force
          FROM sanctions
         WHERE code >= $1 AND code < $2
         ORDER BY code
         LIMIT $3
        """,
        code,
        code + AFTER_CODES,
        MAX_HITS,
    )


AFTER_CODES = "~"
"""Sorts after all that a code consists of."""


async def _actions(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundAction]:
    digits = wanted.digits
    if digits is None:
        return []
    return await reader.lookups.all(
        FoundAction,
        """
        SELECT id, at, kind, actor_name
          FROM actions
         WHERE id BETWEEN $1 AND $2
         ORDER BY id DESC
         LIMIT $3
        """,
        UUID(digits.ljust(FULL, "0")),
        UUID(digits.ljust(FULL, "f")),
        MAX_HITS,
    )


async def _transactions(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundTransaction]:
    if wanted.guid is None:
        return []
    found = await transactions.members(reader, [wanted.guid])
    return [
        FoundTransaction(id=transaction, actions=len(own)) for transaction, own in found.items()
    ]


async def _orders(reader: Reader, wanted: Wanted, _: Principal) -> list[FoundOrder]:
    if wanted.order is None:
        return []
    sql: LiteralString = f"""
        SELECT id, shop, order_id, state FROM orders WHERE {BY_ORDER_ID} ORDER BY id DESC LIMIT $2
    """
    return await reader.lookups.all(FoundOrder, sql, wanted.order, MAX_HITS)


class SearchGroup(Struct, frozen=True):
    name: str
    scope: str
    find: Callable[[Reader, Wanted, Principal], Awaitable[list[Any]]]


GROUPS = (
    SearchGroup("players", "players.read", _players),
    SearchGroup("users", "users.query", _users),
    SearchGroup("items", "players.read", _items),
    SearchGroup("sanctions", "sanctions.read", _sanctions),
    SearchGroup("actions", "actions.read", _actions),
    SearchGroup("transactions", "actions.read", _transactions),
    SearchGroup("orders", "orders.read", _orders),
)
