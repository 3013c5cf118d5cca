"""Which mutants there are, and which of them a seed picks."""

import ast
import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from tests.mutation.edits import Edit, Source, edits

MODULES = (
    *(
        "players/*.py",
        "ledger/*.py",
        "history/undo/*.py",
        "history/*.py",
        "servers/transactions.py",
    ),
    *("approvals/*.py", "sanctions/*.py", "moderation/sanctions.py", "guilds/*.py"),
    *("db/operations.py", "db/batching.py", "db/idempotency.py", "db/database.py"),
    *("auth/tokens.py", "auth/authenticator.py", "auth/keys.py", "auth/limits.py"),
    *("http/rate_limits.py", "http/rate_counters.py", "http/admission.py"),
    *(
        "servers/commands/delivery.py",
        "servers/commands/outbox.py",
        "servers/leases.py",
        "users/staff/sign_in.py",
    ),
)
"""The core: what holds the books and decides who may do what. Below `src/gamekeeper`."""


class Mutant(Struct, frozen=True):
    module: str
    function: str
    """Or the class or the constant that holds the changed text."""
    line: int
    kind: str
    before: str
    """The changed lines, in one line."""
    after: str
    source: bytes
    """The whole module with the change."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """It stays when lines move."""
        return self.module, self.function, self.before, self.after


def modules(package: Path) -> list[str]:
    found = {str(file.relative_to(package)) for each in MODULES for file in package.glob(each)}
    return sorted(name for name in found if not name.endswith("__init__.py"))


def mutants(package: Path, module: str) -> list[Mutant]:
    source = Source((package / module).read_bytes())
    scopes = _scopes(source)
    return [_mutant(source, scopes, module, edit) for edit in edits(source)]


def pick(every: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """
    Some mutants that compile, at most one of each line.

    A kind is picked by the square root of how many there are of it: else most would be numbers
    and dropped conditions.
    """
    dice = random.Random(seed)
    by_kind: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in every:
        by_kind[mutant.kind].append(mutant)
    for some in by_kind.values():
        dice.shuffle(some)
    picked: dict[tuple[str, int], Mutant] = {}
    while by_kind and len(picked) < number:
        kinds = sorted(by_kind)
        kind = dice.choices(kinds, [len(by_kind[kind]) ** 0.5 for kind in kinds])[0]
        mutant = by_kind[kind].pop()
        if not by_kind[kind]:
            del by_kind[kind]
        if (mutant.module, mutant.line) not in picked and compiles(mutant):
            picked[mutant.module, mutant.line] = mutant
    return list(picked.values())


def compiles(mutant: Mutant) -> bool:
    try:
        compile(mutant.source, mutant.module, "exec")
    except SyntaxError:
        return False
    return True


Scope = tuple[int, int, str]


def _scopes(source: Source) -> list[Scope]:
    """Classes, functions and constants, from the outside in."""
    found: list[Scope] = []

    def look(body: list[ast.stmt], outer: str) -> None:
        for node in body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    name = f"{outer}{node.name}"
                    found.append((source.start(node), source.end(node), name))
                    look(node.body, f"{name}.")
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ) if not found or source.start(node) >= found[-1][1]:
                    found.append((source.start(node), source.end(node), f"{outer}{name}"))

    look(source.tree.body, "")
    return found


def _mutant(source: Source, scopes: list[Scope], module: str, edit: Edit) -> Mutant:
    content = source.content
    changed = content[: edit.start] + edit.text.encode() + content[edit.end :]
    names = [name for start, end, name in scopes if start <= edit.start < end]
    grown = len(changed) - len(content)
    return Mutant(
        module=module,
        function=names[-1] if names else "",
        line=content.count(b"\n", 0, edit.start) + 1,
        kind=edit.kind,
        before=_lines(content, edit.start, edit.end),
        after=_lines(changed, edit.start, edit.end + grown),
        source=changed,
    )


def _lines(content: bytes, start: int, end: int) -> str:
    """The whole lines around a change, without indentation."""
    first = content.rfind(b"\n", 0, start) + 1
    last = content.find(b"\n", end)
    return " ".join(content[first : last if last >= 0 else None].decode().split())
