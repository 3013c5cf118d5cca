"""Web origins, as browsers write them, and the addresses of a machine itself (loopback)."""

import re
from ipaddress import ip_address
from urllib.parse import urlsplit

DEFAULT_PORTS = {"https": 443, "http": 80}


# What browsers send in the header Origin: international names in their ASCII form.
ORIGIN = re.compile(r"https?://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
UNSENT_PORTS = {"https:": ":443", "http:/": ":80"}


def is_origin(text: str) -> bool:
    """Whether a browser could send this as an origin."""
    return bool(ORIGIN.fullmatch(text)) and not text.endswith(UNSENT_PORTS.get(text[:6], "/"))


def origin_of(url: str) -> str:
    """The origin of a URL: its scheme and host, and its port unless that is the default."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, DEFAULT_PORTS.get(parts.scheme)) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def host_of(url: str) -> str:
    """The host name or address of a URL; empty if it has none or cannot be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_for_development(url: str) -> bool:
    """Whether a service is known to browsers by an address of their own machine, without TLS."""
    return url.startswith("http://") and is_loopback(host_of(url))


def is_loopback(host: str) -> bool:
    """Whether a host name or address means the machine itself."""
    return host == "localhost" or (is_address(host) and ip_address(host).is_loopback)


def is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
