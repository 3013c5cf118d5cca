"""The log in words: the console knows every kind of action, and has a sentence for it."""

import re
from pathlib import Path

from gamekeeper.ledger.kinds.registry import ACTION_KINDS
from tools import action_kinds

ACTIONS = Path(__file__).parents[2] / "console/src/parts/actions"


def test_every_kind_of_action_has_a_sentence():
    sentences = (ACTIONS / "sentences/index.ts").read_text()
    told = set(re.findall(r'^  "?([\w.-]+)"?[:,]', sentences, re.MULTILINE))
    assert ACTION_KINDS.keys() - told == set()


def test_the_table_of_kinds_is_that_of_the_registry():
    """`just action-kinds` writes it."""
    assert action_kinds.FILE.read_text() == action_kinds.typescript()
