"""
The pages of docs/, and of whatever else in the repository they link to.

The sources are written to be read in the repository, too. So a link names a file of the
repository, and is rewritten here to the page that this file becomes. A file that is no page of
its own, such as an example, becomes one that shows it.
"""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

NAMED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "clients/python/README.md": "clients/python.md",
    "clients/typescript/README.md": "clients/typescript.md",
    "clients/csharp/README.md": "clients/csharp.md",
    "examples/intersect-plugin/README.md": "clients/intersect-plugin.md",
}
"""Files elsewhere that are pages of the site. The README's place is taken by docs/index.md."""

GENERATED = PurePosixPath("docs/reference")
"""The folder of pages that only the site has; the builder checks the links to them."""

FENCED = re.compile(r"^( *)(`{3,}|~{3,}).*?^\1\2[ ]*$", re.MULTILINE | re.DOTALL)
CODE_OR_LINK = re.compile(
    r"(?P<code>`+)(?:(?!(?P=code)).)+(?P=code)"
    r"|(?P<before>\]\(|\b(?:src|href)=\")(?P<target>[^)\s\"]+)(?P<after>[)\"]|\s+\"[^\"]*\"\))",
    re.DOTALL,
)
DRAWING = re.compile(r"^!\[(?P<says>[^\]]*)\]\((?P<file>[^)]+\.svg)\)$", re.MULTILINE)
CROWDED_HEADING = re.compile(r"(?<=[^\n])\n(#{1,6} )")
SCHEME = re.compile(r"[a-z]+:|//|#")
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".sql": "sql", ".ts": "ts"}
LANGUAGES |= {".yml": "yaml", ".yaml": "yaml", ".sh": "sh", ".service": "ini", ".conf": "nginx"}


class BrokenLink(Exception):
    """A page links to a file that the repository does not have."""


def page_of(source: PurePosixPath) -> PurePosixPath:
    """Where a file or folder of the repository is in the site."""
    if str(source) in NAMED:
        return PurePosixPath(NAMED[str(source)])
    if (ROOT / source / "README.md").exists():
        return page_of(source / "README.md")
    if source.parts[0] == "docs":
        place = source.relative_to("docs")
    elif (ROOT / source).is_dir():
        place = "source" / source / "index.md"
    elif source.suffix == ".md":
        place = "source" / source
    else:
        place = "source" / source.with_name(source.name + ".md")
    return place.with_name("index.md") if place.name == "README.md" else place


class Pages:
    """The folder that the site is built from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._done: set[PurePosixPath] = set()

    def copy(self) -> None:
        """Write the pages of docs/ and the named ones, then all that they link to."""
        waiting = [PurePosixPath(name) for name in NAMED if name != "README.md"]
        waiting += [_relative(file) for file in sorted(DOCS.rglob("*")) if file.is_file()]
        while waiting:
            source = waiting.pop()
            if source in self._done:
                continue
            self._done.add(source)
            waiting += self._page(source)

    def write(self, name: str | PurePosixPath, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def _page(self, source: PurePosixPath) -> list[PurePosixPath]:
        """Write the page of `source`; return the files that it links to."""
        place, file = page_of(source), ROOT / source
        if file.is_dir():
            if (file / "README.md").exists():
                return [source / "README.md"]
            self.write(place, _listing(source))
            return [source / each.name for each in _entries(source)]
        if file.suffix == ".md":
            links: list[PurePosixPath] = []
            self.write(place, rewritten(file.read_text("utf-8"), source, place, links.append))
            return links
        if source.parts[0] == "docs":
            (self.folder / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, self.folder / place)
        else:
            self.write(place, _shown(source))
        return []


def rewritten(
    text: str,
    source: PurePosixPath,
    place: PurePosixPath,
    linked: Callable[[PurePosixPath], None] = lambda _: None,
) -> str:
    """`text` of the file `source`, as it is on the page `place`: other links, drawings inside."""

    def change(found: re.Match[str]) -> str:
        if found["code"] or SCHEME.match(found["target"]):
            return found[0]
        path, mark, anchor = found["target"].partition("#")
        target = PurePosixPath(os.path.normpath(source.parent / unquote(path)))
        if target.parts[0] != ".." and (ROOT / target).exists():
            if str(target) != "README.md":
                linked(target)
        elif not target.is_relative_to(GENERATED):
            raise BrokenLink(f"{source}: there is no {target}")
        there = os.path.relpath(page_of(target), place.parent)
        return f"{found['before']}{there}{mark}{anchor}{found['after']}"

    def prose(words: str) -> str:
        # GitHub ends a table before a heading; this builder's Markdown wants an empty line.
        apart = CROWDED_HEADING.sub(r"\n\n\1", words)
        drawn = DRAWING.sub(lambda found: _inline(found, source), apart)
        return CODE_OR_LINK.sub(change, drawn)

    parts, end = [], 0
    for fence in FENCED.finditer(text):
        parts += [prose(text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, prose(text[end:])])


def _relative(file: Path) -> PurePosixPath:
    return PurePosixPath(file.relative_to(ROOT).as_posix())


def _inline(drawing: re.Match[str], source: PurePosixPath) -> str:
    """
    A drawing as a part of the page, where it has the colours of the theme.

    Its own style is for the repository. Without blank lines Markdown leaves it as it is.
    """
    file = ROOT / os.path.normpath(source.parent / drawing["file"])
    svg = file.read_text("utf-8")
    bare = re.sub(r"<style>.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    line = re.sub(r"\s*\n\s*", " ", bare[bare.index("<svg") :]).strip()
    return f'<figure class="drawing {file.stem}">{line}</figure>'


def _entries(source: PurePosixPath) -> list[Path]:
    return [each for each in sorted((ROOT / source).iterdir()) if each.name != "__pycache__"]


def _listing(source: PurePosixPath) -> str:
    """The page of a folder."""
    here = page_of(source).parent
    rows = [
        f"- [`{each.name}`]({os.path.relpath(page_of(_relative(each)), here)})"
        for each in _entries(source)
    ]
    return "\n".join([f"# {source}", "", "A folder of the repository.", "", *rows, ""])


def _shown(source: PurePosixPath) -> str:
    """The page of a file that is no page."""
    code = (ROOT / source).read_text("utf-8", errors="replace").rstrip("\n")
    language = LANGUAGES.get(source.suffix, "text")
    head = [f"# {source.name}", "", f"`{source}` in the repository.", ""]
    return "\n".join([*head, f"````{language}", code, "````", ""])
