"""
API keys made and revoked by callers: nobody makes or ends a key that may do more than they.

A key made here has its scopes named. One that may do everything, also what later versions
add, is made at the command line only.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from gamekeeper.auth import key_records, keys
from gamekeeper.auth.key_records import KeyRecord
from gamekeeper.auth.keys import LIVE, KeyNameTaken, KeyNotFound, NewKey
from gamekeeper.auth.limits import Limits, as_json
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.auth.roles import limited_scopes
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, Problem
from gamekeeper.core.names import parse_guid
from gamekeeper.core.settings import Hidden
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action

MOST_LIVE = 1000
"""Live keys: all of them are read whenever an actor is looked up by name."""

LONGEST_DAYS = 36_500
MAX_LIMIT = 2**53
"""The largest limit: what every client's numbers hold exactly."""


class KeyExceedsCaller(Forbidden):
    """You cannot create or revoke a key with permissions that you lack."""

    cacheable = False


class KeyEvadesLimits(Forbidden):
    """Accounts with limits cannot create API keys."""

    cacheable = False


class KeyOutlivesMaker(Forbidden):
    """A key cannot expire later than the key that creates it. Send fewer days."""

    cacheable = False


class TooManyKeys(Conflict):
    """There are already 1000 active keys. Revoke one first."""


class InvalidKeyDays(Invalid):
    """The lifetime of a key must be 1 to 36500 days. Omit it for a key that never expires."""


class InvalidKeyLimit(Invalid):
    """A limit must be a whole number from 0 to 9007199254740992."""


class KeyRequest(Command, frozen=True, kw_only=True):
    caller: Principal
    name: str
    scopes: tuple[str, ...]
    days: int | None = None
    """None: valid until revoked."""
    limits: Limits | None = None
    rates: str | None = None
    secret: Hidden
    """The key itself."""


class KeyRevocation(Command, frozen=True, kw_only=True):
    caller: Principal
    key: UUID


# ── Make and revoke ──


@operation
async def create(writer: Writer, commands: Sequence[KeyRequest]) -> list[KeyRecord | Problem]:
    """Create keys for callers, none of which may do more than its caller."""
    # One at a time, so that the number of keys is exact.
    await writer.rows("SELECT pg_advisory_xact_lock(hashtextextended('api keys', 0))")
    free = MOST_LIVE - await writer.value(f"SELECT count(*) FROM api_keys WHERE {LIVE}")
    left = await _days_left(writer, [command.caller for command in commands])
    refused = [_refusal(command, left) for command in commands]
    allowed = [place for place, refusal in enumerate(refused) if refusal is None]
    wanted = [commands[place] for place in allowed[: max(0, free)]]
    made = await keys.create(writer, [_order(command) for command in wanted])
    records = await key_records.by_secret(writer, [command.secret for command in wanted])
    outcomes = {
        place: _reworded(outcome) if isinstance(outcome, Problem) else records[outcome]
        for place, outcome in zip(allowed, made, strict=False)
    }
    return [
        refusal or outcomes.get(place) or TooManyKeys() for place, refusal in enumerate(refused)
    ]


def _reworded(refusal: Problem) -> Problem:
    """Without the options of the command line."""
    if isinstance(refusal, KeyNameTaken):
        return KeyNameTaken(
            "An active key already has this name. Choose another name, or revoke that key first."
        )
    return refusal


@operation
async def revoke(writer: Writer, commands: Sequence[KeyRevocation]) -> list[KeyRecord | Problem]:
    """Revoke keys for callers who may do all that the key may."""
    known = await key_records.by_id(writer, [command.key for command in commands])
    refused = [_unrevokable(command, known.get(command.key)) for command in commands]
    allowed = [
        command for command, refusal in zip(commands, refused, strict=True) if refusal is None
    ]
    ended = await keys.end(writer, [command.key for command in allowed])
    # Reversed: of several revocations of one key, the first is the one that counts.
    done = {command.key: command for command in reversed(allowed) if command.key in ended}
    await actions.record(
        writer,
        [
            Action(
                kind="keys.revoke",
                by=command.by,
                before={"name": known[key].name, "id": str(key)},
            )
            for key, command in done.items()
        ],
    )
    after = await key_records.by_id(writer, list(done))
    return [
        refusal or (after[command.key] if done.get(command.key) is command else _unknown(command))
        for command, refusal in zip(commands, refused, strict=True)
    ]


