"""
Sanctions imposed and lifted: bans, mutes, trade locks, warnings and notes.

A sanction is never deleted and never changed: it is lifted, by somebody, for a reason. The
rank of the caller applies: nobody acts on an account that holds more than they do.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import structs

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Conflict, Forbidden, Invalid, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.moderation.evidence import Excerpts
from gamekeeper.moderation.ladder import Ladder
from gamekeeper.moderation.names import with_names
from gamekeeper.moderation.targets import SanctionTarget, find_targets
from gamekeeper.moderation.texts import check_evidence, check_reason, check_text
from gamekeeper.sanctions import changes, records
from gamekeeper.sanctions.changes import NewSanction, Release
from gamekeeper.sanctions.in_force import IN_FORCE, NOT_OVER
from gamekeeper.sanctions.records import Sanction, SanctionKind
from gamekeeper.servers.commands import bans
from gamekeeper.users import lookup, ranks
from gamekeeper.users.ranks import Management

LATEST_START = timedelta(days=3650)


class InvalidSanction(Invalid):
    """A sanction needs a kind or a template, and one account or one character."""


class InvalidPeriod(Invalid):
    """A sanction must end after its start and in the future."""


class OwnSanction(Forbidden):
    """You cannot ban yourself or lift your own sanction."""

    cacheable = False


class AlreadySanctioned(Conflict):
    """A sanction of this kind is already active."""


class AlreadyLifted(Conflict):
    """This sanction has already been lifted."""


class Imposition(Command, frozen=True, kw_only=True):
    """A sanction to be imposed, on an account or on a character."""

    user: str | None = None
    player: str | None = None
    kind: SanctionKind | None = None
    template: str | None = None
    """Instead of a kind and a duration: its next step sets both."""
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    duration: timedelta | None = None
    reason: str = ""
    message: str = ""
    evidence: Sequence[str] = ()
    excerpt: Sequence[UUID] = ()
    """The ids of chat messages that are evidence."""
    case_id: UUID | None = None
    """The case that it closes, whose frozen messages may be evidence too."""
    once: bool = False
    """Refuse it if a sanction of this kind is active on the same target."""
    caller: Principal | None = None
    """None: the command line, which may sanction every account."""


class Lifting(Command, frozen=True, kw_only=True):
    """A sanction, by id or code, to be lifted."""

    sanction: str
    reason: str
    caller: Principal | None = None


class Pardon(Command, frozen=True, kw_only=True):
    """All sanctions of one kind on an account, in force or yet to begin, to be lifted."""

    user: str
    kind: SanctionKind
    reason: str = ""
    caller: Principal | None = None


@operation
async def impose(writer: Writer, commands: Sequence[Imposition]) -> list[Sanction | Problem]:
    """Impose sanctions. A ban ends the sign-ins of its account, and kicks who is in the game."""
    drafts = await _drafts(writer, commands, dry_run=False)
    new = [draft for draft in drafts if isinstance(draft, NewSanction)]
    named = iter(await with_names(writer, await bans.impose(writer, new)))
    return [draft if isinstance(draft, Problem) else next(named) for draft in drafts]


@operation
async def preview(writer: Writer, commands: Sequence[Imposition]) -> list[NewSanction | Problem]:
    """Dry run: what `impose` would store for the same list now, without locks and writes."""
    return await _drafts(writer, commands, dry_run=True)


async def _drafts(
    writer: Writer, commands: Sequence[Imposition], *, dry_run: bool
) -> list[NewSanction | Problem]:
    """What each command stores, or why it is refused."""
    targets = await find_targets(
        writer, [(command.user, command.player) for command in commands], lock=not dry_run
    )
    outranked = await ranks.refusals(
        writer,
        [
            Management(
                command.caller, target.user_id if isinstance(target, SanctionTarget) else None
            )
            for command, target in zip(commands, targets, strict=True)
        ],
    )
    ladder = await Ladder.of(
        writer,
        [command.template for command in commands if command.template],
        [target.user_id for target in targets if isinstance(target, SanctionTarget)],
    )
    excerpts = await Excerpts.of(
        writer,
        [id_ for command in commands for id_ in command.excerpt],
        [command.case_id for command in commands if command.case_id],
    )
    now: datetime = await writer.value("SELECT now()")
    drafts = [
        target
        if isinstance(target, Problem)
        else above or _draft(command, target, ladder, excerpts, now)
        for command, target, above in zip(commands, targets, outranked, strict=True)
    ]
    return await _once(writer, commands, drafts)


async def _once(
    writer: Writer, commands: Sequence[Imposition], drafts: Sequence[NewSanction | Problem]
) -> list[NewSanction | Problem]:
    """The same, but of commands that say `once` only those of which none is in force."""
    if not any(command.once for command in commands):
        return list(drafts)
    rows = await writer.rows(
        f"SELECT user_id, player_id, kind FROM sanctions WHERE user_id = ANY($1) AND {IN_FORCE}",
        [draft.user_id for draft in drafts if isinstance(draft, NewSanction)],
    )
    there = {(row["user_id"], row["player_id"], row["kind"]) for row in rows}
    outcomes: list[NewSanction | Problem] = []
    for command, draft in zip(commands, drafts, strict=True):
        if isinstance(draft, NewSanction):
            what = (draft.user_id, draft.player_id, draft.kind)
            outcomes.append(AlreadySanctioned() if command.once and what in there else draft)
            there.add(what)
        else:
            outcomes.append(draft)
    return outcomes


def _draft(
    command: Imposition, target: SanctionTarget, ladder: Ladder, excerpts: Excerpts, now: datetime
) -> NewSanction | Problem:
    try:
        draft = structs.replace(
            _checked(command, target, ladder, now),
            excerpt=excerpts.chosen(command.excerpt, command.caller, command.case_id),
        )
    except Problem as refusal:
        return refusal
    if draft.template:
        ladder.climb(draft.user_id, draft.template)
    return draft


def _checked(
    command: Imposition, target: SanctionTarget, ladder: Ladder, now: datetime
) -> NewSanction:
    decided = command.kind or command.ends_at or command.duration
    if command.template and decided:
        raise InvalidSanction("The template sets the kind and the duration. Omit both.")
    reason = check_reason(command.reason)
    message = check_text("message", command.message)
    evidence = check_evidence(command.evidence)
    rung = ladder.next(target.user_id, command.template) if command.template else None
    kind = rung.kind if rung else command.kind
    if kind is None:
        raise InvalidSanction("Send the 'kind' of the sanction, or a 'template'.")
    if kind == "note" and message:
        raise InvalidSanction("A note is only for staff. Send a 'reason' and no 'message'.")
    if kind == "ban" and command.caller and command.caller.user_id == target.user_id:
        raise OwnSanction
    starts_at, ends_at = _period(command, rung.duration if rung else command.duration, now)
    return NewSanction(
        by=command.by,
        kind=kind,
        user_id=target.user_id,
        player_id=target.player_id,
        starts_at=starts_at,
        ends_at=ends_at,
        reason=reason,
        message=message or (rung.message if rung and kind != "note" else ""),
        template=command.template,
        step=rung.number if rung else None,
        evidence=evidence,
    )


def _period(
    command: Imposition, duration: timedelta | None, now: datetime
) -> tuple[datetime, datetime | None]:
    starts_at = command.starts_at or now
    if command.ends_at and duration:
        raise InvalidPeriod("Send 'until' or 'durationseconds', not both.")
    if starts_at > now + LATEST_START:
        raise InvalidPeriod("A sanction must start within the next ten years.")
    if duration is not None and duration <= timedelta():
        raise InvalidPeriod("A sanction must last at least one second.")
    ends_at = starts_at + duration if duration is not None else command.ends_at
    if ends_at is not None and ends_at <= max(starts_at, now):
        raise InvalidPeriod
    return starts_at, ends_at


@operation
async def lift(writer: Writer, commands: Sequence[Lifting]) -> list[Sanction | Problem]:
    """Lift sanctions, once each, also such that have ended: they count on no ladder any more."""
    found = await records.find_sanctions(writer, [command.sanction for command in commands])
    await lookup.lock(writer, sorted({sanction.user_id for sanction in found if sanction}))
    # Read again under the lock: it may have been lifted while we waited.
    found = await records.find_sanctions(writer, [command.sanction for command in commands])
    outranked = await ranks.refusals(
        writer,
        [
            Management(command.caller, sanction.user_id if sanction else None)
            for command, sanction in zip(commands, found, strict=True)
        ],
    )
    taken: set[UUID] = set()
    outcomes: list[Release | Problem] = []
    for command, sanction, above in zip(commands, found, outranked, strict=True):
        outcome = above or _release(command, sanction, taken)
        if isinstance(outcome, Release):
            taken.add(outcome.id)
        outcomes.append(outcome)
    return await _lifted(writer, outcomes)


def _release(command: Lifting, found: Sanction | None, taken: set[UUID]) -> Release | Problem:
    if found is None:
        return records.missing(command.sanction)
    if found.lifted_at or found.id in taken:
        return AlreadyLifted(None, code=found.code)
    if command.caller and command.caller.user_id == found.user_id:
        return OwnSanction()
    try:
        reason = check_reason(command.reason)
    except Problem as refusal:
        return refusal
    return Release(by=command.by, id=found.id, reason=reason)


async def _lifted(
    writer: Writer, outcomes: Sequence[Release | Problem]
) -> list[Sanction | Problem]:
    done = await changes.mark_lifted(
        writer, [outcome for outcome in outcomes if isinstance(outcome, Release)]
    )
    named = {sanction.id: sanction for sanction in await with_names(writer, list(done.values()))}
    return [outcome if isinstance(outcome, Problem) else named[outcome.id] for outcome in outcomes]


@operation
async def pardon(writer: Writer, commands: Sequence[Pardon]) -> list[list[Sanction] | Problem]:
    """Lift all sanctions of one kind on each account; none is no refusal."""
    return [await _pardoned(writer, command) for command in commands]


async def _pardoned(writer: Writer, command: Pardon) -> list[Sanction] | Problem:
    [target] = await find_targets(writer, [(command.user, None)], lock=True)
    if isinstance(target, Problem):
        return target
    [above] = await ranks.refusals(writer, [Management(command.caller, target.user_id)])
    if above:
        return above
    if command.caller and command.caller.user_id == target.user_id:
        return OwnSanction()
    rows = await writer.rows(
        f"""
        SELECT id FROM sanctions
         WHERE user_id = $1 AND player_id IS NULL AND kind = $2 AND {NOT_OVER}
         ORDER BY id
        """,
        target.user_id,
        command.kind,
    )
    releases = [Release(by=command.by, id=row["id"], reason=command.reason) for row in rows]
    return list((await changes.mark_lifted(writer, releases)).values())
