"""Identities at Discord, Steam and OpenID issuers: linked by codes, listed, unlinked."""

from gamekeeper_client.calls import Group, How, Id, Key, deletes, posts, reads
from gamekeeper_client.records import (
    AccountIdentities,
    BegunSignIn,
    LinkCode,
    LinkedIdentity,
    OwnIdentities,
    SignedIn,
    SignInSources,
    TokenAnswer,
)


class Identities(Group[How]):
    """
    The endpoints of identities: of the account of the token, of any account, and for bots.

    Passwords are SHA-256, as everywhere.
    """

    @reads("/api/v1/me/identities")
    def mine(self) -> OwnIdentities:
        """The identities of the account of the token."""
        ...

    @posts("/api/v1/me/identities/codes", once=True)
    def create_my_code(self, password: str) -> LinkCode:
        """A code that links this account with the identity that uses it, at a Discord bot."""
        ...

    @posts("/api/v1/me/identities/link")
    def link_mine(self, code: str, password: str, *, idempotency_key: Key = None) -> LinkedIdentity:
        """Link the identity that a code of a Discord bot stands for."""
        ...

    @deletes("/api/v1/me/identities/{identity_id}")
    def unlink_mine(self, identity_id: Id, *, idempotency_key: Key = None) -> LinkedIdentity:
        """Unlink an identity of this account."""
        ...

    @posts("/api/v1/me/identities/start", once=True)
    def start_my_link(self, source: str, return_to: str, password: str) -> BegunSignIn:
        """Begin to link an identity by signing in to its service with a browser."""
        ...

    @posts("/api/v1/me/identities/finish")
    def finish_my_link(
        self, flow: Id, secret: str, result: str, *, idempotency_key: Key = None
    ) -> LinkedIdentity:
        """Link what the browser came back with."""
        ...

    @reads("/api/v1/sign-in")
    def sources(self) -> SignInSources:
        """The services that players can sign in with."""
        ...

    @posts("/api/v1/sign-in/start", once=True)
    def start_sign_in(self, source: str, return_to: str) -> BegunSignIn:
        """Begin a sign-in by another service."""
        ...

    @posts("/api/v1/sign-in/finish", once=True)
    def finish_sign_in(
        self, flow: Id, secret: str, result: str, *, device_id: str | None = None
    ) -> TokenAnswer:
        """Exchange what the browser came back with for tokens."""
        ...

    @posts("/api/v1/sign-in/account", once=True)
    def finish_sign_in_of_website(self, flow: Id, secret: str, result: str) -> SignedIn:
        """The account of a finished sign-in, for a website with sessions of its own."""
        ...

    @posts("/api/v1/sign-in/steam-ticket", once=True)
    def check_steam_ticket(self, ticket: str) -> SignedIn:
        """The account of the player whose game client made a ticket."""
        ...

    @reads("/api/v1/users/{key}/identities")
    def list(self, key: Id) -> AccountIdentities:
        """The identities of an account, and the former ones."""
        ...

    @posts("/api/v1/users/{key}/identities/codes", once=True)
    def create_code(self, key: Id) -> LinkCode:
        """A code that links an account with the identity that uses it; for game servers."""
        ...

    @posts("/api/v1/users/{key}/identities/link")
    def link(
        self, key: Id, code: str, *, reason: str | None = None, idempotency_key: Key = None
    ) -> LinkedIdentity:
        """Link the identity that a code stands for with an account."""
        ...

    @deletes("/api/v1/users/{key}/identities/{identity_id}")
    def unlink(self, key: Id, identity_id: Id, *, idempotency_key: Key = None) -> LinkedIdentity:
        """Unlink an identity of an account."""
        ...

    @posts("/api/v1/identities/codes", once=True)
    def create_identity_code(
        self, issuer: str, subject: str, *, display_name: str | None = None
    ) -> LinkCode:
        """A code that links an identity with the account that uses it; for Discord bots."""
        ...

    @posts("/api/v1/identities/link")
    def link_by_code(
        self,
        code: str,
        issuer: str,
        subject: str,
        *,
        display_name: str | None = None,
        idempotency_key: Key = None,
    ) -> LinkedIdentity:
        """Link an identity with the account that a code stands for; for Discord bots."""
        ...
