"""
Steam: OpenID 2.0 with a browser, and tickets of game clients.

The signature of Steam cannot be checked here: Steam itself confirms it, at an address that is a
constant and never that of the answer. OpenID 2.0 has no state, so it is in `return_to`, which is
signed. Every check of `_check` has a test that fails without it.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode, urlsplit

from gamekeeper.core.settings import Settings
from gamekeeper.core.sign_in_sources import LABELS, SteamSource
from gamekeeper.users.identities.records import STEAM, SUBJECTS
from gamekeeper.users.identities.sources import proofs
from gamekeeper.users.identities.sources.proofs import (
    FlowSecrets,
    InvalidTicket,
    Person,
    ProofRefused,
    SourceNotFound,
)

ENDPOINT = "https://steamcommunity.com/openid/login"
TICKETS = "https://partner.steam-api.com/ISteamUserAuth/AuthenticateUserTicket/v1/"
NAMESPACE = "http://specs.openid.net/auth/2.0"
SELECT = f"{NAMESPACE}/identifier_select"
SIGNED = "signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle"
IDENTITY = re.compile(r"https://steamcommunity\.com/openid/id/(76561[0-9]{12})/?")
NONCE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)[!-~]{0,235}")
NONCE_SECONDS = 300
TICKET = re.compile(r"([0-9a-fA-F]{2}){1,2048}")


class Steam:
    label = LABELS[STEAM]
    is_posted = False

    def __init__(self, settings: Settings, source: SteamSource) -> None:
        self._settings = settings
        self._source = source

    async def authorization_url(self, flow: FlowSecrets) -> str:
        origin = urlsplit(flow.redirect_uri)
        asked = {
            "openid.ns": NAMESPACE,
            "openid.mode": "checkid_setup",
            "openid.identity": SELECT,
            "openid.claimed_id": SELECT,
            "openid.return_to": _return_to(flow),
            "openid.realm": f"{origin.scheme}://{origin.netloc}/",
        }
        return f"{ENDPOINT}?{urlencode(asked)}"

    async def prove(self, flow: FlowSecrets, answer: Mapping[str, str]) -> Person:
        subject = _check(flow, answer, datetime.now(UTC))
        asked = {name: value for name, value in answer.items() if name.startswith("openid.")}
        asked["openid.mode"] = "check_authentication"
        body = urlencode(asked).encode()
        confirmed = await proofs.fetch(self._settings, "POST", ENDPOINT, body=body)
        if confirmed.status != 200 or not _is_valid(confirmed.body):
            raise ProofRefused
        return Person(
            issuer=STEAM, subject=subject, replay_key=f"steam {answer['openid.response_nonce']}"
        )

    async def prove_ticket(self, ticket: str) -> Person:
        """Who a ticket of GetAuthTicketForWebApi belongs to, in hexadecimal digits."""
        if self._source.api_key is None or self._source.app_id is None:
            raise SourceNotFound
        if not TICKET.fullmatch(ticket):
            raise InvalidTicket(None, field="ticket")
        asked = {
            "key": self._source.api_key,
            "appid": str(self._source.app_id),
            "ticket": ticket,
            "identity": self._source.identity,
        }
        url = f"{TICKETS}?{urlencode(asked)}"
        found = proofs.parsed(await proofs.fetch(self._settings, "GET", url))
        response = found.get("response")
        params = response.get("params") if isinstance(response, dict) else None
        if not isinstance(params, dict) or params.get("result") != "OK":
            raise ProofRefused
        subject, owner = params.get("steamid"), params.get("ownersteamid")
        if not isinstance(subject, str) or not SUBJECTS[STEAM].fullmatch(subject):
            raise ProofRefused
        # A borrowed game (family sharing): a ban of the owner would not stop the borrower.
        if owner not in (None, subject) or params.get("publisherbanned"):
            raise ProofRefused
        return Person(issuer=STEAM, subject=subject)


def _return_to(flow: FlowSecrets) -> str:
    return f"{flow.redirect_uri}?{urlencode({'state': flow.state})}"


def _check(flow: FlowSecrets, answer: Mapping[str, str], now: datetime) -> str:
    """The SteamID64 that an answer claims, or raise ProofRefused."""
    found = IDENTITY.fullmatch(answer.get("openid.claimed_id", ""))
    right = (
        answer.get("openid.mode") == "id_res",
        answer.get("openid.ns") == NAMESPACE,
        answer.get("openid.op_endpoint") == ENDPOINT,
        answer.get("openid.claimed_id") == answer.get("openid.identity"),
        answer.get("openid.signed") == SIGNED,
        answer.get("openid.return_to") == _return_to(flow),
        _is_recent(answer.get("openid.response_nonce", ""), now),
    )
    if found is None or not all(right):
        raise ProofRefused
    return found[1]


def _is_recent(nonce: str, now: datetime) -> bool:
    found = NONCE.fullmatch(nonce)
    try:
        made = datetime.fromisoformat(found[1]) if found else None
    except ValueError:
        return False
    return made is not None and abs(now - made) <= timedelta(seconds=NONCE_SECONDS)


def _is_valid(body: bytes) -> bool:
    """Whether Steam confirms it, as key-values: a substring could be in another value."""
    lines = [line.partition(":") for line in body.decode("utf-8", "replace").splitlines()]
    values = [(name, value) for name, _, value in lines if name]
    return values.count(("ns", NAMESPACE)) == 1 and [
        value for name, value in values if name == "is_valid"
    ] == ["true"]
