"""How a client reaches the service: address, credential, timeout and retries."""

import os
import platform
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2

from gamekeeper_client.calls import Call
from gamekeeper_client.retries import Retries, RetryPolicy
from gamekeeper_client.version import __version__

H = TypeVar("H", httpx2.Client, httpx2.AsyncClient)

URL = "GAMEKEEPER_CLIENT_URL"
KEY = "GAMEKEEPER_CLIENT_KEY"
TIMEOUT = 10.0
USER_AGENT = (
    f"gamekeeper-client/{__version__} python/{platform.python_version()} "
    f"httpx2/{httpx2.__version__}"
)


@dataclass(frozen=True)
class Connection:
    """The options of a client; nothing of it is stored in the HTTP client, which may be shared."""

    url: str
    key: str = field(repr=False)
    timeout: float
    retries: RetryPolicy

    @property
    def headers(self) -> dict[str, str]:
        known = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {"User-Agent": USER_AGENT} | known

    def attempts(self, call: Call) -> Retries:
        return Retries(self.retries, once=call.once, about=call.about)

    def request(self, call: Call, left: float) -> dict[str, Any]:
        return {
            "method": call.method,
            "url": self.url + call.path,
            "params": call.query,
            "json": call.body or None,
            "headers": self.headers | call.headers,
            "timeout": min(self.timeout, left),
        }

    def __str__(self) -> str:
        """The address, without a password that may be in it."""
        return repr(httpx2.URL(self.url)).removeprefix("URL(").removesuffix(")")


def connection(
    url: str | None, key: str | None, timeout: float | None, retries: RetryPolicy | int | None
) -> Connection:
    """The options as given, else of the environment, else the defaults."""
    url = os.environ.get(URL, "") if url is None else url
    if not url:
        raise ValueError(f"no URL of the service: pass one, or set {URL}")
    if timeout is not None and timeout <= 0:
        raise ValueError("a timeout must be more than 0 seconds")
    return Connection(
        url=_address(url),
        key=_credential(os.environ.get(KEY, "") if key is None else key),
        timeout=TIMEOUT if timeout is None else timeout,
        retries=RetryPolicy() if retries is None else policy(retries),
    )


def _address(url: str) -> str:
    url = url.strip()
    try:
        httpx2.URL(url)
    except httpx2.InvalidURL as wrong:
        raise ValueError(f"the URL of the service is none: {wrong}") from None
    return url.rstrip("/")


def _credential(key: str) -> str:
    """A key from a file may end with a line break; in an error of HTTP it would be shown."""
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ValueError("the key has characters that no key has")
    return key


def http_client(given: H | None, kind: type[H]) -> H:
    """The HTTP client to use: a new one, unless one of the right kind was given."""
    if given is None:
        return kind()
    if not isinstance(given, kind):
        raise TypeError(f"http_client must be an httpx2.{kind.__name__}, not {type(given)}")
    return given


def policy(retries: RetryPolicy | int) -> RetryPolicy:
    """A number is how often a call is repeated after the first attempt."""
    if isinstance(retries, RetryPolicy):
        return retries
    if retries < 0:
        raise ValueError("retries must not be less than 0")
    return RetryPolicy(attempts=retries + 1)
