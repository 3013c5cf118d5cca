"""The bounds of level and experience, exactly at their edges."""

import pytest

from gamekeeper.players.progress import InvalidProgress, Progress, advance

MAX_EXP = 2**63 - 1
"""The largest value that the column holds."""


def test_level_and_experience_may_reach_their_bounds():
    before = Progress(level=1, exp=0, highest=10)

    assert advance(before, level=10, exp=MAX_EXP - 1, gain=1) == Progress(10, MAX_EXP, 10)
    assert advance(before, level=1, exp=1, gain=-1) == Progress(1, 0, 10)


@pytest.mark.parametrize(
    ("level", "exp", "gain"), [(0, 0, 0), (11, 0, 0), (1, MAX_EXP, 1), (1, 0, -1)]
)
def test_a_step_beyond_them_is_refused(level: int, exp: int, gain: int):
    with pytest.raises(InvalidProgress):
        advance(Progress(level=1, exp=0, highest=10), level=level, exp=exp, gain=gain)
