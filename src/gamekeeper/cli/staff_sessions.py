"""Staff commands for lost devices and stolen browsers: sign-in links, resets, ended sessions."""

from typing import Annotated

import typer

from gamekeeper.auth import browser_sessions
from gamekeeper.auth.browser_sessions import SessionEnd
from gamekeeper.cli import names
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.names import UserKey
from gamekeeper.cli.options import Reason
from gamekeeper.cli.terminal import AsJson, say, show_json, with_database
from gamekeeper.db.database import Database
from gamekeeper.users.staff import second_factors, sign_in_links
from gamekeeper.users.staff.second_factors import FactorReset
from gamekeeper.users.staff.sign_in_links import LONGEST_MINUTES, MINUTES, NewLink

Minutes = Annotated[
    int,
    typer.Option(
        metavar="MINUTES",
        help="How long it is good.",
        min=1,
        max=LONGEST_MINUTES,
    ),
]


def link(
    key: UserKey,
    *,
    minutes: Minutes = MINUTES,
    reason: Reason = None,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Make an address that signs a staff member in, once.

    It needs neither password nor second factor, so it is as good as both: open it yourself, or
    hand it over in person. It starts with GAMEKEEPER_PUBLIC_URL. Whoever lost their device
    signs in by it, removes the lost one and enrols another.
    """
    by = audit_context(as_, reason)

    async def work(database: Database) -> dict[str, object]:
        user = await names.user(database.reader, key)
        made = await sign_in_links.make.one(
            database, NewLink(user_id=user.id, minutes=minutes, by=by)
        )
        address = sign_in_links.address(database.settings, made.code)
        return {"name": made.name, "address": address, "expires_at": made.expires_at}

    made = with_database(work)
    if as_json:
        return show_json(made)
    return say(str(made["address"]))


def reset_factors(
    key: UserKey, *, reason: Reason = None, as_: As = None, as_json: AsJson = False
) -> None:
    """
    Remove all second factors of a staff member who lost them, and end their sessions.

    At the next sign-in, whoever knows the password enrols a new one: make sure who asks.
    """
    by = audit_context(as_, reason)

    async def work(database: Database) -> tuple[str, int]:
        user = await names.user(database.reader, key)
        command = FactorReset(user_id=user.id, by=by)
        return user.name, await second_factors.reset.one(database, command)

    name, removed = with_database(work)
    if as_json:
        return show_json({"name": name, "removed": removed})
    return say(f"Removed {removed} second factors of {name}; a new one is enrolled at sign-in.")


def sign_out(
    key: UserKey, *, reason: Reason = None, as_: As = None, as_json: AsJson = False
) -> None:
    """End all browser sessions of a staff member."""
    by = audit_context(as_, reason)

    async def work(database: Database) -> tuple[str, int]:
        user = await names.user(database.reader, key)
        return user.name, await browser_sessions.end.one(
            database, SessionEnd(user_id=user.id, by=by)
        )

    name, ended = with_database(work)
    if as_json:
        return show_json({"name": name, "ended": ended})
    return say(f"Ended {ended} sessions of {name}.")
