"""
Links: how an action and its postings enter the hash chain.

A link is made in one of two forms, and its row says which. Form 1, of earlier
versions, is the hash of the action. Form 2 also covers the digest of the action's
postings (ledger/digests.py) and its own form number, so that a link of one form
cannot pass for one of the other.
"""

import hashlib
from datetime import datetime
from typing import LiteralString
from uuid import UUID

import msgspec
from msgspec import Struct

ACTION_ONLY = 1
WITH_POSTINGS = 2
NO_POSTINGS = bytes(32)


class Linked(Struct, frozen=True, omit_defaults=True):
    """
    An action as it enters the hash.

    Its JSON has the names in alphabetical order, no spaces, and leaves out what is
    null; so a column added later, which old actions do not have, changes none of the
    hashes. Before and after stand in it as the text that PostgreSQL makes of them:
    numbers of any size stay as they are.
    """

    actor: str | None = None
    actor_name: str | None = None
    address: str | None = None
    after: str | None = None
    at: datetime | None = None
    before: str | None = None
    id: UUID | None = None
    item_id: UUID | None = None
    kind: str | None = None
    player_id: UUID | None = None
    position: str | None = None
    reason: str | None = None
    request_id: str | None = None
    undoes: UUID | None = None
    user_id: UUID | None = None
    xid: str | None = None


# In the order of the fields above, which are filled by position.
COLUMNS: LiteralString = """
    actor, actor_name, address, after::text, at, before::text, id, item_id, kind, player_id,
    position::text, reason, request_id, undoes, user_id, xid::text
"""

canonical = msgspec.json.Encoder().encode


class Seal(Struct, frozen=True):
    """What a link says of itself: its form, and the digest of its postings."""

    form: int
    postings: bytes | None


def hashed(before: bytes, seq: int, action: Linked, seal: Seal) -> bytes:
    """The hash of link `seq`, which follows the link with the hash `before`."""
    sealed = _sealed(seal)
    if sealed is None:
        return b""
    return hashlib.sha256(before + seq.to_bytes(8, "big") + sealed + canonical(action)).digest()


def _sealed(seal: Seal) -> bytes | None:
    """What stands in front of the action in the hash; None: no such link is ever made."""
    # An action's JSON begins with a brace, never with the byte of a form: so what is hashed
    # for one form is never what is hashed for another.
    if seal.form == ACTION_ONLY:
        return b"" if seal.postings is None else None
    postings = seal.postings or NO_POSTINGS
    if seal.form != WITH_POSTINGS or len(postings) != len(NO_POSTINGS):
        return None
    return bytes([WITH_POSTINGS]) + postings
