"""Browser sessions of staff: the endpoints under /api/v1/staff that end them."""

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import (
    BrowserSessionRecord,
    EndedSessions,
    ResetFactors,
    SignedOut,
)


class StaffSessions(Group[How]):
    """The browsers that staff are signed in with. Sign-in itself is for browsers only."""

    @reads("/api/v1/staff/{user}/sessions")
    def list_page(
        self, user: Id, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[BrowserSessionRecord]:
        """A page of the live sessions of a staff member, the last seen first."""
        ...

    list = every(list_page)

    @deletes("/api/v1/staff/{user}/sessions")
    def end_all(self, user: Id, *, idempotency_key: Key = None) -> EndedSessions:
        """End all sessions of a staff member, everywhere within two seconds."""
        ...

    @deletes("/api/v1/staff/{user}/sessions/{session_id}")
    def end(self, user: Id, session_id: Id, *, idempotency_key: Key = None) -> SignedOut:
        """End one session of a staff member."""
        ...

    @deletes("/api/v1/staff/{user}/factors")
    def reset_factors(self, user: Id, *, idempotency_key: Key = None) -> ResetFactors:
        """Remove the second factors of a staff member who lost them, and end their sessions."""
        ...
