"""Characters that came, went or changed, undone and redone; nothing is ever there twice."""

import random
from itertools import product
from typing import Any
from uuid import UUID

import pytest
from msgspec import structs

from gamekeeper.core.errors import Problem
from gamekeeper.core.settings import Settings
from gamekeeper.db.database import Database
from gamekeeper.history import restore
from gamekeeper.history.restore import Restoration
from gamekeeper.history.undo import execute
from gamekeeper.history.undo.execute import AlreadyUndone, UndoConflict, Undoing, Undone
from gamekeeper.players import attributes, characters, items, lookup, name_changes, sheets
from gamekeeper.players.attributes import ClassChange, Promotion
from gamekeeper.players.characters import Deletion
from gamekeeper.players.items import Gift, Taking
from gamekeeper.players.name_changes import Renaming
from tests.databases import SharedDatabase
from tests.history.ledgers import row_counts
from tests.history.test_as_of import clock
from tests.make import (
    BY,
    MAGE,
    join,
    make_class,
    make_item,
    make_mage,
    make_player,
    make_server,
    make_user,
)
from tests.players.proofs import at_once, prove, total
from tests.players.test_characters import creation, last, make_rich
from tests.players.test_sheets import saving

OWNED = (
    "players",
    "player_names",
    "slots",
    "bags",
    "bag_owners",
    "bag_slots",
    "player_spells",
    "player_variables",
)


@pytest.fixture
def roomy(settings: Settings, shared_database: SharedDatabase) -> Database:
    """A database in which an account may have nine characters."""
    return shared_database.database(structs.replace(settings, characters_per_user=9))


async def snapshot(database: Database) -> dict[str, list[str]]:
    """All that characters are and have, row by row."""
    return {
        table: sorted(
            row[0]
            for row in await database.reader.rows(f"SELECT {table}::text FROM {table}")  # pyright: ignore
        )
        for table in OWNED
    }


async def undo(database: Database, action: UUID, **about: object) -> Undone | Problem:
    [outcome] = await execute.undo(database, [Undoing(by=BY, action_id=action, **about)])  # pyright: ignore
    return outcome


async def undo_last(database: Database, **about: object) -> Undone | Problem:
    return await undo(database, (await last(database))["id"], **about)


def reasons(outcome: Any) -> list[str]:
    assert isinstance(outcome, UndoConflict), outcome
    return [obstacle.reason for obstacle in outcome.details["in_the_way"]]


async def delete(database: Database, player: object) -> UUID:
    await characters.delete.one(database, Deletion(by=BY, player=str(player)))
    return (await last(database))["id"]


# ── Deleted and created ──


async def test_the_undo_of_a_deletion_brings_back_the_same_character_with_all_it_had(database):
    ana = await make_rich(database)
    await attributes.save_sheets.one(database, saving("ana", equipment=[1, -1], x=4))
    before, shown = await snapshot(database), await lookup.find_player(database.reader, "ana")
    action = await delete(database, "ana")

    previewed = (await execute.undo.preview(database, [Undoing(by=BY, action_id=action)]))[0]
    done = await undo(database, action)

    assert isinstance(done, Undone)
    assert structs.replace(done, id=None, dry_run=True) == previewed
    assert await snapshot(database) == before
    assert await lookup.find_player(database.reader, "ana") == shown
    assert [(one.what, one.id, one.quantity) for one in done.done] == [("player", ana, 1)]
    assert await total(database, "deleted_players") == 0
    losses = await database.reader.rows(
        "SELECT DISTINCT loss_id FROM postings WHERE action_id = $1", done.id
    )
    assert [row["loss_id"] for row in losses] == [action], "all of it came out of that loss"
    await prove(database, chain=True)


async def test_it_can_be_redone_and_undone_as_often_as_one_likes(database):
    await make_rich(database)
    there = await snapshot(database)
    await delete(database, "ana")
    gone = await snapshot(database)
    for turn in range(6):
        assert isinstance(await undo_last(database), Undone)
        assert await snapshot(database) == (gone if turn % 2 else there)
        await prove(database)
    await prove(database, chain=True)


