"""Powers (permissions) of accounts as the command line names and describes them."""

from collections.abc import Mapping
from typing import Annotated

import typer
from msgspec import Struct

from gamekeeper.catalog.lookup import did_you_mean
from gamekeeper.core.errors import Invalid
from gamekeeper.core.names import nearest
from gamekeeper.db.operations import AuditContext
from gamekeeper.users.accounts import PowersChange

FIELDS = {
    "api": "api",
    "users.query": "user_query",
    "users.manage": "user_management",
    "emails": "personal_information",
    "editor": "editor",
    "ban": "ban",
    "kick": "kick",
    "mute": "mute",
}

# Said of an account, so that "ana, ban" is not read as a ban of Ana.
DEEDS = {
    "api": "get API tokens",
    "users.query": "look up accounts",
    "users.manage": "manage accounts",
    "emails": "see email addresses",
    "editor": "use the editor",
    "ban": "ban others",
    "kick": "kick others",
    "mute": "mute others",
}

PowerNames = Annotated[
    list[str],
    typer.Argument(
        metavar="POWER",
        help="api, users.query, users.manage, emails, editor, ban, kick or mute; repeatable.",
    ),
]


class UnknownPower(Invalid):
    """The permission does not exist."""


class Grants(Struct, frozen=True):
    """Powers to be granted, or revoked."""

    powers: tuple[str, ...]
    grant: bool

    def changes(self, before: Mapping[str, bool]) -> list[str]:
        """The powers that the account gets or loses by it."""
        return [power for power in self.powers if before[FIELDS[power]] != self.grant]

    def order(self, by: AuditContext, user: str) -> PowersChange:
        fields = {FIELDS[power]: self.grant for power in self.powers}
        return PowersChange(by=by, user=user, **fields)


def requested(powers: list[str], *, grant: bool, without_emails: bool = False) -> Grants:
    """The powers that were named, with those that they include or cannot be without."""
    wanted = {power.lower() for power in powers}
    for power in sorted(wanted - FIELDS.keys()):
        hint = did_you_mean(nearest(power, FIELDS))
        raise UnknownPower(
            f"There is no permission '{power}'.{hint} Choose one of: {', '.join(FIELDS)}."
        )
    if grant:
        wanted |= {"users.query"} if "users.manage" in wanted else set()
        wanted |= {"emails"} if "users.query" in wanted and not without_emails else set()
        wanted |= {"api"} if "users.query" in wanted else set()
    else:
        wanted |= {"users.query"} if "api" in wanted else set()
        wanted |= {"users.manage", "emails"} if "users.query" in wanted else set()
    return Grants(tuple(power for power in FIELDS if power in wanted), grant)


def named(powers: Mapping[str, bool]) -> list[str]:
    """The names of the powers that an account has."""
    return [power for power, field in FIELDS.items() if powers.get(field)]


def changed(name: str, wanted: Grants, before: Mapping[str, bool]) -> str:
    """A sentence about what a change did."""
    powers = wanted.changes(before)
    if not powers:
        had = "already has" if wanted.grant else "does not have"
        return f"{name} {had} {', '.join(wanted.powers)}; nothing was changed."
    *others, last = [DEEDS[power] for power in powers]
    deeds = f"{', '.join(others)} and {last}" if others else last
    return f"{name} may {'now' if wanted.grant else 'no longer'} {deeds}."
