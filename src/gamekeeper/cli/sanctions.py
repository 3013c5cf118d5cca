"""Sanction commands: list, show, impose, lift."""

import re
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import ByWithoutReason
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import DryRun, Limit, an_id
from gamekeeper.db.database import Database
from gamekeeper.moderation import lists, sanctions
from gamekeeper.moderation.lists import SanctionFilter
from gamekeeper.moderation.sanctions import Imposition, Lifting
from gamekeeper.sanctions.records import KINDS, Sanction, SanctionKind

BY_NAME: dict[str, SanctionKind] = {kind: kind for kind in KINDS}
SPAN = re.compile(r"([1-9][0-9]{0,5})([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def span(text: str) -> timedelta:
    """The duration that an option says."""
    parts = SPAN.fullmatch(text.strip().lower())
    if parts is None:
        raise typer.BadParameter("must be a number and m, h, d or w: 30m, 12h, 7d, 4w")
    return timedelta(**{UNITS[parts[2]]: int(parts[1])})


Name = Annotated[str, typer.Argument(metavar="NAME", help="A username or an account's id.")]
Player = Annotated[
    bool, typer.Option("--player", help="NAME is a character; sanction only this character.")
]
What = Annotated[
    str, typer.Argument(metavar="WHAT", help=f"{', '.join(KINDS)}, or a template's name.")
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The reason, for staff.")]
For = Annotated[
    timedelta | None,
    typer.Option("--for", parser=span, metavar="SPAN", help="30m, 12h, 7d or 4w."),
]
MessageText = Annotated[str, typer.Option(metavar="TEXT", help="The text for the player.")]
Evidence = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="A link to evidence, for staff; repeatable.")
]
SanctionKey = Annotated[str, typer.Argument(metavar="CODE", help="The sanction's code or id.")]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]


@command
async def list_(
    database: Database,
    *,
    user: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only sanctions of this account.")
    ] = None,
    kind: Annotated[str | None, typer.Option(help=f"One of: {', '.join(KINDS)}.")] = None,
    in_force: Annotated[bool, typer.Option("--in-force", help="Only active sanctions.")] = False,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> Output:
    """Show sanctions, newest first."""
    known = BY_NAME.get(kind or "")
    if kind and not known:
        raise typer.BadParameter(f"'{kind}' is none of: {', '.join(KINDS)}.")
    whose = (await names.user(database.reader, user)).id if user else None
    wanted = SanctionFilter(kind=known, user_id=whose, in_force=True if in_force else None)
    found = await lists.list_sanctions(database.reader, wanted, cursor, limit)
    rows = [_row(sanction) for sanction in found.values]
    table = TextTable(["code", "kind", "whom", "state", "by", "message"], rows)
    return Output(found, table, f"More: --cursor {found.next}" if found.next else None)


def _row(one: Sanction) -> list[str]:
    return [one.code, one.kind, _whom(one), _state(one), one.imposed_by_name, one.message]


def _whom(one: Sanction) -> str:
    if one.player_id is None:
        return one.user_name
    return f"{one.player_name or one.player_id} of {one.user_name}"


def _state(one: Sanction) -> str:
    if one.lifted_at:
        return f"lifted {one.lifted_at:%Y-%m-%d}"
    if one.in_force:
        return f"until {one.ends_at:%Y-%m-%d %H:%M} UTC" if one.ends_at else "permanent"
    return f"from {one.starts_at:%Y-%m-%d %H:%M} UTC" if _is_to_come(one) else "ended"


def _is_to_come(one: Sanction) -> bool:
    return one.starts_at > datetime.now(one.starts_at.tzinfo)


@command
async def show(database: Database, key: SanctionKey) -> Output:
    """Show one sanction, with its reason and evidence."""
    one = await lists.find_sanction(database.reader, key)
    facts = {
        "code": one.code,
        "kind": one.kind,
        "whom": _whom(one),
        "state": _state(one),
        "reason": one.reason,
        "message": one.message,
        "evidence": ", ".join(one.evidence),
        "template": f"{one.template}, step {one.step}" if one.template else "",
        "imposed": f"{one.imposed_at:%Y-%m-%d %H:%M} UTC by {one.imposed_by_name}",
    }
    if one.lifted_at:
        lifted = f"{one.lifted_at:%Y-%m-%d %H:%M} UTC by {one.lifted_by_name}"
        facts |= {"lifted": lifted, "lifted because": one.lift_reason or ""}
    return Output(one, facts)


@change("sanctions.manage")
async def impose(
    database: Database,
    what: What,
    name: Name,
    *,
    reason: Why,
    player: Player = False,
    for_: For = None,
    message: MessageText = "",
    evidence: Evidence = None,
    dry_run: DryRun = False,
    by: ByWithoutReason,
) -> Output:
    """
    Impose a sanction, by its kind or from a template.

    Without --for the sanction is permanent. A template sets the kind and the duration: the
    next escalation step for the account. A ban ends the account's sign-ins and kicks its
    character from the game.
    """
    kind = BY_NAME.get(what.lower())
    await (names.player if player else names.user)(database.reader, name)
    order = Imposition(
        by=by,
        user=None if player else name,
        player=name if player else None,
        kind=kind,
        template=None if kind else what,
        duration=for_,
        reason=reason,
        message=message,
        evidence=evidence or (),
    )
    made = await (sanctions.preview if dry_run else sanctions.impose).one(database, order)
    until = f"until {made.ends_at:%Y-%m-%d %H:%M} UTC" if made.ends_at else "permanent"
    step = f", step {made.step} of {made.template}" if made.template else ""
    if isinstance(made, Sanction):
        said = f"Imposed {made.code}: {made.kind} of {_whom(made)}, {until}{step}."
    else:
        said = f"Would impose: {made.kind} of {name}, {until}{step}."
    return Output(made, said)


@change("sanctions.manage")
async def lift(database: Database, key: SanctionKey, *, reason: Why, by: ByWithoutReason) -> Output:
    """Lift a sanction; its record is kept."""
    lifted = await sanctions.lift.one(database, Lifting(by=by, sanction=key, reason=reason))
    return Output(lifted, f"Lifted {lifted.code}: {lifted.kind} of {_whom(lifted)}.")
