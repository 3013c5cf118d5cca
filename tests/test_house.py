"""The rules of the house that no linter knows."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_type_hints

import gamekeeper
from gamekeeper.app import ROUTES
from gamekeeper.auth.authenticator import Authenticator
from gamekeeper.core.errors import Problem, Unavailable
from gamekeeper.core.names import RESERVED
from gamekeeper.db.database import Database, Reader
from gamekeeper.db.operations import AuditContext
from gamekeeper.events.feed import Feed

HOUSE = Path(gamekeeper.__file__).parent
FILES = sorted(HOUSE.rglob("*.py"))
ROLES_NOT_THINGS = {"utils", "helpers", "common", "base", "manager", "service", "models"}
LONGEST_FUNCTION = 45
LONGEST_FILE = 350
VAGUE = re.compile(
    r"^_?(MOST|LAST|NOTHING|APART|FAR|SOON|REACH|YOUNG|LONGEST|ENOUGH) = ", re.MULTILINE
)
"""Names of constants that do not say what they limit, such as MAX_NAME_LENGTH does."""
PUBLIC = {
    "/",
    "/api/info",
    "/api/info/versions",
    "/api/oauth/token",
    "/api/oauth/revoke",
    "/api/openapi.json",
    "/api/v1/session",
    "/api/v1/session/link",
    "/api/v1/session/invitation",
    "/api/v1/shops/{shop}/events",
    "/appeal",
    "/api/v1/appeals",
    "/api/v1/appeals/status",
    "/api/v1/sign-in",
    "/api/v1/sign-in/start",
    "/api/v1/sign-in/finish",
    "/sign-in/{source}",
    "/sign-in/{source}/callback",
    "/api/v1/users/password/reset/complete",
    "/api/v1/users/email/verification/complete",
    "/livez",
    "/metrics",
    "/readyz",
    "/reset",
    "/verify",
}
STATIC = ("/api/docs", "/reset/", "/verify/", "/appeal/", "/console")
"""What the pages load."""

OF_ONES_OWN = (
    *("/api/oauth/tokens/", "/api/oauth/token/", "/api/v1/session", "/api/v1/me"),
    "/api/v1/approvals",
)
"""Below these a caller needs no role for what is its own."""


class Module(NamedTuple):
    """What the rules look at in a file; the trees of all files would fill 100 MB."""

    place: str
    has_docstring: bool
    classes: list[str]
    functions: list[tuple[str, int]]
    """Their names, and how many lines each has."""
    log_events: list[tuple[int, str]]
    """The lines on which something is logged, and what."""


LEVELS = {"debug", "info", "warning", "error", "exception", "critical"}


@cache
def modules() -> list[Module]:
    return [parse(file) for file in FILES]


def parse(file: Path) -> Module:
    tree = ast.parse(file.read_text())
    place, has_docstring = str(file.relative_to(HOUSE)), bool(ast.get_docstring(tree))
    found = Module(place, has_docstring, classes=[], functions=[], log_events=[])
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
            found.functions.append((node.name, (node.end_lineno or 0) - node.lineno))
        elif isinstance(node, ast.ClassDef):
            found.classes.append(node.name)
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in LEVELS
            and ast.unparse(node.func.value) == "log"
        ):
            found.log_events.append((node.lineno, ast.unparse(node.args[0])))
    return found


def test_files_are_named_after_things():
    assert not [file for file in FILES if file.stem in ROLES_NOT_THINGS]


def test_files_and_functions_stay_small():
    long = [
        f"{module.place}:{name}"
        for module in modules()
        for name, lines in module.functions
        if lines > LONGEST_FUNCTION
    ]
    assert long == []
    assert not [file for file in FILES if len(file.read_text().splitlines()) > LONGEST_FILE]


def test_constants_say_what_they_limit():
    assert not [file for file in FILES if VAGUE.search(file.read_text())]


def test_only_the_settings_read_our_environment():
    """Prometheus' own variable is not ours, and neither is MySQL's, which has a password in it."""
    named = re.compile(r"\benviron\b")
    readers = {str(file.relative_to(HOUSE)) for file in FILES if named.search(file.read_text())}
    assert readers <= {
        "core/settings.py",
        "core/observability/exposition.py",
        "cli/serve.py",
        "transfer/intersect/mysql.py",
        "cli/try_.py",
        "app.py",
    }


def test_only_the_database_commits():
    committers = {
        str(file.relative_to(HOUSE))
        for file in FILES
        if any(word in file.read_text() for word in ('"COMMIT"', ".commit("))
    }
    assert committers == {"db/database.py"}


def test_every_route_says_who_may_call_it():
    """
    A route without a role is open to the world, so each such one is listed here.

    Those with no scope are open to every caller: they are about the caller's own things.
    """
    open_routes = {route.path for route in ROUTES if route.roles is None}
    assert {path for path in open_routes if not path.startswith(STATIC)} == PUBLIC
    assert not [
        route.path
        for route in ROUTES
        if route.roles == frozenset()
        and not route.path.startswith(("/api/oauth/tokens/", "/api/oauth/token/", "/api/v1/me"))
        and not route.path.startswith(OF_ONES_OWN)
    ]


def test_nobody_is_called_like_a_path():
    """`/players/rank` must not be the path of a character, too."""
    places = ("/api/v1/players/", "/api/v1/users/")
    paths = [route.path for route in ROUTES if route.path.startswith(places)]
    assert {path.split("/")[4] for path in paths} - RESERVED == {"{key}"}


def test_every_module_of_endpoints_is_served():
    """No list names them: a module without a `Routes` object would be silently left out."""
    served = {route.handler.__module__ for route in ROUTES}
    routed = [file for file in HOUSE.glob("api/v1/*.py") if "= Routes(" in file.read_text()]
    assert len(routed) > 30
    assert {f"gamekeeper.api.v1.{file.stem}" for file in routed} <= served


def test_who_changes_something_does_not_read_from_the_replica():
    """A handler's `reader` may be the replica's; one that gives orders takes `database.reader`."""
    both = {
        route.path
        for route in ROUTES
        if (needs := set(get_type_hints(route.handler).values()))
        & {Database, AuditContext, Authenticator, Feed}
        and Reader in needs
    }
    assert both == {"/readyz"}


def test_instants_are_compared_with_the_time_of_the_statement():
    """
    `now()` is when the transaction began. It may have waited for a lock since then: what another
    transaction wrote meanwhile would seem to lie in the future.
    """
    compared = re.compile(r"(?<![-=])(<=?|>=?|BETWEEN)\s+now\(\)|now\(\)\s*(<|>(?!=?>)|BETWEEN)")
    assert [str(file) for file in FILES if compared.search(file.read_text())] == []


def test_every_module_says_what_it_is():
    silent = [
        module.place
        for module in modules()
        if Path(module.place).name != "__main__.py" and not module.has_docstring
    ]
    assert silent == []


ROOT = HOUSE.parents[1]
WRITTEN = [
    file
    for folder in ("src", "tests", "bench", "clients/python/src", "examples", "tools")
    for file in sorted((ROOT / folder).rglob("*.py"))
]
NOUNS = {"batching", "load_shedding", "logging", "paging", "parsing", "routing", "streaming"}
"""Words in -ing that are what a search engine knows a thing by."""


def test_modules_are_named_by_nouns():
    """`undo`, not `undoing`: a gerund says that something is done, not what is there."""
    names = {
        (part.removeprefix("test_"), str(file.relative_to(ROOT)))
        for file in WRITTEN
        for part in (file.stem, file.parent.name)
    }
    assert sorted(path for name, path in names if name.endswith("ing") and name not in NOUNS) == []


def errors(root: type[Problem] = Problem) -> Iterator[type[Problem]]:
    for kind in root.__subclasses__():
        if kind.__module__.startswith("gamekeeper."):
            yield kind
            yield from errors(kind)


def test_a_class_name_means_one_thing():
    """Except an error's, which is a code: one code may be answered in two ways (below)."""
    codes = {kind.__name__ for kind in errors()}
    counted = Counter(name for module in modules() for name in module.classes)
    assert sorted(name for name, count in counted.items() if count > 1 and name not in codes) == []


