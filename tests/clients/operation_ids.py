"""The operation ids that were published: what generated clients call their methods."""

from pathlib import Path

from tests.clients.records import DOCUMENT

FILE = Path(__file__).parent / "operation_ids.txt"


def identified() -> list[str]:
    """One line for each operation: its id, method and path."""
    return sorted(
        f"{operation['operationId']} {method.upper()} {path}"
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    )


def add_new() -> None:
    """Write the ids of new operations; one that was published is never changed."""
    before = FILE.read_text().splitlines() if FILE.exists() else []
    gone = set(before) - set(identified())
    assert not gone, f"These were published, and must stay: {sorted(gone)}"
    FILE.write_text("".join(f"{line}\n" for line in identified()))
