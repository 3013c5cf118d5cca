"""
Makes a release into dist/: sdist, wheel, image, chart, SBOMs, notes and checksums.

    python -m tools.release cut        writes the changelog's section of the version, of today
    python -m tools.release build      makes everything out of the last commit
    python -m tools.release draft      the same, also without a section or with uncommitted files

All is built from the commit and not from what lies around: the sdist from what git has, the wheel
and the image from the sdist. The date of everything is that of the commit (SOURCE_DATE_EPOCH), so
that the same commit gives the same sdist and the same wheel, anywhere and at any time.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from tools import bill_of_materials

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PYTHON = ROOT / ".venv/bin/python"
HELM = ROOT / ".release-tools/helm"
SECTION = re.compile(r"^## \[(?P<version>[^\]]+)\].*$", re.MULTILINE)
UNRELEASED = "Unreleased"


class NotReleasable(Exception):
    """Something is missing; the message says what to do."""


def main() -> None:
    if sys.argv[1:] not in (["cut"], ["build"], ["draft"]):
        sys.exit((__doc__ or "").strip())
    try:
        if sys.argv[1] == "cut":
            cut()
        else:
            build(draft=sys.argv[1] == "draft")
    except NotReleasable as reason:
        sys.exit(str(reason))
    except subprocess.CalledProcessError as failed:
        sys.exit(f"This failed, and dist/ is incomplete: {' '.join(map(str, failed.cmd))}")


def version() -> str:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


# ── The changelog ──


def cut() -> None:
    """Give what is unreleased the version and today's date."""
    changelog = ROOT / "CHANGELOG.md"
    today = datetime.now(UTC).date().isoformat()
    changelog.write_text(with_section(changelog.read_text(), version(), today))
    say(f"CHANGELOG.md has a section {version()} of {today}. Read it, commit it, tag the commit.")


def with_section(text: str, released: str, date: str) -> str:
    """The changelog with all that was unreleased in a section of its own."""
    if f"## [{released}]" in text:
        raise NotReleasable(f"CHANGELOG.md has a section {released} already.")
    head = f"## [{UNRELEASED}]\n"
    if not notes(text, UNRELEASED):
        raise NotReleasable(f"CHANGELOG.md has nothing below '{head.strip()}'.")
    return text.replace(head, f"{head}\n## [{released}] - {date}\n", 1)


def notes(text: str, released: str) -> str:
    """What the changelog says of a version; empty if it says nothing."""
    sections = list(SECTION.finditer(text))
    for found, following in zip(sections, [*sections[1:], None], strict=True):
        if found["version"] == released:
            return text[found.end() : following.start() if following else None].strip()
    return ""


# ── The files ──


def build(*, draft: bool) -> None:
    released, text = version(), (ROOT / "CHANGELOG.md").read_text()
    said = notes(text, released) or (notes(text, UNRELEASED) if draft else "")
    if not said:
        raise NotReleasable(
            f"CHANGELOG.md has no section {released}: `just cut-changelog` cuts it."
        )
    if not draft and _git("status", "--porcelain", "--untracked-files=no"):
        raise NotReleasable("There are uncommitted changes: a release is made of a commit.")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory(prefix="gamekeeper-release-") as folder:
        source = unpacked(sdist(exported(Path(folder) / "export")), Path(folder) / "sdist")
        wheel = built(source, "wheel")
        bill_of_materials.write(source, wheel, DIST, date=_date())
        chart(source)
        image(source, released)
    (DIST / f"gamekeeper-{released}-notes.md").write_text(said + "\n")
    checksums(DIST)
    say(*sorted(f"dist/{file.name}  {file.stat().st_size:,} bytes" for file in DIST.iterdir()))


def exported(folder: Path) -> Path:
    """What the last commit has, and nothing else."""
    folder.mkdir()
    archive = folder.with_suffix(".tar")
    _run("git", "archive", "--format=tar", f"--output={archive}", _commit(), at=ROOT)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


def sdist(source: Path) -> Path:
    return built(source, "sdist")


def built(source: Path, target: str) -> Path:
    """The sdist or wheel of a folder, in dist/."""
    say(f"{target} …")
    there = set(DIST.iterdir())
    command = (PYTHON, "-m", "hatchling", "build", "--target", target, "--directory", DIST)
    _run(*command, at=source, SOURCE_COMMIT=_commit())
    [made] = set(DIST.iterdir()) - there
    return made


def unpacked(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    [inside] = folder.iterdir()
    return inside


def chart(source: Path) -> None:
    if not HELM.exists():
        raise NotReleasable("Helm is missing: `just release-tools` installs it.")
    say("chart …")
    _run(HELM, "package", source / "deploy/chart", "--destination", DIST, at=source)
    [made] = DIST.glob("gamekeeper-*.tgz")
    made.rename(made.with_name(made.name.replace("gamekeeper-", "gamekeeper-chart-")))


def image(source: Path, released: str) -> None:
    """The image as an OCI archive; BASE_IMAGE replaces the base that the Containerfile names."""
    program = shutil.which("podman") or shutil.which("buildah")
    if not (source / "Containerfile").exists() or program is None:
        say("No image: that needs a Containerfile, and podman or buildah.")
        return
    say("image …")
    name, archive = f"gamekeeper:{released}", DIST / f"gamekeeper-{released}-image.tar"
    base = os.environ.get("BASE_IMAGE")
    options = [f"--build-arg=BASE_IMAGE={base}"] if base else []
    made = ("build", *options, f"--timestamp={_date()}", "--tag", name, "--file", "Containerfile")
    _run(program, *made, source, at=source)
    if Path(program).name == "podman":
        _run(program, "save", "--format=oci-archive", "--output", archive, name, at=source)
    else:
        _run(program, "push", name, f"oci-archive:{archive}:{name}", at=source)


def checksums(folder: Path) -> None:
    """SHA256SUMS, which `sha256sum --check` reads."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


@cache
def _commit() -> str:
    """The last commit; asked once, so that one made during the build does not get into it."""
    return _git("rev-parse", "HEAD")


def _date() -> str:
    return _git("log", "-1", "--format=%ct", _commit())


def _git(*words: str) -> str:
    told = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return told.stdout.strip()


def _run(*command: object, at: Path, **env: str) -> None:
    """Run a program whose own output is shown only if it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=at,
        env=os.environ | {"SOURCE_DATE_EPOCH": _date()} | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout)
        done.check_returncode()


def say(*lines: str) -> None:
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
