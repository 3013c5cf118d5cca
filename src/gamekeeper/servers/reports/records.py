"""Reports before they are stored."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from gamekeeper.db.operations import AuditContext
from gamekeeper.servers.reports.categories import ReportCategory


class ReportPlace(Struct, frozen=True):
    """Where something happened."""

    map_id: UUID | None = None
    x: int | None = None
    y: int | None = None


class ReportDraft(Struct, frozen=True, kw_only=True):
    """A report that may be stored: its accounts exist and are locked, and it is charged."""

    id: UUID
    by: AuditContext
    reporter_id: UUID
    reporter_player_id: UUID | None
    user_id: UUID
    player_id: UUID
    category: ReportCategory
    text: str
    place: ReportPlace
    server_id: UUID | None
    at: datetime
    message_ids: Sequence[UUID]
