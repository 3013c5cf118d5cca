"""
The bank of a guild: deposit and withdraw, between a member's inventory and the bank.

Both sides are slots of the same ledger, so one action has the postings of both, against the
account `guild`: nothing is made and nothing is lost (docs/decisions/0050-guild-banks.md).
"""

from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.catalog.items import Item, UnknownItem
from gamekeeper.core.errors import Conflict, Problem
from gamekeeper.core.schemas import Record
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command, batched_operation
from gamekeeper.guilds.lookup import UnknownGuild
from gamekeeper.guilds.members import NotAMember
from gamekeeper.guilds.records import Guild
from gamekeeper.guilds.state import lock_guilds
from gamekeeper.ledger.actions import Action, Kind
from gamekeeper.players import memberships, rules
from gamekeeper.players.inventory import Container, PostingContext, Slots, Stack
from gamekeeper.players.memberships import Membership
from gamekeeper.players.rules import InvalidQuantity, InventoryFull
from gamekeeper.players.state import Needs, State
from gamekeeper.sanctions.in_force import restrictions


class GuildBankFull(Conflict):
    """The guild's bank has no room for that many; nothing was deposited."""


class NotBankable(Conflict):
    """This item cannot be stored in a bank; nothing was deposited."""


class TradeLocked(Conflict):
    """The character is banned from trading and cannot use a guild bank."""


class NotEnoughItems(Conflict):
    """The guild's bank holds fewer than that; nothing was withdrawn."""


class BankMove(Command, frozen=True, kw_only=True):
    guild_id: UUID
    player: str
    item_id: UUID
    quantity: int
    slot: int | None = None
    """Only from this slot: of the inventory for a deposit, of the bank for a withdrawal."""


class BankedItems(Record, frozen=True):
    """The result of a move."""

    item_id: UUID
    quantity: int
    inventory: int
    """The quantity that the member now has."""
    bank: int
    """The quantity that is now in the guild's bank."""


@batched_operation
async def deposit(writer: Writer, orders: Sequence[BankMove]) -> list[BankedItems | Problem]:
    """Move items from members' inventories into the banks of their guilds, each atomically."""
    return await _carry_out(writer, orders, Banks.deposit)


@batched_operation
async def withdraw(writer: Writer, orders: Sequence[BankMove]) -> list[BankedItems | Problem]:
    """Move items from the banks of guilds into their members' inventories, each atomically."""
    return await _carry_out(writer, orders, Banks.withdraw)


async def _carry_out(
    writer: Writer,
    orders: Sequence[BankMove],
    way: "Way",
) -> list[BankedItems | Problem]:
    needs = Needs(items={order.item_id for order in orders})
    state = await State.lock(writer, [order.player for order in orders], needs)
    guilds = await lock_guilds(writer, [order.guild_id for order in orders])
    await state.inventory.load_guilds(writer, list(guilds))
    banks = Banks(
        state,
        guilds,
        await memberships.of_players(writer, state.players),
        await _trade_locks(writer, state.players),
    )
    outcomes = [state.attempt(lambda order=order: banks.move(order, way)) for order in orders]
    await state.save(writer)
    await memberships.relate(
        writer, [guild for guild, _ in banks.done], [action for _, action in banks.done]
    )
    return outcomes


async def _trade_locks(writer: Writer, players: Sequence[UUID]) -> set[UUID]:
    found = await restrictions(writer, players)
    return {player for player in found if any(lock.kind == "trade_lock" for lock in found[player])}


class Banks:
    """The banks of locked guilds, beside the inventories of locked characters."""

    def __init__(
        self,
        state: State,
        guilds: Mapping[UUID, Guild],
        members: Mapping[UUID, Membership],
        locked: set[UUID],
    ) -> None:
        self._state, self._guilds, self._members = state, guilds, members
        self._locked = locked
        self.done: list[tuple[UUID, UUID]] = []
        """The guild and the action of each move that was made."""

    def move(self, order: BankMove, way: "Way") -> BankedItems:
        item = self._checked(order)
        player, guild = self._state.player(order.player), self._guilds[order.guild_id]
        kind: Kind = "guilds.deposit" if way is Banks.deposit else "guilds.withdraw"
        action = Action(kind=kind, by=order.by, player_id=player, item_id=item.id)
        before = self._held(player, guild, item)
        way(self, order, item, PostingContext(action.id, "guild"))
        after = self._held(player, guild, item)
        about = {"guild_id": guild.id, "guild": guild.name, "quantity": order.quantity}
        self._state.record(replace(action, before=about | before, after=about | after))
        self.done.append((guild.id, action.id))
        return BankedItems(item_id=item.id, quantity=order.quantity, **after)

    def deposit(self, order: BankMove, item: Item, context: PostingContext) -> None:
        player, guild = self._state.player(order.player), self._guilds[order.guild_id]
        if not item.bankable:
            raise NotBankable
        inventory = self._state.inventory
        for thing in self._taken(player, "inventory", order, context):
            # A bag in a guild's bank is empty, so it needs no number of its own.
            put = replace(thing, bag_id=None, bag_filled=False)
            bank, size = inventory.at(guild.id, "guild"), guild.bank_slots_count
            changed, left = rules.put(bank, size, put, stack=item.bank_stack)
            if left:
                raise GuildBankFull
            for number, stack in changed.items():
                inventory.set_slot((guild.id, "guild", number), stack, context)

    def withdraw(self, order: BankMove, item: Item, context: PostingContext) -> None:
        player = self._state.player(order.player)
        try:
            things = self._taken(order.guild_id, "guild", order, context)
        except rules.NotEnoughItems as less:
            raise NotEnoughItems(None, **less.details) from None
        if item.bag_slots:
            made = [rules.make(self._state, item, 1, bag.stat_buffs) for bag in things]
            things = [bag for bags in made for bag in bags]
        left = rules.deposit(self._state, player, things, ["inventory"], context)
        if left or self._state.inventory.holding(player, item.id).total > rules.MAX_HELD:
            raise InventoryFull

    def _checked(self, order: BankMove) -> Item:
        player = self._state.player(order.player)
        guild = self._guilds.get(order.guild_id)
        if guild is None:
            raise UnknownGuild
        member = self._members.get(player)
        if member is None or member.guild_id != guild.id:
            raise NotAMember(f"{order.player} is not a member of {guild.name}.")
        if player in self._locked:
            raise TradeLocked
        if order.item_id not in self._state.known_items:
            raise UnknownItem
        if order.quantity < 1:
            raise InvalidQuantity
        return self._state.known_items[order.item_id]

    def _taken(
        self, owner: UUID, place: Container, order: BankMove, context: PostingContext
    ) -> list[Stack]:
        """Take the items out of their slots; raises NotEnoughItems or BagNotEmpty."""
        slots = dict(self._state.inventory.at(owner, place))
        found: Slots = {
            number: held
            for number, held in slots.items()
            if held.item_id == order.item_id and order.slot in (None, number)
        }
        things: list[Stack] = []
        for number, left in rules.withdraw(found, order.quantity, stays=False).items():
            self._state.inventory.set_slot((owner, place, number), left, context)
            quantity = slots[number].quantity - (left.quantity if left else 0)
            things.append(replace(slots[number], quantity=quantity))
        return things

    def _held(self, player: UUID, guild: Guild, item: Item) -> dict[str, int]:
        count = self._state.inventory.count
        return {
            "inventory": count(player, "inventory", item.id),
            "bank": count(guild.id, "guild", item.id),
        }


Way = Callable[[Banks, BankMove, Item, PostingContext], None]
