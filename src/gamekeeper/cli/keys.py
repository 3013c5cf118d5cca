"""API key commands: create, list, revoke."""

from datetime import UTC, datetime
from typing import Annotated

import msgspec
import typer

from gamekeeper.auth import keys
from gamekeeper.auth.limits import Limits
from gamekeeper.auth.principal import SCOPES
from gamekeeper.catalog.lookup import did_you_mean
from gamekeeper.cli.actor import By
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.core import rates
from gamekeeper.core.errors import Conflict, Invalid
from gamekeeper.core.names import nearest
from gamekeeper.db.database import Database

FOREVER = 9999


KeyName = Annotated[
    str, typer.Argument(metavar="NAME", help="The purpose of the key, for example: my-website.")
]
Scopes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SCOPE", help=f"A scope of the key; repeatable. One of: {', '.join(SCOPES)}."
    ),
]
WithoutEmails = Annotated[
    bool,
    typer.Option("--without-emails", help="Grant users.query without access to email addresses."),
]
Days = Annotated[
    int | None,
    typer.Option(metavar="DAYS", help="Number of days until it expires.", min=1, max=36_500),
]
LimitOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=AMOUNT",
        help="A limit on what the key can give or undo; repeatable. One of: "
        f"{', '.join(Limits.__struct_fields__)}. Changes beyond it need approval.",
    ),
]
RateOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--rate",
        metavar="LIMIT",
        help="A rate limit for this key, such as 'write 100/second' or 'list off'; repeatable. "
        f"Of: {', '.join(rates.CLASSES)}. The rest come from GAMEKEEPER_KEY_RATE_LIMITS.",
    ),
]
Rotate = Annotated[
    bool,
    typer.Option(
        "--rotate", help="Replace the active key with this name; the old key expires later."
    ),
]
Grace = Annotated[
    int,
    typer.Option(
        metavar="HOURS", help="With --rotate: hours until the old key expires.", min=1, max=720
    ),
]


@change("keys.manage")
async def create(
    database: Database,
    name: KeyName,
    *,
    scope: Scopes = None,
    without_emails: WithoutEmails = False,
    days: Days = None,
    limit: LimitOptions = None,
    rate: RateOptions = None,
    rotate: Rotate = False,
    grace: Grace = 24,
    by: By,
) -> str:
    """
    Create a key and print only the key on standard output.

    The key is shown only once; Gamekeeper stores a hash. A key without --scope has
    all permissions. Send it as: Authorization: Bearer gk_...

    If an active key has this name, --rotate creates a second one, and the old key expires
    after --grace hours. The new key gets the scopes and limits given here, not those of the
    old key.
    """
    scopes = tuple(name.lower() for name in scope) if scope else None
    if without_emails and not scopes:
        raise Invalid("--without-emails needs --scope: a key without scopes has all permissions.")
    if scopes and "users.query" in scopes and not without_emails:
        scopes = (*dict.fromkeys([*scopes, "users.personal"]),)
    order = keys.NewKey(
        by=by,
        name=name,
        scopes=scopes,
        days=days,
        limits=_limits(limit or []),
        rates=", ".join(rate) if rate else None,
        unique=not rotate,
        grace_hours=grace if rotate else None,
    )
    return await keys.create.one(database, order)


def _limits(options: list[str]) -> Limits | None:
    """The limits of options such as `pieces_per_day=20`; None: none."""
    amounts: dict[str, int] = {}
    for option in options:
        name, _, amount = option.partition("=")
        name = name.strip().lower().replace("-", "_")
        if name not in Limits.__struct_fields__:
            known = ", ".join(Limits.__struct_fields__)
            raise Invalid(f"There is no limit '{name}'. Choose one of: {known}.")
        if not amount.isascii() or not amount.isdigit():
            raise Invalid(f"--limit {name}= must be a whole number, such as {name}=20.")
        amounts[name] = int(amount)
    try:
        return msgspec.convert(amounts, Limits) if amounts else None
    except msgspec.ValidationError:
        raise Invalid("A limit must be at most 9007199254740992.") from None


@command
async def list_(database: Database) -> Output:
    """List the keys, without their secrets."""
    found = await keys.list_keys(database.reader)
    rows = [
        [
            key.name,
            str(key.id),
            "everything" if key.scopes is None else " ".join(key.scopes),
            " ".join(f"{name}={amount}" for name, amount in sorted(key.limits.items())) or "none",
            key.rates or "default",
            f"{key.created_at:%Y-%m-%d}",
            f"{key.used_at:%Y-%m-%d %H:%M}" if key.used_at else "never",
            _state(key),
        ]
        for key in found
    ]
    columns = ["name", "id", "may", "limits", "rates", "created", "last used", "state"]
    return Output(found, TextTable(columns, rows))


def _state(key: keys.ApiKey) -> str:
    if key.revoked_at:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    return "live" if key.expires_at.year == FOREVER else f"until {key.expires_at:%Y-%m-%d %H:%M}"


@change("keys.manage")
async def revoke(
    database: Database,
    name: Annotated[str, typer.Argument(metavar="KEY", help="The key's name or id.")],
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Revoke all active keys with this name.")
    ] = False,
    by: By,
) -> str:
    """Revoke a key. All processes reject it within two seconds."""
    if not every:
        _check_only(name, await keys.list_keys(database.reader))
    ended = await keys.revoke.one(database, keys.Revocation(by=by, key=name))
    return f"Revoked {ended} key{'s' if ended > 1 else ''}."


class SeveralKeys(Conflict):
    """Several active keys have this name. Use an id, or --all."""


def _check_only(name: str, known: list[keys.ApiKey]) -> None:
    """Refuse a name of several live keys: during a rotation, one of them is in use."""
    now = datetime.now(UTC)
    # No end at all comes without a time zone.
    live = [key for key in known if not key.revoked_at and key.expires_at.replace(tzinfo=UTC) > now]
    same = [key for key in live if key.name == name]
    if len(same) > 1:
        which = "\n".join(f"  {key.id}  {_described(key)}" for key in same)
        raise SeveralKeys(
            f"{len(same)} active keys are called '{name}'. Use the id of one, or --all:\n{which}"
        )
    if not same and not any(str(key.id) == name for key in live):
        hint = did_you_mean(nearest(name, [key.name for key in live]))
        raise keys.KeyNotFound(f"No active key is called '{name}'; see gamekeeper keys list.{hint}")


def _described(key: keys.ApiKey) -> str:
    used = f"last used {key.used_at:%Y-%m-%d %H:%M}" if key.used_at else "never used"
    return f"created {key.created_at:%Y-%m-%d}, {used}, {_state(key)}"
