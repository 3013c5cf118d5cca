"""The same walks with letters, shop orders, redeem codes and campaigns, beside imports."""

from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from gamekeeper.auth.secrets import Vault
from gamekeeper.campaigns import changes as campaigns
from gamekeeper.campaigns import runner, storage
from gamekeeper.campaigns.changes import CampaignReversal, CampaignStart
from gamekeeper.campaigns.records import Campaign, CampaignItem, CampaignState, CampaignWork
from gamekeeper.campaigns.storage import StoredCampaign
from gamekeeper.codes import redemption
from gamekeeper.codes.redemption import Redeem
from gamekeeper.core import ids
from gamekeeper.db.database import Database, Writer
from gamekeeper.orders import changes as orders
from gamekeeper.orders import intake
from gamekeeper.orders.changes import Refund
from gamekeeper.orders.content import Content, OrderedItem, OrderedLine
from gamekeeper.players.mailbox import changes as letters
from gamekeeper.players.mailbox import delivery
from gamekeeper.players.mailbox.changes import LetterCommand
from gamekeeper.players.mailbox.delivery import SendLetter
from gamekeeper.players.mailbox.records import LetterItem
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from tests.codes.mint import insert_code
from tests.make import BY
from tests.security.repairs import TOTAL, RepairWalk
from tests.security.sequences import MANY, Party, Step

SHOP = "webshop"
EVERYONE = Definition(groups=[ConditionGroup(conditions=[Condition(field="level", at_least=1)])])
SOURCES = ("mail", "order", "redeem", "campaign")
"""Steps that bring new items into mailboxes."""
FEWER = frozenset({"give", "back", "sweep", "sweep_all"})
"""Steps that other walks have, and that are left out where all sequences are tried."""


