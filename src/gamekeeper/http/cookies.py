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

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-proto")
"""Headers of reverse proxies: the connection that we see is not the browser's own."""

Header = tuple[str, str]


class SessionCookie:
    def __init__(self, public_url: str) -> None:
        self._is_development = is_for_development(public_url)

    def read(self, request: Request) -> str:
        """The value of the cookie, or an empty string."""
        sent = values(request.headers.get("cookie", ""))
        return sent.get(NAME) or (self._is_local(request) and sent.get(DEVELOPMENT_NAME)) or ""

    def issued(self, request: Request, value: str) -> Header:
        """The header that sets the cookie; it ends with the browser, the session before that."""
        if self._is_local(request):
            return "Set-Cookie", f"{DEVELOPMENT_NAME}={value}; Path=/; HttpOnly; SameSite=Strict"
        return "Set-Cookie", f"{NAME}={value}; Path=/; Secure; HttpOnly; SameSite=Strict"

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


def values(header: str) -> dict[str, str]:
    """Our cookies among those of the header; of several with one name the first counts."""
    found: dict[str, str] = {}
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name in NAMES:
            found.setdefault(name, value)
    return found


def hash_of(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """A hash that stands for the session cookie in memory; 0 if there is none."""
    for name, value in headers:
        if name == b"cookie" and (found := values(value.decode("latin-1"))):
            return hash(frozenset(found.values()))
    return 0
