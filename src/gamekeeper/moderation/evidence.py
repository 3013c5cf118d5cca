"""Chat lines as evidence: found in the chat log, and only by callers who may read them."""

from collections.abc import Sequence
from uuid import UUID

from gamekeeper.auth.principal import Principal
from gamekeeper.core.errors import NotFound, RoleRequired
from gamekeeper.db.database import Writer
from gamekeeper.sanctions.excerpts import ExcerptLine
from gamekeeper.servers.chat import lines, private
from gamekeeper.servers.chat.lines import ChatLine

MAX_LINES = 50


class ChatMessageNotFound(NotFound):
    """No chat message has that id. Messages are kept for 30 days."""

    cacheable = False


class Excerpts:
    """The chat lines that a list of commands names, read by one statement."""

    def __init__(self, known: Sequence[ChatLine]) -> None:
        self._known = {line.id: line for line in known}

    @classmethod
    async def of(cls, writer: Writer, ids: Sequence[UUID]) -> "Excerpts":
        return cls(await lines.find(writer, ids))

    def chosen(self, ids: Sequence[UUID], caller: Principal | None) -> tuple[ExcerptLine, ...]:
        """The lines with these ids, oldest first, or a Problem; `caller` None: the command line."""
        found = [self._line(id_, caller) for id_ in dict.fromkeys(ids)]
        return tuple(sorted(found, key=lambda line: (line.said_at, line.message_id)))

    def _line(self, id_: UUID, caller: Principal | None) -> ExcerptLine:
        _require(caller, "logs.read")
        line = self._known.get(id_)
        if line is None:
            raise ChatMessageNotFound(
                f"No chat message with id '{id_}'. Messages are kept for 30 days."
            )
        if line.channel == "pm":
            _require(caller, private.PERMISSION)
        return ExcerptLine(
            message_id=line.id,
            said_at=line.said_at,
            server_id=line.server_id,
            player_id=line.player_id,
            user_id=line.user_id,
            player_name=line.player_name,
            channel=line.channel,
            message=line.message,
            target_id=line.target_id,
            target_name=line.target_name,
        )


def _require(caller: Principal | None, scope: str) -> None:
    """Otherwise a sanction would be a way to read what its moderator may not."""
    if caller and not caller.may(scope):
        raise RoleRequired(scope)
