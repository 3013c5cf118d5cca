"""Text and examples for the OpenAPI document: API keys."""

from datetime import UTC, datetime
from uuid import UUID

from msgspec import structs

from gamekeeper.api.v1.keys import CreatedKey, KeyScopes, ScopeInWords
from gamekeeper.auth.key_records import KeyLimits, KeyRecord
from gamekeeper.auth.keys import KeyNotFound
from gamekeeper.auth.managed_keys import KeyExceedsCaller
from gamekeeper.auth.principal import SCOPES
from gamekeeper.core.errors import Problem
from gamekeeper.core.schemas import LARGEST_PAGE, Page, Window
from gamekeeper.http.openapi import Example

API_KEY = UUID("9d0c6b1e-4a57-4f0e-8a52-6f6b0e6c2d11")
KEY = KeyRecord(
    id=API_KEY,
    name="website",
    scopes=["players.read", "players.items"],
    limits=KeyLimits(pieces_per_day=20),
    rates="write 100/second",
    state="live",
    created_at=datetime(2026, 3, 14, 18, 0, tzinfo=UTC),
    expires_at=datetime(2027, 3, 14, 18, 0, tzinfo=UTC),
    used_at=datetime(2026, 3, 15, 9, 41, tzinfo=UTC),
    revoked_at=None,
)
MADE = structs.replace(KEY, used_at=None)
ENDED = structs.replace(KEY, state="revoked", revoked_at=datetime(2026, 3, 16, 8, 0, tzinfo=UTC))
WANTED = {
    "name": "website",
    "scopes": ["players.read", "players.items"],
    "days": 365,
    "piecesperday": 20,
    "rates": "write 100/second",
}


LIMIT = "0 to 9007199254740992; without it, no limit."


KEY_EXAMPLES = {
    "list_keys": Example(answer=Page.of([KEY], 1, Window.of(0, LARGEST_PAGE))),
    "list_key_scopes": Example(
        answer=KeyScopes(
            values=[
                ScopeInWords(scope=scope, description=SCOPES[scope], grantable=True)
                for scope in ("players.read", "players.items")
            ]
        )
    ),
    "create_key": Example(body=WANTED, answer=CreatedKey(**structs.asdict(MADE), key="gk_...")),
    "get_key": Example(answer=KEY),
    "revoke_key": Example(answer=ENDED),
}

KEY_REFUSALS: dict[type[Problem], Problem] = {
    KeyNotFound: KeyNotFound(f"No key has the id '{API_KEY}'."),
    KeyExceedsCaller: KeyExceedsCaller(
        "A key may do no more than who makes it: you lack 'players.items'.", role="players.items"
    ),
}
