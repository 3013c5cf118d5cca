"""
Chat lines that staff add to an open case, frozen and hashed as those of its reports.

A line is added once. The accounts of its author, and of the recipient of a private message, are
locked before it is stored: otherwise a line that is read here could be stored after the erasure
that empties it.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Invalid, Problem, RoleRequired
from gamekeeper.core.schemas import LARGEST_PAGE, Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import operation
from gamekeeper.ledger import actions
from gamekeeper.ledger.actions import Action
from gamekeeper.moderation.cases import claims
from gamekeeper.moderation.cases.claims import CaseCommand, action
from gamekeeper.moderation.cases.records import CaseClosed
from gamekeeper.moderation.evidence import ChatMessageNotFound
from gamekeeper.sanctions import excerpts
from gamekeeper.sanctions.excerpts import OF_CASES
from gamekeeper.servers.chat import lines, private
from gamekeeper.servers.chat.line_queries import LineFilters
from gamekeeper.servers.chat.lines import ChatLine

LOGS = "logs.read"
MAX_LINES = 200
"""Lines that one call adds."""
MAX_LINES_OF_CASE = 1000


class InvalidCaseEvidence(Invalid):
    """With 'around', send exactly one message."""


class TooManyCaseLines(Invalid):
    """Staff can add at most 1,000 chat messages to a case."""

    cacheable = False


class NewEvidence(CaseCommand, frozen=True, kw_only=True):
    message_ids: Sequence[UUID]
    around: bool = False
    """Also what was said on the same server within five minutes of the one line."""


class AddedChat(Record, frozen=True, kw_only=True):
    """The chat messages that staff added to a case, as a count and a hash."""

    added: int
    """How many messages were added now, without those that were added before."""
    lines: int
    """How many messages staff have added to the case in all."""
    sha256: str | None
    """The hash of all of them in the audit log; null without messages."""


@operation
async def add(writer: Writer, commands: Sequence[NewEvidence]) -> list[AddedChat | Problem]:
    """Freeze chat lines with open cases; lines that a case has already are left out."""
    chosen = [await _chosen(writer, command) for command in commands]
    # Accounts before cases, as whoever sanctions or erases them.
    kept = await _lock_people(
        writer, [line for each in chosen if not isinstance(each, Problem) for line in each]
    )
    found = await claims.lock(writer, [command.case_id for command in commands])
    refused = await claims.refusals(writer, commands, found)
    outcomes: list[AddedChat | Problem] = []
    for command, wanted, refusal in zip(commands, chosen, refused, strict=True):
        row = found.get(command.case_id)
        usable = refusal or _usable(command, wanted, row, kept)
        outcomes.append(
            usable if isinstance(usable, Problem) else await _freeze(writer, command, row, usable)
        )
    return outcomes


async def _chosen(writer: Writer, command: NewEvidence) -> list[ChatLine] | Problem:
    """The lines that a command means, as its caller may read them."""
    if problem := _missing_scope(command.caller, LOGS):
        return problem
    ids = list(dict.fromkeys(command.message_ids))
    if command.around and len(ids) != 1:
        return InvalidCaseEvidence(None, field="messages")
    named = {line.id: line for line in await lines.find(writer, ids)}
    for id_ in ids:
        if id_ not in named:
            return _not_found(id_)
    if any(line.channel == "pm" for line in named.values()) and (
        problem := _missing_scope(command.caller, private.PERMISSION)
        or private.missing_reason(command.by)
    ):
        return problem
    if command.around:
        [line] = named.values()
        return await _around(writer, line)
    return list(named.values())


async def _around(writer: Writer, line: ChatLine) -> list[ChatLine]:
    """A line and what was said near it on its server, without private messages; the nearest."""
    page = await lines.around(
        writer, LineFilters(server_id=line.server_id), line.said_at, LARGEST_PAGE, addresses=False
    )
    others = [other for other in page.values if other.id != line.id]
    others.sort(key=lambda other: abs(other.said_at - line.said_at))
    return [line, *others[: MAX_LINES - 1]]


def _missing_scope(caller: Principal | None, scope: str) -> RoleRequired | None:
    return RoleRequired(scope) if caller and not caller.may(scope) else None


def _not_found(id_: UUID) -> ChatMessageNotFound:
    return ChatMessageNotFound(f"No chat message with id '{id_}'. Messages are kept for 30 days.")


async def _lock_people(writer: Writer, chosen: Sequence[ChatLine]) -> set[UUID]:
    """The ids of lines whose people exist; none of these is erased before the commit."""
    whispers = [line for line in chosen if line.channel == "pm" and line.target_id]
    rows = await writer.rows(
        """
        SELECT id AS player_id, user_id FROM players WHERE id = ANY($1)
         UNION ALL
        SELECT player_id, user_id FROM deleted_players WHERE player_id = ANY($1)
        """,
        [line.target_id for line in whispers],
    )
    account_of = {row["player_id"]: row["user_id"] for row in rows}
    people = {line.id: {line.user_id} for line in chosen}
    for line in whispers:
        if line.target_id in account_of:
            people[line.id].add(account_of[line.target_id])
    # The weakest lock that an erasure waits for.
    present = await writer.rows(
        "SELECT id FROM users WHERE id = ANY($1) ORDER BY id FOR KEY SHARE",
        sorted({user for users in people.values() for user in users}),
    )
    there = {row["id"] for row in present}
    return {id_ for id_, users in people.items() if users <= there}


def _usable(
    command: NewEvidence, wanted: list[ChatLine] | Problem, row: Any, kept: set[UUID]
) -> list[ChatLine] | Problem:
    if row["closed_at"]:
        return CaseClosed()
    if isinstance(wanted, Problem):
        return wanted
    erased = next((id_ for id_ in command.message_ids if id_ not in kept), None)
    return _not_found(erased) if erased else [line for line in wanted if line.id in kept]


async def _freeze(
    writer: Writer, command: NewEvidence, row: Any, wanted: Sequence[ChatLine]
) -> AddedChat | Problem:
    case = command.case_id
    rows = await writer.rows("SELECT message_id FROM case_excerpts WHERE case_id = $1", case)
    before = {each["message_id"] for each in rows}
    fresh = sorted(
        (line for line in wanted if line.id not in before), key=lambda line: (line.said_at, line.id)
    )
    if len(before) + len(fresh) > MAX_LINES_OF_CASE:
        return TooManyCaseLines()
    if not fresh:
        count, digest = (await excerpts.digests(writer, [case], OF_CASES)).get(case, (0, None))
        return AddedChat(added=0, lines=count, sha256=digest)
    frozen = await excerpts.freeze(
        writer, {case: [lines.excerpt_line(line) for line in fresh]}, OF_CASES
    )
    whispers = sum(line.channel == "pm" for line in fresh)
    about = {"added": len(fresh), "private": whispers, "excerpt": frozen[case]}
    recorded: Action = action("cases.evidence", command, row, **about)
    await actions.record(writer, [recorded])
    return AddedChat(added=len(fresh), lines=frozen[case]["lines"], sha256=frozen[case]["sha256"])
