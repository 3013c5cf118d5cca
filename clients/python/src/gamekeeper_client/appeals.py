"""Appeals: the endpoints under /api/v1/appeals."""

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import Appeal, AppealStatus


class Appeals(Group[How]):
    """Appeals of players against sanctions, by code; the queue and decisions."""

    @posts("/api/v1/appeals", once=True)
    def submit(self, code: str, text: str) -> AppealStatus:
        """
        Appeal the sanction with this code. Needs no key.

        If the answer was lost, `status` says whether the appeal arrived; a second one is
        refused with `appeal_pending`.
        """
        ...

    @posts("/api/v1/appeals/status", keyed=False)
    def status(self, code: str) -> AppealStatus:
        """What the player may know of the sanction with this code. Needs no key."""
        ...

    @reads("/api/v1/appeals")
    def page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        state: str | None = None,
        limit: int | None = None,
    ) -> Page[Appeal]:
        """A page of the queue: open ones first, the oldest first; then the others, newest first."""
        ...

    all = every(page)

    @reads("/api/v1/appeals/{appeal_id}")
    def get(self, appeal_id: Id) -> Appeal:
        """One appeal."""
        ...

    @posts("/api/v1/appeals/{appeal_id}/decide")
    def decide(
        self,
        appeal_id: Id,
        *,
        lift: bool,
        answer: str,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Appeal:
        """Lift the sanction or keep it, with an answer that the player reads."""
        ...
