"""Checks of settings that a type alone cannot express, such as the form of a URL."""

import re
from collections.abc import Callable

from msgspec import Struct

from gamekeeper.core import environment, rates
from gamekeeper.core.environment import DATABASE_FORM

# One host only: the replay position of one replica says nothing about another.
ONE_SERVER = re.compile(r"postgres(ql)?://([^@/]*@)?[^@/,]*(/|$)")

OWN_SHOP = re.compile(r"(?!(tebex|stripe):)[a-z0-9][a-z0-9_-]{0,31}:\S{16,}")

NEED_REASONS = (
    *("players.items", "players.variables", "players.spells", "players.manage", "guilds.manage"),
    *("users.manage", "actions.undo", "transactions", "commands", "approvals", "keys.manage"),
    *("sanctions.manage", "sanctions.access", "sanctions.templates", "staff.manage", "webhooks"),
    *("reports.file", "reports.manage", "economy.manage", "segments.manage", "orders.manage"),
    "campaigns.manage",
)
"""The permissions whose changes may be made to need a reason: those of staff and programs. What
players do themselves, and what only reads, is not among them."""


def names(listed: str) -> frozenset[str]:
    """The names in a list with commas."""
    return frozenset(filter(None, map(str.strip, listed.split(","))))


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
