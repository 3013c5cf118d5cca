"""
No sequence of steps doubles an item: all short ones are tried, not some.

`just slow` goes one step deeper with one character, and with repairs. `TORTURE_LIVE_STEPS` says how
many random steps of live operations are tried.
"""

import os
import random
from collections import Counter
from contextlib import suppress
from uuid import UUID

import pytest

from gamekeeper.db.database import Writer
from gamekeeper.ledger import verify_ledger
from tests.make import make_bag_item, make_item
from tests.security.live_operations import SOURCES, LiveWalk, RandomWalk
from tests.security.repairs import RepairWalk
from tests.security.sequences import GIFT, Step, Walk, check, party, walk_all

pytestmark = pytest.mark.torture

SAMPLE = 60
LIVE_STEPS = int(os.environ.get("TORTURE_LIVE_STEPS", "500"))
LIVE_LENGTH = 60
"""Steps that are tried with the same characters; about half of them are accepted."""


async def make(database, what: str) -> UUID:
    return await (make_bag_item(database) if what == "bag" else make_item(database))


async def search(
    database,
    item: UUID,
    depth: int,
    players: int,
    *,
    guild: bool = False,
    kind: type[Walk] = Walk,
    first: Step = GIFT,
) -> list[Walk]:
    walks = walk_all(database, item, depth, players, guild=guild, kind=kind, first=first)
    found = [walk async for walk in walks]
    lengths = Counter(len(walk.steps) for walk in found)
    print(f"{len(found)} sequences that were accepted, by length: {dict(sorted(lengths.items()))}")
    return found


async def commit_some(
    database, item: UUID, found: list[Walk], players: int, *, guild: bool = False
) -> None:
    """Some of the sequences once more, each for good and on characters of its own."""
    longest = max(len(walk.steps) for walk in found)
    deepest = [walk.steps for walk in found if len(walk.steps) == longest]
    for steps in random.Random(7).sample(deepest, min(SAMPLE, len(deepest))):
        walk = type(found[0])(database, item, await party(database, players, guild=guild))
        assert all(await taken(walk, steps)), steps
    assert (await verify_ledger.verify(database.settings)).breach is None


async def taken(walk: Walk, steps: list[Step]) -> list[bool]:
    return [
        await walk.database.write(lambda writer, step=step: walk.take_step(writer, step))
        for step in steps
    ]


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize(
    ("what", "depth", "players", "least"),
    [
        ("potion", 5, 1, 6_000),
        ("bag", 4, 1, 500),
        ("potion", 3, 2, 400),
    ],
)
async def test_no_short_sequence_doubles_anything(database, what, depth, players, least):
    """A gift and all continuations of so many steps, checked after each."""
    item = await make(database, what)
    found = await search(database, item, depth, players)

    assert len(found) > least
    await commit_some(database, item, found, players)


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize(
    ("what", "depth", "players", "least"), [("potion", 4, 1, 2_000), ("potion", 3, 2, 1_000)]
)
async def test_no_short_sequence_with_a_guild_doubles_anything(
    database, what, depth, players, least
):
    """The same with deposits, withdrawals, deletions and their undo."""
    item = await make(database, what)
    found = await search(database, item, depth, players, guild=True)

    assert len(found) > least
    await commit_some(database, item, found, players, guild=True)


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize(
    ("depth", "players", "guild", "least"), [(3, 1, True, 400), (2, 2, False, 60)]
)
async def test_no_short_sequence_with_repairs_doubles_anything(
    database, depth, players, guild, least
):
    """The same with bulk undos by character, and imports of exports made before."""
    found = await search_repairs(database, depth, players, guild=guild)

    assert len(found) > least
    kinds = {step.do for walk in found for step in walk.steps}
    assert {"sweep", "sweep_all", "import"} <= kinds


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.slow
@pytest.mark.parametrize(("depth", "players", "guild"), [(4, 1, True), (3, 2, True)])
async def test_no_longer_sequence_with_repairs_doubles_anything(database, depth, players, guild):
    await search_repairs(database, depth, players, guild=guild)


