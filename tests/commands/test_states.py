"""The state machine of commands, as a table and as the database keeps it."""

from typing import get_args

import pytest

from gamekeeper.servers.commands.states import SETTLED, TRANSITIONS, Happening, State, following


def test_what_was_answered_is_final():
    for state in ("done", "failed"):
        assert [following(state, happening) for happening in get_args(Happening)] == [None] * 4


def test_what_has_expired_is_never_delivered():
    assert following("expired", "fetch") is None
    assert following("expired", "overdue") is None


def test_every_state_can_be_reached_and_every_open_one_left():
    assert {*TRANSITIONS.values(), "waiting"} == set(get_args(State))
    for state in set(get_args(State)) - SETTLED:
        assert following(state, "overdue") in SETTLED


@pytest.mark.parametrize("state", get_args(State))
async def test_the_database_knows_the_same_states(database, state):
    def insert(writer):
        return writer.run(
            """
            INSERT INTO commands (id, kind, server_id, state, sent_by, sent_by_name, expires_at,
                                  delivered_to)
            VALUES (gen_random_uuid(), 'kick', gen_random_uuid(), $1, 'a', 'b', now(),
                    gen_random_uuid())
            """,
            state,
        )

    assert await database.write(insert) == 1
