"""The cases of the story: what staff did, and what somebody is going to ask them about."""

from datetime import datetime, timedelta
from uuid import UUID

from msgspec import structs

from gamekeeper.db.database import Writer
from gamekeeper.db.operations import AuditContext, Command
from gamekeeper.demo import world
from gamekeeper.demo.dice import Dice
from gamekeeper.demo.story import cast as roles
from gamekeeper.demo.story import complaints, letters, orders
from gamekeeper.demo.story.cast import CROOK, DUPER, FENCE, HERO, LOUD, LUCKY, VICTIMS, Cast
from gamekeeper.demo.story.chatter import INSULTS, quarrel, quarrel_id
from gamekeeper.demo.story.play import Regular
from gamekeeper.demo.story.schedule import Late, Schedule
from gamekeeper.history.undo import execute as undo
from gamekeeper.history.undo.execute import Undoing
from gamekeeper.moderation import appeals, sanctions
from gamekeeper.moderation.appeals import NewAppeal
from gamekeeper.moderation.sanctions import Imposition
from gamekeeper.players import items
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.sanctions.records import SanctionKind
from gamekeeper.servers.chat import messages
from gamekeeper.servers.transactions import Transaction, transact
from gamekeeper.users import lookup

PLAYER = AuditContext(actor="anonymous", name="anonymous")
SWORD = "Runed Blade"
BUFFS = (12, 0, 6, 0, 3)

LOOT = {
    HERO.name: ((SWORD, 1), ("Plate Armor", 1), ("Greater Health Potion", 12)),
    LUCKY.name: (("Blessed Hammer", 1), ("Guild Token", 40)),
    FENCE.name: (("Gold Coin", 90_000),),
    VICTIMS[0].name: (("Dragonbone Helm", 1), ("Dragon Scale", 12)),
    VICTIMS[1].name: (("Staff of the Moon", 1), ("Rough Ruby", 30)),
    VICTIMS[2].name: (("Elixir of Might", 4), ("Gold Coin", 25_000)),
}
"""What they own before it is about that."""

LOOTED_AFTER = timedelta(hours=7)
"""After the characters are created, and before the theft, in a story of one day too."""
SPIKE, AT_ONCE = 60, 80
GIFTS = (
    ("Health Potion", 10, "quest bug #812"),
    ("Scroll of Return", 3, "stuck in the Flooded Cellars"),
    ("Gold Coin", 1500, "auction house crash, ticket #1007"),
    ("Wolf Pelt", 8, "quest bug #815"),
    ("Guild Token", 20, "guild event on Saturday"),
    ("Greater Mana Potion", 5, "lost in a crash, ticket #1021"),
    ("Iron Helm", 1, "did not get the reward, ticket #1024"),
    ("Honey Cake", 5, "winner of the screenshot contest"),
    ("Silk Cloth", 12, "merchant took too many, ticket #1030"),
    ("Moonpetal", 6, "quest bug #812"),
)
OFFENCES: tuple[tuple[SanctionKind, int | None, str, str], ...] = (
    ("warning", None, "insulted a healer", "Please stay polite."),
    ("mute", 1, "trade spam after a warning", "Advertising in the global channel."),
    ("note", None, "says the account is shared with a sister", ""),
    ("mute", 3, "again, two reports", "Insulting other players."),
    ("trade_lock", 2, "bought gold, it seems", "Trading for real money."),
    ("warning", None, "blocked the bank for others", "Blocking doors and counters."),
)
UNDONE = "three helms for the arena champions"


