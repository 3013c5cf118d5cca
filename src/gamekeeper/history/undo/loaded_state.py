"""Loading for undos: the present state of everything that the actions to undo changed."""

from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext
from gamekeeper.history.undo.access_bans import AccessBanState
from gamekeeper.history.undo.accounts import AccountState
from gamekeeper.history.undo.charges import Charges
from gamekeeper.history.undo.guild_state import GuildStates
from gamekeeper.history.undo.lifecycle import LifecycleState
from gamekeeper.history.undo.owned_variables import OwnedVariables
from gamekeeper.history.undo.targets import Existing, UndoTargets
from gamekeeper.ledger.kinds.records import UndoHandler
from gamekeeper.ledger.losses import Losses
from gamekeeper.ledger.undoable import Undoable, Undos
from gamekeeper.players.state import Needs, State


class Loaded(Struct, frozen=True, kw_only=True):
    """The present state of what the targets are about, as overlays that undos change."""

    existing: AbstractSet[UUID | None]
    undos: Undos
    state: State
    losses: Losses
    accounts: AccountState | None
    owned: OwnedVariables | None
    lifecycle: LifecycleState | None
    access: AccessBanState | None
    guilds: GuildStates | None
    charges: Charges | None
    """None if no limits apply: a dry run counts nothing."""


async def load(
    writer: Writer,
    targets: UndoTargets,
    existing: Existing,
    commands_by: Sequence[AuditContext],
    *,
    dry_run: bool,
) -> Loaded:
    """Load what exists of the targets; it must be locked, unless it is a `dry_run`."""
    there = existing.ids
    present = [
        action
        for action in targets.undoable
        if action.player_id in there and action.user_id in there and action.handler != "lifecycle"
    ]
    users = [action for action in present if action.handler in ("email", "powers")]
    owned = targets.handled_by("owned_variable")
    lifecycles = targets.handled_by("lifecycle")
    banned = targets.handled_by("access_ban")
    is_limited = not dry_run and any(by.allowance for by in commands_by)
    state = await _load_state(writer, existing, present)
    guilds = await _load_guilds(writer, targets, existing, state)
    lifecycle = (
        await LifecycleState.load(writer, lifecycles, dry_run=dry_run) if lifecycles else None
    )
    if guilds and lifecycle:
        # One list may transfer a guild and delete its owner: each must see what the other does.
        guilds.is_deleted, lifecycle.owns_guild = lifecycle.is_deleted, guilds.owns
    return Loaded(
        existing=there,
        undos=await Undos.of(writer, targets.named, targets.known),
        state=state,
        losses=await Losses.of(
            writer,
            [one for one in present if one.handler in ("items", "letter") and one.postings],
        ),
        accounts=await AccountState.load(writer, users, dry_run=dry_run) if users else None,
        owned=await OwnedVariables.load(writer, owned) if owned else None,
        lifecycle=lifecycle,
        access=await AccessBanState.load(writer, banned, dry_run=dry_run) if banned else None,
        guilds=guilds,
        # Quotas are locked last, as everywhere.
        charges=await Charges.lock(writer, state, commands_by, lifecycles) if is_limited else None,
    )


async def _load_state(writer: Writer, existing: Existing, present: Sequence[Undoable]) -> State:
    players = {str(player): player for player in existing.players}
    state = await State.load(writer, players, _needs(present))
    if letters := {action.letter_id for action in present if action.letter_id}:
        await state.load_letters(writer, letters)
    return state


async def _load_guilds(
    writer: Writer, targets: UndoTargets, existing: Existing, state: State
) -> GuildStates | None:
    undone = targets.handled_by("guild", "guild_bank")
    if not undone:
        return None
    return await GuildStates.load(writer, state, undone, targets.players, existing.locked)


def _needs(present: Sequence[Undoable]) -> Needs:
    about: dict[UndoHandler | None, list[Undoable]] = defaultdict(list)
    for action in present:
        about[action.handler].append(action)
    sheets = [action.before["sheet"] for action in about["sheet"]]
    return Needs(
        items={item for action in present for item in action.item_ids},
        spells={UUID(action.state["spell_id"]) for action in about["spell"]},
        variables={UUID(action.state["variable_id"]) for action in about["variable"]},
        progress=bool(about["level"]),
        sheets=bool(sheets),
        classes={UUID(found) for sheet in sheets if (found := sheet.get("class_id"))},
        inventory=bool(sheets),
        bags=any(action.is_shared or action.handler == "guild_bank" for action in present),
    )
