"""What is known about one call."""

import re
from collections.abc import Mapping
from ipaddress import ip_address
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct, field

from gamekeeper.access.callers import Caller
from gamekeeper.errors import InvalidBody

LONGEST_REASON = 500
SANE_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Request(Struct, kw_only=True):
    id: str
    method: str
    raw_path: bytes
    query_string: bytes
    headers: dict[str, str]
    peer: str
    parameters: list[str] = field(default_factory=list)
    fields: Mapping[str, object] = field(default_factory=dict)
    """The fields of the body, as they were sent."""
    body_read: bool = False
    caller: Caller | None = None
    address: str = ""
    """The caller's own address, looked for behind the proxies we trust."""

    @classmethod
    def of(cls, scope: Mapping[str, Any], trusted: list[Any]) -> "Request":
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        given = headers.get("x-request-id", "")
        peer = (scope.get("client") or ("",))[0]
        return cls(
            id=given if given and SANE_ID.fullmatch(given) else token_hex(16),
            method=scope["method"],
            raw_path=path_of(scope),
            query_string=scope["query_string"],
            headers=headers,
            peer=peer,
            address=_behind(peer, headers.get("x-forwarded-for", ""), trusted),
        )

    def __repr__(self) -> str:
        # Its headers hold a credential.
        return f"Request({self.method} {self.path} {self.id})"

    @property
    def body_unread(self) -> bool:
        """Whether there may be a body that nobody has looked at."""
        announced = self.headers.get("content-length", "0") != "0"
        return not self.body_read and (announced or "transfer-encoding" in self.headers)

    @property
    def reason(self) -> str | None:
        """Why, in the caller's words: the header X-Reason, or a field of the body."""
        sent = {name.lower(): value for name, value in self.fields.items()}
        reason = self.headers.get("x-reason") or sent.get("reason")
        if reason is None:
            return None
        if not isinstance(reason, str) or len(reason) > LONGEST_REASON or "\0" in reason:
            raise InvalidBody(f"'reason' must be a string of at most {LONGEST_REASON} characters.")
        return reason

    @property
    def fingerprint(self) -> str:
        """What makes two requests the same: method, path, and fields in any order and case."""
        fields = sorted((name.lower(), value) for name, value in self.fields.items())
        sent = msgspec.json.encode([self.method, self.path.rstrip("/"), fields])
        return "request:" + sent.decode()

    @property
    def path(self) -> str:
        return self.raw_path.decode("latin-1")

    @property
    def bearer(self) -> str:
        """The credential of the Authorization header, or nothing."""
        scheme, _, credential = self.headers.get("authorization", "").strip().partition(" ")
        return credential.strip() if scheme.lower() == "bearer" else ""


def path_of(scope: Mapping[str, Any]) -> bytes:
    """The path as it was sent, still encoded."""
    return scope.get("raw_path") or scope["path"].encode()


def _behind(peer: str, forwarded: str, trusted: list[Any]) -> str:
    """The right-most address that is not a proxy of ours; a forged one stands further left."""
    if not forwarded:
        return peer
    chain = [part.strip() for part in forwarded.split(",") if part.strip()]
    address = peer
    while chain and _within(address, trusted):
        address = chain.pop()
    return address if _is_address(address) else peer


def _within(address: str, trusted: list[Any]) -> bool:
    return _is_address(address) and any(ip_address(address) in network for network in trusted)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
