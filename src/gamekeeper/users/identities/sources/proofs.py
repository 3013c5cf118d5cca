"""What a source is asked and what it proves: the interface that each source has."""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Protocol

import msgspec
import structlog
from msgspec import Struct

from gamekeeper.auth.secrets import Vault
from gamekeeper.core.errors import Forbidden, Invalid, NotFound, Problem, Unavailable
from gamekeeper.core.settings import Settings
from gamekeeper.egress import http_client, targets
from gamekeeper.egress.http_client import Fetched, FetchFailed

log = structlog.get_logger()

JSON = "application/json"


class SourceNotFound(NotFound):
    """This sign-in source is not configured."""


class ProofRefused(Forbidden):
    """The other service did not confirm the sign-in. Start again."""

    cacheable = False


class SourceUnavailable(Unavailable):
    """The other service does not answer. Try again later."""


class InvalidTicket(Invalid):
    """'ticket' must be 2 to 4096 hexadecimal digits."""


class Person(Struct, frozen=True, kw_only=True):
    """A person whom a source has proven to be who they say."""

    issuer: str
    subject: str
    display_name: str | None = None
    replay_key: str | None = None
    """A one-time value of the proof, which must not be accepted again; None: the code is one."""

    def __repr__(self) -> str:
        return f"Person({self.issuer})"


class FlowSecrets(Struct, frozen=True, kw_only=True):
    """What binds the answer of a source to its request; derived from the state, never stored."""

    state: str
    nonce: str
    verifier: str
    """PKCE (RFC 7636)."""
    redirect_uri: str

    @classmethod
    def of(cls, vault: Vault, state: str, redirect_uri: str) -> "FlowSecrets":
        return cls(
            state=state,
            nonce=_text(vault.hmac(f"sign-in nonce:{state}")),
            verifier=_text(vault.hmac(f"sign-in verifier:{state}")),
            redirect_uri=redirect_uri,
        )

    @property
    def challenge(self) -> str:
        return _text(sha256(self.verifier.encode()).digest())

    def __repr__(self) -> str:
        return "FlowSecrets(…)"


class IdentitySource(Protocol):
    """One service that proves identities."""

    @property
    def label(self) -> str:
        """Its name for people."""
        ...

    @property
    def is_posted(self) -> bool:
        """Whether its answer is a cross-site POST (form_post)."""
        ...

    async def authorization_url(self, flow: FlowSecrets) -> str:
        """Where the browser goes."""
        ...

    async def prove(self, flow: FlowSecrets, answer: Mapping[str, str]) -> Person:
        """Who the parameters of the answer prove; raises ProofRefused or SourceUnavailable."""
        ...


async def fetch(
    settings: Settings,
    method: str,
    url: str,
    headers: list[tuple[str, str]] | None = None,
    body: bytes = b"",
) -> Fetched:
    """A response of a source; raises SourceUnavailable if there is none, or a server error."""
    try:
        target = targets.parse(settings, url)
        answer = await http_client.fetch(target, method, headers or [], body)
    except (FetchFailed, Problem) as fault:
        # Without the path, which may contain a ticket.
        log.warning("source_unreachable", origin=targets.origin(url), fault=str(fault))
        raise SourceUnavailable from None
    # 403 is how Valve and Cloudflare limit rates: nothing is wrong with the person.
    if answer.status >= 500 or answer.status in (403, 429):
        log.warning("source_refuses", origin=targets.origin(url), status=answer.status)
        raise SourceUnavailable
    return answer


def parsed(answer: Fetched) -> dict[str, Any]:
    """The JSON object of a successful response; raises ProofRefused for any other."""
    try:
        found = msgspec.json.decode(answer.body) if answer.status == 200 else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = None
    if not isinstance(found, dict):
        raise ProofRefused
    return found


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
