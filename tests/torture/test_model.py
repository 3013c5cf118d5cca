"""
The real server against the model: whatever is asked in whatever order, each reply is equal, whole.

`TORTURE_STEPS` says how many requests there are in all; `just gate` raises it.
"""

import os
from collections import Counter
from itertools import pairwise
from typing import Any, ClassVar
from uuid import UUID, uuid4

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from tests.torture.arena import Arena, arena
from tests.torture.model import Model
from tests.torture.world import Character, Reply, Wish

pytestmark = pytest.mark.torture

STEPS = int(os.environ.get("TORTURE_STEPS", "10000"))
RUN = 100
ASPECTS = ["items", "spells", "variables"]
UNKNOWN_ID = "11111111-1111-4111-8111-111111111111"

wishes = st.tuples(
    st.sampled_from(["give", "give", "take", "take", "teach", "forget", "set"]),
    st.integers(0, 11),  # who: the first character, the second, or seldom nobody
    st.integers(0, 15),  # what: one of the catalog, or seldom nothing in it
    st.sampled_from([0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 12]),  # how many, or which value
    st.booleans(),  # whether the rest may go to the bank
    st.integers(0, 2),  # whether under a key
)
legs = st.tuples(
    st.sampled_from(["over", "over", "over", "away", "back", "made", "used"]),
    st.integers(0, 1),  # who
    st.integers(0, 14),  # what
    st.sampled_from([1, 1, 1, 2, 2, 3, 5]),
)
WHAT = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4)
"""Which of the catalog: the potion is the one that is asked for most."""
VALUES = [0, 1, -7, 2**63 - 1, True, False, "", "oak", "ü", "7", "true", 2**40, "x" * 30]


