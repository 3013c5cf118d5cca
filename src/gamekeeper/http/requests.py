"""Requests: headers, client address (X-Forwarded-For), credential, fields and fingerprint."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address
from secrets import token_hex
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from gamekeeper.core.errors import InvalidBody

LONGEST_REASON = 500
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Identity(Protocol):
    """The authenticated caller, as far as the HTTP layer needs it."""

    @property
    def id(self) -> str: ...

    @property
    def rate_key(self) -> str:
        """Whom its rate limits belong to: the key, the account or the browser session."""
        ...

    @property
    def rates(self) -> str | None:
        """Rate limits of its own, in words."""
        ...

    @property
    def is_key(self) -> bool:
        """Whether it is a program with an API key, and not a person."""
        ...


class Request(Struct, kw_only=True):
    id: str
    method: str
    raw_path: bytes
    query_string: bytes
    headers: dict[str, str]
    peer: str
    scheme: str = "http"
    """Of the connection to us; a reverse proxy may have another with the client."""
    parameters: list[str] = field(default_factory=list)
    fields: Mapping[str, object] = field(default_factory=dict)
    """The fields of the body, as they were sent."""
    body_read: bool = False
    raw_body: bytes = b""
    """The body as it was sent, for routes that keep it."""
    caller: Identity | None = None
    address: str = ""
    """The client's own address, behind the trusted proxies."""
    credential: int = 0
    """A hash of the Authorization header or the session cookie; 0 if there is none."""
    source: str = ""
    """The key of the rate limit until the credential is known to be valid; then empty."""
    rate_headers: tuple[tuple[bytes, bytes], ...] = ()
    """The rest of its rate limits, for the response."""

    @classmethod
    def of(
        cls, scope: Mapping[str, Any], trusted: list[Any], path: bytes | None = None
    ) -> "Request":
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        given = headers.get("x-request-id", "")
        peer = canonical((scope.get("client") or ("",))[0])
        return cls(
            id=given if given and SANE_ID.fullmatch(given) else token_hex(16),
            method=scope["method"],
            raw_path=path_of(scope) if path is None else path,
            query_string=scope["query_string"],
            headers=headers,
            peer=peer,
            scheme=scope.get("scheme", "http"),
            address=_behind(peer, _forwarded(scope), trusted)
            if "x-forwarded-for" in headers
            else peer,
        )

    def __repr__(self) -> str:
        # The headers hold a credential.
        return f"Request({self.method} {self.path} {self.id})"

    @property
    def body_unread(self) -> bool:
        """Whether there may be a body that was not read."""
        announced = self.headers.get("content-length", "0") != "0"
        return not self.body_read and (announced or "transfer-encoding" in self.headers)

    @property
    def reason(self) -> str | None:
        """The caller's reason for the audit log: the header X-Reason, or a field of the body."""
        sent = {name.lower(): value for name, value in self.fields.items()}
        reason = self.headers.get("x-reason") or sent.get("reason")
        if reason is None:
            return None
        if not isinstance(reason, str) or len(reason) > LONGEST_REASON or "\0" in reason:
            raise InvalidBody(f"'reason' must be a string of at most {LONGEST_REASON} characters.")
        return reason

    @property
    def fingerprint(self) -> str:
        """The identity of a request (idempotency): method, path, fields in any order and case."""
        # Of several spellings of one name the last counts, as in `parsing.read`.
        fields = {name.lower(): value for name, value in self.fields.items()}
        ordered = [(name, fields[name]) for name in sorted(fields)]
        sent = msgspec.json.encode([self.method, self.path.rstrip("/"), ordered])
        return "request:" + sent.decode()

    @property
    def path(self) -> str:
        return self.raw_path.decode("latin-1")

    @property
    def has_authorization(self) -> bool:
        """Whether there is an Authorization header: then a cookie does not count."""
        return "authorization" in self.headers

    @property
    def bearer(self) -> str:
        """The bearer token of the Authorization header, or an empty string."""
        scheme, _, credential = self.headers.get("authorization", "").strip().partition(" ")
        return credential.strip() if scheme.lower() == "bearer" else ""


def path_of(scope: Mapping[str, Any]) -> bytes:
    """The path as it was sent, still encoded."""
    return scope.get("raw_path") or scope["path"].encode()


def canonical(address: str) -> str:
    """Convert an IPv4-mapped IPv6 address, `::ffff:10.0.0.1`, to IPv4."""
    if ":" not in address or not _is_address(address):
        return address
    mapped = IPv6Address(address).ipv4_mapped
    return address if mapped is None else str(mapped)


def _forwarded(scope: Mapping[str, Any]) -> list[str]:
    """The addresses of X-Forwarded-For, which may be several headers: the last is the nearest."""
    lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    parts = b",".join(lines).decode("latin-1").split(",")
    return [part.strip() for part in parts if part.strip()]


def _behind(peer: str, chain: list[str], trusted: list[Any]) -> str:
    """The right-most address that is not a trusted proxy; a forged one is further left."""
    address = peer
    while chain and is_within(address, trusted):
        address = canonical(chain.pop())
    return address if _is_address(address) else peer


def is_within(address: str, trusted: list[Any]) -> bool:
    """Whether an address is in one of the trusted networks."""
    return _is_address(address) and any(ip_address(address) in network for network in trusted)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
