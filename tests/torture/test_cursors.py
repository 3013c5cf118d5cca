"""Paging must not depend on clocks: many actions share an instant."""

from uuid import UUID

import pytest

from gamekeeper.ledger import actions, audit_log
from gamekeeper.ledger.actions import Action
from gamekeeper.ledger.audit_log import Filters
from tests.make import BY

pytestmark = pytest.mark.torture


@pytest.mark.usefixtures("schema_changes")
async def test_actions_of_one_instant_are_each_shown_once(database):
    """Seven ids of the same millisecond, read two at a time."""
    instant = 0x019A8000_0000_7000_8000_000000000000
    made = [UUID(int=instant + number) for number in range(7)]
    await database.write(
        lambda writer: actions.record(
            writer, [Action(id=one, kind="variables.set", by=BY) for one in made]
        )
    )

    seen, cursor = [], None
    for _ in range(10):
        page = await audit_log.list_actions(database.reader, Filters(), cursor, 2)
        seen += [entry.id for entry in page.values]
        if (cursor := page.next) is None:
            break

    assert seen == made[::-1]
