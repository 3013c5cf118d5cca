"""
Reports of players: checked, throttled, and put into the open case of the reported account.

Who reported is never in the audit log: its readers need not know it. A player who reports with a
token of their own is `anonymous` there, as one who appeals.

A transaction of a game server may have reports among its moves: it prepares them before it
changes anything, because a refused one refuses the transaction, and stores them after.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import field

from gamekeeper.auth import login_throttle
from gamekeeper.core import ids
from gamekeeper.core.errors import Forbidden, Invalid, Problem
from gamekeeper.core.schemas import Instant, Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.lookup import unknown as unknown_player
from gamekeeper.servers import leases
from gamekeeper.servers.leases import LeaseHolder
from gamekeeper.servers.reports import case_intake
from gamekeeper.servers.reports.categories import ReportCategory
from gamekeeper.servers.reports.records import ReportDraft, ReportPlace
from gamekeeper.servers.reports.surroundings import Incident, chat_around
from gamekeeper.users.lookup import UserNotFound

LONGEST_TEXT = 2000
MAX_MESSAGES = 20
"""Chat lines that one report may name."""


class InvalidReport(Invalid):
    """The report has missing or unknown fields."""


class OwnReport(Forbidden):
    """You cannot report your own account."""

    cacheable = False


class NotYourCharacter(Forbidden):
    """'reporter' must be one of your characters."""

    cacheable = False


class NewReport(Command, frozen=True, kw_only=True):
    id: UUID = field(default_factory=ids.new_id)
    target: str
    """The reported character, by name or id."""
    reporter: str | None = None
    """The character that reports, by name or id."""
    reporter_id: UUID | None = None
    """The account that reports; None: that of the character."""
    category: ReportCategory
    text: str = ""
    place: ReportPlace = ReportPlace()
    holder: LeaseHolder | None = None
    server_id: UUID | None = None
    """The server without a holder: of a transaction, which has checked its lease."""
    at: datetime | None = None
    """When it happened; None, and whatever is in the future: now."""
    message_ids: Sequence[UUID] = ()

    def __repr__(self) -> str:
        return f"NewReport({self.target}, {self.category})"


class FiledReport(Record, frozen=True, kw_only=True):
    """A report that was stored, as its reporter may see it."""

    id: UUID
    """Of the first report, if you reported this player before and the case is still open."""
    category: ReportCategory
    player_id: UUID
    """The reported character."""
    times: int
    """How often you have reported this player in the open case: more than 1 for a repetition."""
    filed_at: Instant


@operation
async def file(writer: Writer, commands: Sequence[NewReport]) -> list[FiledReport | Problem]:
    """File reports. A repeated one is counted on the first while its case is open."""
    drafts = await prepare(writer, commands)
    stored = iter(await store(writer, [each for each in drafts if isinstance(each, ReportDraft)]))
    return [draft if isinstance(draft, Problem) else next(stored) for draft in drafts]


async def prepare(writer: Writer, commands: Sequence[NewReport]) -> list[ReportDraft | Problem]:
    """
    Check and charge reports, and lock their accounts; each as a draft or its refusal.

    Call it after players are locked, if any are: the order is servers, players, accounts.
    """
    fenced = await _fenced(writer, commands)
    players = await _players(writer, commands)
    now: datetime = await writer.value("SELECT now()")
    drafts = [fenced.get(command.holder) or _draft(command, players, now) for command in commands]
    drafts = await _of_existing(writer, drafts)
    accepted = [draft for draft in drafts if isinstance(draft, ReportDraft)]
    refusals = iter(await _charge(writer, accepted))
    return [draft if isinstance(draft, Problem) else next(refusals) or draft for draft in drafts]


async def store(writer: Writer, drafts: Sequence[ReportDraft]) -> list[FiledReport]:
    """Put reports into cases, with the chat around them and their actions."""
    if not drafts:
        return []
    incidents = [
        Incident(
            at=draft.at,
            reporter_id=draft.reporter_id,
            user_id=draft.user_id,
            server_id=draft.server_id,
            message_ids=draft.message_ids,
        )
        for draft in drafts
    ]
    folded = await case_intake.fold(writer, drafts, await chat_around(writer, incidents))
    return [
        FiledReport(
            id=each.report_id,
            category=draft.category,
            player_id=draft.player_id,
            times=each.times,
            filed_at=each.filed_at,
        )
        for draft, each in zip(drafts, folded, strict=True)
    ]


async def _fenced(
    writer: Writer, commands: Sequence[NewReport]
) -> dict[LeaseHolder | None, Problem]:
    """The refusal of each server that may not act now; leases are locked in the order of ids."""
    holders = {command.holder: command.by for command in commands if command.holder}
    refusals: dict[LeaseHolder | None, Problem] = {}
    for holder in sorted(holders, key=lambda holder: (holder.server_id, holder.fence)):
        if refusal := await leases.hold(writer, holder, holders[holder]):
            refusals[holder] = refusal
    return refusals


async def _players(writer: Writer, commands: Sequence[NewReport]) -> dict[str, Any]:
    """The characters that are named, with their accounts."""
    keys = {key for command in commands for key in (command.target, command.reporter) if key}
    found = dict(zip(keys, await find_player_ids(writer, list(keys)), strict=True))
    rows = await writer.rows(
        "SELECT id, user_id FROM players WHERE id = ANY($1)", [id_ for id_ in found.values() if id_]
    )
    by_id = {row["id"]: row for row in rows}
    return {key: by_id[id_] for key, id_ in found.items() if id_ in by_id}


def _draft(command: NewReport, players: Mapping[str, Any], now: datetime) -> ReportDraft | Problem:
    target = players.get(command.target)
    if target is None:
        return unknown_player(command.target)
    reporter = players.get(command.reporter) if command.reporter else None
    if command.reporter and reporter is None:
        return unknown_player(command.reporter)
    if reporter and command.reporter_id not in (None, reporter["user_id"]):
        return NotYourCharacter()
    account = command.reporter_id or (reporter and reporter["user_id"])
    if account is None:
        return InvalidReport(
            "'reporter' is required: the character that reports.", field="reporter"
        )
    if account == target["user_id"]:
        return OwnReport()
    return ReportDraft(
        id=command.id,
        by=command.by,
        reporter_id=account,
        reporter_player_id=reporter["id"] if reporter else None,
        user_id=target["user_id"],
        player_id=target["id"],
        category=command.category,
        text=command.text,
        place=command.place,
        server_id=command.holder.server_id if command.holder else command.server_id,
        at=min(command.at or now, now),
        message_ids=tuple(dict.fromkeys(command.message_ids)),
    )


async def _of_existing(
    writer: Writer, drafts: Sequence[ReportDraft | Problem]
) -> list[ReportDraft | Problem]:
    """Lock the accounts: none of them is erased before the report is stored."""
    wanted = [draft for draft in drafts if isinstance(draft, ReportDraft)]
    # The weakest lock that an erasure waits for; reports do not wait for each other.
    rows = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR KEY SHARE",
        list({user for draft in wanted for user in (draft.reporter_id, draft.user_id)}),
    )
    there = {row["id"] for row in rows}
    return [
        draft
        if isinstance(draft, Problem) or {draft.reporter_id, draft.user_id} <= there
        else UserNotFound("The account no longer exists.")
        for draft in drafts
    ]


async def _charge(writer: Writer, drafts: Sequence[ReportDraft]) -> Sequence[Problem | None]:
    if not drafts:
        return []
    return await login_throttle.charge_each(
        writer, [[f"report:{draft.reporter_id}", f"reported:{draft.user_id}"] for draft in drafts]
    )
