"""
Undo of guild actions: names, members, ranks, owners and variables.

Banks are in `guild_bank`, disbanded guilds in `disbanded_guilds`.
"""

from typing import Any
from uuid import UUID

import msgspec
from msgspec.structs import replace

from gamekeeper.catalog import variables as catalog
from gamekeeper.core.names import fold
from gamekeeper.guilds.members import membership_states
from gamekeeper.guilds.records import Guild
from gamekeeper.history.undo import guild_bank
from gamekeeper.history.undo.disbanded_guilds import WholeGuild
from gamekeeper.history.undo.guild_state import GuildStates, guild_gone
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.state import State


def undo(state: State, guilds: GuildStates, undone: Undoable, action: UUID) -> Result:
    """Apply the inverse in memory; which it is follows from what the states are about."""
    guild_id = undone.guild_id
    assert guild_id is not None
    if "members" in undone.state:
        whole = WholeGuild(state, guilds, undone, action)
        result = whole.disband() if undone.after else whole.restore()
    elif (guild := guilds.guilds.get(guild_id)) is None:
        return blocked(guild_gone(undone))
    else:
        result = _undo(state, guilds, guild, undone, action)
    guilds.relate(guild_id, action)
    return result


def _undo(
    state: State, guilds: GuildStates, guild: Guild, undone: Undoable, action: UUID
) -> Result:
    if undone.handler == "guild_bank":
        return guild_bank.undo(state, guild, undone, action)
    if "variable_id" in undone.state:
        return _undo_variable(guilds, guild, undone)
    if "owner_id" in undone.state:
        return _undo_transfer(guilds, guild, undone)
    if "rank" in undone.state:
        return _undo_membership(guilds, guild, undone)
    return _undo_rename(guilds, guild, undone)


def _about(guild: Guild) -> dict[str, Any]:
    return {"guild_id": guild.id, "guild": guild.name}


def _undo_rename(guilds: GuildStates, guild: Guild, undone: Undoable) -> Result:
    former, left, now = undone.before["guild"], undone.after["guild"], guild.name
    if now != left:
        return blocked(Obstacle(reason="changed_since", what="name", expected=left, found=now))
    if guilds.names.get(fold(former)) not in (None, guild.id):
        return blocked(Obstacle(reason="name_taken", what="name", expected=former))
    guilds.names.put(fold(now), None)
    guilds.names.put(fold(former), guild.id)
    renamed = replace(guild, name=former)
    guilds.guilds.put(guild.id, renamed)
    return Result(
        changes=[Change(what="name", id=guild.id, before=now, after=former)],
        before=_about(guild),
        after=_about(renamed),
    )


def _undo_variable(guilds: GuildStates, guild: Guild, undone: Undoable) -> Result:
    variable = UUID(undone.state["variable_id"])
    former, left = (catalog.stored(state["value"]) for state in (undone.before, undone.after))
    now = guilds.variables.get((guild.id, variable))
    if now != left:
        return blocked(
            Obstacle(reason="changed_since", what="variable", id=variable, expected=left, found=now)
        )
    guilds.variables.put((guild.id, variable), former)
    about = _about(guild) | {"variable_id": variable}
    return Result(
        changes=[Change(what="variable", id=variable, before=now, after=former)],
        before=about | {"value": now},
        after=about | {"value": former},
    )


# ── Members ──


def _undo_membership(guilds: GuildStates, guild: Guild, undone: Undoable) -> Result:
    player = undone.player_id
    assert player is not None
    name = guilds.player_names.get(player)
    former, left = undone.before, undone.after
    if OWNER in (state["rank"] for state in (former, left) if state):
        # An import may write them so. A guild has one owner, and a transfer changes it.
        return blocked(Obstacle(reason="guild_owner", what="rank", id=player, name=name))
    if guilds.is_deleted(player):
        return blocked(Obstacle(reason="player_gone", what="player", id=player, name=name))
    now = guilds.members.get(player)
    if obstacle := _membership_obstacle(now, guild, player, name, left):
        return blocked(obstacle)
    back = _former_membership(guilds, guild, player, former, now)
    guilds.members.put(player, back)
    states = membership_states(now, back)
    before, after = (_about(guild) | state if state else None for state in states)
    return Result(changes=[_member_change(player, name, now, back)], before=before, after=after)


def _membership_obstacle(
    now: Membership | None, guild: Guild, player: UUID, name: str | None, left: Any
) -> Obstacle | None:
    """The obstacle if the membership is not as the action left it."""
    is_member = now is not None and now.guild_id == guild.id
    if left is None:
        if now is None:
            return None
        reason = "already_there" if is_member else "in_another_guild"
        return Obstacle(reason=reason, what="member", id=player, name=name)
    if now is None or not is_member:
        return Obstacle(reason="not_a_member", what="member", id=player, name=name)
    if now.rank != left["rank"]:
        return Obstacle(
            reason="changed_since",
            what="rank",
            id=player,
            name=name,
            expected=left["rank"],
            found=now.rank,
        )
    return None


def _former_membership(
    guilds: GuildStates, guild: Guild, player: UUID, former: Any, now: Membership | None
) -> Membership | None:
    if former is None:
        return None
    if now:
        return replace(now, rank=former["rank"])
    # Older actions and those of imports do not have the date.
    joined = former.get("joined_at")
    at = msgspec.convert(joined, type(guilds.now)) if joined else guilds.now
    return Membership(player_id=player, guild_id=guild.id, rank=former["rank"], joined_at=at)


def _member_change(
    player: UUID, name: str | None, before: Membership | None, after: Membership | None
) -> Change:
    if before and after:
        return Change(what="rank", id=player, name=name, before=before.rank, after=after.rank)
    return Change(what="member", id=player, name=name, quantity=1 if after else -1)


def _undo_transfer(guilds: GuildStates, guild: Guild, undone: Undoable) -> Result:
    wanted, left = (_id(state.get("owner_id")) for state in (undone.before, undone.after))
    owner = guilds.owner(guild.id)
    now = owner.player_id if owner else None
    if now != left:
        return blocked(_changed_owner(guilds, left, now))
    heir = guilds.members.get(wanted) if wanted else None
    if wanted and (heir is None or heir.guild_id != guild.id or guilds.is_deleted(wanted)):
        name = guilds.player_names.get(wanted)
        return blocked(Obstacle(reason="not_a_member", what="member", id=wanted, name=name))
    # Actions of older versions do not have the rank.
    rank = undone.before.get("rank") or OWNER + 1
    if owner:
        guilds.members.put(owner.player_id, replace(owner, rank=rank))
    if heir:
        guilds.members.put(heir.player_id, replace(heir, rank=OWNER))
    change = Change(
        what="owner",
        id=wanted,
        before=guilds.player_names.get(now) if now else None,
        after=guilds.player_names.get(wanted) if wanted else None,
    )
    return Result(
        changes=[change],
        before=_about(guild) | {"owner_id": now, "rank": heir.rank if heir else None},
        after=_about(guild) | {"owner_id": wanted, "rank": rank if owner else None},
    )


def _changed_owner(guilds: GuildStates, left: UUID | None, now: UUID | None) -> Obstacle:
    names = guilds.player_names
    return Obstacle(
        reason="changed_since",
        what="owner",
        expected=names.get(left) if left else None,
        found=names.get(now) if now else None,
    )


def _id(text: str | None) -> UUID | None:
    return UUID(text) if text else None
