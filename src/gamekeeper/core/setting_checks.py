"""Checks of settings that a type alone cannot express, such as the form of a URL."""

import re
from collections.abc import Callable

from msgspec import Struct

from gamekeeper.core import environment, rates, sign_in_sources
from gamekeeper.core.environment import DATABASE_FORM
from gamekeeper.core.origins import is_for_development

# One host only: the replay position of one replica says nothing about another.
ONE_SERVER = re.compile(r"postgres(ql)?://([^@/]*@)?[^@/,]*(/|$)")

OWN_SHOP = re.compile(r"(?!(tebex|stripe):)[a-z0-9][a-z0-9_-]{0,31}:\S{16,}")

NEED_REASONS = (
    *("players.items", "players.variables", "players.spells", "players.manage", "guilds.manage"),
    *("users.manage", "actions.undo", "transactions", "commands", "approvals", "keys.manage"),
    *("sanctions.manage", "sanctions.access", "sanctions.templates", "staff.manage", "webhooks"),
    *("reports.file", "reports.manage", "economy.manage", "segments.manage", "orders.manage"),
    *("campaigns.manage", "codes.manage", "codes.redeem"),
    *("identities.link", "identities.manage"),
)
"""The permissions whose changes may be made to need a reason: those of staff and programs. What
players do themselves, and what only reads, is not among them."""


def names(listed: str) -> frozenset[str]:
    """The names in a list with commas."""
    return frozenset(filter(None, map(str.strip, listed.split(","))))


def is_issuer(url: str) -> bool:
    """Whether clients accept a URL as an issuer; http only on this machine."""
    if not environment.is_url(url, "http", "https") or url.endswith("/"):
        return False
    is_safe = url.startswith("https://") or is_for_development(url)
    return is_safe and not set(url) & set("@?#%")


class Check(Struct, frozen=True):
    setting: str
    is_right: Callable[[str], bool]
    allowed: str


CHECKS = (
    Check("database_url", environment.is_database, DATABASE_FORM),
    Check(
        "database_url",
        environment.is_writable,
        "a URL whose target_session_attrs, if it has one, is any, primary or read-write",
    ),
    Check("replica_url", environment.is_database, DATABASE_FORM),
    Check("replica_url", lambda url: bool(ONE_SERVER.match(url)), "the URL of one server"),
    Check(
        "public_url",
        lambda url: environment.is_url(url, "http", "https"),
        "a URL such as https://play.example.org",
    ),
    Check(
        "openid_issuer",
        lambda url: not url or is_issuer(url),
        "an https URL such as https://play.example.org, without a slash at the end, user, query or "
        "fragment",
    ),
    Check(
        "smtp_url",
        lambda url: environment.is_url(url, "smtp", "smtps"),
        "smtp://user:password@host:port or smtps://user:password@host:port",
    ),
    Check("mail_from", environment.is_sender, "a sender such as The Game <keeper@example.org>"),
    Check("traces_url", environment.is_collector, "a URL such as http://host:4318/v1/traces"),
    Check("game_name", str.isprintable, "one line of text"),
    Check("environment_name", str.isprintable, "one line of text"),
    Check(
        "shop_secrets",
        lambda listed: all(OWN_SHOP.fullmatch(part.strip()) for part in listed.split(",") if part),
        "name:secret, several with commas; a name has 1 to 32 lower-case letters, digits, '-' or "
        "'_', and is not tebex or stripe; a secret has 16 characters or more",
    ),
    Check(
        "sign_in_sources",
        sign_in_sources.is_right,
        "a list of sources in JSON (docs/guides/sign-in-with-other-services.md)",
    ),
    Check(
        "sign_in_returns",
        sign_in_sources.are_returns,
        "https addresses without user, query and fragment, several with commas",
    ),
    Check(
        "link_code_issuers",
        lambda listed: all(map(sign_in_sources.is_issuer, sign_in_sources.split(listed))),
        "discord, steam or https URLs of OpenID issuers, several with commas",
    ),
    Check("anchor_key", environment.is_key, "64 hexadecimal digits"),
    Check(
        "required_reasons",
        lambda listed: names(listed) <= frozenset(NEED_REASONS),
        f"permissions with commas, of these: {', '.join(NEED_REASONS)}",
    ),
    Check("rate_limits", rates.is_right, rates.ALLOWED),
    Check("key_rate_limits", rates.is_right, rates.ALLOWED),
    Check(
        "redis_url", environment.is_redis, "redis://user:password@host:port/number or rediss://…"
    ),
)
