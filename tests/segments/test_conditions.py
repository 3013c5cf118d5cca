"""Conditions: SQL finds the same characters as Python does by brute force."""

from datetime import UTC, datetime
from random import Random

import pytest

from gamekeeper.segments import counts, members
from gamekeeper.segments.checks import find_variables
from gamekeeper.segments.records import Condition, ConditionGroup, Definition
from gamekeeper.segments.statements import EXPRESSIONS, compile_segment
from tests.segments.worlds import expected, make_world, random_condition, random_definition


async def found(database, definition: Definition, form: str) -> set:
    reader = database.reader
    declared = await find_variables(reader, definition)
    segment = compile_segment(definition, declared, form)
    sql = f"SELECT id FROM players WHERE {segment.where}"
    return {row["id"] for row in await reader.rows(sql, *segment.args)}


@pytest.mark.parametrize("seed", range(3))
async def test_random_conditions_find_the_same_as_python(database, seed):
    random = Random(seed)
    world = await make_world(database, random)
    sizes = []
    for _ in range(120):
        definition = random_definition(random, world)
        wanted = expected(world, definition)
        assert await found(database, definition, "all") == wanted, definition
        assert await found(database, definition, "each") == wanted, definition
        batch = await members.member_batch(database.reader, definition, started=datetime.now(UTC))
        assert (batch.ids, batch.next) == (sorted(wanted), None), definition
        sizes.append(len(wanted))
    # Neither all nor none, or the comparison would say nothing.
    assert sum(0 < size < len(world.people) for size in sizes) > 60


async def test_each_field_alone_finds_the_same_as_python(database):
    random = Random(7)
    world = await make_world(database, random)
    seen: dict[str, set[bool]] = {}
    for _ in range(400):
        condition = random_condition(random, world)
        definition = Definition(groups=[ConditionGroup(conditions=[condition])])
        wanted = expected(world, definition)
        preview = await counts.preview(database.reader, definition, exact=True)
        assert preview.count == preview.at_least == preview.at_most == len(wanted), condition
        assert [member.id for member in preview.samples] == sorted(wanted)[:20], condition
        seen.setdefault(condition.field, set()).add(condition.negate)
    assert seen == {field: {True, False} for field in EXPRESSIONS}


async def test_a_deleted_variable_or_a_changed_type_matches_no_character(database):
    world = await make_world(database, Random(1), size=6)
    [(variable, _)] = [pair for pair in world.variables.items() if pair[1] == "integer"]
    condition = Condition(field="player_variable", id=variable, equals=0)
    definition = Definition(groups=[ConditionGroup(conditions=[condition])])
    change = "UPDATE variables SET type = 'boolean' WHERE id = $1"
    await database.write(lambda writer: writer.run(change, variable))
    assert await found(database, definition, "all") == set()
    rest = compile_segment(definition, {}, "all")
    assert "false" in rest.where


def test_values_are_never_part_of_the_statement():
    """The text of a statement depends on which fields are given, not on their values."""
    hostile = "x'); DROP TABLE players; --"
    conditions = [Condition(field="list", list=value) for value in ("plain", hostile)]
    texts = {
        compile_segment(Definition(groups=[ConditionGroup(conditions=[condition])]), {}, form).where
        for condition in conditions
        for form in ("each",)
    }
    assert len(texts) == 1
    assert hostile not in texts.pop()
