"""API key endpoints: make keys for websites, bots and game servers, see their use, revoke them."""

from typing import Annotated

from msgspec import Meta, structs

from gamekeeper.api.path_parameters import KeyId
from gamekeeper.auth import credentials, key_records, managed_keys
from gamekeeper.auth.key_records import KeyRecord, State
from gamekeeper.auth.keys import (
    InvalidKeyName,
    InvalidKeyRates,
    KeyNameTaken,
    KeyNotFound,
    UnknownScope,
)
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.managed_keys import (
    InvalidKeyDays,
    InvalidKeyLimit,
    KeyEvadesLimits,
    KeyExceedsCaller,
    KeyOutlivesMaker,
    KeyRequest,
    KeyRevocation,
    TooManyKeys,
)
from gamekeeper.auth.principal import SCOPES, Principal
from gamekeeper.core.parsing import Wide
from gamekeeper.core.schemas import LARGEST_PAGE, Body, Page, Paging, Record
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.http.routing import Routes

routes = Routes("/api/v1/keys", roles=["keys.manage"])


class KeyQuery(Paging, frozen=True):
    page_size: int = LARGEST_PAGE
    state: State | None = None
    """Only keys in this state: `live`, `expired` or `revoked`."""


@routes.get("")
async def list_keys(reader: Reader, query: KeyQuery) -> Page[KeyRecord]:
    """The API keys, newest first, with their last use and without their secrets."""
    return await key_records.list_keys(reader, query.window, query.state)


class ScopeInWords(Record, frozen=True):
    """A scope, what it allows, and whether the caller may give it to a key."""

    scope: str
    description: str
    grantable: bool
    """Whether the caller may create a key with it."""


class KeyScopes(Record, frozen=True):
    values: list[ScopeInWords]


@routes.get("/scopes")
async def list_key_scopes(caller: Principal) -> KeyScopes:
    """All scopes with their descriptions, and which of them the caller may give to a key."""
    return KeyScopes(
        values=[
            ScopeInWords(
                scope=scope,
                description=description,
                grantable=managed_keys.may_grant(caller, scope),
            )
            for scope, description in SCOPES.items()
        ]
    )


class CreatedKey(KeyRecord, frozen=True):
    """A new API key, with its secret for the first and only time."""

    key: str | None
    """
    The key, shown only once: send it as `Authorization: Bearer gk_…`. Null if the request was
    already executed under its `Idempotency-Key`; then revoke the key and create another.
    """


class CreateKey(Body, frozen=True):
    name: str
    """The name of the key, 1 to 64 characters, unique among live keys."""
    scopes: Annotated[list[str], Meta(max_length=64)]
    """The scopes of the key, each one that the caller has."""
    days: int | None = None
    """Days until it expires, 1 to 36500; by default, valid until revoked."""
    pieces_per_day: Wide | None = None
    """Pieces of any one item given per day, 0 to 9007199254740992; by default, no limit."""
    value_per_day: Wide | None = None
    """
    Value given per day, by the values of the catalog, 0 to 9007199254740992; by default, no
    limit.
    """
    largest_gift: Wide | None = None
    """Pieces given by one change, 0 to 9007199254740992; by default, no limit."""
    undos_per_day: Wide | None = None
    """Actions undone per day, 0 to 9007199254740992; by default, no limit."""
    rates: str | None = None
    """
    Rate limits of this key, such as `read 600/minute, write 100/second, list off`; by default,
    those of the settings.
    """


@routes.post(
    "",
    raises=(
        *(InvalidKeyName, InvalidKeyDays, InvalidKeyLimit, InvalidKeyRates, UnknownScope),
        KeyNameTaken,
        *(KeyExceedsCaller, KeyEvadesLimits, KeyOutlivesMaker, TooManyKeys),
    ),
    step_up=True,
)
async def create_key(
    database: Database, caller: Principal, by: AuditContext, body: CreateKey
) -> CreatedKey:
    """
    Create an API key; the key itself is only in this response.

    It can have no scope that the caller lacks, and cannot outlive the caller's own key. Callers
    with limits cannot create keys for the limited permissions.
    """
    order = KeyRequest(
        by=by,
        caller=caller,
        name=body.name,
        scopes=tuple(body.scopes),
        days=body.days,
        limits=Limits(**{name: getattr(body, name) for name in Limits.__struct_fields__}),
        rates=body.rates,
        secret=credentials.new_credential("gk"),
    )
    # The reply is stored under its idempotency key without the secret: never in plaintext.
    made = await managed_keys.create.one(database, order, _without_secret)
    return structs.replace(made, key=str(order.secret))


def _without_secret(key: KeyRecord) -> CreatedKey:
    return CreatedKey(**structs.asdict(key), key=None)


@routes.get("/{id}", raises=(KeyNotFound,))
async def get_key(reader: Reader, id: KeyId) -> KeyRecord:  # noqa: A002
    """One API key, by its id."""
    return await key_records.find_key(reader, id)


@routes.delete("/{id}", raises=(KeyNotFound, KeyExceedsCaller), step_up=True)
async def revoke_key(
    database: Database,
    caller: Principal,
    by: AuditContext,
    id: KeyId,  # noqa: A002
) -> KeyRecord:
    """Revoke an API key. All processes reject it within two seconds."""
    return await managed_keys.revoke.one(database, KeyRevocation(by=by, caller=caller, key=id))