async def test_a_deletion_is_undone_once_however_many_ask(database):
    await make_rich(database)
    before = await snapshot(database)
    action = await delete(database, "ana")

    outcomes = await at_once(database, (undo(database, action) for _ in range(20)))

    kinds = sorted(type(outcome).__name__ for outcome in outcomes)
    assert kinds == ["AlreadyUndone"] * 19 + ["Undone"]
    assert await snapshot(database) == before
    await prove(database)


async def test_who_lost_the_name_meanwhile_comes_back_under_another_if_a_part_is_welcome(database):
    ana = await make_rich(database)
    action = await delete(database, "ana")
    await make_player(database, "Ana")
    before = await row_counts(database)

    assert reasons(await undo(database, action)) == ["name_taken"]
    assert await row_counts(database) == before

    done = await undo(database, action, partial=True)
    assert isinstance(done, Undone)
    assert not done.complete
    back = await lookup.find_player(database.reader, str(ana))
    assert back.name == f"ana-{ana.hex[:8]}"
    assert await lookup.find_player(database.reader, back.name) == back
    await prove(database, chain=True)


async def test_a_name_that_is_free_again_is_given_back(database):
    await make_rich(database)
    action = await delete(database, "ana")
    other = await make_player(database, "Ana")
    await name_changes.rename.one(database, Renaming(by=BY, player=str(other), name="Eve"))
    assert isinstance(await undo(database, action), Undone)
    await prove(database)


async def test_the_undo_of_a_creation_deletes_what_has_nothing(database):
    await make_class(database)
    user = await make_user(database)
    made = await characters.create.one(database, creation(user, "Ana"))
    created = (await last(database))["id"]
    there = await snapshot(database)
    potion = await make_item(database)
    server = await make_server(database)

    await join(database, made.id, server)
    assert reasons(await undo(database, created)) == ["online"]
    await database.write(lambda writer: writer.run("UPDATE servers SET lease_until = now()"))
    await items.give.one(database, Gift(by=BY, player="Ana", item_id=potion, quantity=3))
    assert reasons(await undo(database, created)) == ["holds_items"]
    assert isinstance(await undo_last(database), Undone)

    assert isinstance(await undo(database, created), Undone)
    assert await total(database, "players") == 0
    assert isinstance(await undo(database, created), AlreadyUndone)
    assert isinstance(await undo_last(database), Undone)
    now = await snapshot(database)
    assert now["player_names"] == there["player_names"]
    assert (await lookup.find_player(database.reader, "ana")).id == made.id
    await prove(database, chain=True)


async def test_what_is_about_who_is_deleted_waits_for_the_character(database):
    ana = await make_rich(database)
    await attributes.save_sheets.one(database, saving("ana", x=4))
    saved = (await last(database))["id"]
    action = await delete(database, ana)

    assert reasons(await undo(database, saved)) == ["player_gone"]
    assert isinstance(await undo(database, action), Undone)
    assert isinstance(await undo(database, saved), Undone)
    assert (await sheets.current(database.reader, "ana")).x == 0
    await prove(database)


async def test_many_are_undone_in_one_list_with_a_neighbour_that_is_refused(database):
    """Two characters are swapped into each other's names, one after the other."""
    ana, bo = await make_player(database, "ana"), await make_player(database, "bo")
    renamed = []
    for player, name in ((ana, "cy"), (bo, "ana"), (ana, "bo")):
        await name_changes.rename.one(database, Renaming(by=BY, player=str(player), name=name))
        renamed.append((await last(database))["id"])
    gone = await delete(database, bo)

    outcomes = await execute.undo(
        database,
        [
            Undoing(by=BY, action_id=action)
            for action in (renamed[1], gone, renamed[2], renamed[1], renamed[0])
        ],
    )

    assert [type(outcome).__name__ for outcome in outcomes] == [
        "UndoConflict",
        *["Undone"] * 4,
    ]
    rows = await database.reader.rows("SELECT id, name FROM players")
    assert dict(map(tuple, rows)) == {ana: "ana", bo: "bo"}
    await prove(database, chain=True)


