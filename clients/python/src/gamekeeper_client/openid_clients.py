"""OpenID clients: the endpoints under /api/v1/openid-clients."""

from collections.abc import Sequence

from gamekeeper_client.calls import Group, How, Id, Key, deletes, patches, posts, reads
from gamekeeper_client.records import CreatedOpenIdClient, OpenIdClient
from gamekeeper_client.records import OpenIdClients as OpenIdClientList


class OpenIdClients(Group[How]):
    """Websites and programs at which players sign in with their account."""

    @reads("/api/v1/openid-clients")
    def list(self) -> OpenIdClientList:
        """All clients with their last use, and the issuer."""
        ...

    @reads("/api/v1/openid-clients/{client_id}")
    def get(self, client_id: Id) -> OpenIdClient:
        """One client."""
        ...

    @posts("/api/v1/openid-clients")
    def create(
        self,
        name: str,
        redirect_uris: Sequence[str],
        *,
        logout_uris: Sequence[str] | None = None,
        backchannel_uri: str | None = None,
        scopes: Sequence[str] | None = None,
        public: bool | None = None,
        requires_pkce: bool | None = None,
        asks_consent: bool | None = None,
        admits_banned: bool | None = None,
        discourse: bool | None = None,
        idempotency_key: Key = None,
    ) -> CreatedOpenIdClient:
        """
        Register a client.

        `secret` is None for a public client, and if the first answer was lost and this one is a
        replay: then call `renew_secret`.
        """
        ...

    @patches("/api/v1/openid-clients/{client_id}")
    def change(
        self,
        client_id: Id,
        *,
        name: str | None = None,
        redirect_uris: Sequence[str] | None = None,
        logout_uris: Sequence[str] | None = None,
        backchannel_uri: str | None = None,
        scopes: Sequence[str] | None = None,
        requires_pkce: bool | None = None,
        asks_consent: bool | None = None,
        admits_banned: bool | None = None,
        idempotency_key: Key = None,
    ) -> OpenIdClient:
        """Change the given fields; a list replaces the one before."""
        ...

    @posts("/api/v1/openid-clients/{client_id}/secret")
    def renew_secret(self, client_id: Id, *, idempotency_key: Key = None) -> CreatedOpenIdClient:
        """Replace the secret; the old one is void at once."""
        ...

    @posts("/api/v1/openid-clients/{client_id}/sign-out", keyed=False)
    def end_sign_ins(self, client_id: Id) -> OpenIdClient:
        """End all sign-ins at a client."""
        ...

    @deletes("/api/v1/openid-clients/{client_id}")
    def remove(self, client_id: Id, *, idempotency_key: Key = None) -> OpenIdClient:
        """Delete a client, and end all sign-ins there."""
        ...
