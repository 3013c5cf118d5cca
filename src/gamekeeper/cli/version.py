"""The command that says what is installed, for people and for a report about a fault."""

import platform
from importlib import metadata, resources

from gamekeeper.cli.command import Output, command
from gamekeeper.db.schema_files import OLDEST, numbered


@command
def show() -> Output:
    """
    Show the version, its build and its requirements.

    The command does not connect to the database. `schema` is the newest migration of this
    version, which `gamekeeper migrate` applies. `commit` is known only in a wheel built from
    git, and `console` is false in a checkout until `just console` has built it.
    """
    facts = {
        "version": metadata.version("gamekeeper"),
        "commit": _commit(),
        "schema": numbered()[-1][0],
        "python": platform.python_version(),
        "postgresql": OLDEST,
        "console": _has_console(),
    }
    words = facts | {
        "commit": facts["commit"] or "unknown",
        "postgresql": f"{OLDEST} or newer",
        "console": "built" if facts["console"] else "not built",
    }
    return Output(facts, {name: str(value) for name, value in words.items()})


def _commit() -> str | None:
    """What the build has noted; a checkout has no note, because it changes."""
    noted = resources.files("gamekeeper") / "commit.txt"
    return noted.read_text("utf-8").strip() if noted.is_file() else None


def _has_console() -> bool:
    return (resources.files("gamekeeper") / "api/static/console/index.html").is_file()
