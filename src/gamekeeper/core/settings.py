"""
Settings (configuration); the only module that reads environment variables.

Each field is one variable: ``GAMEKEEPER_`` and its name in capitals. An unknown
variable that starts with ``GAMEKEEPER_`` prevents the start: a misspelled setting
must never be a silent default. Every value is checked here, so that a mistake is found
when a process starts and not when the value is first used.
"""

from collections.abc import Container, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from os import environ
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, structs

from gamekeeper.core import environment, failpoints, setting_checks, webhook_hosts
from gamekeeper.core.environment import NO_DATABASE, PREFIX, wrong
from gamekeeper.core.languages.negotiation import Language
from gamekeeper.core.origins import is_origin

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


Seconds = Annotated[int, Meta(ge=1, le=31_536_000)]
Days = Annotated[int, Meta(ge=1, le=36_500)]
Slots = Annotated[int, Meta(gt=0, le=1000)]


class Settings(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    rename=lambda name: PREFIX + name.upper(),
):
    database_url: Hidden
    """postgresql://user:password@host:port/database, or with several hosts (host1,host2,host3):
    the service finds the primary among them."""

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

    email_verification: Literal["optional", "required"] = "optional"
    """Whether characters can join game servers only after their account verified its address."""

    language: Language = "en"
    """Of pages and emails, unless the reader's browser or the account asks for another."""

    intersect_version: Literal["0.7", "0.8"] = "0.7"
    """The version of the Intersect API that clients get unless they choose one."""

    environment_name: Annotated[str, Meta(max_length=32)] = ""
    """The name of this installation in the console, such as production or test; empty: no name."""
    environment_color: Literal["", "red", "orange", "yellow", "green", "blue", "violet"] = ""
    """The colour of the bar at the top of the console; empty: no bar."""

    inventory_slots: Slots = 35
    bank_slots: Slots = 100
    spell_slots: Slots = 35
    guild_bank_slots: Slots = 50
    guild_ranks: Annotated[int, Meta(ge=2, le=100)] = 4

    characters_per_user: Annotated[int, Meta(ge=1, le=1000)] = 1
    """The maximum number of characters per account; a lower limit does not affect existing ones."""

    access_token_seconds: Seconds = 7 * 86_400
    """Long, because existing clients do not renew tokens; revocation takes seconds."""

    refresh_token_days: Days = 14
    session_days: Days = 60
    """A sign-in ends after this, however often it is refreshed."""

    staff_second_factor: Literal["required", "optional"] = "required"
    """Whether staff must enrol a second factor at their first sign-in with a browser."""
    staff_step_up: Literal["required", "off"] = "required"
    """Whether staff verify the second factor again for sensitive changes; `off` is for `try`."""

    browser_session_idle_seconds: Seconds = 30 * 60
    """The idle timeout of a browser session, from its last request."""
    browser_session_seconds: Seconds = 12 * 3600
    """The maximum lifetime of a browser session, even if it is in use."""

    required_reasons: str = ""
    """Permissions, with commas, whose changes need a reason: `players.items,actions.undo`."""

    connections: Annotated[int, Meta(ge=1, le=100)] = 8
    """Pool sizes of one process: this many to read, half as many for lookups, as many to write."""

    statement_seconds: Annotated[float, Meta(ge=0.5, le=60)] = 2.5
    """The timeout of one statement of a request; 0.8 of it for a connection or a lock."""

    lease_seconds: Annotated[int, Meta(ge=1, le=3600)] = 30
    """A game server and its players are offline this long after its last heartbeat."""
    heartbeat_seconds: Annotated[int, Meta(ge=1, le=3600)] = 10
    """The interval at which game servers are asked to renew their leases."""

    trusted_proxies: str = ""
    """Networks, with commas, whose X-Forwarded-For is trusted."""

    anonymous_rate: Annotated[int, Meta(ge=1, le=1_000_000)] = 20
    """Rate limit: requests a second from one address to one process without a credential."""

    rate_limits: str = ""
    """Rate limits that replace the defaults (core/rates.py): `read 600/minute`, or `off`."""
    key_rate_limits: str = ""
    """Rate limits of API keys, whose defaults are higher."""

    redis_url: Hidden | None = None
    """The Redis that shares these limits; without it each process counts alone."""

    connections_per_address: Annotated[int, Meta(ge=1, le=1_000_000)] = 2000
    """Open connections from one address to one process; trusted proxies have no limit."""

    cors_origins: str = ""
    """Origins, with commas, whose web pages may call the API: `https://example.org`. `*` is every
    page, but only without a credential."""

    metrics_address: str = ""
    """`host:port` of /metrics: for `serve` instead of the main port, for `worker` its own."""

    traces_url: str = ""
    """The endpoint for traces (OTLP over HTTP): `http://host:4318/v1/traces`. Empty: no traces."""
    traces_percent: Annotated[int, Meta(ge=0, le=100)] = 10
    """The percentage of requests that are traced."""

    fail_point: Annotated[str, Meta(pattern=f"^({failpoints.SPELLING.pattern})?$")] = ""
    """For tests: where the process kills itself (SIGKILL), `name:kill` or `name:kill:nth-time`."""

    event_days: Annotated[int, Meta(ge=1, le=3650)] = 7
    """Retention of events for late consumers; the audit log keeps the actions longer."""

    deleted_player_days: Days = 730
    """Retention of deleted characters; after that their deletion cannot be undone."""

    report_days: Days = 365
    """Retention of the texts and the chat of reports, from the end of their case."""
    report_outcomes: Literal["hidden", "shown", "mailed"] = "shown"
    """Whether reporters see, or also get a mail, if something was done; never the sanction."""

    linked_account_days: Annotated[int, Meta(ge=1, le=3650)] = 180
    """Retention of the devices and addresses of accounts, from the last use, and of access bans,
    from their end."""

    stream_patience_seconds: Seconds = 20
    """A client that reads nothing of a stream for this long is disconnected; it can resume."""

    webhook_hosts: str = ""
    """SSRF allowlist: hosts, with commas, that webhooks may reach even at private addresses and
    by http: `host` for the ports 80, 443 and 8443, `host:port` for one, `host:*` for all."""

    openid_issuer: Annotated[str, Meta(max_length=200)] = ""
    """The URL of this service as an OpenID provider: `https://play.example.org`. Empty: none."""

    tebex_secrets: Hidden | None = None
    """The secret of the Tebex webhook, several with commas during a rotation. None: no webhook."""
    stripe_secrets: Hidden | None = None
    """The signing secret of the Stripe webhook, in the same form."""
    shop_secrets: Hidden | None = None
    """The secrets of your own shops: `name:secret`, several with commas."""

    sign_in_sources: Hidden | None = None
    """The services that players sign in with, as a list in JSON. None: no sign-in by others."""
    sign_in_returns: str = ""
    """The pages to which a sign-in returns, exact addresses with commas."""
    link_code_issuers: str = "discord"
    """The issuers whose identities bots may link by one-time codes, with commas."""

    anchor_file: str | None = None
    """The file for signed heads of the hash chain of actions, best on another machine's disk."""

    anchor_key: Hidden = Hidden(DEVELOPMENT_ANCHOR_KEY)
    """64 hex digits, the seed of the Ed25519 key that signs it, and receipts of orders."""

    actor: Annotated[str, Meta(max_length=64)] = ""
    """The name of the command line's user, like `--as`: recorded, not authenticated."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "console"] = "auto"
    """`auto`: for people (`console`) on a terminal, else JSON."""

    @classmethod
    def read(cls, env: Mapping[str, str] = environ) -> "Settings":
        """The settings in `env`; raises BadSettings that lists everything wrong with them."""
        fields = {field.encode_name: field for field in structs.fields(cls)}
        values, faults = environment.select(env, fields)
        for name, value in values.items():
            kind = fields[name].type
            if not environment.fits(value, kind, _hide):
                faults.append(wrong(fields[name].name, environment.allowed(kind), value))
        if PREFIX + "DATABASE_URL" not in values:
            faults.append(NO_DATABASE)
        if not faults:
            settings = msgspec.convert(values, cls, strict=False, dec_hook=_hide)
            faults = list(_faults(settings))
            if not faults:
                return settings
        raise BadSettings(_joined("the settings are wrong:", faults))

    @staticmethod
    def wants_tracebacks(env: Mapping[str, str] = environ) -> bool:
        """Whether commands show tracebacks; asked also when the settings cannot be read."""
        return env.get(PREFIX + "LOG_LEVEL") == "debug"

    @property
    def connect_seconds(self) -> int:
        """The longest that connecting to PostgreSQL may take."""
        return max(1, round(0.8 * self.statement_seconds))

    @property
    def webhook_ports(self) -> dict[str, list[Container[int]]]:
        """The hosts that the operator allows for webhooks, each with its ports."""
        try:
            return webhook_hosts.parse(self.webhook_hosts)
        except ValueError as fault:
            form = "host, host:port or host:*, several with commas"
            raise BadSettings(wrong("webhook_hosts", form, str(fault))) from None

    @property
    def origins(self) -> frozenset[str]:
        """The origins that CORS allows, as browsers write them; `*` for all."""
        found = frozenset(filter(None, map(str.strip, self.cors_origins.lower().split(","))))
        for origin in sorted(found - {"*"}):
            if not is_origin(origin):
                form = "origins such as https://example.org, several with commas, or *"
                raise BadSettings(wrong("cors_origins", form, origin))
        return found

    @property
    def reasons(self) -> frozenset[str]:
        """The permissions whose changes need a reason."""
        return setting_checks.names(self.required_reasons)

    @property
    def proxies(self) -> list[IPv4Network | IPv6Network]:
        try:
            return [ip_network(part.strip()) for part in self.trusted_proxies.split(",") if part]
        except ValueError as error:
            form = f"networks such as 10.0.0.0/8, several with commas: {error}"
            raise BadSettings(wrong("trusted_proxies", form)) from None

    @property
    def metrics_host_and_port(self) -> tuple[str, int] | None:
        if not self.metrics_address:
            return None
        host, _, port = self.metrics_address.rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise BadSettings(wrong("metrics_address", "host:port", self.metrics_address))
        return host.strip("[]"), int(port)

    @property
    def development_keys(self) -> list[str]:
        """The settings that hold the public development key, under any key name."""
        passwords = [part.rpartition(":")[2].strip() for part in self.password_keys.split(",")]
        signs = [self.anchor_file, self.tebex_secrets, self.stripe_secrets, self.shop_secrets]
        known = {
            "GAMEKEEPER_PASSWORD_KEYS": DEVELOPMENT_KEY in passwords,
            # Without a file and without shops nothing is signed.
            "GAMEKEEPER_ANCHOR_KEY": any(signs) and self.anchor_key == DEVELOPMENT_KEY,
        }
        return [name for name, is_known in known.items() if is_known]


def _hide(kind: type, value: Any) -> Any:
    return kind(value)


def _joined(head: str, faults: list[str]) -> str:
    """One fault as it is, several as a list."""
    return faults[0] if len(faults) == 1 else "\n  ".join([head, *faults])


def _faults(settings: Settings) -> Iterator[str]:
    """What is wrong with values whose type is right."""
    for check in setting_checks.CHECKS:
        value = getattr(settings, check.setting)
        if value is not None and not check.is_right(value):
            yield wrong(check.setting, check.allowed, None if isinstance(value, Hidden) else value)
    for parsed in ("proxies", "webhook_ports", "origins", "metrics_host_and_port"):
        try:
            getattr(settings, parsed)
        except BadSettings as fault:
            yield str(fault)