async def test_all_that_an_actor_did_is_undone_newest_first_in_one_list(database):
    """Brought back by one undo and deleted by the next: in the end it is gone, and known so."""
    await make_class(database)
    await characters.create.one(database, creation(await make_user(database), "Ana"))
    created = (await last(database))["id"]
    deleted = await delete(database, "Ana")

    orders = [Undoing(by=BY, action_id=one) for one in (deleted, created)]
    outcomes = await execute.undo(database, orders)

    assert all(isinstance(outcome, Undone) for outcome in outcomes)
    assert (await total(database, "players"), await total(database, "deleted_players")) == (0, 1)
    await prove(database, chain=True)
    [_, undone] = outcomes
    assert isinstance(undone, Undone)
    assert undone.id is not None
    assert isinstance(await undo(database, undone.id), Undone)
    assert (await lookup.find_player(database.reader, "ana")).name == "Ana"
    await prove(database, chain=True)


async def test_a_name_that_one_undo_of_a_list_frees_is_taken_by_the_next(database):
    ana = await make_player(database, "ana")
    await name_changes.rename.one(database, Renaming(by=BY, player="ana", name="bo"))
    renamed = (await last(database))["id"]
    await characters.create.one(database, creation(await make_user(database), "Ana"))
    created = (await last(database))["id"]

    orders = [Undoing(by=BY, action_id=one) for one in (renamed, created, renamed)]
    outcomes = await execute.undo(database, orders)

    assert reasons(outcomes[0]) == ["name_taken"]
    assert all(isinstance(outcome, Undone) for outcome in outcomes[1:])
    assert (await lookup.find_player(database.reader, "ana")).id == ana
    await prove(database)


# ── Names, classes, levels, sheets ──


async def test_a_name_is_given_back_unless_it_changed_or_is_taken(database):
    ana = await make_player(database, "ana")
    await name_changes.rename.one(database, Renaming(by=BY, player="ana", name="Eve"))
    action = (await last(database))["id"]
    other = await make_player(database, "Ana")
    assert reasons(await undo(database, action)) == ["name_taken"]
    await name_changes.rename.one(database, Renaming(by=BY, player=str(other), name="Bo"))
    assert isinstance(await undo(database, action), Undone)
    assert (await lookup.find_player(database.reader, "ana")).id == ana
    assert isinstance(await undo_last(database), Undone)
    assert (await lookup.find_player(database.reader, "eve")).id == ana
    await name_changes.rename.one(database, Renaming(by=BY, player="eve", name="Fay"))
    redone = await database.reader.value(
        "SELECT id FROM actions WHERE kind = 'undo' ORDER BY at DESC LIMIT 1"
    )
    assert reasons(await undo(database, redone)) == ["changed_since"]
    await prove(database, chain=True)


async def test_a_class_a_level_and_a_sheet_are_put_back(database):
    await make_mage(database, max_level=10)
    await make_player(database, "ana", level=3, exp=7, vitals=[90, 90])
    states = [await lookup.find_player(database.reader, "ana")]
    steps = [
        lambda: attributes.change_class.one(
            database, ClassChange(by=BY, player="ana", class_id=MAGE)
        ),
        lambda: attributes.set_level.one(database, Promotion(by=BY, player="ana", level=9)),
        lambda: attributes.save_sheets.one(database, saving("ana", x=3, vitals=[1, 1])),
    ]
    done = []
    for step in steps:
        await step()
        done.append((await last(database))["id"])
        states.append(await lookup.find_player(database.reader, "ana"))

    for action, state in reversed(list(zip(done, states, strict=False))):
        assert isinstance(await undo(database, action), Undone)
        assert await lookup.find_player(database.reader, "ana") == state
        await prove(database)
    await prove(database, chain=True)


async def test_a_class_is_not_put_back_above_its_highest_level(database):
    await make_mage(database, max_level=10)
    await make_player(database, "ana", class_id=MAGE, level=3)
    await attributes.change_class.one(
        database, ClassChange(by=BY, player="ana", class_id=await make_class(database))
    )
    action = (await last(database))["id"]
    await attributes.set_level.one(database, Promotion(by=BY, player="ana", level=11))
    assert reasons(await undo(database, action)) == ["level_above_class"]


