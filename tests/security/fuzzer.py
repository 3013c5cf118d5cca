"""
A fuzzer that knows the routes: requests that are nearly right, and some that are not at all.

Everything comes from the dice of one seed and from ids that answers have shown.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from random import Random
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import quote, urlencode
from uuid import UUID

import msgspec
from msgspec import Struct

from gamekeeper.app import ROUTES
from gamekeeper.core.parsing import Scalar
from gamekeeper.core.schemas import Query
from gamekeeper.http.routing import Route
from tests.contract.endpoints import body_of

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
ZERO_ID = str(UUID(int=0))
PASSWORD_ROUTES = 0.1
"""How often, of those of others, a route is tried that hashes passwords: that takes long."""

ODD: list[Any] = [
    *(0, 1, -1, 2, 2**31 - 1, 2**31, -(2**31), 2**63 - 1, 2**63, -(2**63) - 1, 10**30),
    *(True, False, None, 1.0, -0.0, 1e308, 5e-324, float("nan"), float("inf")),
    *("", " ", "0", "1", "-1", "+1", "1e2", "0x10", "007", "１", "true", "False", "null"),
    *("a", "rank", "online", "bag", "register", "Ä", "\u202eadmin", "ad\u034fmin", "🜚" * 20),
    *("\0", "a\0b", "\r\nX: y", "\x1b[2J", "\ud800", "'; DROP TABLE players; --", "%s%n", "${x}"),
    *("../../etc/passwd", "{}", "a" * 64, "a" * 65, "b" * 600, "[" * 40, "0" * 64, "g" * 64),
    *(ZERO_ID, f"{{{ZERO_ID}}}", ZERO_ID.replace("-", ""), ZERO_ID[:-1], ZERO_ID.upper()),
    *("2026-01-01T00:00:00Z", "2026-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z"),
    *("0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2099-01-01T00:00:00.123456789Z"),
    *([], {}, [1], [None], {"a": {"b": [1]}}, ["x"] * 300, [[[[[]]]]], [{}], [{"do": "items"}]),
]
RAW = [
    *(b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b"{'a': 1}"),
    *(b"[" * 5000, b'{"a":' * 40 + b"1" + b"}" * 40, b'{"a": 1, "A": "1", "a": null}', b"a=1&a=2"),
    *(b"%zz=%", b"&&&===", b"\0" * 100, b'{"quantity": 1' + b"0" * 500 + b"}", b'{"\\ud800": 1}'),
]
TYPES = [
    *(JSON, JSON, JSON, JSON, FORM, f"{JSON}; charset=utf-8; x=y", f"{JSON};charset=utf-16"),
    *("text/plain", "", "multipart/form-data; boundary=x", ";;;", f"{JSON}; charset*=x''y"),
]
HEADERS: dict[str, Sequence[str]] = {
    "Idempotency-Key": ("k1", "k2", "k3", "k4", "", "x" * 256, "\u00e9", "a b"),
    "X-Reason": ("because", "", "x" * 501, "\u00ff"),
    "X-Request-Id": ("abc", "x" * 65, "<script>", ""),
    "X-Forwarded-For": ("203.0.113.1", "10.0.0.1, 203.0.113.1", "::1", ",,,", "x" * 500),
    "Last-Event-ID": ("0", "1", "-1", "2147483647", "99999999999999999999", "x", ""),
    "Accept": ("text/event-stream", "*/*", "application/json", ";;"),
    "Content-Encoding": ("gzip", "identity"),
    "Expect": ("100-continue",),
    "Range": ("bytes=0-1",),
}
SLOW_QUERY = {"wait"}
"""A page that waits for an event does so for as long as it is told; that is no hang."""


class Call(Struct, frozen=True, kw_only=True):
    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def raw(self) -> bytes:
        """As it goes over the line; what a header cannot carry is left out."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: fuzz"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        lines += [f"Content-Length: {len(self.body)}", "", ""]
        return "\r\n".join(lines).encode("latin-1", "ignore") + self.body


class World(Struct, kw_only=True):
    """What there is to be named, and the credentials to call with."""

    names: list[str]
    passwords: list[str]
    credentials: list[str]
    by_field: dict[str, list[str]]
    """Ids and names for fields and parts of paths, by how these are called."""
    seen: deque[str] = msgspec.field(default_factory=lambda: deque(maxlen=300))
    """Ids that answers have shown."""


