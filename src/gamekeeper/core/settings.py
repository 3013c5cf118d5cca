"""
Settings (configuration); the only module that reads environment variables.

Each field is one variable: ``GAMEKEEPER_`` and its name in capitals. An unknown
variable that starts with ``GAMEKEEPER_`` prevents the start: a misspelled setting
must never be a silent default.
"""

import re
from collections.abc import Container, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from os import environ
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from gamekeeper.core import failpoints

PREFIX = "GAMEKEEPER_"

DEVELOPMENT_KEY = "00" * 32
DEVELOPMENT_PASSWORD_KEY = "dev:" + DEVELOPMENT_KEY
DEVELOPMENT_ANCHOR_KEY = DEVELOPMENT_KEY
DEVELOPMENT_URL = "http://127.0.0.1:8000"
DEVELOPMENT_SENDER = "Gamekeeper <gamekeeper@localhost>"


class Hidden(str):
    """A secret string, masked in logs and tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Hidden('***')"


class BadSettings(Exception):
    """The environment variables are not a valid configuration."""


# One host only: the replay position of one replica says nothing about another.
ONE_SERVER = re.compile(r"postgres(ql)?://([^@/]*@)?[^@/,]*(/|$)")

EVERY_PORT = range(1, 65_536)
USUAL_PORTS = frozenset({80, 443, 8443})
# An IPv6 address is written as it is, or in brackets if a port follows.
WEBHOOK_HOST = re.compile(
    r"(?:(?P<host>[a-z0-9_.-]+)|\[(?P<bracketed>[0-9a-f:.]+)\])(?::(?P<port>\d{1,5}|\*))?"
    r"|(?P<bare>[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)"
)

# What browsers send in the header Origin: international names in their ASCII form.
ORIGIN = re.compile(r"https?://([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
DEFAULT_PORTS = {"https:": ":443", "http:/": ":80"}

Positive = Annotated[int, Meta(gt=0)]
Slots = Annotated[int, Meta(gt=0, le=1000)]


class Settings(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename=lambda name: PREFIX + name.upper(),
):
    database_url: Hidden
    """postgresql://user:password@host:port/database"""

    replica_url: Hidden | None = None
    """The URL of a streaming replica; `serve` then sends read-only queries to it."""

    password_keys: Hidden = Hidden(DEVELOPMENT_PASSWORD_KEY)
    """`name:64 hex digits`, several with commas; the first encrypts, all of them decrypt."""

    public_url: str = DEVELOPMENT_URL
    """The base URL of this service for browsers; the links in mails begin with it."""

    smtp_url: Hidden | None = None
    """smtp://user:password@host:port, or smtps://. Without it no mail is sent."""

    mail_from: str = DEVELOPMENT_SENDER
    game_name: str = "the game"
    """The name of your game in mails and pages."""

    inventory_slots: Slots = 35
    bank_slots: Slots = 100
    spell_slots: Slots = 35

    characters_per_user: Annotated[int, Meta(ge=1, le=1000)] = 1
    """The most characters of one account; a lower limit does not affect existing ones."""

    access_token_seconds: Positive = 600
    refresh_token_days: Positive = 14
    session_days: Positive = 60
    """A sign-in ends after this, however often it is refreshed."""

    connections: Annotated[int, Meta(ge=1, le=100)] = 8
    """Pool sizes of one process: so many to read, half as many for lookups, as many to write."""

    lease_seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    """A game server and its players count as offline so long after its last heartbeat."""

    heartbeat_seconds: Annotated[int, Meta(ge=1, le=3600)] = 10
    """The interval at which game servers are asked to renew their leases."""

    trusted_proxies: str = ""
    """Networks, with commas, whose X-Forwarded-For is trusted."""

    anonymous_rate: Annotated[int, Meta(ge=1, le=1_000_000)] = 20
    """Rate limit: requests a second from one address to one process without a credential."""

    connections_per_address: Positive = 2000
    """Open connections from one address to one process; trusted proxies have no limit."""

    cors_origins: str = ""
    """Origins, with commas, whose web pages may call the API: `https://example.org`. `*` is every
    page, but only without a credential."""

    metrics_address: str = ""
    """`host:port` on which `serve` offers /metrics, instead of on the main port."""

    fail_point: Annotated[str, Meta(pattern=f"^({failpoints.SPELLING.pattern})?$")] = ""
    """For tests: the process kills itself (SIGKILL) there, `name:kill` or `name:kill:nth-time`."""

    event_days: Annotated[int, Meta(ge=1, le=3650)] = 7
    """Retention of events for late consumers; the audit log keeps the actions longer."""

    deleted_player_days: Annotated[int, Meta(ge=1, le=36_500)] = 730
    """Retention of deleted characters; after that their deletion cannot be undone."""

    stream_patience_seconds: Positive = 20
    """A client that reads nothing of a stream for so long is disconnected; it may resume."""

    webhook_hosts: str = ""
    """SSRF allowlist: hosts, with commas, that webhooks may reach even at private addresses and
    by http: `host` for the ports 80, 443 and 8443, `host:port` for one, `host:*` for all."""

    anchor_file: str | None = None
    """The file for signed heads of the hash chain of actions, best on another machine's disk."""

    anchor_key: Hidden = Hidden(DEVELOPMENT_ANCHOR_KEY)
    """64 hex digits, the seed of the Ed25519 key that signs it."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "console"] = "json"

    @classmethod
    def read(cls, env: Mapping[str, str] = environ) -> "Settings":
        ours = {name: value for name, value in env.items() if name.startswith(PREFIX)}
        try:
            settings = msgspec.convert(ours, cls, strict=False, dec_hook=_hide)
        except msgspec.ValidationError as error:
            raise BadSettings(_explain(str(error))) from None
        if not settings.database_url.startswith(("postgresql://", "postgres://")):
            raise BadSettings("GAMEKEEPER_DATABASE_URL must begin with postgresql://")
        if settings.replica_url is not None and not ONE_SERVER.match(settings.replica_url):
            raise BadSettings("GAMEKEEPER_REPLICA_URL must begin with postgresql:// and one host.")
        if not re.fullmatch("[0-9a-fA-F]{64}", settings.anchor_key):
            raise BadSettings("GAMEKEEPER_ANCHOR_KEY must be 64 hexadecimal digits.")
        settings.proxies  # noqa: B018  to find a mistake at startup
        settings.webhook_ports  # noqa: B018
        settings.origins  # noqa: B018
        settings.metrics_host_and_port  # noqa: B018
        return settings

    @property
    def webhook_ports(self) -> dict[str, list[Container[int]]]:
        """The hosts that the operator allows for webhooks, each with its ports."""
        found: dict[str, list[Container[int]]] = {}
        for entry in filter(None, map(str.strip, self.webhook_hosts.lower().split(","))):
            named = WEBHOOK_HOST.fullmatch(entry)
            if named is None or int((named["port"] or "1").replace("*", "1")) not in EVERY_PORT:
                raise BadSettings(
                    f"GAMEKEEPER_WEBHOOK_HOSTS: '{entry}' is not host, host:port or host:*."
                )
            host = named["host"] or named["bracketed"] or named["bare"]
            found.setdefault(host, []).append(_ports(named["port"]))
        return found

    @property
    def origins(self) -> frozenset[str]:
        """The origins that CORS allows, as browsers write them; `*` for all."""
        found = frozenset(filter(None, map(str.strip, self.cors_origins.lower().split(","))))
        for origin in sorted(found - {"*"}):
            if not ORIGIN.fullmatch(origin) or origin.endswith(DEFAULT_PORTS.get(origin[:6], "/")):
                raise BadSettings(
                    f"GAMEKEEPER_CORS_ORIGINS: '{origin}' is not an origin such as "
                    "https://example.org: a scheme and a host, a port only if it is not the "
                    "usual one, and nothing after it."
                )
        return found

    @property
    def proxies(self) -> list[IPv4Network | IPv6Network]:
        try:
            return [ip_network(part.strip()) for part in self.trusted_proxies.split(",") if part]
        except ValueError as error:
            raise BadSettings(f"GAMEKEEPER_TRUSTED_PROXIES: {error}.") from None

    @property
    def metrics_host_and_port(self) -> tuple[str, int] | None:
        if not self.metrics_address:
            return None
        host, _, port = self.metrics_address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise BadSettings("GAMEKEEPER_METRICS_ADDRESS must be host:port.")
        return host.strip("[]"), int(port)

    @property
    def development_keys(self) -> list[str]:
        """The settings that hold the public development key, under any key name."""
        passwords = [part.rpartition(":")[2].strip() for part in self.password_keys.split(",")]
        known = {
            "GAMEKEEPER_PASSWORD_KEYS": DEVELOPMENT_KEY in passwords,
            # Without a file nothing is signed.
            "GAMEKEEPER_ANCHOR_KEY": bool(self.anchor_file) and self.anchor_key == DEVELOPMENT_KEY,
        }
        return [name for name, is_known in known.items() if is_known]

    def unfit_for_production(self) -> list[str]:
        """The settings that still have a development value, each with the remedy."""
        faults = []
        if "GAMEKEEPER_PASSWORD_KEYS" in self.development_keys:
            faults.append(
                "GAMEKEEPER_PASSWORD_KEYS is the development key that everybody knows. "
                "Make one: echo 2026a:$(openssl rand -hex 32)"
            )
        if self.public_url == DEVELOPMENT_URL:
            faults.append("GAMEKEEPER_PUBLIC_URL is not set: links in mails would lead nowhere.")
        if self.smtp_url and self.mail_from == DEVELOPMENT_SENDER:
            faults.append("GAMEKEEPER_MAIL_FROM is not set: mail servers would refuse our mails.")
        if "GAMEKEEPER_ANCHOR_KEY" in self.development_keys:
            faults.append(
                "GAMEKEEPER_ANCHOR_KEY is the development key that everybody knows. "
                "Make one: openssl rand -hex 32"
            )
        if self.fail_point:
            faults.append("GAMEKEEPER_FAIL_POINT is set: the service would kill itself. Unset it.")
        return faults


def _ports(text: str | None) -> Container[int]:
    if text is None:
        return USUAL_PORTS
    return EVERY_PORT if text == "*" else frozenset({int(text)})


def _hide(kind: type, value: Any) -> Any:
    return kind(value)


def _explain(error: str) -> str:
    if "unknown field" in error:
        return f"{error}. It is misspelled, or of another version: see docs/operations.md."
    if "missing required field" in error:
        return (
            f"{error}. Name the database, for example: "
            "export GAMEKEEPER_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/gamekeeper"
        )
    return error
