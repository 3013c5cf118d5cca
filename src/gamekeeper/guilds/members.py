"""Changes of members: join, leave, kick, rank, and the transfer of ownership."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.core.errors import Conflict, Invalid, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, operation
from gamekeeper.guilds.records import Guild
from gamekeeper.guilds.state import GuildState
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players.characters import outcomes
from gamekeeper.players.lookup import names_of
from gamekeeper.players.memberships import OWNER, Membership
from gamekeeper.players.records import Player
from gamekeeper.players.state import lock_all


# A sentence of Intersect, which its clients compare: it stays as it is.
class PlayerNotFound(Invalid):
    """Player not found."""


class NotAMember(Invalid):
    """That character is not a member of the guild."""


class InvalidGuildRank(Invalid):
    """Invalid guild rank."""


class GuildOwnerStays(Invalid):
    """The owner cannot leave the guild; transfer ownership first."""


# A sentence of Intersect, which its clients compare: it stays as it is.
class AlreadyOwner(Invalid):
    """Cannot transfer ownership of a guild to ones self."""


class AlreadyInGuild(Conflict):
    """The character is already in a guild and must leave it first."""


class MemberChange(Command, frozen=True, kw_only=True):
    guild_id: UUID
    player: str


class GuildJoin(MemberChange, frozen=True, kw_only=True):
    rank: int | None = None
    """None: the lowest."""


class GuildLeave(MemberChange, frozen=True, kw_only=True):
    pass


class GuildKick(MemberChange, frozen=True, kw_only=True):
    pass


class GuildPromotion(MemberChange, frozen=True, kw_only=True):
    rank: int


class GuildTransfer(MemberChange, frozen=True, kw_only=True):
    pass


@operation
async def change_members(
    writer: Writer, commands: Sequence[MemberChange]
) -> list[Player | Problem]:
    """Change memberships, in the order of the list; returns the characters they are about."""
    players = await lock_all(writer, [command.player for command in commands])
    state = await GuildState.lock(writer, [command.guild_id for command in commands], players)
    about = _Changes(
        state,
        await names_of(writer, [player for player in players if player]),
        writer.settings.guild_ranks,
        await writer.value("SELECT now()"),
    )
    done = [
        about.attempt(command, player) for command, player in zip(commands, players, strict=True)
    ]
    await state.save(writer)
    return await outcomes(writer, done)


class _Changes:
    """Decides each command on the locked state; every check is made before any change."""

    def __init__(
        self, state: GuildState, names: dict[UUID, str], ranks: int, now: datetime
    ) -> None:
        self._state, self._names, self._ranks, self._now = state, names, ranks, now

    def attempt(self, command: MemberChange, player: UUID | None) -> UUID | Problem:
        try:
            guild = self._state.guild(command.guild_id)
            if player is None:
                raise PlayerNotFound
            self._change(command, guild, player)
        except Problem as refusal:
            return refusal
        return player

    def _change(self, command: MemberChange, guild: Guild, player: UUID) -> None:
        match command:
            case GuildJoin():
                self._join(command, guild, player)
            case GuildLeave():
                self._remove(command, guild, player, "guilds.leave", GuildOwnerStays())
            case GuildKick():
                sentence = "Cannot kick a guild owner, transfer ownership first."
                self._remove(command, guild, player, "guilds.kick", GuildOwnerStays(sentence))
            case GuildPromotion():
                self._rank(command, guild, player)
            case GuildTransfer():
                self._transfer(command, guild, player)
            case _:
                raise AssertionError(command)

    def _member(self, guild: Guild, player: UUID) -> Membership:
        found = self._state.membership(player)
        if found is None or found.guild_id != guild.id:
            raise NotAMember(f"{self._names[player]} is not a member of {guild.name}.")
        return found

    def _checked(self, rank: int) -> int:
        if not OWNER < rank < self._ranks:
            raise InvalidGuildRank(f"Invalid guild rank, should be > 0 and < {self._ranks}.")
        return rank

    def _join(self, command: GuildJoin, guild: Guild, player: UUID) -> None:
        rank = self._checked(self._ranks - 1 if command.rank is None else command.rank)
        if self._state.membership(player):
            raise AlreadyInGuild
        new = Membership(player_id=player, guild_id=guild.id, rank=rank, joined_at=self._now)
        self._put(command, guild, "guilds.join", player, None, new)

    def _remove(
        self, command: MemberChange, guild: Guild, player: UUID, kind: Kind, refusal: Problem
    ) -> None:
        member = self._member(guild, player)
        if member.is_owner:
            raise refusal
        self._put(command, guild, kind, player, member, None)

    def _rank(self, command: GuildPromotion, guild: Guild, player: UUID) -> None:
        rank, member = self._checked(command.rank), self._member(guild, player)
        if member.is_owner:
            raise GuildOwnerStays(
                "Cannot change rank of the guild owner, transfer ownership first!"
            )
        self._put(command, guild, "guilds.rank", player, member, replace(member, rank=rank))

    def _transfer(self, command: GuildTransfer, guild: Guild, player: UUID) -> None:
        member, owner = self._member(guild, player), self._state.owner(guild.id)
        if member.is_owner:
            raise AlreadyOwner
        if owner:
            self._state.put(owner.player_id, replace(owner, rank=OWNER + 1))
        self._state.put(player, replace(member, rank=OWNER))
        # Beside each owner stands the rank that the other of the two has then: for an undo.
        before: dict[str, Any] = {
            "owner_id": owner.player_id if owner else None,
            "rank": member.rank,
        }
        after = {"owner_id": player, "rank": OWNER + 1 if owner else None}
        self._record(command, guild, "guilds.transfer", player, before, after)

    def _put(
        self,
        command: MemberChange,
        guild: Guild,
        kind: Kind,
        player: UUID,
        before: Membership | None,
        after: Membership | None,
    ) -> None:
        self._state.put(player, after)
        states = membership_states(before, after)
        self._record(command, guild, kind, player, *states)

    def _record(
        self, command: MemberChange, guild: Guild, kind: Kind, player: UUID, before: Any, after: Any
    ) -> None:
        about = {"guild_id": guild.id, "guild": guild.name}
        action = Action(
            kind=kind,
            by=command.by,
            player_id=player,
            before=about | before if before else None,
            after=about | after if after else None,
        )
        self._state.record(guild.id, action)


def membership_states(
    before: Membership | None, after: Membership | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What an action records of a membership; if it begins or ends, with its date."""
    if before and after:
        return {"rank": before.rank}, {"rank": after.rank}
    first, second = (
        {"rank": one.rank, "joined_at": one.joined_at} if one else None for one in (before, after)
    )
    return first, second
