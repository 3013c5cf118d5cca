"""
List every string a user can read: `python -m tools.strings [--area AREA] [--json]`.

A line is an area, a place and a text. The areas are `errors`, `cli`, `logs`, `api` (the OpenAPI
document), `settings`, `messages` (other sentences in the Python source), `mail`, `pages` (password
reset, appeals, /api/docs), `console` and `docs` (headings). The files are parsed, never imported,
so the list also works on a tree that does not run.
"""

import argparse
import ast
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/gamekeeper"
AREAS = ("errors", "cli", "logs", "api", "settings", "messages", "mail", "pages", "console", "docs")
ERRORS = {"Problem", "Exception", "ValueError", "RuntimeError", "BadParameter", "UsageError"}
SCHEMAS = {"Record", "Reply", "Body", "Query"}
COMMANDS = ("command", "change(")
"""The decorators of commands, as they are written."""
LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical"}
SQL = re.compile(
    r"\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|WHERE|JOIN|ORDER BY|VALUES|CREATE|ALTER|DROP"
    r"|SET|GRANT|REVOKE|LISTEN|NOTIFY|VACUUM|ANALYZE|TRUNCATE|IS NULL|NULLS|LOCK TABLE|COALESCE"
    r"|AND|OR|AS|ANY|CASE|DESC|DISTINCT|IN|PRAGMA|ROW|SHOW|SKIP|START|UNION)\b|::|name_key"
)
"""In capitals, as all statements here are written; a sentence has none of these words."""

SENTENCE = re.compile(r"[A-Za-z{][^\n]* [^\n]*[A-Za-z]")

Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Text:
    area: str
    file: str
    line: int
    text: str


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.strings", description=__doc__)
    parser.add_argument("--area", choices=AREAS, help="only this area")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    options = parser.parse_args()
    found = [text for text in texts() if options.area in (None, text.area)]
    if options.json:
        print(json.dumps([asdict(text) for text in found], indent=2))  # noqa: T201
    else:
        for text in found:
            print(f"{text.area}\t{text.file}:{text.line}\t{text.text!r}")  # noqa: T201


@cache
def texts() -> tuple[Text, ...]:
    """Every text of the project, by area and place."""
    found = {*_of_python(), *_of_mail(), *_of_pages(), *_of_players(), *_of_console(), *_of_docs()}
    return tuple(sorted(found))


def _of_python() -> Iterator[Text]:
    trees = {file: ast.parse(file.read_text()) for file in sorted(SOURCE.rglob("*.py"))}
    errors, schemas = classes_below(ERRORS, trees.values()), classes_below(SCHEMAS, trees.values())
    for file, tree in trees.items():
        yield from _Module(file, errors, schemas).texts(tree)


