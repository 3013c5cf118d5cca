"""
Delivery of letters: new items in the mailbox of a character, or items that another one sends.

Given a writer, `send` joins the transaction of its caller: the letter, its items, its postings and
its action are written with whatever else the caller changes, or not at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import CLAIMED, AuditContext, Command, operation
from gamekeeper.players.holds import HeldGift, Holds
from gamekeeper.players.lookup import Party, names_of
from gamekeeper.players.mailbox import rows
from gamekeeper.players.mailbox.drafts import Draft
from gamekeeper.players.mailbox.letters import Letters
from gamekeeper.players.mailbox.records import (
    DEFAULT_LIFETIME,
    Letter,
    LetterItem,
    LetterSender,
    OnExpiry,
)
from gamekeeper.players.moves import PlayerCommand
from gamekeeper.players.state import Needs, State
from gamekeeper.sanctions.in_force import restrictions


class TradeLocked(Conflict):
    """The character is banned from trading and cannot send items."""


class Muted(Conflict):
    """The character is muted and cannot send letters."""


class SendLetter(PlayerCommand, frozen=True, kw_only=True):
    """A letter to the mailbox of `player`."""

    subject: str
    text: str = ""
    items: tuple[LetterItem, ...] = ()
    """New items, unless `from_player` sends them."""
    from_player: str | None = None
    """The name or id of the character that sends the letter, out of its inventory."""
    sender: LetterSender | None = None
    """None: the character that sends it or, without one, the actor."""
    expires_at: datetime | None = None
    """None: after 30 days."""
    on_expiry: OnExpiry = "destroy"

    def about(self) -> Iterable[str]:
        return [self.player, *([self.from_player] if self.from_player else [])]

    def pinned(self, ids: Mapping[str, str]) -> Command:
        sender = self.from_player and ids.get(self.from_player, self.from_player)
        return replace(self, player=ids.get(self.player, self.player), from_player=sender)


# Not batched: an order may need the locks of two characters, and would wait for both.
@operation
async def send(writer: Writer, orders: Sequence[SendLetter]) -> list[Letter | Problem]:
    """Send letters, each atomically: with all its items, or not at all."""
    needs = Needs(items={item.item_id for order in orders for item in order.items})
    keys = list(dict.fromkeys(key for order in orders for key in order.about()))
    state = await State.lock(writer, keys, needs)
    await state.quotas.lock(writer, [order.by for order in orders])
    post = await Post.of(writer, state, orders)
    outcomes: list[Letter | Problem] = []
    for order in orders:
        outcome = state.attempt(lambda order=order: post.send(order), order.by)
        outcomes.append(outcome)
        if not isinstance(outcome, Problem):
            post.count(order)
    await state.save(writer)
    await post.holds.save(writer)
    return outcomes


class Post:
    """What decides whether a letter may be sent, beside the state of its characters."""

    def __init__(
        self,
        state: State,
        letters: Letters,
        holds: Holds,
        names: Mapping[UUID, str],
        locks: Mapping[UUID, set[str]],
    ) -> None:
        self._state, self._letters, self._names = state, letters, names
        self._locks = locks
        self.holds = holds

    @classmethod
    async def of(cls, writer: Writer, state: State, orders: Sequence[SendLetter]) -> "Post":
        letters = Letters(
            state, await state.load_letters(writer, ()), await rows.sizes(writer, state.players)
        )
        holds = await Holds.lock(
            writer, [gift for order in orders for gift in _gifts(state, order)]
        )
        if not any(order.from_player for order in orders):
            return cls(state, letters, holds, {}, {})
        found = await restrictions(writer, state.players)
        locks = {player: {str(lock.kind) for lock in found[player]} for player in found}
        return cls(state, letters, holds, await names_of(writer, state.players), locks)

    def send(self, order: SendLetter) -> Letter:
        player = self._state.player(order.player)
        sender = self._state.player(order.from_player) if order.from_player else None
        draft = self._draft(order, sender)
        draft.check()
        if sender is None:
            letter = self._letters.send(order.by, player, draft)
        else:
            self._check(sender, draft)
            name = self._names.get(player)
            letter = self._letters.send_from(order.by, sender, Party(player, name), draft)
        # After the letter: what would be refused anyway is not worth an approval.
        for gift in _gifts(self._state, order):
            self.holds.check(gift)
        return letter

    def count(self, order: SendLetter) -> None:
        """Count a letter that was sent towards the rules that may hold the next one."""
        for gift in _gifts(self._state, order):
            self.holds.count(gift)

    def _draft(self, order: SendLetter, sender: UUID | None) -> Draft:
        if sender is None:
            by = order.sender or sender_of(order.by)
        else:
            by = LetterSender(kind="player", id=sender, name=self._names.get(sender))
        now = self._letters.now
        return Draft(
            sender=by,
            subject=order.subject,
            text=order.text,
            items=order.items,
            lifetime=_lifetime(order, now),
            on_expiry=order.on_expiry,
        )

    def _check(self, sender: UUID, draft: Draft) -> None:
        if "mute" in self._locks.get(sender, ()):
            raise Muted
        if draft.items and "trade_lock" in self._locks.get(sender, ()):
            raise TradeLocked


def _lifetime(order: SendLetter, now: datetime) -> timedelta:
    return DEFAULT_LIFETIME if order.expires_at is None else order.expires_at - now


def _gifts(state: State, order: SendLetter) -> Iterable[HeldGift]:
    """The new items of a letter, which economy rules may hold as they hold gifts."""
    if order.from_player or not state.finds(order.player):
        return
    for item in order.items:
        known = state.known_items.get(item.item_id)
        if known and known.is_held:
            player = state.player(order.player)
            yield HeldGift(by=order.by, player=player, item=known, quantity=item.quantity)


def sender_of(by: AuditContext) -> LetterSender:
    """The sender that stands for an actor: a key of a game server, or staff."""
    if by.actor.startswith("key:"):
        return LetterSender(kind="key", name=by.name)
    is_staff = by.actor.startswith(("user:", CLAIMED))
    return LetterSender(kind="staff" if is_staff else "system", name=by.name)
