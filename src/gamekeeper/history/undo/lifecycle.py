"""
Undo of character creation, deletion and renaming.

The undo of a creation deletes the character; the undo of a deletion restores it with all
it had, if the account has room for one more character. It is decided in memory, from the
existing characters and the owners of names; the archive and the name claims write it
(players/archive.py, names.py).
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from gamekeeper.db.database import Writer
from gamekeeper.history.undo.plan import Change, Obstacle, Result, blocked
from gamekeeper.ledger.places import HELD_BY_PLAYERS
from gamekeeper.ledger.undoable import Undoable
from gamekeeper.players import archive, memberships
from gamekeeper.players.archive import Returning
from gamekeeper.players.characters import character_counts, described, playing
from gamekeeper.players.name_changes import save_names
from gamekeeper.players.names import JOINERS, NameClaims
from gamekeeper.players.state import lock_all


async def lock(writer: Writer, missing: Collection[UUID | None]) -> None:
    """
    Lock characters that may be deleted, by their rows in the archive.

    A character that was restored while we waited for its row is locked as a player.
    """
    players = [player for player in missing if player]
    if players:
        found = await archive.find(writer, players, lock=True)
        await lock_all(writer, [str(player) for player in players if player not in found])


def accounts(undone: Sequence[Undoable]) -> set[UUID]:
    """
    The accounts whose characters were created or deleted; lock them before the archive.

    As the creation of a character does: the limit of characters per account is counted under
    this lock.
    """
    described = [about for action in undone if (about := action.state.get("character"))]
    return {UUID(about["user_id"]) for about in described}


class LifecycleState:
    """In-memory state: which characters exist, which are deleted, and their names."""

    def __init__(self) -> None:
        self._about: dict[UUID, dict[str, Any]] = {}
        """The description of each character in actions, whether it exists or is deleted."""
        self._stored: dict[UUID, str] = {}
        self._now: dict[UUID, str] = {}
        """The names of existing characters: `_stored` in the database, `_now` with changes."""
        self._deleted: dict[UUID, str] = {}
        """The names of deleted characters, with changes."""
        self._online: dict[UUID, UUID] = {}
        self._holding: set[UUID] = set()
        self._owners: set[UUID] = set()
        self.owns_guild: Callable[[UUID], bool] = lambda player: player in self._owners
        """Whether a character owns a guild."""
        self._actions: dict[UUID, UUID] = {}
        """The last action that deleted or restored each character."""
        self._counts: Counter[UUID] = Counter()
        """How many characters each account has, with changes."""
        self._most_characters = 0
        self._names = NameClaims()

    @classmethod
    async def load(
        cls, writer: Writer, undone: Sequence[Undoable], *, dry_run: bool
    ) -> "LifecycleState":
        state = cls()
        await state._load(writer, undone, dry_run=dry_run)
        return state

    async def _load(self, writer: Writer, undone: Sequence[Undoable], *, dry_run: bool) -> None:
        ids = list({action.player_id for action in undone if action.player_id})
        rows = await writer.rows(
            "SELECT id, name, user_id, class_id, level FROM players WHERE id = ANY($1)", ids
        )
        for row in rows:
            self._stored[row["id"]] = row["name"]
            about = described(row["name"], row["user_id"], row["class_id"], row["level"])
            self._about[row["id"]] = about["character"]
        self._now = dict(self._stored)
        for archived in (await archive.find(writer, ids, lock=not dry_run)).values():
            self._deleted[archived.player_id] = archived.name
            about = described(archived.name, archived.user_id, archived.class_id, archived.level)
            self._about[archived.player_id] = about["character"]
        # The accounts are locked (`accounts`), so no other transaction adds characters to them.
        self._counts = await character_counts(
            writer, [*{about["user_id"] for about in self._about.values()}]
        )
        self._most_characters = writer.settings.characters_per_user
        self._online = await playing(writer, ids)
        self._holding = await _holding(writer, ids)
        self._owners = await memberships.owners(writer, ids, lock=not dry_run)
        self._names = await NameClaims.load(
            writer, [*self._wanted(undone)], self._stored, dry_run=dry_run
        )

    def _wanted(self, undone: Sequence[Undoable]) -> list[tuple[UUID, str]]:
        """The names that may be needed again; they are claimed, so that no other can take them."""
        wanted = [
            (player, name)
            for player, former in self._deleted.items()
            for name in (former, substitute(former, player))
        ]
        wanted += [
            (action.player_id, action.before["name"])
            for action in undone
            if "name" in action.state and action.player_id
        ]
        # A character that one list deletes and then restores needs its name again too.
        return wanted + list(self._stored.items())

    def savepoint(self) -> tuple[Any, ...]:
        saved = dict(self._now), dict(self._deleted), dict(self._actions), Counter(self._counts)
        return *saved, self._names.savepoint()

    def rollback(self, savepoint: tuple[Any, ...]) -> None:
        self._now, self._deleted, self._actions, self._counts, names = savepoint
        self._names.rollback(names)

    def undo(self, undone: Undoable, action: UUID) -> Result:
        player = undone.player_id
        assert player is not None
        if "name" in undone.state:
            return self._rename(player, undone.before["name"], undone.after["name"])
        if undone.after:
            return self._delete(player, action, created=undone.kind == "players.create")
        return self._bring_back(player, action)

    def is_deleted(self, player: UUID) -> bool:
        """Whether a character that existed is deleted by an undo of this list."""
        return player in self._stored and player not in self._now

    def _rename(self, player: UUID, former: str, left: str) -> Result:
        now = self._now.get(player)
        if now is None:
            return blocked(Obstacle(reason="player_gone", what="player", id=player))
        if now != left:
            return blocked(Obstacle(reason="changed_since", what="name", expected=left, found=now))
        if not self._names.is_free(player, former, now):
            return blocked(Obstacle(reason="name_taken", what="name", expected=former))
        self._names.take(player, former, now)
        self._now[player] = former
        change = Change(what="name", id=player, before=now, after=former)
        return Result(changes=[change], before={"name": now}, after={"name": former})

    def _delete(self, player: UUID, action: UUID, *, created: bool) -> Result:
        name = self._now.get(player)
        if name is None:
            return blocked(Obstacle(reason="player_gone", what="player", id=player))
        if player in self._online:
            return blocked(Obstacle(reason="online", what="player", id=player, name=name))
        if self.owns_guild(player):
            return blocked(Obstacle(reason="owns_guild", what="player", id=player, name=name))
        if created and player in self._holding:
            # It was given items since; to discard those too, delete the character instead.
            return blocked(Obstacle(reason="holds_items", what="player", id=player, name=name))
        self._deleted[player] = self._now.pop(player)
        self._names.release(player, name)
        self._counts[self._about[player]["user_id"]] -= 1
        self._actions[player] = action
        change = Change(what="player", id=player, name=name, quantity=-1)
        before = {"character": self._about[player] | {"name": name}}
        return Result(changes=[change], before=before)

    def _bring_back(self, player: UUID, action: UUID) -> Result:
        if player in self._now:
            return blocked(Obstacle(reason="already_there", what="player", id=player))
        former = self._deleted.get(player)
        if former is None:
            return blocked(Obstacle(reason="player_gone", what="player", id=player))
        if full := self._full_account(player):
            return blocked(full)
        free = self._names.is_free(player, former)
        name = former if free else substitute(former, player)
        taken = Obstacle(reason="name_taken", what="name", id=player, expected=former, found=name)
        if not free and not self._names.is_free(player, name):
            return blocked(taken)
        self._names.take(player, name)
        self._now[player] = name
        self._counts[self._about[player]["user_id"]] += 1
        del self._deleted[player]
        self._actions[player] = action
        change = Change(what="player", id=player, name=name, quantity=1)
        after = {"character": self._about[player] | {"name": name}}
        return Result(changes=[change], obstacles=[] if free else [taken], after=after)

    def _full_account(self, player: UUID) -> Obstacle | None:
        """The obstacle if the account of a deleted character has no room for it."""
        user = self._about[player]["user_id"]
        most, found = self._most_characters, self._counts[user]
        if found < most:
            return None
        return Obstacle(
            reason="too_many_characters", what="user", id=user, expected=most, found=found
        )

    async def save(self, writer: Writer) -> None:
        # A deleted character is archived under the name it had when it was deleted.
        names = {player: self._now.get(player) or self._deleted[player] for player in self._stored}
        await save_names(writer, self._stored, names)
        gone = [player for player in self._stored if player not in self._now]
        await archive.put_away(writer, {player: self._actions[player] for player in gone}, "undo")
        back = {player: name for player, name in self._now.items() if player not in self._stored}
        await archive.bring_back(
            writer,
            [Returning(player, name, self._actions[player]) for player, name in back.items()],
        )
        await self._names.save(writer)


def substitute(name: str, player: UUID) -> str:
    """The new name of a restored character whose name was taken meanwhile."""
    return f"{name[:11].rstrip(JOINERS)}-{player.hex[:8]}"


async def _holding(writer: Writer, players: Sequence[UUID]) -> set[UUID]:
    rows = await writer.rows(
        f"SELECT DISTINCT owner_id FROM ({HELD_BY_PLAYERS}) AS held WHERE owner_id = ANY($1)",
        list(players),
    )
    return {row["owner_id"] for row in rows}