class Machine(RuleBasedStateMachine):
    """One run: two characters, a hundred requests or so."""

    arena: ClassVar[Arena]
    asked: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        made = [self.arena.new_player() for _ in range(2)]
        self.names = [name for name, _ in made]
        self.ids = [player for _, player in made]
        self.model = Model(
            self.arena.catalog,
            {name: Character(id=str(player)) for name, player in made},
        )
        self.run = uuid4().hex[:8]
        self.number = 0
        self.keyed: list[Wish] = []
        self.instants: list[str] = []

    def wish(self, drawn: tuple[str, int, int, int, bool, int], key: str | None = None) -> Wish:
        kind, who, what, many, overflow, keyed = drawn
        self.number += 1
        name = f"{self.run}-{self.number}"
        player = "nobody" if who == 11 else self.names[who % 2]
        about, body = self._asked(kind, what, many, overflow)
        key = key or (f"k-{name}" if keyed else None)
        made = Wish(kind=kind, player=player, about=about, body=body, id=name, key=key)
        if key:
            self.keyed.append(made)
        return made

    def _asked(self, kind: str, what: int, many: int, overflow: bool) -> tuple[str, dict[str, Any]]:
        catalog = self.arena.catalog
        known = {"set": catalog.variables, "teach": catalog.spells, "forget": catalog.spells}
        choices = list(known.get(kind, catalog.things))
        chosen = UNKNOWN_ID if what == 15 else choices[WHAT[what] % len(choices)]
        match kind:
            case "set":
                return chosen, {"value": VALUES[many]}
            case "teach" | "forget":
                return "", {"spellid": chosen}
            case "give":
                return "", {"itemid": chosen, "quantity": many, "bankoverflow": overflow}
            case _:
                return "", {"itemid": chosen, "quantity": many}

    def check(self, wish: Wish) -> None:
        expected = self.model.answer(wish)
        self.count(wish.kind, expected)
        heard = self.arena.lines[0].ask(wish)
        assert _same(expected, heard), (wish, expected, heard)
        self.model.learn(wish, heard)

    def count(self, what: str, reply: Reply) -> None:
        said = "replayed" if reply.replayed else str(reply.status)
        self.asked[f"{what} {said}"] += 1
        self.asked["steps"] += 1

    @rule(drawn=wishes)
    def ask(self, drawn: Any) -> None:
        self.check(self.wish(drawn))

    @rule(drawn=wishes)
    def ask_too(self, drawn: Any) -> None:
        """The same rule again, so that plain requests are the most of what is tried."""
        self.check(self.wish(drawn))

    def past_wish(self, kind: str, about: str, body: dict[str, Any], player: str) -> Wish:
        self.number += 1
        name = f"{self.run}-{self.number}"
        key = f"k-{name}" if self.number % 3 else None
        made = Wish(kind=kind, player=player, about=about, body=body, id=name, key=key)
        if key:
            self.keyed.append(made)
        return made

    def undoing(self, which: int, partial: bool, dry: bool) -> Wish:
        """An undo of one of the last things done, undone ones and undos among them."""
        last = list(self.model.deeds)[-12:]
        action = UNKNOWN_ID
        if last and which % 40:
            action = self.named(last[which % len(last)])
        return self.past_wish("undo", action, {"partial": partial, "dryrun": dry}, "")

    def named(self, deed: str) -> str:
        """The id of the action that a request made, or of one of several."""
        known = {made: action for action, made in self.model.named.items()}
        if deed not in known:
            request, _, number = deed.partition("#")
            sql = "SELECT id FROM actions WHERE player_id = ANY($1) AND request_id = $2 ORDER BY id"
            rows = self.arena.rows(sql, self.ids, request)
            made = str(rows[int(number or 0)]["id"])
            self.model.named[made] = deed
            return made
        return known[deed]

    @rule(legs=st.lists(legs, min_size=1, max_size=4))
    def trade(self, legs: list[Any]) -> None:
        self.check(self.trading(legs))

    @rule(one=st.lists(legs, min_size=1, max_size=2), other=st.lists(legs, min_size=1, max_size=2))
    def two_trades_at_once(self, one: list[Any], other: list[Any]) -> None:
        self.both(self.trading(one), self.trading(other))

    def trading(self, legs: list[Any]) -> Wish:
        """Between the two, from place to place, made for one of them or used up."""
        self.number += 1
        name = f"{self.run}-{self.number}"
        things = list(self.arena.catalog.things)
        moves = []
        for way, who, what, many in legs:
            one, other = self.names[who], self.names[1 - who]
            ends = {
                "over": {"from": one, "to": other},
                "away": {"from": one, "to": one, "toplace": "bank"},
                "back": {"from": one, "fromplace": "bank", "to": one},
                "made": {"to": one},
                "used": {"from": one},
            }
            item = things[WHAT[what] % len(things)]
            moves.append({"do": "items", "itemid": item, "quantity": many} | ends[way])
        body = {"transactions": [{"key": name, "moves": moves}]}
        return Wish(kind="trade", player="", about="", body=body, id=name)

    def reversing(self, which: int, dry: bool) -> Wish:
        """An undo of one of the last transactions, undone ones and undos among them."""
        last = list(self.model.traded)[-6:]
        about = last[which % len(last)] if last and which % 40 else UNKNOWN_ID
        return self.past_wish("reverse", about, {"dryrun": dry}, "")

    @rule(which=st.integers(0, 10**6), dry=st.integers(0, 3))
    def reverse(self, which: int, dry: int) -> None:
        self.check(self.reversing(which, dry == 0))

    @rule(which=st.integers(0, 10**6))
    def reverse_twice_at_once(self, which: int) -> None:
        first = self.reversing(which, False)
        self.both(first, _with(first, id=f"{first.id}b", key=f"{first.id}b"))

    @rule(which=st.integers(0, 10**6), partial=st.booleans(), dry=st.integers(0, 3))
    def undo(self, which: int, partial: bool, dry: int) -> None:
        self.check(self.undoing(which, partial, dry == 0))

    @rule(which=st.integers(0, 10**6), partial=st.booleans())
    def undo_twice_at_once(self, which: int, partial: bool) -> None:
        first = self.undoing(which, partial, False)
        self.both(first, _with(first, id=f"{first.id}b", key=f"{first.id}b"))

    @rule()
    def remember(self) -> None:
        [row] = self.arena.rows("SELECT clock_timestamp()")
        self.instants.append(msgspec.to_builtins(row[0]))
        self.model.remember(self.instants[-1])

    @rule(which=st.integers(0, 10**6), who=st.integers(0, 1), dry=st.integers(0, 3))
    def restore(self, which: int, who: int, dry: int) -> None:
        """Back to an instant of before, mostly one of the last few."""
        if self.instants:
            at = self.instants[-8:][which % min(8, len(self.instants))]
            body = {"at": at, "dryrun": dry == 0}
            self.check(self.past_wish("restore", at, body, self.names[who]))

    @rule(which=st.integers(0, 10**6))
    def replay(self, which: int) -> None:
        """An earlier request under its key, as a client sends it that heard no answer."""
        if not self.keyed:
            self.look(0, "items")
        else:
            self.number += 1
            again = self.keyed[which % len(self.keyed)]
            self.check(_with(again, id=f"{self.run}-{self.number}"))

    @rule(which=st.integers(0, 10**6), drawn=wishes)
    def reuse(self, which: int, drawn: Any) -> None:
        """An earlier key for a request that is (mostly) another one."""
        if not self.keyed:
            self.look(1, "items")
        else:
            key = self.keyed[which % len(self.keyed)].key
            wish = self.wish(drawn, key)
            self.keyed.pop()
            self.check(wish)

    @rule(one=wishes, other=wishes, twins=st.booleans())
    def two_at_once(self, one: Any, other: Any, twins: bool) -> None:
        """Both are under way before either is answered: one of the two orders explains it all."""
        first = self.wish(one, f"t-{self.run}-{self.number}" if twins else None)
        second = self.wish(one if twins else other, first.key if twins else None)
        self.both(first, second)

    def both(self, first: Wish, second: Wish) -> None:
        for line, wish in zip(self.arena.lines, (first, second), strict=True):
            line.send(wish)
        heard = [line.heard() for line in self.arena.lines]
        forth, back = self.model.copy(), self.model.copy()
        told = [
            (forth, [forth.answer(first), forth.answer(second)]),
            (back, [back.answer(second), back.answer(first)][::-1]),
        ]
        right = [model for model, said in told if _alike(said, heard)]
        assert right, (first, second, heard, [said for _, said in told])
        if len(right) == 2 and (posted := self.first_posted(first, second)):
            # Both orders may end alike, with other slots touched on the way: an undo sees those.
            right = [forth if posted == first.id else back]
        elif len(right) == 2 and forth.players != back.players:
            seen = self.seen()
            right = [model for model in right if _told(model, self.names) == seen]
            assert right, (first, second, seen)
        self.model = right[0]
        for wish, reply in zip((first, second), heard, strict=True):
            self.model.learn(wish, reply)
        self.count("two at once", heard[0])
        self.count("two at once", heard[1])

    def first_posted(self, *wishes: Wish) -> str | None:
        """Which of two requests came first, if both moved items of one character."""
        sql = """
            SELECT player_id, request_id, min(seq) AS seq
              FROM postings JOIN actions USING (player_id)
             WHERE player_id = ANY($1) AND actions.id = action_id AND request_id = ANY($2)
             GROUP BY player_id, request_id
             ORDER BY player_id, seq
        """
        rows = self.arena.rows(sql, self.ids, [wish.id for wish in wishes])
        pairs = pairwise(rows)
        return next((a["request_id"] for a, b in pairs if a["player_id"] == b["player_id"]), None)

    @rule(who=st.integers(0, 1), what=st.sampled_from(ASPECTS))
    def look(self, who: int, what: str) -> None:
        self.asked["looks"] += 1
        self.asked["steps"] += 1
        name = self.names[who]
        assert _look(self.arena, name, what) == getattr(self.model, what)(name)

    def seen(self) -> Any:
        """Everything the service shows of both characters."""
        return [[_look(self.arena, name, what) for what in ASPECTS] for name in self.names]

    def teardown(self) -> None:
        assert self.seen() == _told(self.model, self.names)
        assert self.arena.breaches(self.ids) == []
        rows = self.arena.rows(
            "SELECT request_id FROM actions WHERE player_id = ANY($1) ORDER BY 1", self.ids
        )
        made = sorted(deed.partition("#")[0] for deed in self.model.deeds)
        assert [row["request_id"] for row in rows] == made


