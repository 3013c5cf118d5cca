"""
Routing: from a method and a path to a handler.

The fixed part of a path matches in any letter case, a trailing slash is
accepted, and a segment is percent-decoded once, after the path was split at its
slashes: ``%2F`` in a name does not split the segment.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Literal
from urllib.parse import unquote

from msgspec import Struct

from gamekeeper.core.errors import MethodNotAllowed, Problem, RouteNotFound

Handler = Callable[..., Awaitable[Any]]


class Route(Struct, frozen=True, kw_only=True):
    method: str
    path: str
    handler: Handler
    roles: frozenset[str] | None
    """The roles the caller needs; None: a public route, without a credential."""
    raises: tuple[type[Problem], ...] = ()
    """The errors specific to this operation, for the OpenAPI document."""
    successor: str | None = None
    """A deprecated route names the path that replaces it."""
    failure: Callable[[Problem], Struct | None] | None = None
    """The error format of this route, if another standard defines it; None: the usual one."""
    largest: int = 64 * 1024
    """The most bytes of a body."""
    head: bool = True
    """Whether HEAD is accepted for a GET route; False if GET changes something."""
    revalidated: bool = False
    """Whether clients may keep a response and ask by its ETag whether it is still the same."""
    media_type: str = "text/plain"
    """Of a response that is not JSON."""
    priority: float = 1.0
    """The share of the concurrency limit that admits it; less for requests that can wait."""
    calls_out: bool = False
    """
    Whether it waits for another service. These requests have limits of their own: a service that is
    slow must not take the slots of other requests, or lower the limit of all.
    """
    step_up: bool = False
    """Whether a browser session must have verified its second factor within ten minutes."""
    keeps_body: bool = False
    """Whether the handler needs the body as it was sent, to verify a signature over it."""
    takes_key: bool = True
    """
    Whether a change has an `Idempotency-Key` in the OpenAPI document; False if the keys are fields
    of the body, or if repeating the request is safe without one.
    """

    claims_first: bool = False
    """
    Whether its handler does nothing before the operation that claims the idempotency key: the
    operation finds a stored reply, so it is not looked up before the handler.
    """

    rate: Literal["sign-in", "register", "reset"] | None = None
    """The class of its rate limit, unless the rest of the route determines it."""

    before_sign_in: frozenset[str] = frozenset()
    """The states of an unfinished browser session in which it may call this."""

    @property
    def is_safe(self) -> bool:
        """Whether a page of another site gains nothing by having a browser send it."""
        return self.method == "GET" and self.head


class Routes:
    """A list of routes that share a path prefix and the roles they require."""

    def __init__(self, prefix: str, *, roles: Iterable[str] | None = ()) -> None:
        self.prefix = prefix
        self.roles = None if roles is None else frozenset(roles)
        self.routes: list[Route] = []

    def get(self, path: str, *roles: str, **about: Any) -> Callable[[Handler], Handler]:
        return self._add("GET", path, roles, about)

    def post(self, path: str, *roles: str, **about: Any) -> Callable[[Handler], Handler]:
        return self._add("POST", path, roles, about)

    def put(self, path: str, *roles: str, **about: Any) -> Callable[[Handler], Handler]:
        return self._add("PUT", path, roles, about)

    def patch(self, path: str, *roles: str, **about: Any) -> Callable[[Handler], Handler]:
        return self._add("PATCH", path, roles, about)

    def delete(self, path: str, *roles: str, **about: Any) -> Callable[[Handler], Handler]:
        return self._add("DELETE", path, roles, about)

    def _add(
        self, method: str, path: str, roles: Sequence[str], about: dict[str, Any]
    ) -> Callable[[Handler], Handler]:
        def add(handler: Handler) -> Handler:
            self.routes.append(
                Route(
                    method=method,
                    path=self.prefix + path,
                    handler=handler,
                    roles=None if self.roles is None else self.roles | frozenset(roles),
                    **about,
                )
            )
            return handler

        return add


class PathNode:
    """A node of the path tree: one segment, and the segments that may follow it."""

    def __init__(self) -> None:
        self.fixed: dict[str, PathNode] = {}
        self.parameter: PathNode | None = None
        self.routes: dict[str, Any] = {}


class Router:
    """Finds the target that was registered for a path; the target may be of any type."""

    def __init__(self) -> None:
        self._root = PathNode()

    def add(self, method: str, path: str, target: Any) -> None:
        node = self._root
        for segment in filter(None, path.split("/")):
            if segment.startswith("{"):
                node.parameter = node = node.parameter or PathNode()
            elif (name := segment.lower()) in node.fixed:
                node = node.fixed[name]
            else:
                node.fixed[name] = node = PathNode()
        assert method not in node.routes, f"{method} {path} is there twice"
        node.routes[method] = target

    def find(self, method: str, path: bytes) -> tuple[Any, list[str]]:
        """The target for `path`, and the values of its parameters in order."""
        if not path.startswith(b"/"):
            raise RouteNotFound  # `*` of OPTIONS
        segments = path.decode("latin-1").split("/")[1:]
        if b"%" in path:
            segments = [unquote(part) for part in segments]
        if segments and segments[-1] == "":
            segments.pop()
        values: list[str] = []
        node = _walk(self._root, segments, 0, values)
        if node is None:
            raise RouteNotFound
        if method not in node.routes:
            raise MethodNotAllowed(list(node.routes))
        return node.routes[method], values


def _walk(node: PathNode, segments: list[str], at: int, values: list[str]) -> PathNode | None:
    """Match `segments`; a fixed segment wins over a parameter, if the rest matches too."""
    for position in range(at, len(segments)):
        head = segments[position]
        fixed = node.fixed.get(head) or node.fixed.get(head.lower())
        if node.parameter is None or head == "":
            if fixed is None:
                return None
            node = fixed
            continue
        before = len(values)
        if fixed and (found := _walk(fixed, segments, position + 1, values)):
            return found
        values[before:] = [head]
        node = node.parameter
    return node if node.routes else None
