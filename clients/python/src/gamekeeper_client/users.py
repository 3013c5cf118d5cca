"""Accounts and sign-ins: the endpoints under /api/v1/users and /api/oauth."""

from collections.abc import Sequence
from datetime import datetime

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, reads
from gamekeeper_client.fields import Cursor, LegacyPage, Page
from gamekeeper_client.players import Value
from gamekeeper_client.records import (
    BannedLinked,
    ChangedUser,
    EmailState,
    EndedSignIn,
    EndedSignIns,
    EndedToken,
    EndedTokens,
    LinkedAccounts,
    Message,
    PasswordResetStatus,
    Player,
    RegisteredUser,
    SignInRecord,
    TokenAnswer,
    TokenRevocation,
    User,
    UserHits,
    UserVariable,
    VariableValue,
    VerificationAsked,
)


class Users(Group[How]):
    """Accounts, by username or id. Passwords are sent as `password_hash` makes them."""

    @reads("/api/v1/users")
    def page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        search: str | None = None,
        sort_by: str | None = None,
        sort_direction: str | None = None,
        limit: int | None = None,
    ) -> Page[User]:
        """A page of all accounts, by `name`, `email` or `registrationdate`."""
        ...

    all = every(page)

    @reads("/api/v1/users/search")
    def search(self, search: str, limit: int = 20) -> UserHits:
        """The accounts whose names match any part or word, best matches first; then by email."""
        ...

    @posts("/api/v1/users", keyed=False)
    def page_by_post(self, page: int = 0, count: int = 100) -> LegacyPage[User]:
        """Deprecated: all accounts in the older envelope. Use `page`."""
        ...

    @reads("/api/v1/users/{key}")
    def get(self, key: Id) -> User:
        """One account."""
        ...

    @reads("/api/v1/users/{key}/sign-ins")
    def sign_ins(
        self, key: Id, *, cursor: str | None = None, limit: int | None = None
    ) -> Cursor[SignInRecord]:
        """The sign-ins of an account, with a browser and for tokens, newest first."""
        ...

    @reads("/api/v1/users/{key}/linked")
    def linked(self, key: Id) -> LinkedAccounts:
        """Other accounts that share devices, addresses or payments, the strongest links first."""
        ...

    @posts("/api/v1/users/{key}/linked/ban")
    def ban_linked(
        self,
        key: Id,
        users: Sequence[Id],
        reason: str,
        *,
        until: datetime | None = None,
        duration_seconds: int | None = None,
        message: str | None = None,
        dry_run: bool = False,
        idempotency_key: Key = None,
    ) -> BannedLinked:
        """Ban an account and accounts that are linked with it, each by an ordinary ban."""
        ...

    @posts("/api/v1/users/register")
    def register(
        self,
        username: str,
        password: str,
        email: str,
        *,
        language: str | None = None,
        idempotency_key: Key = None,
    ) -> RegisteredUser:
        """Create an account."""
        ...

    @posts("/api/v1/users/{key}/password/validate", keyed=False)
    def validate_password(self, key: Id, password: str) -> Message:
        """Whether this is the password; `APIError` with `invalid_credentials` if not."""
        ...

    @posts("/api/v1/users/{key}/email/change")
    def change_email(
        self, key: Id, new: str, authorization: str, *, idempotency_key: Key = None
    ) -> ChangedUser:
        """Change the email; `authorization` is the password."""
        ...

    @posts("/api/v1/users/{key}/language")
    def set_language(
        self, key: Id, language: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> User:
        """Set the language of mails: `de`, `pt-BR`; empty for the operator's default."""
        ...

    @posts("/api/v1/users/{key}/password/change")
    def change_password(
        self, key: Id, new: str, authorization: str, *, idempotency_key: Key = None
    ) -> Message:
        """Change the password; `authorization` is the current one."""
        ...

    @reads("/api/v1/users/{key}/password/reset")
    def request_password_reset(self, key: Id) -> PasswordResetStatus:
        """Mail the owner a link and a code. A repeat too soon is `throttled` and sends nothing."""
        ...

    @posts("/api/v1/users/password/reset/complete", keyed=False, once=True)
    def complete_password_reset(
        self,
        new: str,
        *,
        token: str | None = None,
        username: str | None = None,
        code: str | None = None,
    ) -> Message:
        """Choose a new password, with the mailed token, or with a username and the code."""
        ...

    @reads("/api/v1/users/{key}/email")
    def email(self, key: Id) -> EmailState:
        """The email address, and whether it is verified."""
        ...

    @posts("/api/v1/users/{key}/email/verification")
    def request_email_verification(
        self, key: Id, *, idempotency_key: Key = None
    ) -> VerificationAsked:
        """Mail the owner a link and a code that verify the address."""
        ...

    @posts("/api/v1/users/email/verification/complete", keyed=False, once=True)
    def complete_email_verification(
        self, *, token: str | None = None, username: str | None = None, code: str | None = None
    ) -> Message:
        """Verify an address, with the mailed token, or with a username and the code."""
        ...

    @reads("/api/v1/users/{key}/players")
    def players(self, key: Id) -> list[Player]:
        """The account's characters, in the order of their creation."""
        ...

    @posts("/api/v1/users/{key}/players")
    def create_player(
        self,
        key: Id,
        name: str,
        class_id: Id,
        *,
        gender: int | None = None,
        map_id: Id | None = None,
        map_name: str | None = None,
        x: int | None = None,
        y: int | None = None,
        z: int | None = None,
        dir: int | None = None,  # noqa: A002
        sprite: str | None = None,
        face: str | None = None,
        name_color: str | None = None,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> Player:
        """Create a character of level 1, with what its class begins with."""
        ...

    @reads("/api/v1/users/{key}/players/{player}")
    def player(self, key: Id, player: Id | int) -> Player:
        """One of its characters, by name, id or index."""
        ...

    @posts("/api/v1/users/{key}/manage/email/change")
    def manage_email(
        self, key: Id, new: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> ChangedUser:
        """Change the email without the password."""
        ...

    @posts("/api/v1/users/{key}/manage/password/change")
    def manage_password(
        self, key: Id, new: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> Message:
        """Set the password without the current one."""
        ...

    @posts("/api/v1/users/{key}/name")
    def rename(
        self, key: Id, name: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> User:
        """Give an account another name."""
        ...

    @deletes("/api/v1/users/{key}")
    def delete(self, key: Id, *, reason: str | None = None, idempotency_key: Key = None) -> User:
        """Erase an account with its characters; nothing of it comes back."""
        ...

    @reads("/api/v1/users/{key}/variables")
    def variables(self, key: Id) -> list[UserVariable]:
        """The variables that were set for an account."""
        ...

    @reads("/api/v1/users/{key}/variables/{variable_id}")
    def variable(self, key: Id, variable_id: Id) -> UserVariable:
        """One variable of an account; unset, it has the default of its type."""
        ...

    @reads("/api/v1/users/{key}/variables/{variable_id}/value")
    def variable_value(self, key: Id, variable_id: Id) -> VariableValue:
        """The value alone."""
        ...

    @posts("/api/v1/users/{key}/variables/{variable_id}")
    def set_variable(
        self,
        key: Id,
        variable_id: Id,
        value: Value,
        *,
        reason: str | None = None,
        idempotency_key: Key = None,
    ) -> UserVariable:
        """Set a variable of an account."""
        ...


class Tokens(Group[How]):
    """Sign-ins of accounts with the Api power."""

    @posts("/api/oauth/token", keyed=False, once=True, verbatim=True)
    def issue(
        self,
        grant_type: str,
        *,
        username: str | None = None,
        password: str | None = None,
        refresh_token: str | None = None,
        device_id: str | None = None,
    ) -> TokenAnswer:
        """
        An access token, for `password` or `refresh_token`.

        Never retried after it was sent: a refresh token that is used twice ends the sign-in.
        """
        ...

    @posts("/api/oauth/revoke", keyed=False)
    def revoke(self, token: str) -> TokenRevocation:
        """End the sign-in that a token belongs to."""
        ...

    @deletes("/api/oauth/tokens/{username}")
    def end_all(self, username: Id) -> EndedTokens:
        """End all of an account's sign-ins."""
        ...

    @deletes("/api/oauth/tokens/{username}/{token_id}")
    def end(self, username: Id, token_id: Id) -> EndedToken:
        """End one sign-in."""
        ...

    @deletes("/api/oauth/token/{username}")
    def end_all_by_older_path(self, username: Id) -> EndedSignIns:
        """End all of an account's sign-ins, by Intersect's older path."""
        ...

    @deletes("/api/oauth/token/{username}/{sign_in}")
    def end_by_older_path(self, username: Id, sign_in: Id) -> EndedSignIn:
        """End one sign-in by its id or refresh token, by Intersect's older path."""
        ...