def _alike(expected: list[Reply], heard: list[Reply]) -> bool:
    return all(_same(one, other) for one, other in zip(expected, heard, strict=True))


def _same(expected: Reply, heard: Reply) -> bool:
    """Equal, whole; an id that only the service can know is any id."""
    about = (expected.status, expected.replayed) == (heard.status, heard.replayed)
    return about and _equal(expected.body, heard.body)


def _equal(expected: Any, heard: Any) -> bool:
    if expected == "*":
        return isinstance(heard, str) and str(UUID(heard)) == heard
    if expected in ("#", "?"):
        return isinstance(heard, int if expected == "#" else list)
    if isinstance(expected, dict) and isinstance(heard, dict):
        names = expected.keys() == heard.keys()
        return names and all(_equal(expected[name], heard[name]) for name in expected)
    if isinstance(expected, list) and isinstance(heard, list):
        return len(expected) == len(heard) and all(map(_equal, expected, heard))
    return type(expected) is type(heard) and expected == heard


def _look(arena: Arena, name: str, what: str) -> Any:
    shown = arena.lines[0].look(f"/api/v1/players/{name}/{what}")
    if what == "items":
        for slot in shown["inventory"] + shown["bank"]:
            slot["BagId"] = slot["BagId"] and "a bag"
    return shown


