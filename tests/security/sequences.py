"""
Every short sequence of gifts, takings, moves, trades, guild banks, deletions, restores and undos.

The walk is depth first. Each step is a real operation in a transaction that is rolled back
to a savepoint afterwards, so that a hundred thousand sequences take minutes and not hours.
A step that is refused, or changes nothing, ends its branch.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from gamekeeper.core.errors import Problem
from gamekeeper.core.ids import NIL
from gamekeeper.db.database import Database, Writer
from gamekeeper.guilds import bank, lifecycle, members
from gamekeeper.history import restore
from gamekeeper.history.undo import execute
from gamekeeper.history.undo import transactions as whole
from gamekeeper.history.undo.execute import UndoingTransaction
from gamekeeper.history.undo.transactions import UndoneTransaction
from gamekeeper.ledger.places import HELD, IS_TRANSFER
from gamekeeper.players import characters, items
from gamekeeper.players.moves import Endpoint, MoveItems
from gamekeeper.servers import transactions
from gamekeeper.servers.transactions import Done
from tests.make import BY, make_player

MANY, PART = 5, 2
AT_ONCE = 3


class Step(Struct, frozen=True):
    """What to do, with which character, and to which earlier step if it is about one."""

    do: str
    who: int = 0
    about: int = 0


GIFT = Step("give")


class Party(Struct, frozen=True):
    """Some characters, and perhaps a guild that all of them are in and none of them owns."""

    players: list[UUID]
    guild: UUID | None = None


class Walk:
    """The steps that were taken, with the actions they made and the instants after them."""

    def __init__(self, database: Database, item: UUID, party: "Party") -> None:
        self.database = database
        self.item = item
        self.party = party
        self.players = party.players
        self.steps: list[Step] = []
        self.actions: list[UUID | None] = []
        self.transactions: list[UUID | None] = []
        """The transaction that each step made, if it did."""
        self.instants: list[datetime] = []
        self.standing: list[bool] = []
        """Whether each step holds, and was not undone."""

    def options(self) -> list[Step]:
        found: list[Step] = []
        for who in range(len(self.players)):
            found += [Step(do, who) for do in ("give", "take", "part", "away", "back")]
            if self.party.guild:
                found += [Step(do, who) for do in ("deposit", "withdraw", "delete")]
            found += [Step("restore", who, about) for about in range(len(self.steps))]
        if len(self.players) > 1:
            found += [Step("trade", who) for who in range(len(self.players))]
        found += [Step("reverse", about=n) for n, made in enumerate(self.transactions) if made]
        return found + [
            Step("undo", about=about) for about, made in enumerate(self.actions) if made
        ]

    async def take_step(self, writer: Writer, step: Step) -> bool:
        """Whether the step was carried out."""
        try:
            made = await getattr(self, f"_{step.do}")(writer, step)
        except Problem:
            return False
        if made is None:
            return False
        self.steps.append(step)
        [last] = await writer.rows(LAST_ACTION, self.players)
        self.actions.append(made if isinstance(made, UUID) else last["id"])
        whole = isinstance(made, Done | UndoneTransaction)
        self.transactions.append(made.id if whole else None)
        self.instants.append(last["now"])
        self.standing.append(True)
        if step.do in ("undo", "reverse"):
            self._turn(step.about, holds=False)
        return True

    def _turn(self, about: int, *, holds: bool) -> None:
        self.standing[about] = holds
        if self.steps[about].do in ("undo", "reverse"):
            self._turn(self.steps[about].about, holds=not holds)

    def copy(self) -> "Walk":
        other = Walk(self.database, self.item, self.party)
        self._copy_to(other)
        return other

    def _copy_to(self, other: "Walk") -> None:
        other.steps, other.actions = list(self.steps), list(self.actions)
        other.transactions = list(self.transactions)
        other.instants, other.standing = list(self.instants), list(self.standing)

    @property
    def granted(self) -> int:
        """What gifts that hold have brought into the world."""
        gifts = zip(self.steps, self.standing, strict=True)
        return sum(MANY for step, holds in gifts if step.do == "give" and holds)

    # ── The steps ──

    async def _give(self, writer: Writer, step: Step) -> Any:
        gift = items.Gift(
            by=BY, player=str(self.players[step.who]), item_id=self.item, quantity=MANY
        )
        return await items.give.one(writer, gift)

    async def _take(self, writer: Writer, step: Step, quantity: int = MANY) -> Any:
        taking = items.Taking(
            by=BY, player=str(self.players[step.who]), item_id=self.item, quantity=quantity
        )
        return await items.take.one(writer, taking)

    async def _part(self, writer: Writer, step: Step) -> Any:
        return await self._take(writer, step, PART)

    async def _away(self, writer: Writer, step: Step) -> Any:
        here, there = self._places(step.who)
        return await self._move(writer, here, there)

    async def _back(self, writer: Writer, step: Step) -> Any:
        here, there = self._places(step.who)
        return await self._move(writer, there, here)

    async def _trade(self, writer: Writer, step: Step) -> Any:
        here, _ = self._places(step.who)
        there, _ = self._places(1 - step.who)
        return await self._move(writer, here, there)

    def _places(self, who: int) -> tuple[Endpoint, Endpoint]:
        player = str(self.players[who])
        return Endpoint(player=player), Endpoint(player=player, place="bank")

    async def _move(self, writer: Writer, here: Endpoint, there: Endpoint) -> Any:
        move = MoveItems(item_id=self.item, quantity=PART, source=here, target=there)
        order = transactions.Transaction(by=BY, holder=None, expected=(), moves=[move])
        return await transactions.transact.one(writer, order)

    async def _deposit(self, writer: Writer, step: Step) -> Any:
        return await bank.deposit.one(writer, self._bank_move(step))

    async def _withdraw(self, writer: Writer, step: Step) -> Any:
        return await bank.withdraw.one(writer, self._bank_move(step))

    def _bank_move(self, step: Step) -> bank.BankMove:
        assert self.party.guild
        return bank.BankMove(
            by=BY,
            guild_id=self.party.guild,
            player=str(self.players[step.who]),
            item_id=self.item,
            quantity=PART,
        )

    async def _delete(self, writer: Writer, step: Step) -> Any:
        order = characters.Deletion(by=BY, player=str(self.players[step.who]))
        return await characters.delete.one(writer, order)

    async def _restore(self, writer: Writer, step: Step) -> Any:
        order = restore.Restoration(
            by=BY, player=str(self.players[step.who]), at=self.instants[step.about]
        )
        return (await restore.restore.one(writer, order)).action_id

    async def _undo(self, writer: Writer, step: Step) -> Any:
        action = self.actions[step.about]
        assert action is not None
        return (await execute.undo.one(writer, execute.Undoing(by=BY, action_id=action))).id

    async def _reverse(self, writer: Writer, step: Step) -> Any:
        """Undo of a whole transaction, or of such an undo."""
        transaction = self.transactions[step.about]
        assert transaction is not None
        order = UndoingTransaction(by=BY, transaction_id=transaction)
        return await whole.undo.one(writer, order)


LAST_ACTION = """
    SELECT clock_timestamp() AS now,
           (SELECT id FROM actions WHERE player_id = ANY($1) ORDER BY at DESC LIMIT 1) AS id
