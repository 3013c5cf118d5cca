"""
Writes src/gamekeeper/core/unicode/security.json: what of Unicode's data UTS 39 needs.

    uv run --no-project --with fonttools==4.61.0 tools/unicode_security.py tables.rs OUTPUT

Identifier_Status, Default_Ignorable_Code_Point and confusables come from `src/tables.rs` of
the crate unicode-security (https://github.com/unicode-rs/unicode-security), which is made
from Unicode's files of that version; scripts and their extensions from fontTools, likewise.
Both must be of one version of Unicode. No package for Python has all of this and is kept up
by more than one person: PyICU has no wheels, icu4py no spoof checker, and confusable-homoglyphs
no skeletons.
"""

import json
import re
import sys
from pathlib import Path

from fontTools import unicodedata
from fontTools.unicodedata import Scripts

CHAR = r"'\\u\{([0-9a-f]+)\}'"
TERMS = (
    "Made from Unicode's data files: confusables.txt, IdentifierStatus.txt, "
    "DerivedCoreProperties.txt, Scripts.txt, ScriptExtensions.txt. See LICENSE-UNICODE."
)


def table(source: str, name: str) -> str:
    start = source.index(f"const {name}:")
    return source[start : source.index("];", start)]


def ranges(source: str, name: str) -> list[tuple[int, int]]:
    found = re.findall(rf"\({CHAR},\s*{CHAR}\)", table(source, name))
    return merged([(int(low, 16), int(high, 16)) for low, high in found])


def merged(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    done: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if done and low == done[-1][1] + 1:
            done[-1] = (done[-1][0], high)
        else:
            done.append((low, high))
    return done


def confusables(source: str) -> dict[str, str]:
    # Of the two tables of that name, the first has the prototypes.
    entries = re.findall(rf"\({CHAR},\s*&\[([^\]]*)\]\)", table(source, "CONFUSABLES"))
    return {
        chr(int(point, 16)): "".join(chr(int(one, 16)) for one in re.findall(CHAR, prototype))
        for point, prototype in entries
    }


def scripts(allowed: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """The script extensions of everything that is allowed, runs of equals as one."""
    runs: list[tuple[int, int, str]] = []
    for low, high in allowed:
        for point in range(low, high + 1):
            names = " ".join(sorted(unicodedata.script_extension(chr(point))))
            if runs and runs[-1][1] == point - 1 and runs[-1][2] == names:
                runs[-1] = (runs[-1][0], point, names)
            else:
                runs.append((point, point, names))
    return runs


def main(tables: str, output: str) -> None:
    source = Path(tables).read_text()
    version = ".".join(re.findall(r"UNICODE_VERSION[^=]*= \((\d+), (\d+), (\d+)\)", source)[0])
    assert f"Scripts-{version}.txt" in Path(Scripts.__file__).read_text(), "two versions of Unicode"
    allowed = ranges(source, "IDENTIFIER_STATUS")
    data = {
        "terms": TERMS,
        "version": version,
        "allowed": allowed,
        "ignorable": ranges(source, "DEFAULT_IGNORABLE"),
        "scripts": scripts(allowed),
        "confusables": confusables(source),
    }
    Path(output).write_text(json.dumps(data, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