def _told(model: Model, names: list[str]) -> Any:
    return [[getattr(model, what)(name) for what in ASPECTS] for name in names]


def _with(wish: Wish, **about: str) -> Wish:
    from msgspec.structs import replace

    return replace(wish, **about)


@pytest.fixture
def served(settings: Any, tmp_path: Any) -> Any:
    with arena(settings, tmp_path / "log") as made:
        yield made


def test_every_reply_is_the_models_and_the_books_are_right_after_each_run(served):
    """Ledger and slots are compared after every run, and each action is there once."""
    Machine.arena = served
    Machine.asked.clear()
    while (left := STEPS - Machine.asked["steps"]) > 0:
        # The first run of a series is always the shortest there is, so no series is short.
        run_state_machine_as_test(Machine, settings=_settings(max(8, left // RUN)))
    print("\n" + "\n".join(f"{many:8,} {what}" for what, many in sorted(Machine.asked.items())))
    assert Machine.asked["undo 200"] > 0
    assert Machine.asked["restore 200"] > 0
    assert Machine.asked["reverse 200"] > 0
    assert Machine.asked["reverse 409"] > 0


def test_an_undo_of_moves_that_balance_each_other_is_undone_as_a_whole(served):
    """It has no moves itself. Random runs seldom come here."""
    Machine.arena = served
    Machine.asked.clear()
    machine = Machine()
    machine.ask(("give", 0, 0, 1, False, 0))
    machine.trade([("away", 0, 0, 1), ("back", 0, 0, 1)])
    machine.reverse(1, dry=1)
    assert list(machine.model.deeds.values())[-1].moves == []
    machine.undo(2, partial=False, dry=1)
    machine.undo_twice_at_once(2, partial=True)
    machine.reverse(3, dry=1)
    machine.reverse_twice_at_once(3)
    machine.teardown()
    assert machine.asked["undo 409"] == 1
    assert machine.asked["reverse 200"] == 2


def _settings(runs: int) -> settings:
    return settings(
        max_examples=runs,
        stateful_step_count=RUN,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
