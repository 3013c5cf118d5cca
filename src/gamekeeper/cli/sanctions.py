"""Sanction commands: list, show, impose, lift."""

import re
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer

from gamekeeper.cli import names
from gamekeeper.cli.actor import As, audit_context
from gamekeeper.cli.options import DryRun, Limit, an_id
from gamekeeper.cli.terminal import AsJson, say, show_facts, show_json, show_table, with_database
from gamekeeper.db.database import Database
from gamekeeper.moderation import lists, sanctions
from gamekeeper.moderation.lists import SanctionFilter, Sanctions
from gamekeeper.moderation.sanctions import Imposition, Lifting
from gamekeeper.sanctions.changes import NewSanction
from gamekeeper.sanctions.records import KINDS, Sanction, SanctionKind

app = typer.Typer(
    help="Sanctions: bans, mutes, trade locks, warnings and notes.", no_args_is_help=True
)

BY_NAME: dict[str, SanctionKind] = {kind: kind for kind in KINDS}
SPAN = re.compile(r"([1-9][0-9]{0,5})([mhdw])")
UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _span(text: str) -> timedelta:
    parts = SPAN.fullmatch(text.strip().lower())
    if parts is None:
        raise typer.BadParameter("must be a number and m, h, d or w: 30m, 12h, 7d, 4w")
    return timedelta(**{UNITS[parts[2]]: int(parts[1])})


Name = Annotated[str, typer.Argument(metavar="NAME", help="A username or an account's id.")]
Player = Annotated[
    bool, typer.Option("--player", help="NAME is a character, and only that is meant.")
]
What = Annotated[
    str, typer.Argument(metavar="WHAT", help=f"{', '.join(KINDS)}, or a template's name.")
]
Why = Annotated[str, typer.Option(metavar="TEXT", help="Why, for staff.")]
For = Annotated[
    timedelta | None,
    typer.Option("--for", parser=_span, metavar="SPAN", help="30m, 12h, 7d or 4w."),
]
MessageText = Annotated[str, typer.Option(metavar="TEXT", help="What the player reads.")]
Evidence = Annotated[
    list[str] | None, typer.Option(metavar="URL", help="A link, for staff; repeatable.")
]
SanctionKey = Annotated[str, typer.Argument(metavar="CODE", help="The sanction's code or id.")]
Cursor = Annotated[
    UUID | None, typer.Option(parser=an_id, help="The cursor printed at the end of the last page.")
]


@app.command("list")
def list_(
    *,
    user: Annotated[str | None, typer.Option(metavar="NAME", help="Only of this account.")] = None,
    kind: Annotated[str | None, typer.Option(help=f"One of: {', '.join(KINDS)}.")] = None,
    in_force: Annotated[bool, typer.Option("--in-force", help="Only those in force now.")] = False,
    limit: Limit = 20,
    cursor: Cursor = None,
    as_json: AsJson = False,
) -> None:
    """Show sanctions, newest first."""
    known = BY_NAME.get(kind or "")
    if kind and not known:
        raise typer.BadParameter(f"'{kind}' is none of: {', '.join(KINDS)}.")

    async def work(database: Database) -> Sanctions:
        reader = database.reader
        whose = (await names.user(reader, user)).id if user else None
        wanted = SanctionFilter(kind=known, user_id=whose, in_force=True if in_force else None)
        return await lists.list_sanctions(reader, wanted, cursor, limit)

    found = with_database(work)
    if as_json:
        return show_json(found)
    show_table(
        ["code", "kind", "whom", "state", "by", "message"], [_row(one) for one in found.values]
    )
    return say(f"More: --cursor {found.next}") if found.next else None


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
        return f"until {one.ends_at:%Y-%m-%d %H:%M} UTC" if one.ends_at else "without end"
    return f"from {one.starts_at:%Y-%m-%d %H:%M} UTC" if _is_to_come(one) else "ended"


def _is_to_come(one: Sanction) -> bool:
    return one.starts_at > datetime.now(one.starts_at.tzinfo)


@app.command()
def show(key: SanctionKey, *, as_json: AsJson = False) -> None:
    """Show one sanction, with its reason and evidence."""
    one = with_database(lambda database: lists.find_sanction(database.reader, key))
    if as_json:
        return show_json(one)
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
    return show_facts(facts)


@app.command()
def impose(
    what: What,
    name: Name,
    *,
    reason: Why,
    player: Player = False,
    for_: For = None,
    message: MessageText = "",
    evidence: Evidence = None,
    dry_run: DryRun = False,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """
    Impose a sanction, by its kind or from a template.

    Without --for it has no end. A template says which kind and for how long: the next step of
    its ladder. A ban ends the account's sign-ins and kicks who is in the game.
    """
    kind = BY_NAME.get(what.lower())

    async def work(database: Database) -> Sanction | NewSanction:
        await (names.player if player else names.user)(database.reader, name)
        order = Imposition(
            by=audit_context(as_),
            user=None if player else name,
            player=name if player else None,
            kind=kind,
            template=None if kind else what,
            duration=for_,
            reason=reason,
            message=message,
            evidence=evidence or (),
        )
        return await (sanctions.foresee if dry_run else sanctions.impose).one(database, order)

    made = with_database(work)
    if as_json:
        return show_json(made)
    until = f"until {made.ends_at:%Y-%m-%d %H:%M} UTC" if made.ends_at else "without end"
    step = f", step {made.step} of {made.template}" if made.template else ""
    if isinstance(made, Sanction):
        return say(f"Imposed {made.code}: {made.kind} of {_whom(made)} {until}{step}.")
    return say(f"Would impose: {made.kind} of {name} {until}{step}.")


@app.command()
def lift(
    key: SanctionKey,
    *,
    reason: Why,
    as_: As = None,
    as_json: AsJson = False,
) -> None:
    """Lift a sanction; it stays on record."""
    order = Lifting(by=audit_context(as_), sanction=key, reason=reason)
    lifted = with_database(lambda database: sanctions.lift.one(database, order))
    if as_json:
        return show_json(lifted)
    return say(f"Lifted {lifted.code}: {lifted.kind} of {_whom(lifted)}.")
