"""
Check the commits of a push: `python -m tools.commits [BASE]`.

At each commit the application, the worker and the command line must import, or `git bisect`
stops there. Each subject must have the form `package: Verb object`. BASE is the commit before
the push; without it, the newest commits since the rule began are checked.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

BEGINNING = "8f7f685"
"""The last commit before the rule."""
NEWEST = 60
"""Without a base, at most this many commits are checked: each takes a second."""

IMPORTS = "import gamekeeper.app, gamekeeper.worker, gamekeeper.cli"

VERBS = """
    Add Allow Bound Build Cache Check Close Correct Count Delete Document Drop Empty Extract Fix
    Generate Import Inline Install Limit Log Measure Merge Move Order Raise Read Record Reduce
    Reject Release Remove Rename Replace Report Require Restrict Return Revert Rewrite Run Schedule
    Share Show Shorten Simplify Sort Speed Split Start Stop Store Test Update Use Validate Wait
"""
"""Verbs that say what changed. Extend the list when a good one is missing."""
SUBJECT = re.compile(rf"[a-z0-9_./-]+(, [a-z0-9_./-]+)*: ({'|'.join(VERBS.split())}) .+")
LONGEST_SUBJECT = 80


def main() -> int:
    commits = list(_commits(*sys.argv[1:2]))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        sources = {_git("rev-parse", f"{commit}:src") for commit in commits}
        faults = dict(zip(sources, threads.map(_import_fault, sources), strict=True))
    found = []
    for commit in commits:
        subject = _git("log", "-1", "--format=%s", commit)
        if wrong := subject_fault(subject):
            found.append(f"{commit[:9]} {subject}\n    {wrong}")
        if fault := faults[_git("rev-parse", f"{commit}:src")]:
            found.append(f"{commit[:9]} {subject}\n    does not import: {fault}")
    for line in found:
        print(line, file=sys.stderr)  # noqa: T201
    print(f"{len(commits)} commits checked, {len(found)} faults")  # noqa: T201
    return bool(found)


def subject_fault(subject: str) -> str | None:
    """What is wrong with the first line of a commit message."""
    if len(subject) > LONGEST_SUBJECT:
        return f"the subject is longer than {LONGEST_SUBJECT} characters"
    if SUBJECT.fullmatch(subject) is None:
        return "the subject must be `package: Verb object`; tools/commits.py lists the verbs"
    return None


def _commits(base: str = "") -> Iterator[str]:
    """Newest first; merges have no change of their own."""
    bounds = [f"{base}..HEAD"] if base else [f"{BEGINNING}..HEAD", f"--max-count={NEWEST}"]
    yield from _git("rev-list", "--no-merges", *bounds).split()


def _import_fault(source: str) -> str | None:
    """The last line of what Python says if a tree of `src` does not import."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", source], check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [sys.executable, "-P", "-c", IMPORTS],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env=environment,
        )
    return done.stderr.strip().rpartition("\n")[2] if done.returncode else None


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