def classes_below(roots: set[str], trees: Iterable[ast.Module]) -> set[str]:
    """The names of these classes and of all that inherit from them, in any module."""
    bases = {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    found = set(roots)
    while below := {name for name, above in bases.items() if above & found} - found:
        found |= below
    return found


class _Module:
    def __init__(self, file: Path, errors: set[str], schemas: set[str]) -> None:
        self.errors, self.schemas = errors, schemas
        self.place = str(file.relative_to(ROOT))
        inside = file.relative_to(SOURCE)
        package = inside.parts[0]
        self.area = package if package in ("cli", "api") else "messages"
        self.fields = "settings" if str(inside) == "core/settings.py" else "api"

    def texts(self, tree: ast.Module) -> Iterator[Text]:
        docstrings = set[ast.AST]()
        areas = dict[ast.AST, str]()
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | Documented):
                docstrings.update(_bare_strings(node.body))
            if isinstance(node, Documented):
                yield from self._documented(node)
            elif isinstance(node, ast.Call):
                areas |= dict.fromkeys(ast.walk(node), area) if (area := self._called(node)) else {}
        yield from self._literals(tree, docstrings, areas)

    def _documented(self, node: Documented) -> Iterator[Text]:
        """The docstrings that somebody reads: of errors, routes and commands, and below fields."""
        decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
        if isinstance(node, ast.ClassDef):
            # The docstring of a schema is its description in the OpenAPI document.
            area = "errors" if node.name in self.errors else None
            area = "api" if node.name in self.schemas else area
            for field, below in zip(node.body, node.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and (text := _bare_string(below)):
                    yield self._text(self.fields, below.lineno, text)
        elif any(decorator.startswith("routes.") for decorator in decorators):
            area = "api"
        else:
            is_command = any(decorator.startswith(COMMANDS) for decorator in decorators)
            area = "cli" if is_command else None
        if area and (text := ast.get_docstring(node)):
            yield self._text(area, node.lineno, text)

    def _called(self, call: ast.Call) -> str | None:
        """The area of the strings that a call is given, if the call decides it."""
        name = ast.unparse(call.func)
        if name.rpartition(".")[2] in self.errors or name == "super().__init__":
            return "errors" if self.area != "cli" else "cli"
        if name.startswith("log.") and name.rpartition(".")[2] in LOG_METHODS:
            return "logs"
        return None

    def _literals(
        self, tree: ast.Module, docstrings: set[ast.AST], areas: dict[ast.AST, str]
    ) -> Iterator[Text]:
        inner = {
            part
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in ast.walk(node)
            if part is not node
        }
        for node in ast.walk(tree):
            if node in docstrings or node in inner:
                continue
            area = areas.get(node, self.area)
            text = _literal(node)
            if text and (area == "logs" or (SENTENCE.search(text) and not SQL.search(text))):
                yield self._text(area, getattr(node, "lineno", 0), text)

    def _text(self, area: str, line: int, text: str) -> Text:
        return Text(area, self.place, line, " ".join(inspect.cleandoc(text).split()))


def _bare_string(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return None


def _bare_strings(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The docstring, and the strings below assignments, which are comments to Python."""
    for node in body:
        if isinstance(node, ast.Expr) and _bare_string(node):
            yield node.value


def _literal(node: ast.AST) -> str | None:
    """A string as it is written, with `{…}` for what is put in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                part.value
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
                else "{…}"
                for part in parts
            )
        case _:
            return None


def _of_mail() -> Iterator[Text]:
    for file in sorted((SOURCE / "users/mail/templates").iterdir()):
        text = re.sub(r"\{%.*?%\}|<style.*?</style>", "", file.read_text(), flags=re.DOTALL)
        yield from _lines("mail", file, re.sub(r"<[^>]*>", "", text))


def _of_pages() -> Iterator[Text]:
    pages = SOURCE / "api/static"
    for file in sorted([*pages.glob("*.html"), *pages.glob("*.md")]):
        yield from _lines("pages", file, re.sub(r"<[^>]*>", "", file.read_text()))
    for file in sorted(pages.glob("*.js")):
        yield from _script("pages", file)


def _of_players() -> Iterator[Text]:
    """The English catalogue of what players read; the others are translations of it."""
    file = SOURCE / "core/languages/catalogues/messages.pot"
    source = file.read_text()
    for found in re.finditer(r'^msgctxt "(.*?)"\nmsgid "(.*)"$', source, re.MULTILINE):
        area = "mail" if found[1].startswith("mail.") else "pages"
        number = source.count("\n", 0, found.start(2)) + 1
        yield Text(area, str(file.relative_to(ROOT)), number, found[2])


def _of_console() -> Iterator[Text]:
    folder = ROOT / "console/src"
    for file in sorted([*folder.rglob("*.ts"), *folder.rglob("*.tsx")]):
        if not file.name.endswith(".test.ts"):
            yield from _script("console", file)


def _of_docs() -> Iterator[Text]:
    for file in sorted((ROOT / "docs").rglob("*.md")):
        fenced = False
        for number, line in enumerate(file.read_text().splitlines(), 1):
            fenced ^= line.startswith("```")
            if line.startswith("#") and not fenced:
                yield Text("docs", str(file.relative_to(ROOT)), number, line.lstrip("# "))


def _lines(area: str, file: Path, text: str) -> Iterator[Text]:
    for number, line in enumerate(text.splitlines(), 1):
        if SENTENCE.search(line):
            yield Text(area, str(file.relative_to(ROOT)), number, line.strip())


QUOTED = r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`'
BETWEEN_TAGS = r">([^<>{}=;()]*[A-Za-z][^<>{}=;()]*)<"
NOT_READ = re.compile(r"^\s*(import\b|export \*|\} from|//|/?\*)|className=|data-testid=")
SHOWN = re.compile(r"\b(label|title|placeholder|description|header|heading|text|empty)[=:] *$")


def _script(area: str, file: Path) -> Iterator[Text]:
    """Strings of several words, or in a property that is shown, and the text between tags."""
    source = file.read_text()
    for found in re.finditer(f"{QUOTED}|{BETWEEN_TAGS}", source):
        text = next(group for group in found.groups() if group is not None)
        line = source[source.rfind("\n", 0, found.start()) + 1 : found.end()]
        tagged = found[0].startswith(">")
        shown = tagged or SENTENCE.search(text) or SHOWN.search(line.partition(found[0])[0])
        if shown and re.search("[A-Za-z]", text) and not NOT_READ.search(line):
            number = source.count("\n", 0, found.start()) + 1
            text = re.sub(r"\$\{[^}]*\}", "{…}", " ".join(text.split()))
            yield Text(area, str(file.relative_to(ROOT)), number, text)


if __name__ == "__main__":
    main()
