"""
Environment variables: which of them are settings, and what is wrong with one, in words.

Orchestrators add variables of their own with our prefix, so these are told apart by name and
value. Any other name that is no setting is a mistake, and the nearest setting is suggested.
"""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from email.utils import parseaddr
from typing import Any, get_args
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import inspect

PREFIX = "GAMEKEEPER_"
FOR_TESTS = PREFIX + "TEST_"
FOR_CLIENTS = {PREFIX + "CLIENT_URL", PREFIX + "CLIENT_KEY"}
"""The Python client reads these; a shell that has them must be able to start the service."""

LONGEST_SHOWN = 60

# For each Service, Kubernetes sets these in every pod of the namespace; a Service called
# gamekeeper or gamekeeper-web has our prefix. Name and value must both be of that form.
KUBERNETES = [
    (re.compile(rf"{PREFIX}(\w+_)?{name}"), re.compile(value))
    for name, value in (
        (r"SERVICE_HOST", r"[0-9a-fA-F.:]+"),
        (r"SERVICE_PORT(_\w+)?", r"\d{1,5}"),
        (r"PORT(_\d+_(TCP|UDP|SCTP))?", r"(tcp|udp|sctp)://\S+"),
        (r"PORT_\d+_(TCP|UDP|SCTP)_PROTO", r"tcp|udp|sctp"),
        (r"PORT_\d+_(TCP|UDP|SCTP)_PORT", r"\d{1,5}"),
        (r"PORT_\d+_(TCP|UDP|SCTP)_ADDR", r"[0-9a-fA-F.:]+"),
    )
]

DESCRIPTIONS = {
    "database_url": "the database",
    "replica_url": "a streaming replica",
    "password_keys": "the keys that encrypt passwords",
    "public_url": "the address of this service for browsers",
    "smtp_url": "the mail server",
    "mail_from": "the sender of mails",
    "game_name": "the name of your game",
    "email_verification": "whether playing needs a verified email address",
    "language": "default language of pages and emails",
    "intersect_version": "default version of the Intersect API",
    "environment_name": "the name of this installation in the console",
    "environment_color": "the colour of this installation in the console",
    "inventory_slots": "inventory slots of a character",
    "bank_slots": "bank slots of a character",
    "spell_slots": "spell slots of a character",
    "guild_bank_slots": "bank slots of a new guild",
    "guild_ranks": "guild ranks, including the owner",
    "characters_per_user": "maximum characters per account",
    "access_token_seconds": "lifetime of an access token",
    "refresh_token_days": "lifetime of a refresh token",
    "session_days": "maximum duration of a sign-in",
    "staff_second_factor": "whether staff must have a second factor",
    "staff_step_up": "whether staff verify the second factor again for sensitive changes",
    "browser_session_idle_seconds": "idle timeout of a browser session",
    "browser_session_seconds": "lifetime of a browser session",
    "required_reasons": "the permissions whose changes need a reason",
    "connections": "database connections of one process",
    "statement_seconds": "timeout of a database statement",
    "lease_seconds": "lease duration of a game server",
    "heartbeat_seconds": "the interval of heartbeats",
    "trusted_proxies": "networks of reverse proxies",
    "anonymous_rate": "requests a second without a credential",
    "rate_limits": "rate limits of accounts and addresses",
    "key_rate_limits": "rate limits of API keys",
    "redis_url": "the Redis that shares rate limits",
    "connections_per_address": "open connections from one address",
    "metrics_address": "the address of /metrics",
    "traces_url": "the endpoint for traces",
    "traces_percent": "the share of requests that is traced",
    "fail_point": "for tests only",
    "event_days": "how long events are kept",
    "deleted_player_days": "how long deleted characters and guilds are kept",
    "report_days": "how long the texts and chat of reports are kept",
    "report_outcomes": "whether players see, or are mailed, the outcome of their reports",
    "linked_account_days": "how long the devices and addresses of accounts are kept",
    "cors_origins": "origins of web pages that may call the API",
    "stream_patience_seconds": "timeout of a slow stream reader",
    "webhook_hosts": "hosts that webhooks may call",
    "openid_issuer": "the issuer of the OpenID provider",
    "tebex_secrets": "the secrets of the Tebex webhook",
    "stripe_secrets": "the secrets of the Stripe webhook",
    "shop_secrets": "the secrets of your own shops",
    "sign_in_sources": "the services that players sign in with",
    "sign_in_returns": "the pages to which a sign-in returns",
    "link_code_issuers": "the issuers whose identities bots link by codes",
    "anchor_file": "the file of signed chain heads",
    "anchor_key": "the key that signs chain heads",
    "actor": "the name of the command line's user",
    "log_level": "log level",
    "log_format": "log format",
}
"""What each setting is, for the message about a bad value."""


