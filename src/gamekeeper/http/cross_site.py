"""
CSRF (cross-site request forgery): a cookie is good only for requests of our own pages.

A browser adds cookies to requests that pages of others make. So a change by cookie needs two
things that such a page cannot send: `Sec-Fetch-Site: same-origin`, or an Origin that is ours,
which the browser itself writes; and the header `X-Gamekeeper: 1`, which a form cannot have and
a script of another origin only after a preflight that we do not grant.
"""

from gamekeeper.core.errors import Forbidden
from gamekeeper.core.origins import origin_of
from gamekeeper.http.requests import Request

HEADER = "x-gamekeeper"
READERS = frozenset({"", "same-origin", "none"})
"""The values of Sec-Fetch-Site with which a cookie may read: our pages, or a typed address."""


class CrossSiteRequest(Forbidden):
    """Requests with a session cookie need the same origin and the header X-Gamekeeper: 1."""

    cacheable = False


class SameOrigin:
    """Tells requests of our own pages from those of others."""

    def __init__(self, public_url: str) -> None:
        self._origin = origin_of(public_url)

    def check(self, request: Request, *, is_safe: bool) -> None:
        """Raise CrossSiteRequest unless the request comes from a page of ours."""
        site = request.headers.get("sec-fetch-site", "")
        if is_safe:
            allowed = site in READERS
        else:
            marked = request.headers.get(HEADER) == "1"
            allowed = marked and (site == "same-origin" if site else self._is_ours(request))
        if not allowed:
            raise CrossSiteRequest

    def _is_ours(self, request: Request) -> bool:
        """By its Origin, for browsers that do not send Sec-Fetch-Site."""
        origin = request.headers.get("origin", "")
        scheme, mark, host = origin.partition("://")
        if not mark or scheme not in ("http", "https"):
            return False
        return origin == self._origin or host == request.headers.get("host", "")
