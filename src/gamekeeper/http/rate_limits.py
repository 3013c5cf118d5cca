"""
Rate limits: how many requests of one class a caller may send; more of them get 429.

The class of a route follows from what the route says: who may call it, its method, its
priority, and whether it answers a page. Callers with a credential are limited by it, others by
their address (IPv6: by its /64). What limits overload, and the floods of strangers, is
elsewhere (`load_shedding`, `admission`): this divides what there is.
"""

from collections.abc import Awaitable, Sequence
from functools import cache
from math import ceil
from typing import Literal, NoReturn, get_origin

from msgspec import Struct

from gamekeeper.core import rates
from gamekeeper.core.errors import RateLimitExceeded
from gamekeeper.core.observability import metrics
from gamekeeper.core.rates import Rate, Rates
from gamekeeper.core.schemas import LegacyPage, Page
from gamekeeper.core.settings import Settings
from gamekeeper.http.admission import source_of
from gamekeeper.http.rate_counters import REFUSED, LocalCounter, SharedCounter
from gamekeeper.http.requests import Request
from gamekeeper.http.routing import Route

POLICY = b"ratelimit-policy"
REMAINING = b"ratelimit"
"""The fields of draft-ietf-httpapi-ratelimit-headers-11."""


class RateClass(Struct, frozen=True, kw_only=True):
    """What one route is charged as."""

    name: str
    """One of `rates.CLASSES`."""
    bucket: str
    by: Literal["caller", "address", "visitor"]
    """`visitor`: the caller together with the address, which may be that of its visitor."""


def classes_of(route: Route, answer: object) -> tuple[RateClass, ...]:
    """What a request to this route is charged as; `answer` is the type that it returns."""
    if route.roles is None:
        # Health checks must work for whoever watches the service.
        name = "public" if route.priority <= 1 else None
        return tuple(_class(rate, "address") for rate in (route.rate or name,) if rate)
    charged = _class(_name_of(route, answer), "caller", apart=route.priority > 1)
    return (charged, _class(route.rate, "visitor")) if route.rate else (charged,)


def _name_of(route: Route, answer: object) -> str:
    if route.before_sign_in and not route.is_safe:
        return "sign-in"
    if route.priority < 1 or get_origin(answer) in (Page, LegacyPage):
        return "list"
    return "read" if route.is_safe else "write"


@cache
def _class(
    name: str, by: Literal["caller", "address", "visitor"], *, apart: bool = False
) -> RateClass:
    # Heartbeats and the like have a bucket apart: a flood of gifts must not end a game server.
    return RateClass(name=name, bucket=f"{name}{'-always' if apart else ''}:", by=by)


class RateLimits:
    """The rate limits of all callers."""

    def __init__(self, settings: Settings) -> None:
        self._of_people: Rates = {
            **rates.parse(rates.DEFAULTS),
            **rates.parse(settings.rate_limits),
        }
        self._of_keys: Rates = {
            # What the operator turned off is off for keys too, unless they are named.
            **{
                name: rate
                for name, rate in rates.parse(rates.DEFAULTS_OF_KEYS).items()
                if self._of_people[name]
            },
            **rates.parse(settings.key_rate_limits),
        }
        self._local = LocalCounter()
        url = settings.redis_url
        self._shared = SharedCounter(str(url), self._local) if url else None

    async def close(self) -> None:
        if self._shared is not None:
            await self._shared.close()

    def charge(self, kinds: Sequence[RateClass], request: Request) -> Awaitable[None] | None:
        """Charge a request, or raise RateLimitExceeded; with Redis, when the result is awaited."""
        if self._shared is not None:
            return self._charge_shared(self._shared, kinds, request)
        for kind in kinds:
            rate = self._rate(kind, request)
            if rate is None:
                continue
            left = self._local.charge(_bucket(kind, request), rate)
            if left < 0:
                _refuse(rate, request, -left * rate.each)
            elif kind.by != "address":
                whole = int(left)
                # With many a second, there is one more in less than a second.
                _tell(rate, request, whole, rate.each <= 1 or (whole + 1 - left) * rate.each)
        return None

    async def _charge_shared(
        self, counter: SharedCounter, kinds: Sequence[RateClass], request: Request
    ) -> None:
        for kind in kinds:
            rate = self._rate(kind, request)
            if rate is not None:
                left, wait = await counter.take(_bucket(kind, request), rate)
                if left == REFUSED:
                    _refuse(rate, request, wait)
                elif kind.by != "address":
                    _tell(rate, request, left, wait)

    def _rate(self, kind: RateClass, request: Request) -> Rate | None:
        """The caller's own limit, or that of the settings; None: no limit."""
        name, caller = kind.name, request.caller
        if caller is None or not caller.is_key:
            return self._of_people[name]
        if caller.rates is not None and name in (own := rates.stored(caller.rates)):
            return own[name]
        return self._of_keys[name] if name in self._of_keys else self._of_people[name]


def _bucket(kind: RateClass, request: Request) -> str:
    caller = request.caller
    if kind.by == "caller" and caller is not None:
        return kind.bucket + caller.rate_key
    source = request.source or source_of(request.address)
    return f"{kind.bucket}{caller.rate_key if caller else ''}@{source}"


def _tell(rate: Rate, request: Request, left: int, wait: float) -> None:
    """Tell a caller what is left. Strangers learn of a limit only when they meet it."""
    seconds = 1 if wait <= 1 else ceil(wait)
    item = f"{rate.remaining}{left};t={seconds}".encode()
    request.rate_headers += ((POLICY, rate.policy), (REMAINING, item))


def _refuse(rate: Rate, request: Request, wait: float) -> NoReturn:
    _tell(rate, request, 0, wait)
    metrics.RATE_LIMITED.labels(rate.name).inc()
    raise RateLimitExceeded(wait, rate.name)
