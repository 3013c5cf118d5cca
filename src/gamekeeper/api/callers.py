"""
Callers: who makes a request, by its Authorization header or its session cookie, and may they.

If there are both, the header counts. The cookie is good only from our own pages (CSRF), and
never for OAuth: a browser session neither makes tokens nor ends them.
"""

from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.auth.authorisation import authorise
from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Unauthorized
from gamekeeper.core.settings import Settings
from gamekeeper.http.cookies import SessionCookie
from gamekeeper.http.cross_site import SameOrigin
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Route

WITHOUT_COOKIES = "/api/oauth/"


class Callers:
    def __init__(
        self,
        authenticator: Authenticator,
        cookie: SessionCookie,
        same_origin: SameOrigin,
        settings: Settings,
    ) -> None:
        self._authenticator = authenticator
        self._cookie = cookie
        self._same_origin = same_origin
        self._asks_again = settings.staff_step_up == "required"

    async def authenticate(self, request: Request) -> Principal:
        """Return the caller, or raise Unauthorized."""
        if not request.has_authorization and (cookie := self._cookie.read(request)):
            return await self._authenticator.authenticate_session(cookie)
        return await self._authenticator.authenticate(request.bearer)

    def authorise(self, request: Request, caller: Principal | None, route: Route) -> None:
        """Raise Forbidden unless the caller may call the route, by this request."""
        if caller and caller.session:
            if route.path.startswith(WITHOUT_COOKIES):
                raise Unauthorized
            self._same_origin.check(request, is_safe=route.is_safe)
        authorise(
            caller,
            route.roles or frozenset(),
            step_up=route.step_up and self._asks_again,
            before_sign_in=route.before_sign_in,
        )
