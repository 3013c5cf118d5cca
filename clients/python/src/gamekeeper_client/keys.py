"""API keys: the endpoints under /api/v1/keys."""

from collections.abc import Sequence
from typing import Literal

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, reads
from gamekeeper_client.fields import Page
from gamekeeper_client.records import CreatedKey, KeyRecord, KeyScopes


class ApiKeys(Group[How]):
    """API keys for websites, bots and game servers."""

    @reads("/api/v1/keys")
    def list_page(
        self,
        page: int = 0,
        page_size: int = 100,
        *,
        state: Literal["live", "expired", "revoked"] | None = None,
        limit: int | None = None,
    ) -> Page[KeyRecord]:
        """A page of the keys, newest first, with their last use."""
        ...

    list = every(list_page)

    @reads("/api/v1/keys/scopes")
    def scopes(self) -> KeyScopes:
        """The scopes in words, and which of them the caller may give to a key."""
        ...

    @posts("/api/v1/keys")
    def create(
        self,
        name: str,
        scopes: Sequence[str],
        *,
        days: int | None = None,
        pieces_per_day: int | None = None,
        value_per_day: int | None = None,
        largest_gift: int | None = None,
        undos_per_day: int | None = None,
        rates: str | None = None,
        idempotency_key: Key = None,
    ) -> CreatedKey:
        """
        Make a key; it may do no more than the caller.

        `rates` are rate limits of its own, such as `"write 100/second"`.

        `key` is None if the first answer was lost and this one is a replay: then revoke it
        and make another.
        """
        ...

    @reads("/api/v1/keys/{key_id}")
    def get(self, key_id: Id) -> KeyRecord:
        """One key, without its secret."""
        ...

    @deletes("/api/v1/keys/{key_id}")
    def revoke(self, key_id: Id, *, idempotency_key: Key = None) -> KeyRecord:
        """Revoke a key; it is rejected everywhere within two seconds."""
        ...
