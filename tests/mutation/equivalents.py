"""
Mutants that no test can kill, each with the reason: `equivalents.toml`.

An entry names the module, the function or constant, and the changed lines before and after. It
holds while those stay as they are, wherever they move.
"""

import tomllib
from pathlib import Path

FILE = Path(__file__).with_name("equivalents.toml")

Key = tuple[str, str, str, str]


def read() -> dict[Key, str]:
    """The reason of each."""
    entries = tomllib.loads(FILE.read_text("utf-8"))["mutant"]
    return {
        (entry["module"], entry["function"], entry["before"], entry["after"]): entry["reason"]
        for entry in entries
    }