def test_the_name_of_an_error_is_its_code():
    """
    The name may be used twice where the same code has another status or another sentence.

    The two that have another name are beside the one that has it, and say why.
    """
    kinds = list(errors())
    answered = Counter((kind.__name__, kind.status, kind.__doc__) for kind in kinds)
    assert [answer for answer, count in answered.items() if count > 1] == []

    named = {kind: re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower() for kind in kinds}
    other = {kind.__name__ for kind in kinds if kind.code not in (named[kind], Unavailable.code)}
    assert other == {"UnknownGuild", "WrongPassword"}


def test_log_events_are_names_to_alert_on():
    """`worker_restarted`, with fields: not a sentence, and not made up as it goes."""
    calls = [
        (f"{module.place}:{line}", event)
        for module in modules()
        for line, event in module.log_events
    ]
    assert len(calls) > 20
    named = re.compile(r"'[a-z][a-z0-9_]*'")
    assert [place for place, event in calls if not named.fullmatch(event)] == []


def test_the_map_names_files_that_exist():
    """The table answers by a file name, and the file is there."""
    text = (HOUSE.parents[1] / "CONTRIBUTING.md").read_text()
    table = text[text.index("|---|---|") : text.index("## House rules")]
    named = set(re.findall(r"`([a-z_/0-9]+(?:\.py|/))`", table))
    assert len(named) > 40
    assert not [path for path in sorted(named) if not (HOUSE / path).exists()]


def test_the_map_has_every_package():
    """The map in CONTRIBUTING.md, and the line there that says who may import whom."""
    packages = {file.parent.name for file in HOUSE.glob("*/__init__.py")}
    text = (HOUSE.parents[1] / "CONTRIBUTING.md").read_text()
    drawing = text.split("src/gamekeeper/\n")[1].split("```")[0]
    drawn = re.findall(r"^  ([a-z]+)/", drawing, re.MULTILINE)
    [layers] = re.findall(r"as `.importlinter` says: `(.*?)`", text, re.DOTALL)

    assert sorted(drawn) == sorted(packages)
    assert {*re.findall(r"\w+", layers)} == packages | {"app", "worker"}
