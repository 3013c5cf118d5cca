"""
Every endpoint of the application, with something valid for each of its fields.

Read from the routes themselves, so an endpoint that is added is tried too.
"""

from typing import Any, get_type_hints
from uuid import UUID, uuid4

import msgspec
from msgspec import Struct

from gamekeeper.access import tokens
from gamekeeper.api.oauth import TokenRequest
from gamekeeper.api.v1.users import CompleteReset
from gamekeeper.app import ROUTES
from gamekeeper.database import Database
from gamekeeper.routing import Route
from gamekeeper.shapes import Body
from gamekeeper.users import resets
from gamekeeper.users.resets import Reset
from gamekeeper.users.vault import Vault
from tests.make import make_item, make_player, make_spell, make_user, make_variable, proved, sha

PASSWORD = "a long password"
NOTHING = UUID(int=0)


def body_of(route: Route) -> type[Body] | None:
    """The shape of the body that a route takes."""
    hints = get_type_hints(route.handler)
    return next((kind for kind in hints.values() if _is_body(kind)), None)


def _is_body(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Body)


WITH_BODY: list[tuple[Route, type[Body]]] = [
    (route, shape) for route in ROUTES if (shape := body_of(route))
]


def label(route: Route) -> str:
    return f"{route.method} {route.path}"


def changes(route: Route) -> bool:
    """Whether the route can change anything: what only reads is handed a reader."""
    return Database in get_type_hints(route.handler).values()


class Stage(Struct, frozen=True, kw_only=True):
    """A player and a user on whom any endpoint works once."""

    player: UUID
    variable: UUID
    item: UUID
    spell: UUID
    known_spell: UUID
    user: UUID
    name: str
    secrets: dict[str, str]

    @classmethod
    async def make(cls, database: Database, route: Route | None = None) -> "Stage":
        """One for any route; faster if it is for one that does not ask for the password."""
        name = f"user-{uuid4().hex[:12]}"
        needed = route is None or _asks_for_password(route)
        user = await make_user(database, name, password=PASSWORD if needed else "", api=True)
        player = await make_player(database, user=user)
        item, known = await make_item(database), await make_spell(database)
        await _own(database, player, item, known)
        return cls(
            player=player,
            variable=await make_variable(database),
            item=item,
            spell=await make_spell(database),
            known_spell=known,
            user=user,
            name=name,
            secrets=await _secrets(database, user),
        )

    def path(self, route: Route, *, key: object = None) -> str:
        """The route's path, with what is on this stage in its places, or another `key`."""
        own = self.player if route.path.startswith("/api/v1/players") else self.user
        return route.path.format_map(
            _Otherwise(
                key=own if key is None else key,
                variable_id=self.variable,
                bag_id=NOTHING,
                player=self.player,
                username=self.name,
                token_id=NOTHING,
            )
        )

    def fields(self, route: Route, shape: type[Body], trying: str = "") -> dict[str, Any]:
        """
        A valid body for the route, with all fields that go together.

        Of those that exclude each other the usual ones are there, unless it is one
        of the others that somebody is `trying`.
        """
        valid = {
            field.encode_name: self._field(route, field.encode_name, field.type)
            for field in msgspec.structs.fields(shape)
        }
        if shape is CompleteReset:
            left_out = {"token"} if trying in ("username", "code") else {"username", "code"}
            valid = {name: value for name, value in valid.items() if name not in left_out}
        if shape is TokenRequest and trying == "refresh_token":
            valid["grant_type"] = "refresh_token"
        return valid

    def _field(self, route: Route, name: str, kind: Any) -> Any:
        about_email = "email" in route.path
        valid: dict[str, Any] = {
            "itemid": str(self.item),
            "spellid": str(self.known_spell if "forget" in route.path else self.spell),
            "username": self.name,
            "password": sha(PASSWORD),
            "authorization": sha(PASSWORD),
            "new": f"new-{self.name}@example.com" if about_email else sha("the next password"),
            "grant_type": "password",
            **self.secrets,
        }
        if route.path.endswith("/register"):
            fresh = f"new-{uuid4().hex[:12]}"
            valid |= {"username": fresh, "email": f"{fresh}@example.com"}
        by_type = {bool: True, int: 1, UUID: str(NOTHING)}
        return valid.get(name, by_type.get(kind, 1 if name == "value" else "text"))


def _asks_for_password(route: Route) -> bool:
    shape = body_of(route)
    return bool(shape and {"password", "authorization"}.intersection(shape.__struct_fields__))


class _Otherwise(dict[str, object]):
    """A path parameter that nobody foresaw is the id of nothing."""

    def __missing__(self, key: str) -> object:
        return NOTHING


async def _own(database: Database, player: UUID, item: UUID, spell: UUID) -> None:
    await database.write(
        lambda writer: writer.run(
            """
            WITH filled AS (
                INSERT INTO slots (player_id, place, slot, item_id, quantity)
                VALUES ($1, 'inventory', 0, $2, 5)
            )
            INSERT INTO player_spells (player_id, slot, spell_id) VALUES ($1, 0, $3)
            """,
            player,
            item,
            spell,
        )
    )


async def _secrets(database: Database, user: UUID) -> dict[str, str]:
    """What was mailed to the user, and what they are signed in with."""
    issued = await tokens.issue.one(database, await proved(database, user))
    reset = Reset(user_id=user, id=uuid4())
    await database.write(
        lambda writer: writer.run(
            """
            INSERT INTO password_resets (user_id, id, expires_at)
            VALUES ($1, $2, now() + interval '30 minutes')
            """,
            reset.user_id,
            reset.id,
        )
    )
    token = resets.link_token(Vault(database.settings), reset)
    return {"token": token, "refresh_token": str(issued.refresh)}
