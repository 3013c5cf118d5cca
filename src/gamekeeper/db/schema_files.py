"""The files of the schema (migrations), readable without the libraries that apply them."""

from importlib import resources

FILES = resources.files("gamekeeper.db") / "migrations"
OLDEST = 15
"""The oldest version of PostgreSQL: migrations use UNIQUE NULLS NOT DISTINCT."""


def numbered() -> list[tuple[str, str]]:
    """The migrations, each by its name and its SQL, in the order of their numbers."""
    files = sorted(
        (file for file in FILES.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name
    )
    return [(file.name.removesuffix(".sql"), file.read_text("utf-8")) for file in files]
