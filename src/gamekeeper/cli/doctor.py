"""The command that checks an installation."""

import asyncio

import typer

from gamekeeper.cli.terminal import AsJson, say, say_marked, show_json, stages
from gamekeeper.core.settings import Settings
from gamekeeper.operations.doctor import checks
from gamekeeper.operations.doctor.findings import CheckResult

SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "wrong": ("✗", "red bold")}
UNSEEN = ("?", "dim")


def doctor(*, as_json: AsJson = False) -> None:
    """
    Check settings, database, worker, mail and TLS, and say what to do.

    Run it with the settings of serve and worker, on their machine, after installing, after
    an upgrade and whenever something seems wrong. It changes nothing, sends no mail, and
    takes half a minute at most.

    Each check is ✓ well, ! a warning, ✗ wrong, or ? could not look. Exit code 1: something
    is wrong, or the database cannot be reached. Warnings do not count.
    """
    settings = Settings.read()
    with stages() as tell:
        findings = asyncio.run(checks.run(settings, tell))
    if as_json:
        show_json({"healthy": not _is_wrong(findings), "findings": findings})
    else:
        for finding in findings:
            _show(finding)
        say(_summary(findings))
    if _is_wrong(findings):
        raise typer.Exit(1)


def _is_wrong(findings: list[CheckResult]) -> bool:
    return any(finding.state == "wrong" for finding in findings)


def _show(finding: CheckResult) -> None:
    sign, style = SIGNS.get(finding.state, UNSEEN)
    say_marked(sign, style, f"{finding.check:<14} {finding.message}")
    if finding.remedy:
        say(f"  {'':<14} → {finding.remedy}")


def _summary(findings: list[CheckResult]) -> str:
    counts = [
        f"{count} {word}"
        for state, word in (("wrong", "wrong"), ("warning", "to look at"), ("unknown", "not seen"))
        if (count := sum(finding.state == state for finding in findings))
    ]
    return f"{len(findings)} checks: {', '.join(counts) or 'all is well'}."
