"""The actions that undos are about, and the locks of what these changed."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Writer
from gamekeeper.history.undo import guild_state, lifecycle, owned_variables
from gamekeeper.ledger import transactions, undoable
from gamekeeper.ledger.kinds.records import UndoHandler
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players.lookup import find_player_ids
from gamekeeper.players.state import lock_all as lock_players
from gamekeeper.users.lookup import find_user_ids
from gamekeeper.users.lookup import lock as lock_users


class UndoTargets(Struct, frozen=True, kw_only=True):
    named: Sequence[UUID]
    """All ids, also those that no action has."""
    members: Mapping[UUID, Sequence[UUID]]
    """The actions of each transaction that is undone as a whole."""
    known: Mapping[UUID, Undoable]

    @property
    def undoable(self) -> list[Undoable]:
        """Those of a kind that can be undone."""
        return [action for action in self.known.values() if action.handler]

    def handled_by(self, *handlers: UndoHandler) -> list[Undoable]:
        return [action for action in self.known.values() if action.handler in handlers]

    @property
    def players(self) -> set[UUID]:
        """The characters that actions are about."""
        return {action.player_id for action in self.undoable if action.player_id}


class Existing(Struct, frozen=True):
    """The characters and accounts of the targets that exist."""

    players: Sequence[UUID]
    """Of the actions; a disbanded guild has former members, too, which only it needs."""
    users: Sequence[UUID]
    locked: Collection[UUID] | None
    """All characters that are locked; None in a dry run."""

    @property
    def ids(self) -> AbstractSet[UUID | None]:
        """All of them, and None: what an action is not about cannot be missing."""
        return {*self.players, *self.users, None}


async def read(
    writer: Writer, actions: Sequence[UUID], whole_transactions: Sequence[UUID]
) -> UndoTargets:
    """Read actions and the actions of transactions; they never change, so without a lock."""
    members = await transactions.members(writer, whole_transactions) if whole_transactions else {}
    named = [*actions, *(action for own in members.values() for action in own)]
    known = await undoable.read(writer, named)
    return UndoTargets(named=named, members=members, known=known)


async def lock(writer: Writer, targets: UndoTargets) -> Existing:
    """
    Lock everything that the undos may change, and return what exists.

    In this order, as other operations do: characters, accounts, the archive of deleted
    characters, the variables of the game, guilds.
    """
    about_guilds = targets.handled_by("guild", "guild_bank")
    former = await guild_state.members_to_lock(writer, about_guilds) if about_guilds else set()
    players, users = _concerned(targets, former)
    found = await lock_players(writer, players) if players else []
    if users:
        await lock_users(writer, [UUID(user) for user in users])
    accounts = await find_user_ids(writer, users) if users else []
    existing = _existing(targets, found, accounts, locked={*former, *found})
    if gone := {action.player_id for action in targets.undoable} - existing.ids:
        await lifecycle.lock(writer, gone)
    if owned := targets.handled_by("owned_variable"):
        await owned_variables.lock(writer, owned)
    if about_guilds:
        deleted = [action.player_id for action in targets.handled_by("lifecycle")]
        await guild_state.lock(writer, about_guilds, [one for one in deleted if one])
    return existing


async def find(writer: Writer, targets: UndoTargets) -> Existing:
    """What exists, without locks: for a dry run."""
    players, users = _concerned(targets)
    found = await find_player_ids(writer, players) if players else []
    accounts = await find_user_ids(writer, users) if users else []
    return _existing(targets, found, accounts, locked=None)


def _concerned(targets: UndoTargets, former: Collection[UUID] = ()) -> tuple[list[str], list[str]]:
    """The players and the users that the targets name, in the order of their locks."""
    wanted = targets.undoable
    lifecycles = targets.handled_by("lifecycle")
    owners = lifecycle.accounts(lifecycles) if lifecycles else set[UUID]()
    players = {str(player) for player in {*targets.players, *former}}
    users = {str(user) for user in {*owners, *(action.user_id for action in wanted)} if user}
    return sorted(players), sorted(users)


def _existing(
    targets: UndoTargets,
    players: Sequence[UUID | None],
    users: Sequence[UUID | None],
    *,
    locked: Collection[UUID | None] | None,
) -> Existing:
    named = targets.players
    return Existing(
        [player for player in players if player and player in named],
        [user for user in users if user],
        None if locked is None else {player for player in locked if player},
    )
