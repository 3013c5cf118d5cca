"""
SSRF protection: the URLs and addresses that webhooks may target.

Otherwise a caller that may create webhooks could make the service send requests into its own
network. A name is resolved, each of its addresses is checked, and the connection is made to a
checked address: so DNS rebinding has no effect.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from msgspec import Struct

from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Settings

MAX_URL_LENGTH = 2000
PORTS = frozenset({443, 8443})
RESOLVE_SECONDS = 3
HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|[0-9a-f:.]*:[0-9a-f:.]*")
"""A DNS name, also an internationalized one (`xn--…`), or an IP address."""

# Networks that are not public but that `ipaddress` does not always report as such, and those
# that embed another address (IPv4-mapped, NAT64, 6to4).
HIDDEN = [
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "::/96",
        "::ffff:0:0/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",
        "2002::/16",
        "3fff::/20",
        "5f00::/16",
        "fec0::/10",
        "ff00::/8",
    )
]

Resolve = Callable[[str, int], Awaitable[list[str]]]


class InvalidWebhookUrl(Invalid):
    """A webhook URL needs https and a host name, without credentials."""


# The message does not say which of the two: otherwise it would reveal internal host names.
class ForbiddenTarget(Invalid):
    """The host does not resolve or is blocked. Operators: see GAMEKEEPER_WEBHOOK_HOSTS."""


class Target(Struct, frozen=True):
    """A parsed URL, before its host name is resolved."""

    host: str
    port: int
    path: str
    tls: bool
    named: bool
    """Whether the operator's allowlist has the host and port: then any address is allowed."""

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse(settings: Settings, url: str) -> Target:
    """Parse and validate `url`; raise InvalidWebhookUrl."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise InvalidWebhookUrl from None
    port = (80 if parts.scheme == "http" else 443) if port is None else port
    named = any(port in ports for ports in settings.webhook_ports.get(host, ()))
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}')
    if not plain or not HOST.fullmatch(host) or len(url) > MAX_URL_LENGTH:
        raise InvalidWebhookUrl
    if "@" in parts.netloc or "#" in url:
        raise InvalidWebhookUrl
    if parts.scheme not in (("https", "http") if named else ("https",)):
        raise InvalidWebhookUrl
    if not (named or port in PORTS):
        raise InvalidWebhookUrl("The port of a webhook URL must be 443 or 8443.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port, path, parts.scheme == "https", named)


def origin(url: str) -> str:
    """The origin of a URL, without path and query, which may contain a token."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split('[/?#]', rest, maxsplit=1)[0]}/"


async def look_up(host: str, port: int) -> list[str]:
    """Resolve a name with the system's resolver."""
    loop = asyncio.get_running_loop()
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await loop.run_in_executor(LOOKUPS, ask)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


# A lookup cannot be cancelled; one that hangs blocks its thread for half a minute. So the
# pool is large, and nothing else uses it.
LOOKUPS = ThreadPoolExecutor(64, thread_name_prefix="webhook names")


async def check(target: Target, resolve: Resolve = look_up) -> None:
    """Raise ForbiddenTarget if it does not resolve to public addresses, unless allowlisted."""
    if target.named:
        return
    try:
        await addresses(target, resolve)
    except (OSError, UnicodeError):
        raise ForbiddenTarget from None


async def addresses(target: Target, resolve: Resolve = look_up) -> list[str]:
    """Resolve the target; raise ForbiddenTarget if any address is not public."""
    async with asyncio.timeout(RESOLVE_SECONDS):
        found = await resolve(target.host, target.port)
    if not found:
        raise OSError("The host name does not resolve.")
    if not target.named and not all(is_public(address) for address in found):
        raise ForbiddenTarget
    return found


def is_public(text: str) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return _is_global(address) and not any(
        address in network for network in HIDDEN if network.version == address.version
    )


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast and not address.is_reserved
