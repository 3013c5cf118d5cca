"""Required reasons: the changes that are refused without a reason for the audit log."""

from collections.abc import Iterable

from gamekeeper.core.errors import Invalid
from gamekeeper.core.settings import Settings


class ReasonRequired(Invalid):
    """This change needs a reason. Send it in the field 'reason' or the header X-Reason."""

    cacheable = False


def check_reason(
    settings: Settings, permissions: Iterable[str], reason: str | None, remedy: str | None = None
) -> None:
    """Raise ReasonRequired if a change by one of these permissions needs a reason and has none."""
    needed = sorted(settings.reasons.intersection(permissions))
    if needed and not is_visible(reason or ""):
        raise ReasonRequired(remedy, permission=needed[0])


def is_visible(text: str) -> bool:
    """Whether a reader sees something: spaces and zero-width characters are no reason."""
    return any(char.isprintable() and not char.isspace() for char in text)
