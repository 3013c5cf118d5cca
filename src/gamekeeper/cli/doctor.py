"""The command that checks an installation."""

from functools import partial

from gamekeeper.cli.command import Output, command
from gamekeeper.cli.terminal import say, say_marked, stages
from gamekeeper.core.settings import Settings
from gamekeeper.operations.doctor import checks
from gamekeeper.operations.doctor.findings import CheckResult

SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "wrong": ("✗", "red bold")}
UNSEEN = ("?", "dim")


@command
async def doctor(settings: Settings) -> Output:
    """
    Check settings, database, worker, mail and TLS, and suggest fixes.

    Run it with the settings of serve and worker, on their machine, after installing, after
    an upgrade and whenever something seems wrong. It changes nothing, sends no mail, and
    takes half a minute at most.

    Each check is ✓ passed, ! a warning, ✗ failed, or ? skipped. Exit code 1: a check
    failed, or the database cannot be reached. Warnings do not count.
    """
    with stages() as tell:
        findings = await checks.run(settings, tell)
    is_wrong = any(finding.state == "wrong" for finding in findings)
    return Output(
        {"healthy": not is_wrong, "findings": findings},
        *(partial(_show, finding) for finding in findings),
        _summary(findings),
        code=1 if is_wrong else 0,
    )


def _show(finding: CheckResult) -> None:
    sign, style = SIGNS.get(finding.state, UNSEEN)
    say_marked(sign, style, f"{finding.check:<14} {finding.message}")
    if finding.remedy:
        say(f"  {'':<14} → {finding.remedy}")


def _summary(findings: list[CheckResult]) -> str:
    counts = [
        f"{count} {word}"
        for state, word in (("wrong", "failed"), ("warning", "to check"), ("unknown", "skipped"))
        if (count := sum(finding.state == state for finding in findings))
    ]
    return f"{len(findings)} checks: {', '.join(counts) or 'all passed'}."
