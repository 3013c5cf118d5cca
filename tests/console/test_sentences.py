"""The log in words: the console has a sentence for every kind of action."""

import re
from pathlib import Path
from typing import get_args

from gamekeeper.ledger.actions import Kind

SENTENCES = Path(__file__).parents[2] / "console/src/parts/actions/sentences/index.ts"


def test_every_kind_of_action_has_a_sentence():
    told = set(re.findall(r'^  "?([\w.-]+)"?[:,]', SENTENCES.read_text(), re.MULTILINE))
    assert set(get_args(Kind)) - told == set()
