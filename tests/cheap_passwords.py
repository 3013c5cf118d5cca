"""Passwords that are hashed in a millisecond, for tests in this process that check many."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gamekeeper.auth import secrets
from gamekeeper.auth.secrets import Cost


@contextmanager
def cheap_passwords() -> Iterator[None]:
    """Not for a test about the cost, or the time that an answer takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "COST", Cost(memory=1024, time=1))
        yield
