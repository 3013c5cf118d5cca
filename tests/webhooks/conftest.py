"""Processes that send to webhooks and tell what they called, one for each errand."""

from collections.abc import Iterator

import pytest

from tests.webhooks.targets import Knocker, knocking


@pytest.fixture(scope="module")
def knocker() -> Iterator[Knocker]:
    with knocking() as knocker:
        yield knocker
