"""
Links of the hash chain: how an action and its postings are hashed (canonical JSON, SHA-256).

A link has one of two forms, stored in its row. Form 1, of earlier versions, is the hash of
the action. Form 2 also covers the digest of the action's postings (ledger/digests.py) and
its own form number, so that a link of one form cannot pass for one of the other.
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
RESTORE = "database.restore"
"""The kind of action whose link may skip numbers: those of events that a backup did not have."""


class Linked(Struct, frozen=True, omit_defaults=True):
    """
    An action in canonical form, as it is hashed.

    Its JSON has sorted names, no spaces and no nulls; so a column added later, which old
    actions do not have, changes no hash. `before` and `after` are PostgreSQL's text of them:
    numbers of any size keep their digits.
    """

    actor: str | None = None
    actor_name: str | None = None
    address: str | None = None
    after: str | None = None
    approved_by: str | None = None
    approved_by_name: str | None = None
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


# In the order of the fields above: they are assigned by position.
COLUMNS: LiteralString = """
    actor, actor_name, address, after::text, approved_by, approved_by_name, at, before::text, id,
    item_id, kind, player_id, position::text, reason, request_id, undoes, user_id, xid::text
"""

canonical = msgspec.json.Encoder().encode


class Seal(Struct, frozen=True):
    """The form of a link and the digest of its postings, as stored in its row."""

    form: int
    postings: bytes | None


def hashed(before: bytes, seq: int, action: Linked, seal: Seal) -> bytes:
    """The hash of link `seq`, which follows the link with the hash `before`."""
    sealed = _sealed(seal)
    if sealed is None:
        return b""
    return hashlib.sha256(before + seq.to_bytes(8, "big") + sealed + canonical(action)).digest()


def _sealed(seal: Seal) -> bytes | None:
    """The bytes hashed before the action; None if the service never makes such a link."""
    # Domain separation: an action's JSON begins with a brace, never with the byte of a form,
    # so the inputs of two forms are never equal.
    if seal.form == ACTION_ONLY:
        return b"" if seal.postings is None else None
    postings = seal.postings or NO_POSTINGS
    if seal.form != WITH_POSTINGS or len(postings) != len(NO_POSTINGS):
        return None
    return bytes([WITH_POSTINGS]) + postings