class Fuzzer:
    def __init__(self, seed: int, world: World) -> None:
        self._dice = Random(seed)
        self._world = world
        self._routes = list(ROUTES)
        self._weights = [PASSWORD_ROUTES if _hashes(route) else 1.0 for route in ROUTES]
        self._asked = {route.path: _asked(route) for route in ROUTES if route.method == "GET"}
        self._shapes = {route.handler: body_of(route) for route in ROUTES}

    def call(self) -> Call:
        dice = self._dice
        [route] = dice.choices(self._routes, self._weights)
        method = route.method
        if dice.random() < 0.03:
            method = dice.choice(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
        body, kind = self._body(route) if method in ("POST", "PATCH", "PUT") else (b"", None)
        headers = self._headers()
        if kind is not None:
            headers.append(("Content-Type", kind))
        return Call(method=method, path=self._path(route), headers=headers, body=body)

    def _headers(self) -> list[tuple[str, str]]:
        dice = self._dice
        chosen = [name for name in HEADERS if dice.random() < 0.08]
        headers = [(name, dice.choice(HEADERS[name])) for name in chosen]
        if dice.random() < 0.97:
            headers.append(("Authorization", f"Bearer {dice.choice(self._world.credentials)}"))
        return headers

    # ── Paths ──

    def _path(self, route: Route) -> str:
        parts = [
            quote(str(self._named(part[1:-1])), safe="", errors="replace")
            if part.startswith("{")
            else part
            for part in route.path.split("/")
        ]
        path = "/".join(parts)
        match self._dice.randrange(60):
            case 0:
                path += "/"
            case 1:
                path = path.upper()
            case 2:
                path += self._dice.choice(["//", "/%2e%2e", "%00", "/x", "%ff", "%"])
        return path + self._query(route)

    def _query(self, route: Route) -> str:
        dice = self._dice
        chosen = [name for name in self._asked.get(route.path, ()) if dice.random() < 0.4]
        if dice.random() < 0.03:
            chosen.append(dice.choice(["page", "PAGE", "at", "", "x" * 100]))
        pairs = [(name, str(self._value(name, str))) for name in chosen]
        return "?" + urlencode(pairs, errors="replace") if pairs else ""

    # ── Bodies ──

    def _body(self, route: Route) -> tuple[bytes, str]:
        dice = self._dice
        if dice.random() < 0.05:
            return dice.choice(RAW), dice.choice(TYPES)
        shape = self._shapes[route.handler]
        fields = self._fields(shape) if shape else {}
        if dice.random() < 0.05:
            fields |= {name.upper(): dice.choice(ODD) for name in list(fields)[:1]}
        kind = dice.choice(TYPES) if dice.random() < 0.1 else JSON
        if kind == FORM:
            return urlencode(fields, errors="replace").encode(), kind
        return json.dumps(fields).encode(), kind

    def _fields(self, shape: type[Struct]) -> dict[str, Any]:
        """Those that are required, mostly, and some of the others."""
        return {
            field.encode_name: self._value(field.encode_name, field.type)
            for field in _fields(shape)
            if self._dice.random() < (0.97 if field.required else 0.45)
        }

    def _value(self, name: str, kind: Any) -> Any:
        """Mostly one that fits."""
        if self._dice.random() < 0.12:
            return self._dice.choice(ODD)
        if get_origin(kind) is Annotated:
            kind = get_args(kind)[0]
        if get_origin(kind) is list:
            return [self._one(name, get_args(kind)[0]) for _ in range(self._dice.randrange(4))]
        return self._one(name, kind)

    def _one(self, name: str, kind: Any) -> Any:
        dice = self._dice
        if get_origin(kind) is Literal:
            return dice.choice(get_args(kind))
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self._fields(kind)
        kinds = get_args(kind) or (kind,)
        if name in self._world.by_field or UUID in kinds or str in kinds:
            return self._named(name)
        if int in kinds and kind != Scalar:
            return dice.choice([0, 1, 1, 2, 3, 5, 40])
        if bool in kinds and kind != Scalar:
            return dice.random() < 0.5
        if datetime in kinds:
            return dice.choice(["2026-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
        return dice.choice(ODD)

    def _named(self, name: str) -> Any:
        """Something that the field or part of a path could name."""
        dice, world = self._dice, self._world
        chance = dice.random()
        if chance < 0.7 and name in world.by_field:
            return dice.choice(world.by_field[name])
        if chance < 0.85 and world.seen:
            return dice.choice(world.seen)
        if chance < 0.93:
            return dice.choice(world.names)
        return dice.choice(ODD)


_fields = cache(msgspec.structs.fields)


def _asked(route: Route) -> list[str]:
    """What a query of the route may have."""
    hints = get_type_hints(route.handler).values()
    queries = [hint for hint in hints if isinstance(hint, type) and issubclass(hint, Query)]
    names = [field.encode_name for query in queries for field in _fields(query)]
    return [name for name in names if name not in SLOW_QUERY]


def _hashes(route: Route) -> bool:
    shape = body_of(route)
    names: Mapping[str, object] = dict.fromkeys(shape.__struct_fields__ if shape else ())
    return bool({"password", "authorization", "new"} & names.keys()) or "oauth" in route.path
