"""
Undo of disbandings: the guild comes back whole, or the undo lists what is in the way.

It comes back with its members and their ranks, the items in its bank, its variables and its name.
With `partial` it comes back without the members that are gone or in another guild, and under
another name if its own is taken; without its owner it does not come back. The undo of that undo
disbands it again.
"""

from collections import Counter
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.catalog import variables as catalog
from gamekeeper.core.names import fold
from gamekeeper.guilds.archive import ArchivedGuild, ArchivedMember
from gamekeeper.guilds.lifecycle import disbanded_state
from gamekeeper.history.undo.guild_state import GuildStates, guild_gone, substitute
from gamekeeper.history.undo.items import change
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.losses import Kind, kind_of
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.inventory import PostingContext, Slots
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.state import Savepoint, State


class WholeGuild:
    """A guild that comes back, or is disbanded again."""

    def __init__(self, state: State, guilds: GuildStates, undone: Undoable, action: UUID) -> None:
        assert undone.guild_id is not None
        self._state, self._guilds, self._undone, self._action = state, guilds, undone, action
        self._id = undone.guild_id

    def restore(self) -> Result:
        archived = self._guilds.archived.get(self._id)
        if self._guilds.guilds.get(self._id):
            return blocked(Obstacle(reason="already_there", what="guild", id=self._id))
        if archived is None:
            # It was disbanded before there was an archive, or so long ago that it expired.
            name = self._undone.state.get("guild")
            return blocked(Obstacle(reason="no_longer_kept", what="guild", id=self._id, name=name))
        missing = {
            member.player_id: obstacle
            for member in archived.kept.members
            if (obstacle := self._obstacle(member))
        }
        obstacles = list(missing.values())
        members = [one for one in archived.kept.members if one.player_id not in missing]
        if any(one.rank == OWNER for one in archived.kept.members if one.player_id in missing):
            # Without its owner it does not come back, not even in part.
            return blocked(*obstacles)
        name = self._free_name(archived)
        if name != archived.name:
            taken = Obstacle(reason="name_taken", what="name", id=self._id, expected=archived.name)
            obstacles.append(replace(taken, found=name))
        if name is None:
            return blocked(*obstacles)
        restored = replace(archived, name=name, kept=replace(archived.kept, members=members))
        return replace(self._restored(restored), obstacles=obstacles)

    def _restored(self, archived: ArchivedGuild) -> Result:
        guilds, begun = self._guilds, self._state.savepoint()
        guilds.archived.put(self._id, None)
        guilds.guilds.put(self._id, archived.guild())
        guilds.names.put(fold(archived.name), self._id)
        for member in archived.kept.members:
            membership = Membership(
                player_id=member.player_id,
                guild_id=self._id,
                rank=member.rank,
                joined_at=member.joined_at,
            )
            guilds.members.put(member.player_id, membership)
        for variable in archived.kept.variables:
            guilds.variables.put((self._id, variable.variable_id), catalog.stored(variable.value))
        context = PostingContext(self._action, "undo", archived.action_id)
        for slot in archived.kept.slots:
            self._state.inventory.set_slot((self._id, "guild", slot.slot), slot.stack, context)
        return Result(changes=self._changes(archived, 1, begun), after=disbanded_state(archived))

    def _obstacle(self, member: ArchivedMember) -> Obstacle | None:
        """Why a former member cannot be one again."""
        player = member.player_id
        name = self._guilds.player_names.get(player)
        if not self._guilds.exists(player):
            return Obstacle(reason="player_gone", what="member", id=player, name=name)
        if self._guilds.members.get(player):
            return Obstacle(reason="in_another_guild", what="member", id=player, name=name)
        return None

    def _free_name(self, archived: ArchivedGuild) -> str | None:
        """Its name, or another if that is taken; None if both are."""
        names = (archived.name, substitute(archived.name, self._id))
        return next((name for name in names if self._guilds.names.get(fold(name)) is None), None)

    def disband(self) -> Result:
        guilds, inventory = self._guilds, self._state.inventory
        guild = guilds.guilds.get(self._id)
        if guild is None:
            return blocked(guild_gone(self._undone))
        bank = dict(inventory.at(self._id, "guild"))
        if more := self._deposited_since(bank):
            # Whoever wants to remove those too disbands the guild by force.
            return blocked(
                Obstacle(
                    reason="holds_items", what="guild", id=self._id, name=guild.name, found=more
                )
            )
        members = guilds.of_guild(self._id)
        values = guilds.values(self._id)
        archived = ArchivedGuild.of(guild, self._action, members, bank, values)
        begun = self._state.savepoint()
        for slot in sorted(bank):
            context = PostingContext(self._action, "undo")
            inventory.set_slot((self._id, "guild", slot), None, context)
        for member in members:
            guilds.members.put(member.player_id, None)
        for variable in values:
            guilds.variables.put((self._id, variable), None)
        guilds.names.put(fold(guild.name), None)
        guilds.guilds.put(self._id, None)
        guilds.archived.put(self._id, archived)
        return Result(changes=self._changes(archived, -1, begun), before=disbanded_state(archived))

    def _deposited_since(self, bank: Slots) -> int:
        """How many items are in the bank beyond those that came back with the guild."""
        held: Counter[Kind] = Counter()
        for stack in bank.values():
            held[stack.item_id, stack.stat_buffs] += stack.quantity
        for posting in self._undone.postings:
            held[kind_of(posting)] -= posting.quantity
        return sum(quantity for quantity in held.values() if quantity > 0)

    def _changes(self, archived: ArchivedGuild, sign: int, begun: Savepoint) -> list[Change]:
        posted = self._state.inventory.posted_since(begun.inventory)
        members = len(archived.kept.members)
        return [
            Change(what="guild", id=self._id, name=archived.name, quantity=sign),
            Change(what="member", quantity=sign * members),
            *(change(posting) for posting in posted),
        ]