async def test_of_a_sheet_what_changed_since_is_in_the_way_and_the_rest_a_welcome_part(database):
    await make_player(database, "ana")
    await attributes.save_sheets.one(database, saving("ana", x=3, y=4))
    action = (await last(database))["id"]
    await attributes.save_sheets.one(database, saving("ana", x=5))

    assert reasons(await undo(database, action)) == ["changed_since"]
    done = await undo(database, action, partial=True)

    assert isinstance(done, Undone)
    now = await sheets.current(database.reader, "ana")
    assert (now.x, now.y) == (5, 0)
    await prove(database)


# ── Every short sequence ──


class Story:
    """One sequence of steps, with names and an account of its own in a shared database."""

    def __init__(
        self,
        database: Database,
        number: int,
        user: UUID,
        potion: UUID | None,
        dice: random.Random | None = None,
    ) -> None:
        self._dice = dice or random.Random(1)
        self._database = database
        self._user = user
        self._potion = potion
        letters = "".join(chr(97 + int(digit)) for digit in f"{number:04d}")
        self._names = [f"Ana {letters}", f"Bo {letters}"]
        self._actions: list[UUID] = []

    async def take(self, step: str) -> None:
        living = await self._living()
        if step == "create":
            order = creation(self._user, self._names[0])
            [made] = await characters.create(self._database, [order])
            if self._potion and not isinstance(made, Problem):
                gift = Gift(by=BY, player=str(made.id), item_id=self._potion, quantity=3)
                await items.give.one(self._database, gift)
        elif step == "rename" and living:
            other = self._names[living[0]["name"] == self._names[0]]
            order = Renaming(by=BY, player=str(living[0]["id"]), name=other)
            await name_changes.rename(self._database, [order])
        elif step == "delete" and living:
            order = Deletion(by=BY, player=str(living[0]["id"]))
            await characters.delete(self._database, [order])
        elif step == "undo" and self._actions:
            await undo(self._database, self._actions[-1])
        elif step == "undo any" and self._actions:
            action = self._dice.choice(self._actions)
            await undo(self._database, action, partial=self._dice.random() < 0.3)
        await self.check()

    async def check(self) -> None:
        """Names are whole and single, nobody is both there and deleted, items never double."""
        living = [row["name"].casefold() for row in await self._living()]
        assert len(living) == len(set(living)), living
        rows = await self._database.reader.rows(
            """
            SELECT player_id FROM deleted_players WHERE user_id = $1
            INTERSECT SELECT id FROM players
            """,
            self._user,
        )
        assert not rows
        rows = await self._database.reader.rows(
            """
            SELECT id FROM actions WHERE kind <> 'items.give'
               AND player_id IN (SELECT id FROM players WHERE user_id = $1
                                 UNION SELECT player_id FROM deleted_players WHERE user_id = $1)
             ORDER BY at, id
            """,
            self._user,
        )
        self._actions = [row["id"] for row in rows]
        held = await self._database.reader.rows(
            """
            SELECT sum(quantity)::int AS held FROM slots
             WHERE player_id IN (SELECT id FROM players WHERE user_id = $1) GROUP BY player_id
            """,
            self._user,
        )
        assert all(row["held"] == 3 for row in held)

    async def _living(self) -> list[Any]:
        return await self._database.reader.rows(
            "SELECT id, name FROM players WHERE user_id = $1 ORDER BY created_at, id", self._user
        )


@pytest.mark.torture
async def test_long_random_sequences_with_undos_of_anything_leave_everybody_once(roomy):
    dice = random.Random(5)
    steps = ("create", "rename", "delete", "undo", "undo any", "undo any")
    await make_class(roomy)
    potion = await make_item(roomy)
    for number in range(60):
        story = Story(roomy, number, await make_user(roomy), potion, dice)
        for _ in range(10):
            await story.take(dice.choice(steps))
    await prove(roomy, chain=True)


