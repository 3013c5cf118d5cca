"""Sanctions as operations on many: imposed, refused, lifted, all at once and in one list."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import Problem
from gamekeeper.db.database import Database
from gamekeeper.moderation import sanctions, templates
from gamekeeper.moderation.sanctions import Imposition, Lifting, OwnSanction, Pardon
from gamekeeper.moderation.templates import LadderStep, TemplateChange, TemplateRemoval
from gamekeeper.sanctions import codes
from gamekeeper.sanctions.records import Sanction
from gamekeeper.users.ranks import Outranked
from tests.make import BY, make_player, make_user

DAY = timedelta(days=1)
MODERATOR = Principal(id="key:1", name="mod", scopes=frozenset({"sanctions.manage"}))


def ban(whom: str, **about: Any) -> Imposition:
    return Imposition(**({"by": BY, "user": whom, "kind": "ban", "reason": "cheats"} | about))


async def count(database: Database) -> tuple[int, int]:
    """How many sanctions there are, and how many actions about them."""
    return (
        await database.reader.value("SELECT count(*) FROM sanctions"),
        await database.reader.value("SELECT count(*) FROM actions WHERE kind LIKE 'sanctions.%'"),
    )


def kinds(outcomes: list[Any]) -> list[str]:
    """For each outcome what was made, or the code of its refusal."""
    return [
        outcome.code if isinstance(outcome, Problem) else getattr(outcome, "kind", "done")
        for outcome in outcomes
    ]


async def test_a_ban_says_who_whom_until_when_and_why(database):
    ana = await make_user(database, "Ana")
    made = await sanctions.impose.one(
        database,
        ban("ana", duration=DAY, message="See you.", evidence=["https://example.org/1"]),
    )

    assert (made.kind, made.user_id, made.user_name, made.player_id) == ("ban", ana, "Ana", None)
    assert (made.reason, made.message, made.evidence) == (
        *("cheats", "See you."),
        ["https://example.org/1"],
    )
    assert made.ends_at == made.starts_at + DAY
    assert made.in_force
    assert codes.parse(made.code) == made.code
    assert (made.imposed_by, made.imposed_by_name, made.lifted_at) == ("system", "tests", None)


async def test_the_audit_log_tells_of_it_without_the_reason(database):
    ana = await make_user(database, "Ana")
    made = await sanctions.impose.one(
        database, ban("ana", message="See you.", evidence=["https://example.org/1"])
    )
    await sanctions.lift.one(database, Lifting(by=BY, sanction=made.code, reason="mistake"))

    rows = await database.reader.rows("SELECT * FROM actions ORDER BY id")
    assert [(row["kind"], row["user_id"], row["player_id"]) for row in rows] == [
        ("sanctions.impose", ana, None),
        ("sanctions.lift", ana, None),
    ]
    assert rows[0]["after"]["code"] == made.code
    assert rows[0]["after"]["message"] == "See you."
    told = str([dict(row) for row in rows])
    assert not [word for word in ("cheats", "mistake", "example.org") if word in told]


async def test_one_on_a_character_names_it_and_its_account(database):
    ana = await make_user(database, "Ana")
    hero = await make_player(database, "Hero", user=ana)
    made = await sanctions.impose.one(database, ban("", user=None, player="hero"))
    assert (made.user_id, made.player_id, made.player_name) == (ana, hero, "Hero")


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"user": "nobody"}, "user_not_found"),
        ({"user": None, "player": "nobody"}, "player_not_found"),
        ({"user": None}, "invalid_target"),
        ({"player": "hero"}, "invalid_target"),
        ({"kind": None}, "invalid_sanction"),
        ({"template": "spam"}, "invalid_sanction"),
        ({"kind": None, "template": "nothing"}, "template_not_found"),
        ({"kind": "note", "message": "hello"}, "invalid_sanction"),
        ({"reason": "x" * 501}, "invalid_text"),
        ({"message": "\x1b[2J"}, "invalid_text"),
        ({"evidence": ["ftp://example.org"]}, "invalid_evidence"),
        ({"evidence": ["https://"]}, "invalid_evidence"),
        ({"evidence": ["javascript:alert(1)//https://x"]}, "invalid_evidence"),
        ({"evidence": ["https://e.org/"] * 21}, "invalid_evidence"),
        ({"ends_at": datetime(2020, 1, 1, tzinfo=UTC)}, "invalid_period"),
        ({"duration": timedelta()}, "invalid_period"),
        ({"duration": DAY, "ends_at": datetime(2090, 1, 1, tzinfo=UTC)}, "invalid_period"),
        ({"starts_at": datetime(2090, 1, 1, tzinfo=UTC)}, "invalid_period"),
        (
            {"starts_at": datetime(2000, 1, 1, tzinfo=UTC), "duration": DAY},
            "invalid_period",
        ),
    ],
)
async def test_what_makes_no_sense_is_refused_and_leaves_nothing_behind(database, about, code):
    await make_player(database, "Hero", user=await make_user(database, "Ana"))
    with pytest.raises(Problem) as refused:
        await sanctions.impose.one(database, ban("ana", **about))
    assert refused.value.code == code
    assert await count(database) == (0, 0)


async def test_a_refused_neighbour_harms_nobody(database):
    for name in ("Ana", "Ben"):
        await make_user(database, name)
    outcomes = await sanctions.impose(
        database, [ban("ana"), ban("nobody"), ban("ben", kind="mute"), ban("ana", kind="note")]
    )
    assert kinds(outcomes) == ["ban", "user_not_found", "mute", "note"]
    assert await count(database) == (3, 3)


async def test_twenty_at_once_are_twenty_with_codes_of_their_own(database):
    await make_user(database, "Ana")
    made = await asyncio.gather(
        *(sanctions.impose.one(database, ban("ana", kind="warning")) for _ in range(20))
    )
    assert len({one.code for one in made}) == 20
    assert await count(database) == (20, 20)


# ── Who may ──


async def test_nobody_acts_on_an_account_that_holds_more(database):
    await make_user(database, "Boss", ban=True)
    await make_user(database, "Ana")
    outcomes = await sanctions.impose(
        database, [ban("boss", caller=MODERATOR), ban("ana", caller=MODERATOR), ban("boss")]
    )
    assert kinds(outcomes) == ["outranked", "ban", "ban"]

    with pytest.raises(Outranked):
        await sanctions.lift.one(
            database,
            Lifting(by=BY, sanction=outcomes[2].code, reason="friends", caller=MODERATOR),
        )


async def test_nobody_bans_themselves_or_lifts_their_own(database):
    ana = await make_user(database, "Ana")
    own = Principal(id=f"user:{ana}", name="Ana", user_id=ana)
    muted = await sanctions.impose.one(database, ban("ana", kind="mute"))
    with pytest.raises(OwnSanction):
        await sanctions.impose.one(database, ban("ana", caller=own))
    with pytest.raises(OwnSanction):
        await sanctions.lift.one(
            database, Lifting(by=BY, sanction=str(muted.id), reason="me", caller=own)
        )
    with pytest.raises(OwnSanction):
        await sanctions.pardon.one(database, Pardon(by=BY, user="ana", kind="mute", caller=own))
    assert await count(database) == (1, 1)


# ── Lifting ──


async def test_a_lifted_sanction_says_by_whom_when_and_why(database):
    await make_user(database, "Ana")
    made = await sanctions.impose.one(database, ban("ana"))
    lifted = await sanctions.lift.one(
        database, Lifting(by=BY, sanction=made.code.lower().replace("-", ""), reason="mistake")
    )
    assert (lifted.id, lifted.in_force, lifted.lift_reason) == (made.id, False, "mistake")
    assert (lifted.lifted_by, lifted.lifted_by_name) == ("system", "tests")
    assert lifted.lifted_at is not None


async def test_twenty_at_once_lift_once(database):
    await make_user(database, "Ana")
    made = await sanctions.impose.one(database, ban("ana"))
    outcomes = await asyncio.gather(
        *(
            sanctions.lift.one(database, Lifting(by=BY, sanction=made.code, reason=str(number)))
            for number in range(20)
        ),
        return_exceptions=True,
    )
    codes_ = sorted(outcome.code for outcome in outcomes if isinstance(outcome, Problem))
    assert codes_ == ["already_lifted"] * 19
    assert await count(database) == (1, 2)


async def test_in_one_list_each_is_lifted_once(database):
    await make_user(database, "Ana")
    first, second = await sanctions.impose(database, [ban("ana"), ban("ana", kind="mute")])
    assert isinstance(first, Sanction)
    assert isinstance(second, Sanction)
    wanted = [str(first.id), "AAAA-AAAA", first.code, "x" * 1000, str(UUID(int=0)), second.code]
    outcomes = await sanctions.lift(
        database, [Lifting(by=BY, sanction=one, reason="x") for one in wanted]
    )
    assert kinds(outcomes) == [
        *("ban", "sanction_not_found", "already_lifted"),
        *("sanction_not_found", "sanction_not_found", "mute"),
    ]
    assert await count(database) == (2, 4)


async def test_a_pardon_lifts_what_is_in_force_and_what_is_to_come(database):
    await make_player(database, "Hero", user=await make_user(database, "Ana"))
    later = datetime.now(UTC) + DAY
    await sanctions.impose(
        database,
        [
            *(ban("ana"), ban("ana", starts_at=later), ban("ana", kind="mute")),
            ban("", user=None, player="hero"),
        ],
    )
    lifted = await sanctions.pardon.one(database, Pardon(by=BY, user="ana", kind="ban"))
    assert len(lifted) == 2
    assert await sanctions.pardon.one(database, Pardon(by=BY, user="ana", kind="ban")) == []
    left = "SELECT count(*) FROM sanctions WHERE lifted_at IS NULL"
    assert await database.reader.value(left) == 2


async def test_a_pardon_leaves_what_has_ended_or_was_lifted_as_it_was(database):
    await make_user(database, "Ana")
    soon = datetime.now(UTC) + DAY
    over, lifted = await sanctions.impose(database, [ban("ana", ends_at=soon), ban("ana")])
    await database.write(
        lambda writer: writer.run(
            """
            UPDATE sanctions
               SET starts_at = now() - interval '2 h', ends_at = now() - interval '1 h'
             WHERE id = $1
            """,
            over.id,
        )
    )
    await sanctions.lift.one(database, Lifting(by=BY, sanction=lifted.code, reason="Wrong."))
    rows = "SELECT * FROM sanctions ORDER BY id"
    before = await database.reader.rows(rows)

    assert await sanctions.pardon.one(database, Pardon(by=BY, user="ana", kind="ban")) == []
    assert await database.reader.rows(rows) == before


# ── Templates and their ladders ──


async def make_template(database: Database, name: str = "spam") -> None:
    steps = [
        LadderStep(kind="warning"),
        LadderStep(kind="mute", duration_seconds=3600),
        LadderStep(kind="ban"),
    ]
    await templates.change.one(
        database, TemplateChange(by=BY, name=name, message="Please do not.", steps=steps)
    )


def spam(user: str = "ana", **about: Any) -> Imposition:
    return ban(user, **({"kind": None, "template": "spam"} | about))


async def test_the_ladder_goes_up_and_stays_at_the_top(database):
    await make_user(database, "Ana")
    await make_user(database, "Ben")
    await make_template(database)
    made = [await sanctions.impose.one(database, spam()) for _ in range(4)]
    assert [(one.kind, one.step) for one in made] == [
        *(("warning", 1), ("mute", 2)),
        *(("ban", 3), ("ban", 3)),
    ]
    assert made[1].ends_at == made[1].starts_at + timedelta(hours=1)
    assert {one.message for one in made} == {"Please do not."}
    assert (await sanctions.impose.one(database, spam("ben"))).step == 1


async def test_what_was_lifted_does_not_count_on_the_ladder(database):
    await make_user(database, "Ana")
    await make_template(database)
    first = await sanctions.impose.one(database, spam())
    await sanctions.lift.one(database, Lifting(by=BY, sanction=first.code, reason="mistake"))
    assert (await sanctions.impose.one(database, spam())).step == 1


async def test_twenty_at_once_are_twenty_times(database):
    await make_user(database, "Ana")
    await make_template(database)
    made = await asyncio.gather(*(sanctions.impose.one(database, spam()) for _ in range(20)))
    assert sorted(one.step or 0 for one in made) == [1, 2] + [3] * 18


async def test_in_one_list_each_is_a_step_further_and_a_refused_one_is_none(database):
    await make_user(database, "Ana")
    await make_template(database)
    outcomes = await sanctions.impose(
        database, [spam(), spam(evidence=["no"]), spam(message="Once more.")]
    )
    assert kinds(outcomes) == ["warning", "invalid_evidence", "mute"]
    assert outcomes[2].message == "Once more."


async def test_a_dry_run_says_what_would_be_and_leaves_nothing_behind(database):
    await make_user(database, "Ana")
    await make_template(database)
    await sanctions.impose.one(database, spam())
    for _ in range(2):
        draft = await sanctions.preview.one(database, spam())
        assert (draft.kind, draft.step) == ("mute", 2)
    assert await count(database) == (1, 1)


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("", [LadderStep(kind="ban")]),
        ("Spam", [LadderStep(kind="ban")]),
        ("a" * 41, [LadderStep(kind="ban")]),
        ("spam", []),
        ("spam", [LadderStep(kind="ban")] * 21),
        ("spam", [LadderStep(kind="ban", duration_seconds=0)]),
    ],
    ids=["no name", "capital", "long name", "no steps", "many steps", "no time"],
)
async def test_a_template_that_makes_no_sense_is_refused(database, name, steps):
    outcomes = await templates.change(
        database,
        [
            TemplateChange(by=BY, name=name, message="", steps=steps),
            TemplateChange(by=BY, name="good", message="", steps=[LadderStep(kind="note")]),
        ],
    )
    assert kinds(outcomes) == ["invalid_template", "done"]
    assert [template.name for template in await templates.list_templates(database.reader)] == [
        "good"
    ]


async def test_twenty_changes_of_a_template_are_told_one_after_another(database):
    changes = [
        TemplateChange(by=BY, name="spam", message=str(number), steps=[LadderStep(kind="ban")])
        for number in range(20)
    ]
    await asyncio.gather(*(templates.change.one(database, change) for change in changes))
    rows = await database.reader.rows(
        "SELECT before ->> 'message' AS before, after ->> 'message' AS after FROM actions"
    )
    told = {row["before"]: row["after"] for row in rows}
    now = None
    for _ in range(20):
        now = told.pop(now)
    assert told == {}
    assert (await templates.find_template(database.reader, "spam")).message == now


async def test_a_removed_template_leaves_its_sanctions(database):
    await make_user(database, "Ana")
    await make_template(database)
    await sanctions.impose.one(database, spam())
    outcomes = await templates.remove(
        database, [TemplateRemoval(by=BY, name="spam"), TemplateRemoval(by=BY, name="spam")]
    )
    assert kinds(outcomes) == ["done", "template_not_found"]
    assert await count(database) == (1, 1)
    rows = await database.reader.rows("SELECT kind FROM actions WHERE kind LIKE 'templates.%'")
    assert sorted(row["kind"] for row in rows) == ["templates.change", "templates.remove"]


# ── Codes ──


def test_a_code_is_read_as_people_write_it():
    assert codes.parse("abcd-efgh") == "ABCD-EFGH"
    assert codes.parse(" oil0 1234 ") == "0110-1234"
    for text in ("", "ABCD-EFG", "ABCD-EFGU", "x" * 100_000, "ÄBCD-EFGH"):
        assert codes.parse(text) is None
