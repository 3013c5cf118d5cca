"""
Redirect URIs: where a browser may be sent back to, compared as exact strings.

The only exception is the port of a loopback address (RFC 8252, 7.3): a launcher listens at
whichever port is free.
"""

import re
from urllib.parse import urlsplit

from gamekeeper.core.errors import Invalid
from gamekeeper.core.origins import is_loopback

MAX_LENGTH = 2000
LOOPBACK = re.compile(r"http://(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?(/[^#]*)?")
UNSAFE = re.compile(r"[^\x21-\x7e]|[\"<>\\^`{|}#]")


class InvalidRedirectUri(Invalid):
    """A redirect URI needs https, or http on a loopback address, and no credentials or fragment."""


def check(uri: str) -> None:
    """Raise InvalidRedirectUri unless a browser may be sent there."""
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise InvalidRedirectUri from None
    if len(uri) > MAX_LENGTH or UNSAFE.search(uri) or "@" in parts.netloc or "*" in parts.netloc:
        raise InvalidRedirectUri
    is_local = parts.scheme == "http" and is_loopback(host)
    if not host or not (parts.scheme == "https" or is_local):
        raise InvalidRedirectUri


def is_registered(uri: str, registered: list[str]) -> bool:
    """Whether a redirect URI is one of those, or one of those on another loopback port."""
    if uri in registered:
        return True
    return is_loopback_ip(uri) and _without_port(uri) in {
        _without_port(known) for known in registered if is_loopback_ip(known)
    }


def is_loopback_ip(uri: str) -> bool:
    """Whether it is a program on the player's own machine that gets the answer."""
    return LOOPBACK.fullmatch(uri) is not None


def _without_port(uri: str) -> str:
    found = LOOPBACK.fullmatch(uri)
    assert found
    return f"{found[1]}{found[3] or ''}"
