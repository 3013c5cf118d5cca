"""Appeal commands: the queue, one appeal, and its decision."""

from typing import Annotated
from uuid import UUID

import typer
from msgspec.structs import replace

from gamekeeper.cli.actor import ByReasonFirst
from gamekeeper.cli.command import Output, TextTable, change, command
from gamekeeper.cli.options import Limit, an_id
from gamekeeper.cli.times import Clock, TerminalClock
from gamekeeper.core.schemas import Window
from gamekeeper.db.database import Database
from gamekeeper.moderation import appeal_queue
from gamekeeper.moderation.appeal_queue import Appeal, AppealDecision
from gamekeeper.moderation.texts import check_text

AppealId = Annotated[UUID, typer.Argument(parser=an_id, metavar="ID", help="The appeal's id.")]
Every = Annotated[bool, typer.Option("--all", help="Include decided and closed appeals.")]
Answer = Annotated[str, typer.Argument(metavar="ANSWER", help="The text for the player.")]
Lift = Annotated[bool, typer.Option("--lift/--keep", help="Whether to lift or keep the sanction.")]


@command
async def list_(
    database: Database, *, every: Every = False, limit: Limit = 20, clock: Clock
) -> Output:
    """Show open appeals, oldest first."""
    found = await appeal_queue.list_appeals(
        database.reader, None if every else "open", Window.of(0, limit), None
    )
    rows = [_row(appeal, clock) for appeal in found.values]
    table = TextTable(["opened", "state", "about", "whose", "text", "id"], rows)
    is_all = found.total <= found.count
    return Output(found, table, None if is_all else f"{found.count} of {found.total}.")


@command
async def show(database: Database, id_: AppealId, *, clock: Clock) -> Output:
    """Show an appeal and its sanction."""
    found = await appeal_queue.find_appeal(database.reader, id_, None)
    return Output(found, _facts(found, clock))


@change("sanctions.manage")
async def decide(
    database: Database,
    id_: AppealId,
    answer: Answer,
    *,
    lift: Lift,
    by: ByReasonFirst,
) -> Output:
    """
    Decide an appeal: --lift the sanction, or --keep it.

    The player sees the answer with the code of the sanction. The reason is only for staff.
    """
    order = AppealDecision(
        by=replace(by, reason=check_text("reason", by.reason or "")),
        appeal_id=id_,
        lift=lift,
        answer=appeal_queue.check_answer(answer),
    )
    done = await appeal_queue.decide.one(database, order)
    what = f"{done.sanction.kind} of {_whose(done)} is {'lifted' if lift else 'kept'}"
    return Output(done, f"The {what}; code {done.sanction.code}.")


def _row(appeal: Appeal, clock: TerminalClock) -> list[str]:
    about = f"{appeal.sanction.kind} {appeal.sanction.code}"
    text = appeal.text if len(appeal.text) <= SHOWN else f"{appeal.text[:SHOWN]}…"
    return [
        *(clock.show(appeal.opened_at), appeal.state, about, _whose(appeal)),
        *(" ".join(text.split()), str(appeal.id)),
    ]


SHOWN = 40
"""Characters of a text in a list."""


def _whose(appeal: Appeal) -> str:
    return appeal.sanction.player_name or appeal.sanction.user_name


def _facts(appeal: Appeal, clock: TerminalClock) -> dict[str, str]:
    about = appeal.sanction
    facts = {
        "appeal": f"{appeal.state}, opened {clock.show(appeal.opened_at)}",
        "text": appeal.text,
        "sanction": f"{about.kind} of {_whose(appeal)}, code {about.code}",
        "until": clock.show(about.ends_at) if about.ends_at else "permanent",
        "the player reads": about.message,
        "reason": about.reason,
        "imposed by": about.imposed_by_name,
    }
    if appeal.decided_at:
        facts |= {
            "decided": f"{clock.show(appeal.decided_at)} by {appeal.decided_by_name}",
            "answer": appeal.answer or "",
            "because": appeal.reason or "",
        }
    return facts
