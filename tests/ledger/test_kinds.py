"""The registry of action kinds: complete, and without kinds that nothing writes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import gamekeeper
from gamekeeper.auth.principal import SCOPES
from gamekeeper.ledger.kinds.records import Kind, UndoHandler
from gamekeeper.ledger.kinds.registry import ACTION_KINDS, UNDOABLE, WHY_NOT

SOURCE = Path(gamekeeper.__file__).parent
READERS = (SOURCE / "ledger/kinds", SOURCE / "api")
"""They name kinds, but write no actions."""


def writers() -> Iterator[ast.Module]:
    for file in SOURCE.rglob("*.py"):
        text = file.read_text()
        if re.search(r"\bAction\b", text) and not any(
            file.is_relative_to(reader) for reader in READERS
        ):
            yield ast.parse(text)


def constants(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, except those that something is compared with."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif not isinstance(node, ast.Compare):
            yield from constants(node)


def test_the_registry_has_every_name_once():
    assert sorted(ACTION_KINDS) == sorted(get_args(Kind))


def test_every_kind_that_is_written_is_registered():
    written = {
        keyword.value.value
        for tree in writers()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Action"
        for keyword in call.keywords
        if keyword.arg == "kind" and isinstance(keyword.value, ast.Constant)
    }
    assert len(written) > 40
    assert written <= ACTION_KINDS.keys()


def test_every_kind_that_is_registered_is_written():
    named = {name for tree in writers() for name in constants(tree)}
    named.add("ledger.open")  # A migration wrote it, when the ledger began.
    assert sorted(ACTION_KINDS.keys() - named) == []


def test_each_kind_can_be_undone_or_says_what_to_do_instead():
    assert UNDOABLE.isdisjoint(WHY_NOT)
    assert WHY_NOT.keys() | UNDOABLE == ACTION_KINDS.keys()


def test_every_handler_of_undos_has_a_kind_and_every_undo_its_scopes():
    undos = {kind.name: kind.undo for kind in ACTION_KINDS.values() if kind.undo}
    assert {undo.handler for undo in undos.values()} == {*get_args(UndoHandler)}
    assert [name for name, undo in undos.items() if not undo.scopes] == ["undo"]
    assert {scope for undo in undos.values() for scope in undo.scopes} < SCOPES.keys()