async def search_repairs(database, depth: int, players: int, *, guild: bool) -> list[Walk]:
    item = await make_item(database)
    found = await search(database, item, depth, players, guild=guild, kind=RepairWalk)
    await commit_some(database, item, found, players, guild=guild)
    return found


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.parametrize("first", SOURCES)
async def test_no_short_sequence_of_live_operations_doubles_anything(database, first):
    """A letter, an order, a code or a campaign, and what may happen to its items then."""
    found = await search_live(database, first, 2)

    kinds = {step.do for walk in found for step in walk.steps}
    assert {*SOURCES, "claim", "retract", "deposit", "delete", "undo"} <= kinds
    assert len(found) > 60


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.slow
@pytest.mark.parametrize("first", SOURCES)
async def test_no_longer_sequence_of_live_operations_doubles_anything(database, first):
    await search_live(database, first, 4)


async def search_live(database, first: str, depth: int) -> list[Walk]:
    item = await make_item(database)
    found = await search(database, item, depth, 1, guild=True, kind=LiveWalk, first=Step(first))
    await commit_some(database, item, found, 1, guild=True)
    return found


async def test_long_random_sequences_of_live_operations_double_nothing(database):
    """Longer ones than can all be tried, by two characters of a guild."""
    dice, done = random.Random(LIVE_STEPS), 0
    item, kinds = await make_item(database), Counter[str]()
    while done < LIVE_STEPS:
        walk = RandomWalk(database, item, await party(database, 2, guild=True))
        for _ in range(LIVE_LENGTH):
            options = walk.options()
            chosen = dice.choice(sorted({step.do for step in options}))
            await taken_or_undone(walk, dice.choice([o for o in options if o.do == chosen]))
        done += len(walk.steps)
        kinds.update(step.do for step in walk.steps)
    print(f"{done} steps: {dict(kinds)}")
    assert (await verify_ledger.verify(database.settings)).breaches == []


async def taken_or_undone(walk: Walk, step: Step) -> None:
    """Take a step for good if it is accepted, and check what is there then."""

    async def work(writer: Writer) -> None:
        if not await walk.take_step(writer, step):
            raise StepRefused
        await check(writer, walk)

    with suppress(StepRefused):
        await walk.database.write(work)


class StepRefused(Exception):
    pass


async def test_the_search_reaches_what_was_claimed_passed_on_and_recalled(database):
    """A campaign's items go through the guild's bank to another, and the reversal lists them."""
    steps = [
        Step("campaign"),
        Step("claim"),
        Step("deposit"),
        Step("withdraw", who=1),
        Step("recall", about=0),
        Step("undo", about=1),
        Step("order", who=1),
        Step("claim", who=1),
        Step("claim", who=1),
        Step("refund", about=5),
        Step("refund", about=5),
    ]
    walk = LiveWalk(database, await make_item(database), await party(database, 2, guild=True))

    done = await taken(walk, steps)

    # What was claimed is with another; there is no second letter; a refund is made once.
    assert done == [number not in (5, 8, 10) for number in range(len(steps))]


@pytest.mark.usefixtures("schema_changes")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "depth", "players"), [("potion", 6, 1), ("bag", 5, 1), ("potion", 4, 2)]
)
async def test_no_longer_sequence_doubles_anything(database, what, depth, players):
    item = await make(database, what)
    found = await search(database, item, depth, players)

    await commit_some(database, item, found, players)


async def test_the_search_reaches_undos_of_trades_and_their_undos(database):
    """And a trade cannot be undone twice, nor an undo while what it returned is elsewhere."""
    steps = [
        Step("give"),
        Step("trade"),
        Step("reverse", about=1),
        Step("reverse", about=1),
        Step("reverse", about=2),
        Step("take", who=1),
        Step("undo", about=1),
        Step("part", who=1),
        Step("reverse", about=3),
        Step("undo", about=4),
        Step("reverse", about=3),
    ]
    walk = Walk(database, await make_item(database), await party(database, 2))

    refused = [3, 5, 6, 8]
    assert await taken(walk, steps) == [number not in refused for number in range(len(steps))]


async def test_the_search_reaches_what_was_doubled_once(database):
    """Undo of the undo of a restore, after the taking was undone: ten of five, in former times."""
    steps = [
        Step("give"),
        Step("take"),
        Step("restore", about=0),
        Step("undo", about=2),
        Step("undo", about=1),
        Step("undo", about=3),
    ]
    walk = Walk(database, await make_item(database), await party(database, 1))

    assert await taken(walk, steps) == [True] * 5 + [False]
