"""Access bans: the endpoints under /api/v1/access-bans."""

from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, every, posts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import AccessBan, ImposedAccessBan


class AccessBans(Group[How]):
    """Bans of devices and address ranges."""

    @reads("/api/v1/access-bans")
    def list_page(
        self,
        *,
        in_force: bool | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Cursor[AccessBan]:
        """A page of the access bans, newest first."""
        ...

    list = every(list_page)

    @posts("/api/v1/access-bans")
    def impose(
        self,
        *,
        reason: str,
        device: Id | None = None,
        range: str | None = None,  # noqa: A002  as the field is called
        until: datetime | None = None,
        duration_seconds: int | None = None,
        message: str | None = None,
        dry_run: bool = False,
        idempotency_key: Key = None,
    ) -> ImposedAccessBan:
        """Ban a device or an address range; with `dry_run`, only list the accounts seen there."""
        ...

    @reads("/api/v1/access-bans/{key}")
    def get(self, key: Id) -> AccessBan:
        """One access ban, by its id or code."""
        ...

    @posts("/api/v1/access-bans/{key}/lift")
    def lift(self, key: Id, reason: str, *, idempotency_key: Key = None) -> AccessBan:
        """Lift an access ban, by its id or code."""
        ...
