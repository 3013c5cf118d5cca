"""The page for staff says what the built-in roles may do, as the code has it."""

from pathlib import Path

from gamekeeper.auth.principal import SCOPES
from gamekeeper.auth.roles import BUILT_IN, DESCRIPTIONS

PAGE = Path(__file__).parents[2] / "docs" / "staff.md"


def roles_table() -> str:
    rows = [f"| `{role}` | {DESCRIPTIONS[role]} |" for role in BUILT_IN]
    return "\n".join(["| Role | Is for |", "|---|---|", *rows])


def rights_table() -> str:
    head = f"| May | {' | '.join(f'`{role}`' for role in BUILT_IN)} |"
    rows = [
        f"| {does} | {' | '.join('yes' if scope in may else '' for may in BUILT_IN.values())} |"
        for scope, does in SCOPES.items()
    ]
    return "\n".join([head, "|---" * (len(BUILT_IN) + 1) + "|", *rows])


def test_the_page_says_what_each_role_may():
    """If not: print these tables and paste them."""
    page = PAGE.read_text("utf-8")
    assert roles_table() in page
    assert rights_table() in page


if __name__ == "__main__":
    print(f"{roles_table()}\n\n{rights_table()}")