NO_DATABASE = (
    "GAMEKEEPER_DATABASE_URL (the database) is not set. Set it, for example: "
    "export GAMEKEEPER_DATABASE_URL=postgresql://postgres@127.0.0.1:5432/gamekeeper"
)
DATABASE_FORM = (
    "postgresql://user:password@host:port/database, with / ? # @ and % in the password "
    "percent-encoded (%2F %3F %23 %40 %25)"
)


def select(env: Mapping[str, str], known: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """The variables that set something, and what is wrong with the names of others."""
    found: dict[str, str] = {}
    faults: list[str] = []
    for name, value in env.items():
        if name in known:
            # Env files leave a value empty to say that there is none.
            if value.strip():
                found[name] = value
        elif name.startswith(PREFIX) and not _is_foreign(name, value):
            faults.append(_unknown(name, known))
    return found, faults


def _is_foreign(name: str, value: str) -> bool:
    if name in FOR_CLIENTS or name.startswith(FOR_TESTS):
        return True
    return any(its.fullmatch(name) and form.fullmatch(value) for its, form in KUBERNETES)


def _unknown(name: str, known: Collection[str]) -> str:
    [*near] = get_close_matches(name, known, n=1, cutoff=0.8)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"{name} is not a known setting.{meant} docs/operations.md lists them all."


def wrong(name: str, allowed: str, value: str | None = None) -> str:
    """The sentence about a setting's value; without `value` if that may hold a secret."""
    got = "" if value is None else f", not '{value[:LONGEST_SHOWN]}'"
    about = f" ({DESCRIPTIONS[name]})" if name in DESCRIPTIONS else ""
    return f"{PREFIX}{name.upper()}{about} must be {allowed}{got}."


def allowed(kind: Any) -> str:
    """The values that a type allows, in words: 'a whole number from 1 to 100'."""
    about = inspect.type_info(kind)
    if isinstance(about, inspect.LiteralType):
        *most, last = get_args(kind)  # `about` has them sorted
        return f"{', '.join(most)} or {last}"
    if isinstance(about, inspect.IntType):
        lowest = about.ge if about.ge is not None else (about.gt or 0) + 1
        return f"a whole number from {lowest:,} to {about.le:,}"
    if isinstance(about, inspect.StrType) and about.pattern:
        return f"of the form {about.pattern}"
    return "text"


def fits(value: str, kind: Any, dec_hook: Any) -> bool:
    """Whether a variable's text can be converted to the type of its setting."""
    try:
        msgspec.convert(value, kind, strict=False, dec_hook=dec_hook)
    except msgspec.ValidationError:
        return False
    return True


# ── Forms that a type alone cannot check ──

# An IPv6 address is in brackets.
HOST_AND_PORT = re.compile(r"(\[[^\]]*\]|[^:\[\]\s]*)(:\d{1,5})?")


def is_collector(value: str) -> bool:
    return not value or is_url(value, "http", "https")


def is_url(value: str, *schemes: str) -> bool:
    try:
        url = urlsplit(value)
        _ = url.port  # raises ValueError if it is no port
    except ValueError:
        return False
    return (
        url.scheme in schemes
        and bool(url.hostname)
        and not (url.query or url.fragment)
        and not re.search(r"\s", value)
    )


def is_database(value: str) -> bool:
    """Whether it is a URL of one server or of several with commas, each perhaps with a port."""
    try:
        url = urlsplit(value)
    except ValueError:
        return False
    hosts = url.netloc.rpartition("@")[2].split(",")
    return (
        value.startswith(("postgresql://", "postgres://"))
        # A # in the password cuts the URL off there.
        and not url.fragment
        and all(HOST_AND_PORT.fullmatch(host) for host in hosts)
    )


def is_writable(value: str) -> bool:
    """Whether the URL of a database asks for no standby: the service makes changes."""
    query = dict(parse_qsl(urlsplit(value).query))
    return query.get("target_session_attrs", "any") in {"any", "primary", "read-write"}


def is_redis(value: str) -> bool:
    return is_url(value, "redis", "rediss") and bool(re.fullmatch(r"/?\d*", urlsplit(value).path))


def is_sender(value: str) -> bool:
    local, _, domain = parseaddr(value)[1].rpartition("@")
    return bool(local and domain) and value.isprintable()


def is_key(value: str) -> bool:
    return bool(re.fullmatch("[0-9a-fA-F]{64}", value))
