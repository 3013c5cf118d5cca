"""
Where a webhook may lead: to the public internet, and to what the operator names.

Whoever may make a webhook could otherwise have us knock on doors inside our own
network. A name is resolved, every address it has is looked at, and the connection
is made to the address that was looked at: what the name means a moment later does
not matter.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

import idna
from msgspec import Struct

from gamekeeper.errors import Invalid
from gamekeeper.settings import Settings

LONGEST = 2000
PORTS = frozenset({443, 8443})
RESOLVE_SECONDS = 3

# What is not public and not always said to be so, and what hides an address in another.
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
    """That is not an address a webhook can have: https, a name, and no user in it."""


class ForbiddenTarget(Invalid):
    """Webhooks may not lead there; an operator may allow the host by name."""


class Target(Struct, frozen=True):
    """An address as it is called, before anybody knows where it leads."""

    host: str
    port: int
    path: str
    tls: bool
    named: bool
    """Whether the operator has named the host, so that it may lead anywhere."""

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse(settings: Settings, url: str) -> Target:
    """The target of `url`, if a webhook may be called so at all."""
    try:
        parts = urlsplit(url)
        host, port = _host(parts.hostname or ""), parts.port
    except ValueError:
        raise InvalidWebhookUrl from None
    named = host in settings.webhook_host_names
    plain = url.isascii() and url.isprintable() and not set(url) & set(' "<>\\^`{|}')
    if not plain or not host or len(url) > LONGEST or "@" in parts.netloc or "#" in url:
        raise InvalidWebhookUrl
    if parts.scheme not in (("https", "http") if named else ("https",)):
        raise InvalidWebhookUrl
    tls = parts.scheme == "https"
    port = (443 if tls else 80) if port is None else port
    if not port or not (named or port in PORTS):
        raise InvalidWebhookUrl("A webhook's port is 443 or 8443.")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(host, port, path, tls, named)


def _host(text: str) -> str:
    """In lower case, without a last dot; a name of another script as DNS knows it."""
    host = text.rstrip(".").lower()
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        raise ValueError from None


async def look_up(host: str, port: int) -> list[str]:
    """The addresses that the system knows for a name."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def addresses(target: Target, resolve: Resolve = look_up) -> list[str]:
    """Where the target leads now; ForbiddenTarget if any of it is not public."""
    async with asyncio.timeout(RESOLVE_SECONDS):
        found = await resolve(target.host, target.port)
    if not found:
        raise OSError("The name has no address.")
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