def _order(command: KeyRequest) -> NewKey:
    return NewKey(
        by=command.by,
        name=command.name,
        scopes=tuple(dict.fromkeys(scope.lower() for scope in command.scopes)),
        days=command.days,
        unique=True,
        limits=command.limits,
        rates=command.rates,
        secret=command.secret,
    )


# ── Who may ──


def may_grant(caller: Principal, scope: str) -> bool:
    """Whether the caller may make a key with this scope."""
    return caller.may(scope) and scope not in limited_scopes(caller.limits)


def _refusal(command: KeyRequest, left: Mapping[UUID, float | None]) -> Problem | None:
    if command.days is not None and not 1 <= command.days <= LONGEST_DAYS:
        return InvalidKeyDays()
    if any(not 0 <= amount <= MAX_LIMIT for amount in as_json(command.limits).values()):
        return InvalidKeyLimit()
    caller, scopes = command.caller, {scope.lower() for scope in command.scopes}
    # An unknown scope is refused as such.
    lacking = sorted(scope for scope in scopes & SCOPES.keys() if not caller.may(scope))
    if lacking:
        return KeyExceedsCaller(
            f"You cannot create a key with permissions that you lack: '{lacking[0]}'.",
            role=lacking[0],
        )
    if caller.rates or scopes & limited_scopes(caller.limits):
        return KeyEvadesLimits()
    return _outlives(command, left)


def _outlives(command: KeyRequest, left: Mapping[UUID, float | None]) -> Problem | None:
    maker = _key_of(command.caller)
    if maker is None:
        return None
    if maker not in left:
        # It was revoked since it was authenticated.
        return KeyExceedsCaller("The key of this request is no longer valid.")
    days = left[maker]
    is_longer = days is not None and (command.days is None or command.days > days)
    return KeyOutlivesMaker() if is_longer else None


def _unrevokable(command: KeyRevocation, key: KeyRecord | None) -> Problem | None:
    if key is None or key.revoked_at is not None:
        return _unknown(command)
    holds = SCOPES.keys() if key.scopes is None else key.scopes
    lacking = sorted(scope for scope in holds if not command.caller.may(scope))
    if lacking:
        return KeyExceedsCaller(
            f"The key has permissions that you lack: '{lacking[0]}'.", role=lacking[0]
        )
    return None


def _unknown(command: KeyRevocation) -> KeyNotFound:
    return KeyNotFound(f"No active key has the id '{command.key}'.")


def _key_of(caller: Principal) -> UUID | None:
    """The id of the key that the caller came with; None: it is a person."""
    kind, _, text = caller.id.partition(":")
    return parse_guid(text) if kind == "key" else None


async def _days_left(writer: Writer, callers: Sequence[Principal]) -> dict[UUID, float | None]:
    """
    For how many days the live keys among the callers have yet; None: without an end.

    They are locked, so none is revoked before the keys that it makes are there to be seen.
    """
    makers = sorted({key for caller in callers if (key := _key_of(caller))})
    if not makers:
        return {}
    rows = await writer.rows(
        f"""
        SELECT id, CASE WHEN isfinite(expires_at)
                        THEN extract(epoch FROM expires_at - now())::float8 / 86400 END AS days
          FROM api_keys
         WHERE id = ANY($1) AND {LIVE}
         ORDER BY id
           FOR SHARE
        """,
        makers,
    )
    return {row["id"]: row["days"] for row in rows}
