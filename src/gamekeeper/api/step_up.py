"""Step-up of some calls of a route: those whose body, or whose target, needs it."""

from gamekeeper.auth.authorisation import authorise
from gamekeeper.auth.principal import Principal
from gamekeeper.core.settings import Settings


def require(caller: Principal, settings: Settings) -> None:
    """Raise StepUpRequired unless a browser session verified its second factor recently."""
    authorise(caller, frozenset(), step_up=settings.staff_step_up == "required")