class LiveWalk(RepairWalk):
    fewer: frozenset[str] = FEWER

    def __init__(self, database: Database, item: UUID, party: Party) -> None:
        super().__init__(database, item, party)
        self.worth: list[int] = []
        """How many items each step has created."""
        self.made: dict[int, Any] = {}
        """The order or campaign of each step that made one."""
        self._worth = 0

    def options(self) -> list[Step]:
        who = range(len(self.players))
        found = [step for step in super().options() if step.do not in self.fewer]
        found += [Step(do, player) for player in who for do in ("mail", "order", "redeem")]
        found += [Step(do, player) for player in who for do in ("claim", "retract")]
        found.append(Step("campaign"))
        ends = {"order": "refund", "campaign": "recall"}
        found += [Step(ends[self.steps[about].do], about=about) for about in self.made]
        return found

    async def take_step(self, writer: Writer, step: Step) -> bool:
        self._worth = 0
        if not await super().take_step(writer, step):
            return False
        self.worth.append(MANY if step.do == "give" else self._worth)
        is_one_of_many = step.do in ("campaign", "recall") and len(self.players) > 1
        if is_one_of_many or self.actions[-1] in self.actions[:-1]:
            # It made several actions, or changed no character: no undo stands for the whole step.
            self.actions[-1] = None
        return True

    def _turn(self, about: int, *, holds: bool) -> None:
        super()._turn(about, holds=holds)
        if self.steps[about].do == "recall":
            self._turn(self.steps[about].about, holds=not holds)

    def copy(self) -> "LiveWalk":
        other = type(self)(self.database, self.item, self.party)
        self._copy_to(other)
        other.exports, other.imported = list(self.exports), self.imported
        other.worth, other.made = list(self.worth), dict(self.made)
        return other

    @property
    def granted(self) -> int:
        """What the steps that hold have brought into the world."""
        brought = zip(self.worth, self.standing, strict=False)
        # Within a step it has no worth yet.
        return sum(worth for worth, holds in brought if holds) + self.imported

    # ── The steps ──

    def _letter(self, step: Step) -> SendLetter:
        attached = (LetterItem(item_id=self.item, quantity=MANY),)
        player = str(self.players[step.who])
        return SendLetter(by=BY, player=player, subject="Hello", items=attached)

    async def _mail(self, writer: Writer, step: Step) -> Any:
        self._worth = MANY
        return await delivery.send.one(writer, self._letter(step))

    async def _claim(self, writer: Writer, step: Step) -> Any:
        return await self._with_letter(writer, step, letters.claim)

    async def _retract(self, writer: Writer, step: Step) -> Any:
        return await self._with_letter(writer, step, letters.withdraw)

    async def _with_letter(self, writer: Writer, step: Step, change: Any) -> Any:
        """The oldest letter that is open."""
        player = self.players[step.who]
        sql = "SELECT id FROM letters WHERE player_id = $1 AND state = 'open' ORDER BY id LIMIT 1"
        letter = await writer.value(sql, player)
        if letter is None:
            return None
        return await change.one(writer, LetterCommand(by=BY, player=str(player), letter_id=letter))

    async def _redeem(self, writer: Writer, step: Step) -> Any:
        player = self.players[step.who]
        user = await writer.value("SELECT user_id FROM players WHERE id = $1", player)
        if user is None:
            return None
        code = uuid4()
        await insert_code(writer, self.item, code, MANY)
        self._worth = MANY
        order = Redeem(by=BY, user_id=user, hashes=(code,), player_id=player)
        return await redemption.redeem.one(writer, order)

    async def _order(self, writer: Writer, step: Step) -> Any:
        ordered = OrderedItem(item_id=self.item, quantity=MANY)
        player = str(self.players[step.who])
        content = Content(character=player, lines=(OrderedLine(items=(ordered,)),))
        name, vault = uuid4().hex, Vault(self.database.settings)
        command = intake.new_order(vault, BY, SHOP, name, content)
        stored = await intake.receive.one(writer, command)
        if [line.state for line in stored.lines] != ["delivered"]:
            return None
        self._worth = MANY
        self.made[len(self.steps)] = name
        return stored

    async def _refund(self, writer: Writer, step: Step) -> Any:
        order = Refund(by=BY, shop=SHOP, order_id=self.made[step.about])
        before = await self._total(writer)
        stored = await orders.refund.one(writer, order)
        taken = before - await self._total(writer)
        returned = [line.state for line in stored.lines] == ["returned"]
        is_first = returned and self.worth[step.about] > 0
        assert taken == (MANY if is_first else 0), (self.steps, step, taken)
        if not is_first:
            return None
        # Never again: not even if the delivery is undone and redone.
        self.worth[step.about] = 0
        return stored

    async def _campaign(self, writer: Writer, step: Step) -> Any:
        campaign = _campaign(await writer.value("SELECT now()"), self.item)
        await storage.insert(writer, campaign, BY.actor)
        await storage.add_recipients(writer, campaign, self.players, None)
        await storage.enter(writer, campaign.id, "ready")
        await campaigns.start.one(writer, CampaignStart(by=BY, campaign_id=campaign.id))
        done = await _advanced(writer, campaign.id, "finished")
        if not done.done:
            return None
        self._worth = MANY * done.done
        self.made[len(self.steps)] = campaign.id
        return done

    async def _recall(self, writer: Writer, step: Step) -> Any:
        """Reverse the campaign: what is not taken back is listed to the piece."""
        campaign, before = self.made[step.about], await self._total(writer)
        await campaigns.reverse.one(writer, CampaignReversal(by=BY, campaign_id=campaign))
        after = await _advanced(writer, campaign, "reversed")
        taken = before - await self._total(writer)
        kept = await writer.value(KEPT, campaign)
        assert taken >= 0, (self.steps, step, taken)
        assert taken + kept <= MANY * after.done, (self.steps, step, taken, kept)
        if self._is_plain(step.about):
            assert taken + kept == MANY * after.done, (self.steps, step, taken, kept)
        if not kept:
            self.standing[step.about] = False
        return after

    def _is_plain(self, about: int) -> bool:
        """Whether nothing else has ended letters or replaced what characters have since."""
        since = {step.do for step in self.steps[about + 1 :]}
        return not since & {"undo", "reverse", "retract", "import", "recall"}

    async def _total(self, writer: Writer) -> int:
        """All that there is, also in the guild's bank."""
        owners = [*self.players, *([self.party.guild] if self.party.guild else [])]
        return sum([await writer.value(TOTAL, owner) for owner in owners])


class RandomWalk(LiveWalk):
    """With the steps of all walks."""

    fewer: frozenset[str] = frozenset()


KEPT = """
    SELECT coalesce(sum((item->>'Wanted')::int - (item->>'Taken')::int), 0)::int
      FROM campaign_recipients, jsonb_array_elements(kept) AS item WHERE campaign_id = $1
"""


def _campaign(now: datetime, item: UUID) -> StoredCampaign:
    items = [CampaignItem(item_id=item, quantity=MANY)]
    empty = ("started_at", "started_by_name", "approved_by_name", "reversed_by_name", "ended_at")
    counts = ("recipients", "done", "skipped", "refused", "reversed", "kept")
    shown: dict[str, Any] = {
        "id": ids.new_id(),
        "name": "Outage",
        "segment": "all",
        "work": CampaignWork(kind="letter", subject="Sorry", items=items),
        "reason": None,
        "per_second": 1000,
        "state": "preparing",
        "created_at": now,
        "created_by_name": BY.name,
        "ends_at": None,
        "on_join": False,
        "max_recipients": None,
        "schedule_id": None,
        "fault": None,
        **dict.fromkeys(empty),
        **dict.fromkeys(counts, 0),
    }
    return StoredCampaign(shown=Campaign(**shown), definition=EVERYONE, created_at=now)


async def _advanced(writer: Writer, campaign: UUID, state: CampaignState) -> Campaign:
    """Do what the worker does, in this transaction."""
    while (found := await storage.lock(writer, campaign)).shown.state != state:
        await runner._advance(writer, campaign)
    return found.shown
