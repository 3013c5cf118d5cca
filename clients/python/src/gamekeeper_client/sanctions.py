"""Sanctions: the endpoints under /api/v1/sanctions, and the admin actions of Intersect."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from gamekeeper_client.calls import Group, How, Id, Key, deletes, every, posts, puts, reads
from gamekeeper_client.fields import Cursor
from gamekeeper_client.records import (
    ImposedSanction,
    Message,
    Sanction,
    SanctionExcerpt,
    SanctionTemplate,
    SanctionTemplates,
)

Kind = Literal["ban", "mute", "trade_lock", "warning", "note"]


class Sanctions(Group[How]):
    """Bans, mutes, trade locks, warnings and notes."""

    @reads("/api/v1/sanctions")
    def list_page(
        self,
        *,
        kind: Kind | None = None,
        user: str | None = None,
        player: str | None = None,
        actor: str | None = None,
        template: str | None = None,
        in_force: bool | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Cursor[Sanction]:
        """A page of the sanctions, newest first."""
        ...

    list = every(list_page)

    @posts("/api/v1/sanctions")
    def impose(
        self,
        *,
        user: str | None = None,
        player: str | None = None,
        kind: Kind | None = None,
        template: str | None = None,
        from_: datetime | None = None,
        until: datetime | None = None,
        duration_seconds: int | None = None,
        reason: str | None = None,
        message: str | None = None,
        evidence: Sequence[str] | None = None,
        excerpt: Sequence[Id] | None = None,
        dry_run: bool = False,
        idempotency_key: Key = None,
    ) -> ImposedSanction:
        """
        Impose a sanction on an account or a character, by kind or from a template.

        `excerpt` has ids of chat messages that are evidence; they are kept with the sanction.
        """
        ...

    @reads("/api/v1/sanctions/{key}")
    def get(self, key: Id) -> Sanction:
        """One sanction, by its id or code."""
        ...

    @reads("/api/v1/sanctions/{key}/excerpt")
    def excerpt(self, key: Id) -> SanctionExcerpt:
        """The chat messages that are the evidence of a sanction, oldest first."""
        ...

    @posts("/api/v1/sanctions/{key}/lift")
    def lift(self, key: Id, reason: str, *, idempotency_key: Key = None) -> Sanction:
        """Lift a sanction, by its id or code; it stays on record."""
        ...

    @reads("/api/v1/users/{key}/sanctions")
    def of_user_page(
        self,
        key: Id,
        *,
        kind: Kind | None = None,
        in_force: bool | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Cursor[Sanction]:
        """A page of the sanctions on an account and its characters, newest first."""
        ...

    of_user = every(of_user_page)

    @reads("/api/v1/players/{key}/sanctions")
    def of_player_page(
        self,
        key: Id,
        *,
        kind: Kind | None = None,
        in_force: bool | None = None,
        cursor: str | None = None,
        limit: int | None = None,
    ) -> Cursor[Sanction]:
        """A page of the sanctions that concern a character, newest first."""
        ...

    of_player = every(of_player_page)

    @reads("/api/v1/sanctions/templates")
    def templates(self) -> SanctionTemplates:
        """The templates, each with its ladder."""
        ...

    @reads("/api/v1/sanctions/templates/{name}")
    def template(self, name: Id) -> SanctionTemplate:
        """One template."""
        ...

    @puts("/api/v1/sanctions/templates/{name}")
    def put_template(
        self,
        name: Id,
        steps: Sequence[Mapping[str, Any]],
        *,
        message: str | None = None,
        idempotency_key: Key = None,
    ) -> SanctionTemplate:
        """Make or replace a template; a step is `{"kind": …, "durationseconds": …}`."""
        ...

    @deletes("/api/v1/sanctions/templates/{name}")
    def remove_template(self, name: Id, *, idempotency_key: Key = None) -> SanctionTemplate:
        """Remove a template; its sanctions stay."""
        ...

    @posts("/api/v1/users/{key}/admin/{action}")
    def act_on_user(
        self,
        key: Id,
        action: str,
        *,
        duration: int | None = None,
        reason: str | None = None,
        x: int | None = None,
        y: int | None = None,
        map_id: Id | None = None,
        idempotency_key: Key = None,
    ) -> Message:
        """An admin action of Intersect on an account: ban, unban, mute, unmute."""
        ...

    @posts("/api/v1/players/{key}/admin/{action}")
    def act_on_player(
        self,
        key: Id,
        action: str,
        *,
        duration: int | None = None,
        reason: str | None = None,
        x: int | None = None,
        y: int | None = None,
        map_id: Id | None = None,
        idempotency_key: Key = None,
    ) -> Message:
        """An admin action of Intersect on the account of a character."""
        ...
