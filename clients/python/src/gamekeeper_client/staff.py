"""Staff endpoints: roles, who has them, and who the caller is."""

from collections.abc import Mapping, Sequence

from gamekeeper_client.calls import (
    Group,
    How,
    Id,
    Key,
    deletes,
    every,
    patches,
    posts,
    puts,
    reads,
)
from gamekeeper_client.fields import Cursor, Page
from gamekeeper_client.records import (
    CreatedInvitation,
    EmailState,
    Invitation,
    Letter,
    LimitUsage,
    Order,
    RoleRecord,
    StaffMember,
    VerificationAsked,
    Whoami,
)


def role_limits(
    *,
    pieces_per_day: int | None = None,
    value_per_day: int | None = None,
    largest_gift: int | None = None,
    undos_per_day: int | None = None,
) -> dict[str, int]:
    """How much the holders of a role may hand out and undo in a day; None: no limit."""
    limits = {
        "piecesperday": pieces_per_day,
        "valueperday": value_per_day,
        "largestgift": largest_gift,
        "undosperday": undos_per_day,
    }
    return {name: amount for name, amount in limits.items() if amount is not None}


class Me(Group[How]):
    """Who the caller is."""

    @reads("/api/v1/me")
    def get(self) -> Whoami:
        """The caller and its permissions."""
        ...

    @reads("/api/v1/me/usage")
    def usage(self) -> LimitUsage:
        """What the caller used of its limits today."""
        ...

    @reads("/api/v1/me/email")
    def email(self) -> EmailState:
        """Your email address, and whether it is verified."""
        ...

    @posts("/api/v1/me/email/verification")
    def request_email_verification(self, *, idempotency_key: Key = None) -> VerificationAsked:
        """Mail a link and a code that verify your address."""
        ...

    @reads("/api/v1/me/mailbox")
    def mailbox(self, *, cursor: str | None = None, limit: int = 20) -> Cursor[Letter]:
        """A page of the letters of all your characters, newest first."""
        ...

    all_letters = every(mailbox)

    @reads("/api/v1/me/mailbox/{letter_id}")
    def letter(self, letter_id: Id) -> Letter:
        """One letter to a character of yours."""
        ...

    @posts("/api/v1/me/mailbox/{letter_id}/claim")
    def claim_letter(
        self, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Move all items of a letter to the inventory of its character."""
        ...

    @posts("/api/v1/me/mailbox/{letter_id}/read")
    def mark_letter_read(
        self, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Mark a letter as read."""
        ...

    @deletes("/api/v1/me/mailbox/{letter_id}")
    def delete_letter(
        self, letter_id: Id, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Letter:
        """Delete a letter without items, or whose items were claimed."""
        ...

    @reads("/api/v1/me/orders")
    def orders(self, *, cursor: str | None = None, limit: int = 20) -> Cursor[Order]:
        """A page of the orders that your account receives or paid, newest first."""
        ...

    all_orders = every(orders)


class Roles(Group[How]):
    """What roles may do."""

    @reads("/api/v1/roles")
    def list_page(
        self, page: int = 0, page_size: int = 100, *, limit: int | None = None
    ) -> Page[RoleRecord]:
        """A page of the roles, the built-in ones first."""
        ...

    list = every(list_page)

    @reads("/api/v1/roles/{role}")
    def get(self, role: str) -> RoleRecord:
        """One role, by its name."""
        ...

    @posts("/api/v1/roles")
    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        description: str | None = None,
        limits: Mapping[str, int] | None = None,
        idempotency_key: Key = None,
    ) -> RoleRecord:
        """Make a role; it may do no more than the caller. See `role_limits`."""
        ...

    @patches("/api/v1/roles/{role}")
    def change(
        self,
        role: str,
        *,
        description: str | None = None,
        scopes: Sequence[str] | None = None,
        limits: Mapping[str, int] | None = None,
        idempotency_key: Key = None,
    ) -> RoleRecord:
        """Change the given fields; the others stay. `limits={}` removes all limits."""
        ...

    @deletes("/api/v1/roles/{role}", asks=True)
    def delete(
        self, role: str, *, withdraw: bool = False, idempotency_key: Key = None
    ) -> RoleRecord:
        """Delete a role; with `withdraw`, also if accounts have it."""
        ...


class Staff(Group[How]):
    """Accounts that have roles."""

    @reads("/api/v1/staff")
    def list_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        role: str | None = None,
        limit: int | None = None,
    ) -> Page[StaffMember]:
        """A page of the staff by name; `role`: those who have it."""
        ...

    list = every(list_page)

    @reads("/api/v1/staff/invitations")
    def invitations_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        state: str | None = None,
        limit: int | None = None,
    ) -> Page[Invitation]:
        """A page of the invitations, newest first; `state`: `open`, `accepted` and so on."""
        ...

    invitations = every(invitations_page)

    @posts("/api/v1/staff/invitations")
    def invite(
        self,
        role: str,
        *,
        days: int | None = None,
        email: str | None = None,
        idempotency_key: Key = None,
    ) -> CreatedInvitation:
        """Invite a person by a link. Only browser sessions can; API keys get 403."""
        ...

    @deletes("/api/v1/staff/invitations/{id}")
    def revoke_invitation(self, id: Id, *, idempotency_key: Key = None) -> Invitation:  # noqa: A002
        """Revoke an open invitation."""
        ...

    @puts("/api/v1/staff/{user}/roles/{role}")
    def grant(self, user: Id, role: str, *, idempotency_key: Key = None) -> StaffMember:
        """Give an account a role."""
        ...

    @deletes("/api/v1/staff/{user}/roles/{role}")
    def withdraw(self, user: Id, role: str, *, idempotency_key: Key = None) -> StaffMember:
        """Withdraw a role from an account."""
        ...
