"""
Every setting, and the only place that reads the environment.

Each field is one variable, ``GAMEKEEPER_`` and its name in capitals. A variable
that starts with ``GAMEKEEPER_`` and is not listed here stops the start: a
misspelled setting should never be a silent default.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from os import environ
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from gamekeeper import failing

PREFIX = "GAMEKEEPER_"

DEVELOPMENT_PASSWORD_KEY = "dev:" + "00" * 32
DEVELOPMENT_ANCHOR_KEY = "00" * 32
DEVELOPMENT_URL = "http://127.0.0.1:8000"
DEVELOPMENT_SENDER = "Gamekeeper <gamekeeper@localhost>"


class Hidden(str):
    """A string that does not show itself in logs and tracebacks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Hidden('***')"


class BadSettings(Exception):
    """The environment does not make a usable configuration."""


# What one server was found to have says nothing about another, so there is no list of them.
ONE_SERVER = re.compile(r"postgres(ql)?://([^@/]*@)?[^@/,]*(/|$)")

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
    """The same of a streaming replica, from which `serve` then reads what is only looked at."""

    password_keys: Hidden = Hidden(DEVELOPMENT_PASSWORD_KEY)
    """`name:64 hex digits`, several with commas; the first one seals, all of them open."""

    public_url: str = DEVELOPMENT_URL
    """What people's browsers call this service; the links in mails begin with it."""

    smtp_url: Hidden | None = None
    """smtp://user:password@host:port, or smtps://. Without it no mail is sent."""

    mail_from: str = DEVELOPMENT_SENDER
    game_name: str = "the game"
    """What mails and pages call your game."""

    inventory_slots: Slots = 35
    bank_slots: Slots = 100
    spell_slots: Slots = 35

    access_token_seconds: Positive = 600
    refresh_token_days: Positive = 14
    session_days: Positive = 60
    """However often it is refreshed, a sign-in ends after this."""

    connections: Annotated[int, Meta(ge=1, le=100)] = 8
    """Connections of one process for reading, half as many for lookups, and as many to write."""

    lease_seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    """How long after its last heartbeat a game server and its players are taken for gone."""

    heartbeat_seconds: Annotated[int, Meta(ge=1, le=3600)] = 10
    """How often game servers are told to renew their leases."""

    trusted_proxies: str = ""
    """Networks, with commas, whose X-Forwarded-For is believed."""

    fail_point: Annotated[str, Meta(pattern=f"^({failing.SPELLING.pattern})?$")] = ""
    """For tests: the process dies by SIGKILL there, `name:kill` or `name:kill:nth-time`."""

    event_days: Annotated[int, Meta(ge=1, le=3650)] = 7
    """How long an event is told to those who come late; the log of actions keeps it longer."""

    stream_patience_seconds: Positive = 20
    """Who takes nothing of a stream for so long is cut, and may go on where it was."""

    webhook_hosts: str = ""
    """Host names, with commas, that webhooks may lead to wherever they are, in http too."""

    anchor_file: str | None = None
    """Where the head of the chain of actions is signed into, best on another machine's disk."""

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
        settings.proxies  # noqa: B018  so that a mistake is found now
        return settings

    @property
    def webhook_host_names(self) -> frozenset[str]:
        return frozenset(name.strip().lower() for name in self.webhook_hosts.split(",") if name)

    @property
    def proxies(self) -> list[IPv4Network | IPv6Network]:
        try:
            return [ip_network(part.strip()) for part in self.trusted_proxies.split(",") if part]
        except ValueError as error:
            raise BadSettings(f"GAMEKEEPER_TRUSTED_PROXIES: {error}.") from None

    def unfit_for_production(self) -> list[str]:
        """What still has its development value, each with what to do about it."""
        faults = []
        if DEVELOPMENT_PASSWORD_KEY in self.password_keys.split(","):
            faults.append(
                "GAMEKEEPER_PASSWORD_KEYS is the development key that everybody knows. "
                "Make one: echo 2026a:$(openssl rand -hex 32)"
            )
        if self.public_url == DEVELOPMENT_URL:
            faults.append("GAMEKEEPER_PUBLIC_URL is not set: links in mails would lead nowhere.")
        if self.smtp_url and self.mail_from == DEVELOPMENT_SENDER:
            faults.append("GAMEKEEPER_MAIL_FROM is not set: mail servers would refuse our mails.")
        if self.anchor_file and self.anchor_key == DEVELOPMENT_ANCHOR_KEY:
            faults.append(
                "GAMEKEEPER_ANCHOR_KEY is the development key that everybody knows. "
                "Make one: openssl rand -hex 32"
            )
        if self.fail_point:
            faults.append("GAMEKEEPER_FAIL_POINT is set: the service would kill itself. Unset it.")
        return faults


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
