"""
The audit context of a request: actor, reason and idempotency key.

A request whose idempotency key has a stored reply gets that reply before the handler runs.
"""

import re
from collections.abc import Awaitable, Callable
from typing import cast

from msgspec import structs

from gamekeeper.auth.principal import Principal
from gamekeeper.db import idempotency
from gamekeeper.db.database import Reader
from gamekeeper.db.idempotency import IdempotencyKey, InvalidIdempotencyKey
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.requests import Request

IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")


def contexts(
    reader: Reader, fingerprint: Callable[[str], bytes]
) -> Callable[[Request], Awaitable[AuditContext]]:
    """
    Return a function that makes a request's context, or raises its stored reply.

    The fingerprint is an HMAC, because a request may contain secrets that must not be
    guessable from our tables.
    """

    async def context(request: Request) -> AuditContext:
        by = by_request(request)
        name = request.headers.get("idempotency-key")
        if name is None or request.caller is None:
            return by
        if not IDEMPOTENCY_KEY.fullmatch(name):
            raise InvalidIdempotencyKey
        key = IdempotencyKey(by.actor, name, fingerprint(request.fingerprint))
        if known := await idempotency.find_reply(reader, key):
            raise known
        return structs.replace(by, key=key)

    return context


def by_request(request: Request) -> AuditContext:
    """The audit context without an idempotency key, for replies that must not be stored."""
    caller = cast(Principal | None, request.caller)
    return AuditContext(
        actor=caller.id if caller else "anonymous",
        name=caller.name if caller else "anonymous",
        request_id=request.id,
        address=request.address,
        reason=request.reason,
        allowance=caller.allowance if caller else None,
    )
