"""
The audit context of a request: actor, reason and idempotency key.

A request whose idempotency key has a stored reply gets that reply before the handler runs, or
from the operation if the handler begins with it.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from msgspec import structs

from gamekeeper.auth.principal import Principal
from gamekeeper.auth.reasons import check_reason
from gamekeeper.core.settings import Settings
from gamekeeper.db import idempotency
from gamekeeper.db.database import Reader
from gamekeeper.db.idempotency import IdempotencyKey, InvalidIdempotencyKey
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.endpoints import BoundRoute
from gamekeeper.http.requests import Request

IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,255}")


def contexts(
    reader: Reader, fingerprint: Callable[[str], bytes]
) -> Callable[[Request, BoundRoute], Awaitable[AuditContext]]:
    """
    Return a function that makes a request's context, or raises its stored reply or ReasonRequired.

    The fingerprint is an HMAC, because a request may contain secrets that must not be
    guessable from our tables.
    """

    async def context(request: Request, endpoint: BoundRoute) -> AuditContext:
        by, reasons = by_request(request), reader.settings.reasons
        name = request.headers.get("idempotency-key")
        if name is not None and request.caller is not None:
            if not IDEMPOTENCY_KEY.fullmatch(name):
                raise InvalidIdempotencyKey
            key = IdempotencyKey(by.actor, name, fingerprint(request.fingerprint))
            # A reason that is required by now must not refuse the replay of a change without one.
            if reasons or not endpoint.route.claims_first:
                await _raise_stored_reply(reader, key)
            by = structs.replace(by, key=key)
        if reasons:
            _check_reason(reader.settings, request, endpoint)
        return by

    return context


async def _raise_stored_reply(reader: Reader, key: IdempotencyKey) -> None:
    if known := await idempotency.find_reply(reader, key):
        raise known


def _check_reason(settings: Settings, request: Request, endpoint: BoundRoute) -> None:
    """Raise ReasonRequired if the operator requires a reason for this change and it has none."""
    known = endpoint.body.__struct_fields__ if endpoint.body else ()
    # A field that the operation does not know must not lift the requirement.
    sent = {name.lower(): value for name, value in request.fields.items()}
    if "dry_run" in known and str(sent.get("dryrun")).lower() == "true":
        return
    reasons = [request.reason]
    if not request.reason and "transactions" in known:
        # Each transaction may have a reason of its own.
        reasons = [
            _reason_of(transaction)
            for transaction in cast(list[Mapping[str, object]], sent["transactions"])
        ]
    for reason in reasons:
        check_reason(settings, endpoint.route.roles or (), reason)


def _reason_of(part: Mapping[str, object]) -> str | None:
    # Of a field that is sent twice the last one counts, as where the transaction is read.
    reason = {name.lower(): value for name, value in part.items()}.get("reason")
    return reason if isinstance(reason, str) else None


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