"""


class _RolledBack(Exception):
    pass


async def walk_all(
    database: Database,
    item: UUID,
    depth: int,
    players: int,
    *,
    guild: bool = False,
    kind: type[Walk] = Walk,
    first: Step = GIFT,
) -> AsyncIterator[Walk]:
    """Every sequence that begins with a gift, or another step, and has up to `depth` more."""
    await _drop_other_months(database)
    trial = kind(database, item, await party(database, players, guild=guild))
    roots = [[first, step] for step in await _options_after(trial, [first])]
    queue: asyncio.Queue[Walk | None] = asyncio.Queue(maxsize=1000)
    pending = asyncio.Semaphore(AT_ONCE)

    async def below(prefix: list[Step]) -> None:
        async with pending:
            walk = kind(database, item, await party(database, players, guild=guild))

            async def work(writer: Writer) -> None:
                for step in prefix:
                    if not await walk.take_step(writer, step):
                        raise _RolledBack
                await _descend(writer, walk, depth - 1, queue)
                raise _RolledBack

            with suppress(_RolledBack):
                await database.write(work)

    async def everything() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for prefix in roots:
                    group.create_task(below(prefix))
        finally:
            await queue.put(None)

    task = asyncio.create_task(everything())
    while walk := await queue.get():
        yield walk
    await task


async def _drop_other_months(database: Database) -> None:
    """Planning for three years of partitions would take most of the time."""
    rows = await database.reader.rows(
        """
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent IN ('postings'::regclass, 'actions'::regclass)
           AND relname ~ '_[0-9]{4}_[0-9]{2}$'
           AND relname !~ to_char(now() AT TIME ZONE 'UTC', '"_"YYYY_MM"$"')
        """
    )
    for row in rows:
        await database.write(lambda writer, row=row: writer.run(f"DROP TABLE {row['relname']}"))


async def _options_after(walk: Walk, prefix: list[Step]) -> list[Step]:
    options: list[Step] = []

    async def work(writer: Writer) -> None:
        for step in prefix:
            assert await walk.take_step(writer, step)
        options.extend(walk.options())
        raise _RolledBack

    with suppress(_RolledBack):
        await walk.database.write(work)
    return options


async def party(database: Database, number: int, *, guild: bool = False) -> Party:
    players = sorted([await make_player(database) for _ in range(number)])
    if not guild:
        return Party(players)
    owner = await make_player(database)
    founding = lifecycle.GuildFounding(by=BY, name=f"G {owner.hex[:12]}", owner=str(owner))
    founded = await lifecycle.found.one(database, founding)
    for player in players:
        joining = members.GuildJoin(by=BY, guild_id=founded.id, player=str(player))
        await members.change_members.one(database, joining)
    return Party(players, founded.id)


async def _descend(writer: Writer, walk: Walk, depth: int, queue: "asyncio.Queue[Any]") -> None:
    await check(writer, walk)
    await queue.put(walk)
    if depth == 0:
        return
    # One savepoint for all steps from here: those of deeper walks have other names.
    savepoint = f"before_{depth}"
    await writer.run(f"SAVEPOINT {savepoint}")
    for step in walk.options():
        after = walk.copy()
        if await after.take_step(writer, step):
            await _descend(writer, after, depth - 1, queue)
        await writer.run(f"ROLLBACK TO SAVEPOINT {savepoint}")
    await writer.run(f"RELEASE SAVEPOINT {savepoint}")


async def check(writer: Writer, walk: Walk) -> None:
    """Nothing is doubled, slots are what the postings say, and no loss came back twice."""
    [row] = await writer.rows(
        f"""
        WITH theirs AS MATERIALIZED (SELECT * FROM postings WHERE player_id = ANY($1)),
        held AS (SELECT * FROM ({HELD}) AS everywhere WHERE owner_id = ANY($1)),
        spots AS (
            SELECT player_id, place, inside, slot, sum(quantity) AS quantity
              FROM theirs GROUP BY 1, 2, 3, 4 HAVING sum(quantity) <> 0
        )
        SELECT (SELECT coalesce(sum(quantity), 0) FROM held) AS held,
               (SELECT count(*)
                  FROM spots
                  FULL JOIN held ON held.owner_id = spots.player_id
                                AND held.place = spots.place AND held.slot = spots.slot
                                AND coalesce(held.inside, $2) = coalesce(spots.inside, $2)
                 WHERE spots.quantity IS DISTINCT FROM held.quantity) AS wrong,
               (SELECT count(*)
                  FROM (SELECT FROM theirs
                         WHERE against IN ('removal', 'undo', 'restore')
                         GROUP BY coalesce(loss_id, action_id)
                        HAVING sum(quantity) > 0) AS returned_twice) AS doubled,
               (SELECT count(*)
                  FROM (SELECT FROM theirs WHERE {IS_TRANSFER}
                         GROUP BY against HAVING sum(quantity) <> 0) AS odd) AS moved
        """,
        [*walk.players, *([walk.party.guild] if walk.party.guild else [])],
        NIL,
    )
    said = (walk.steps, walk.granted, dict(row))
    assert row["held"] <= walk.granted, said
    assert (row["wrong"], row["doubled"], row["moved"]) == (0, 0, 0), said