@pytest.mark.parametrize("with_items", [False, True])
@pytest.mark.torture
async def test_every_sequence_of_four_steps_leaves_everybody_once(roomy, with_items):
    steps = ("create", "rename", "delete", "undo")
    await make_class(roomy)
    potion = await make_item(roomy) if with_items else None
    for number, sequence in enumerate(product(steps, repeat=4)):
        story = Story(roomy, number, await make_user(roomy), potion)
        for step in sequence:
            await story.take(step)
    await prove(roomy, chain=True)


async def test_an_undo_at_once_leaves_everything_as_it_was(roomy):
    """After every sequence of three steps, each further step is undone, redone and undone."""
    steps = ("create", "rename", "delete")
    await make_class(roomy)
    for number, sequence in enumerate(product(steps, repeat=3)):
        story = Story(roomy, number, await make_user(roomy), None)
        for step in sequence[:-1]:
            await story.take(step)
        before, actions = await snapshot(roomy), await total(roomy, "actions")
        await story.take(sequence[-1])
        if await total(roomy, "actions") == actions:
            continue
        after = await snapshot(roomy)
        for turn in range(3):
            assert isinstance(await undo_last(roomy), Undone), sequence
            assert await snapshot(roomy) == (after if turn % 2 else before), sequence
    await prove(roomy, chain=True)


@pytest.mark.torture
async def test_nothing_is_doubled_by_deletions_among_takings_restores_and_undos(roomy):
    """Whatever the order, nobody holds more than was given to them."""
    dice = random.Random(7)
    await make_class(roomy)
    potion = await make_item(roomy)
    for _ in range(40):
        player = str(await make_player(roomy))
        instants = [await clock(roomy)]
        for _ in range(12):
            await _stir(roomy, dice, player, potion, instants)
            instants.append(await clock(roomy))
            [held, given] = await _held_and_given(roomy, UUID(player))
            assert held <= given, player
    await prove(roomy, chain=True)


async def _stir(
    database: Database, dice: random.Random, player: str, potion: UUID, instants: list[Any]
) -> None:
    match dice.choice(("give", "take", "delete", "restore", "undo", "undo", "undo")):
        case "give":
            gift = Gift(by=BY, player=player, item_id=potion, quantity=5)
            await items.give(database, [gift])
        case "take":
            taking = Taking(by=BY, player=player, item_id=potion, quantity=dice.choice((2, 5)))
            await items.take(database, [taking])
        case "delete":
            await characters.delete(database, [Deletion(by=BY, player=player)])
        case "restore":
            order = Restoration(by=BY, player=player, at=dice.choice(instants))
            await restore.restore(database, [order])
        case _:
            rows = await database.reader.rows(
                "SELECT id FROM actions WHERE player_id = $1 ORDER BY at, id", UUID(player)
            )
            if rows:
                await undo(database, dice.choice(rows)["id"], partial=dice.random() < 0.3)


async def _held_and_given(database: Database, player: UUID) -> list[int]:
    [row] = await database.reader.rows(
        """
        SELECT (SELECT coalesce(sum(quantity), 0) FROM slots WHERE player_id = $1)::int AS held,
               (SELECT coalesce(sum(quantity), 0) FROM postings
                 WHERE player_id = $1 AND against = 'grant')::int AS given
        """,
        player,
    )
    return [row["held"], row["given"]]


async def test_a_rename_and_a_gift_are_undone_in_one_list(database):
    ana, _ = await make_player(database, "ana"), await make_player(database, "bo")
    potion = await make_item(database)
    await items.give.one(database, Gift(by=BY, player="bo", item_id=potion, quantity=3))
    gift = (await last(database))["id"]
    await name_changes.rename.one(database, Renaming(by=BY, player=str(ana), name="cy"))
    renamed = (await last(database))["id"]

    done = await execute.undo(
        database, [Undoing(by=BY, action_id=action) for action in (renamed, gift)]
    )

    assert [type(one) for one in done] == [Undone, Undone]
    names = await database.reader.rows("SELECT name FROM players ORDER BY name")
    assert [row["name"] for row in names] == ["ana", "bo"]
    assert await total(database, "slots") == 0
    await prove(database)
