"""Sections of long pages that the reference has as pages of their own."""

import re
from pathlib import PurePosixPath

from tools.documentation.pages import ROOT, rewritten

SECTIONS = {"reference/settings.md": (PurePosixPath("docs/operations.md"), "Settings")}
"""By the page that is written: the file, and the heading of the section."""


def pages() -> dict[str, str]:
    return {place: _page(PurePosixPath(place), *which) for place, which in SECTIONS.items()}


def _page(place: PurePosixPath, source: PurePosixPath, heading: str) -> str:
    text = (ROOT / source).read_text("utf-8")
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{source} has no section '{heading}'")
    # Its links to other sections are links to another page here.
    body = re.sub(r"\]\(#", f"]({source.name}#", found[1])
    return f"# {heading}\n{rewritten(body, source, place)}"
