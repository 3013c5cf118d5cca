"""
The session cookie: how it is called, read, set and removed.

`__Host-` makes browsers insist on HTTPS, on this very host and on the path `/`, so no other
host of the domain can plant one. Without HTTPS there is a development cookie, and only on one
machine: the service is known by a loopback address, and the browser itself connects from one.
"""

from collections.abc import Iterable

from gamekeeper.core.origins import is_for_development, is_loopback
from gamekeeper.http.requests import Request

NAME = "__Host-gamekeeper"
DEVELOPMENT_NAME = "gamekeeper-dev"
NAMES = (NAME, DEVELOPMENT_NAME)
PLAYER_NAME = "__Host-gamekeeper-player"
PLAYER_DEVELOPMENT_NAME = "gamekeeper-player-dev"

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-proto")
"""Headers of reverse proxies: the connection that we see is not the browser's own."""

Header = tuple[str, str]


class SessionCookie:
    names = NAMES
    same_site = "Strict"

    def __init__(self, public_url: str) -> None:
        self._is_development = is_for_development(public_url)

    def read(self, request: Request) -> str:
        """The value of the cookie, or an empty string."""
        name, development_name = self.names
        sent = values(request.headers.get("cookie", ""), self.names)
        return sent.get(name) or (self._is_local(request) and sent.get(development_name)) or ""

    def issued(self, request: Request, value: str) -> Header:
        """The header that sets the cookie; it ends with the browser, the session before that."""
        name, development_name = self.names
        rest = f"HttpOnly; SameSite={self.same_site}"
        if self._is_local(request):
            return "Set-Cookie", f"{development_name}={value}; Path=/; {rest}"
        return "Set-Cookie", f"{name}={value}; Path=/; Secure; {rest}"

    def removed(self, request: Request) -> Header:
        """The header that removes the cookie."""
        name, header = self.issued(request, "")
        return name, f"{header}; Max-Age=0"

    def _is_local(self, request: Request) -> bool:
        return (
            self._is_development
            and request.scheme == "http"
            and is_loopback(request.peer)
            and not any(name in request.headers for name in FORWARDED)
        )


class PlayerCookie(SessionCookie):
    """
    The cookie of a player who is signed in at the OpenID provider.

    Websites send browsers here, so it comes with a navigation from another site (Lax).
    """

    names = (PLAYER_NAME, PLAYER_DEVELOPMENT_NAME)
    same_site = "Lax"


def values(header: str, names: tuple[str, ...] = NAMES) -> dict[str, str]:
    """Our cookies among those of the header; of several with one name the first counts."""
    found: dict[str, str] = {}
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name in names:
            found.setdefault(name, value)
    return found


def hash_of(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """A hash that stands for the session cookie in memory; 0 if there is none."""
    for name, value in headers:
        if name == b"cookie" and (found := values(value.decode("latin-1"))):
            return hash(frozenset(found.values()))
    return 0