class Incidents:
    """The cases, put into the schedule; times are relative to now."""

    def __init__(self, schedule: Schedule, cast: Cast, began: datetime) -> None:
        self.schedule, self.cast, self.began = schedule, cast, began
        self._roll = Dice(schedule.seed, "incidents")

    def draw(self, others: list[Regular]) -> None:
        self._belongings()
        self._lost_sword()
        self._wrong_gift()
        self._theft()
        self._spike()
        self._appeal()
        complaints.draw(self.schedule, self.cast)
        letters.draw(self.schedule, self.cast)
        orders.draw(self.schedule, self.cast)
        self._desk(others)
        self._undo(others)

    def _ago(self, **time: float) -> datetime:
        return self.schedule.now - timedelta(**time)

    def _staff(self, name: str, reason: str | None = None) -> AuditContext:
        return structs.replace(self.cast.staff[name], reason=reason)

    def _server(self, reason: str) -> AuditContext:
        return structs.replace(self.cast.servers["Silverlake"], reason=reason)

    def _belongings(self) -> None:
        for number, (name, found) in enumerate(LOOT.items()):
            at = self.began + LOOTED_AFTER + timedelta(minutes=7 * number)
            moves = [
                MoveItems(
                    item_id=world.items()[item].id,
                    quantity=many,
                    source=None,
                    target=Endpoint(player=name),
                    stat_buffs=BUFFS if item == SWORD else (0, 0, 0, 0, 0),
                )
                for item, many in found
            ]
            order = Transaction(
                by=self._server("loot: Ember Drake"), holder=None, expected=(), moves=moves
            )
            self.schedule.add(at, transact, order)

    def _lost_sword(self) -> None:
        """Yesterday at 18:00 support took the hero's sword, which it mistook for a copy."""
        at = self._ago(days=1).replace(hour=18, minute=0, second=0, microsecond=0)
        taking = Taking(
            by=self._staff("Tomas", "duplicate item, ticket #1043"),
            player=HERO.name,
            item_id=world.items()[SWORD].id,
            quantity=1,
        )
        self.schedule.add(at, items.take, taking)

    def _wrong_gift(self) -> None:
        """500 instead of 5."""
        gift = Gift(
            by=self._staff("Tomas", "quest bug #812: 5 tokens"),
            player=LUCKY.name,
            item_id=world.items()["Guild Token"].id,
            quantity=500,
        )
        self.schedule.add(self._ago(hours=3, minutes=4), items.give, gift)

    def _theft(self) -> None:
        """One night a helper moved what three players had to a character of his own."""
        at = self._ago(hours=10)
        for victim in VICTIMS:
            for item, many in LOOT[victim.name]:
                for player, operation, shape in (
                    (victim.name, items.take, Taking),
                    (CROOK.name, items.give, Gift),
                ):
                    late = _by_thief(shape, player, world.items()[item].id, many)
                    self.schedule.add(at, operation, late)
                    at += timedelta(minutes=2, seconds=self._roll.below(60))

    def _spike(self) -> None:
        """Two evenings ago somebody found out how to make rubies."""
        at = self._ago(days=2).replace(hour=20, minute=0, second=0, microsecond=0)
        ruby = world.items()["Rough Ruby"].id
        maker = Endpoint(player=DUPER.name)
        for _ in range(SPIKE):
            made = MoveItems(
                item_id=ruby, quantity=AT_ONCE, source=None, target=maker, overflow_to_bank=True
            )
            by = self._server("crafted: ruby cutting")
            order = Transaction(by=by, holder=None, expected=(), moves=[made])
            self.schedule.add(at, transact, order)
            at += timedelta(minutes=2, seconds=self._roll.below(40))
        buyer = Endpoint(player=FENCE.name)
        moves = [
            MoveItems(item_id=ruby, quantity=600, source=maker, target=buyer),
            MoveItems(
                item_id=world.items()["Gold Coin"].id, quantity=60_000, source=buyer, target=maker
            ),
        ]
        order = Transaction(by=self._server("trade"), holder=None, expected=(), moves=moves)
        self.schedule.add(at + timedelta(minutes=9), transact, order)

    def _appeal(self) -> None:
        """A quarrel, a mute of a week for it, and an appeal that nobody has answered."""
        seed, at = self.schedule.seed, self._ago(days=2, hours=5)
        said = at - timedelta(minutes=6)
        self.schedule.add(said, messages.report, lambda writer: quarrel(writer, seed, said))
        mute = Imposition(
            by=self._staff("Ines"),
            user=LOUD.account,
            kind="mute",
            duration=timedelta(days=7),
            reason="four reports in one evening",
            message="Insulting other players.",
            excerpt=[quarrel_id(seed, place) for place in INSULTS],
        )
        self.schedule.add(at, sanctions.impose, mute)
        text = "I only answered what he said first, please look at the whole evening."
        self.schedule.add(self._ago(days=1, hours=1), appeals.submit, _appealing(text))

    def _desk(self, others: list[Regular]) -> None:
        """Every day a few gifts of support, and every second day a sanction."""
        days = (self.schedule.now - self.began).days
        for number in range(2 * days):
            item, many, reason = GIFTS[number % len(GIFTS)]
            at = self.began + timedelta(hours=9 + 12 * number, minutes=self._roll.below(600))
            gift = Gift(
                by=self._staff(self._roll.pick(("Tomas", "Tomas", "Kjell")), reason),
                player=self._roll.pick(others).name,
                item_id=world.items()[item].id,
                quantity=many,
                overflow_to_bank=True,
            )
            self.schedule.add(at, items.give, gift)
        for number in range(days // 2):
            kind, length, reason, message = OFFENCES[number % len(OFFENCES)]
            order = Imposition(
                by=self._staff("Ines"),
                player=self._roll.pick(others).name,
                kind=kind,
                duration=timedelta(days=length) if length else None,
                reason=reason,
                message=message,
            )
            at = self.began + timedelta(days=2 * number, hours=19, minutes=self._roll.below(240))
            self.schedule.add(at, sanctions.impose, order)

    def _undo(self, others: list[Regular]) -> None:
        """A gift to the wrong character, which the owner undid."""
        at = self._ago(days=5, hours=4)
        gift = Gift(
            by=self._staff("Kjell", UNDONE),
            player=self._roll.pick(others).name,
            item_id=world.items()["Dragonbone Helm"].id,
            quantity=3,
            overflow_to_bank=True,
        )
        self.schedule.add(at, items.give, gift)
        by = self._staff("Maren", "went to the wrong character")
        self.schedule.add(at + timedelta(minutes=12), undo.undo, _undo_of(gift.by, by))


def _by_thief(shape: type[Taking | Gift], player: str, item: UUID, many: int) -> Late:
    async def command(writer: Writer) -> Command:
        by = structs.replace(await roles.thief(writer), reason="balance")
        return shape(by=by, player=player, item_id=item, quantity=many)

    return command


def _appealing(text: str) -> Late:
    async def command(writer: Writer) -> Command:
        [user] = await lookup.find_user_ids(writer, [LOUD.account])
        sanction = await writer.value(
            "SELECT id FROM sanctions WHERE user_id = $1 ORDER BY imposed_at DESC LIMIT 1", user
        )
        return NewAppeal(by=PLAYER, sanction_id=sanction or UUID(int=0), text=text)

    return command


def _undo_of(of: AuditContext, by: AuditContext) -> Late:
    """Undo what was done with this reason; by the index of actors, as reasons have none."""

    async def command(writer: Writer) -> Command:
        action = await writer.value(
            "SELECT id FROM actions WHERE actor = $1 AND reason = $2", of.actor, of.reason
        )
        return Undoing(by=by, action_id=action or UUID(int=0))

    return command
