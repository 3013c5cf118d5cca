"""The ladder: which step of a template comes next for an account."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.database import Queryable
from gamekeeper.moderation import templates
from gamekeeper.moderation.templates import SanctionTemplate
from gamekeeper.sanctions.records import SanctionKind


class Rung(Struct, frozen=True, kw_only=True):
    """One step as it is imposed."""

    number: int
    kind: SanctionKind
    duration: timedelta | None
    message: str


class Ladder:
    """Templates, and how often accounts were sanctioned from them."""

    def __init__(
        self, known: Mapping[str, SanctionTemplate], times: Mapping[tuple[UUID, str], int]
    ) -> None:
        self._known = known
        self._times = Counter(times)

    @classmethod
    async def of(cls, reader: Queryable, names: Sequence[str], users: Sequence[UUID]) -> "Ladder":
        """Lock the accounts first: two at once would both be the first time."""
        if not names:
            return cls({}, {})
        known = await templates.find_templates(reader, names)
        return cls(known, await templates.times(reader, users, names))

    def next(self, user: UUID, name: str) -> Rung:
        """The next step for an account; TemplateNotFound if there is no such template."""
        template = self._known.get(name)
        if template is None:
            raise templates.missing(name)
        number, step = template.step(self._times[user, name])
        seconds = step.duration_seconds
        return Rung(
            number=number,
            kind=step.kind,
            duration=None if seconds is None else timedelta(seconds=seconds),
            message=template.message,
        )

    def climb(self, user: UUID, name: str) -> None:
        """Count one more time: a later command of the same list is a step further."""
        self._times[user, name] += 1
