"""The SSRF allowlist of webhooks, in words: `hooks.internal, 10.0.0.7:9000, [::1]:*`."""

import re
from collections.abc import Container

EVERY_PORT = range(1, 65_536)
USUAL_PORTS = frozenset({80, 443, 8443})
# An IPv6 address is written as it is, or in brackets if a port follows.
FORM = re.compile(
    r"(?:(?P<host>[a-z0-9_.-]+)|\[(?P<bracketed>[0-9a-f:.]+)\])(?::(?P<port>\d{1,5}|\*))?"
    r"|(?P<bare>[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)"
)


def parse(words: str) -> dict[str, list[Container[int]]]:
    """The hosts, each with its ports; raises ValueError with the entry that is none."""
    found: dict[str, list[Container[int]]] = {}
    for entry in filter(None, map(str.strip, words.lower().split(","))):
        named = FORM.fullmatch(entry)
        if named is None or int((named["port"] or "1").replace("*", "1")) not in EVERY_PORT:
            raise ValueError(entry)
        host = named["host"] or named["bracketed"] or named["bare"]
        found.setdefault(host, []).append(_ports(named["port"]))
    return found


def _ports(text: str | None) -> Container[int]:
    if text is None:
        return USUAL_PORTS
    return EVERY_PORT if text == "*" else frozenset({int(text)})
