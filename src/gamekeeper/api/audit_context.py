"""
The audit context of a request: who gives an order, why, and under which idempotency key.

What was carried out before under its key is answered as then, before the handler is called.
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
    Makes the context of each request; raises what was answered, if it was given before.

    The fingerprint is keyed, because a request may hold what must not be guessable from
    our tables.
    """

    async def context(request: Request) -> AuditContext:
        by = _by(request)
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


def _by(request: Request) -> AuditContext:
    caller = cast(Principal | None, request.caller)
    return AuditContext(
        actor=caller.id if caller else "anonymous",
        name=caller.name if caller else "anonymous",
        request_id=request.id,
        address=request.address,
        reason=request.reason,
    )
