"""The registry of action kinds, and the questions that others ask of it."""

from collections.abc import Iterable, Mapping
from typing import LiteralString

from gamekeeper.ledger.kinds.accounts import ACCOUNTS
from gamekeeper.ledger.kinds.characters import CHARACTERS
from gamekeeper.ledger.kinds.codes import CODES
from gamekeeper.ledger.kinds.guilds import GUILDS
from gamekeeper.ledger.kinds.mail import MAIL
from gamekeeper.ledger.kinds.orders import ORDERS
from gamekeeper.ledger.kinds.records import ActionKind
from gamekeeper.ledger.kinds.staff import STAFF
from gamekeeper.ledger.kinds.system import SYSTEM

ACTION_KINDS: Mapping[str, ActionKind] = {
    kind.name: kind
    for kind in (*CHARACTERS, *MAIL, *GUILDS, *ORDERS, *CODES, *ACCOUNTS, *STAFF, *SYSTEM)
}

UNDOABLE = frozenset(kind.name for kind in ACTION_KINDS.values() if kind.undo)
"""The kinds of actions that can be undone."""

WHY_NOT: Mapping[str, str] = {
    kind.name: kind.instead for kind in ACTION_KINDS.values() if kind.instead is not None
}
"""What to do instead, for the other kinds."""

BULK_LOADS = [kind for kind in ACTION_KINDS.values() if kind.is_bulk_load]


def sql_names(kinds: Iterable[ActionKind]) -> LiteralString:
    """The names as a list of SQL literals, for `kind IN (…)`."""
    return ", ".join(f"'{kind.name}'" for kind in kinds)
