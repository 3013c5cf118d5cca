"""
Discord: OAuth 2.0 with PKCE. The identity is the user that the fresh token belongs to.

Discord has no ID token for websites; the `id` of `/users/@me` is the only stable key. The token
is discarded: revoking it would revoke all tokens that the person gave us.
"""

from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from gamekeeper.core.settings import Settings
from gamekeeper.core.sign_in_sources import LABELS, DiscordSource
from gamekeeper.users.identities import records
from gamekeeper.users.identities.records import DISCORD
from gamekeeper.users.identities.sources import proofs
from gamekeeper.users.identities.sources.proofs import FlowSecrets, Person, ProofRefused

AUTHORIZE = "https://discord.com/oauth2/authorize"
API = "https://discord.com/api/v10"


class Discord:
    label = LABELS[DISCORD]
    is_posted = False

    def __init__(self, settings: Settings, source: DiscordSource) -> None:
        self._settings = settings
        self._source = source

    async def authorization_url(self, flow: FlowSecrets) -> str:
        asked = {
            "response_type": "code",
            "client_id": self._source.client_id,
            "redirect_uri": flow.redirect_uri,
            "scope": "identify",
            "state": flow.state,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        return f"{AUTHORIZE}?{urlencode(asked)}"

    async def prove(self, flow: FlowSecrets, answer: Mapping[str, str]) -> Person:
        token = await self._token(flow, answer)
        headers = [("Authorization", f"Bearer {token}")]
        user = proofs.parsed(await proofs.fetch(self._settings, "GET", f"{API}/users/@me", headers))
        subject, name = user.get("id"), user.get("global_name") or user.get("username")
        if not isinstance(subject, str) or not records.SUBJECTS[DISCORD].fullmatch(subject):
            raise ProofRefused
        name = name if isinstance(name, str) else None
        return Person(issuer=DISCORD, subject=subject, display_name=name)

    async def _token(self, flow: FlowSecrets, answer: Mapping[str, str]) -> str:
        if not answer.get("code"):
            raise ProofRefused
        form = {
            "grant_type": "authorization_code",
            "code": answer["code"],
            "redirect_uri": flow.redirect_uri,
            "code_verifier": flow.verifier,
        }
        url, body = f"{API}/oauth2/token", urlencode(form).encode()
        headers = [basic(self._source.client_id, self._source.client_secret)]
        granted = proofs.parsed(await proofs.fetch(self._settings, "POST", url, headers, body))
        token, kind = granted.get("access_token"), granted.get("token_type")
        if not isinstance(token, str) or str(kind).lower() != "bearer":
            raise ProofRefused
        return token


def basic(client: str, secret: str) -> tuple[str, str]:
    """The header of HTTP Basic authentication, encoded as RFC 6749 (2.3.1) says."""
    pair = f"{quote(client, safe='')}:{quote(secret, safe='')}"
    return "Authorization", f"Basic {b64encode(pair.encode()).decode()}"
