"""The letters of the story: a gift of staff, a reward that nobody has claimed, and an old one."""

from datetime import timedelta
from uuid import UUID

from msgspec.structs import replace

from gamekeeper.core.ids import NIL
from gamekeeper.db.database import Writer
from gamekeeper.db.operations import Command
from gamekeeper.demo import world
from gamekeeper.demo.story.cast import LUCKY, Cast
from gamekeeper.demo.story.schedule import Schedule
from gamekeeper.players.mailbox import changes, delivery
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import LetterItem
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers.transactions import Transaction, transact

OLD = "Thank you for testing"


def draw(schedule: Schedule, cast: Cast) -> None:
    """Put the letters into the schedule; times are relative to now."""
    old = _letter(cast, OLD, "The new quests are live. These are for you.", "Moonpetal", 8)
    sent = schedule.now - timedelta(days=4, hours=3)
    schedule.add(sent, delivery.send, old)
    schedule.add(sent + timedelta(minutes=40), changes.claim, lambda writer: _claim(writer, cast))
    reward = MoveItems(
        item_id=_item("Elixir of Might"),
        quantity=2,
        source=None,
        target=Endpoint(player=LUCKY.name),
        by_mail="always",
    )
    by = replace(cast.servers["Silverlake"], reason="reward: arena, second place")
    order = Transaction(by=by, holder=None, expected=(), moves=[reward])
    schedule.add(schedule.now - timedelta(days=1, hours=2), transact, order)
    prize = _letter(
        cast, "Screenshot contest", "You won. Enjoy the cake, and share it.", "Honey Cake", 5
    )
    schedule.add(schedule.now - timedelta(hours=6), delivery.send, prize)


def _letter(cast: Cast, subject: str, text: str, item: str, quantity: int) -> SendLetter:
    return SendLetter(
        by=replace(cast.staff["Kjell"], reason="a present of the team"),
        player=LUCKY.name,
        subject=subject,
        text=text,
        items=(LetterItem(item_id=_item(item), quantity=quantity),),
    )


def _item(name: str) -> UUID:
    return world.items()[name].id


async def _claim(writer: Writer, cast: Cast) -> Command:
    """The claim of the old letter; in a short story there is none, and the claim is refused."""
    letter: UUID | None = await writer.value("SELECT max(id::text)::uuid FROM letters")
    by = replace(cast.servers["Silverlake"], reason="opened the mailbox")
    return LetterCommand(by=by, player=LUCKY.name, letter_id=letter or NIL)
